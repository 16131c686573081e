"""How far judges agree, and what a score goes along with: statistics of judgements, clustered where matches are."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import t

__all__ = ["Alpha", "Slope", "cluster_slope", "krippendorff_alpha"]

_RESAMPLES: Final = 1000
_SEED: Final = 20111
_FEW_CLUSTERS: Final = 5
"""With fewer clusters resampling them says next to nothing."""


class Alpha(NamedTuple):
    """Krippendorff's alpha with its interval (NaN: not known); ``units`` were judged at least twice."""

    value: float
    low: float
    high: float
    units: int


class Slope(NamedTuple):
    """A regression slope with its interval (NaN: not known) and the number of points."""

    value: float
    low: float
    high: float
    n: int


def krippendorff_alpha(
    values: npt.ArrayLike, clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> Alpha:
    """Krippendorff's alpha for interval data: 1 for perfect agreement, 0 for what chance alone would give.

    alpha = 1 - observed / expected disagreement, both mean squared differences: between the values of one unit, and
    between all values (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011). Units with fewer than two
    values are left out. NaN without two such values, and where all values are equal.

    Args:
        values: shape (units, raters), NaN where a rater gave none.
        clusters: a label per unit; the interval is the percentile interval of resampled clusters. None makes every
            unit a cluster. With fewer than five clusters there is no interval.
    """
    table = np.asarray(values, np.float64)
    present = ~np.isnan(table)
    count = present.sum(axis=1)
    usable = count >= 2
    table, present, count = table[usable], present[usable], count[usable].astype(np.float64)
    units = len(table)
    if not units:
        return Alpha(math.nan, math.nan, math.nan, 0)
    centred = np.where(
        present, table - table[present].mean(), 0.0
    )  # sums of squares of small numbers keep their digits
    sums, squares = centred.sum(axis=1), (centred**2).sum(axis=1)
    within = 2.0 * (count * squares - sums**2) / (count - 1.0)
    parts = np.column_stack([count, sums, squares, within])
    labels = np.arange(units) if clusters is None else _labels([c for c, u in zip(clusters, usable, strict=True) if u])
    low, high = _resampled(parts, labels, level)
    return Alpha(float(_alpha(parts.sum(axis=0)[None])[0]), low, high, units)


def _alpha(parts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Alpha from the sums over units of count, sum, sum of squares and within-unit disagreement; shape (samples, 4)."""
    n, total, squares, within = parts.T
    expected = 2.0 * (n * squares - total**2) / (n * (n - 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1.0 - (within / n) / expected
    return np.where(expected > 1e-12, found, np.nan)


def _resampled(parts: npt.NDArray[np.float64], labels: npt.NDArray[np.int64], level: float) -> tuple[float, float]:
    size = int(labels.max()) + 1
    if size < _FEW_CLUSTERS:
        return math.nan, math.nan
    by_cluster = np.zeros((size, parts.shape[1]))
    np.add.at(by_cluster, labels, parts)
    drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1.0 / size), _RESAMPLES)
    found = _alpha(drawn @ by_cluster)
    found = found[~np.isnan(found)]
    if not found.size:
        return math.nan, math.nan
    low, high = np.quantile(found, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def cluster_slope(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    clusters: Sequence[Hashable],
    *,
    within: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Slope:
    """Slope of the least-squares line of y on x, with an intercept, and its cluster-robust interval.

    The variance is G / (G - 1) * (N - 1) / (N - k) * sum over clusters of (sum of x residual)^2 / (sum of x^2)^2, with
    quantiles of Student's t on G - 1 degrees of freedom (Cameron and Miller, "A Practitioner's Guide to Cluster-Robust
    Inference", JHR 50, 2015).

    Args:
        x, y: shape (N,).
        clusters: a label per point.
        within: a label per point; each of these groups gets an intercept of its own, so that only differences within
            groups count.

    Returns:
        NaN where x does not vary (within groups), and no interval with one cluster or no degree of freedom.
    """
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    n = len(first)
    if not n:
        return Slope(math.nan, math.nan, math.nan, 0)
    groups = np.zeros(n, np.int64) if within is None else _labels(within)
    first, second = first - _means(first, groups), second - _means(second, groups)
    spread = float(first @ first)
    if spread < 1e-12:
        return Slope(math.nan, math.nan, math.nan, n)
    slope = float(first @ second) / spread
    label = _labels(clusters)
    size, free = int(label.max()) + 1, n - int(groups.max()) - 2
    if size < 2 or free < 1:
        return Slope(slope, math.nan, math.nan, n)
    scores = np.bincount(label, first * (second - slope * first), size)
    variance = size / (size - 1) * (n - 1) / free * float(scores @ scores) / spread**2
    half = float(t.ppf((1.0 + level) / 2.0, size - 1)) * math.sqrt(variance)
    return Slope(slope, slope - half, slope + half, n)


def _means(values: npt.NDArray[np.float64], groups: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The mean of the own group, for every value."""
    sums = np.bincount(groups, values) / np.bincount(groups)
    return np.asarray(sums[groups], np.float64)


def _labels(given: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Labels as numbers from 0."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(label, len(seen)) for label in given], np.int64)
