"""Reading what models write for the three decisions of UNO."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Completion, Illegal, Json
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import TYPES, card_name, card_type
from ludometer.games.uno.state import Record, State
from ludometer.matches import Match
from ludometer.parsers import read

GAME = Uno()


def at(phase: str) -> State:
    """A state in which player 1 is asked for that decision."""
    state: State = Match(GAME, 2, luck="notation").state
    hand = tuple(sorted(filter(None, map(card_type, HELD))))
    state = state._replace(hands=(hand, state.hands[1]), absent=((0,) * len(hand), state.absent[1]), player=0)
    if phase == "drawn":
        state = state._replace(history=(Record(0, "cannot", 1, (card_type("Red 5") or 0,)),))
    return state._replace(phase=phase, top=card_type("Wild Draw Four") or 0)  # type: ignore[arg-type]


HELD = ["Red 5", "Red Skip", "Blue 7", "Yellow 7", "Green Draw Two", "Wild", "Wild Draw Four"]


def said(phase: str, text: str) -> str:
    state = at(phase)
    return GAME.format(state, GAME.parse(state, "1", text))


def refused(phase: str, answer: str | dict[str, Json]) -> str:
    state = at(phase)
    with pytest.raises(Illegal) as caught:
        if isinstance(answer, str):
            GAME.parse(state, "1", answer)
        else:
            GAME.decode(state, "1", answer)
    return caught.value.kind


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Red 5", "Red 5"),
        ("red five", "Red 5"),
        ("R5", "Red 5"),
        ("r-5", "Red 5"),
        ("RED_5", "Red 5"),
        ("**Red 5**.", "Red 5"),
        ("Red: 5", "Red 5"),
        ("(red, 5)", "Red 5"),
        ("5 of Red", "Red 5"),
        ("I play the Red 5", "Red 5"),
        ("play Red 5", "Red 5"),
        ("My move is Red 5.", "Red 5"),
        ("Red 5 card", "Red 5"),
        ("Blue Skip", "Blue Skip"),
        ("skip blue", "Blue Skip"),
        ("Skip (Blue)", "Blue Skip"),
        ("green draw two", "Green Draw Two"),
        ("Green Draw 2", "Green Draw Two"),
        ("green +2", "Green Draw Two"),
        ("g+2", "Green Draw Two"),
        ("GreenDrawTwo", "Green Draw Two"),
        ("Green Draw-Two", "Green Draw Two"),
        ("Yellow Reverse", "Yellow Reverse"),
        ("Wild", "Wild"),
        ("wild card", "Wild"),
        ("a Wild", "Wild"),
        ("Wild (Red)", "Wild"),
        ("Wild - choose Red", "Wild"),
        ("Wild, Blue", "Wild"),
        ("Wild Draw Four", "Wild Draw Four"),
        ("wild draw 4", "Wild Draw Four"),
        ("Wild +4", "Wild Draw Four"),
        ("+4", "Wild Draw Four"),
        ("WildDrawFour", "Wild Draw Four"),
        ("draw four", "Wild Draw Four"),
        ("Wild Draw Four (Green)", "Wild Draw Four"),
        ("W4", "Wild Draw Four"),
        # Without a colour, where the hand leaves no doubt.
        ("skip", "Red Skip"),
        ("5", "Red 5"),
        ("five", "Red 5"),
        ("+2", "Green Draw Two"),
        ("draw two", "Green Draw Two"),
        # Drawing.
        ("draw", "draw"),
        ("Draw a card", "draw"),
        ("I draw", "draw"),
        ("pass", "draw"),
        # Answers to other questions are read too: the rules say what is wrong with them.
        ("Red", "Red"),
        ("challenge", "challenge"),
        ("no challenge", "no challenge"),
        ("keep", "keep"),
    ],
)
def test_cards(text: str, card: str) -> None:
    assert said("card", text) == card


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("Red", "Red"),
        ("yellow", "Yellow"),
        ("g", "Green"),
        ("Colour: Blue", "Blue"),
        ("color blue", "Blue"),
        ("I choose Green.", "Green"),
        ("Wild (Blue)", "Blue"),
        ("Wild Draw Four, green", "Green"),
        ("Red 5", "Red 5"),
    ],
)
def test_colours(text: str, colour: str) -> None:
    assert said("colour", text) == colour


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("challenge", True),
        ("Yes", True),
        ("I challenge", True),
        ("I will challenge Player 2.", True),
        ("yes, challenge", True),
        ("Challenge: yes", True),
        ("true", True),
        ("no challenge", False),
        ("No", False),
        ("don't challenge", False),
        ("do not challenge", False),
        ("I will not challenge.", False),
        ("not challenge", False),
        ("Challenge: no", False),
        ("accept", False),
        ("draw four", False),
        ("Draw 4 cards", False),
        ("I take the cards", False),
        ("pass", False),
        ("false", False),
    ],
)
def test_challenges(text: str, meant: bool) -> None:
    assert said("challenge", text) == ("challenge" if meant else "no challenge")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("play", "Red 5"),
        ("Play it!", "Red 5"),
        ("yes", "Red 5"),
        ("Red 5", "Red 5"),
        ("keep", "keep"),
        ("Keep it", "keep"),
        ("no", "keep"),
        ("pass", "keep"),
        ("Wild", "Wild"),
    ],
)
def test_a_drawn_card(text: str, meant: str) -> None:
    assert said("drawn", text) == meant


@pytest.mark.parametrize("card", range(TYPES))
def test_every_card_in_several_spellings(card: int) -> None:
    name = card_name(card)
    for text in (name, name.upper(), name.casefold(), name.replace(" ", ""), name.replace(" ", "-"), f'"{name}"'):
        assert said("card", text) == name


@pytest.mark.parametrize(
    ("phase", "answer", "kind"),
    [
        ("card", "Purple 5", "invalid_format"),
        ("card", "Red 10", "invalid_format"),
        ("card", "Red -5", "invalid_format"),
        ("card", "Red 5.5", "invalid_format"),
        ("card", "something", "invalid_format"),
        ("card", "yes", "invalid_format"),
        ("card", "7", "ambiguous"),
        ("card", "reverse", "not_in_hand"),
        ("card", "9", "not_in_hand"),
        ("card", {"card": 5}, "invalid_format"),
        ("card", {"card": ["Red 5"]}, "invalid_format"),
        ("card", {"card": "I am not sure, Red 5 or Blue 7"}, "invalid_format"),
        ("card", {"colour": "Purple"}, "invalid_format"),
        ("card", {"rationale": "Red 5"}, "invalid_format"),
        ("colour", "purple", "invalid_format"),
        ("colour", {"colour": "Purple"}, "invalid_format"),
        ("colour", {"colour": None}, "invalid_format"),
        ("colour", {"colour": 1}, "invalid_format"),
        ("challenge", "perhaps", "invalid_format"),
        ("challenge", {"challenge": 7}, "invalid_format"),
        ("challenge", {"challenge": "perhaps"}, "invalid_format"),
    ],
)
def test_what_cannot_be_read(phase: str, answer: Any, kind: str) -> None:
    assert refused(phase, answer) == kind


@pytest.mark.parametrize(
    ("phase", "answer", "meant"),
    [
        ("card", {"card": "Red 5"}, "Red 5"),
        ("card", {"Card": "red five", "colour": "Blue"}, "Red 5"),
        ("card", {"move": "R5"}, "Red 5"),
        ("card", {"card": "draw"}, "draw"),
        ("card", {"colour": "Red"}, "Red"),
        ("card", {"challenge": False}, "no challenge"),
        ("colour", {"colour": "Red"}, "Red"),
        ("colour", {"color": "blue"}, "Blue"),
        ("colour", {"card": "Wild", "color": "blue"}, "Blue"),
        ("colour", {"move": "Green"}, "Green"),
        ("colour", {"card": "Red 5"}, "Red 5"),
        ("challenge", {"challenge": True}, "challenge"),
        ("challenge", {"challenge": False}, "no challenge"),
        ("challenge", {"challenge": "yes"}, "challenge"),
        ("challenge", {"challenge": "No."}, "no challenge"),
        ("challenge", {"challenge": "false"}, "no challenge"),
        ("challenge", {"move": "no challenge"}, "no challenge"),
        ("challenge", {"move": "yes"}, "challenge"),
        ("drawn", {"card": "keep"}, "keep"),
        ("drawn", {"card": "Red 5"}, "Red 5"),
    ],
)
def test_structured_answers(phase: str, answer: dict[str, Json], meant: str) -> None:
    state = at(phase)
    assert GAME.format(state, GAME.decode(state, "1", answer)) == meant


@pytest.mark.parametrize(
    ("phase", "text", "meant"),
    [
        ("card", "I hold Blue 7 and Red 5. Red is in force, so I play the Red 5.", "Red 5"),
        ("card", "Red 5", "Red 5"),
        ("card", "I play Red 5 to keep Blue.", "Red 5"),
        ("card", "I play the Green Draw Two so that my opponent must draw two cards.", "Green Draw Two"),
        ("card", "Answer: **Wild Draw Four**\n\nGood luck!", "Wild Draw Four"),
        ("card", "Nothing fits, so I must draw a card.", "draw"),
        ("card", "There is no way to know. My card: R5", "Red 5"),
        ("colour", "I hold Red 5 and Red Skip but only one Blue 7, so I choose Red", "Red"),
        ("colour", "Red is best for me; Blue would help them. Final answer: Red", "Red"),
        ("colour", "I choose Blue because of my Red 5", "Blue"),
        ("challenge", "They probably hold red. I challenge.", "challenge"),
        ("challenge", "I challenge because they have no reason to lie", "challenge"),
        ("challenge", "If I challenge and fail I draw six. I will not challenge.", "no challenge"),
        ("challenge", "Should I challenge? No.", "no challenge"),
        ("challenge", "A challenge is risky, so I accept the four cards.", "no challenge"),
        ("challenge", "Decision:\nYes", "challenge"),
        ("drawn", "It fits and I have many cards, so I play it.", "Red 5"),
        ("drawn", "I would rather keep it.", "keep"),
    ],
)
def test_running_text(phase: str, text: str, meant: str) -> None:
    match = Match(GAME, 2, luck="notation")
    match.state = at(phase)
    reading = read(Completion(text), match.turns()[0], "text")
    assert reading.fault is None and GAME.format(match.state, reading.action) == meant


def test_running_text_without_a_decision() -> None:
    match = Match(GAME, 2, luck="notation")
    for phase in ("card", "colour", "challenge"):
        match.state = at(phase)
        reading = read(Completion("I do not know what to do."), match.turns()[0], "text")
        assert reading.fault is not None and reading.fault.status == "invalid_format"


@given(st.text(max_size=300), st.sampled_from(["card", "drawn", "colour", "challenge"]))
def test_hostile_text_raises_nothing_else(text: str, phase: str) -> None:
    state = at(phase)
    for given_answer in (text, {"card": text}, {"colour": text}, {"challenge": text}, {"move": text}):
        try:
            if isinstance(given_answer, str):
                GAME.parse(state, "1", given_answer)
                GAME.mentions(given_answer)
            else:
                GAME.decode(state, "1", given_answer)
        except Illegal as error:
            assert error.reason and "\n" not in error.reason


@pytest.mark.parametrize("piece", ["red ", "draw ", "wild ", "i ", "challenge ", "no ", "- ", "+ ", "4", "(", "'"])
def test_long_repetitions_are_read_quickly(piece: str) -> None:
    """A regular expression that tries everything would not come back from these."""
    text = piece * 30_000
    for phase in ("card", "drawn", "colour", "challenge"):
        try:
            GAME.parse(at(phase), "1", text)
        except Illegal as error:
            assert len(error.reason) < 300
    GAME.mentions(text)


@pytest.mark.parametrize(
    ("phase", "key"), [("card", "card"), ("drawn", "card"), ("colour", "colour"), ("challenge", "challenge")]
)
def test_every_decision_has_a_schema_of_its_own(phase: str, key: str) -> None:
    schema = GAME.schema(at(phase), "1")
    assert list(schema["properties"]) == schema["required"] == [key]
    if phase == "card":
        assert len(schema["properties"]["card"]["enum"]) == TYPES  # the whole deck, whatever is held
        assert "draw" in Uno(forced_draw="ask").schema(at(phase), "1")["properties"]["card"]["enum"]


def test_the_example_of_a_question_is_worth_nothing_to_copy() -> None:
    for phase in ("card", "drawn"):
        state = at(phase)
        asked = GAME.asked(GAME.observe(state, "1"))
        with pytest.raises(Illegal):
            GAME.check(state, "1", GAME.decode(state, "1", asked.answer))
        assert GAME.parse(state, "1", asked.text) == GAME.decode(state, "1", asked.answer)
    for phase, choices in (("colour", 4), ("challenge", 2)):
        state = at(phase)
        examples = {GAME.asked(GAME.observe(state._replace(pile=state.pile[i:]), "1")).text for i in range(8)}
        assert len(examples) == choices
