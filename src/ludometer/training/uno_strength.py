"""How often a policy wins against random players, on decks that no training uses."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from ludometer.core import Chance
from ludometer.players import _uno_seen as seen
from ludometer.players._q_network import QNetwork
from ludometer.players._uno_features import RENAMINGS, action_values
from ludometer.training.uno_games import Choose, generator, named_decks, play_games
from ludometer.training.uno_tables import Ints, Tables

__all__ = ["TEST", "VALIDATION", "Strength", "network_policy", "strength"]

_EVALUATION = Chance.from_seed("dqn-uno").named("evaluation")
"""A root of its own: no seed of a training leads to a stream under this name."""
VALIDATION = _EVALUATION.named("validation")
"""For the learning curve."""
TEST = _EVALUATION.named("test")
"""For the figure that is reported; nothing is chosen by it."""


class Strength(NamedTuple):
    """Mean share of the win with its 95 percent interval (normal; decks are the sample)."""

    games: int
    mean: float
    low: float
    high: float


def network_policy(network: QNetwork, renamings: int = RENAMINGS) -> Choose:
    """The best actions by a network, averaged over so many of the six ways to name the colours."""

    def choose(rows: seen.Rows) -> Ints:
        best: Ints = action_values(network.values, rows, range(renamings)).argmax(axis=1)
        return best

    return choose


def strength(choose: Choose, decks: Chance, games: int, *, n: int = 2) -> Strength:
    """Plays the last seat against random players in the others, which move first.

    Args:
        decks: the stream of the decks, `VALIDATION` or `TEST`.
    """
    tables = Tables(_decks(decks, games), n)
    chooses = np.zeros((games, n), dtype=bool)
    chooses[:, -1] = True
    play_games(tables, chooses, choose, generator(decks.named("moves")), keep=False)
    shares = tables.shares[:, -1]
    mean, error = float(shares.mean()), float(shares.std(ddof=1)) / math.sqrt(games)
    return Strength(games, mean, mean - 1.96 * error, mean + 1.96 * error)


@cache
def _decks(chance: Chance, games: int) -> seen.Rows:
    decks = named_decks(chance, games)
    decks.setflags(write=False)
    return decks
