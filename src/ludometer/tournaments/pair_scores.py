"""The results of pairs as a stopping rule takes them: one mean score per duplicate group, in the order of the schedule.

A group in which a match was ever void is passed over for good: what a provider's outage delays cannot be waited for,
and what is decided must not depend on when it comes back.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludometer.core import make_game
from ludometer.store import MatchRow

__all__ = ["Pair", "PairScores", "Score", "seat_at_fault"]


class Pair(NamedTuple):
    """Two entrants, in alphabetical order, in a condition (JSON)."""

    condition: str
    one: str
    other: str


class Score(NamedTuple):
    """The next score of a pair: the mean of ``one`` over a duplicate group of every game of the run; its matches."""

    pair: Pair
    value: float
    matches: tuple[MatchRow, ...]


_Group = tuple[MatchRow, MatchRow]


class PairScores:
    """Turns matches of two seats, seen in the order of the schedule, into the scores of pairs.

    Args:
        games: how many the run has. Where there are several, the k-th groups of all of them make one score: games may
            suit entrants differently, and only their mean is tested.
        start_options: options that hold a start position, so that they make no game of their own.
    """

    def __init__(self, games: int = 1, start_options: Iterable[str] = ()) -> None:
        self._games = games
        self._starts = frozenset(start_options)
        self._single: dict[tuple[Pair, str, str], MatchRow | None] = {}  # None: complete, or passed over
        self._ready: dict[Pair, dict[str, list[_Group]]] = defaultdict(lambda: defaultdict(list))

    def see(self, row: MatchRow) -> Iterator[Score]:
        """Takes in the next match, finished or once void, and yields the scores that are new by it."""
        names = sorted(set(row.seats.values()))
        if len(row.seats) != 2 or len(names) != 2:
            return
        pair = Pair(json.dumps(row.condition, sort_keys=True), *names)
        options = {key: value for key, value in row.options.items() if key not in self._starts}
        game = row.game + json.dumps(options, sort_keys=True)
        key = (pair, game, row.group)
        before = self._single.setdefault(key, row)
        if row.voids:
            self._single[key] = None
        elif before is not None and list(before.seats.values()) == list(reversed(row.seats.values())):
            self._single[key] = None
            self._ready[pair][game].append((before, row))
            yield from self._joined(pair)

    def _joined(self, pair: Pair) -> Iterator[Score]:
        ready = self._ready[pair]
        while len(ready) == self._games and all(ready.values()):
            rows = tuple(row for groups in ready.values() for row in groups.pop(0))
            yield Score(pair, sum(_score(row, pair.one) for row in rows) / len(rows), rows)


def _score(row: MatchRow, name: str) -> float:
    """As the rule ``headline`` counts it, and one half where a match does not count: nobody gains by it."""
    seat = next(seat for seat, holder in row.seats.items() if holder == name)
    if row.ending == "completed" and row.scores is not None:
        return min(1.0, max(0.0, row.scores[seat]))
    at_fault = seat_at_fault(row) if row.ending in ("forfeit", "canceled") else None
    return 0.5 if at_fault is None else float(at_fault != seat)


def seat_at_fault(row: MatchRow) -> str | None:
    """The contestant's seat that is at fault, also where the fault is that of another seat of the same entrant."""
    if row.offender is None or row.offender in row.seats:
        return row.offender
    roles = make_game(row.game, row.options).roles(len(row.seats))
    return next((role.of for role in roles if role.name == row.offender), None)
