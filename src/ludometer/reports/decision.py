"""The section on what a run with ``stop_when`` has decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludometer.core import Json
from ludometer.reports.markup import Child, element
from ludometer.reports.pieces import Section
from ludometer.reports.tables import table

__all__ = ["decision_sections"]

_WHAT = (
    "Differences in points of Elo, from the mean score over pairs of games with the seats swapped and the luck in "
    "common. The intervals form a confidence sequence: all of them hold at all times together with a probability of "
    "95%, however often the results were looked at, and although the run ends because of what they say. Ratings and "
    "their intervals further up are those of a fixed number of games."
)


def decision_sections(data: Mapping[str, Any]) -> list[Section]:
    """One section for a run that decides; none for others."""
    pairs = data.get("pairs") or []
    if not pairs:
        return []
    decision = data.get("decision")
    said = "Not decided yet." if decision is None else f"After {decision['matches']} matches: {decision['why']}."
    labels = any(row["condition"] for row in pairs)
    heads = [
        *(["Condition"] if labels else []),
        "One",
        "Other",
        "Pairs of games",
        "Score",
        "Elo",
        "At all times",
        "Better",
    ]
    rows = [_row(row, labels) for row in pairs]
    content: list[Child] = [element("p", said), table(heads, rows), element("p", _WHAT, class_="small")]
    return [("decision", "Who is better", content)]


def _row(row: Mapping[str, Json], labels: bool) -> list[Child]:
    better = {"first": row["one"], "second": row["other"], "alike": "not told apart", "open": "open"}[row["verdict"]]
    score = "–" if row["score"] is None else f"{100 * row['score']:.0f}%"
    interval = f"{_points(row['low'], '−∞')} to {_points(row['high'], '∞')}"
    cells = [row["one"], row["other"], str(row["groups"]), score, _points(row["points"], "–"), interval, better]
    return [row["condition"], *cells] if labels else cells


def _points(value: Json, without: str) -> str:
    return without if value is None else f"{value:+.0f}".replace("-", "−")
