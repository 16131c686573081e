"""Whatever a model answers, every registered game reads it or raises `Illegal`: nothing else, ever."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludometer.core import GAMES, AnyGame, Chance, Illegal, make_game

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)
every_game = pytest.mark.parametrize("name", sorted(GAMES.all()))
how_often = pytest.mark.parametrize("examples", [300, pytest.param(2500, marks=pytest.mark.slow)])


def hostile(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def middle_of(name: str) -> tuple[AnyGame, Any, str]:
    """A game, a state a few moves into it, and who is to act there."""
    game = make_game(name)
    state = game.new(game.players[0], Chance(0))
    for i in range(3):
        moves = {seat: game.sample(state, seat, Chance(i).named(seat)) for seat in game.to_act(state)}
        after = game.apply(state, moves)
        if not game.to_act(after):
            break
        state = after
    return game, state, game.to_act(state)[0]


def judged(game: AnyGame, state: Any, seat: str, action: Any) -> None:
    """What was read is an action of the game: ``check`` knows what to say of it, and it can be written down."""
    try:
        game.check(state, seat, action)
    except Illegal as error:
        assert error.kind and error.reason
    assert isinstance(game.format(state, action), str)


def read(game: AnyGame, state: Any, seat: str, answer: Any) -> None:
    try:
        action = game.decode(state, seat, answer)
    except Illegal as error:
        assert error.kind and error.reason and len(str(error)) < 500
        return
    judged(game, state, seat, action)


@every_game
@how_often
def test_bytes_as_text(name: str, examples: int) -> None:
    game, state, seat = middle_of(name)

    @hostile(examples)
    @given(st.binary(max_size=60))
    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for piece in (text, *game.mentions(text)):
            try:
                judged(game, state, seat, game.parse(state, seat, piece))
            except Illegal as error:
                assert error.kind and error.reason and len(str(error)) < 500

    run()


@every_game
@how_often
def test_bytes_as_json(name: str, examples: int) -> None:
    game, state, seat = middle_of(name)

    @hostile(examples)
    @given(st.binary(max_size=40))
    def run(data: bytes) -> None:
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            answer = data.decode("latin-1")
        read(game, state, seat, answer)

    run()


@every_game
@how_often
def test_any_json(name: str, examples: int) -> None:
    game, state, seat = middle_of(name)
    hostile(examples)(given(json_values)(lambda answer: read(game, state, seat, answer)))()


@every_game
@how_often
def test_json_that_looks_like_an_answer(name: str, examples: int) -> None:
    """The keys of the game's own answers, with anything for values."""
    game, state, seat = middle_of(name)
    keys = {key for notation in (None, *game.notations) for key in game.schema(state, seat, notation)["properties"]}
    names = st.sampled_from(sorted(keys | {"move"}))
    answers = st.dictionaries(st.one_of(names, names.map(str.upper)), json_values, max_size=4)
    hostile(examples)(given(answers)(lambda answer: read(game, state, seat, answer)))()
