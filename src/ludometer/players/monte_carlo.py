"""A player that tries every action in random playouts of what it can imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Chance, Decision, Seat, Turn
from ludometer.players._thinking import think, worlds_of
from ludometer.solvers.flat_monte_carlo import flat_values
from ludometer.solvers.mcts import check_searchable

__all__ = ["MonteCarloPlayer"]


class MonteCarloPlayer:
    """Flat Monte Carlo: plays the action whose random playouts went best; hidden cards are imagined, never seen.

    Args:
        rollouts: playouts of each action.
        worlds: with hidden information or luck, imagined states that the playouts are spread over. UNO has no use for
            the number: every playout there has a deal of its own.
    """

    name: ClassVar[str] = "monte_carlo"
    description: ClassVar[str] = "tries every action in random playouts (flat Monte Carlo)"

    def __init__(self, rollouts: int = 1000, worlds: int = 50) -> None:
        if rollouts < 1 or worlds < 1:
            raise ValueError("rollouts and worlds must be at least 1")
        self.rollouts, self.worlds = rollouts, worlds

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game whose states cannot be imagined or whose moves cannot be listed."""
        check_searchable(game)

    async def act(self, turn: Turn) -> Decision:
        if turn.legal is not None and len(turn.legal) == 1:
            return Decision(turn.legal[0], rationale="the only action", seconds=0.0)
        count = 1 if turn.game.name == "uno" else min(self.worlds, self.rollouts)
        worlds = worlds_of(turn, count)
        luck = turn.chance.named("playouts")
        (action, value, error), seconds = await think(turn, best_action, worlds, self.rollouts, luck)
        rationale = f"value {value:.3f} with a standard error of {error:.3f}, {self.rollouts} playouts of each action"
        return Decision(action, rationale=rationale, seconds=seconds)


def best_action(
    game: AnyGame, worlds: Sequence[Any], seat: Seat, rollouts: int, chance: Chance
) -> tuple[Any, float, float]:
    """The action with the best mean score (the first of equal ones), its value and standard error."""
    values = flat_values(game, worlds, seat, rollouts, chance)
    best = max(values, key=lambda action: values[action].value)
    return best, values[best].value, values[best].error or 0.0
