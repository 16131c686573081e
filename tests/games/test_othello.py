"""Othello against published move counts and a board turned over square by square."""

from __future__ import annotations

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import SpielState
from ludometer.games.othello import Othello

GAME = Othello()
PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092]
"""Number of games of each length from the start, passes counted as moves (published many times, e.g. by A. Kolbe)."""


def test_the_number_of_games_of_each_length_is_the_published_one() -> None:
    states = [GAME.new(2, Chance(0))]
    for count in PERFT[:-1]:
        assert len(states) == count
        last, states = states, []
        for state in last:
            (seat,) = GAME.to_act(state)
            if count < PERFT[-2]:
                states += [GAME.apply(state, {seat: move}) for move in GAME.legal(state, seat)]
    assert sum(len(GAME.legal(state, GAME.to_act(state)[0])) for state in last) == PERFT[-1]


WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def turned(board: dict[tuple[int, int], str], square: tuple[int, int], mark: str) -> list[tuple[int, int]]:
    """The discs that a move turns over; none where it is not allowed."""
    found: list[tuple[int, int]] = []
    if board[square] != ".":
        return found
    for dr, dc in WAYS:
        run = []
        at = (square[0] + dr, square[1] + dc)
        while board.get(at, ".") not in (".", mark):
            run.append(at)
            at = (at[0] + dr, at[1] + dc)
        if board.get(at) == mark:
            found += run
    return found


def name(square: tuple[int, int]) -> str:
    return f"{'abcdefgh'[square[1]]}{square[0] + 1}"


def test_random_games_agree_with_a_board_turned_square_by_square() -> None:
    passes = 0
    for i in range(100):
        chance = Chance.from_seed("othello").named(i)
        state = GAME.new(2, chance)
        board = {(r, c): "." for r in range(8) for c in range(8)}
        board |= {(3, 4): "X", (4, 3): "X", (3, 3): "O", (4, 4): "O"}
        mark = "X"
        while True:
            shown = GAME.observe(state, "Black").data["board"]
            assert shown == ["".join(board[r, c] for c in range(8)) for r in range(8)]
            moves = {side: [square for square in board if turned(board, square, side)] for side in "XO"}
            if not moves["X"] and not moves["O"]:
                break
            (seat,) = GAME.to_act(state)
            assert seat == {"X": "Black", "O": "White"}[mark]
            legal = {GAME.format(state, move): move for move in GAME.legal(state, seat)}
            assert set(legal) == ({name(square) for square in moves[mark]} or {"pass"})
            if moves[mark]:
                square, chance = chance.choice(moves[mark])
                for other in [*turned(board, square, mark), square]:
                    board[other] = mark
                state = GAME.apply(state, {seat: legal[name(square)]})
            else:
                passes += 1
                state = GAME.apply(state, {seat: legal["pass"]})
            mark = "O" if mark == "X" else "X"
        discs = [list(board.values()).count(side) for side in "XO"]
        outcome = GAME.outcome(state)
        assert outcome is not None and GAME.to_act(state) == ()
        assert outcome.scores["Black"] == (discs[0] > discs[1]) + 0.5 * (discs[0] == discs[1])
        assert f"Black {discs[0]}, White {discs[1]}" in outcome.reason
    assert passes > 15


def passing() -> SpielState:
    """A state in which the player to act must pass."""
    for i in range(1000):
        chance = Chance.from_seed("pass").named(i)
        state = GAME.new(2, chance)
        while seats := GAME.to_act(state):
            legal = GAME.legal(state, seats[0])
            if GAME.format(state, legal[0]) == "pass":
                return state
            move, chance = chance.choice(legal)
            state = GAME.apply(state, {seats[0]: move})
    raise AssertionError("no game with a pass")


def kind_of(state: SpielState, text: str) -> str:
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, GAME.to_act(state)[0], text)
    return caught.value.kind


def test_passing() -> None:
    start, stuck = GAME.new(2, Chance(0)), passing()
    assert kind_of(start, "pass") == "pass_not_allowed"
    (seat,) = GAME.to_act(stuck)
    assert {GAME.format(stuck, GAME.parse(stuck, seat, text)) for text in ("pass", "Pass.", "I pass", "PASS")} == {
        "pass"
    }
    board = GAME.observe(stuck, seat).data["board"]
    empty = next(f"{'abcdefgh'[c]}{r + 1}" for r in range(8) for c in range(8) if board[r][c] == ".")
    assert kind_of(stuck, empty) == "must_pass"
    assert GAME.mentions("Not d3: I must pass.") == ["d3", "pass"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("e4", "already_taken"),
        ("a1", "turns_nothing"),
        ("i1", "out_of_bounds"),
        ("a9", "out_of_bounds"),
        ("3d", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    assert kind_of(GAME.new(2, Chance(0)), text) == kind


def test_board_view() -> None:
    shown = GAME.views()["board"].render(GAME.observe(GAME.new(2, Chance(0)), "Black")).splitlines()
    assert shown[0] == "  a b c d e f g h"
    assert shown[4] == "4 . . . O X . . ." and shown[5] == "5 . . . X O . . ."
