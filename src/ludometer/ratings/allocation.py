"""Which two entrants should meet next, given what is known: the numbers behind adaptive schedules.

A *meeting* of two entrants is one duplicate group, k games. With strengths that are normal around their estimate with
covariance V (Laplace), d the difference of two, v its variance, and I = k p (1 - p) the information of a meeting at
p = 1 / (1 + exp(-d)), a meeting takes v down by v * I v / (1 + I v), and the sum of all variances by
I |V c|^2 / (1 + I v), c being the contrast of the two (Sherman & Morrison, Ann. Math. Stat. 21, 1950). Two numbers say
what a meeting is worth:

    Phi(-|d| / sqrt(v)) * I v / (1 + I v)

is the probability that the order of the two is wrong, times the share of variance that is saved; it finds the order of
close entrants. The sum of variances saved (A-optimality; Chernoff, Ann. Math. Stat. 24, 1953) keeps every interval
short, and honest: see docs/schedules.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ludometer.ratings.cells import count_cells, pair_design
from ludometer.ratings.covariance import contrast, laplace
from ludometer.ratings.games import FloatArray, Games, IntArray
from ludometer.ratings.likelihood import Model, half_win, information
from ludometer.ratings.newton import maximize
from ludometer.ratings.scale import POINTS

__all__ = ["Strengths", "order_gain", "pair_numbers", "posterior", "spread", "variance_gain"]

_PRIOR = 200.0
"""Standard deviation of the prior in points: that of the ratings themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """What is known of n entrants, in natural units relative to their mean.

    Attributes:
        mean: shape (n,).
        covariance: shape (n, n).
    """

    mean: FloatArray
    covariance: FloatArray


def pair_numbers(n: int) -> tuple[IntArray, IntArray]:
    """All pairs of n entrants, in order: two arrays of shape (n * (n - 1) / 2,)."""
    one, other = np.triu_indices(n, 1)
    return one.astype(np.int64), other.astype(np.int64)


def posterior(games: Games) -> Strengths:
    """Strengths of all entrants given games of two seats, with a seat term per game and a draw as half a win.

    An entrant without a game has its prior, so that there is an answer before the first game.
    """
    n, terms = len(games.entrants), len(games.titles)
    cells = count_cells(games)
    model = Model((pair_design(cells, n, terms),), cells.score, cells.weight, half_win)
    precision = np.full(n + terms, (POINTS / _PRIOR) ** 2)
    # The prior connects everybody: there is one component.
    component = np.zeros(n, np.int64)
    theta = maximize(model, precision, component).theta
    inverse = laplace(information(model, model.derivatives(theta)) + np.diag(precision), component)
    to_mean = contrast(n, component, None)
    return Strengths(to_mean @ theta[:n], to_mean @ inverse[:n, :n] @ to_mean.T)


def order_gain(strengths: Strengths, games: int) -> FloatArray:
    """Shape (pairs,): the probability that a pair is in the wrong order, times the share of its variance that a meeting
    of so many games saves."""
    difference, variance, learned = _meeting(strengths, games)
    return np.asarray(ndtr(-np.abs(difference) / np.sqrt(variance)) * learned * variance / (1 + learned * variance))


def variance_gain(strengths: Strengths, games: int) -> FloatArray:
    """Shape (pairs,): how much of the sum of all variances a meeting of so many games saves."""
    one, other = pair_numbers(len(strengths.mean))
    _, variance, learned = _meeting(strengths, games)
    effect = strengths.covariance[one] - strengths.covariance[other]
    return np.asarray(learned * np.square(effect).sum(axis=1) / (1 + learned * variance))


def _meeting(strengths: Strengths, games: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Difference of each pair, its variance, and the information of a meeting; each of shape (pairs,)."""
    one, other = pair_numbers(len(strengths.mean))
    cov = strengths.covariance
    difference = strengths.mean[one] - strengths.mean[other]
    variance = np.maximum(cov[one, one] + cov[other, other] - 2 * cov[one, other], 1e-12)
    # p (1 - p), written so that it is never exactly zero.
    return difference, variance, games / (2.0 + 2.0 * np.cosh(np.minimum(np.abs(difference), 50.0)))


def spread(weights: FloatArray, count: int, at: float) -> IntArray:
    """``count`` units over the weights, each getting its share rounded down or up: systematic sampling (Madow & Madow,
    Ann. Math. Stat. 15, 1944).

    Weights that differ in their last digits from machine to machine give the same units, unless ``at`` happens to lie
    within that difference of a boundary.

    Args:
        weights: shape (p,), not negative and not all zero.
        at: uniform in [0, 1); where the first unit falls.

    Returns:
        Shape (p,), units, ``count`` in all.
    """
    ends = np.cumsum(weights)
    places = (np.arange(count) + at) * (ends[-1] / max(count, 1))
    taken = np.searchsorted(ends, places, side="right")
    return np.bincount(np.minimum(taken, len(weights) - 1), minlength=len(weights)).astype(np.int64)
