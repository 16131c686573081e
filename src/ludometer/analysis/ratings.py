"""From a run to ratings: which matches count, and the rating package's tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.core import Json
from ludometer.ratings import (
    Counts,
    EloRatings,
    Games,
    MatchResult,
    RatingTable,
    ResultRow,
    count_results,
    elo_ratings,
    rate,
)
from ludometer.ratings.bradley_terry import Ties
from ludometer.ratings.counting import Rule

__all__ = ["counted_games", "counted_scores", "elo_of", "headline_scores", "ratings_of"]


def counted_games(
    source: Source,
    *,
    counting: Rule = "headline",
    game: str | None = None,
    condition: str | Mapping[str, Json] | None = None,
) -> tuple[Games, Counts]:
    """The games that count under a rule, in the order in which they ended, and the counts of everything finished.

    Unfinished matches are not among the counts: see `run_counts`. A match of more than two seats is one game in the
    counts, and the comparisons of its seats in the games (see `ludometer.ratings.placements`).
    """
    tables = load_tables(source).only(game=game, condition=condition)
    return count_results(_results(tables), counting)


def ratings_of(
    source: Source,
    *,
    counting: Rule = "headline",
    game: str | None = None,
    condition: str | Mapping[str, Json] | None = None,
    anchor: tuple[str, float] | None = None,
    prior_sd: float | None = 200.0,
    ties: Ties = "davidson",
    seat: bool = True,
    balance: bool = False,
    level: float = 0.95,
) -> RatingTable:
    """Ratings of a run: pooled over games and conditions, or of one of them.

    Args:
        source: a run.
        counting: ``headline`` (who forfeits or causes a canceled match loses it) or ``played`` (completed only).
        game, condition: a part of the run; None pools. With several games every game has a seat term of its own.
        anchor: an entrant and the points it is fixed at, in place of a mean of 1500.
        prior_sd: standard deviation of the prior on strengths, in points; None for none.
        ties: ``davidson`` fits how often games are drawn; ``half`` counts a draw as half a win.
        seat: fit what the first seat is worth.
        balance: every game weighs the same, however often it was played (see `ludometer.ratings.balance`).
        level: of the intervals.

    Raises:
        ConfigurationError: no game between two entrants counts.
    """
    games, counts = counted_games(source, counting=counting, game=game, condition=condition)
    return rate(games, level=level, counts=counts, ties=ties, seat=seat, prior=prior_sd, anchor=anchor, balance=balance)


def elo_of(source: Source, *, counting: Rule = "headline", k: float = 32.0) -> EloRatings:
    """Online Elo in the order in which the matches ended. It DEPENDS ON THAT ORDER and has no interval.

    Raises:
        ConfigurationError: a match has more than two seats.
    """
    games, _ = counted_games(source, counting=counting)
    return elo_ratings(games, k=k)


def headline_scores(matches: pd.DataFrame) -> pd.Series[float]:
    """Score of the first seat of every match as the rule ``headline`` counts it (see `ludometer.ratings.counting`);
    missing where a match does not count. Self-play has scores too."""
    return counted_scores(matches)[1]


def counted_scores(matches: pd.DataFrame, counting: Rule = "headline") -> pd.DataFrame:
    """Scores of every seat as a rule counts them, a column per number of a seat (from 1), with the matches' index.

    Missing where a match does not count or has no such seat. Who is at fault has 0, and the others share 1. Self-play
    has scores too.
    """
    over = matches["status"] == "finished"
    offender, seats = matches["offender_seat"].astype("float64"), matches["seats"].astype("float64")
    stopped = over & matches["ending"].isin(["forfeit", "canceled"]) & offender.notna() & (counting == "headline")
    columns = {}
    for number in range(1, (int(seats.max()) if len(matches) else 2) + 1):
        score = matches[f"score_{number}"].astype("float64")
        # Imported results may say who won a forfeit without saying who was at fault.
        known = (matches["ending"] == "forfeit") & offender.isna() & (seats == 2) & score.isin([0.0, 1.0])
        counted = score.where(over & ((matches["ending"] == "completed") | (known & (counting == "headline"))))
        at_fault = offender == number
        counted = counted.mask(stopped & at_fault, 0.0).mask(stopped & ~at_fault, 1.0 / (seats - 1.0).clip(lower=1.0))
        columns[number] = counted.where(seats >= number)
    if 2 in columns:
        columns[2] = columns[2].where(seats != 2, 1.0 - columns[1])
    return pd.DataFrame(columns, index=matches.index)


def _results(tables: RunTables) -> list[ResultRow | MatchResult]:
    """Finished and void matches as the rating package takes them, in the order in which they ended."""
    matches = tables.matches
    over = matches[matches["status"].isin(["finished", "void"])]
    over = over.sort_values(["finished", "number"], kind="stable", na_position="last")
    ending = over["ending"].where(over["status"] == "finished", "void")
    return list(_recorded(over.assign(ending=ending)))


def _recorded(matches: pd.DataFrame) -> Iterator[ResultRow | MatchResult]:
    for row in matches.to_dict("records"):
        seats = range(1, row["seats"] + 1)
        offender = None if pd.isna(row["offender_seat"]) else int(row["offender_seat"])
        known: list[Any] = [None if pd.isna(row[f"score_{i}"]) else row[f"score_{i}"] for i in seats]
        names = tuple(row[f"player_{i}"] for i in seats)
        if len(names) == 2:
            yield ResultRow(names[0], names[1], row["ending"], known[0], offender, row["group"], row["game"])
        else:
            scores = None if None in known else tuple(known)
            tie = bool(row.get("equals_tie", True))
            yield MatchResult(names, row["ending"], scores, offender, row["group"], row["game"], tie)
