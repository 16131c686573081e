"""Matches of a schedule that nobody has to play any more, since the results so far decide the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow

__all__ = ["NOT_NEEDED", "is_decided", "shown_counts", "shown_matches", "shown_status"]

NOT_NEEDED = "not needed"
"""How the status of such a match is shown. It is not kept: another rule, or more players, may want it all the same.
A match that is void stays void: that its provider failed is worth knowing, whether or not it is needed."""


def is_decided(store: RunStore) -> bool:
    """Whether a stopping rule ended the run before its schedule was played."""
    return store.meta("decision") is not None


def shown_status(status: str, decided: bool) -> str:
    """The status of a match as people read it, in a run that is decided or not."""
    return NOT_NEEDED if decided and status in ("scheduled", "running") else status


def shown_matches(store: RunStore) -> Iterator[MatchRow]:
    """All matches, in schedule order, with the status that is shown."""
    decided = is_decided(store)
    for row in store.matches():
        yield row._replace(status=shown_status(row.status, decided))


def shown_counts(store: RunStore) -> Counter[str]:
    """Number of matches by the status that is shown."""
    decided = is_decided(store)
    counts: Counter[str] = Counter()
    for status, number in store.status_counts().items():
        counts[shown_status(status, decided)] += number
    return counts
