"""One decision: what a player is asked, what it answers, and what the referee made of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from ludometer.core.chance import Chance
from ludometer.core.errors import Illegal
from ludometer.core.exchange import CallKey, Completion, Exchange, Json, Request
from ludometer.core.game import Game
from ludometer.core.observation import Observation, Seat

__all__ = [
    "Attempt",
    "Decision",
    "Fault",
    "Feedback",
    "Journal",
    "Player",
    "Send",
    "Turn",
    "Unrecorded",
    "Verdict",
    "VerdictStatus",
]

FaultKind: TypeAlias = Literal[
    "ambiguous",
    "invalid_format",
    "empty",
    "truncated",
    "refused",
    "timeout",
    "player_error",
    "provider_error",
]
VerdictStatus: TypeAlias = Literal["legal", "illegal"] | FaultKind


class Fault(NamedTuple):
    """Why a decision has no action. ``provider_error`` is never held against the player.

    Attributes:
        status: what went wrong.
        reason: one sentence.
        kind: for ``illegal``, the game's own rule (an answer may be unplayable before it is an action at all).
    """

    status: Literal["illegal"] | FaultKind
    reason: str
    kind: str = ""

    @classmethod
    def of(cls, error: Illegal) -> Fault:
        """The fault for an answer that could not be read or named something unplayable."""
        if error.kind == "invalid_format" or error.kind == "ambiguous":
            return cls("ambiguous" if error.kind == "ambiguous" else "invalid_format", error.reason)
        return cls("illegal", error.reason, error.kind)


class Verdict(NamedTuple):
    """The referee's word on an attempt.

    Attributes:
        status: ``legal``, ``illegal``, or a fault's kind.
        kind: the finest name of what was wrong: the game's own rule for illegal moves (``already_taken``), else the
            status again.
        reason: one sentence, empty for legal moves.
    """

    status: VerdictStatus
    kind: str
    reason: str = ""

    @property
    def is_legal(self) -> bool:
        return self.status == "legal"


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's answer to a turn: an action, or the fault that prevented one.

    Attributes:
        text: the final raw answer, as given.
        rationale: the stated reasons, where the answer format has a place for them.
        exchanges: every call made for this decision, in issue order.
        resign: the player gives up the game (where the policy allows it).
        draw: ``offer``: a draw is offered with the move; ``accept``: the opponent's offer is taken instead of moving.
        seconds: how long it took, waiting for a free slot left out.
    """

    action: Any = None
    fault: Fault | None = None
    text: str = ""
    rationale: str = ""
    exchanges: tuple[Exchange, ...] = ()
    resign: bool = False
    draw: Literal["offer", "accept"] | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A decision with its place in the match and its verdict. ``attempt`` counts from 0 within the step."""

    step: int
    seat: Seat
    attempt: int
    decision: Decision
    verdict: Verdict


class Feedback(NamedTuple):
    """What the next prompt may say about the bad attempt before it."""

    mode: Literal["repeat", "explain"]
    verdict: Verdict
    text: str


Send: TypeAlias = Callable[[Request], Awaitable[Completion]]


class Journal(Protocol):
    """Where calls and attempts are made durable. Injected into a match; see `ludometer.store`."""

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Exchange:
        """The recorded answer for this key, or a new call whose answer is durable before it is returned."""
        ...

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        """Makes a judged attempt durable before anything that is recorded later."""
        ...


class Unrecorded:
    """A journal that keeps nothing: for a match nobody wants to keep."""

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Exchange:
        return Exchange(key, request, await send(request), fingerprint)

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything a player is given for one decision. It never holds the true state.

    Attributes:
        match: id of the match.
        step: number of joint moves made before this one.
        attempt: how many attempts this seat made at this step before.
        legal: the legal actions, or None where they cannot be listed.
        past: this seat's own attempts so far, oldest first, with their exchanges.
        chance: the player's own luck for this attempt.
        imagine: a state this seat cannot tell from the true one, with fresh luck. Searchers search this.
        parse, decode, format, encode, schema, check: the game's methods, bound to the state and this seat.
        may_offer_draw, draw_offered: whether draws may be offered at all, and whether the opponent just did.
    """

    match: str
    game: Game[Any, Any]
    step: int
    seat: Seat
    attempt: int
    observation: Observation
    legal: Sequence[Any] | None
    chance: Chance
    imagine: Callable[[Chance], Any]
    sample: Callable[[Chance], Any]
    parse: Callable[[str], Any]
    decode: Callable[[Json], Any]
    format: Callable[[Any], str]
    encode: Callable[[Any], Json]
    schema: Callable[[str | None], dict[str, Json]]
    check: Callable[[Any], None]
    title: str = ""
    may_offer_draw: bool = False
    draw_offered: bool = False
    feedback: Feedback | None = None
    past: tuple[Attempt, ...] = ()
    journal: Journal = field(default_factory=Unrecorded)
    watch: Callable[[str], None] | None = None


class Player(Protocol):
    """Somebody in one seat of one match. It keeps nothing between turns that can change its decision."""

    async def act(self, turn: Turn) -> Decision: ...
