"""Intervals for ratings, means and proportions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, t

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.bradley_terry import Fit
from ludometer.ratings.dispersion import FEW_GAMES
from ludometer.ratings.games import FloatArray, IntArray

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

IntervalKind = Literal["clustered", "pooled", "laplace", "anchor"]

_KINDS: Final[tuple[IntervalKind, ...]] = ("clustered", "pooled", "laplace")
"""In the order in which they give way: of two entrants the later one counts."""
_CLUSTERED, _POOLED, _LAPLACE = range(3)

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

    Laplace for an entrant that never lost, never won, or sits outside the main group of its component (see
    :class:`~ludometer.ratings.connections.Connections`). With under 30 games, pooled where games share their luck and
    there are enough of them (see :mod:`ludometer.ratings.dispersion`), else Laplace. Clustered otherwise. Where games
    have more than two seats, losing and winning is that of pairs of seats, Laplace is also taken for an entrant in
    under 30 clusters, and in each of these cases only where it is the wider one. An anchor is exact by definition, and
    the others are then as uncertain as their difference from it.
    """
    size = len(fit.entrants)
    errors, chosen = _choose(fit, lambda covariance: np.diag(covariance)[:size], _needs(fit))
    kinds = _named(chosen)
    if fit.anchor is not None:
        anchor = fit.index(fit.anchor[0])
        pairs, pair_kinds = _pairs(fit)
        for i in np.flatnonzero(fit.connections.component == fit.connections.component[anchor]):
            errors[i] = pairs[i, anchor]
            kinds[i] = _KINDS[pair_kinds[i, anchor]]
        errors[anchor], kinds[anchor] = 0.0, "anchor"
    return errors, tuple(kinds)


def difference_errors(fit: Fit) -> FloatArray:
    """Standard errors of all rating differences from the joint covariance, shape (n, n), in points.

    Laplace where it is needed for either entrant, which includes any two of different groups; else pooled where that is
    for either. NaN for two entrants that cannot be compared; zero on the diagonal.
    """
    errors, _ = _pairs(fit)
    component = fit.connections.component
    errors[component[:, None] != component[None, :]] = np.nan
    np.fill_diagonal(errors, 0.0)
    return errors


def difference_covariance(fit: Fit, names: Sequence[str]) -> tuple[FloatArray, IntervalKind]:
    """Joint covariance of the steps between neighbours of a list of entrants, and its kind.

    Of one kind as a whole, that of the difference with the least behind it (see :func:`difference_errors`).

    Returns:
        Shape (k - 1, k - 1) for k names, in points squared: of (second - first), (third - second), ...

    Raises:
        ConfigurationError: no rated entrant has one of the names.
    """
    places = [fit.index(name) for name in names]
    _, chosen = _pairs(fit)
    within = chosen[np.ix_(places, places)][~np.eye(len(places), dtype=bool)]
    kind = int(within.max(initial=_CLUSTERED))
    whole = (fit.clustered, fit.pooled, fit.laplace)[kind]
    assert whole is not None, "pooled is chosen only where there is one"
    steps = np.diff(np.eye(len(places)), axis=0)
    return np.asarray(steps @ whole[np.ix_(places, places)] @ steps.T), _KINDS[kind]


def seat_errors(fit: Fit) -> tuple[FloatArray, tuple[IntervalKind, ...]]:
    """Standard errors of the seat terms in points, shape (s,), and the kind of each.

    Laplace where only one seat ever won; pooled or Laplace, as for entrants, with under 30 games (or clusters, where
    games have more than two seats).
    """
    n, s = len(fit.entrants), len(fit.seat_titles)
    few = (fit.seat_games < FEW_GAMES) | (fit.clusters < _fewest_clusters(fit))
    need = np.where(fit.seat_decided, np.where(few, _few_kind(fit), _CLUSTERED), _LAPLACE)
    errors, chosen = _choose(fit, lambda covariance: np.diag(covariance)[n : n + s], need)
    return errors, tuple(_named(chosen))


def tie_error(fit: Fit) -> tuple[float, IntervalKind]:
    """Standard error of log(nu) and its kind, for fits with a tie parameter.

    Pooled or Laplace, as for entrants, with under 30 drawn or under 30 decided games (or clusters, where games have
    more than two seats).
    """
    few = min(fit.draws, fit.decided) < FEW_GAMES or fit.clusters < _fewest_clusters(fit)
    need = np.array([_few_kind(fit) if few else _CLUSTERED])
    errors, chosen = _choose(fit, lambda covariance: np.diag(covariance)[-1:], need)
    return float(errors[0]), _named(chosen)[0]


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


def _few_kind(fit: Fit) -> int:
    """What is taken where there are few games."""
    return _LAPLACE if fit.pooled is None or fit.clusters < 2 else _POOLED


def _needs(fit: Fit) -> IntArray:
    """The kind of each entrant by its number, shape (n,)."""
    _, wins, _, losses = fit.compared
    few = (fit.tally.games < FEW_GAMES) | (fit.clusters < 2)
    if fit.groups is not None:
        few = few | (fit.groups < FEW_GAMES)
    never = (wins == 0) | (losses == 0) | ~fit.connections.main
    return np.where(never, _LAPLACE, np.where(few, _few_kind(fit), _CLUSTERED)).astype(np.int64)


def _fewest_clusters(fit: Fit) -> int:
    return 2 if fit.groups is None else FEW_GAMES


def _pairs(fit: Fit) -> tuple[FloatArray, IntArray]:
    needs = _needs(fit)
    size = len(fit.entrants)
    either = np.maximum(needs[:, None], needs[None, :])
    return _choose(fit, lambda covariance: _spread(covariance[:size, :size]), either)


def _spread(covariance: FloatArray) -> FloatArray:
    own = np.diag(covariance)
    return own[:, None] + own[None, :] - covariance - covariance.T


def _choose(fit: Fit, part: Callable[[FloatArray], FloatArray], need: IntArray) -> tuple[FloatArray, IntArray]:
    """Standard errors, and the number of the kind of each.

    Args:
        part: takes variances of the shape of ``need`` out of a covariance.
    """
    laplace, clustered = part(fit.laplace), part(fit.clustered)
    pooled = laplace if fit.pooled is None else part(fit.pooled)
    if fit.groups is not None:
        # A clustered variance from few clusters is too small more often than not, and telling where it is the larger.
        need = np.where(clustered < laplace, need, _CLUSTERED)
    need = np.where((need == _CLUSTERED) & (clustered < _NO_SPREAD * laplace), _LAPLACE, need)
    variance = np.choose(need, (clustered, pooled, laplace))
    return np.sqrt(np.maximum(variance, 0.0)), need


def _named(kinds: IntArray) -> list[IntervalKind]:
    return [_KINDS[kind] for kind in kinds.tolist()]
