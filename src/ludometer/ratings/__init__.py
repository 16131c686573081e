"""Ratings: how strong entrants are, how sure that is, and which games say so.

Start with :class:`Games` (columns of results, of two seats or more) or :func:`count_results` (recorded results under a
counting rule), then :func:`rate` for a :class:`RatingTable`. :func:`elo_ratings` is the online rating of published
studies.
"""

from ludometer.ratings.bradley_terry import Fit, fit
from ludometer.ratings.counting import Counts, MatchResult, ResultRow, count_results
from ludometer.ratings.duplicates import DistinctGames, distinct_games
from ludometer.ratings.elo import EloRatings, elo_ratings, elo_update, expected_score
from ludometer.ratings.games import Games
from ludometer.ratings.intervals import (
    Interval,
    difference_covariance,
    difference_errors,
    mean_interval,
    proportion_interval,
    score_interval,
)
from ludometer.ratings.placements import SeatedMatch
from ludometer.ratings.ranks import expected_scores, probability_better, rank_ranges
from ludometer.ratings.read_csv import read_results
from ludometer.ratings.table import RatingRow, RatingTable, SeatTerm, TieTerm, rate, rating_table

__all__ = [
    "Counts",
    "DistinctGames",
    "EloRatings",
    "Fit",
    "Games",
    "Interval",
    "MatchResult",
    "RatingRow",
    "RatingTable",
    "ResultRow",
    "SeatTerm",
    "SeatedMatch",
    "TieTerm",
    "count_results",
    "difference_covariance",
    "difference_errors",
    "distinct_games",
    "elo_ratings",
    "elo_update",
    "expected_score",
    "expected_scores",
    "fit",
    "mean_interval",
    "probability_better",
    "proportion_interval",
    "rank_ranges",
    "rate",
    "rating_table",
    "read_results",
    "score_interval",
]
