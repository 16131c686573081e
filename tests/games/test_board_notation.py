"""Hostile text at the board games: whatever a model writes is a legal move or `Illegal`, quickly."""

from __future__ import annotations

import contextlib
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import AnyGame, Chance, Illegal, make_game

NAMES = [
    "breakthrough",
    "connect4",
    "dots_and_boxes",
    "gomoku",
    "hex",
    "mancala",
    "nim",
    "openspiel:tic_tac_toe",
    "openspiel:kuhn_poker",
    "openspiel:matrix_rps",
    "othello",
    "ultimate_tic_tac_toe",
]


@cache
def middle(name: str) -> tuple[AnyGame, Any]:
    """A game and a state of it a few moves in."""
    game = make_game(name)
    chance = Chance.from_seed("notation").named(name)
    state = game.new(2, chance)
    for i in range(5):
        moves = {seat: game.sample(state, seat, chance.named(i, seat)) for seat in game.to_act(state)}
        after = game.apply(state, moves)
        if not game.to_act(after):
            break
        state = after
    return game, state


PIECES = (
    "a1 h8 d3 e4 b2b3 d5xe4 pass 1 4 7 13 0 -1 2.5 12345 column pile take pit board local h,0,1 v,1,0 P1(h,0,1) "
    "4(0,2) (0,2) x(1,1) o Local cell from row and Pass Bet Rock ٣ ½ − – , . : ; ( ) # *"
)
pieces = st.sampled_from([*PIECES.split(), "\n"])
prose = st.lists(st.one_of(pieces, st.just(" "), st.text(max_size=3)), max_size=12).map("".join)


@pytest.mark.parametrize("name", NAMES)
@given(text=prose)
@settings(max_examples=250)
def test_whatever_is_read_is_legal(name: str, text: str) -> None:
    game, state = middle(name)
    for seat in game.to_act(state):
        legal = game.legal(state, seat)
        assert legal is not None
        for piece in (text, *game.mentions(text)):
            assert piece in text
            for read in (game.parse, lambda state, seat, text: game.decode(state, seat, {"move": text})):
                try:
                    move = read(state, seat, piece)
                except Illegal as error:
                    assert error.reason and len(error.reason) < 400
                else:
                    assert move in legal


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_is_found_in_prose_and_counts_when_it_is_last(name: str) -> None:
    game, state = middle(name)
    for seat in game.to_act(state):
        legal = list(game.legal(state, seat) or ())
        other = game.format(state, legal[0])
        for move in legal:
            text = game.format(state, move)
            for sentence in (
                f"I play {text}",
                f"Not {other}, no.\nMy move: **{text}**",
                f"First {other}, but then {text}.",
            ):
                assert game.parse(state, seat, game.mentions(sentence)[-1]) == move, sentence
            assert game.decode(state, seat, json.loads(json.dumps({"move": text}))) == move


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "filler", [" ", "1", "a1", "-", "pile ", "take ", "column ", "h,", "(", "0,0", "board ", "\n", "."], ids=repr
)
def test_long_texts_are_read_in_linear_time(name: str, filler: str) -> None:
    """An expression that backtracks would make this test hang."""
    game, state = middle(name)
    seat = game.to_act(state)[0]
    text = filler * (40_000 // len(filler))
    for hostile in (text, f"pile 1{text}x", f"a1{text}x", f"P1(h,0{text}", f"4({text}"):
        with contextlib.suppress(Illegal):
            game.parse(state, seat, hostile)
        with contextlib.suppress(Illegal):
            game.decode(
                state, seat, {"move": hostile, "column": hostile, "pile": hostile, "take": hostile, "pit": hostile}
            )
        assert len(game.mentions(hostile)) <= len(hostile)
