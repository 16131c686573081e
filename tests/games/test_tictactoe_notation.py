"""Reading moves: what is beyond doubt is read, and nothing is read as something it is not."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal
from ludometer.games.tictactoe import Cell, TicTacToe

GAME = TicTacToe(5, 4)
STATE = GAME.new(2, Chance(0))

READABLE = {
    "2,3": Cell(2, 3),
    " 2 , 3 ": Cell(2, 3),
    "(2, 3)": Cell(2, 3),
    "**2,3**": Cell(2, 3),
    "2,3.": Cell(2, 3),
    "2.0, 3.0": Cell(2, 3),
    "2 3": Cell(2, 3),
    "2;3": Cell(2, 3),
    "row 2, column 3": Cell(2, 3),
    "Row: 2, Col: 3": Cell(2, 3),
    "row=2 col=3": Cell(2, 3),
    "row is 2 and column is 3": Cell(2, 3),
    "row-2, column-3": Cell(2, 3),
    "row -2, column 3": Cell(-2, 3),
    "row 2, column −3": Cell(2, -3),
    "-1,2": Cell(-1, 2),
    "−1,2": Cell(-1, 2),
    "0,0": Cell(0, 0),
    "99,1": Cell(99, 1),
    "7": Cell(2, 3),
    "#7": Cell(2, 3),
    "cell 7": Cell(2, 3),
    "0": Cell(0, 4),
    "21": Cell(6, 1),
}
UNREADABLE = [
    "",
    " ",
    "pass",
    "x",
    "a2",
    "2,",
    ",3",
    "2,3,1",
    "1.5,2",
    "2,3x",
    "12345,1",
    "row 2",
    "2-3",
    "2,,3",
    "½,1",
]


@pytest.mark.parametrize(("text", "cell"), READABLE.items())
def test_readable(text: str, cell: Cell) -> None:
    assert GAME.parse(STATE, "X", text) == cell


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable(text: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(STATE, "X", text)
    assert caught.value.kind == "invalid_format"


MENTIONS = {
    "I play 2,3.": ["2,3"],
    "First (1, 1), then 2,2": ["1, 1", "2,2"],
    "row 1 and 2, column 3": [],
    "My move: row 2, column 3!": ["row 2, column 3"],
    "row **2**, column **3**": ["row **2**, column **3"],
    "1,2,3": [],
    "version 1.2,3": [],
    "I scored 2.5, 3 times": [],
    "row 2, column 3.5": [],
    "2,3abc": [],
}


@pytest.mark.parametrize(("text", "pieces"), MENTIONS.items())
def test_moves_in_running_text(text: str, pieces: list[str]) -> None:
    assert GAME.mentions(text) == pieces


def test_cell_numbers_in_running_text() -> None:
    assert GAME.mentions("I take 7, not 1,1", "cell") == ["7", "1,1"]
    assert GAME.mentions("I take cell 12.", "cell") == ["12"]
    assert GAME.mentions("at 3.5 or A7", "cell") == []


words = st.sampled_from(
    [
        "row",
        "Row",
        "column",
        "col",
        "is",
        "and",
        "=",
        ":",
        ",",
        ".",
        "-",
        "−",
        "(",
        ")",
        "**",
        " ",
        "\n",
        "cell",
        "#",
        "|",
    ]
)
numbers = st.sampled_from(["0", "1", "2", "3", "12", "-1", "2.0", "2.5", "12345", "٣", "½", "1e3"])
prose = st.lists(st.one_of(words, numbers, st.text(max_size=3)), max_size=14).map("".join)


@given(prose, st.sampled_from([None, "cell"]))
@settings(max_examples=1500)
def test_everything_that_is_mentioned_can_be_read(text: str, notation: str | None) -> None:
    for piece in GAME.mentions(text, notation):
        assert piece in text
        GAME.parse(STATE, "X", piece)


@given(st.integers(-99, 99), st.integers(-99, 99))
def test_every_cell_is_read_as_it_is_written(row: int, column: int) -> None:
    cell = Cell(row, column)
    text = GAME.format(STATE, cell)
    assert GAME.parse(STATE, "X", text) == cell
    assert GAME.mentions(f"My move is {text}.") == [text]
    for notation in (None, "cell"):
        answer = json.loads(json.dumps(GAME.encode(STATE, cell, notation)))
        if notation is None or 1 <= column <= GAME.columns:
            assert GAME.decode(STATE, "X", answer) == cell
    assert GAME.decode(STATE, "X", {"move": text}) == cell


@pytest.mark.parametrize(
    "answer",
    [
        {"row": 2, "column": 3},
        {"Row": "2", " COLUMN ": 3.0},
        {"row": "2.0", "column": " 3 "},
        {"cell": 7},
        {"CELL": "7"},
        {"move": "2,3"},
        {"move": "7", "why": "because"},
        {"row": 2, "column": 3, "move": "1,1"},
    ],
    ids=str,
)
def test_structured_answers(answer: Any) -> None:
    assert GAME.decode(STATE, "X", answer) == Cell(2, 3)


@pytest.mark.parametrize(
    "answer",
    [
        *(None, [], "2,3", 7, {}, {"row": 2}, {"row": True, "column": 1}, {"row": 1.5, "column": 1}),
        *({"row": "one", "column": 1}, {"row": None, "column": 1}, {"row": [1], "column": 1}, {"cell": {}}),
        *({"move": 7}, {"move": None}, {"move": ["2,3"]}, {"cell": float("nan")}, {"cell": float("inf")}),
        *({"cell": 10**5000}, {"row": -(10**400), "column": 1}),
    ],
    ids=lambda answer: f"{type(answer).__name__}",
)
def test_structured_answers_that_name_no_cell(answer: Any) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.decode(STATE, "X", answer)
    assert caught.value.kind == "invalid_format"
    assert len(caught.value.reason) < 200


def test_deeply_nested_answers_do_not_exhaust_the_stack() -> None:
    nested: Any = 1
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(Illegal):
        GAME.decode(STATE, "X", {"row": nested, "column": 1})
    with pytest.raises(Illegal):
        GAME.decode(STATE, "X", {"move": nested})
    while isinstance(nested, list):  # taken apart piece by piece: freeing it at once would recurse
        nested = nested.pop()


@pytest.mark.parametrize("length", [40_000])
@pytest.mark.parametrize(
    "pattern", ["1{}x", "row{}1", "row is{}", "1,{}2x", "1.{}", "row 1{}col", "{}", "cell{}x", "1,2{}"], ids=str
)
@pytest.mark.parametrize("filler", [" ", "1", "0", "-", "1,", "row ", "is "], ids=str)
def test_long_texts_are_read_in_linear_time(pattern: str, filler: str, length: int) -> None:
    """Hostile text must not keep an expression busy: one that backtracks would make this test hang."""
    text = pattern.format(filler * (length // len(filler)))
    for read in (lambda: GAME.parse(STATE, "X", text), lambda: GAME.decode(STATE, "X", {"row": text, "column": text})):
        with contextlib.suppress(Illegal):
            read()
    assert len(GAME.mentions(text)) + len(GAME.mentions(text, "cell")) <= 2 * length
