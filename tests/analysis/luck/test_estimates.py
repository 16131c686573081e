"""Taking luck out must not change means, and intervals must stay true."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ludometer.analysis.luck import FEWEST_GROUPS, adjusted_mean, adjusted_values, variance_ratio
from ludometer.core import ConfigurationError
from ludometer.ratings import mean_interval


def games(seed: int, groups: int, share: float = 0.7, size: int = 2) -> tuple[np.ndarray, ...]:
    """Results with a known mean of 0.3, of which ``share`` of the variance is the first of two terms."""
    draw = np.random.default_rng(seed)
    luck = draw.standard_normal((groups * size, 2))
    shared = np.repeat(draw.standard_normal(groups), size)
    y = 0.3 + np.sqrt(share) * luck[:, 0] + np.sqrt((1 - share) / 2) * (shared + draw.standard_normal(groups * size))
    return y, luck, np.zeros(groups * size), np.repeat(np.arange(groups), size)


def test_the_mean_stays_and_the_spread_shrinks_on_100000_matches() -> None:
    y, luck, player, group = games(1, 50_000)
    adjusted = adjusted_values(y, luck, player, group)
    ratio = variance_ratio(y, adjusted, player, group)
    # What is left: (1 - share) of the variance, of which half is common to the two matches of a group.
    assert ratio.value == pytest.approx(0.45 / (0.7 + 0.45), abs=0.01)
    assert ratio.low < 0.45 / 1.15 < ratio.high
    interval = mean_interval(adjusted, group)
    assert abs(adjusted.mean() - 0.3) < 3 * (interval.high - interval.value) / 1.96
    assert interval.high - interval.low < 0.7 * np.diff(mean_interval(y, group)[1:3])[0]


def test_the_multiple_for_a_group_is_not_taken_from_the_group() -> None:
    y, luck, player, group = games(2, 40)
    base = adjusted_values(y, luck, player, group)
    changed = y.copy()
    changed[group == 7] += 5.0
    moved = adjusted_values(changed, luck, player, group)
    # Its own result moves by what was added and by nothing else; others have another multiple now.
    assert moved[group == 7] == pytest.approx(base[group == 7] + 5.0)
    assert not np.allclose(moved[group == 8], base[group == 8])


def test_small_runs_are_unbiased_and_intervals_cover() -> None:
    """A multiple estimated on the results themselves would be biased here: luck is skewed, and acts by its square."""
    means, hits, runs = [], 0, 600
    for seed in range(runs):
        draw = np.random.default_rng(seed)
        luck = draw.exponential(1.0, (30, 1)) - 1.0
        y = luck[:, 0] ** 2 + luck[:, 0] + draw.standard_normal(30)
        adjusted = adjusted_values(y, luck, np.zeros(30), np.arange(30))
        interval = mean_interval(adjusted)
        means.append(interval.value)
        hits += interval.low <= 1.0 <= interval.high
    error = np.std(means) / np.sqrt(runs)
    assert abs(np.mean(means) - 1.0) < 3.5 * error
    assert hits / runs > 0.85  # skewed results: plain intervals miss more than 5% as well

    covered = 0
    for seed in range(runs):
        y, luck, player, group = games(10_000 + seed, 40)
        interval = mean_interval(adjusted_values(y, luck, player, group), group)
        covered += interval.low <= 0.3 <= interval.high
    assert 0.92 < covered / runs < 0.98


def test_luck_that_cancels_within_groups_is_left_alone() -> None:
    draw = np.random.default_rng(3)
    half = draw.standard_normal((50, 1))
    luck = np.stack([half, -half], axis=1).reshape(100, 1)
    y = luck[:, 0] + draw.standard_normal(100)
    adjusted = adjusted_values(y, luck, np.zeros(100), np.repeat(np.arange(50), 2))
    assert adjusted == pytest.approx(y)


def test_too_few_groups_are_refused() -> None:
    y, luck, player, group = games(4, FEWEST_GROUPS - 1)
    with pytest.raises(ConfigurationError, match="play more repeats"):
        adjusted_values(y, luck, player, group)


# ------------------------------------------------------------------------------- intervals


@given(st.integers(0, 10_000), st.integers(3, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_ends_of_intervals_are_quantiles_of_the_transformed_mean(seed: int, groups: int, level: float) -> None:
    """Forward, as Hall has it: both ends of the interval, put in for the mean, come out as quantiles of t."""
    values = np.random.default_rng(seed).exponential(1.0, groups) ** 2
    found = adjusted_mean(values, np.arange(groups), level=level)
    skew = stats.skew(values)
    quantile = stats.t.ppf((1 + level) / 2, groups - 1)
    for end, wanted in ((found.low, quantile), (found.high, -quantile)):
        x = (values.mean() - end) / values.std(ddof=1)
        transformed = x + skew * x**2 / 3 + skew**2 * x**3 / 27 + skew / (6 * groups)
        assert transformed * math.sqrt(groups) == pytest.approx(wanted, rel=1e-6)
    assert found.low < found.value < found.high and found.value == pytest.approx(values.mean())
    if abs(skew) > 0.1:
        assert (found.high - found.value > found.value - found.low) == (skew > 0)
    mirrored = adjusted_mean(-values, np.arange(groups), level=level)
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))


def test_without_skewness_it_is_students_interval() -> None:
    values = np.array([1.0, -1.0, 3.0, -3.0, 0.5, -0.5, 0.0, 0.0])
    group = np.array([0, 1, 2, 3, 4, 5, 6, 7])
    assert adjusted_mean(values, group) == mean_interval(values, group)
    assert adjusted_mean([1.0, 1.0, 1.0], [0, 1, 2]) == mean_interval([1.0, 1.0, 1.0], [0, 1, 2])
    assert adjusted_mean([1.0, 0.0], [3, 3]).high == math.inf


def test_matches_of_a_group_count_as_one() -> None:
    values = np.random.default_rng(8).exponential(1.0, 20)
    once = adjusted_mean(values, np.arange(20))
    assert adjusted_mean(np.repeat(values, 3), np.repeat(np.arange(20), 3)) == pytest.approx((*once[:3], once.kind))


def test_rare_results_on_one_side_are_covered() -> None:
    """As in Kuhn poker with its luck taken out: one result in twelve is far below all others."""
    draw = np.random.default_rng(9)
    hits, students, runs = 0, 0, 1500
    for _ in range(runs):
        values = draw.choice([0.416, 0.584, -0.416], 50, p=[0.5, 0.416, 0.084])
        truth = 0.5 * 0.416 + 0.416 * 0.584 - 0.084 * 0.416
        found, plain = adjusted_mean(values, np.arange(50)), mean_interval(values)
        hits += found.low <= truth <= found.high
        students += plain.low <= truth <= plain.high
    assert students / runs < 0.93 < 0.94 < hits / runs < 0.99
