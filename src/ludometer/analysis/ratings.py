"""From a run to ratings: which matches count, and the rating package's tables of them."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.core import ConfigurationError, Json
from ludometer.ratings import Counts, EloRatings, Games, RatingTable, ResultRow, count_results, elo_ratings, rate
from ludometer.ratings.bradley_terry import Ties
from ludometer.ratings.counting import Rule

__all__ = ["counted_games", "elo_of", "headline_scores", "ratings_of"]


def counted_games(
    source: Source,
    *,
    counting: Rule = "headline",
    game: str | None = None,
    condition: str | Mapping[str, Json] | None = None,
) -> tuple[Games, Counts]:
    """The games that count under a rule, in the order in which they ended, and the counts of everything finished.

    Unfinished matches are not among the counts: see `run_counts`.

    Raises:
        ConfigurationError: a game with other than two seats.
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
        level: of the intervals.

    Raises:
        ConfigurationError: no game between two entrants counts, or the games are not for two.
    """
    games, counts = counted_games(source, counting=counting, game=game, condition=condition)
    return rate(games, level=level, counts=counts, ties=ties, seat=seat, prior=prior_sd, anchor=anchor)


def elo_of(source: Source, *, counting: Rule = "headline", k: float = 32.0) -> EloRatings:
    """Online Elo in the order in which the matches ended. It DEPENDS ON THAT ORDER and has no interval."""
    games, _ = counted_games(source, counting=counting)
    return elo_ratings(games, k=k)


def headline_scores(matches: pd.DataFrame) -> pd.Series[float]:
    """Score of the first seat of every match as the rule ``headline`` counts it (see `ludometer.ratings.counting`);
    missing where a match does not count. Self-play has scores too."""
    over = matches["status"] == "finished"
    score, offender = matches["score_1"].astype("float64"), matches["offender_seat"].astype("float64")
    stopped = over & matches["ending"].isin(["forfeit", "canceled"])
    decided = (matches["ending"] == "forfeit") & offender.isna() & score.isin([0.0, 1.0])
    counted = score.where(over & ((matches["ending"] == "completed") | decided))
    return counted.mask(stopped & (offender == 1), 0.0).mask(stopped & (offender == 2), 1.0)


def _results(tables: RunTables) -> list[ResultRow]:
    """Finished and void matches as the rating package takes them, in the order in which they ended."""
    if not tables.two_seats:
        raise ConfigurationError("ratings are for games with two seats; this run has matches with more or fewer")
    matches = tables.matches
    over = matches[matches["status"].isin(["finished", "void"])]
    over = over.sort_values(["finished", "number"], kind="stable", na_position="last")
    ending = over["ending"].where(over["status"] == "finished", "void")
    columns = zip(
        over["player_1"],
        over["player_2"],
        ending,
        over["score_1"],
        over["offender_seat"],
        over["group"],
        over["game"],
        strict=True,
    )
    return [
        ResultRow(one, two, end, None if pd.isna(score) else score, None if pd.isna(seat) else int(seat), group, title)
        for one, two, end, score, seat, group, title in columns
    ]
