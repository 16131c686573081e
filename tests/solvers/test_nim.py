"""Nim against a brute force that knows the rules only, and OpenSpiel's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance
from ludometer.games.nim import Nim
from ludometer.solvers import exact_evaluator
from ludometer.solvers.nim import NimEvaluator, mover_wins

PILES = st.lists(st.integers(0, 6), min_size=1, max_size=3)


def moves(piles: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i, pile in enumerate(piles):
        for left in range(pile):
            yield (*piles[:i], left, *piles[i + 1 :])


@cache
def wins(piles: tuple[int, ...], misere: bool) -> bool:
    if not any(piles):
        return misere
    return any(not wins(after, misere) for after in moves(piles))


@given(PILES, st.booleans())
def test_the_nim_sum_decides(piles: list[int], misere: bool) -> None:
    assert mover_wins(piles, misere=misere) == wins(tuple(sorted(piles)), misere)


@pytest.mark.parametrize("misere", [True, False])
def test_action_values_follow_the_rules(misere: bool) -> None:
    game = Nim("1,2,3", misere=misere)
    evaluator = exact_evaluator(game)
    assert isinstance(evaluator, NimEvaluator)
    chance = Chance.from_seed(7)
    for i in range(10):
        state = game.new(2, chance)
        step = 0
        while seats := game.to_act(state):
            values = evaluator.action_values(game, state, seats[0])
            assert list(values) == list(game.legal(state, seats[0]))
            for action, value in values.items():
                after = game.apply(state, {seats[0]: action})
                assert value == float(not wins(tuple(sorted(game.public(after)["piles"])), misere))
            state = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named(i, step))})
            step += 1
