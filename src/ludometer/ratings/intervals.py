"""Intervals for ratings, means and proportions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, t

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.bradley_terry import Fit
from ludometer.ratings.games import BoolArray, FloatArray

__all__ = [
    "FEW_GAMES",
    "Interval",
    "IntervalKind",
    "difference_covariance",
    "difference_errors",
    "entrant_errors",
    "mean_interval",
    "normal_quantile",
    "proportion_interval",
    "score_interval",
    "seat_errors",
    "tie_error",
]

IntervalKind = Literal["clustered", "laplace", "anchor"]

FEW_GAMES: Final = 30
"""With fewer games than this the spread of results is too little known for a clustered interval; where games have more
than two seats, also with fewer clusters, since a duplicate group of six seats holds six games."""

_NO_SPREAD: Final = 1e-4
"""A clustered variance below this part of the Laplace variance comes from results that do not vary at all."""


class Interval(NamedTuple):
    """A value with its interval; ``kind`` says how the interval was made."""

    value: float
    low: float
    high: float
    kind: str


def normal_quantile(level: float) -> float:
    """Two-sided quantile: 1.96 for a level of 0.95.

    Raises:
        ConfigurationError: the level is not between 0 and 1.
    """
    return float(norm.ppf(_upper(level)))


def entrant_errors(fit: Fit) -> tuple[FloatArray, tuple[IntervalKind, ...]]:
    """Standard errors of the ratings in points, shape (n,), and the kind of each.

    Laplace for an entrant that never lost, never won, has under 30 games, or sits outside the main group of its
    component (see :class:`~ludometer.ratings.connections.Connections`); clustered otherwise. Where games have more than
    two seats, losing and winning is that of pairs of seats, Laplace is also taken for an entrant in under 30 clusters,
    and in each of these cases only where it is the wider one. An anchor is exact by
    definition, and the others are then as uncertain as their difference from it.
    """
    size = len(fit.entrants)
    errors, by_laplace = _choose(fit, np.diag(fit.laplace)[:size], np.diag(fit.clustered)[:size], _needs_laplace(fit))
    kinds: list[IntervalKind] = ["laplace" if yes else "clustered" for yes in by_laplace]
    if fit.anchor is not None:
        anchor = fit.index(fit.anchor[0])
        pairs, pair_laplace = _pairs(fit)
        for i in np.flatnonzero(fit.connections.component == fit.connections.component[anchor]):
            errors[i] = pairs[i, anchor]
            kinds[i] = "laplace" if pair_laplace[i, anchor] else "clustered"
        errors[anchor], kinds[anchor] = 0.0, "anchor"
    return errors, tuple(kinds)


def difference_errors(fit: Fit) -> FloatArray:
    """Standard errors of all rating differences from the joint covariance, shape (n, n), in points.

    Laplace where it is needed for either entrant, which includes any two of different groups. NaN for two entrants
    that cannot be compared; zero on the diagonal.
    """
    errors, _ = _pairs(fit)
    component = fit.connections.component
    errors[component[:, None] != component[None, :]] = np.nan
    np.fill_diagonal(errors, 0.0)
    return errors


def difference_covariance(fit: Fit, names: Sequence[str]) -> tuple[FloatArray, IntervalKind]:
    """Joint covariance of the steps between neighbours of a list of entrants, and its kind.

    Laplace as a whole where it is what :func:`difference_errors` takes for any two of them, so that the matrix is one.

    Returns:
        Shape (k - 1, k - 1) for k names, in points squared: of (second - first), (third - second), ...

    Raises:
        ConfigurationError: no rated entrant has one of the names.
    """
    places = [fit.index(name) for name in names]
    _, by_laplace = _pairs(fit)
    within = by_laplace[np.ix_(places, places)][~np.eye(len(places), dtype=bool)]
    whole = fit.laplace if bool(within.any()) else fit.clustered
    steps = np.diff(np.eye(len(places)), axis=0)
    return np.asarray(steps @ whole[np.ix_(places, places)] @ steps.T), "laplace" if within.any() else "clustered"


def seat_errors(fit: Fit) -> tuple[FloatArray, tuple[IntervalKind, ...]]:
    """Standard errors of the seat terms in points, shape (s,), and the kind of each.

    Laplace with under 30 games (or clusters, where games have more than two seats), or where only one seat ever won.
    """
    n, s = len(fit.entrants), len(fit.seat_titles)
    few = (fit.seat_games < FEW_GAMES) | ~fit.seat_decided | (fit.clusters < _fewest_clusters(fit))
    own = slice(n, n + s)
    errors, by_laplace = _choose(fit, np.diag(fit.laplace)[own], np.diag(fit.clustered)[own], few)
    return errors, tuple("laplace" if yes else "clustered" for yes in by_laplace)


def tie_error(fit: Fit) -> tuple[float, IntervalKind]:
    """Standard error of log(nu) and its kind, for fits with a tie parameter.

    Laplace with under 30 drawn or under 30 decided games (or clusters, where games have more than two seats).
    """
    few = np.array([min(fit.draws, fit.decided) < FEW_GAMES or fit.clusters < _fewest_clusters(fit)])
    errors, by_laplace = _choose(fit, np.diag(fit.laplace)[-1:], np.diag(fit.clustered)[-1:], few)
    return float(errors[0]), "laplace" if by_laplace[0] else "clustered"


def mean_interval(values: npt.ArrayLike, clusters: npt.ArrayLike | None = None, *, level: float = 0.95) -> Interval:
    """Mean with a cluster-robust interval.

    The variance is C / (C - 1) * sum over clusters of (sum of deviations in the cluster)^2 / N^2, with quantiles of
    Student's t on C - 1 degrees of freedom. A single cluster says nothing about spread: its interval is infinite. For
    scores between 0 and 1 use :func:`score_interval`, which is always finite and never of zero width.

    Args:
        values: shape (N,).
        clusters: shape (N,), any labels; None makes every value a cluster.
        level: between 0 and 1.

    Raises:
        ConfigurationError: no values, or a different number of labels.
    """
    upper = _upper(level)
    numbers, label = _clustered(values, clusters)
    count = int(label.max()) + 1
    mean = float(numbers.mean())
    if count < 2:
        return Interval(mean, -math.inf, math.inf, "clustered t")
    sums = np.bincount(label, numbers - mean, count)
    error = math.sqrt(float(sums @ sums) * count / (count - 1)) / len(numbers)
    half = float(t.ppf(upper, count - 1)) * error
    return Interval(mean, mean - half, mean + half, "clustered t")


def proportion_interval(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Wilson's score interval for a proportion (JASA 22, 1927); never of zero width.

    Raises:
        ConfigurationError: no trials, or successes outside 0 to ``trials``.
    """
    if not (trials > 0 and 0 <= successes <= trials):
        raise ConfigurationError(f"A proportion needs 0 <= successes <= trials, not {successes:g} of {trials:g}.")
    z = normal_quantile(level)
    share, scale = successes / trials, 1.0 + z * z / trials
    centre = (share + z * z / (2.0 * trials)) / scale
    half = z / scale * math.sqrt(share * (1.0 - share) / trials + z * z / (4.0 * trials * trials))
    # Rounding must not put the share itself outside, which happens at 0 and 1.
    low, high = max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))
    return Interval(share, low, high, "wilson")


