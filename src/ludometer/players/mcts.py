"""A player that searches with random playouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Chance, Decision, Seat, Turn
from ludometer.players._thinking import think, worlds_of
from ludometer.solvers.mcts import Searched, check_searchable, preferred, search_worlds


class MctsPlayer:
    """Monte Carlo tree search; plays the action that was tried most often.

    Args:
        simulations: playouts for one decision.
        exploration: UCT's constant, for scores in [0, 1].
        worlds: with hidden information or luck, imagined states that share the playouts.
    """

    name: ClassVar[str] = "mcts"
    description: ClassVar[str] = "searches with random playouts (Monte Carlo tree search)"

    def __init__(self, simulations: int = 1000, exploration: float = 1.0, worlds: int = 8) -> None:
        if simulations < 1 or worlds < 1:
            raise ValueError("simulations and worlds must be at least 1")
        if not 0 <= exploration < 1000:
            raise ValueError(f"exploration must be from 0 to 1000, not {exploration:g}")
        self.simulations, self.exploration, self.worlds = simulations, exploration, worlds

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game that cannot be searched."""
        check_searchable(game)

    async def act(self, turn: Turn) -> Decision:
        worlds = worlds_of(turn, self.worlds)
        luck = turn.chance.named("search")
        best, seconds = await think(turn, _chosen, worlds, self.simulations, luck, self.exploration)
        found = "proven" if best.proven else f"{best.visits} of {self.simulations} simulations"
        return Decision(best.action, rationale=f"value {best.score:.3f}, {found}", seconds=seconds)


def _chosen(
    game: AnyGame, worlds: Sequence[Any], seat: Seat, simulations: int, chance: Chance, exploration: float
) -> Searched:
    best: Searched = preferred(search_worlds(game, worlds, seat, simulations, chance, exploration))
    return best
