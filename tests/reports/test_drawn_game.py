"""Example games on the page."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import Chance, make_game
from ludometer.reports.drawn_game import drawn_game


def game(svg: str | None, seats: tuple[str, str]) -> dict[str, Any]:
    first, second = seats
    refused = {"seat": second, "entrant": "ann", "kind": "no_raise", "reason": "no", "answer": "raise", "more": 0}
    step = {"number": 1, "moves": {first: "raise to 45"}, "text": "a table", "svg": svg, "rejected": [refused]}
    return {
        "number": 1,
        "seats": {first: "bob", second: "ann"},
        "game": "poker",
        "condition": "",
        "opening": [],
        "steps": [step],
        "steps_left_out": 0,
        "ending": "completed",
        "why": "over",
    }


def drawn(name: str) -> str:
    rules = make_game(name)
    state = rules.new(rules.players[0], Chance(0))
    return str(rules.svg(rules.observe(state, rules.to_act(state)[0])))


@pytest.mark.parametrize(("name", "wide"), [("poker", True), ("risk", True), ("tictactoe", False), ("chess", False)])
def test_tables_and_maps_are_drawn_larger_than_boards(name: str, wide: bool) -> None:
    html = str(drawn_game(game(drawn(name), ("1", "2"))))
    assert ('class="steps wide"' in html) == wide
    assert 'class="steps"' in str(drawn_game(game(None, ("1", "2"))))


def test_numbered_seats_are_not_taken_for_numbers_of_moves() -> None:
    html = str(drawn_game(game(None, ("1", "2"))))
    assert "Match 1: Player 1: bob, Player 2: ann" in html
    assert "1. Player 1 raise to 45" in html and "ann (Player 2), refused (no raise)" in html
    html = str(drawn_game(game(None, ("X", "O"))))
    assert "Match 1: X: bob, O: ann" in html and "1. X raise to 45" in html


def test_what_is_read_as_text_has_room_and_long_moves_do_not_fill_the_page() -> None:
    shown = game(None, ("teacher", "student"))
    shown["steps"][0] |= {
        "text": "The question is:\n| How many dots are on four dice?",
        "moves": {"teacher": "x" * 5000},
    }
    html = str(drawn_game(shown))
    assert 'class="steps wide"' in html
    assert "x" * 300 + "…" in html and "x" * 301 not in html
    shown["steps"][0] |= {"text": "X| | \n | |O\n | | "}
    assert 'class="steps"' in str(drawn_game(shown))
