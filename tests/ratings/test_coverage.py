"""Do intervals cover the truth as often as they say? Simulated with a known truth and shared luck."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from ludometer.ratings import Games, fit, mean_interval
from ludometer.ratings.covariance import small_sample
from ludometer.ratings.intervals import difference_errors, entrant_errors, seat_errors
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


# ---------------------------------------------------------------- more than two


def cover(runs: int, games: int, *, winner_only: bool, seed: int) -> tuple[float, float, set[str]]:
    """How often intervals of centred ratings and of differences hold the truth: 13 models of random strength, five a
    match, placed by Plackett-Luce."""
    ratings, differences, kinds_seen = [], [], set()
    for run in range(runs):
        rng = np.random.default_rng((seed, run))
        truth = rng.normal(0, 120, 13)
        seated = np.stack([rng.permutation(13)[:5] for _ in range(games)])
        scores = truth[seated] / POINTS + rng.gumbel(size=seated.shape)
        if winner_only:
            scores = (scores == scores.max(axis=1, keepdims=True)).astype(np.float64)
        data = Games.from_placements(
            [f"{i:02}" for i in range(13)], seated, scores, equals_tie=np.full(games, not winner_only)
        )
        result = fit(data, ties="davidson")
        truth = truth[[int(name) for name in result.entrants]]
        errors, kinds = entrant_errors(result)
        off = result.points - result.points.mean() - (truth - truth.mean())
        ratings.append(np.abs(off) < 1.96 * errors)
        apart = np.triu_indices(len(off), 1)
        inside = np.abs(off[:, None] - off[None, :]) < 1.96 * difference_errors(result)
        differences.append(inside[apart])
        kinds_seen |= set(kinds)
    return float(np.concatenate(ratings).mean()), float(np.concatenate(differences).mean()), kinds_seen


def test_intervals_of_matches_for_five_cover_roughly() -> None:
    ratings, differences, kinds = cover(120, 300, winner_only=False, seed=1)
    assert kinds == {"clustered"}
    assert 0.91 < ratings < 0.98 and 0.91 < differences < 0.98


@pytest.mark.slow
@pytest.mark.parametrize("winner_only", [False, True])
def test_intervals_of_matches_for_five_cover(winner_only: bool) -> None:
    # Where only the winner is known, a weak model may never win, and then has a Laplace interval.
    ratings, differences, kinds = cover(1200, 300, winner_only=winner_only, seed=2)
    assert "clustered" in kinds
    assert 0.93 < ratings < 0.97 and 0.93 < differences < 0.97


@pytest.mark.slow
def test_taking_the_pairs_of_a_match_for_independent_would_not_cover() -> None:
    hits = []
    for run in range(300):
        rng = np.random.default_rng((3, run))
        truth = rng.normal(0, 120, 13)
        seated = np.stack([rng.permutation(13)[:5] for _ in range(300)])
        scores = truth[seated] / POINTS + rng.gumbel(size=seated.shape)
        pairs = Games.from_placements([f"{i:02}" for i in range(13)], seated, scores)
        result = fit(Games.from_arrays(pairs.entrants, pairs.first, pairs.second, pairs.score))
        off = result.points - result.points.mean() - (truth - truth.mean())
        hits.append(np.abs(off) < 1.96 * entrant_errors(result)[0])
    assert np.mean(hits) < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("winner_only", [False, True])
def test_the_intervals_of_few_matches_for_five_are_wide_enough(winner_only: bool) -> None:
    ratings, differences, kinds = cover(600, 20, winner_only=winner_only, seed=4)
    assert "laplace" in kinds
    assert ratings > 0.95 and differences > 0.95


@pytest.mark.slow
def test_the_intervals_of_few_groups_of_six_seats_are_wide_enough() -> None:
    """Thirteen groups of six matches with the seats rotated: more than enough games each, and about ten groups."""
    inside, uncorrected = [], []
    for run in range(400):
        rng = np.random.default_rng((5, run))
        truth = rng.normal(0, 120, 8)
        seated = np.stack([rng.permutation(8)[:6] for _ in range(13)])
        seated = np.concatenate([np.roll(seated, turn, axis=1) for turn in range(6)])
        scores = truth[seated] / POINTS + rng.gumbel(size=seated.shape)
        result = fit(Games.from_placements(list("abcdefgh"), seated, scores, cluster=np.tile(np.arange(13), 6)))
        off = np.abs(result.points - result.points.mean() - (truth - truth.mean()))
        inside.append(off < 1.96 * entrant_errors(result)[0])
        assert result.groups is not None
        uncorrected.append(off < 1.96 * np.sqrt(np.diag(result.clustered)[:8]) / small_sample(result.groups))
    assert np.mean(inside) > 0.94
    assert np.mean(uncorrected) < 0.94
