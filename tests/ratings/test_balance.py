"""Joint fits in which every game weighs the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from ludometer.ratings import Games, difference_covariance, difference_errors, fit, rate
from ludometer.ratings.balance import equal_weights
from ludometer.ratings.cells import count_cells
from ludometer.ratings.scale import POINTS

STRENGTHS = {"a": 0.6, "b": 0.0, "c": -0.4}


def rows(game: str, n: int, seed: int, strengths: dict[str, float] = STRENGTHS, **more) -> list[dict]:
    """``n`` games of random pairs, one duplicate group each."""
    random = np.random.default_rng(seed)
    found = []
    for i in range(n):
        one, other = random.permutation(list(strengths))[:2]
        won = random.random() < expit(strengths[one] - strengths[other])
        found.append(
            {"player_1": one, "player_2": other, "score_1": float(won), "game": game, "group": f"{game}{i}", **more}
        )
    return found


def test_every_game_has_the_same_weight_in_sum():
    games = Games.from_records([*rows("short", 40, 1), *rows("long", 360, 2)])
    weights = dict(zip(games.titles, equal_weights(games, count_cells(games)), strict=True))
    assert weights == {"short": pytest.approx(5.0), "long": pytest.approx(200 / 360)}
    assert 40 * weights["short"] == pytest.approx(360 * weights["long"]) == pytest.approx(200)
    assert fit(games, balance=True).balance == (("long", weights["long"]), ("short", weights["short"]))
    assert fit(games).balance == ()


def test_the_estimates_are_those_of_games_that_were_counted_so_often():
    short, long = rows("short", 40, 1), rows("long", 360, 2)
    balanced = fit(Games.from_records([*short, *long]), balance=True)
    counted = Games.from_records(
        [*({**row, "weight": 5.0} for row in short), *({**row, "weight": 200 / 360} for row in long)]
    )
    assert balanced.points == pytest.approx(fit(counted).points)
    assert balanced.tally.games.sum() == 2 * 400, "games are still counted as games"


def test_playing_one_game_more_often_does_not_move_the_estimates():
    short, long = rows("short", 60, 3), rows("long", 60, 4)
    once = fit(Games.from_records([*short, *long]), balance=True, prior=None)
    often = [{**row, "group": f"{row['group']}/{i}"} for i in range(9) for row in long]
    again = fit(Games.from_records([*short, *often]), balance=True, prior=None)
    assert again.points == pytest.approx(once.points, abs=1e-6)
    assert fit(Games.from_records([*short, *often]), prior=None).points != pytest.approx(once.points, abs=5)


def test_games_that_were_played_equally_often_are_fitted_as_ever():
    games = Games.from_records([*rows("one", 90, 5), *rows("two", 90, 6)])
    plain, balanced = fit(games, ties="davidson"), fit(games, ties="davidson", balance=True)
    for what in ("points", "laplace", "clustered", "seat_points"):
        assert getattr(balanced, what) == pytest.approx(getattr(plain, what)), what


def test_the_laplace_covariance_by_hand():
    """H^-1 (sum of w^2 I + P) H^-1, from the definition, for two entrants without seat terms."""
    records = [{"player_1": "a", "player_2": "b", "score_1": float(i % 3 > 0), "game": "x"} for i in range(30)]
    records += [{"player_1": "a", "player_2": "b", "score_1": float(i % 2), "game": "y"} for i in range(10)]
    fitted = fit(Games.from_records(records), balance=True, seat=False)
    d = (fitted.points[0] - fitted.points[1]) / POINTS
    each, prior = expit(d) * expit(-d), (POINTS / fitted.prior) ** 2
    # Along the difference of two strengths: information I counts 2 I, the prior once.
    bread = 2 * (30 * (20 / 30) + 10 * 2.0) * each + prior
    middle = 2 * (30 * (20 / 30) ** 2 + 10 * 2.0**2) * each + prior
    expected = 2 * middle / bread**2 * POINTS**2
    (variance,), _ = difference_covariance(fitted, ["b", "a"])
    laplace = fitted.laplace[0, 0] + fitted.laplace[1, 1] - 2 * fitted.laplace[0, 1]
    assert laplace == pytest.approx(expected)
    assert variance[0] > 0


def test_intervals_are_as_wide_as_the_estimates_spread():
    """Weights are no games: five times the weight is not five times the evidence."""
    found, errors = [], []
    for seed in range(150):
        games = Games.from_records([*rows("short", 40, 2 * seed), *rows("long", 400, 2 * seed + 1)])
        fitted = fit(games, balance=True, prior=None)
        a, c = fitted.index("a"), fitted.index("c")
        found.append(fitted.points[a] - fitted.points[c])
        errors.append(difference_errors(fitted)[a, c])
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.2)
    plain = [difference_errors(fit(games, prior=None))[a, c]]
    assert np.mean(errors) > 1.3 * plain[0], "the short game's noise weighs as much as the long one's"


def test_self_play_and_games_without_a_comparison_have_no_weight():
    games = Games.from_records(
        [*rows("one", 20, 7), *({"player_1": "a", "player_2": "a", "score_1": 1.0, "game": "mirror"} for _ in range(9))]
    )
    fitted = fit(games, balance=True)
    assert [title for title, _ in fitted.balance] == ["one"]


def test_the_method_says_so():
    games = Games.from_records([*rows("one", 40, 8), *rows("two", 40, 9)])
    assert "the same weight for every game" in rate(games, balance=True).method
    assert "same weight" not in rate(games).method


def test_the_joint_covariance_of_steps_agrees_with_pairs():
    games = Games.from_records(rows("one", 200, 10))
    fitted = fit(games)
    covariance, kind = difference_covariance(fitted, ["c", "b", "a"])
    errors = difference_errors(fitted)
    names = [fitted.index(name) for name in "cba"]
    assert kind == "clustered"
    assert covariance[0, 0] == pytest.approx(errors[names[0], names[1]] ** 2)
    assert covariance[1, 1] == pytest.approx(errors[names[1], names[2]] ** 2)
    assert covariance.sum() == pytest.approx(errors[names[0], names[2]] ** 2), "c to a is the sum of both steps"
