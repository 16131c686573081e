"""Betting e-processes: Ville's inequality, growth, hand cases, and what the confidence sequence promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import ConfigurationError
from ludometer.ratings.sequential import (
    BETS,
    EProcess,
    bounds,
    log_e_values,
    points_of_score,
    score_of_points,
    side_level,
    top_level,
)

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=60)
ANY = st.lists(st.floats(0, 1), max_size=40)


def test_bets_are_fractions_that_never_ruin() -> None:
    assert np.all((BETS > 0) & (BETS < 1))
    process = EProcess(0.5)
    for _ in range(200):
        process.add(0.0)
    assert math.isfinite(process.log_value) and process.log_peak == 0.0


def test_one_score_by_hand() -> None:
    # A win doubles what was staked at even odds: the wealth is the mean of 1 + bet.
    process = EProcess(0.5)
    process.add(1.0)
    assert math.exp(process.log_value) == pytest.approx(1 + BETS.mean())
    process.add(0.5)  # nothing is won or lost
    assert math.exp(process.log_value) == pytest.approx(1 + BETS.mean())
    assert process.count == 2


@given(SCORES, st.sampled_from([0.3, 0.5, 0.57]))
def test_one_by_one_is_the_same_as_all_at_once(scores: list[float], mean: float) -> None:
    process, values = EProcess(mean), log_e_values(scores, mean)
    for score, value in zip(scores, values, strict=True):
        process.add(score)
        assert process.log_value == pytest.approx(value, abs=1e-9)
    assert process.log_peak == pytest.approx(max([0.0, *values]), abs=1e-9)


@given(st.floats(0.02, 0.98), st.integers(0, 6))
def test_the_wealth_is_a_martingale_where_the_mean_is_the_hypothesis(mean: float, steps: int) -> None:
    """Exactly: the expectation over all sequences of wins and losses is 1 at every length."""
    total = 0.0
    for outcome in range(2**steps):
        wins = [float(outcome >> i & 1) for i in range(steps)]
        probability = math.prod(mean if win else 1 - mean for win in wins)
        total += probability * (math.exp(log_e_values(wins, mean)[-1]) if steps else 1.0)
    assert total == pytest.approx(1.0, abs=1e-9)


@given(ANY, st.floats(0.05, 0.9), st.floats(0.01, 0.05))
def test_a_higher_hypothesis_is_harder_to_reject(scores: list[float], mean: float, more: float) -> None:
    low, high = log_e_values(scores, mean), log_e_values(scores, mean + more)
    assert np.all(low >= high - 1e-9)


def test_ville_under_continuous_peeking() -> None:
    """Fair pairs, looked at after every one: the share that ever reaches 1 / level stays below the level."""
    rng = np.random.default_rng(1)
    scores = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], (2000, 400), p=[0.05, 0.2, 0.5, 0.2, 0.05])
    peaks = log_e_values(scores, 0.5).max(axis=1)
    for level in (0.2, 0.05):
        share = float((peaks >= math.log(1 / level)).mean())
        assert 0 < share <= level + 3 * math.sqrt(level * (1 - level) / 2000)
    z = np.abs(np.cumsum(scores - 0.5, 1)) / np.sqrt(np.cumsum((scores - 0.5) ** 2, 1) + 1e-9)
    assert (z[:, 10:] > 1.96).any(axis=1).mean() > 0.2  # what a test for one look does to the same looks


@pytest.mark.parametrize("mean", [0.55, 0.65, 0.8])
def test_growth_reaches_that_of_the_best_bet(mean: float) -> None:
    """Kelly (1956): with wins and losses the best bet grows by the relative entropy to a fair coin per game. A mixture
    is behind by a constant, but for its grid."""
    rng = np.random.default_rng(2)
    best = mean * math.log(2 * mean) + (1 - mean) * math.log(2 * (1 - mean))
    games = 4000
    wins = (rng.random((20, games)) < mean).astype(float)
    growth = log_e_values(wins, 0.5)[:, -1] / games
    seen = wins.mean(axis=1)
    at_most = seen * np.log(2 * seen) + (1 - seen) * np.log(2 * (1 - seen))
    assert np.all(growth <= at_most + 1e-12)
    assert growth.mean() == pytest.approx(best, rel=0.1, abs=4 / games)


def test_bounds_by_hand() -> None:
    assert bounds([]) == pytest.approx((0.0, 1.0))
    won = bounds([1.0] * 40)
    assert 0.8 < won.low < 1.0 and won.high == pytest.approx(1.0)
    low, high = bounds([0.5] * 400)
    assert 0.46 < low < 0.5 < high < 0.54
    assert low + high == pytest.approx(1.0, abs=1e-5)


@given(SCORES)
def test_bounds_are_symmetric_and_shrink(scores: list[float]) -> None:
    low, high = bounds(scores)
    turned = bounds([1 - score for score in scores])
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((low, high), abs=1e-5)
    further = bounds([*scores, 0.25])
    assert further.low >= low - 1e-5 and further.high <= high + 1e-5
    wide = bounds(scores, 0.01)
    assert wide.low <= low + 1e-5 and wide.high >= high - 1e-5


def test_bounds_hold_the_mean_at_all_times() -> None:
    rng = np.random.default_rng(3)
    scores = rng.choice([0.0, 0.5, 1.0], (1500, 150), p=[0.2, 0.3, 0.5])
    threshold = math.log(2 / 0.1)
    out = (log_e_values(scores, 0.65).max(axis=1) >= threshold) | (
        log_e_values(1 - scores, 0.35).max(axis=1) >= threshold
    )
    assert out.mean() <= 0.1 + 3 * math.sqrt(0.09 / 1500)
    for row in range(0, 1500, 300):  # the same by the bounds themselves
        found = bounds(scores[row], 0.1)
        assert (found.low <= 0.65 <= found.high) == (not out[row])


def test_scale() -> None:
    assert score_of_points(0) == 0.5
    assert score_of_points(400) == pytest.approx(10 / 11)
    assert points_of_score(score_of_points(73.0)) == pytest.approx(73.0)
    assert (points_of_score(0.0), points_of_score(1.0)) == (-math.inf, math.inf)


def test_levels() -> None:
    assert side_level(0.05, 1, 0) == 0.025
    assert side_level(0.05, 78, 0) == pytest.approx(0.05 / 156)
    assert side_level(0.05, 78, 78) == pytest.approx(0.05 / 78)
    assert top_level(0.05, 2) == 0.025
    assert top_level(0.05, 13, boards=2) == pytest.approx(0.05 / 26)


def test_what_is_no_score() -> None:
    with pytest.raises(ConfigurationError, match="not between 0 and 1"):
        EProcess(0.5).add(1.5)
    with pytest.raises(ConfigurationError, match="not between 0 and 1"):
        EProcess(1.0)
    with pytest.raises(ConfigurationError, match="outside 0 to 1"):
        bounds([0.5, -0.1])
