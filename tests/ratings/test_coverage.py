"""Do intervals cover the truth as often as they say? Simulated with a known truth and shared luck."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from ludometer.ratings import Games, fit, mean_interval
from ludometer.ratings.intervals import entrant_errors, seat_errors
from ludometer.ratings.scale import POINTS

TRUTH = np.array([120.0, 0.0, -40.0, -80.0])
SEAT = 60.0
RUNS = 400


def duplicate_pairs(rng: np.random.Generator, groups: int) -> Games:
    """Each group plays one deal twice with the seats swapped; the deal favours a seat.

    The luck enters through a Gaussian copula, so that each single game still follows Bradley-Terry exactly.
    """
    one = rng.integers(0, 4, groups)
    two = (one + rng.integers(1, 4, groups)) % 4
    first, second = np.stack([one, two], 1).ravel(), np.stack([two, one], 1).ravel()
    luck = np.repeat(rng.normal(size=groups), 2)
    uniform = norm.cdf(np.sqrt(0.9) * luck + np.sqrt(0.1) * rng.normal(size=2 * groups))
    won = uniform < expit((TRUTH[first] - TRUTH[second] + SEAT) / POINTS)
    cluster = np.repeat(np.arange(groups), 2)
    return Games.from_arrays(list("abcd"), first, second, won.astype(float), cluster=cluster)


def without_groups(games: Games) -> Games:
    return Games.from_arrays(games.entrants, games.first, games.second, games.score)


@pytest.mark.slow
def test_clustered_rating_intervals_cover_and_independent_ones_do_not() -> None:
    rng = np.random.default_rng(20)
    strength: dict[str, list[bool]] = {"clustered": [], "independent": []}
    seat: dict[str, list[bool]] = {"clustered": [], "independent": []}
    for _ in range(RUNS):
        games = duplicate_pairs(rng, 150)
        for kind, data in (("clustered", games), ("independent", without_groups(games))):
            result = fit(data, prior=None, mean=0)
            errors, kinds = entrant_errors(result)
            assert set(kinds) == {"clustered"}
            strength[kind] += (np.abs(result.points - TRUTH) < 1.96 * errors).tolist()
            seat[kind].append(bool(abs(result.seat_points[0] - SEAT) < 1.96 * seat_errors(result)[0][0]))
    assert 0.93 < np.mean(strength["clustered"]) < 0.97
    assert 0.92 < np.mean(seat["clustered"]) < 0.98
    # Swapped seats cancel the luck in strength and double it in the seat term: independence is wrong both ways.
    assert np.mean(strength["independent"]) > 0.98
    assert np.mean(seat["independent"]) < 0.91


@pytest.mark.slow
def test_clustered_means_cover_and_independent_ones_do_not() -> None:
    rng = np.random.default_rng(21)
    labels = np.repeat(np.arange(25), 8)
    hits: dict[str, list[bool]] = {"clustered": [], "independent": []}
    for _ in range(1500):
        shift = norm.ppf(0.3)
        luck = np.sqrt(0.5) * np.repeat(rng.normal(size=25), 8) + np.sqrt(0.5) * rng.normal(size=200)
        scores = (luck < shift).astype(float)
        for kind, interval in (
            ("clustered", mean_interval(scores, labels)),
            ("independent", mean_interval(scores)),
        ):
            hits[kind].append(interval.low < 0.3 < interval.high)
    assert 0.93 < np.mean(hits["clustered"]) < 0.97
    assert np.mean(hits["independent"]) < 0.85
