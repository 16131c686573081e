"""When a run is decided: a stopping rule is shown the results in schedule order, whatever order they came in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ludometer.store import MatchRow, RunStore
from ludometer.tournaments.sources import StoppingRule

__all__ = ["Decided", "Deciding", "decided_by"]


class Decided(NamedTuple):
    """Why a run needs no further match, and after how many matches of the schedule that was known."""

    why: str
    matches: int


class Deciding:
    """Shows a rule the finished matches of a run that have no open one before them, and those that were ever void.

    Attributes:
        decided: None as long as the rule wants more.
    """

    def __init__(self, store: RunStore, rule: StoppingRule | None) -> None:
        self._store = store
        self._rule = rule
        self._seen = 0
        self.decided: Decided | None = None

    def advance(self) -> Decided | None:
        """Shows the rule what has been finished since, and returns the decision once there is one."""
        while self._rule is not None and self.decided is None:
            rows = self._store.finished_after(self._seen)
            if not rows:
                break
            self.decided = decided_by(self._rule, rows)
            self._seen = rows[-1].number
        return self.decided


def decided_by(rule: StoppingRule, rows: Iterable[MatchRow]) -> Decided | None:
    """Shows a rule matches in schedule order, up to the first one that is neither finished nor was ever void.

    A void match is shown, whatever becomes of it later: nobody knows when its provider comes back.
    For checking a recorded decision give it all matches of the run.
    """
    for row in rows:
        if row.status != "finished" and not row.voids:
            return None
        why = rule.see(row)
        if why is not None:
            return Decided(why, row.number)
    return None
