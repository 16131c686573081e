"""`report_data`: everything a report shows, as JSON. The page, and any other viewer, read nothing else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from ludometer.analysis import (
    RunTables,
    decided_pairs,
    duplicates,
    effort_points,
    elo_of,
    endings,
    factor_effects,
    game_matrix,
    game_sections,
    invalid_responses,
    leaderboard,
    level_estimates,
    load_tables,
    moves_per_result,
    performance,
    pool_of,
    ratings_of,
    repair_rates,
    results_by_opening,
    results_by_seat,
    run_counts,
    usage,
    validity_by_setting,
)
from ludometer.analysis.benchmarks import Benchmarks, benchmark_sections
from ludometer.analysis.methods import methods_text
from ludometer.analysis.seat_names import named_seats, seat_titles, titles_of
from ludometer.core import ConfigurationError, Json, LudometerError, make_game
from ludometer.ratings import RatingTable, probability_better
from ludometer.ratings.counting import Rule
from ludometer.reports.examples import example_games
from ludometer.reports.game_sections import section_data
from ludometer.reports.many_seats import many_seats_frames
from ludometer.reports.quality import quality_data
from ludometer.store import RunStore
from ludometer.store.types import moment

__all__ = ["FORMAT", "report_data"]

FORMAT = 1
"""Goes up with every change that an older viewer could not read."""

_ELO_POINTS = 150
"""Points of an entrant's Elo line at most; more could not be told apart."""


def report_data(store: RunStore, *, benchmarks: Benchmarks | None = None) -> dict[str, Json]:
    """Everything a report shows.

    Args:
        benchmarks: scores of the entrants elsewhere, to be correlated with their ratings.

    Keys:
        format: `FORMAT`.
        run: configuration, entrants, versions, times. methods: the same in words, as a paragraph.
        notes: what a reader must know about imported data.
        decision: why the run needed no further match, and after how many that was known; null where none was made.
        pairs: of runs that decide (``stop_when``): see `ludometer.analysis.decided_pairs`.
        counts, endings: what became of the matches, and why.
        parts: the run as a whole, then every game where there are several, then every game and condition where
            conditions are varied (``pooled``: a part of several games or conditions); each with ``counts``,
            ``ratings`` and ``leaderboard`` by counting rule (``headline``, ``played``), ``better``, ``matrix``,
            ``results`` by seat, ``lengths``, ``published_lengths`` and ``invalid``; ``seat_names`` and ``seat_titles``
            of the two seats, empty where they have only numbers or differ by game; ``most_seats`` of its matches, and
            what games for more than two and games with payoffs have besides: ``opponents``, ``seats``, ``payoffs`` and
            ``payoff_differences``.
        performance: score rate by game, and the ``pool`` it is against (empty: all others).
        effort: tokens per move against score rate, per language model and effort setting.
        levels, effects: what the settings change: every level by itself, and against the first level in pairs.
        elo: by game, online Elo over time, with the rating that does not depend on the order.
        openings: results by opening. rules: games whose rules have notes.
        answers: validity by answer setting; repair: by feedback policy; usage: tokens, cost and latency.
        duplicates: how many games are different games.
        quality: how good the moves were; null for a run that was not analyzed.
        sections: what games add of their own; see `ludometer.reports.game_sections.section_data`.
        examples: drawn games.

    Rates and scores are shares in [0, 1], ratings points, times seconds or ISO 8601 in UTC, costs US dollars. null is
    what is not known or cannot be measured.
    """
    tables = load_tables(store)
    given = () if benchmarks is None else benchmark_sections(tables, benchmarks)
    data = {
        "format": FORMAT,
        "run": _run(store, tables),
        "decision": tables.decided,
        "pairs": _records(decided_pairs(store)),
        "methods": methods_text(store),
        "notes": list(tables.notes),
        "counts": run_counts(tables),
        "endings": _records(endings(tables)),
        "parts": _parts(tables),
        "performance": {"pool": pool_of(tables), "rows": _records(performance(tables))},
        "effort": _records(effort_points(tables)),
        "levels": _records(level_estimates(tables)),
        "effects": _records(factor_effects(tables)),
        "elo": _elo(tables),
        "openings": _records(results_by_opening(tables)),
        "rules": _rules(store),
        "answers": _records(validity_by_setting(tables)),
        "repair": _records(repair_rates(tables)),
        "usage": _records(usage(tables)),
        "duplicates": _records(duplicates(tables)),
        "quality": quality_data(store),
        "sections": [section_data(section) for section in (*game_sections(store), *given)],
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
        "created": moment(created),
        "first_started": times["started"].min(),
        "last_finished": times["finished"].max(),
        "has_moves": bool(tables.matches["notation"].notna().any()) or len(tables.attempts) > 0,
        "source": store.imported("source"),
    }


