"""The leaderboard: one row per entrant with everything that is measured, each estimate with its n and interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ludometer.analysis.invalid import repair_rates, validity
from ludometer.analysis.ratings import counted_scores, ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.usage import usage
from ludometer.analysis.wins import results_by_seat
from ludometer.core import ConfigurationError, Json
from ludometer.ratings import RatingTable, score_interval
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
        group), ``score_games``, ``score_expected`` (of all seats); per seat i ``wins_i``, ``draws_i``, ``losses_i``,
        ``forfeits_i``, ``forfeited_to_i``, ``canceled_i``, and ``void``, ``unfinished`` over seats; ``attempts``,
        ``legal``, ``valid``, ``valid_low``, ``valid_high``; ``bad``, ``asked_again``, ``repaired``, ``repair``,
        ``repair_low``, ``repair_high`` (all feedback policies of the part together); and the columns of `usage`.
        Missing: not known or nothing to measure.
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
        Columns ``entrant``, ``score``, ``score_low``, ``score_high``, ``score_games``, and ``score_expected``: the mean
        score of all seats in those games, which is 1 / their number (one half with two seats, a quarter with four), so
        that a score can be read. Entrants without a counted game against another one have a missing score and 0 games.
    """
    tables = load_tables(source)
    matches = tables.matches
    scores = counted_scores(matches, counting).mask(matches["self_play"])
    pieces = [
        pd.DataFrame(
            {
                "entrant": matches[f"player_{i}"],
                "score": scores[i],
                "group": matches["group"],
                "seats": matches["seats"],
            }
        )
        for i in (scores if len(matches) else ())
    ]
    columns = ["entrant", "score", "group", "seats"]
    seats = pd.concat(pieces).dropna(subset="score") if pieces else pd.DataFrame(columns=columns)
    rows = [{"entrant": name, **_score(seats[seats["entrant"] == name], level)} for name in tables.names]
    return pd.DataFrame(rows, columns=["entrant", *_SCORE])


_SCORE = ("score", "score_low", "score_high", "score_games", "score_expected")


def _score(seats: pd.DataFrame, level: float) -> dict[str, Any]:
    if seats.empty:
        return dict(zip(_SCORE, (None, None, None, 0, None), strict=True))
    interval = score_interval(seats["score"].to_numpy(), seats["group"].to_numpy(), level=level)
    expected = float((1.0 / seats["seats"].astype("float64")).mean())
    return dict(zip(_SCORE, (interval.value, interval.low, interval.high, len(seats), expected), strict=True))


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
    config = {**tables.config, "games": [], "policy": {**(tables.config.get("policy") or {}), "feedback": "all"}}
    attempts = tables.attempts.drop(columns="condition.feedback", errors="ignore")
    pooled = repair_rates(RunTables(tables.entrants, config, tables.matches, attempts, tables.exchanges), level=level)
    pooled = pooled[pooled["entrant"].isin(tables.names)]
    names = {"rate": "repair", "low": "repair_low", "high": "repair_high"}
    return pooled.drop(columns=["feedback", "not_asked"]).rename(columns=names)
