"""What ratings say about pairs of entrants: ranks, who is better, what score to expect.

All of it comes from the DIFFERENCES of ratings and their joint covariance. Whether two separate intervals overlap says
too little: errors that two entrants share cancel in their difference.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.bradley_terry import Fit
from ludometer.ratings.games import FloatArray, IntArray
from ludometer.ratings.intervals import difference_errors, normal_quantile
from ludometer.ratings.likelihood import outcome_probabilities
from ludometer.ratings.scale import POINTS

__all__ = ["expected_scores", "probability_better", "rank_ranges"]


def rank_ranges(fit: Fit, *, level: float = 0.95) -> IntArray:
    """Best and worst rank of each entrant, shape (n, 2); 1 is the best.

    The best rank is 1 + the number of entrants that are significantly better, the worst is n - the number that are
    significantly worse. One entrant is significantly better than another when the interval of their difference at
    ``level`` lies above zero. Entrants that cannot be compared are neither better nor worse, so they widen the range.
    """
    better = _differences(fit) > normal_quantile(level) * difference_errors(fit)
    return np.stack((1 + better.sum(axis=0), len(better) - better.sum(axis=1)), axis=1).astype(np.int64)


def probability_better(fit: Fit) -> FloatArray:
    """Probability that the entrant of the row is stronger than that of the column, shape (n, n).

    The normal approximation to the posterior: Phi(difference / its standard error). One half on the diagonal; NaN for
    two entrants that cannot be compared.
    """
    errors = difference_errors(fit)
    np.fill_diagonal(errors, 1.0)
    return np.asarray(norm.cdf(_differences(fit) / errors), np.float64)


def expected_scores(fit: Fit, *, first_in: str | None = None) -> FloatArray:
    """Expected score of the entrant of the row against that of the column, shape (n, n), in [0, 1].

    Args:
        fit: the ratings.
        first_in: a game in which the entrant of the row sits in seat 1; None for play without a seat advantage. The
            diagonal then holds the expected score of seat 1 in self-play.

    Returns:
        The scores; NaN for two entrants that cannot be compared.

    Raises:
        ConfigurationError: the game has no seat term.
    """
    difference = _differences(fit)
    if first_in is not None:
        if first_in not in fit.seat_titles:
            raise ConfigurationError(f"There is no seat term for the game {first_in!r}; leave it out.")
        difference = difference + fit.seat_points[fit.seat_titles.index(first_in)]
    won, drawn, _ = outcome_probabilities(difference / POINTS, fit.log_nu)
    component = fit.connections.component
    return np.where(component[:, None] == component[None, :], won + drawn / 2.0, np.nan)


def _differences(fit: Fit) -> FloatArray:
    return np.asarray(fit.points[:, None] - fit.points[None, :], np.float64)
