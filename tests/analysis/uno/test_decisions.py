"""What the estimates of one position say of the action that was chosen."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.analysis.uno.decisions import judged

FEW_LEVELS = st.sampled_from([0.0, 0.25, 0.5, 0.505, 1.0])
"""Few different values, so that ties are common."""


def position(*values: float, error: float = 0.01) -> dict[str, list[object]]:
    best = max(values)
    names = "abcdefghij"
    return {
        name: [value, False, error, 0.0 if value == best else 0.02, [value, 1 - value]]
        for name, value in zip(names, values, strict=False)
    }


@given(st.tuples(FEW_LEVELS, FEW_LEVELS), st.sampled_from("ab"))
def test_with_two_actions_rank_is_two_minus_hit(values: tuple[float, float], action: str) -> None:
    found = judged(position(*values), action)
    assert found["rank"] == 2 - found["hit"]


@given(st.lists(FEW_LEVELS, min_size=1, max_size=5))
def test_hit_and_rank_are_expected_under_random_tie_breaking(values: list[float]) -> None:
    """Against the mean over all orders in which ties can be broken."""
    written = position(*values)
    orders = list(permutations(range(len(values))))
    for place, action in enumerate(written):
        ranks = [
            1 + sum((-values[j], order[j]) < (-values[place], order[place]) for j in range(len(values)))
            for order in orders
        ]
        found = judged(written, action)
        assert found["rank"] == pytest.approx(sum(ranks) / len(ranks))
        assert found["hit"] == pytest.approx(ranks.count(1) / len(ranks))


@given(st.lists(FEW_LEVELS, min_size=1, max_size=6))
def test_deciding_at_random_is_the_zero_point(values: list[float]) -> None:
    written = position(*values)
    found = [judged(written, action) for action in written]
    k = len(values)
    assert sum(one["hit"] for one in found) == pytest.approx(1)
    assert sum(one["rank"] for one in found) / k == pytest.approx((k + 1) / 2)
    assert sum(one["gain"] for one in found) == pytest.approx(0)
    assert sum(one["regret"] for one in found) / k == pytest.approx(found[0]["chance_regret"])
    assert {one["spread"] for one in found} == {max(values) - min(values)}


def test_the_error_of_a_difference_is_that_under_common_luck() -> None:
    found = judged(position(0.6, 0.57, 0.2), "c")
    assert (found["regret"], found["regret_error"]) == (pytest.approx(0.4), 0.02)
    assert found["gap"] == pytest.approx(0.03)
    assert found["unclear"]  # within 1.96 * 0.02
    assert not judged(position(0.6, 0.55, 0.2), "c")["unclear"]
    assert judged(position(0.6, 0.2), "a")["regret_error"] == 0
    alone = judged(position(0.6), "a")
    assert (alone["k"], alone["gap"], alone["unclear"]) == (1, None, None)


def test_an_evaluator_that_knows_less_will_do() -> None:
    found = judged({"a": [0.6, False, 0.03], "b": [0.5, False, 0.04]}, "b")
    assert found["regret_error"] == pytest.approx(0.05)
    assert found["rates"] is None
