"""How bids and calls are read: in fields, in notation, in words, in prose, and in whatever else a model writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal
from ludometer.games.liars_dice import CALL, LiarsDice, Move

GAME = LiarsDice()
OPEN = GAME.new(2, Chance(1))
BID = GAME.apply(OPEN, {"1": Move("bid", 2, 3)})


@pytest.mark.parametrize(
    "text",
    [
        *("3x5", "3 x 5", "3X5", "3×5", "3*5", "`3x5`", "**3x5**.", "3x5s", "three fives", "Three Fives", "3 fives"),
        *(
            "3 5s",
            "3 5's",
            "three 5s",
            "bid 3x5",
            "Bid: 3x5",
            "I bid three fives",
            "raise to 3x5",
            "I raise to three fives",
        ),
        *("quantity: 3, face: 5", "quantity 3 face 5", "quantity=3 and face=5", "I'll bid 3x5", "(3x5)"),
    ],
)
def test_one_bid_in_many_ways(text: str) -> None:
    assert GAME.parse(BID, "2", text) == Move("bid", 3, 5)


@pytest.mark.parametrize(
    "text",
    ["call", "Call!", "I call", "CALL", "call liar", "Liar!", "I challenge", "challenge the bid", "dudo", "call it"],
)
def test_a_call_in_many_ways(text: str) -> None:
    assert GAME.parse(BID, "2", text) == CALL


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "5",
        "3 5",
        "3,5",
        "three",
        "fives",
        "3x",
        "x5",
        "1.3x5",
        "3x5x2",
        "call 3x5",
        "bid",
        "recall",
        "3x5 or call",
    ],
)
def test_what_is_neither(text: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(BID, "2", text)
    assert caught.value.kind == "invalid_format"


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ({"action": "bid", "quantity": 3, "face": 5}, Move("bid", 3, 5)),
        ({"Action": "BID", "Quantity": "3", "Face": 5.0}, Move("bid", 3, 5)),
        ({"action": "raise", "quantity": 3, "face": 5}, Move("bid", 3, 5)),
        ({"quantity": 3, "face": 5}, Move("bid", 3, 5)),
        ({"action": "call"}, CALL),
        ({"action": "call", "quantity": None, "face": None}, CALL),
        ({"action": "call", "quantity": 2, "face": 3}, CALL),
        ({"action": "liar"}, CALL),
        ({"action": "3x5"}, Move("bid", 3, 5)),
        ({"move": "3x5"}, Move("bid", 3, 5)),
        ({"move": "call"}, CALL),
    ],
)
def test_structured_answers(answer: dict[str, Any], move: Move) -> None:
    assert GAME.decode(BID, "2", answer) == move


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"action": "bid", "quantity": 3}, "invalid_format"),
        ({"action": "bid", "quantity": 3, "face": None}, "invalid_format"),
        ({"action": "bid", "quantity": 0, "face": 0}, "impossible_bid"),
        ({"action": "bid", "quantity": 99, "face": 3}, "impossible_bid"),
        ({"action": "bid", "quantity": 2.5, "face": 3}, "invalid_format"),
        ({"action": "bid", "quantity": True, "face": 3}, "invalid_format"),
        ({"action": "fold"}, "invalid_format"),
        ({"action": "fold", "quantity": 3, "face": 5}, "invalid_format"),
        ({"action": ["bid"], "quantity": 3, "face": 5}, "invalid_format"),
        ({"action": "bid", "quantity": 1, "face": 6}, "bid_too_low"),
        ({}, "invalid_format"),
        ([], "invalid_format"),
        (None, "invalid_format"),
    ],
)
def test_structured_answers_that_cannot_be_played(answer: Any, kind: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.decode(BID, "2", answer)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("My opponent bid 2x3. I have two fives. If I call, I may lose. I bid 3x5 since they may not call.", "3x5"),
        ("2x3 looks true.\n\ncall", "call"),
        ("I should not call. So `4x2`", "`4x2`"),
        ("I will bid three fives.", "3x5"),
        ("My move is **call**.", "call"),
        ("I raise to 3 fives", "3x5"),
        ("Bid: 3x5 (three fives)", "3x5"),
        ("Not 3x5; 4x2", "4x2"),
        ("3x5, no: I call", "call"),
    ],
)
def test_the_last_stated_move_counts(text: str, last: str) -> None:
    assert GAME.parse(BID, "2", GAME.mentions(text)[-1]) == GAME.parse(BID, "2", last)


@pytest.mark.parametrize(
    "text",
    ["They will call me a cheat.", "I have two fives and a six.", "So-called expert", "10.3x5", "phone call"],
)
def test_no_move_is_found_where_none_is_made(text: str) -> None:
    assert GAME.mentions(text) == []


@given(st.text(max_size=200) | st.text(alphabet="0123456789x*sbidcal lfivetr'-.:", max_size=60))
def test_no_text_raises_anything_but_illegal(text: str) -> None:
    for piece in (text, *GAME.mentions(text)):
        for state, seat in ((OPEN, "1"), (BID, "2")):
            try:
                move = GAME.parse(state, seat, piece)
            except Illegal:
                continue
            assert move in GAME.legal(state, seat)


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9), st.lists, max_leaves=4)
)
def test_no_answer_raises_anything_but_illegal(value: Any) -> None:
    for answer in ({"action": value}, {"action": "bid", "quantity": value, "face": 3}, {"quantity": 3, "face": value}):
        try:
            move = GAME.decode(BID, "2", answer)
        except Illegal:
            continue
        assert move in GAME.legal(BID, "2")


def test_every_piece_found_in_prose_can_be_read() -> None:
    text = "I bid 3x5, or three fives, or bid four twos; my move: call\nliar!\n3 sixes\nquantity: 4, face: 2"
    pieces = GAME.mentions(text)
    assert len(pieces) == 6
    for piece in pieces:
        GAME.parse(BID, "2", piece)


def test_each_decision_is_asked_for_in_its_own_words() -> None:
    def asked(state: Any, seat: str) -> Any:
        return GAME.asked(GAME.observe(state, seat))

    assert asked(OPEN, "1").question == "What do you bid?"
    assert asked(BID, "2").question == "Do you call the last bid 2x3, or make a higher bid?"
    assert asked(BID, "2").answer == {"action": "bid", "quantity": 2, "face": 4}
    highest = GAME.apply(OPEN, {"1": Move("bid", 10, 6)})
    last = asked(highest, "2")
    assert last.question == "You can only call the last bid 10x6."
    assert GAME.decode(highest, "2", last.answer) == GAME.parse(highest, "2", last.text) == CALL
