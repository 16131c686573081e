"""Breakthrough against rules written out for this test."""

from __future__ import annotations

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import SpielState
from ludometer.games.breakthrough import Breakthrough


def moves(board: dict[tuple[int, int], str], side: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """(from, to) with (column, row), both from 0 at the bottom left; Black goes down."""
    step = -1 if side == "B" else 1
    found = []
    for (column, row), piece in board.items():
        if piece != side:
            continue
        for aside in (-1, 0, 1):
            target = board.get((column + aside, row + step))
            if target == "." or (target not in (None, side) and aside):
                found.append(((column, row), (column + aside, row + step)))
    return found


def name(square: tuple[int, int]) -> str:
    return f"{chr(97 + square[0])}{square[1] + 1}"


@pytest.mark.parametrize(
    ("rows", "columns", "matches"), [(8, 8, 60), (5, 4, 200), (6, 3, 150), (4, 2, 100), (9, 5, 20)]
)
def test_random_games_agree_with_the_rules_written_out(rows: int, columns: int, matches: int) -> None:
    game = Breakthrough(rows, columns)
    depth = 2 if rows >= 6 else 1
    for i in range(matches):
        chance = Chance.from_seed("breakthrough").named(rows, columns, i)
        state = game.new(2, chance)
        board = {
            (c, r): "W" if r < depth else "B" if r >= rows - depth else "." for r in range(rows) for c in range(columns)
        }
        side = "B"
        while True:
            shown = game.observe(state, "White").data["board"]
            assert shown == ["".join(board[c, r] for c in range(columns)) for r in reversed(range(rows))]
            black = "B" in [board[c, 0] for c in range(columns)] or "W" not in board.values()
            white = "W" in [board[c, rows - 1] for c in range(columns)] or "B" not in board.values()
            if black or white:
                break
            (seat,) = game.to_act(state)
            assert seat[0] == side
            mine = {name(a) + name(b) + "*" * (board[b] != "."): (a, b) for a, b in moves(board, side)}
            legal = {game.format(state, move): move for move in game.legal(state, seat)}
            assert set(legal) == set(mine)
            text, chance = chance.choice(sorted(mine))
            state = game.apply(state, {seat: legal[text]})
            start, goal = mine[text]
            board[goal], board[start] = board[start], "."
            side = "W" if side == "B" else "B"
        outcome = game.outcome(state)
        assert outcome is not None and outcome.scores == {"Black": float(black), "White": float(white)}


def play(game: Breakthrough, text: str) -> SpielState:
    state = game.new(2, Chance(0))
    for move in text.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, move)})
    return state


GAME = Breakthrough()
MEETING = "d7d6 e2e3 d6d5 e3e4"
"""After this, Black may capture d5xe4 with the piece on d5."""


@pytest.mark.parametrize("text", ["d5e4*", "d5e4", "d5xe4", "d5-e4", "D5E4", "d5 e4", "d5 to e4", "3. d5xe4", "(d5e4)"])
def test_readable(text: str) -> None:
    state = play(GAME, MEETING)
    assert GAME.format(state, GAME.parse(state, "Black", text)) == "d5e4*"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("d4d3", "no_piece"),
        ("e4d5", "not_your_piece"),
        ("d5d6", "wrong_step"),
        ("d5c5", "wrong_step"),
        ("d5f4", "wrong_step"),
        ("a8a7", "own_piece"),
        ("i7i6", "out_of_bounds"),
        ("a7a0", "out_of_bounds"),
        ("e4", "invalid_format"),
        ("pass", "invalid_format"),
        ("d5d4 c7c6", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(play(GAME, MEETING), "Black", text)
    assert caught.value.kind == kind


def test_a_straight_step_is_blocked_by_any_piece() -> None:
    state = play(GAME, "d7d6 d2d3 d6d5 d3d4")
    with pytest.raises(Illegal, match="blocked"):
        GAME.parse(state, "Black", "d5d4")


def test_moves_in_running_text() -> None:
    assert GAME.mentions("I could play d5e4 or d5-d4, but a7a6!") == ["d5e4", "d5-d4", "a7a6"]


@pytest.mark.parametrize(("rows", "columns"), [(3, 8), (10, 8), (8, 1), (8, 27)])
def test_impossible_boards_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match="board"):
        Breakthrough(rows, columns)
