"""What the page shows of games for more than two, and of payoffs: who came out ahead of whom, seats, chips won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ludometer.analysis import RunTables, opponent_matrix, payoff_differences, payoffs, seat_advantage
from ludometer.reports import tables
from ludometer.reports.charts import whiskers_chart
from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.pieces import figure

__all__ = ["ahead_section", "many_seats_frames", "payoff_figure", "payoffs_section", "seats_section"]

Data = Mapping[str, Any]
Rows = Sequence[Data]

_FEW_PAIRS = 12
"""A longer table of pairs is folded."""


def many_seats_frames(source: RunTables, *, pooled: bool) -> dict[str, pd.DataFrame]:
    """The tables of a part of a run: ``opponents`` (not for a pooled part), ``seats`` (more than two) and, where
    payoffs say more than the scores do, ``payoffs`` and ``payoff_differences``; none for several games together."""
    games = set(source.matches["game"])
    seats, gains = seat_advantage(source), payoffs(source)
    told = gains[gains["says_more"].astype("bool")].drop(columns="says_more")
    differences = payoff_differences(source)
    one = len(games) == 1
    opponents = opponent_matrix(source)
    return {
        "opponents": opponents.iloc[:0] if pooled else opponents,
        "seats": seats[(seats["seats"] > 2) & one],
        "payoffs": told[one & told["payoff"].notna()],
        "payoff_differences": differences[differences["game"].isin(set(told["game"]) if one else ())],
    }


def ahead_section(rows: Rows) -> Child:
    """Who came out ahead of whom, in games for more than two."""
    if not rows:
        return None
    names = list(dict.fromkeys([*(row["entrant"] for row in rows), *(row["opponent"] for row in rows)]))
    found = {(row["entrant"], row["opponent"]): row for row in rows}
    body = [[name, *(_ahead(found.get((name, other))) for other in names)] for name in names]
    return [
        element("h3", "Who came out ahead of whom"),
        tables.table(["entrant ↓   against →", *names], body),
        element(
            "p",
            "Of the comparisons of the two, the share in which the entrant of the row came out ahead; ties are half. "
            "Where the rules leave the two without an order there is no comparison. Who forfeits a match, or causes "
            "its cancelation, is behind everybody else in it.",
            class_="small",
        ),
    ]


def _ahead(row: Data | None) -> Child:
    if row is None:
        return element("span", "·", class_="zero")
    return tables.share(row["share"], row["low"], row["high"], f"{row['compared']:,}")


def seats_section(rows: Rows) -> Child:
    """What every seat scores, whoever sits there."""
    if not rows:
        return None
    sizes = dict.fromkeys(row["seats"] for row in rows)
    body = [
        [
            f"player {row['seat_number']}" + (f" of {row['seats']}" if len(sizes) > 1 else ""),
            tables.share(row["score"], row["low"], row["high"], f"{row['matches']:,}"),
            tables.percent(row["expected"]),
            tables.count(row["wins"]),
            tables.count(row["draws"]),
        ]
        for row in rows
    ]
    return [
        element("h3", "What each seat scores"),
        tables.table(["Seat", "Mean score", "Were all seats equal", "Best score alone", "Best score shared"], body),
        element("p", "Whoever sits there, an entrant against itself included.", class_="small"),
    ]


def payoff_figure(rows: Rows) -> Markup | None:
    """Mean payoffs with their intervals, the highest at the top."""
    drawn = [
        {
            "name": row["entrant"],
            "value": row["payoff"],
            "low": row["low"],
            "high": row["high"],
            "n": f"{row['matches']:,} matches",
        }
        for row in sorted(rows, key=lambda row: -row["payoff"])
    ]
    expected = {round(row["expected"], 9) for row in rows}
    zero = expected.pop() if len(expected) == 1 else None
    return whiskers_chart("Mean payoff per match", "mean payoff per match, with 95% interval", drawn, zero=zero)


def payoffs_section(rows: Rows, differences: Rows) -> Child:
    """Payoffs per match, and between two entrants in the same seats with the same luck."""
    if not rows:
        return None
    body = [
        [
            row["entrant"],
            _estimate(row["payoff"], row["low"], row["high"], f"{row['matches']:,} matches"),
            f"{row['expected']:,.2f}",
            tables.count(row["groups"]),
        ]
        for row in rows
    ]
    heads = ["Entrant", "Mean payoff per match", "Mean of all seats", "Groups of the same luck"]
    return [
        element("h3", "Payoffs"),
        figure(
            payoff_figure(rows),
            "In the game's own units, completed matches only. The line is the mean of all seats. Intervals are "
            "clustered on matches with the same luck.",
        ),
        element("details", element("summary", "payoffs as numbers"), tables.table(heads, body)),
        _differences(differences),
    ]


def _differences(rows: Rows) -> Child:
    if not rows:
        return None
    body = [
        [
            f"{row['entrant']} over {row['other']}",
            _estimate(row["difference"], row["low"], row["high"], f"{row['groups']:,} groups"),
            tables.count(row["seats"]),
        ]
        for row in rows
    ]
    shown = [
        tables.table(["Entrants", "Difference per match", "Seats compared"], body),
        element(
            "p",
            "What the two got in the same seat with the same luck (cards, dice), so that luck favours neither; the "
            "interval is over groups of matches with the same luck.",
            class_="small",
        ),
    ]
    title = "Payoffs in the same seats, with the same luck"
    if len(rows) <= _FEW_PAIRS:
        return [element("h3", title), shown]
    return element("details", element("summary", title), shown)


def _estimate(value: float, low: float | None, high: float | None, n: str) -> Child:
    ends = "no interval" if low is None or high is None else f"{low:,.2f} to {high:,.2f}"
    return [f"{value:,.2f}", element("small", ends), element("small", f"n = {n}")]
