"""The official that says what an unfinished position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Decision, Seat, Turn
from ludometer.players._thinking import think
from ludometer.solvers.estimates import best_evaluator

__all__ = ["AdjudicatorPlayer"]


class AdjudicatorPlayer:
    """Judges with an evaluator. It is bound by a match's policy, sees everything, and is never rated.

    Args:
        evaluator: the name of one, or ``best`` for the best there is for the game.
    """

    official: ClassVar[bool] = True
    description: ClassVar[str] = "judges unfinished games"

    def __init__(self, evaluator: str = "best") -> None:
        self.evaluator = None if evaluator == "best" else evaluator

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` where no evaluator judges the game."""
        best_evaluator(game, self.evaluator)

    async def act(self, turn: Turn) -> Decision:
        """The expected score of the seat to act, in [0, 1]: the value of its best move."""
        evaluator = best_evaluator(turn.game, self.evaluator)
        await evaluator.prepare(turn.game)
        seat = turn.observation.to_act[0]
        value, seconds = await think(turn, _value, [turn.imagine(turn.chance)], seat, self.evaluator)
        said = f"by {evaluator.name}, {'exact' if evaluator.exact else 'estimated'}"
        return Decision(value, rationale=said, seconds=seconds)


def _value(game: AnyGame, worlds: Sequence[Any], _: Seat, seat: Seat, evaluator: str | None) -> float:
    return float(max(best_evaluator(game, evaluator).action_values(game, worlds[0], seat).values()))
