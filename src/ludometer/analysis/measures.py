"""What is measured of every seat of every match: score, validity, tokens, cost and latency, as values that can be
averaged over any part of a run and compared in pairs.

Finished matches only: a match that was broken off has fewer and earlier answers, and would not compare.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import pandas as pd

from ludometer.analysis.frames import level_text
from ludometer.analysis.ratings import counted_scores
from ludometer.analysis.run import RunTables
from ludometer.ratings import mean_interval, score_interval

__all__ = [
    "MEASURES",
    "Measure",
    "Measured",
    "estimate",
    "factor_levels",
    "is_model",
    "measured",
    "seats_of",
    "with_missing",
]


class Measure(NamedTuple):
    """
    Attributes:
        name: in the tables.
        title: for a reader, with its unit.
        one: what a single value is of.
        share: values lie in [0, 1].
    """

    name: str
    title: str
    one: str
    share: bool = False


MEASURES: Final = (
    Measure("score", "score", "game", share=True),
    Measure("validity", "legal answers", "answer", share=True),
    Measure("output_tokens", "output tokens per move", "move"),
    Measure("reasoning_tokens", "reasoning tokens per move", "move"),
    Measure("cost", "cost per match in US dollars", "match"),
    Measure("latency", "latency per call in seconds", "call"),
)
"""A move is a turn here, all its attempts and calls together: what was spent until the move was made."""

Measured = dict[str, pd.DataFrame]
"""By name of the measure: ``match``, ``seat_number`` and ``value``, one row per game, answer, move, match or call."""


def is_model(entrant: dict[str, Any]) -> bool:
    """Whether an entrant, as `Entrant.to_dict` wrote it, is a language model (named provider/model)."""
    return "/" in str(entrant["player"])


def factor_levels(tables: RunTables) -> dict[str, list[str]]:
    """Factors of the run with their levels as texts: in the order of the configuration, then of appearance."""
    configured = tables.config.get("factors") or {}
    found: dict[str, list[str]] = {}
    for column in tables.matches.columns:
        if column.startswith("condition."):
            name = column.removeprefix("condition.")
            present = dict.fromkeys(level_text(value) for value in tables.matches[column] if not _missing(value))
            named = dict.fromkeys(level_text(value) for value in configured.get(name, ()))
            found[name] = [level for level in (*named, *(p for p in present if p not in named)) if level in present]
    return found


def seats_of(tables: RunTables) -> pd.DataFrame:
    """One row per contestant's seat of every match.

    Columns ``match``, ``group``, ``game``, ``entrant``, ``seat_number``, ``opponents`` (the names in the other seats),
    ``self_play``, ``finished``, ``score`` (in [0, 1] where the match counts by the headline rule and has different
    entrants), ``expected`` (the mean score of all seats, 1 / their number) and a column per factor (the factor's name)
    with the level as text.
    """
    matches = tables.matches
    factors = {f"condition.{name}": name for name in factor_levels(tables)}
    base = matches[["match", "group", "game", "self_play"]].assign(finished=matches["status"] == "finished")
    for column, name in factors.items():
        base[name] = [None if _missing(value) else level_text(value) for value in matches[column]]
    base["expected"] = 1.0 / matches["seats"].astype("float64")
    scores = counted_scores(matches).mask(matches["self_play"])
    width = int(matches["seats"].max()) if len(matches) else 0
    names = [tuple(row) for row in matches[[f"player_{i + 1}" for i in range(width)]].itertuples(index=False)]
    pieces = []
    for number in range(1, width + 1):
        others = [row[: number - 1] + row[number:n] for row, n in zip(names, matches["seats"], strict=True)]
        piece = base.assign(
            entrant=matches[f"player_{number}"],
            seat_number=number,
            opponents=pd.Series(others, index=matches.index, dtype="object"),
            score=scores[number],
        )
        pieces.append(piece[matches["seats"] >= number])
    columns = [*base.columns, "entrant", "seat_number", "opponents", "score"]
    return pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=columns)


def measured(tables: RunTables, seats: pd.DataFrame) -> Measured:
    """The values of every measure in finished matches; what a provider does not report is no value."""
    finished = set(seats.loc[seats["finished"], "match"])
    attempts = tables.attempts[tables.attempts["match"].isin(finished) & tables.attempts["entrant"].notna()]
    calls = tables.exchanges[tables.exchanges["match"].isin(finished) & tables.exchanges["entrant"].notna()]
    place = ["match", "seat_number"]
    turns = [*place, "seat", "step"]
    return {
        "score": _values(seats[place], seats["score"]),
        "validity": _values(attempts[place], attempts["legal"]),
        "output_tokens": _sums(calls, turns, "output_tokens"),
        "reasoning_tokens": _sums(calls, turns, "reasoning_tokens"),
        "cost": _sums(calls, place, "cost"),
        "latency": _values(calls[place], calls["latency"]),
    }


def _values(place: pd.DataFrame, values: pd.Series[Any]) -> pd.DataFrame:
    return place.assign(value=values.astype("float64")).dropna(subset="value").astype({"seat_number": "int64"})


def _sums(calls: pd.DataFrame, keys: list[str], column: str) -> pd.DataFrame:
    """Sums over the calls of a turn or a match; none where one of the calls does not report the number."""
    # A sum with missing values is missing: half a turn's tokens would look like few.
    numbers = calls[keys].assign(value=calls[column].astype("float64"))
    grouped = numbers.groupby(keys, sort=False)["value"]
    frame = grouped.sum().where(grouped.count() == grouped.size()).reset_index()
    return _values(frame[["match", "seat_number"]], frame["value"])


def estimate(
    values: pd.Series[Any], clusters: pd.Series[Any], *, share: bool, level: float, least: float = 0.0
) -> dict[str, Any]:
    """``value``, ``low`` and ``high``: the mean with an interval clustered on the duplicate group.

    Missing without values; the interval is also missing where nothing can be said about the spread: one group only,
    or the same value in all (shares aside, which then have Wilson's interval on the number of groups).

    Args:
        share: the values lie in [0, 1].
        least: what a mean can be at least; the interval is cut there.
    """
    if values.empty:
        return {"value": None, "low": None, "high": None}
    made = score_interval if share else mean_interval
    interval = made(values.to_numpy(), clusters.to_numpy(), level=level)
    known = math.isfinite(interval.low) and interval.high - interval.low > 1e-12
    low, high = (max(least, interval.low), interval.high) if known else (None, None)
    return {"value": interval.value, "low": low, "high": high}


def with_missing(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """The frame with these columns as numbers, of which any, or all, are missing."""
    return frame.astype(dict.fromkeys(columns, "float64"))


def _missing(value: Any) -> bool:
    return value is None or (not isinstance(value, Iterable) and bool(pd.isna(value)))
