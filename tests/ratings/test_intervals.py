from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import mean_interval, proportion_interval, score_interval


def test_mean_of_independent_values_is_students() -> None:
    values = np.random.default_rng(6).normal(size=17)
    interval = mean_interval(values, level=0.9)
    expected = stats.t.interval(0.9, 16, values.mean(), stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx(expected)


def test_equal_clusters_are_their_means() -> None:
    values = np.random.default_rng(7).normal(size=24)
    interval = mean_interval(values, np.repeat(list("abcdefgh"), 3))
    means = values.reshape(8, 3).mean(axis=1)
    assert (interval.low, interval.high) == pytest.approx(stats.t.interval(0.95, 7, means.mean(), stats.sem(means)))


def test_one_cluster_knows_nothing_about_spread() -> None:
    assert mean_interval([1.0, 0.0], [3, 3])[1:3] == (-math.inf, math.inf)
    assert score_interval([1.0, 0.0], [3, 3]).kind == "wilson"


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(case: tuple[int, int]) -> None:
    wins, trials = case
    interval = proportion_interval(wins, trials)
    expected = stats.binomtest(wins, trials).proportion_ci(0.95, method="wilson")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert interval.low < interval.high


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 5)), min_size=1, max_size=30),
    st.floats(0.5, 0.999),
)
def test_score_intervals_are_never_empty(rows: list[tuple[float, int]], level: float) -> None:
    values, clusters = zip(*rows, strict=True)
    interval = score_interval(values, clusters, level=level)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.high - interval.low > 1e-6


def test_bad_input() -> None:
    with pytest.raises(ConfigurationError, match="at least one value"):
        mean_interval([])
    with pytest.raises(ConfigurationError, match="one cluster label per value"):
        mean_interval([1.0], [1, 2])
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        mean_interval([1.0], level=95)
    for successes, trials in ((0, 0), (3, 2), (-1, 2)):
        with pytest.raises(ConfigurationError, match="proportion"):
            proportion_interval(successes, trials)
