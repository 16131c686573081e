from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import Games, difference_errors, expected_scores, fit, probability_better, rank_ranges


def cells(*rows: tuple[str, str, int, int, int]) -> Games:
    names = ("player_1", "player_2", "wins_1", "wins_2", "draws")
    both = [row for one, two, w, lo, d in rows for row in ((one, two, w, lo, d), (two, one, lo, w, d))]
    return Games.from_cells(dict(zip(names, row, strict=True)) for row in both)


def test_clear_cut_ranks_are_single_and_open_ones_ranges() -> None:
    result = fit(cells(("a", "b", 51, 49, 0), ("a", "c", 90, 10, 0), ("b", "c", 90, 10, 0)))
    assert rank_ranges(result).tolist() == [[1, 2], [1, 2], [3, 3]]


def test_ranks_use_the_interval_of_the_difference() -> None:
    """a and b met often, the rest rarely: their own intervals overlap while their difference is clear."""
    result = fit(cells(("a", "b", 330, 250, 0), ("b", "c", 4, 3, 0)))
    half = 1.96 * np.sqrt(np.diag(result.laplace)[:2])
    assert result.points[0] - half[0] < result.points[1] + half[1]
    assert rank_ranges(result)[:2, 0].tolist() == [1, 2]


def test_level_widens_ranks() -> None:
    result = fit(cells(("a", "b", 60, 40, 0)))
    assert rank_ranges(result, level=0.9).tolist() == [[1, 1], [2, 2]]
    assert rank_ranges(result, level=0.99999).tolist() == [[1, 2], [1, 2]]


def test_probability_better() -> None:
    result = fit(cells(("a", "b", 60, 40, 0), ("b", "c", 50, 50, 0), ("x", "y", 3, 2, 0)))
    better = probability_better(result)
    assert np.diag(better) == pytest.approx(np.full(5, 0.5))
    inside = better[:3, :3]
    assert inside + inside.T == pytest.approx(np.ones((3, 3)))
    assert np.isnan(better[:3, 3:]).all()
    error = difference_errors(result)[0, 1]
    assert better[0, 1] == pytest.approx(norm.cdf((result.points[0] - result.points[1]) / error))


def test_expected_scores() -> None:
    result = fit(cells(("a", "b", 75, 25, 0), ("x", "y", 1, 1, 0)), prior=None)
    expected = expected_scores(result)
    assert expected[0, 1] == pytest.approx(0.75)
    assert np.isnan(expected[0, 2])
    assert np.diag(expected) == pytest.approx(np.full(4, 0.5))


def test_expected_scores_with_seat_and_draws() -> None:
    games = Games.from_cells(
        [
            {"player_1": "a", "player_2": "b", "wins_1": 60, "wins_2": 20, "draws": 20},
            {"player_1": "b", "player_2": "a", "wins_1": 40, "wins_2": 30, "draws": 30},
        ]
    )
    result = fit(games, ties="davidson", prior=None)
    first = expected_scores(result, first_in="game")
    # A likelihood equation of Davidson's model: each entrant's expected total score is its actual one.
    assert first[0, 1] + 1 - first[1, 0] == pytest.approx(0.7 + 0.45)
    assert first[0, 0] > 0.5
    with pytest.raises(ConfigurationError, match="'go'"):
        expected_scores(result, first_in="go")
