"""What the next meeting of two entrants is worth, against formulas written out and against exact refits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from ludometer.ratings import Games, fit, probability_better
from ludometer.ratings.allocation import Strengths, order_gain, pair_numbers, posterior, spread, variance_gain
from ludometer.ratings.covariance import effective_clusters, small_sample
from ludometer.ratings.scale import POINTS


def games(count: int = 300, n: int = 5, seed: int = 0) -> Games:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, n, count)
    second = (first + rng.integers(1, n, count)) % n
    score = rng.choice([0.0, 0.5, 1.0], count, p=[0.3, 0.2, 0.5])
    game = rng.integers(0, 2, count)
    return Games.from_arrays(list("abcdefgh"[:n]), first, second, score, titles=("one", "two"), game=game)


def test_the_strengths_are_those_of_the_rating_table() -> None:
    known, table = posterior(games()), fit(games(), mean=0.0)
    assert known.mean * POINTS == pytest.approx(table.points)
    assert known.covariance * POINTS**2 == pytest.approx(table.laplace[:5, :5])
    one, other = pair_numbers(5)
    difference, v = known.mean[one] - known.mean[other], known.covariance
    better = norm.cdf(difference / np.sqrt(v[one, one] + v[other, other] - 2 * v[one, other]))
    # In 300 games the table takes the clustered errors, which are of about the same size.
    assert better == pytest.approx(probability_better(table)[one, other], abs=0.05)


def test_before_any_game_everybody_is_alike() -> None:
    known = posterior(Games.from_arrays(list("abcd"), [], [], []))
    assert known.mean.tolist() == [0.0] * 4
    for gain in (order_gain(known, 2), variance_gain(known, 2)):
        assert gain == pytest.approx(np.full(6, gain[0])) and gain[0] > 0


def test_what_a_meeting_saves_is_what_a_refit_with_it_saves() -> None:
    """Sherman and Morrison's formula against the inverse of the information with the meeting added."""
    known = posterior(games())
    one, other = pair_numbers(5)
    center = np.eye(5) - 0.2
    precise = np.linalg.inv(known.covariance + np.ones((5, 5)) / 5)
    for i, (a, b) in enumerate(zip(one, other, strict=True)):
        contrast = np.eye(5)[a] - np.eye(5)[b]
        d = contrast @ known.mean
        learned = 2 * np.exp(d) / (1 + np.exp(d)) ** 2
        after = center @ np.linalg.inv(precise + learned * np.outer(contrast, contrast)) @ center
        assert variance_gain(known, 2)[i] == pytest.approx(np.trace(known.covariance) - np.trace(after))
        v, left = contrast @ known.covariance @ contrast, contrast @ after @ contrast
        wrong = norm.cdf(-abs(d) / np.sqrt(v))
        assert order_gain(known, 2)[i] == pytest.approx(wrong * (v - left) / v)


def test_close_entrants_gain_most_for_the_order_and_unknown_ones_for_the_variance() -> None:
    known = Strengths(np.array([1.0, 0.95, -1.95]), np.diag([0.02, 0.02, 0.02]) - 0.02 / 3)
    assert order_gain(known, 2).argmax() == 0  # a and b
    unknown = Strengths(np.zeros(3), np.diag([0.01, 0.01, 0.5]))
    assert variance_gain(unknown, 2).argmin() == 0  # a and b are known


weights = st.lists(st.floats(0, 1e3) | st.just(0.0), min_size=1, max_size=30).filter(lambda w: sum(w) > 1e-3)


@given(weights, st.integers(0, 200), st.floats(0, 1, exclude_max=True))
def test_every_weight_gets_its_share_rounded_down_or_up(weights: list[float], count: int, at: float) -> None:
    units = spread(np.array(weights), count, at)
    assert units.sum() == count
    share = np.array(weights) * count / sum(weights)
    assert (units >= np.floor(share - 1e-6)).all() and (units <= np.ceil(share + 1e-6)).all()


def test_shares_are_right_on_average() -> None:
    parts = np.array([0.5, 0.2, 0.3, 0.0])
    mean = np.mean([spread(parts, 3, at) for at in (np.arange(2000) + 0.5) / 2000], axis=0)
    assert mean == pytest.approx(3 * parts, abs=0.01)


def test_effective_clusters() -> None:
    from scipy import sparse

    learned = sparse.csr_array(np.array([[1.0, 0.0], [1.0, 2.0]]))
    counts = sparse.csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    assert effective_clusters(learned, np.array([2.0, 2.0]), counts).tolist() == [4.0, 2.0]
    assert effective_clusters(learned, np.array([3.0, 5.0]), None).tolist() == [8.0, 5.0]
    # One cluster of nine games and nine of one: (9 + 9)^2 / (81 + 9).
    uneven = sparse.csr_array(np.array([[9.0]] + [[1.0]] * 9))
    assert effective_clusters(sparse.csr_array(np.ones((1, 1))), np.ones(1), uneven) == pytest.approx([3.6])


def test_small_samples_are_within_two_percent_of_the_quantiles_of_t() -> None:
    from scipy.stats import t

    for clusters in (5, 8, 12, 24, 60, 200):
        exact = t.ppf(0.975, clusters - 1) / norm.ppf(0.975) * np.sqrt(clusters / (clusters - 1))
        assert small_sample(np.array([clusters]))[0] == pytest.approx(exact, rel=0.02)
    assert np.isfinite(small_sample(np.array([0.0, 1.0]))).all()
