"""Reading Go moves: what is beyond doubt is read, and what breaks a rule is told so."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import Move
from ludometer.games.go import Go

GAME = Go()
SMALL = Go(5)


def after(game: Go, line: str) -> Any:
    state = game.new(2, Chance(0))
    for text in line.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    return state


START = after(GAME, "")
KO = after(SMALL, "B3 C3 A2 D2 B1 C1 C2 B2")
"""Black to move; C2 is forbidden by ko."""
EYE = after(SMALL, "A2 E5 B1 D5 pass")
"""White to move; A1 is an eye of Black's."""

READABLE = {
    "D4": "D4",
    "d4": "D4",
    " D4. ": "D4",
    "**D4**": "D4",
    "D-4": "D4",
    "D 4": "D4",
    "D04": "D4",
    "(D4)": "D4",
    "1. D4": "D4",
    "B D4": "D4",
    "b4": "B4",
    "B 4": "B4",
    "Black D4": "D4",
    "Black: D4": "D4",
    "black plays D4": "D4",
    "J9": "J9",
    "pass": "pass",
    "PASS.": "pass",
    "Pass!": "pass",
    "I pass": "pass",
    "Black passes": "pass",
    "B pass": "pass",
}


@pytest.mark.parametrize(("text", "move"), READABLE.items())
def test_readable(text: str, move: str) -> None:
    assert GAME.format(START, GAME.parse(START, "Black", text)) == move


ILLEGAL = [
    (GAME, START, "", "invalid_format"),
    (GAME, START, "D", "invalid_format"),
    (GAME, START, "44", "invalid_format"),
    (GAME, START, "D4 E5", "invalid_format"),
    (GAME, START, "D4" + " " * 80 + "E5", "invalid_format"),
    (GAME, START, "resign", "invalid_format"),
    (GAME, START, "do not pass", "invalid_format"),
    (GAME, START, "D٤", "invalid_format"),
    (GAME, START, "I5", "out_of_bounds"),
    (GAME, START, "K1", "out_of_bounds"),
    (GAME, START, "A0", "out_of_bounds"),
    (GAME, START, "A10", "out_of_bounds"),
    (GAME, START, "A999", "out_of_bounds"),
    (GAME, START, "White D4", "wrong_side"),
    (GAME, START, "W pass", "wrong_side"),
    (GAME, after(GAME, "D4"), "D4", "occupied"),
    (SMALL, KO, "C2", "ko"),
    (SMALL, EYE, "A1", "suicide"),
]


@pytest.mark.parametrize(("game", "state", "text", "kind"), ILLEGAL)
def test_illegal(game: Go, state: Any, text: str, kind: str) -> None:
    (seat,) = game.to_act(state)
    with pytest.raises(Illegal) as caught:
        game.parse(state, seat, text)
    assert caught.value.kind == kind


def test_reasons_name_the_rule() -> None:
    with pytest.raises(Illegal, match="D4 is occupied by a stone of Black"):
        GAME.parse(after(GAME, "D4"), "White", "D4")
    with pytest.raises(Illegal, match="columns are A to J without I, rows 1 to 9"):
        GAME.parse(START, "Black", "I3")
    with pytest.raises(Illegal, match="columns are A to E, rows 1 to 5"):
        SMALL.parse(KO, "Black", "F3")
    with pytest.raises(Illegal, match="would have no liberty and capture nothing"):
        SMALL.parse(EYE, "White", "A1")


def test_check_explains_moves_that_are_not_legal_here() -> None:
    for steps in ((), (-1,), (82,), (10**40,), (1, 2)):
        with pytest.raises(Illegal) as caught:
            GAME.check(START, "Black", Move(steps))
        assert caught.value.kind == "out_of_bounds"
    with pytest.raises(Illegal) as caught:
        SMALL.check(KO, "Black", Move((7,)))
    assert caught.value.kind == "ko"


MENTIONS = {
    "I play D4.": ["D4"],
    "First E5, then c3": ["E5", "c3"],
    "I pass": ["pass"],
    "I play pass": ["pass"],
    "Pass": ["pass"],
    "My move: **pass**": ["pass"],
    "D4 is bad.\nPass.": ["D4", "pass"],
    "I play D4, so that White must pass": ["D4"],
    "E5; passing is too early, and I would not surpass it": ["E5"],
    "version 2D4 or x-D4-y": [],
    "Not [A1]; I choose [pass]": ["A1", "pass"],
    "Not [A1];\nI choose [pass]": ["A1", "pass"],
    "\\boxed{pass}": ["pass"],
    "A1? No, pass.": ["A1", "pass"],
    "A1 looks good, but pass is better.": ["A1", "pass"],
    "After C3 I choose to pass.": ["C3", "pass"],
    "D4 would leave White nothing but to pass": ["D4"],
}


@pytest.mark.parametrize(("text", "found"), MENTIONS.items())
def test_mentions(text: str, found: list[str]) -> None:
    assert GAME.mentions(text) == found


_PIECES = st.sampled_from(["D4", "pass", "I", "b", "white", " ", ".", "9", "\n", "*", ":", "t19", "\ud800", "٤"])


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=12).map("".join)))
@settings(max_examples=300)
def test_hostile_text(text: str) -> None:
    for game, state in ((GAME, START), (SMALL, KO), (SMALL, EYE)):
        (seat,) = game.to_act(state)
        for written in (text, *game.mentions(text)):
            with contextlib.suppress(Illegal):
                assert game.parse(state, seat, written) in game.legal(state, seat)


def test_long_text_takes_no_long_time() -> None:
    for text in ("D4 " * 50_000, "pass " * 40_000, "*" * 200_000, "i " * 100_000, " " * 200_000 + "x", "i" * 200_000):
        GAME.mentions(text)
        with pytest.raises(Illegal):
            GAME.parse(START, "Black", text)
