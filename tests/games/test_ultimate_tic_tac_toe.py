"""Ultimate tic-tac-toe against rules written out for this test."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import SpielState
from ludometer.games.ultimate_tic_tac_toe import UltimateTicTacToe

GAME = UltimateTicTacToe()


def line(cells: str) -> str:
    """Whose line there is in nine cells."""
    for mark in "XO":
        for way in ("012", "345", "678", "036", "147", "258", "048", "246"):
            if all(cells[int(i)] == mark for i in way):
                return mark
    return "."


def test_random_games_agree_with_the_rules_written_out() -> None:
    free_choices = draws = 0
    for i in range(120):
        chance = Chance.from_seed("ultimate").named(i)
        state = GAME.new(2, chance)
        boards = ["." * 9 for _ in range(9)]
        forced: int | None = None
        mark = "X"
        while True:
            won = "".join(line(cells) for cells in boards)
            data = GAME.observe(state, "X").data
            assert ["".join(rows) for rows in data["boards"]] == boards and data["won"] == won
            playable = [b for b in range(9) if won[b] == "." and "." in boards[b]]
            if line(won) != "." or not playable:
                break
            chosen = [forced] if forced in playable else playable
            free_choices += len(chosen) > 1
            assert data["play_in"] == (forced if forced in playable else None)
            assert GAME.to_act(state) == (mark,)
            mine = [f"{b}({c // 3},{c % 3})" for b in chosen for c in range(9) if boards[b][c] == "."]
            legal = {GAME.format(state, move): move for move in GAME.legal(state, mark)}
            assert set(legal) == set(mine)
            text, chance = chance.choice(mine)
            state = GAME.apply(state, {mark: legal[text]})
            board, cell = int(text[0]), 3 * int(text[2]) + int(text[4])
            boards[board] = boards[board][:cell] + mark + boards[board][cell + 1 :]
            forced = cell
            mark = "O" if mark == "X" else "X"
        outcome = GAME.outcome(state)
        assert outcome is not None and GAME.to_act(state) == ()
        winner = line(won)
        draws += winner == "."
        assert outcome.scores["X"] == {"X": 1.0, "O": 0.0, ".": 0.5}[winner]
    assert free_choices > 100 and draws > 10


def after(text: str) -> SpielState:
    state = GAME.new(2, Chance(0))
    for move in text.split():
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, move)})
    return state


@pytest.mark.parametrize(
    "text",
    [
        "2(0,1)",
        "2: (0,1)",
        "board 2 (0,1)",
        "Local board 2: x(0,1)",
        "local board 2: o(0,1)",
        "2,(0, 1).",
        "#2 cell (0,1)",
        "3. 2(0,1)",
        "**2(0,1)**",
    ],
)
def test_readable_where_the_board_is_free_and_where_it_is_not(text: str) -> None:
    for state in (after(""), after("4(0,2)")):
        (seat,) = GAME.to_act(state)
        move = GAME.parse(state, seat, text)
        assert GAME.format(state, move) == "2(0,1)"
        assert len(GAME.mentions(f"I choose {text}")) == 1
    assert len(GAME.parse(after(""), "X", text).steps) == 2


DECIDED = "0(0,0) 0(0,1) 1(0,0) 0(1,1) 4(0,0) 0(2,1)"
"""O has won board 0; the last move sends X to board 7."""


@pytest.mark.parametrize(
    ("moves", "text", "kind"),
    [
        ("4(0,2)", "3(0,0)", "wrong_board"),
        ("2(0,2)", "2(0,2)", "already_taken"),
        ("", "9(0,0)", "out_of_bounds"),
        ("", "0(3,0)", "out_of_bounds"),
        ("", "0", "invalid_format"),
        ("", "(0,0)", "invalid_format"),
        (DECIDED + " 7(0,0)", "0(0,2)", "board_decided"),
    ],
)
def test_refused(moves: str, text: str, kind: str) -> None:
    state = after(moves)
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, GAME.to_act(state)[0], text)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "answer", [{"board": 2, "row": 0, "column": 1}, {"Board": "2", "ROW": 0.0, "column": 1}, {"move": "2(0,1)"}]
)
def test_structured_answers(answer: Any) -> None:
    state = after("")
    assert GAME.encode(state, GAME.decode(state, "X", answer)) == {"board": 2, "row": 0, "column": 1}


def test_board_view_tells_where_to_play() -> None:
    shown = GAME.views()["board"].render(GAME.observe(after("4(0,2)"), "O")).splitlines()
    assert shown[4] == ". . . | . . X | . . ."
    assert shown[-2:] == ["small boards won: none", "to play in: small board 2"]
    assert GAME.views()["board"].render(GAME.observe(after(""), "X")).endswith("to play in: any small board")
