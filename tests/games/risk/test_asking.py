"""How decisions are asked for."""

from __future__ import annotations

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games.risk import Orders, Risk, State


def wrong_phase(game: Risk, state: State) -> bool:
    """Whether the example is refused because it is not the time for it."""
    (seat,) = game.to_act(state)
    asked = game.asked(game.observe(state, seat))
    action = game.decode(state, seat, asked.answer)
    assert game.parse(state, seat, asked.text) == action
    try:
        game.check(state, seat, action)
    except Illegal as error:
        return error.kind in ("wrong_phase", "must_trade")
    return False


@pytest.mark.parametrize("orders", ["single", "phase"])
@pytest.mark.parametrize("placement", ["dealt", "placed", "picked"])
def test_the_example_is_of_the_kind_that_is_asked_for(placement: str, orders: str) -> None:
    game = Risk(map="small", placement=placement, orders=orders, at_a_time=3, max_turns=4, blitz=placement != "placed")
    for seed in range(3):
        state, chance, step = game.new(3, Chance.from_seed(seed)), Chance.from_seed("play"), 0
        while seats := game.to_act(state):
            assert not wrong_phase(game, state)
            state, step = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named(step))}), step + 1


def question(game: Risk, state: State) -> str:
    (seat,) = game.to_act(state)
    return game.asked(game.observe(state, seat)).question


def test_questions() -> None:
    game = Risk(map="small")
    state = game.new(3, Chance(0))
    assert question(game, state) == "You have 3 armies to place. What is your order?"
    assert question(game, state._replace(pending=1)) == "You have 1 army to place. What is your order?"
    (seat,) = game.to_act(state)
    hand = (0, 3, 6)  # three of a kind
    deck = tuple(card for card in state.deck if card not in hand)
    holding = state._replace(hands=(hand, (), ()), deck=deck)
    assert "may trade in a set of cards" in question(game, holding)
    five = (0, 1, 2, 3, 6)
    full = state._replace(hands=(five, (), ()), deck=tuple(card for card in state.deck if card not in five))
    assert question(game, full) == "You must trade in a set of cards. What is your order?"
    assert game.asked(game.observe(full, seat)).text == "trade 1 2 3"
    attack = state._replace(phase="attack", pending=0)
    assert question(game, attack) == "Attack, fortify or end your turn. What is your order?"
    assert game.asked(game.observe(attack, seat)).answer["order"] == "attack"
    listed = Risk(map="small", orders="phase")
    found = listed.asked(listed.observe(attack, seat))
    assert found.question == "Attack, fortify or end your turn. What are your orders?"
    action = listed.decode(attack, seat, found.answer)
    assert isinstance(action, Orders) and [order.kind for order in action.orders] == ["attack", "move", "end"]
