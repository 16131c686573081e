"""Exact values of nim, normal and misère (Bouton, "Nim, a game with a complete mathematical theory", 1901)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any, ClassVar

from ludometer.core import AnyGame, ConfigurationError, InternalError, Seat
from ludometer.games.nim import Nim

__all__ = ["NimEvaluator", "mover_wins"]


def mover_wins(piles: Sequence[int], *, misere: bool) -> bool:
    """Whether the player to move wins with best play.

    The nim-sum of the piles decides, except in misère play once no pile is larger than one: then the player to move
    wins where an even number of piles is left. Empty piles alone: the game is over, and the player to move has lost
    in normal play and won in misère play.
    """
    if misere and all(pile <= 1 for pile in piles):
        return sum(piles) % 2 == 0
    return reduce(xor, piles, 0) != 0


class NimEvaluator:
    """Exact values of nim by the nim-sum (see `ludometer.solvers.protocol.Evaluator`)."""

    name: ClassVar[str] = "nim"
    exact: ClassVar[bool] = True
    covers: ClassVar[str] = "nim with any piles"

    def supports(self, game: AnyGame) -> bool:
        return isinstance(game, Nim)

    async def prepare(self, game: AnyGame) -> None:
        """Nothing is needed beforehand."""

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, float]:
        if not isinstance(game, Nim):
            raise ConfigurationError(f"there are no nim values for {game.title}; there are for {self.covers}")
        if game.to_act(state) != (seat,):
            raise InternalError(f"seat {seat} is not to move in this position")
        values = {}
        for action in game.legal(state, seat):
            piles = game.public(game.apply(state, {seat: action}))["piles"]
            values[action] = 0.0 if mover_wins(piles, misere=game.misere) else 1.0
        return values
