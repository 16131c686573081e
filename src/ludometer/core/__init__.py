"""The contract: games, observations, turns, decisions, exchanges, luck, errors, and how plug-ins are found.

Nothing in here does any I/O or imports anything outside the standard library at import time.
"""

from ludometer.core.chance import Chance
from ludometer.core.errors import (
    ConfigurationError,
    Illegal,
    InternalError,
    LudometerError,
    MachineError,
    PlayerError,
    ProviderError,
    ReplayMismatch,
    SandboxError,
    Suspended,
)
from ludometer.core.exchange import (
    CallKey,
    Completion,
    Exchange,
    FailedCall,
    ImagePart,
    Json,
    Message,
    Request,
    TextPart,
    ToolSpec,
    Usage,
)
from ludometer.core.game import AnyGame, Asked, Game, Outcome, Role, placement_scores
from ludometer.core.observation import Event, Observation, Seat, View, Viewer, Watcher
from ludometer.core.registry import GAMES, make_game
from ludometer.core.turn import (
    Attempt,
    Decision,
    Fault,
    Feedback,
    Journal,
    Player,
    Turn,
    Unrecorded,
    Verdict,
)

__all__ = [
    "GAMES",
    "AnyGame",
    "Asked",
    "Attempt",
    "CallKey",
    "Chance",
    "Completion",
    "ConfigurationError",
    "Decision",
    "Event",
    "Exchange",
    "FailedCall",
    "Fault",
    "Feedback",
    "Game",
    "Illegal",
    "ImagePart",
    "InternalError",
    "Journal",
    "Json",
    "LudometerError",
    "MachineError",
    "Message",
    "Observation",
    "Outcome",
    "Player",
    "PlayerError",
    "ProviderError",
    "ReplayMismatch",
    "Request",
    "Role",
    "SandboxError",
    "Seat",
    "Suspended",
    "TextPart",
    "ToolSpec",
    "Turn",
    "Unrecorded",
    "Usage",
    "Verdict",
    "View",
    "Viewer",
    "Watcher",
    "make_game",
    "placement_scores",
]
