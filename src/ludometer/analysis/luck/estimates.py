"""Control variates: means with the luck that is known taken out.

A term of luck has mean zero, so that taking any multiple of it from a result changes no mean, and takes out what the
two have in common. The multiple is estimated by least squares, crossed over: for each duplicate group from the other
groups only, whose luck is independent of the group's own. So it has nothing of the luck that it is used on, and the
mean stays what it is (Glynn and Szechtman, "Some new perspectives on the method of control variates", 2002; for games
White and Bowling, "Learning a value analysis tool for agent evaluation", IJCAI 2009).

Where the luck explains most, what is left is rare and all on one side: a bluff that is called. Intervals of Student's t
miss the mean far too often then, and the transformation of Hall mends that (see `adjusted_mean`).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from ludometer.core import ConfigurationError
from ludometer.ratings import Interval, mean_interval

__all__ = ["FEWEST_GROUPS", "FEW_GROUPS", "Ratio", "adjusted_mean", "adjusted_values", "variance_ratio"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

FEWEST_GROUPS: Final = 20
"""With fewer groups nothing is adjusted: the multiple would be a guess."""

FEW_GROUPS: Final = 50
"""With fewer groups than this an interval may be too narrow, since results that are rare may not have come at all;
docs/luck.md has the figures."""

_FOLDS: Final = 10
_RESAMPLES: Final = 1_000
_NO_SKEW: Final = 1e-6


class Ratio(NamedTuple):
    """Variance of adjusted means over that of plain ones, with a 95% percentile interval over resampled groups."""

    value: float
    low: float
    high: float
    groups: int


def _labels(values: npt.ArrayLike) -> IntArray:
    return np.asarray(np.unique(np.asarray(values), return_inverse=True)[1], np.int64)


def adjusted_values(
    values: npt.ArrayLike, terms: npt.ArrayLike, players: npt.ArrayLike, groups: npt.ArrayLike
) -> FloatArray:
    """The values with luck taken out, shape (N,).

    Args:
        values: shape (N,), what each seat of each match got.
        terms: shape (N, K), its luck.
        players: shape (N,), who sat there: each has a mean of its own.
        groups: shape (N,), duplicate groups: what has luck in common is in one group.

    Raises:
        ConfigurationError: fewer than `FEWEST_GROUPS` groups.
    """
    y, luck = np.asarray(values, np.float64), np.asarray(terms, np.float64)
    player, group = _labels(players), _labels(groups)
    count = int(group.max(initial=-1)) + 1
    if count < FEWEST_GROUPS:
        raise ConfigurationError(
            f"Luck can be taken out of {FEWEST_GROUPS} duplicate groups or more, not of {count}: play more repeats."
        )
    fold = group % _FOLDS
    result = y.copy()
    for number in range(_FOLDS):
        own = fold == number
        weights = _weights(y[~own], luck[~own], player[~own], group[~own])
        result[own] -= luck[own] @ weights
    return result


def _weights(y: FloatArray, luck: FloatArray, player: IntArray, group: IntArray) -> FloatArray:
    """The multiples that leave the sums over a player's matches of a group with the least variance."""
    # Means are over groups, so that what counts is what remains of luck in a group: with the seats exchanged, little.
    cell = _labels(player * (int(group.max()) + 1) + group)
    means = np.bincount(player, y) / np.maximum(1, np.bincount(player))
    sums = np.bincount(cell, y - means[player])
    known = np.column_stack([np.bincount(cell, luck[:, k]) for k in range(luck.shape[1])])
    square = known.T @ known
    scale = np.sqrt(np.diag(square))
    used = scale > 1e-9 * max(1.0, float(np.abs(luck).max(initial=0.0))) * np.sqrt(len(sums))
    weights = np.zeros(luck.shape[1])
    if used.any():
        unit = known[:, used] / scale[used]
        # A little shrinkage: one group's worth in all, so that terms that hardly vary get no wild multiple.
        ridge = np.eye(int(used.sum())) * len(sums) ** -1.0
        weights[used] = np.linalg.solve(unit.T @ unit + ridge, unit.T @ sums) / scale[used]
    return weights


def adjusted_mean(values: npt.ArrayLike, groups: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """Mean with an interval that is clustered on groups and corrected for skewness.

    Of the studentized mean x of n groups with skewness g, x + g x^2 / 3 + g^2 x^3 / 27 + g / (6n) is nearly symmetric
    (x without the root of n; Hall, "On the removal of skewness by transformation", J. R. Stat. Soc. B 54, 1992). Its
    quantiles, of Student's t with n - 1 degrees of freedom, are taken back to x. Without skewness that is
    `mean_interval`. A single group has an infinite interval.

    Args:
        values: shape (N,).
        groups: shape (N,).

    Raises:
        ConfigurationError: no values, or a level that is not between 0 and 1.
    """
    plain = mean_interval(values, groups, level=level)
    group = _labels(groups)
    count = int(group.max()) + 1
    sums = np.bincount(group, np.asarray(values, np.float64) - plain.value)
    square = float(np.mean(sums**2))
    if count < 2 or square <= 0:
        return plain
    skew = float(np.mean(sums**3) / square**1.5)
    if abs(skew) < _NO_SKEW:
        return plain
    quantile = float(t.ppf((1 + level) / 2, count - 1))
    error = (plain.high - plain.value) / quantile * math.sqrt(count)

    def back(transformed: float) -> float:
        inside = 1 + skew * (transformed / math.sqrt(count) - skew / (6 * count))
        return 3 / skew * (math.cbrt(inside) - 1)

    return Interval(
        plain.value, plain.value - error * back(quantile), plain.value - error * back(-quantile), "skewed t"
    )


def variance_ratio(
    plain: npt.ArrayLike, adjusted: npt.ArrayLike, players: npt.ArrayLike, groups: npt.ArrayLike
) -> Ratio:
    """What is left of the variance of the players' mean results: 0.5 means that half as many groups would do.

    Both variances are clustered on groups and added up over players.
    """
    player, group = _labels(players), _labels(groups)
    count = int(group.max(initial=-1)) + 1
    before, after = (_spread(np.asarray(one, np.float64), player, group, count) for one in (plain, adjusted))
    if count < 2 or before.sum() <= 0:
        return Ratio(float("nan"), float("nan"), float("nan"), count)
    draw = np.random.default_rng(0).integers(0, count, (_RESAMPLES, count))
    resampled = before[draw].sum(axis=1)
    kept = resampled > 0
    low, high = np.quantile(after[draw].sum(axis=1)[kept] / resampled[kept], [0.025, 0.975])
    return Ratio(float(after.sum() / before.sum()), float(low), float(high), count)


def _spread(values: FloatArray, player: IntArray, group: IntArray, count: int) -> FloatArray:
    """What each group adds to the variances of the players' means, shape (groups,)."""
    matches = np.bincount(player)
    residual = (values - (np.bincount(player, values) / matches)[player]) / matches[player]
    cells = np.bincount(player * count + group, residual, len(matches) * count).reshape(-1, count)
    return np.asarray((cells**2).sum(axis=0), np.float64)
