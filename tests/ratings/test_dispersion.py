"""Pooled intervals of small tournaments: by hand, beside Laplace, and by how often they hold the truth."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, ndtr

from ludometer.ratings import Games, fit, rate
from ludometer.ratings.intervals import difference_covariance, difference_errors, entrant_errors, seat_errors
from ludometer.ratings.scale import POINTS

NAMES = [f"{number:02}" for number in range(13)]


def with_luck(
    rng: np.random.Generator,
    truth: np.ndarray,
    pairs: list[tuple[int, int]],
    luck: float,
    *,
    exchanged: bool = True,
    draws: float = 0.0,
) -> Games:
    """Two games with common luck for every pair, each as Bradley-Terry has it; the first seat is worth 50 points."""
    one, other = np.array(pairs).T
    common = rng.normal(size=len(pairs)) * math.sqrt(luck)
    rows = []
    for turn in range(2):
        first, second = (other, one) if turn and exchanged else (one, other)
        mean = expit((truth[first] - truth[second] + 50.0) / POINTS)
        half = draws * np.minimum(mean, 1 - mean)
        rank = ndtr(common + math.sqrt(1 - luck) * rng.normal(size=len(pairs)))
        score = np.where(rank < mean - half, 1.0, np.where(rank < mean + half, 0.5, 0.0))
        rows.append((first, second, score, np.arange(len(pairs))))
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
    return Games.from_arrays(NAMES[: len(truth)], *columns[:3], cluster=columns[3])


def everybody(n: int, times: int = 1) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i + 1, n)] * times


def test_pooled_covariance_by_hand() -> None:
    """Group by group with dense matrices, from the formulas of the module."""
    rng = np.random.default_rng(1)
    shared = with_luck(rng, np.array([80.0, 0.0, -20.0, -60.0]), everybody(4, 3), 0.7)
    # Four games with luck of their own, and one game less between the first two.
    first, second = np.append(shared.first[1:], [0, 1, 2, 3]), np.append(shared.second[1:], [1, 2, 3, 0])
    score = np.append(shared.score[1:], [1.0, 0.0, 1.0, 1.0])
    cluster = np.append(shared.clusters[1:], [50, 51, 52, 53])  # type: ignore[index]
    games = Games.from_arrays(NAMES[:4], first, second, score, cluster=cluster)
    result = fit(games, mean=0.0)
    strengths = np.append(result.points, result.seat_points) / POINTS
    design = np.zeros((len(score), 5))
    rows = np.arange(len(score))
    design[rows, first], design[rows, second], design[:, 4] = 1.0, -1.0, 1.0
    expected = expit(design @ strengths)
    scores = design * (score - expected)[:, None]
    known = design[:, :, None] * design[:, None, :] * (expected * (1 - expected))[:, None, None]
    prior = np.eye(5) * (POINTS / 200.0) ** 2
    inverse = np.linalg.inv(known.sum(axis=0) + prior)
    several = [group for group in np.unique(cluster) if (cluster == group).sum() > 1]
    assert len(several) == 17, "one group has lost a game"
    inside = np.isin(cluster, several)
    by_group = np.array([scores[cluster == group].sum(axis=0) for group in several])
    together = known[inside].sum(axis=0)
    used = np.diag(inverse @ together)
    scale = np.ones(5)
    for own in (slice(0, 4), slice(4, 5)):
        ratio = np.square(by_group[:, own]).sum() / np.trace(together[own, own])
        freedom = 17 - used[own].sum()
        phi = 17 / freedom * ratio
        scale[own] = (freedom * phi + 2) / (freedom + 2) * (freedom + 2) / freedom
    assert result.dispersion == pytest.approx(scale[0] * (17 - used[:4].sum()) / (19 - used[:4].sum()))
    root = np.diag(np.sqrt(scale))
    middle = root @ together @ root + known[~inside].sum(axis=0) + prior
    center = np.eye(5)
    center[:4, :4] -= 0.25
    by_all = center @ inverse @ middle @ inverse @ center.T
    groups = [*by_group, *scores[~inside]]
    own = sum(np.outer(score, score) for score in groups) * (22 / 21)
    learned = np.array([np.diag(known[cluster == group].sum(axis=0)) for group in np.unique(cluster)])
    effective = learned.sum(axis=0) ** 2 / np.square(learned).sum(axis=0)
    wider = np.diag(np.sqrt(effective / (effective - 3)))
    by_own = center @ wider @ inverse @ own @ inverse @ wider @ center.T
    weight = effective / (effective + 12)
    averaged = np.sqrt(np.outer(weight, weight)) * by_own + np.sqrt(np.outer(1 - weight, 1 - weight)) * by_all
    averaged = center @ averaged @ center.T
    assert result.pooled == pytest.approx(averaged * POINTS**2, rel=1e-5, abs=1e-3)
    assert entrant_errors(result)[0] == pytest.approx(np.sqrt(np.diag(averaged)[:4]) * POINTS, rel=1e-5)


def test_shared_luck_that_cancels_makes_intervals_shorter_and_that_of_the_seat_wider() -> None:
    games = with_luck(np.random.default_rng(2), np.linspace(150, -150, 13), everybody(13), 0.9)
    table = rate(games)
    assert {row.interval for row in table.rows} == {"pooled"} and max(row.games for row in table.rows) == 24
    assert table.fit.dispersion is not None and 0.3 < table.fit.dispersion < 0.7
    errors, unaware = entrant_errors(table.fit)[0], entrant_errors(replace(table.fit, pooled=None))[0]
    assert errors.mean() < 0.9 * unaware.mean()
    assert "pooled (dispersion 0." in table.method
    few = fit(with_luck(np.random.default_rng(2), np.zeros(13), everybody(13)[:14], 0.9))
    assert seat_errors(few)[1] == ("pooled",)
    assert seat_errors(few)[0][0] > 1.1 * seat_errors(replace(few, pooled=None))[0][0]


def test_common_luck_without_an_exchange_of_seats_makes_intervals_wider() -> None:
    games = with_luck(np.random.default_rng(3), np.linspace(150, -150, 13), everybody(13), 0.95, exchanged=False)
    result = fit(games)
    assert result.dispersion is not None and result.dispersion > 1.4
    assert entrant_errors(result)[0].mean() > 1.15 * entrant_errors(replace(result, pooled=None))[0].mean()


@pytest.mark.parametrize("cluster", [None, np.arange(78)])
def test_single_games_say_nothing_of_dispersion(cluster: np.ndarray | None) -> None:
    pairs = with_luck(np.random.default_rng(4), np.linspace(100, -100, 13), everybody(13), 0.0)
    games = Games.from_arrays(NAMES, pairs.first[:78], pairs.second[:78], pairs.score[:78], cluster=cluster)
    table = rate(games)
    assert table.fit.pooled is None and table.fit.dispersion is None
    assert {row.interval for row in table.rows} == {"laplace"}
    assert not any("common luck" in note for note in table.notes), "there is none"


def test_who_won_everything_keeps_the_laplace_interval_and_the_table_says_what_that_means() -> None:
    rng = np.random.default_rng(5)
    games = with_luck(rng, np.array([3000.0, *np.zeros(8)]), everybody(9), 0.7)
    table = rate(games)
    assert {row.name: row.interval for row in table.rows if row.interval != "pooled"} == {"00": "laplace"}
    assert any("common luck for independent" in note and "95%" in note for note in table.notes)
    assert not any("common luck" in note for note in rate(without(games, "00")).notes)


def without(games: Games, name: str) -> Games:
    number = games.entrants.index(name)
    return games.select((games.first != number) & (games.second != number))


def test_too_few_groups_have_laplace_intervals_and_a_note() -> None:
    games = with_luck(np.random.default_rng(6), np.zeros(3), everybody(3), 0.5)
    table = rate(games)
    assert table.fit.pooled is None and {row.interval for row in table.rows} == {"laplace"}
    assert any("common luck for independent" in note for note in table.notes)
    assert any("Fewer than 20 games (3 of 3 rated)" in note and "200 points" in note for note in table.notes)
    many = rate(with_luck(np.random.default_rng(6), np.zeros(3), everybody(3, 6), 0.5))
    assert not any("Fewer than" in note for note in many.notes)


def test_a_newcomer_to_a_large_tournament_is_pooled_and_nobody_else_changes() -> None:
    rng = np.random.default_rng(7)
    truth = np.linspace(100, -100, 13)
    games = with_luck(rng, truth, [*everybody(12, 2), (12, 0), (12, 3), (12, 6), (12, 9)], 0.7)
    result = fit(games)
    errors, kinds = entrant_errors(result)
    assert kinds == ("clustered",) * 12 + ("pooled",)
    assert errors[:12] == pytest.approx(np.sqrt(np.diag(result.clustered)[:12]))
    assert difference_covariance(result, ["00", "01"])[1] == "clustered"
    assert difference_covariance(result, ["00", "12"])[1] == "pooled"
    assert fit(with_luck(rng, truth, everybody(13, 2), 0.7)).pooled is None, "nobody has few games"


@given(st.integers(0, 10_000), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_order_of_games_and_anchor_change_no_difference(seed: int, anchor: int) -> None:
    rng = np.random.default_rng(seed)
    games = with_luck(rng, rng.normal(0, 120, 4), everybody(4, 2), 0.6)
    result = fit(games)
    shuffled = fit(games.select(rng.permutation(len(games))), anchor=(NAMES[anchor], 0.0))
    assert difference_errors(shuffled) == pytest.approx(difference_errors(result), rel=1e-6)


# ------------------------------------------------------------------------------- coverage


def cover(runs: int, luck: float, **options: float | bool) -> tuple[float, float]:
    """How often intervals hold the truth, and how often Laplace ones do: thirteen with 24 games each."""
    inside, unaware = [], []
    for run in range(runs):
        rng = np.random.default_rng((8, run))
        truth = rng.normal(0, 120, 13)
        result = fit(with_luck(rng, truth, everybody(13), luck, **options), ties="davidson")  # type: ignore[arg-type]
        off = np.abs(result.points - result.points.mean() - (truth - truth.mean()))
        inside.append(off < 1.96 * entrant_errors(result)[0])
        unaware.append(off < 1.96 * entrant_errors(replace(result, pooled=None))[0])
    return float(np.mean(inside)), float(np.mean(unaware))


def test_small_tournaments_with_common_luck_cover() -> None:
    inside, unaware = cover(80, 0.7)
    assert 0.92 < inside < 0.98 < unaware


@pytest.mark.slow
@pytest.mark.parametrize(
    ("luck", "options", "unaware_at_least", "unaware_at_most"),
    [
        (0.0, {}, 0.94, 0.975),
        (0.7, {}, 0.98, 1.0),
        (0.4, {"draws": 1 / 3}, 0.98, 1.0),
        (0.9, {"exchanged": False}, 0.8, 0.92),
    ],
)
def test_small_tournaments_cover_whatever_the_luck(
    luck: float, options: dict[str, float | bool], unaware_at_least: float, unaware_at_most: float
) -> None:
    inside, unaware = cover(500, luck, **options)
    assert 0.93 < inside < 0.973
    assert unaware_at_least < unaware < unaware_at_most
