"""A player that looks a fixed number of moves ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Chance, ConfigurationError, Decision, Seat, Turn
from ludometer.players._thinking import think, worlds_of
from ludometer.solvers.alphabeta import MATERIAL, alpha_beta
from ludometer.solvers.mcts import check_searchable


class AlphaBetaPlayer:
    """Alpha-beta to a fixed depth; picks at random among equals.

    Args:
        depth: moves to look ahead, its own counted.
    """

    name: ClassVar[str] = "alphabeta"
    description: ClassVar[str] = "looks a fixed number of moves ahead; counts material in board games that have it"

    def __init__(self, depth: int = 4) -> None:
        if depth < 1:
            raise ValueError(f"depth must be at least 1, not {depth}")
        self.depth = depth

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game that is not for two with perfect information and no luck."""
        if game.players != (2, 2) or not game.perfect_information or game.has_luck:
            raise ConfigurationError(
                f"alphabeta plays games for two with perfect information and no luck, not {game.title}; try mcts"
            )
        check_searchable(game)

    def plays_perfectly(self, game: AnyGame) -> bool:
        """Whether it always sees to the end of that game."""
        longest = game.max_steps()
        return longest is not None and self.depth >= longest

    async def act(self, turn: Turn) -> Decision:
        luck = turn.chance.named("choice")
        (action, value), seconds = await think(turn, _chosen, worlds_of(turn, 1), self.depth, luck)
        judged = "material" if turn.game.name in MATERIAL else "undecided = 0.5"
        return Decision(action, rationale=f"value {value:.3f} at depth {self.depth} ({judged})", seconds=seconds)


def _chosen(game: AnyGame, worlds: Sequence[Any], seat: Seat, depth: int, chance: Chance) -> tuple[Any, float]:
    return alpha_beta(game, worlds[0], seat, depth, chance)
