"""Reading checkers moves: what is beyond doubt is read, and what breaks a rule is told so."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import Move
from ludometer.games.checkers import Checkers

GAME = Checkers()


def after(line: str) -> Any:
    state = GAME.new(2, Chance(0))
    for text in line.split():
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, text)})
    return state


START = after("")
CAPTURE = after("11-15 22-18")
DOUBLE = after("11-16 22-17 10-15 23-19 16x23")
FORK = after("10-14 24-20 6-10 22-17 9-13 23-18 14x23 26x19 13x22 25x18 5-9 31-26 11-16 20x11")
CIRCLE = after("10-14 24-20 9-13 22-18 11-15 18x9 5x14 20-16 12x19 23x16 7-10 16-11 2-7 11x2 3-7")

READABLE = [
    (START, "11-15", "11-15"),
    (START, " 11 - 15 ", "11-15"),
    (START, "11–15", "11-15"),
    (START, "**11-15**", "11-15"),
    (START, "`11-15`.", "11-15"),
    (START, "11-15!", "11-15"),
    (START, "1. 11-15", "11-15"),
    (START, "11x15", "11-15"),
    (START, "11 15", "11-15"),
    (START, "11, 15", "11-15"),
    (START, "11 to 15", "11-15"),
    (START, "11->15", "11-15"),
    (START, "11b-15", "11-15"),
    (START, "09-13", "9-13"),
    (START, "c3d4", "11-15"),
    (START, "c3-d4", "11-15"),
    (START, "C3 D4", "11-15"),
    (START, "c3xd4", "11-15"),
    (START, "a3b4", "12-16"),
    (CAPTURE, "15x22", "15x22"),
    (CAPTURE, "15-22", "15x22"),
    (CAPTURE, "15:22", "15x22"),
    (CAPTURE, "2... 15x22", "15x22"),
    (DOUBLE, "27x18x11", "27x18x11"),
    (DOUBLE, "27-18-11", "27x18x11"),
    (DOUBLE, "27x11", "27x18x11"),
    (DOUBLE, "26x10", "26x19x10"),
    (FORK, "7x23", "7x16x23"),
    (FORK, "8x15x24x31", "8x15x24x31"),
    (FORK, "8x24x31", "8x15x24x31"),
    (CIRCLE, "2x11x18x9x2", "2x11x18x9x2"),
]


@pytest.mark.parametrize(("state", "text", "move"), READABLE)
def test_readable(state: Any, text: str, move: str) -> None:
    (seat,) = GAME.to_act(state)
    assert GAME.format(state, GAME.parse(state, seat, text)) == move


def test_every_capture_in_letters() -> None:
    for state in (CAPTURE, DOUBLE, FORK, CIRCLE):
        (seat,) = GAME.to_act(state)
        for move in GAME.legal(state, seat):
            written = GAME.encode(state, move, "algebraic")["move"]
            assert GAME.parse(state, seat, written) == move
            assert GAME.parse(state, seat, written.replace("x", "")) == move


ILLEGAL = [
    (START, "", "invalid_format"),
    (START, "11", "invalid_format"),
    (START, "11-", "invalid_format"),
    (START, "c3", "invalid_format"),
    (START, "pass", "invalid_format"),
    (START, "11-d4", "invalid_format"),
    (START, "111-15", "invalid_format"),
    (START, "٣-٤", "invalid_format"),
    (START, "-".join(["11"] * 20), "invalid_format"),
    (START, "11-35", "out_of_bounds"),
    (START, "0-4", "out_of_bounds"),
    (START, "c3-j4", "out_of_bounds"),
    (START, "c3-c4", "out_of_bounds"),
    (START, "15-18", "no_such_piece"),
    (START, "22-18", "wrong_side"),
    (START, "11-14", "not_diagonal"),
    (START, "11-11", "not_diagonal"),
    (START, "6-10", "occupied"),
    (START, "11-18", "cannot_move_there"),
    (START, "11-20", "cannot_move_there"),
    (START, "11-15-18", "cannot_move_there"),
    (after("11-15 22-17"), "15-11", "cannot_move_there"),
    (CAPTURE, "9-13", "capture_available"),
    (CAPTURE, "15-19", "capture_available"),
    (DOUBLE, "27x18", "incomplete_jump"),
    (DOUBLE, "27x18x9", "cannot_move_there"),
    (FORK, "8x15", "incomplete_jump"),
    (FORK, "8x31", "ambiguous"),
    (CIRCLE, "2x2", "ambiguous"),
    (CIRCLE, "2x9x2", "ambiguous"),
    (CIRCLE, "2x18x2", "ambiguous"),
]


@pytest.mark.parametrize(("state", "text", "kind"), ILLEGAL)
def test_illegal(state: Any, text: str, kind: str) -> None:
    (seat,) = GAME.to_act(state)
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, seat, text)
    assert caught.value.kind == kind
    if kind != "ambiguous":
        assert GAME.explain(state, seat, text).kind == kind


def test_reasons_say_where() -> None:
    reasons = {
        (CAPTURE, "9-13"): "9-13 captures nothing, but you must capture: 15x22",
        (DOUBLE, "27x18"): "the jump must go on to its end: 27x18x11",
        (FORK, "8x31"): "8-31 fits several moves: 8x15x24x31 or 8x15x22x31; name every square",
        (START, "22-18"): "the piece on 22 belongs to White",
    }
    for (state, text), reason in reasons.items():
        (seat,) = GAME.to_act(state)
        with pytest.raises(Illegal) as caught:
            GAME.parse(state, seat, text)
        assert caught.value.reason == reason


def test_check_explains_moves_of_other_positions() -> None:
    with pytest.raises(Illegal) as caught:
        GAME.check(CAPTURE, "Black", GAME.parse(START, "Black", "9-13"))
    assert caught.value.kind == "capture_available"
    for steps in ((), (-1,), (10**9,), (3, 10**40)):
        with pytest.raises(Illegal):
            GAME.check(START, "Black", Move(steps))


MENTIONS = {
    "I play 11-15.": ["11-15"],
    "First 9-13, but better 11x18x25!": ["9-13", "11x18x25"],
    "From c3 to d4": ["c3 to d4"],
    "c3d4 or c3-b4": ["c3d4", "c3-b4"],
    "The date is 2026-11-15.": [],
    "1. 11-15 23-18": ["11-15", "23-18"],
    "squares 5, 9 and 14": [],
    "ratio 11-15-": ["11-15"],
    "Not 9-13;my move:11-15": ["9-13", "11-15"],
    "no,11-15": ["11-15"],
}


@pytest.mark.parametrize(("text", "found"), MENTIONS.items())
def test_mentions(text: str, found: list[str]) -> None:
    assert GAME.mentions(text) == found


_PIECES = st.sampled_from(
    ["11", "15", "c3", "d4", "x", "-", " ", ".", "99", "b", "to", "a9", "27", "18", "\ud800", "½"]
)


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=20).map("".join)))
@settings(max_examples=300)
def test_hostile_text(text: str) -> None:
    for state in (START, DOUBLE, FORK):
        (seat,) = GAME.to_act(state)
        for written in (text, *GAME.mentions(text)):
            with contextlib.suppress(Illegal):
                assert GAME.parse(state, seat, written) in GAME.legal(state, seat)
        assert isinstance(GAME.explain(state, seat, text), Illegal)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
    )
)
@settings(max_examples=100)
def test_hostile_answers(value: Any) -> None:
    for answer in (value, {"move": value}):
        with contextlib.suppress(Illegal):
            GAME.decode(START, "Black", answer)


def test_long_text_takes_no_long_time() -> None:
    for text in ("11-" * 50_000, "11 " * 50_000, "a1" * 50_000, "1" * 200_000, "11   -   " * 20_000):
        assert len(json.dumps(GAME.mentions(text))) < 2_000_000
        with pytest.raises(Illegal):
            GAME.parse(START, "Black", text)
