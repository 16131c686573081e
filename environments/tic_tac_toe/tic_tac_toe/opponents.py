"""Who the model plays against."""

from __future__ import annotations

import re

from ludometer.core import AnyGame, ConfigurationError, Decision, Player, Turn
from ludometer.players import Entrant
from ludometer.players.perfect import PerfectPlayer
from ludometer.players.random import RandomPlayer

__all__ = ["Mixture", "make_opponent", "plays_perfectly"]

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

    def plays_perfectly(self, game: AnyGame) -> bool:
        return self.p == 1.0

    async def act(self, turn: Turn) -> Decision:
        draw, _ = turn.chance.named("mixture").unit()
        return await (self._minimax if draw < self.p else self._random).act(turn)


def make_opponent(written: str, game: AnyGame) -> Player:
    """The player called ``minimax``, ``random``, ``mixture(P)``, ``mcts``, or by any name that Ludometer knows.

    Raises:
        ConfigurationError: there is none of that name, or it cannot play this board.
    """
    player = _own(written) or Entrant.of(written.strip()).make_player()
    supports = getattr(player, "supports", None)
    if supports is not None:
        supports(game)
    return player


def plays_perfectly(written: str, game: AnyGame) -> bool:
    """Whether nobody can beat that opponent: it says so itself (a method ``plays_perfectly(game)``), by whatever name
    it is called. Language models are not asked. Raises `ConfigurationError`."""
    player = _own(written)
    if player is None:
        entrant = Entrant.of(written.strip())
        player = None if entrant.is_model else entrant.make_player()
    says = getattr(player, "plays_perfectly", None)
    return says is not None and bool(says(game))


def _own(written: str) -> Player | None:
    """The opponent, where its name is one of this environment's own."""
    text = written.strip()
    if found := _MIXTURE.fullmatch(text):
        return Mixture(_probability(found[1]))
    return PerfectPlayer() if text == "minimax" else None


def _probability(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"opponent mixture({text}): {text} is not a number") from None
