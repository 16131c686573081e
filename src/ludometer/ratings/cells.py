"""Identical results counted together: a million games of thirteen entrants are at most 507 different results."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from scipy import sparse

from ludometer.ratings.games import BoolArray, FloatArray, Games, IntArray

__all__ = [
    "Cells",
    "Tally",
    "count_cells",
    "group_count",
    "match_count",
    "match_tally",
    "pair_design",
    "seat_facts",
    "sums",
    "tally",
]

_DENSE_KEYS: Final = 4_000_000
"""Above this many possible keys a sort is cheaper than counting into a dense table."""


class Cells(NamedTuple):
    """The c different results.

    ``first``, ``second``, ``game``, ``score``, ``weight``: shape (c,). ``of_row``: shape (m,), the cell of each game.
    """

    first: IntArray
    second: IntArray
    game: IntArray
    score: FloatArray
    weight: FloatArray
    of_row: IntArray


class Tally(NamedTuple):
    """Games, wins, draws and losses (scores above, at and below one half), each of shape (n,)."""

    games: FloatArray
    wins: FloatArray
    draws: FloatArray
    losses: FloatArray


def count_cells(games: Games) -> Cells:
    """Merge rows that agree in entrants, seats, game and score. Cells come in an order of their own, not of play."""
    levels, code = _score_codes(games.score)
    n, kinds = len(games.entrants), len(levels)
    key = ((games.game * n + games.first) * n + games.second) * kinds + code
    possible = len(games.titles) * n * n * kinds
    if possible <= _DENSE_KEYS:
        used = np.flatnonzero(np.bincount(key, minlength=possible))
        position = np.empty(possible, np.int64)
        position[used] = np.arange(len(used))
        of_row = position[key]
    else:
        used, of_row = np.unique(key, return_inverse=True)
    rest, code = np.divmod(used, kinds)
    rest, second = np.divmod(rest, n)
    game, first = np.divmod(rest, n)
    return Cells(first, second, game, levels[code], sums(of_row, games.weight, len(used)), of_row)


def pair_design(cells: Cells, n: int, titles: int) -> sparse.csr_array:
    """Shape (c, n + titles): the predictor strength(first) - strength(second) + seat(game) of each cell."""
    rows = np.arange(len(cells.first))
    ones = np.ones(len(rows))
    entries = np.concatenate((ones, -ones, ones))
    columns = np.concatenate((cells.first, cells.second, n + cells.game))
    return sparse.coo_array((entries, (np.tile(rows, 3), columns)), shape=(len(rows), n + titles)).tocsr()


def tally(cells: Cells, n: int) -> Tally:
    """Results of each of n entrants over both seats, row by row, self-play left out."""
    other = cells.first != cells.second
    first, second, score, weight = (part[other] for part in (cells.first, cells.second, cells.score, cells.weight))

    def total(for_first: BoolArray, for_second: BoolArray) -> FloatArray:
        return sums(first, weight * for_first, n) + sums(second, weight * for_second, n)

    one = np.ones(len(first), bool)
    return Tally(
        total(one, one),
        total(score > 0.5, score < 0.5),
        total(score == 0.5, score == 0.5),
        total(score < 0.5, score > 0.5),
    )


def match_tally(games: Games, cells: Cells) -> Tally:
    """Results of whole matches: those of :func:`tally` where every row is one. Of a match of more than two seats a win
    is the best score alone, a draw the best score shared, and everything else a loss."""
    n = len(games.entrants)
    if games.matches is None:
        return tally(cells, n)
    _, entrant, result, weight = games.matches.standings
    wins, draws, losses = (sums(entrant, weight * (result == value), n) for value in (1.0, 0.5, 0.0))
    return Tally(wins + draws + losses, wins, draws, losses)


def match_count(games: Games, cells: Cells, among: BoolArray) -> float:
    """How many matches some cells, a mask of shape (c,), hold comparisons of."""
    if games.matches is None:
        return float(cells.weight[among].sum())
    rows = among[cells.of_row]
    _, one = np.unique(games.matches.of_row[rows], return_index=True)
    return float(games.weight[rows][one].sum())


def group_count(games: Games) -> FloatArray | None:
    """Shape (n,): in how many clusters (see `Games.clusters`) each entrant is compared with another; None where every
    row is a game of its own."""
    clusters = games.clusters
    if games.matches is None or clusters is None:
        return None
    other = np.flatnonzero(~games.self_play)
    number = np.unique(clusters[other], return_inverse=True)[1]
    size = int(number.max(initial=-1)) + 1
    key = np.concatenate((games.first[other], games.second[other])) * size + np.tile(number, 2)
    return np.bincount(np.unique(key) // max(size, 1), minlength=len(games.entrants)).astype(np.float64)


def seat_facts(games: Games, cells: Cells, titles: tuple[str, ...]) -> tuple[FloatArray, BoolArray, tuple[int, ...]]:
    """Games per seat term of the games ``titles``, whether both seats won some, and how many seats there are."""
    numbers: IntArray = np.array([games.titles.index(title) for title in titles], np.int64)
    total = np.array([match_count(games, cells, cells.game == number) for number in numbers], np.float64)
    won = sums(cells.game, cells.weight * (cells.score > 0.5), len(games.titles))
    lost = sums(cells.game, cells.weight * (cells.score < 0.5), len(games.titles))
    seats = np.full(len(games.titles), 2) if games.matches is None else games.matches.seats
    return total, (won[numbers] > 0) & (lost[numbers] > 0), tuple(int(seats[number]) for number in numbers)


def sums(label: IntArray, values: FloatArray, size: int) -> FloatArray:
    """Shape (size,): the sum of the values under each label."""
    return np.bincount(label, values, size).astype(np.float64)


def _score_codes(score: FloatArray) -> tuple[FloatArray, IntArray]:
    """The different scores and the number of each row's; the usual three are found without sorting."""
    twice = 2.0 * score
    code = twice.astype(np.int64)
    if np.array_equal(code, twice):
        return np.array([0.0, 0.5, 1.0]), code
    levels, inverse = np.unique(score, return_inverse=True)
    return levels, inverse.astype(np.int64)
