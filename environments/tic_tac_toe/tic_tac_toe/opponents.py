"""Who the model plays against."""

from __future__ import annotations

import re

from ludometer.core import AnyGame, ConfigurationError, Decision, Player, Turn
from ludometer.players import Entrant
from ludometer.players.perfect import PerfectPlayer
from ludometer.players.random import RandomPlayer

__all__ = ["Mixture", "make_opponent"]

_MIXTURE = re.compile(r"mixture\s*\(\s*([0-9.]{1,20})\s*\)")


class Mixture:
    """Plays as minimax does with probability ``p``, decided anew for every move, and at random else."""

    def __init__(self, p: float) -> None:
        if not 0 <= p <= 1:
            raise ConfigurationError(f"opponent mixture({p:g}): the probability must be from 0 to 1")
        self.p = p
        self._minimax, self._random = PerfectPlayer(), RandomPlayer()

    def supports(self, game: AnyGame) -> None:
        self._minimax.supports(game)

    async def act(self, turn: Turn) -> Decision:
        draw, _ = turn.chance.named("mixture").unit()
        return await (self._minimax if draw < self.p else self._random).act(turn)


def make_opponent(written: str, game: AnyGame) -> Player:
    """The player called ``minimax``, ``random``, ``mixture(P)``, ``mcts``, or by any name that Ludometer knows.

    Raises:
        ConfigurationError: there is none of that name, or it cannot play this board.
    """
    text = written.strip()
    player: Player
    if found := _MIXTURE.fullmatch(text):
        player = Mixture(_probability(found[1]))
    elif text == "minimax":
        player = PerfectPlayer()
    else:
        player = Entrant.of(text).make_player()
    supports = getattr(player, "supports", None)
    if supports is not None:
        supports(game)
    return player


def _probability(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"opponent mixture({text}): {text} is not a number") from None
