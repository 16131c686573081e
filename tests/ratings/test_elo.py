from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import Games, elo_ratings, elo_update, expected_score, fit


def games(*results: tuple[str, str, float]) -> Games:
    return Games.from_records({"player_1": a, "player_2": b, "score_1": s} for a, b, s in results)


def test_known_values() -> None:
    assert expected_score(1600, 1400) == pytest.approx(0.759747, abs=5e-7)
    assert elo_update(1500, 1500, 1) == pytest.approx((1516, 1484))
    assert elo_update(1400, 1800, 1)[0] == pytest.approx(1429.091, abs=5e-4)
    assert elo_update(1600, 1400, 0.5)[0] == pytest.approx(1591.688, abs=5e-4)


def test_initial_ratings_by_name() -> None:
    result = elo_ratings(games(("a", "b", 1)), initial={"a": 1400, "b": 1800})
    assert result.ratings == pytest.approx({"b": 1770.909, "a": 1429.091}, abs=5e-4)
    assert list(result.ratings) == ["b", "a"]


def test_trajectory_follows_the_updates() -> None:
    result = elo_ratings(games(("a", "b", 1), ("c", "b", 0), ("b", "a", 0.5)))
    numbers, points = result.trajectory("a")
    a1, b1 = elo_update(1500, 1500, 1)
    _, b2 = elo_update(1500, b1, 0)
    b3, a3 = elo_update(b2, a1, 0.5)
    assert numbers.tolist() == [0, 1, 3]
    assert points == pytest.approx([1500, a1, a3])
    assert result.ratings["b"] == pytest.approx(b3)
    with pytest.raises(ConfigurationError, match="'d'"):
        result.trajectory("d")


def test_self_play_changes_nothing() -> None:
    assert elo_ratings(games(("a", "a", 1), ("a", "b", 1))).ratings["a"] == pytest.approx(1516)


def test_order_matters_to_elo_and_not_to_bradley_terry() -> None:
    block = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
    one = games(*[game for game in block for _ in range(4)])
    other = games(*[game for game in reversed(block) for _ in range(4)])
    first, second = elo_ratings(one).ratings, elo_ratings(other).ratings
    assert abs(first["a"] - second["a"]) > 20
    assert fit(one).points == pytest.approx(fit(other).points, abs=1e-9)
    # A circle: nobody is better than anybody.
    assert fit(one).points == pytest.approx([1500, 1500, 1500], abs=1e-6)
    assert "depends on the order" in elo_ratings(one).method


def test_counts_have_no_order_and_are_refused() -> None:
    cells = Games.from_cells([{"player_1": "a", "player_2": "b", "wins_1": 3, "wins_2": 1}])
    with pytest.raises(ConfigurationError, match="one by one"):
        elo_ratings(cells)
    with pytest.raises(ConfigurationError, match="positive K"):
        elo_ratings(games(("a", "b", 1)), k=0)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0])), min_size=1))
def test_points_are_only_passed_on(results: list[tuple[int, int, float]]) -> None:
    first, second, score = (np.array(column) for column in zip(*results, strict=True))
    result = elo_ratings(Games.from_arrays(["a", "b", "c", "d"], first, second, score))
    assert result.final.sum() == pytest.approx(6000)
    for name, points in result.ratings.items():
        assert result.trajectory(name)[1][-1] == pytest.approx(points)
