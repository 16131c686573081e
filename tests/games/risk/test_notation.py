"""Reading and writing orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance, Illegal
from ludometer.games.risk import Order, Risk, State

GAME = Risk()
SINGLE = Risk(blitz=False)
LISTED = Risk(orders="phase")
NAMES = GAME.settings.board.names
ALASKA, NORTHWEST, KAMCHATKA, WESTERN_US = (
    NAMES.index(name) for name in ("Alaska", "Northwest Territory", "Kamchatka", "Western United States")
)


@pytest.fixture
def state(at: Callable[..., State]) -> State:
    return at({"Alaska": (0, 9), "Northwest Territory": (0, 5)}, hands=((0, 3, 6, 42), (), ()))


@pytest.mark.parametrize(
    "text",
    [
        "attack Alaska > Kamchatka",
        "Attack ALASKA > kamchatka.",
        "attack alaska -> kamchatka",
        "attack Alaska to Kamchatka",
        "attack from Alaska to Kamchatka",
        "attack Alaska → Kamchatka",
        "attack Alaska, Kamchatka",
        "attack Alaska - Kamchatka",
        "attack Alaska>Kamchatka",
        "attack Alaska > Kamchatka with 3 dice",
        "attack Alaska > Kamchatka 3",
        "**attack Alaska > Kamchatka**",
        "1. attack Alaska > Kamchatka",
        "attack 'Alaska' > \"Kamchatka\"",
    ],
)
def test_ways_of_writing_an_attack(state: State, text: str) -> None:
    assert GAME.parse(state, "1", text) == Order("attack", ALASKA, KAMCHATKA)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("reinforce Northwest Territory 3", Order("reinforce", target=NORTHWEST, number=3)),
        ("place 3 in northwest_territory", Order("reinforce", target=NORTHWEST, number=3)),
        ("place 3 armies in Northwest  Territory", Order("reinforce", target=NORTHWEST, number=3)),
        ("reinforce Alaska with 2 armies", Order("reinforce", target=ALASKA, number=2)),
        ("reinforce Alaska: 2", Order("reinforce", target=ALASKA, number=2)),
        ("reinforce Alaska +2", Order("reinforce", target=ALASKA, number=2)),
        ("reinforce western us 1", Order("reinforce", target=WESTERN_US, number=1)),
        ("fortify Alaska > Northwest Territory 4", Order("fortify", ALASKA, NORTHWEST, 4)),
        ("fortify 4 from Alaska to Northwest Territory", Order("fortify", ALASKA, NORTHWEST, 4)),
        ("fortify Alaska > Northwest Territory 4 armies", Order("fortify", ALASKA, NORTHWEST, 4)),
        ("move 5", Order("move", number=5)),
        ("move in 5 armies", Order("move", number=5)),
        ("pick Kamchatka", Order("pick", target=KAMCHATKA)),
        ("claim kamchatka", Order("pick", target=KAMCHATKA)),
        ("end", Order("end")),
        ("End turn.", Order("end")),
        ("end my turn", Order("end")),
        ("pass", Order("end")),
        ("trade 1 4 7", Order("trade", target=0, cards=(0, 3, 6))),
        ("trade cards 7, 4 and 1", Order("trade", target=0, cards=(0, 3, 6))),
        ("trade 4,7,43", Order("trade", target=-1, cards=(3, 6, 42))),
        ("trade #1 #4 #7 for Alaska", Order("trade", target=0, cards=(0, 3, 6))),
    ],
)
def test_ways_of_writing_other_orders(state: State, text: str, order: Order) -> None:
    assert GAME.parse(state, "1", text) == order


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "invalid_format"),
        ("Alaska", "invalid_format"),
        ("attack", "invalid_format"),
        ("attack Alaska", "invalid_format"),
        ("blitz Alaska > Kamchatka", "invalid_format"),
        ("retreat Alaska > Kamchatka", "invalid_format"),
        ("reinforce Alaska", "invalid_format"),
        ("fortify Alaska > Northwest Territory", "invalid_format"),
        ("attack Alaska > Kamchatka; end", "several_orders"),
        ("reinforce Alaska 1\n2. reinforce Peru 1", "several_orders"),
        ("fortify 3 from Alaska to Northwest Territory 4", "ambiguous"),
        ("move", "invalid_format"),
        ("move all", "invalid_format"),
        ("move 3 to Alaska", "invalid_format"),
        ("end of the world", "invalid_format"),
        ("trade 1 4", "invalid_format"),
        ("trade 1 4 7 9", "invalid_format"),
        ("trade infantry", "invalid_format"),
        ("trade 1 4 99", "no_such_card"),
        ("attack Alaska > Kamchatka 4", "too_many_dice"),
        ("attack Alaska > Kamchatka 0", "too_few_dice"),
        ("attack Alasca > Kamchatka", "unknown_territory"),
        ("reinforce Alaska and Peru 3", "unknown_territory"),
        ("pick 7", "unknown_territory"),
    ],
)
def test_what_cannot_be_read(state: State, text: str, kind: str) -> None:
    with pytest.raises(Illegal) as error:
        GAME.parse(state, "1", text)
    assert error.value.kind == kind


def test_a_misspelled_territory_gets_a_hint(state: State) -> None:
    with pytest.raises(Illegal, match="there is no territory 'Kamtchatka'; did you mean Kamchatka"):
        GAME.parse(state, "1", "attack Alaska > Kamtchatka")


def test_without_a_number_of_dice_as_many_as_possible_are_rolled(state: State, at: Callable[..., State]) -> None:
    assert SINGLE.parse(state, "1", "attack Alaska > Kamchatka") == Order("attack", ALASKA, KAMCHATKA, 3)
    two = at({"Alaska": (0, 3)})
    assert SINGLE.parse(two, "1", "attack Alaska > Kamchatka") == Order("attack", ALASKA, KAMCHATKA, 2)
    assert SINGLE.parse(two, "1", "attack Alaska > Kamchatka 1") == Order("attack", ALASKA, KAMCHATKA, 1)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ({"order": "attack", "from": "Alaska", "to": "kamchatka"}, Order("attack", ALASKA, KAMCHATKA)),
        ({"order": "attack", "from": "Alaska", "to": "Kamchatka", "dice": 3}, Order("attack", ALASKA, KAMCHATKA)),
        ({"Order": " ATTACK ", "From": "alaska", "TO": "kamchatka"}, Order("attack", ALASKA, KAMCHATKA)),
        ({"order": "reinforce", "territory": "Alaska", "armies": "3"}, Order("reinforce", target=ALASKA, number=3)),
        ({"order": "move", "armies": 4.0}, Order("move", number=4)),
        ({"order": "fortify", "from": "Alaska", "to": "Peru", "armies": 1}, Order("fortify", ALASKA, 10, 1)),
        ({"order": "trade", "cards": [7, 1, "4"]}, Order("trade", target=0, cards=(0, 3, 6))),
        ({"order": "trade", "cards": [1, 4, 7], "territory": "Alaska"}, Order("trade", target=0, cards=(0, 3, 6))),
        ({"order": "pick", "territory": "Peru"}, Order("pick", target=10)),
        ({"order": "end", "rationale": "enough"}, Order("end")),
        ({"type": "end"}, Order("end")),
        ({"order": "attack Alaska > Kamchatka"}, Order("attack", ALASKA, KAMCHATKA)),
        ({"move": "attack Alaska > Kamchatka"}, Order("attack", ALASKA, KAMCHATKA)),
    ],
)
def test_structured_orders(state: State, answer: dict[str, Any], order: Order) -> None:
    assert GAME.decode(state, "1", answer) == order


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({}, "invalid_format"),
        ({"order": 3}, "invalid_format"),
        ({"order": "jump"}, "invalid_format"),
        ({"order": "attack", "from": "Alaska"}, "invalid_format"),
        ({"order": "attack", "from": 1, "to": 2}, "invalid_format"),
        ({"order": "attack", "from": "Alaska", "to": "Kamchatka", "dice": 2.5}, "invalid_format"),
        ({"order": "attack", "from": "Alaska", "to": "Kamchatka", "dice": 9}, "too_many_dice"),
        ({"order": "reinforce", "territory": "Alaska"}, "invalid_format"),
        ({"order": "reinforce", "territory": "Alaska", "armies": True}, "invalid_format"),
        ({"order": "reinforce", "territory": "Mars", "armies": 1}, "unknown_territory"),
        ({"order": "trade", "cards": [1, 2]}, "bad_set"),
        ({"order": "trade", "cards": "1 2 3"}, "bad_set"),
        ({"order": "trade", "cards": [1, 2, 400]}, "no_such_card"),
        ({"order": "fortify", "from": "Alaska", "to": "Peru"}, "invalid_format"),
        ({"order": "move"}, "invalid_format"),
    ],
)
def test_structured_orders_that_cannot_be_read(state: State, answer: dict[str, Any], kind: str) -> None:
    with pytest.raises(Illegal) as error:
        GAME.decode(state, "1", answer)
    assert error.value.kind == kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I will attack Alaska > Kamchatka.", ["attack Alaska > Kamchatka"]),
        ("Not attack Alaska > Kamchatka; rather end.", ["attack Alaska > Kamchatka"]),
        ("Not attack Alaska > Kamchatka.\nend", ["attack Alaska > Kamchatka", "end"]),
        ("In the end I attack Alaska > Kamchatka and win.", ["attack Alaska > Kamchatka"]),
        ("attack Alaska > Kamchatka, and in the end all is mine", ["attack Alaska > Kamchatka"]),
        ("I choose **end**.", ["end"]),
        (
            "reinforce Western United States 3, or reinforce **Alaska** 2?",
            ["reinforce Western United States 3", "reinforce **Alaska** 2"],
        ),
        ("trade 1 4 7 for Alaska", ["trade 1 4 7 for Alaska"]),
        ("fortify Alaska > Northwest Territory 4", ["fortify Alaska > Northwest Territory 4"]),
        ("I attack with all I have", []),
        ("move 5 now", ["move 5"]),
        ("the move 5.5 is none", []),
    ],
)
def test_orders_in_prose(text: str, found: list[str]) -> None:
    assert GAME.mentions(text) == found


def test_lists_in_prose() -> None:
    text = "First idea: reinforce Alaska 3. Better:\n1. reinforce Peru 3\n2. attack Peru > Brazil\n3. move 3\n4. end\n"
    assert LISTED.mentions(text) == ["reinforce Alaska 3", "reinforce Peru 3; attack Peru > Brazil; move 3; end"]
    assert LISTED.mentions("reinforce Alaska 3; attack Alaska > Kamchatka; end") == [
        "reinforce Alaska 3; attack Alaska > Kamchatka; end"
    ]


@pytest.mark.parametrize("game", [GAME, SINGLE, Risk("small"), Risk("small", cards="fixed", blitz=False)], ids=repr)
def test_every_legal_order_survives_text_and_json(game: Risk) -> None:
    chance = Chance.from_seed(5)
    state = game.new(3, chance)
    for step in range(150):
        seats = game.to_act(state)
        if not seats:
            break
        legal = game.legal(state, seats[0]) or ()
        if step % 10 == 0:
            texts = [game.format(state, order) for order in legal]
            assert len(set(texts)) == len(texts)
            for order, text in zip(legal, texts, strict=True):
                assert game.parse(state, seats[0], text) == order
                assert game.parse(state, seats[0], text.upper()) == order
                assert game.decode(state, seats[0], game.encode(state, order)) == order
                assert game.mentions(f"I play {text}.") == [text]
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named(step))})


WORDS = st.sampled_from(
    [
        *("attack", "reinforce", "trade", "move", "end", "Alaska", "Kamchatka"),
        *(">", "->", "to", "3", "-1", ";", "\n", "for", "{", "½"),
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=12).map(" ".join)))
def test_hostile_text_raises_nothing_but_illegal(text: str) -> None:
    for game in (GAME, SINGLE, LISTED):
        state = game.new(3, Chance.from_seed("hostile"))
        for piece in [text, *game.mentions(text)]:
            try:
                game.check(state, "1", game.parse(state, "1", piece))
            except Illegal as error:
                assert error.kind and error.reason


KEYS = st.sampled_from(["order", "from", "to", "territory", "armies", "dice", "cards", "orders", "move"])
LEAVES = st.one_of(
    *(st.none(), st.booleans(), st.integers(-50, 10**6), st.floats()), st.sampled_from(["attack", "Alaska", "end", "1"])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=12
)


@given(VALUES)
def test_hostile_answers_raise_nothing_but_illegal(answer: Any) -> None:
    for game in (GAME, SINGLE, LISTED):
        state = game.new(3, Chance.from_seed("hostile"))
        try:
            game.check(state, "1", game.decode(state, "1", answer))
        except Illegal as error:
            assert error.kind and error.reason
