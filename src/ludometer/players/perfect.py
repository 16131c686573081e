"""A player that never makes a mistake, in games that are solved."""

from __future__ import annotations

from typing import ClassVar

from ludometer.core import AnyGame, Decision, Turn
from ludometer.solvers import exact_evaluator


class PerfectPlayer:
    """Uniform over the actions of the highest exact value (best play by both sides assumed)."""

    name: ClassVar[str] = "perfect"
    description: ClassVar[str] = "plays a move of the best exact value, chosen at random among equals"

    @classmethod
    def supports(cls, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game without exact values, naming what has them."""
        exact_evaluator(game)

    @staticmethod
    def plays_perfectly(game: AnyGame) -> bool:
        """Whether this player never gives anything away in that game; a player that cannot say so does not."""
        return True

    async def act(self, turn: Turn) -> Decision:
        """Raises `ConfigurationError` for a game without exact values."""
        evaluator = exact_evaluator(turn.game)
        await evaluator.prepare(turn.game)
        values = evaluator.action_values(turn.game, turn.imagine(turn.chance), turn.seat)
        best = max(values.values())
        return Decision(turn.chance.choice([action for action, value in values.items() if value == best])[0])