# ----------------------------------------------------------------------- parts


def _parts(tables: RunTables) -> list[dict[str, Json]]:
    pieces = tables.parts()
    games = list(dict.fromkeys(game for game, _ in pieces))
    parts = [_part(tables, "All matches", None, None)]
    if len(games) > 1:
        parts += [_part(tables.only(game=game), game, game, None) for game in games]
    if len(pieces) > len(games):
        for game, condition in pieces:
            title = f"{game}, {condition}" if len(games) > 1 else condition
            parts.append(_part(tables.only(game=game, condition=condition), title, game, condition))
    return parts


def _seat_names(tables: RunTables) -> Json:
    """The names of the two seats, where all matches are of one game that names them."""
    games = {game for game, _ in tables.parts()}
    return list(named_seats(games.pop())) if len(games) == 1 else []


def _part(tables: RunTables, title: str, game: str | None, condition: str | None) -> dict[str, Json]:
    pooled = len(tables.parts()) > 1
    counts = run_counts(tables)
    headline = _rated(tables, "headline")
    board = _leaderboard(tables, "headline", headline)
    # Without a forfeit or a canceled game both rules count the same games.
    differ = counts["forfeit"] + counts["canceled"] > 0
    played = _rated(tables, "played") if differ else headline
    boards = {"headline": board, "played": _leaderboard(tables, "played", played) if differ else board}
    return {
        "title": title,
        "game": game,
        "condition": condition,
        "seat_names": _seat_names(tables),
        "seat_titles": list(titles_of(tables)),
        "pooled": pooled,
        "counts": counts,
        "ratings": {"headline": _ratings(headline), "played": _ratings(played)},
        "leaderboard": boards,
        "better": None if isinstance(headline, str) else _better(headline),
        "most_seats": int(tables.matches["seats"].max()) if len(tables.matches) else 0,
        "matrix": [] if pooled else _records(game_matrix(tables).reset_index()),
        "results": _records(results_by_seat(tables)),
        "lengths": _records(moves_per_result(tables)),
        "published_lengths": [] if pooled else list(tables.lengths or ()),
        "invalid": _records(invalid_responses(tables)),
        **{name: _records(frame) for name, frame in many_seats_frames(tables, pooled=pooled).items()},
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
                "seat": next(iter(named_seats(seat.game)), None),
                "title": next(iter(seat_titles([seat.game])), None),
                "points": seat.points,
                "low": seat.low,
                "high": seat.high,
                "games": seat.games,
                "interval": seat.interval,
                "seats": seat.seats,
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
            "games": table.fit.could_tie,
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


def _elo(tables: RunTables) -> list[dict[str, Json]]:
    """Elo over time by game, conditions pooled; without games whose order of play is not known."""
    games = dict.fromkeys(tables.matches["game"])
    found = [_elo_of_game(tables.only(game=game), str(game)) for game in games]
    return [panel for panel in found if panel is not None]


def _elo_of_game(tables: RunTables, game: str) -> dict[str, Json] | None:
    if not tables.two_seats or not tables.matches["finished"].notna().any():
        return None
    try:
        elo = elo_of(tables)
    except ConfigurationError:
        return None
    table = _rated(tables, "headline")
    rated = {} if isinstance(table, str) else {row.name: row for row in table.rows}
    series = []
    for name, points in elo.ratings.items():
        numbers, path = elo.trajectory(name)
        keep = np.unique(np.linspace(0, len(numbers) - 1, min(len(numbers), _ELO_POINTS)).round().astype(int))
        order_free = rated.get(name)
        series.append(
            {
                "entrant": name,
                "final": points,
                "played": len(numbers) - 1,
                "games": numbers[keep].tolist(),
                "points": path[keep].tolist(),
                "rating": None if order_free is None else order_free.rating,
                "low": None if order_free is None else order_free.low,
                "high": None if order_free is None else order_free.high,
            }
        )
    return {"game": game, "method": elo.method, "games": len(elo.first), "series": series}


def _rules(store: RunStore) -> list[dict[str, Json]]:
    """Games with notes on their rules: ``game``, ``title`` and ``notes``; each set of notes once."""
    found: dict[tuple[str, tuple[str, ...]], dict[str, Json]] = {}
    for name, options in {(row.game, json.dumps(row.options)) for row in store.matches()}:
        try:
            game = make_game(name, json.loads(options))
        except LudometerError:
            continue  # a game that is not installed here has results all the same
        if game.notes:
            found[name, game.notes] = {"game": name, "title": game.title, "notes": list(game.notes)}
    return [found[key] for key in sorted(found)]


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
