"""Winning rates of all players after every decision (figure 3 of the UNO study), and where they swung most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any, Final

import pandas as pd

from ludometer.games.uno import Uno
from ludometer.solvers.estimates import sees_hidden
from ludometer.store import MatchRow, RunStore

__all__ = ["largest_swings", "timeline_evaluator", "win_rates"]

_SWING_COLUMNS: Final = [
    *("match", "decision", "decider", "action", "entrant", "seat_number", "before", "after", "change"),
]


def timeline_evaluator(decided: pd.DataFrame) -> str | None:
    """Whose rates are shown: an evaluator that sees all cards before one that does not, then the one that judged most.

    A winning rate is a statement about the game as it stands. What a fair judge says of it changes with the player who
    moves, as each knows other cards.
    """
    known = decided[decided["rates"].notna()]
    if known.empty:
        return None
    counts = known["evaluator"].value_counts()
    return str(max(counts.index, key=lambda spec: (sees_hidden(spec), counts[spec], spec)))


def win_rates(store: RunStore, decided: pd.DataFrame, *, evaluator: str) -> pd.DataFrame:
    """One row per decision, with the winning rates of all seats after it.

    After the decision that ends a completed match they are its result.

    Args:
        decided: from `ludometer.analysis.uno.decisions.decisions`.
        evaluator: its name with all options, as in the column ``evaluator``.

    Returns:
        Columns match, step, ``decision`` (from 1), entrant and seat_number of who decided, kind, action, and
        ``rate_1`` to ``rate_n`` by seat, missing for seats that a match does not have.
    """
    own = decided[(decided["evaluator"] == evaluator) & decided["rates"].notna()]
    most = int(own["seats"].max()) if len(own) else 0
    columns = ["match", "step", "decision", "entrant", "seat_number", "kind", "action"]
    results = {row.id: _result(row) for row in store.matches() if row.game == Uno.name}
    rows = []
    for match, played in _by_match(own):
        last, scores = results[match]
        for number, row in enumerate(played, start=1):
            rates = scores if scores is not None and row["step"] == last else row["rates"]
            by_seat = {f"rate_{i}": rate for i, rate in enumerate(rates, start=1)}
            rows.append({name: row.get(name) for name in columns} | {"decision": number} | by_seat)
    return pd.DataFrame(rows, columns=[*columns, *(f"rate_{i}" for i in range(1, most + 1))])


def _by_match(frame: pd.DataFrame) -> Iterator[tuple[str, Iterator[dict[Any, Any]]]]:
    """The rows of every match, in their order. (A frame per match is slow where there are thousands.)"""
    rows = frame.sort_values("match", kind="stable").to_dict("records")
    return groupby(rows, key=lambda row: str(row["match"]))


def _result(row: MatchRow) -> tuple[int, list[float] | None]:
    """Number of the last step of a match, and the scores of a completed one by seat."""
    last = len((row.notation or "").splitlines()) - 1
    if row.ending != "completed" or row.scores is None:
        return last, None
    return last, [row.scores[seat] for seat in row.seats]


def largest_swings(store: RunStore, rates: pd.DataFrame, *, most: int = 3) -> pd.DataFrame:
    """The largest changes of a winning rate from one decision to the next, of every match.

    Args:
        rates: from `win_rates`.
        most: rows per match.

    Returns:
        Columns match, ``decision`` (after which the rate had changed), ``decider`` and ``action``; ``entrant`` and
        seat_number of the player whose rate changed most, and that rate ``before`` and ``after`` the decision with
        its ``change``. Within a match the largest first. Cards drawn and decisions with one action that followed the
        decision before are part of the change.
    """
    seated = {row.id: list(row.seats.values()) for row in store.matches() if row.game == Uno.name}
    rows: list[dict[str, Any]] = []
    for match, played in _by_match(rates):
        names = seated[match]
        changes = [_change(before, after, names) for before, after in pairwise(played)]
        rows += sorted(changes, key=lambda row: -abs(row["change"]))[:most]
    return pd.DataFrame(rows, columns=_SWING_COLUMNS)


def _change(before: dict[Any, Any], after: dict[Any, Any], names: list[str]) -> dict[str, Any]:
    seats = range(1, len(names) + 1)
    seat = max(seats, key=lambda i: abs(after[f"rate_{i}"] - before[f"rate_{i}"]))
    old, new = before[f"rate_{seat}"], after[f"rate_{seat}"]
    return {
        "match": after["match"],
        "decision": after["decision"],
        "decider": after["entrant"],
        "action": after["action"],
        "entrant": names[seat - 1],
        "seat_number": seat,
        "before": old,
        "after": new,
        "change": new - old,
    }
