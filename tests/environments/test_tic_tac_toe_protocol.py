"""The published protocol: its texts to the letter, how a move is read, and which games the rows are."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tic_tac_toe import protocol
from tic_tac_toe.opponents import make_opponent
from tic_tac_toe.rows import Row, Rules, first_message, make_rows, new_match

from ludometer.core import ConfigurationError


def test_the_model_goes_first():
    assert first_message(Row(seed="s", symbol="X")) == (
        "Let's play tic-tac-toe. You are X.\n\n"
        " 1 | 2 | 3\n-----------\n 4 | 5 | 6\n-----------\n 7 | 8 | 9\n\n"
        "You go first."
    )


@pytest.mark.parametrize(("symbol", "theirs"), [("O", "X"), ("X", "O")])
def test_the_opponent_goes_first_whatever_its_mark(symbol, theirs):
    assert first_message(Row(seed="s", symbol=symbol, opened=5)) == (
        f"Let's play tic-tac-toe. You are {symbol}.\n\n"
        "I play 5.\n\n"
        f" 1 | 2 | 3\n-----------\n 4 | {theirs} | 6\n-----------\n 7 | 8 | 9\n\n"
        "Your turn."
    )


def test_the_other_texts():
    picture = protocol.board("X.O.X....", 3)
    assert picture == " X | 2 | O\n-----------\n 4 | X | 6\n-----------\n 7 | 8 | 9"
    assert protocol.reply(3, picture) == f"I play 3.\n\n{picture}\n\nYour turn."
    assert protocol.closing(1.0, picture, None) == f"{picture}\n\nYou win!"
    assert protocol.closing(0.0, picture, 3) == f"I play 3.\n\n{picture}\n\nYou lose!"
    assert protocol.closing(0.5, picture, 3) == f"I play 3.\n\n{picture}\n\nDraw!"
    assert protocol.ILLEGAL == "Illegal move. Game over."


def test_a_larger_board_keeps_its_columns():
    assert protocol.board("." * 16, 4).splitlines()[:3] == ["  1 |  2 |  3 |  4", "-" * 19, "  5 |  6 |  7 |  8"]
    assert protocol.board(".........X......", 4).splitlines()[4] == "  9 |  X | 11 | 12"


def test_the_system_message_asks_for_a_cell_number():
    text = protocol.system("O", 3, 3, 3)
    assert "Your mark is O" in text and "1 to 9" in text and "number" in text


@pytest.mark.parametrize(
    ("answer", "cell"),
    [
        ("I play 5.", 5),
        ("PLAY 5", 5),
        ("choose 7", 7),
        ("position: 3", 3),
        ("I take cell 9 now", 9),
        ("square #2", 2),
        ("take **4**", 4),
        ("1 and 2 are worse, so I choose 3", 3),
        ("1. block\n2. attack\n6\nthat is it", 6),
        ("a keyword goes before a line\n6\nI play 8", 8),
        ("  5  ", 5),
        ("My move is 4!", 4),
        ("replay 3? No: 8", 3),
        ("x" * 79 + "7", 7),
        ("x" * 80 + "7", None),
        ("x" * 100 + "\n7\n", 7),
        ("0", None),
        ("", None),
        ("center", None),
        ("play 12", 1),
        ("five ٥", None),
    ],
)
def test_where_a_move_is_looked_for(answer, cell):
    assert protocol.read_cell(answer) == cell


def test_numbers_of_a_larger_board_are_whole():
    assert protocol.read_cell("play 12", 16) == 12
    assert protocol.read_cell("play 17, or 4", 16) == 4
    assert protocol.read_cell("120", 16) is None


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("<think>play 3</think>5", "5"),
        ("play 3</think>\n5", "5"),
        ("<think>play 3", ""),
        ("<think>play 3</think>", ""),
        ("play 3", "play 3"),
    ],
)
def test_reasoning_is_no_answer(answer, shown):
    assert protocol.shown(answer) == shown


@given(st.text(), st.sampled_from([9, 16, 676]))
def test_reading_takes_any_text(text, cells):
    cell = protocol.read_cell(text, cells)
    assert cell is None or 1 <= cell <= cells


@given(st.sampled_from(["play ", "1\n", " \t", "cell:", "0"]))
def test_reading_long_texts_takes_no_search_that_starts_anew(piece):
    # Time that grows with the square of this length would take hours.
    protocol.read_cell(piece * 100_000)


def test_rows_are_reproducible_and_cover_all_four_configurations():
    rows = list(make_rows(1000, Rules()))
    assert rows == list(make_rows(1000, Rules()))
    assert rows[:10] == list(make_rows(10, Rules()))
    assert rows != list(make_rows(1000, Rules(), seed=1))
    counts = Counter((row.symbol, row.opened is None) for row in rows)
    assert len(counts) == 4
    assert min(counts.values()) > 190  # 250 expected, standard deviation 13.7
    openings = Counter(row.opened for row in rows if row.opened is not None)
    assert set(openings) == set(range(1, 10))
    assert min(openings.values()) > 27  # about 55 expected, standard deviation 7


def test_every_opponent_is_made():
    game = new_match(Row(seed="s", symbol="X")).game
    for written in ("minimax", "random", "mixture(0.25)", "mcts", "mcts:simulations=10"):
        make_opponent(written, game)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (Rules(opponent="minimix"), "minimix"),
        (Rules(opponent="mixture(2)"), "from 0 to 1"),
        (Rules(opponent="mixture(1.2.3)"), "not a number"),
        (Rules(rows=5, columns=5, line=4), "no exact values"),
        (Rules(rows=3, columns=3, line=4), "does not fit"),
    ],
)
def test_what_cannot_be_played_is_refused(rules, says):
    with pytest.raises(ConfigurationError, match=says):
        make_opponent(rules.opponent, new_match(Row(seed="s", symbol="X", rules=rules)).game)
