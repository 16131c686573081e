"""What decisions in UNO are worth: against values counted by hand, and standard errors against the spread seen."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from ludometer.core import Chance, ConfigurationError
from ludometer.games.tictactoe import TicTacToe
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOUR_CARDS, WILD_DRAW_FOUR
from ludometer.games.uno.kernel import COMPILED, packed, playouts, seed_of
from ludometer.games.uno.state import Action, State
from ludometer.solvers.estimates import Judge, best_evaluator, estimates_of, named_evaluator
from ludometer.solvers.uno_judge import UnoFair, UnoOmniscient, judgement_of

needs_numba = pytest.mark.skipif(not COMPILED, reason="numba is not installed: pip install 'ludometer[fast]'")

GAME = Uno()
JUDGES = (UnoFair(rollouts=60), UnoOmniscient(rollouts=60), UnoOmniscient(rollouts=60, pile="reshuffled"))
CHALLENGE, ACCEPT = Action("challenge", 1), Action("challenge", 0)


def some_states(count: int, seats: int = 2, choices: int = 2) -> list[State]:
    """States of random games in which the seat to act has so many legal actions, or more."""
    found: list[State] = []
    for i in range(1000):
        chance = Chance.from_seed(f"some {seats} {i}")
        state, step = GAME.new(seats, chance), 0
        while (to_act := GAME.to_act(state)) and len(found) < count:
            legal = GAME.legal(state, to_act[0])
            if len(legal) >= choices and (step + i) % 7 == 3:
                found.append(state)
            state = GAME.apply(state, {to_act[0]: chance.named(step).choice(legal)[0]})
            step += 1
    return found


def last_challenge(absent: int = 0) -> State:
    """A Wild Draw Four on red, played from a hand of two by seat 1, with four cards in the pile.

    If seat 2, with two cards, does not challenge, it draws the pile and loses. If it does, the game ends too: seat 1
    draws the pile if its last card is red, and seat 2 wins; otherwise seat 2 draws it and loses.
    """
    red_5, red_6, blue_1, green_2, wild = 5, 6, 40, 28, 52
    hands = ((red_5,), (14, 15))
    pile = (red_6, blue_1, green_2, wild)
    return State(hands, pile, (), WILD_DRAW_FOUR, 3, 1, 1, "challenge", 0, ((absent,), (0, 0)), ())


def test_a_challenge_is_worth_what_is_known() -> None:
    fair, omniscient = UnoFair(rollouts=4000), UnoOmniscient(rollouts=50)
    values = fair.action_values(GAME, last_challenge(), "2")
    assert list(values) == [CHALLENGE, ACCEPT]
    assert values[CHALLENGE] == pytest.approx(2 / 5, abs=4 * (0.24 / 4000) ** 0.5)
    assert values[ACCEPT] == 0.0
    assert fair.action_values(GAME, last_challenge(COLOUR_CARDS[0]), "2")[CHALLENGE] == 0.0
    assert omniscient.action_values(GAME, last_challenge(), "2") == {CHALLENGE: 1.0, ACCEPT: 0.0}
    innocent = last_challenge()._replace(hands=((40,), (14, 15)), pile=(5, 6, 28, 52))
    assert omniscient.action_values(GAME, innocent, "2") == {CHALLENGE: 0.0, ACCEPT: 0.0}
    assert fair.action_values(GAME, innocent, "2") == values


def test_rates_tell_of_every_seat() -> None:
    found = UnoFair(rollouts=100).judgement(GAME, last_challenge(), "2")
    assert found.rates[:, 1] == pytest.approx(found.values)
    assert found.rates.sum(axis=1) == pytest.approx(1.0)
    for judge in JUDGES:
        for state in some_states(3, seats=4):
            assert judge.judgement(GAME, state, str(state.player + 1)).rates.shape[1] == 4
            before = judge.rates(GAME, state)
            assert before.shape == (4,)
            assert before.sum() == pytest.approx(1.0)


def test_identical_cards_are_one_action() -> None:
    state = last_challenge()._replace(
        hands=((5, 6), (1, 1, 2, 50)), phase="card", top=7, colour=0, absent=((0,) * 2, (0,) * 4)
    )
    assert UnoFair(rollouts=20).judgement(GAME, state, "2").actions == (Action("card", 1), Action("card", 2))


def test_estimates_are_the_judgement() -> None:
    for judge in JUDGES:
        assert isinstance(judge, Judge)
        for state in some_states(3):
            seat = str(state.player + 1)
            found = judge.judgement(GAME, state, seat)
            values = estimates_of(judge, GAME, state, seat)
            assert list(values) == list(GAME.legal(state, seat)) == list(found.actions)
            assert [value.value for value in values.values()] == found.values.tolist()
            assert [value.error for value in values.values()] == found.errors.tolist()
            assert not any(value.exact for value in values.values())
            assert found.rollouts == 60


def test_errors_are_those_of_the_playouts() -> None:
    (state,) = some_states(1, choices=3)
    actions, position = list(GAME.legal(state, "1")), packed(state, GAME.rule_options, viewer=state.player)
    seed = seed_of(position)
    each = [playouts(position, actions, rollouts=1, seed=seed, first=i).rates[:, state.player] for i in range(60)]
    found = UnoFair(rollouts=60).judgement(GAME, state, str(state.player + 1))
    assert found.values == pytest.approx(np.mean(each, axis=0))
    # The two playouts that are added: one won and one lost; for differences one of either extreme.
    spread = np.array([*each, np.zeros(len(actions)), np.ones(len(actions))])
    assert found.errors == pytest.approx(spread.std(axis=0) / 60**0.5)
    for i in range(len(actions)):
        for j in range(len(actions)):
            difference = [*(one[i] - one[j] for one in each), 1.0, -1.0]
            expected = 0.0 if i == j else np.std(difference) / 60**0.5
            assert found.difference_errors[i, j] == pytest.approx(expected)


@needs_numba
def test_errors_tell_how_far_estimates_are_off() -> None:
    for state in some_states(3):
        actions, position = list(GAME.legal(state, "1")), packed(state, GAME.rule_options, viewer=state.player)
        truth = playouts(position, actions, rollouts=200_000, seed=1).rates[:, state.player]
        off, differences = [], []
        for seed in range(300):
            luck = seed_of(position) + 7919 * seed
            found = judgement_of(playouts(position, actions, rollouts=200, seed=luck), actions, state.player)
            off.append((found.values[0] - truth[0]) / found.errors[0])
            gap = (found.values[0] - found.values[1]) - (truth[0] - truth[1])
            differences.append(gap / found.difference_errors[0, 1])
        for standardised in (off, differences):
            assert 0.85 < np.std(standardised) < 1.15
            assert abs(np.mean(standardised)) < 0.25


def test_the_fair_judge_uses_nothing_that_is_hidden() -> None:
    pairs = [(a, b) for a, b, seat in GAME.swap_hidden() if GAME.to_act(a) == (seat,) == GAME.to_act(b)]
    assert pairs
    differ = 0
    for one, other in pairs:
        seat = str(one.player + 1)
        fair = [JUDGES[0].judgement(GAME, state, seat) for state in (one, other)]
        assert (fair[0].rates == fair[1].rates).all()
        seen = [JUDGES[1].judgement(GAME, state, seat) for state in (one, other)]
        differ += (seen[0].rates != seen[1].rates).any()
    assert differ


def test_more_playouts_where_actions_are_not_told_apart() -> None:
    taken = set()
    for state in some_states(12):
        seat = str(state.player + 1)
        found = UnoFair(rollouts=50, limit=180).judgement(GAME, state, seat)
        again = UnoFair(rollouts=found.rollouts).judgement(GAME, state, seat)
        assert found.values.tolist() == again.values.tolist()
        second, best = np.argsort(found.values)[-2:]
        apart = found.values[best] - found.values[second] > 1.96 * found.difference_errors[best, second]
        assert apart or found.rollouts == 180
        taken.add(found.rollouts)
    assert {50, 180} <= taken <= {50, 100, 180}


def test_the_judges_are_found_by_name() -> None:
    assert best_evaluator(GAME).name == "uno_fair"
    judge = named_evaluator("uno_omniscient:pile=reshuffled,rollouts=7")
    assert isinstance(judge, UnoOmniscient)
    assert (judge.pile, judge.rollouts) == ("reshuffled", 7)
    asyncio.run(judge.prepare(GAME))
    assert not judge.supports(TicTacToe())
    for spec in ("uno_omniscient:pile=sorted", "uno_fair:rollouts=0", "uno_fair:limit=10", "uno_fair:pile=true"):
        with pytest.raises(ConfigurationError):
            named_evaluator(spec)
