"""Swiss pairing: who meets whom in the next round, from the points so far.

Entrants stand in order of their points, and of their lots where those are equal. From the top, everybody meets somebody
of the same points where that can be: the first of the upper half of a score group the first of the lower half (the
Dutch system of FIDE's rules, C.04.3, without its colour preferences inside a group). Three things come before points:

* nobody meets anybody again while everybody can still be paired without it, and nobody for a third time while second
  meetings will do;
* where one is left over, it is one of those with the fewest byes so far, from the bottom;
* two who both need the same seat (twice more often first, or twice less often, than second) are kept apart if possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from ludometer.tournaments.matching import Matching

__all__ = ["Met", "Round", "Standing", "next_round"]

Met = Mapping[frozenset[int], int]
"""How often two entrants have met."""

_SAME_SEAT = 2
"""Difference between times in the first and in the second seat from which an entrant needs the other one."""


class Standing(NamedTuple):
    """An entrant before a round.

    Attributes:
        points: one per meeting won, byes included.
        firsts: games in the first seat minus games in the second.
        byes: rounds without an opponent.
        lot: what decides between equal points; unique.
    """

    points: float
    firsts: int
    byes: int
    lot: int


class Round(NamedTuple):
    """``pairs``: indices of entrants, each pair with the one first that should have the first seat; ``bye``: who has
    no opponent."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def next_round(standings: Sequence[Standing], met: Met, number: int) -> Round:
    """The pairings of round ``number`` (from 0): a pure function of what is known before it."""
    order = sorted(range(len(standings)), key=lambda i: (-standings[i].points, standings[i].lot))
    bye, matching, allowed = _pairable(standings, order, met)
    left = [i for i in order if i != bye]
    pairs: list[tuple[int, int]] = []
    while left:
        one = left[0]
        for other in _candidates(one, left, standings, met):
            if not allowed(one, other):
                continue
            rest = matching.without(one, other)
            if 2 * rest.size == len(left) - 2:
                break
        matching = rest
        left = [i for i in left if i not in (one, other)]
        pairs.append(_seated(one, other, standings, number))
    return Round(tuple(pairs), bye)


def _pairable(
    standings: Sequence[Standing], order: Sequence[int], met: Met
) -> tuple[int | None, Matching, Callable[[int, int], bool]]:
    """Who has the bye, and a way to pair all others with as few repeated meetings as possible for anybody."""
    fewest = min((standing.byes for standing in standings), default=0)
    byes: Iterable[int | None] = [None]
    if len(order) % 2:
        byes = [i for i in reversed(order) if standings[i].byes == fewest]
    for times in count():

        def allowed(one: int, other: int, times: int = times) -> bool:
            return one != other and met.get(frozenset((one, other)), 0) <= times

        whole = Matching([[other for other in order if allowed(one, other)] for one in range(len(order))])
        for bye in byes:
            matching = whole if bye is None else whole.without(bye)
            if 2 * matching.size == len(order) - (bye is not None):
                return bye, matching, allowed
    raise AssertionError("some number of meetings allows every pairing")


def _candidates(one: int, left: Sequence[int], standings: Sequence[Standing], met: Met) -> list[int]:
    """Opponents of the highest entrant left, the most fitting first."""
    group = sum(standings[i].points == standings[one].points for i in left)
    ideal = max(1, group // 2)

    def fit(place: int) -> tuple[float, ...]:
        other = left[place]
        gap = standings[one].points - standings[other].points
        times = met.get(frozenset((one, other)), 0)
        return (times, _clash(standings[one], standings[other]), gap, abs(place - ideal), place)

    return [left[place] for place in sorted(range(1, len(left)), key=fit)]


def _clash(one: Standing, other: Standing) -> bool:
    low, high = sorted((one.firsts, other.firsts))
    return low >= _SAME_SEAT or high <= -_SAME_SEAT


def _seated(one: int, other: int, standings: Sequence[Standing], number: int) -> tuple[int, int]:
    """The first seat goes to who had it less often; between equals the higher lot and the lower take turns."""

    def claim(i: int) -> tuple[int, int]:
        lot = standings[i].lot
        return standings[i].firsts, -lot if number % 2 else lot

    return (one, other) if claim(one) < claim(other) else (other, one)
