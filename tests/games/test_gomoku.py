"""Gomoku against the board read as lines of text."""

from __future__ import annotations

import re

import pyspiel
import pytest

from ludometer.core import Chance, Illegal
from ludometer.games.gomoku import Gomoku


def lines(board: list[str]) -> list[str]:
    """Rows, columns and both kinds of diagonals as texts."""
    n = len(board)
    found = [*board, *("".join(column) for column in zip(*board, strict=True))]
    for shift in range(-n, n):
        found.append("".join(board[r][r + shift] for r in range(n) if 0 <= r + shift < n))
        found.append("".join(board[r][n - 1 - r - shift] for r in range(n) if 0 <= n - 1 - r - shift < n))
    return found


@pytest.mark.parametrize(("size", "line", "matches"), [(15, 5, 15), (7, 4, 60), (5, 3, 100), (4, 4, 150)])
def test_random_games_agree_with_the_board_read_as_text(size: int, line: int, matches: int) -> None:
    game = Gomoku(size, line)
    for i in range(matches):
        chance = Chance.from_seed("gomoku").named(size, line, i)
        state = game.new(2, chance)
        mine = [["."] * size for _ in range(size)]
        turn = 0
        while True:
            board = ["".join(row) for row in mine]
            assert game.observe(state, "Black").data["board"] == board
            winners = [mark for mark in "XO" if any(re.search(mark * line, text) for text in lines(board))]
            if winners or "." not in "".join(board):
                break
            (seat,) = game.to_act(state)
            assert seat == ("Black", "White")[turn]
            legal = game.legal(state, seat)
            empty = [(r, c) for r in range(size) for c in range(size) if mine[r][c] == "."]
            assert {game.format(state, move) for move in legal} == {f"{chr(97 + c)}{size - r}" for r, c in empty}
            (row, column), chance = chance.choice(empty)
            state = game.apply(state, {seat: game.parse(state, seat, f"{chr(97 + column)}{size - row}")})
            mine[row][column] = "XO"[turn]
            turn = 1 - turn
        outcome = game.outcome(state)
        assert outcome is not None and game.to_act(state) == ()
        assert list(outcome.scores.values()) == ([float(m in winners) for m in "XO"] if winners else [0.5, 0.5])


def play(game: Gomoku, text: str) -> object:
    state = game.new(2, Chance(0))
    for move in text.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, move)})
    return state


def test_longer_lines_win_too() -> None:
    game = Gomoku(9)
    state = play(game, "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d1")
    outcome = game.outcome(state)  # type: ignore[arg-type]
    assert outcome is not None and outcome.scores == {"Black": 1.0, "White": 0.0}
    assert outcome.reason == "Black has 5 in a row"


def test_names_of_points_against_the_engine() -> None:
    game = Gomoku()
    engine = pyspiel.load_game("gomoku").new_initial_state()
    state = game.new(2, Chance(0))
    for move in game.legal(state, "Black"):
        row, column = map(int, engine.action_to_string(0, move.steps[0]).split(","))
        assert game.format(state, move) == f"{'abcdefghijklmno'[column]}{15 - row}"


@pytest.mark.parametrize("text", ["h8", "H8", "h8.", " (h8) ", "`h8`", "12. h8", "12.h8", "h-8", "H08"])
def test_readable(text: str) -> None:
    game = Gomoku()
    state = game.new(2, Chance(0))
    assert game.format(state, game.parse(state, "Black", text)) == "h8"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("h8", "already_taken"),
        ("p1", "out_of_bounds"),
        ("a16", "out_of_bounds"),
        ("a0", "out_of_bounds"),
        ("7,7", "invalid_format"),
        ("8h", "invalid_format"),
        ("pass", "invalid_format"),
        ("h8 g7", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    game = Gomoku()
    with pytest.raises(Illegal) as caught:
        game.parse(play(game, "h8"), "White", text)  # type: ignore[arg-type]
    assert caught.value.kind == kind


@pytest.mark.parametrize(("size", "line"), [(2, 2), (27, 5), (5, 6), (5, 2)])
def test_impossible_boards_are_refused(size: int, line: int) -> None:
    with pytest.raises(ValueError, match=r"size|board"):
        Gomoku(size, line)
