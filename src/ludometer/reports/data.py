"""`report_data`: everything a report shows, as JSON. The page, and any other viewer, read nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from ludometer.analysis import (
    RunTables,
    duplicates,
    elo_of,
    endings,
    game_matrix,
    invalid_responses,
    leaderboard,
    load_tables,
    moves_per_result,
    ratings_of,
    repair_rates,
    results_by_seat,
    run_counts,
    usage,
    validity_by_setting,
)
from ludometer.core import ConfigurationError, Json
from ludometer.ratings import RatingTable, probability_better
from ludometer.ratings.counting import Rule
from ludometer.reports.examples import example_games
from ludometer.store import RunStore

__all__ = ["FORMAT", "report_data"]

FORMAT = 1
"""Goes up with every change that an older viewer could not read."""

_RULES: tuple[Rule, ...] = ("headline", "played")

_ELO_POINTS = 150
"""Points of an entrant's Elo line at most; more could not be told apart."""


def report_data(store: RunStore) -> dict[str, Json]:
    """Everything a report shows.

    Keys:
        format: `FORMAT`.
        run: configuration, entrants, versions, times.
        notes: what a reader must know about imported data.
        counts, endings: what became of the matches, and why.
        parts: the run as a whole (``pooled`` where it has several games or conditions), then one per game and
            condition; each with ``counts``, ``ratings`` and ``leaderboard`` by counting rule (``headline``,
            ``played``), ``better``, ``elo``, ``matrix``, ``results`` by seat, ``lengths``, ``published_lengths`` and
            ``invalid``.
        answers: validity by answer setting; repair: by feedback policy; usage: tokens, cost and latency.
        duplicates: how many games are different games.
        examples: drawn games.

    Rates and scores are shares in [0, 1], ratings points, times seconds or ISO 8601 in UTC, costs US dollars. null is
    what is not known or cannot be measured.
    """
    tables = load_tables(store)
    pieces = tables.parts()
    parts = [_part(tables, "All matches", None, None)]
    if len(pieces) > 1:
        titles = {game for game, _ in pieces}
        for game, condition in pieces:
            title = ", ".join(word for word in (game if len(titles) > 1 else "", condition) if word)
            parts.append(_part(tables.only(game=game, condition=condition), title, game, condition))
    data = {
        "format": FORMAT,
        "run": _run(store, tables),
        "notes": list(tables.notes),
        "counts": run_counts(tables),
        "endings": _records(endings(tables)),
        "parts": parts,
        "answers": _records(validity_by_setting(tables)),
        "repair": _records(repair_rates(tables)),
        "usage": _records(usage(tables)),
        "duplicates": _records(duplicates(tables)),
        "examples": example_games(store, tables),
    }
    return {key: _json(value) for key, value in data.items()}


def _run(store: RunStore, tables: RunTables) -> dict[str, Json]:
    times = tables.matches[["started", "finished"]]
    created = store.meta("created")
    return {
        "config": store.config,
        "entrants": list(tables.entrants),
        "ludometer": store.meta("ludometer"),
        "prices_version": store.meta("prices_version"),
        "created": None if created is None else datetime.fromtimestamp(created, UTC),
        "first_started": times["started"].min(),
        "last_finished": times["finished"].max(),
        "has_moves": bool(tables.matches["notation"].notna().any()) or len(tables.attempts) > 0,
        "source": store.imported("source"),
    }


# ----------------------------------------------------------------------- parts


def _part(tables: RunTables, title: str, game: str | None, condition: str | None) -> dict[str, Json]:
    pooled = game is None and len(tables.parts()) > 1
    rated = {rule: _rated(tables, rule) for rule in _RULES}
    headline = rated["headline"]
    return {
        "title": title,
        "game": game,
        "condition": condition,
        "pooled": pooled,
        "counts": run_counts(tables),
        "ratings": {rule: _ratings(table) for rule, table in rated.items()},
        "leaderboard": {rule: _leaderboard(tables, rule, table) for rule, table in rated.items()},
        "better": None if isinstance(headline, str) else _better(headline),
        "elo": _elo(tables),
        "matrix": _records(game_matrix(tables).reset_index()) if tables.two_seats and not pooled else [],
        "results": _records(results_by_seat(tables)),
        "lengths": _records(moves_per_result(tables)),
        "published_lengths": [] if pooled else list(tables.lengths or ()),
        "invalid": _records(invalid_responses(tables)),
    }


def _rated(tables: RunTables, rule: Rule) -> RatingTable | str:
    """Ratings, or the sentence that says why there are none."""
    try:
        return ratings_of(tables, counting=rule)
    except ConfigurationError as error:
        return str(error)


def _ratings(table: RatingTable | str) -> dict[str, Json]:
    if isinstance(table, str):
        return {"missing": table}
    counts = table.counts
    tie = table.tie
    return {
        "missing": None,
        "method": table.method,
        "notes": list(table.notes),
        "rated": None if counts is None else counts.rated,
        "left_out": {} if counts is None else counts.left_out,
        "unrated": list(table.unrated),
        "components": [list(names) for names in table.components],
        "seats": [
            {
                "game": seat.game,
                "points": seat.points,
                "low": seat.low,
                "high": seat.high,
                "games": seat.games,
                "interval": seat.interval,
            }
            for seat in table.seats
        ],
        "tie": None
        if tie is None
        else {
            "draw_rate": tie.draw_rate,
            "low": tie.low / (tie.low + 2),
            "high": tie.high / (tie.high + 2),
            "interval": tie.interval,
            "games": table.fit.games,
        },
    }


def _leaderboard(tables: RunTables, rule: Rule, table: RatingTable | str) -> list[Json]:
    return _records(leaderboard(tables, counting=rule, table=None if isinstance(table, str) else table))


def _better(table: RatingTable) -> dict[str, Json]:
    """The matrix in the order of the table."""
    names = [row.name for row in table.rows]
    places = [table.fit.index(name) for name in names]
    matrix = probability_better(table.fit)[np.ix_(places, places)]
    return {"entrants": names, "matrix": matrix.tolist()}


def _elo(tables: RunTables) -> dict[str, Json] | None:
    """Elo over time; None where the order of play is not known, or there is nothing to rate."""
    if not tables.two_seats or not tables.matches["finished"].notna().any():
        return None
    try:
        elo = elo_of(tables)
    except ConfigurationError:
        return None
    series = []
    for name, points in elo.ratings.items():
        games, path = elo.trajectory(name)
        keep = np.unique(np.linspace(0, len(games) - 1, min(len(games), _ELO_POINTS)).round().astype(int))
        series.append(
            {
                "entrant": name,
                "final": points,
                "played": len(games) - 1,
                "games": games[keep].tolist(),
                "points": path[keep].tolist(),
            }
        )
    return {"method": elo.method, "games": len(elo.first), "series": series}


# ------------------------------------------------------------------------ JSON


def _records(frame: pd.DataFrame) -> list[Json]:
    return [_json(dict(zip(frame.columns, row, strict=True))) for row in frame.itertuples(index=False)]


def _json(value: Any) -> Json:
    """A value as JSON: missing and infinite numbers as null, times as ISO 8601."""
    if isinstance(value, Mapping):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
