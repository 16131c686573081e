"""Tests and intervals that hold at every moment: whoever looks after every game may stop whenever they like.

The data of a pair is a sequence of mean scores in [0, 1], one per duplicate group (the same luck, the seats swapped).
Nothing is assumed about them but that the mean of each, given those before, is the same number: no draw model, no
variance, no independence of the games within a group.

Testing by betting (Waudby-Smith & Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024):
whoever bets a fraction of their money on every group that the mean is above m, at odds that are fair if it is m,

    wealth(t) = product over s <= t of (1 + bet * (x(s) - m) / m),    0 < bet < 1

does not get richer on average where the mean is m or below: the wealth is a nonnegative supermartingale. So is a
mixture of such gamblers over a fixed set of bets. By Ville's inequality (1939) it ever reaches 1/a with probability at
most a, however often one looks: the wealth is an *e-process*, and 1 / its peak is a p-value at every moment.

The numbers m that are not rejected in either direction make a *confidence sequence*: intervals that hold the mean at
all times at once.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.games import FloatArray

__all__ = [
    "BETS",
    "Bounds",
    "EProcess",
    "bounds",
    "log_e_values",
    "points_of_score",
    "score_of_points",
    "side_level",
    "top_level",
]

_NUMBER: Final = 20

BETS: Final[FloatArray] = 0.98 * (1.0 - np.cos(np.pi * (np.arange(_NUMBER) + 0.5) / _NUMBER)) / 2.0
"""The fractions that are bet, with equal weights: dense where little is won per group (small differences, and groups
whose scores hardly vary at all), after the arcsine law of Krichevsky and Trofimov's gambler."""

_EDGE: Final = 1e-6
"""Means closer than this to 0 or 1 are not told apart from them."""


class Bounds(NamedTuple):
    """A lower and an upper bound of a mean score in [0, 1], that hold at all times at once."""

    low: float
    high: float


class EProcess:
    """The wealth of the mixture of bets against the hypothesis that a mean is at most ``mean``.

    Attributes:
        mean: of the hypothesis, in (0, 1).
        count: scores so far.
        log_value: natural logarithm of the wealth now, from 0 on.
        log_peak: its highest value so far. The hypothesis is rejected at level a for good once this reaches log(1/a).
    """

    def __init__(self, mean: float) -> None:
        if not 0.0 < mean < 1.0:
            raise ConfigurationError(f"The mean {mean:g} of a hypothesis is not between 0 and 1.")
        self.mean = mean
        self.count = 0
        self.log_value = 0.0
        self.log_peak = 0.0
        self._logs = np.zeros(len(BETS))

    def add(self, score: float) -> None:
        """Takes in the next score. Raises `ConfigurationError` for one outside 0 to 1."""
        if not 0.0 <= score <= 1.0:
            raise ConfigurationError(f"The score {score!r} is not between 0 and 1.")
        self._logs += np.log1p(BETS * ((score - self.mean) / self.mean))
        self.count += 1
        self.log_value = float(_log_mean_exp(self._logs, 0))
        self.log_peak = max(self.log_peak, self.log_value)

    def rejected(self, level: float) -> bool:
        """Whether the hypothesis was ever rejected at a level."""
        return self.log_peak >= math.log(1.0 / level)


def log_e_values(scores: npt.ArrayLike, mean: float) -> FloatArray:
    """The logarithm of the wealth against "the mean is at most ``mean``" after every score.

    Args:
        scores: shape (..., t), in [0, 1].

    Returns:
        The same shape.
    """
    gains = (np.asarray(scores, np.float64) - mean) / mean
    logs = np.log1p(BETS * gains[..., None])
    return np.asarray(_log_mean_exp(np.cumsum(logs, axis=-2), -1), np.float64)


def bounds(scores: npt.ArrayLike, level: float = 0.05) -> Bounds:
    """The confidence sequence at its end: every mean that no score so far has rejected, at ``level / 2`` on each side.

    All intervals that are ever computed as scores come in hold the mean together with probability 1 - level.

    Args:
        scores: shape (t,), in [0, 1], in an order that does not depend on them.

    Raises:
        ConfigurationError: a score outside 0 to 1.
    """
    values = np.asarray(scores, np.float64)
    if values.size and not bool(np.all((values >= 0.0) & (values <= 1.0))):
        raise ConfigurationError("A score is outside 0 to 1.")
    return Bounds(_lower(values, level / 2.0), 1.0 - _lower(1.0 - values, level / 2.0))


def _lower(scores: FloatArray, level: float) -> float:
    """The largest mean that is rejected as being too low. The wealth falls as the mean rises, for any scores."""
    wanted = math.log(1.0 / level)
    low, high = 0.0, 1.0
    while high - low > _EDGE:
        middle = (low + high) / 2.0
        if scores.size and log_e_values(scores, middle).max() >= wanted:
            low = middle
        else:
            high = middle
    return low


def _log_mean_exp(logs: FloatArray, axis: int) -> FloatArray:
    most = logs.max(axis=axis, keepdims=True)
    mean = np.exp(logs - most).mean(axis=axis, keepdims=True)
    return np.asarray(np.squeeze(np.log(mean) + most, axis=axis), np.float64)


def score_of_points(points: float) -> float:
    """The expected score of whoever is better by so many points, on the logistic scale of Elo."""
    return float(1.0 / (1.0 + 10.0 ** (-points / 400.0)))


def points_of_score(score: float) -> float:
    """The difference in points that a mean score stands for; infinite for 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


def side_level(error: float, pairs: int, directed: int) -> float:
    """The level of each side of a pair, so that *any* wrong statement about *any* of them has probability ``error``.

    The two sides of K pairs are 2K ways to be wrong. Every pair whose direction is known has one way less (Holm's
    step-down procedure of 1979, on p-values that hold at all times): had none of the earlier ones been wrong, at most
    2K minus their number would be left.

    Args:
        pairs: K, those of all boards together.
        directed: how many of them have a direction already.
    """
    return error / max(1, 2 * pairs - directed)


def top_level(error: float, entrants: int, boards: int = 1) -> float:
    """The level of each comparison of a candidate with another, so that a wrong top has probability ``error``.

    Let B be one of the best. Whoever else is named instead must have been found better than B, which is one comparison
    each; and B is named alone although another is as good only if it was found better than that one. These are as many
    ways to be wrong as there are entrants, on each of the boards.
    """
    return error / (boards * entrants)
