"""A player that proves what it can: Connect Four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Chance, ConfigurationError, Decision, Seat, Turn
from ludometer.games._openspiel import Move
from ludometer.players._thinking import think, worlds_of
from ludometer.solvers.connect4 import BUDGET, Connect4Evaluator, Judgement, judge
from ludometer.solvers.mcts import preferred, search

_PLAYOUTS = 2000


class SolverPlayer:
    """Plays Connect Four without a mistake as soon as the search reaches the end of the game.

    It plays a proven win, else what is not known to lose, and among equals the column that a Monte Carlo search of
    2,000 playouts prefers. How far it saw is in the decision's rationale.

    Args:
        positions: how many positions are searched for one decision; by default about a second's worth, which is many
            more with the extra ``fast`` than without.
    """

    name: ClassVar[str] = "solver"
    description: ClassVar[str] = "Connect Four without mistakes from about the twelfth stone on, a deep search before"

    def __init__(self, positions: int = BUDGET) -> None:
        if positions < 1000:
            raise ValueError(f"positions must be at least 1000, not {positions}")
        self.positions = positions

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but Connect Four on its usual board."""
        evaluator = Connect4Evaluator()
        if not evaluator.supports(game):
            raise ConfigurationError(f"solver plays {evaluator.covers}, not {game!r}; perfect and mcts play others")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        luck = turn.chance.named("choice")
        (action, said), seconds = await think(turn, _chosen, worlds_of(turn, 1), self.positions, luck)
        return Decision(action, rationale=said, seconds=seconds)


def _chosen(game: AnyGame, worlds: Sequence[Any], seat: Seat, positions: int, chance: Chance) -> tuple[Move, str]:
    found = judge(tuple(worlds[0].history), budget=positions)
    best = best_columns(found)
    if len(best) > 1:
        liked = search(game, worlds[0], seat, simulations=_PLAYOUTS, chance=chance)
        best = [preferred([one for one in liked if one.action.steps[0] in best]).action.steps[0]]
    return Move((best[0],)), _said(found, best[0])


def best_columns(found: Judgement) -> list[int]:
    """The columns that are as good as any other, as far as is known."""
    worth = {column: 0 if result is None else result for column, result in found.results.items()}
    return [column for column, value in worth.items() if value == max(worth.values())]


def _said(found: Judgement, column: int) -> str:
    result = {1: "won", 0: "drawn", -1: "lost", None: "not decided"}[found.results[column]]
    seen = "proven to the end" if found.depth is None else f"searched {found.depth} moves ahead"
    return f"{result}, {seen}, {found.positions} positions"
