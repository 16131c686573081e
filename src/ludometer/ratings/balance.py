"""Joint fits of several games in which every game weighs the same, however often each was played.

The comparisons of game g count w_g times, with

    w_g = (N / G) / N_g

for N_g comparisons of g, N of all games, and G games: every game then has the weight N / G, and all together have N as
before, so that the prior is worth what it is worth otherwise. The comparisons of a match of n seats count as 2 / n each
in N_g (see :mod:`ludometer.ratings.bradley_terry`); with two seats N_g is the number of games.

These weights say how much a game is to matter, not how often it was played. A covariance must know: the score of a
comparison is w times as long, and its scatter w^2 times as large (a weighted estimating equation; Huber 1967).
"""

from __future__ import annotations

import numpy as np

from ludometer.ratings.cells import Cells, sums
from ludometer.ratings.games import FloatArray, Games

__all__ = ["equal_weights"]


def equal_weights(games: Games, cells: Cells) -> FloatArray:
    """Shape (g,): what a comparison of each game counts; 0 for a game without one. Self-play counts nowhere here."""
    seats = np.full(len(games.titles), 2) if games.matches is None else games.matches.seats
    other = cells.first != cells.second
    counted = sums(cells.game[other], cells.weight[other] * 2.0 / seats[cells.game[other]], len(games.titles))
    played = counted > 0
    share = counted.sum() / max(1, int(played.sum()))
    found: FloatArray = np.divide(share, counted, out=np.zeros(len(counted)), where=played)
    return found
