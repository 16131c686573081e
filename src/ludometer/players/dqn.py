"""A player that has learned UNO: a deep Q-network, played with numpy alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from ludometer.core import AnyGame, ConfigurationError, Decision, Observation, Turn
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOURS, TYPES, card_name
from ludometer.games.uno.state import Action
from ludometer.players import _uno_seen as seen
from ludometer.players._q_network import QNetwork, load_network
from ludometer.players._uno_features import FEATURES, RENAMINGS, action_values

__all__ = ["DqnPlayer", "action_number", "row_of"]

PACKAGED: Final = Path(__file__).parent / "weights" / "dqn_uno.npz"
_NUMBERS: Final = {card_name(card): card for card in range(TYPES)}


class DqnPlayer:
    """Plays the action of the highest expected share of the win, as a network estimates it from what the seat sees.

    Args:
        weights: a file that ``ludometer train dqn-uno`` wrote; by default the one that comes with Ludometer.
    """

    name: ClassVar[str] = "dqn"
    description: ClassVar[str] = "UNO as a deep Q-network learned it in games against random players and itself"

    def __init__(self, weights: Path | None = None) -> None:
        self.weights = weights
        self._network = _packaged() if weights is None else load_network(weights, FEATURES)

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but UNO."""
        if not isinstance(game, Uno):
            raise ConfigurationError(f"dqn plays uno, not {game.name}; mcts and random play other games")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        legal = turn.legal
        assert legal is not None
        if len(legal) == 1:
            return Decision(legal[0])
        values = action_values(self._network.values, row_of(turn.observation)[None], range(RENAMINGS))[0]
        ranked = sorted(legal, key=lambda action: -values[action_number(action)])
        best, second = ranked[0], ranked[1]
        said = (
            f"expected share of the win {values[action_number(best)]:.3f}, "
            f"of the next best ({turn.format(second)}) {values[action_number(second)]:.3f}"
        )
        return Decision(best, rationale=said)


@cache
def _packaged() -> QNetwork:
    return load_network(PACKAGED, FEATURES)


def action_number(action: Action) -> int:
    """The number of an action, as in `_uno_seen`."""
    if action.kind == "card":
        return action.value
    if action.kind == "colour":
        return seen.FIRST_COLOUR + action.value
    if action.kind == "challenge":
        return seen.CHALLENGE + action.value
    return seen.PASS


def row_of(observation: Observation) -> seen.Rows:
    """What the seat to act sees, as a row for a network, shape ``(seen.WIDTH,)``."""
    data: Any = observation.data
    own, following, previous = observation.viewer, data["next"], data["previous"]
    sizes, colour = data["hand_sizes"], COLOURS.index(data["colour"])
    row = np.zeros(seen.WIDTH, dtype=np.uint8)
    hand = np.bincount([_NUMBERS[card] for card in data["hands"][own]], minlength=TYPES)
    shown = np.zeros(TYPES, dtype=np.int64)
    for card, count in data["seen"].items():
        shown[_NUMBERS[card]] = count
    row[seen.HAND] = hand
    row[seen.UNSEEN] = seen.DECK_COUNTS - hand - shown
    row[seen.BARRED_NEXT] = [sizes[following] - data["possible"][following][name] for name in COLOURS]
    row[seen.BARRED_PREVIOUS] = [sizes[previous] - data["possible"][previous][name] for name in COLOURS]
    row[seen.TOP], row[seen.COLOUR] = _NUMBERS[data["top"]], colour
    row[seen.BEFORE], row[seen.PHASE] = COLOURS.index(data["before"]), seen.PHASES.index(data["phase"])
    row[seen.DRAWN] = _NUMBERS[data["drawn"]] if data["phase"] == "drawn" else 0
    row[seen.NEXT], row[seen.PREVIOUS] = sizes[following], sizes[previous]
    row[seen.SMALLEST] = min(size for seat, size in sizes.items() if seat != own)
    row[seen.PILE], row[seen.SEATS] = data["pile"], len(sizes)
    return row
