"""Decisions as models write them: what is read, what is refused, and why."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal, make_game
from ludometer.games._poker_notation import Action, mentions

from .poker_tables import Dealt


def facing() -> Dealt:
    """The big blind of 20 is to be called; raises go from 40 to 1000."""
    return Dealt((1000, 1000, 1000))


def unopened() -> Dealt:
    """After the flop nobody has bet; bets go from 20 to 980."""
    return facing().play("call", "call", "check")


def read(table: Dealt, answer: Any) -> Action:
    (seat,) = table.game.to_act(table.state)
    action = (
        table.game.parse(table.state, seat, answer)
        if isinstance(answer, str)
        else table.game.decode(table.state, seat, answer)
    )
    table.game.check(table.state, seat, action)
    return action


@pytest.mark.parametrize(
    "text",
    [
        "raise to 120",
        "Raise to 120.",
        "RAISE TO $120",
        "I raise to 120 chips",
        "**raise to 120**",
        "raise to 120.0",
        "raise by 100",
        "raise by 100 more",
    ],
)
def test_a_raise(text: str) -> None:
    assert read(facing(), text) == Action("raise", 120)


def test_amounts_with_separators() -> None:
    assert read(facing(), "raise to 1,000") == Action("raise", 1000)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("fold", Action("fold")),
        ("I fold", Action("fold")),
        ("call", Action("call")),
        ("Call 20", Action("call")),
        ("call $20", Action("call")),
        ("all-in", Action("raise", 1000)),
        ("All in!", Action("raise", 1000)),
        ("go all-in", Action("raise", 1000)),
        ("raise all-in", Action("raise", 1000)),
        ("raise to 1000 (all-in)", Action("raise", 1000)),
        ("bet to 120", Action("raise", 120)),
    ],
)
def test_facing_a_bet(text: str, action: Action) -> None:
    assert read(facing(), text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("check", Action("check")),
        ("bet 60", Action("bet", 60)),
        ("bet of 60", Action("bet", 60)),
        ("raise to 60", Action("bet", 60)),
        ("raise 60", Action("bet", 60)),
        ("all in", Action("bet", 980)),
    ],
)
def test_without_a_bet(text: str, action: Action) -> None:
    assert read(unopened(), text) == action


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("check", "cannot_check", "call 20"),
        ("call 50", "wrong_amount", "costs 20"),
        ("bet 60", "must_raise", "raise to N, with N from 40 to 1000"),
        ("raise to 30", "raise_too_small", "from 40 to 1000"),
        ("raise 1", "raise_too_small", "from 40"),
        ("raise to 1001", "raise_too_large", "more than your chips"),
        ("raise to 500 (all-in)", "ambiguous", "all-in is 1000"),
        ("raise 100", "ambiguous", "raise to 100 or raise to 120"),
        ("raise", "invalid_format", "raise to N, with N from 40 to 1000"),
        ("bet", "invalid_format", "how much"),
        ("muck", "invalid_format", "write fold, check"),
        ("raise to -40", "invalid_format", "not a decision"),
        ("raise to 12345678901234567890", "invalid_format", "not a decision"),
        ("raise to half the pot", "invalid_format", "not a decision"),
    ],
)
def test_refusals_facing_a_bet(text: str, kind: str, part: str) -> None:
    error = facing().error(text)
    assert error.kind == kind and part in error.reason


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("fold", "nothing_to_fold"),
        ("call", "nothing_to_call"),
        ("bet 19", "raise_too_small"),
        ("bet 981", "raise_too_large"),
        ("raise to 10", "raise_too_small"),
    ],
)
def test_refusals_without_a_bet(text: str, kind: str) -> None:
    assert unopened().refusal(text) == kind


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ({"action": "raise", "amount": 120}, Action("raise", 120)),
        ({"action": "raise to", "amount": "120"}, Action("raise", 120)),
        ({"Action": "RAISE", "Amount": 120.0}, Action("raise", 120)),
        ({"action": "raise to 120"}, Action("raise", 120)),
        ({"action": "raise to 120", "amount": 120}, Action("raise", 120)),
        ({"move": "raise to 120"}, Action("raise", 120)),
        ({"action": "call", "amount": 0}, Action("call")),
        ({"action": "call", "amount": 20}, Action("call")),
        ({"action": "call"}, Action("call")),
        ({"action": "fold", "amount": None}, Action("fold")),
        ({"action": "all_in", "amount": 0}, Action("raise", 1000)),
        ({"action": "All-in"}, Action("raise", 1000)),
        ({"action": "all_in", "amount": 1000}, Action("raise", 1000)),
        ({"action": "bet", "amount": 120}, Action("raise", 120)),
    ],
)
def test_structured_answers(answer: Any, action: Action) -> None:
    assert read(facing(), answer) == action


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"action": "raise"}, "invalid_format"),
        ({"action": "raise", "amount": "much"}, "invalid_format"),
        ({"action": "raise", "amount": 12.5}, "invalid_format"),
        ({"action": "raise", "amount": -5}, "invalid_format"),
        ({"action": "raise", "amount": True}, "invalid_format"),
        ({"action": "raise", "amount": [120]}, "invalid_format"),
        ({"action": "raise", "amount": 1}, "raise_too_small"),
        ({"action": "raise to 100", "amount": 120}, "ambiguous"),
        ({"action": "check", "amount": 20}, "wrong_amount"),
        ({"action": "all_in", "amount": 500}, "ambiguous"),
        ({"action": 3}, "invalid_format"),
        ({"amount": 120}, "invalid_format"),
    ],
)
def test_structured_answers_that_are_refused(answer: Any, kind: str) -> None:
    with pytest.raises(Illegal) as error:
        read(facing(), answer)
    assert error.value.kind == kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I could call, but I raise to 120.", ["call", "raise to 120"]),
        ("They raised to 100 and he calls. The bet is big, so I fold.", ["fold"]),
        ("Checking is weak; betting 50%? No: bet 60", ["bet 60"]),
        ("I want to raise", ["raise"]),
        ("all-in!", ["all-in"]),
        ("Raise to 1,000 (all-in).", ["Raise to 1,000 (all-in)"]),
        ("double-check the pot", []),
    ],
)
def test_decisions_in_running_text(text: str, found: list[str]) -> None:
    assert list(mentions(text)) == found


hostile = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["raise", "to", "bet", "all-in", "call", "1,000", "99", "$", "(", " ", "by"]), max_size=9
    ).map("".join),
)


@settings(max_examples=300, deadline=None)
@given(hostile)
def test_whatever_is_written_is_read_or_illegal(text: str) -> None:
    for table in (TABLES[0], TABLES[1]):
        (seat,) = table.game.to_act(table.state)
        for call in (
            lambda t=table, s=seat: t.game.parse(t.state, s, text),
            lambda t=table, s=seat: t.game.decode(t.state, s, {"action": text, "amount": text}),
        ):
            try:
                action = call()
                table.game.check(table.state, seat, action)
            except Illegal as error:
                assert error.kind and error.reason and len(error.reason) < 300
        assert all(piece in text for piece in mentions(text))


TABLES = (facing(), unopened())


def test_long_texts_are_read_in_time() -> None:
    for text in ("raise to " * 20_000, "1," * 50_000, "all-" * 30_000, "bet " + "9" * 100_000, " " * 100_000 + "x"):
        mentions(text)
        assert facing().refusal(text) == "invalid_format"


def test_few_sizes_are_listed_and_kept_to() -> None:
    table = Dealt((1000, 1000, 1000), sizes="few")
    legal = table.game.legal(table.state, "1")
    # The pot after a call is 50: half of it above the big blind is 45, all of it 70.
    assert legal == [
        Action("fold"),
        Action("call"),
        Action("raise", 40),
        Action("raise", 45),
        Action("raise", 70),
        Action("raise", 1000),
    ]
    assert table.refusal("raise to 100") == "size_not_offered"
    assert table.refusal("raise to 30") == "raise_too_small"
    assert facing().game.legal(facing().state, "1") is None


def test_the_example_and_the_schema_agree() -> None:
    game = make_game("poker")
    state = game.new(2, Chance(0))
    answer, text = game.example()
    assert answer == {"action": "raise", "amount": 120} and text == "raise to 120"
    assert set(game.schema(state, "1")["properties"]) == set(json.loads(json.dumps(answer)))


def asked(table: Dealt) -> Any:
    (seat,) = table.game.to_act(table.state)
    return table.game.asked(table.game.observe(table.state, seat))


@pytest.mark.parametrize(
    ("stacks", "said", "question", "answer"),
    [
        ((1000, 1000, 1000), (), "Do you fold, call or raise?", {"action": "raise", "amount": 120}),
        ((1000, 1000, 1000), ("call", "call"), "Do you check or raise?", {"action": "raise", "amount": 120}),
        (
            (1000, 1000, 1000),
            ("call", "call", "check"),
            "Do you check or bet?",
            {"action": "bet", "amount": 120},
        ),
        ((1000, 1000, 90), ("raise to 90", "call"), "Do you fold or call?", {"action": "call", "amount": 0}),
        ((1000, 1000, 1000), ("raise to 500",), "Do you fold, call or raise?", {"action": "raise", "amount": 980}),
        ((90, 1000, 1000), (), "Do you fold, call or raise?", {"action": "raise", "amount": 90}),
    ],
)
def test_each_decision_is_asked_for_in_its_own_words(
    stacks: tuple[int, ...], said: tuple[str, ...], question: str, answer: dict[str, Any]
) -> None:
    table = Dealt(stacks).play(*said)
    found = asked(table)
    assert found.question == question
    assert found.answer == answer
    # The example fits the decision, in both of its forms.
    action = read(table, found.answer)
    table.game.check(table.state, table.game.to_act(table.state)[0], action)
    assert read(table, {"move": found.text}) == action


def test_few_sizes_are_named_and_one_of_them_is_the_example() -> None:
    table = Dealt((1000, 1000, 1000), sizes="few")
    assert asked(table).answer == {"action": "raise", "amount": 40}
    shown = table.game.views()["table"].render(table.game.observe(table.state, "1"))
    assert "You may fold, or call 20, or raise to 40, 45, 70 or 1000 (all-in)." in shown
