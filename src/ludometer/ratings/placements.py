"""Matches of more than two seats, as comparisons of pairs of seats.

Within a match every two seats of different entrants are compared: the one with the better score beat the other, and
equal scores are a tie where the rules say so, or no comparison where they leave the two without an order (the losers
of a game that only one can win; see ``Game.compares_equals``).

What is left is Bradley-Terry (see :mod:`ludometer.ratings.likelihood`) whichever way the order came about:

* Under the Plackett-Luce model (Luce, *Individual Choice Behavior*, 1959; Plackett, Applied Statistics 24, 1975) the
  chance that A is placed above B is exp(a) / (exp(a) + exp(b)), whoever else plays: Bradley-Terry.
* The same holds where only the winner is known: given that A or B won, A did with that very chance. Two losers say
  nothing about one another.
* Davidson's model gives ties a probability of their own, and given that two seats did not tie, it is Bradley-Terry.
  Where ties are left out by the rules, that conditional likelihood is the one to take.

The pairs of one match are not independent, so that their likelihood is a *composite* one (Lindsay, Contemporary
Mathematics 80, 1988): the estimates are consistent, and the intervals must come from whole matches (or whole duplicate
groups). :mod:`ludometer.ratings.bradley_terry` sees to that.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

__all__ = ["Matches", "Pairs", "SeatedMatch", "Standings", "compare", "standings", "titles_by_size"]


class SeatedMatch(NamedTuple):
    """A match that counts.

    Attributes:
        players: names of the entrants by seat; a name may stand more than once.
        scores: by seat. Two seats: the first is the score of seat 1 in [0, 1]. More: only their order matters.
        equals_tie: whether equal scores are a tie, for more than two seats.
        group: the duplicate group; None for a match with luck of its own.
        game: the name of the game; None where there is only one.
        weight: how many matches it stands for.
    """

    players: tuple[str, ...]
    scores: tuple[float, ...]
    equals_tie: bool = True
    group: Hashable | None = None
    game: str | None = None
    weight: float = 1.0


class Pairs(NamedTuple):
    """Comparisons, each of shape (p,): the earlier and the later seat's entrant, the score of the earlier one (1, 0.5
    or 0), and the number of the match. In the order of the matches."""

    first: IntArray
    second: IntArray
    score: FloatArray
    match: IntArray


class Standings(NamedTuple):
    """How entrants came out of whole matches, each of shape (s,): the match's number, the entrant, and the result: 1
    alone had the best score, 0.5 shared it, 0 neither. An entrant in several seats has the best of them."""

    match: IntArray
    entrant: IntArray
    result: FloatArray
    weight: FloatArray

    def only(self, keep: BoolArray) -> Standings:
        """Those at a mask of shape (s,)."""
        return Standings(self.match[keep], self.entrant[keep], self.result[keep], self.weight[keep])


class Matches(NamedTuple):
    """The matches behind rows that are pairs of seats.

    Attributes:
        of_row: shape (m,), the number of each row's match.
        seats: shape (g,), how many seats the matches of each title have.
        ties: shape (g,), whether equal scores are ties in the matches of each title.
        standings: results of whole matches.
    """

    of_row: IntArray
    seats: IntArray
    ties: BoolArray
    standings: Standings

    def select(self, rows: npt.NDArray[np.generic]) -> Matches:
        """The matches of some rows; a match that keeps no row has no standings."""
        of_row = self.of_row[rows]
        keep = np.isin(self.standings.match, of_row)
        return self._replace(of_row=of_row, standings=self.standings.only(keep))

    def renumbered(self, number: IntArray, known: BoolArray) -> Matches:
        """The same with entrant i called ``number[i]``, and without entrants that are not ``known``."""
        kept = self.standings.only(known[self.standings.entrant])
        return self._replace(standings=kept._replace(entrant=number[kept.entrant]))


def compare(seated: IntArray, scores: FloatArray, equals_tie: BoolArray) -> Pairs:
    """Every two seats of different entrants, compared.

    Args:
        seated: shape (m, n), the entrant by seat; -1 where a match has fewer seats.
        scores: shape (m, n); only the order within a match matters.
        equals_tie: shape (m,), whether equal scores are ties; such pairs are left out otherwise.
    """
    first, second, match = (np.zeros(0, np.int64) for _ in range(3))
    score = np.zeros(0)
    for i in range(seated.shape[1]):
        for j in range(i + 1, seated.shape[1]):
            one, two = seated[:, i], seated[:, j]
            higher, lower = scores[:, i] > scores[:, j], scores[:, i] < scores[:, j]
            kept = np.flatnonzero((one >= 0) & (two >= 0) & (one != two) & (higher | lower | equals_tie))
            won = np.where(higher, 1.0, np.where(lower, 0.0, 0.5))
            first, second = np.append(first, one[kept]), np.append(second, two[kept])
            score, match = np.append(score, won[kept]), np.append(match, kept)
    order = np.argsort(match, kind="stable")
    return Pairs(first[order], second[order], score[order], match[order])


def standings(seated: IntArray, scores: FloatArray, weight: FloatArray) -> Standings:
    """Results of whole matches; arguments as in `compare`, and ``weight`` of shape (m,). A match without two different
    entrants has none."""
    present = seated >= 0
    known = np.where(present, scores, -np.inf)
    match, entrant = np.zeros(0, np.int64), np.zeros(0, np.int64)
    result = np.zeros(0)
    for i in range(seated.shape[1]):
        own = seated == seated[:, i : i + 1]
        best = np.where(own, known, -np.inf).max(axis=1)
        others = np.where(own, -np.inf, known).max(axis=1)
        repeated = own[:, :i].any(axis=1)
        kept = np.flatnonzero(present[:, i] & ~repeated & (present & ~own).any(axis=1))
        came_out = np.where(best > others, 1.0, np.where(best == others, 0.5, 0.0))
        match, entrant = np.append(match, kept), np.append(entrant, seated[kept, i])
        result = np.append(result, came_out[kept])
    return Standings(match, entrant, result, weight[match])


def titles_by_size(names: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """The title of each match: its game, with the number of seats where the game is played with different numbers, so
    that each has a seat term of its own."""
    found: dict[str, set[int]] = {}
    for name, size in zip(names, sizes, strict=True):
        found.setdefault(name, set()).add(size)
    several = {name for name, counts in found.items() if len(counts) > 1}
    return [f"{name} ({size} seats)" if name in several else name for name, size in zip(names, sizes, strict=True)]
