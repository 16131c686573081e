"""The section on move quality: its data, and how it is shown. Empty for a run that was not analyzed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ludometer.analysis.quality import quality_tables
from ludometer.core import Json
from ludometer.reports import tables
from ludometer.reports.markup import Child, element
from ludometer.reports.pieces import Section, note
from ludometer.store import RunStore

__all__ = ["quality_data", "quality_sections"]

Data = Mapping[str, Any]

_SHOWN = ("players", "ratings", "pairs", "first_given_away")


def quality_data(store: RunStore) -> dict[str, Json] | None:
    """Records of the tables ``players``, ``ratings``, ``pairs`` and ``first_given_away`` (see
    `ludometer.analysis.quality.quality_tables`); None where no move was judged."""
    found = quality_tables(store)
    return None if found["moves"].empty else {name: _records(found[name]) for name in _SHOWN}


def _records(frame: pd.DataFrame) -> list[Json]:
    rows = frame.astype(object).to_dict("records")
    return [{str(key): _plain(value) for key, value in row.items()} for row in rows]


def _plain(value: Any) -> Json:
    if value is None or value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def quality_sections(data: Data | None) -> list[Section]:
    """The section, where there is something to show.

    Args:
        data: what `quality_data` returned.
    """
    if not data:
        return []
    content: list[Child] = [
        element("p", _explained(data["players"])),
        tables.table(
            ["Entrant", "Game", "Best move found", "Mean regret", "Blunders", "Gave a result away", "First at step"],
            [_player(row) for row in data["players"]],
            texts=[1],
        ),
    ]
    estimated = sorted({row["game"] for row in data["players"] if row["exact_moves"] < row["moves"]})
    if estimated:
        content.append(note(f"Some or all values are estimates, not proven: {', '.join(estimated)}."))
    if data["ratings"]:
        content += [element("h3", "Ratings from moves and from results"), *_ratings(data["ratings"])]
    if data["pairs"]:
        content.append(
            element("details", element("summary", "games to tell two entrants apart"), _pairs(data["pairs"]))
        )
    return [("quality", "How good the moves were", content)]


def _explained(rows: Sequence[Data]) -> str:
    judges = sorted({f"{row['evaluator']} ({row['game']})" for row in rows})
    return (
        f"Judged by {', '.join(judges)}. Only choices count: moves where not every action was as good. Regret is the "
        "expected score that a move gave away; a blunder gives away at least half a point, and a result is given away "
        "by a quarter of a point."
    )


def _player(row: Data) -> list[Child]:
    regret: Child = "–"
    if row["mean_regret"] is not None:
        interval = f"{row['regret_low']:.3f} to {row['regret_high']:.3f}"
        regret = [f"{row['mean_regret']:.3f}", element("small", interval)]
    return [
        row["entrant"],
        row["game"],
        tables.share(row["optimal_rate"], row["low"], row["high"], row["choices"]),
        regret,
        tables.count(row["blunders"]),
        [tables.percent(row["given_away_rate"]), element("small", f"n = {row['matches']} games")],
        "–" if row["median_step"] is None else [f"{row['median_step']:g}", element("small", "median, from 0")],
    ]


def _ratings(rows: Sequence[Data]) -> list[Child]:
    shown = [
        [
            row["entrant"],
            row["game"],
            _interval(row["points"], row["low"], row["high"]),
            tables.count(row["choices"]),
            _interval(row["result_rating"], row["result_low"], row["result_high"]),
            tables.count(row["matches"]),
        ]
        for row in rows
    ]
    return [
        tables.table(["Entrant", "Game", "From moves", "Choices", "From results", "Games"], shown, texts=[1]),
        element(
            "p",
            "Two different scales: order and certainty can be compared, the numbers cannot. From moves, 0 picks at "
            "random, and 400 points more prefer a winning to a losing action ten times as much.",
            class_="small",
        ),
    ]


def _interval(value: float | None, low: float | None, high: float | None) -> Child:
    if value is None or low is None or high is None:
        return "–"
    return [tables.points(value), element("small", f"{tables.points(low)} to {tables.points(high)}")]


def _pairs(rows: Sequence[Data]) -> Child:
    heads = ["Entrants", "Game", "By moves", "By results"]
    shown: list[list[Child]] = [
        [
            f"{row['entrant']} and {row['other']}",
            row["game"],
            _games(row["games_by_moves"]),
            _games(row["games_by_results"]),
        ]
        for row in rows
    ]
    return [
        tables.table(heads, shown, texts=[1]),
        element(
            "p",
            "Games each after which the 95% interval of the difference would just leave out zero, were the difference "
            "and the spread as they are now. An estimate, and a poor one where the difference is small.",
            class_="small",
        ),
    ]


def _games(value: float | None) -> str:
    if value is None:
        return "–"
    return "over 1,000,000" if value > 1e6 else f"{max(1, math.ceil(value)):,}"