def score_interval(values: npt.ArrayLike, clusters: npt.ArrayLike | None = None, *, level: float = 0.95) -> Interval:
    """Mean score in [0, 1] with a cluster-robust interval, cut to [0, 1].

    Where the clusters do not differ at all, or there is one only, Wilson's interval on the number of clusters is
    taken, so that four lost games never show as "0 +- 0".
    """
    numbers, label = _clustered(values, clusters)
    interval = mean_interval(numbers, label, level=level)
    if not math.isfinite(interval.low) or interval.high - interval.low < 1e-9:
        count = int(label.max()) + 1
        return proportion_interval(min(1.0, max(0.0, interval.value)) * count, count, level=level)
    return interval._replace(low=max(0.0, interval.low), high=min(1.0, interval.high))


def _upper(level: float) -> float:
    if not 0.0 < level < 1.0:
        raise ConfigurationError(f"A level must lie between 0 and 1, for instance 0.95, not {level:g}.")
    return (1.0 + level) / 2.0


def _clustered(values: npt.ArrayLike, clusters: npt.ArrayLike | None) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    numbers = np.asarray(values, np.float64)
    if numbers.ndim != 1 or not numbers.size:
        raise ConfigurationError("An interval needs at least one value.")
    if clusters is None:
        return numbers, np.arange(len(numbers))
    labels = np.asarray(clusters)
    if labels.shape != numbers.shape:
        raise ConfigurationError("An interval needs one cluster label per value.")
    return numbers, np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _needs_laplace(fit: Fit) -> BoolArray:
    _, wins, _, losses = fit.compared
    few = (fit.tally.games < FEW_GAMES) | (fit.clusters < 2)
    if fit.groups is not None:
        few = few | (fit.groups < FEW_GAMES)
    return np.asarray(few | (wins == 0) | (losses == 0) | ~fit.connections.main, np.bool_)


def _fewest_clusters(fit: Fit) -> int:
    return 2 if fit.groups is None else FEW_GAMES


def _pairs(fit: Fit) -> tuple[FloatArray, BoolArray]:
    needs = _needs_laplace(fit)
    either = needs[:, None] | needs[None, :]
    size = len(fit.entrants)
    return _choose(fit, _spread(fit.laplace[:size, :size]), _spread(fit.clustered[:size, :size]), either)


def _spread(covariance: FloatArray) -> FloatArray:
    own = np.diag(covariance)
    return own[:, None] + own[None, :] - covariance - covariance.T


def _choose(fit: Fit, laplace: FloatArray, clustered: FloatArray, need: BoolArray) -> tuple[FloatArray, BoolArray]:
    """Standard errors, and where they are Laplace's."""
    if fit.groups is not None:
        # A clustered variance from few clusters is too small more often than not, and telling where it is the larger.
        need = need & (clustered < laplace)
    by_laplace = need | (clustered < _NO_SPREAD * laplace)
    return np.sqrt(np.maximum(np.where(by_laplace, laplace, clustered), 0.0)), by_laplace
