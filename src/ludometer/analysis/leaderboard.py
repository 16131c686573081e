"""The leaderboard: one row per entrant with everything that is measured, each estimate with its n and interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ludometer.analysis.invalid import repair_rates, validity
from ludometer.analysis.ratings import counted_games, ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.usage import usage
from ludometer.analysis.wins import results_by_seat
from ludometer.core import ConfigurationError, Json
from ludometer.ratings import Games, RatingTable, score_interval
from ludometer.ratings.counting import Rule

__all__ = ["leaderboard", "score_rates"]

_RATING = ("rating", "low", "high", "interval", "rank_best", "rank_worst", "component", "games")


def leaderboard(
    source: Source,
    *,
    counting: Rule = "headline",
    game: str | None = None,
    condition: str | Mapping[str, Json] | None = None,
    table: RatingTable | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """One row per entrant, the best rating first, entrants without a rating last. Nobody is left out.

    Args:
        counting: which games count for ratings and score rates; see `ludometer.ratings.counting`.
        game, condition: a part of the run; None pools.
        table: ratings, where they were computed already.
        level: of the intervals.

    Returns:
        ``entrant``; ``rating``, ``low``, ``high``, ``interval`` (its kind), ``rank_best``, ``rank_worst``,
        ``component``, ``games`` (rated ones); ``score``, ``score_low``, ``score_high`` (clustered on the duplicate
        group), ``score_games``; per seat i ``wins_i``, ``draws_i``, ``losses_i``, ``forfeits_i``, ``forfeited_to_i``,
        ``canceled_i``, and ``void``, ``unfinished`` over seats; ``attempts``, ``legal``, ``valid``, ``valid_low``,
        ``valid_high``; ``bad``, ``asked_again``, ``repaired``, ``repair``, ``repair_low``, ``repair_high`` (all
        feedback policies of the part together); and the columns of `usage`. Missing: not known or nothing to measure.
    """
    tables = load_tables(source).only(game=game, condition=condition)
    if table is None:
        table = _rated(tables, counting, level)
    frame = pd.DataFrame({"entrant": pd.Series(tables.names, dtype="str")})
    for part in (
        _ratings(table),
        score_rates(tables, counting=counting, level=level),
        _by_seat(tables, level),
        _valid(tables, level),
        _repaired(tables, level),
        usage(tables),
    ):
        frame = frame.merge(part, on="entrant", how="left")
    order = ["component", "rating", "score"]
    frame = frame.sort_values(order, ascending=[True, False, False], kind="stable", na_position="last")
    return frame.reset_index(drop=True)


def _rated(tables: RunTables, counting: Rule, level: float) -> RatingTable | None:
    try:
        return ratings_of(tables, counting=counting, level=level)
    except ConfigurationError:
        # Nothing to rate by (yet) is no mistake of whoever asks for the table: the other columns stand.
        return None


def _ratings(table: RatingTable | None) -> pd.DataFrame:
    if table is None:
        return pd.DataFrame({"entrant": pd.Series(dtype="str"), **{n: pd.Series(dtype="float64") for n in _RATING}})
    return table.to_frame().rename(columns={"name": "entrant"})[["entrant", *_RATING]]


def score_rates(source: Source, *, counting: Rule = "headline", level: float = 0.95) -> pd.DataFrame:
    """Mean score against others in [0, 1], with an interval clustered on the duplicate group.

    Returns:
        Columns ``entrant``, ``score``, ``score_low``, ``score_high``, ``score_games``; entrants without a counted
        game against another one have a missing score and 0 games.
    """
    tables = load_tables(source)
    columns = ["entrant", "score", "score_low", "score_high", "score_games"]
    if not tables.two_seats:
        return pd.DataFrame(columns=columns)
    games, _ = counted_games(tables, counting=counting)
    rows = [{"entrant": name, **_score(games, name, level)} for name in tables.names]
    return pd.DataFrame(rows, columns=columns)


def _score(games: Games, name: str, level: float) -> dict[str, Any]:
    index = games.entrants.index(name) if name in games.entrants else -1
    first, second = (games.first == index) & ~games.self_play, (games.second == index) & ~games.self_play
    values = np.concatenate((games.score[first], 1.0 - games.score[second]))
    if not len(values):
        return {"score": None, "score_low": None, "score_high": None, "score_games": 0}
    cluster = None
    if games.cluster is not None:
        cluster = np.concatenate((games.cluster[first], games.cluster[second]))
    interval = score_interval(values, cluster, level=level)
    return {
        "score": interval.value,
        "score_low": interval.low,
        "score_high": interval.high,
        "score_games": len(values),
    }


def _by_seat(tables: RunTables, level: float) -> pd.DataFrame:
    found = results_by_seat(tables, level=level)
    shown = ["wins", "draws", "losses", "forfeits", "forfeited_to", "canceled"]
    result = pd.DataFrame({"entrant": pd.Series(tables.names, dtype="str")})
    for number in sorted(found["seat_number"].unique()):
        part = found[found["seat_number"] == number][["entrant", *shown]]
        result = result.merge(part.rename(columns={n: f"{n}_{number}" for n in shown}), on="entrant", how="left")
    totals = found.groupby("entrant")[["void", "unfinished"]].sum().reset_index()
    return result.merge(totals, on="entrant", how="left")


def _valid(tables: RunTables, level: float) -> pd.DataFrame:
    names = {"rate": "valid", "low": "valid_low", "high": "valid_high"}
    return validity(tables, level=level).rename(columns=names)


def _repaired(tables: RunTables, level: float) -> pd.DataFrame:
    # One policy for all: an entrant's bad attempts are taken together here, and by policy in `repair_rates`.
    config = {**tables.config, "policy": {**(tables.config.get("policy") or {}), "feedback": "all"}}
    attempts = tables.attempts.drop(columns="condition.feedback", errors="ignore")
    pooled = repair_rates(RunTables(tables.entrants, config, tables.matches, attempts, tables.exchanges), level=level)
    pooled = pooled[pooled["entrant"].isin(tables.names)]
    names = {"rate": "repair", "low": "repair_low", "high": "repair_high"}
    return pooled.drop(columns=["feedback", "not_asked"]).rename(columns=names)
