"""From a turn to the messages that are sent."""

from __future__ import annotations

import itertools
import struct

import pytest

from ludometer.core import (
    CallKey,
    Completion,
    ConfigurationError,
    Decision,
    Exchange,
    Fault,
    ImagePart,
    TextPart,
    make_game,
)
from ludometer.matches import Match, MatchPolicy
from ludometer.prompts import ANSWER_FORMATS, AnswerStyle, PromptStyle, compose

GAME = make_game("tictactoe")


def match_with(*moves, **policy) -> Match:
    match = Match(GAME, id="m", policy=MatchPolicy(**policy))
    for move in moves:
        seat = match.turns()[0].seat
        match.submit(seat, Decision(GAME.parse(match.state, seat, move)))
    return match


def asked(match: Match, style: PromptStyle) -> str:
    """The text of the last message."""
    return compose(match.turns()[0], style).request.messages[-1].text


def answer_with(match: Match, style: PromptStyle, move: str | None, text: str, fault: Fault | None = None):
    """Submits an answer as a language model's player does, and returns the request it answers."""
    turn = match.turns()[0]
    request = compose(turn, style).request
    exchange = Exchange(CallKey("m", turn.step, turn.seat, turn.attempt, "0"), request, Completion(text), "f")
    action = None if move is None else turn.parse(move)
    match.submit(turn.seat, Decision(action, fault, text, exchanges=(exchange,)))
    return request


# ------------------------------------------------------------------ the three parts


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
@pytest.mark.parametrize("view", ["list", "illustration", "numbered"])
def test_three_parts_in_order(view, answer):
    match = match_with("1,1")
    turn = match.turns()[0]
    style = PromptStyle(view, AnswerStyle(answer))
    (message,) = compose(turn, style).request.messages
    shown = GAME.views()[view]
    places = [
        message.text.index(GAME.rules()),
        message.text.index(shown.explain(turn.observation)),
        message.text.index("\n" + shown.render(turn.observation) + "\n"),
        message.text.index(style.answer.instruction(turn, shown.notation)),
        message.text.index("You are player O (second player)."),
    ]
    assert message.role == "user"
    assert places == sorted(places)
    assert places[0] == 0
    assert message.text.endswith("What is your next move?")


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
def test_two_prompt_kinds_differ_in_the_part_that_shows_the_moves_and_nowhere_else(answer):
    match = match_with("1,1", "2,2")
    turn = match.turns()[0]
    texts = []
    for name in ("list", "illustration"):
        view = GAME.views()[name]
        shown = f"{view.explain(turn.observation)}\n\n{view.render(turn.observation)}"
        text = asked(match, PromptStyle(name, AnswerStyle(answer)))
        assert text.count(shown) == 1
        texts.append(text.replace(shown, "<shown>"))
    assert texts[0] == texts[1]
    assert compose(turn, PromptStyle("list", AnswerStyle(answer))).notation is None


@pytest.mark.parametrize("view", ["list", "illustration", "numbered", "image"])
def test_what_comes_before_the_state_never_changes_within_a_match(view):
    match, prefixes = match_with(), set()
    for move in (None, "1,1", "2,2", "1,2", "3,3"):
        if move is not None:
            match.submit(match.turns()[0].seat, Decision(GAME.parse(match.state, "X", move)))
        turn = match.turns()[0]
        text = asked(match, PromptStyle(view))
        explained = GAME.views()[view].explain(turn.observation)
        prefixes.add(text[: text.index(explained) + len(explained)])
    assert len(prefixes) == 1
    assert next(iter(prefixes)).startswith(GAME.rules())


def test_the_default_view_is_the_games_first():
    assert asked(match_with(), PromptStyle()) == asked(match_with(), PromptStyle(next(iter(GAME.views()))))


def test_an_unknown_view_names_the_nearest():
    with pytest.raises(ConfigurationError, match="did you mean 'illustration'"):
        asked(match_with(), PromptStyle("ilustration"))


def test_system_and_suffix():
    style = PromptStyle(system="Play well.", suffix="Take your time.")
    system, user = compose(match_with().turns()[0], style).request.messages
    assert (system.role, system.content) == ("system", "Play well.")
    assert user.text.endswith("What is your next move?\n\nTake your time.")
    plain = compose(match_with().turns()[0], PromptStyle()).request.messages[-1].text
    assert user.text == plain + "\n\nTake your time."


# ------------------------------------------------------------------ answer formats


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
@pytest.mark.parametrize("rationale", [False, True])
def test_only_the_asked_mechanism_is_in_the_request(answer, rationale):
    request = compose(match_with().turns()[0], PromptStyle(answer=AnswerStyle(answer, rationale=rationale))).request
    assert (request.schema is not None) == (answer == "json_schema")
    assert (request.tool is not None) == (answer == "tool")
    schema = request.schema or (request.tool.schema if request.tool else None)
    if schema is not None:
        expected = ["rationale", "row", "column"] if rationale else ["row", "column"]
        assert schema["required"] == expected == list(schema["properties"]), "the reason comes before the move"
    assert ("rationale" in request.messages[-1].text) == (rationale and answer != "text")
    assert ("JSON" in request.messages[-1].text) == (answer in ("json", "json_schema"))


@pytest.mark.parametrize("answer", ["json_schema", "tool"])
def test_legal_only_lists_exactly_the_legal_moves(answer):
    match = match_with("2,2", "1,1", "3,3")
    request = compose(match.turns()[0], PromptStyle(answer=AnswerStyle(answer, legal_only=True))).request
    schema = request.schema or request.tool.schema
    legal = ["1,2", "1,3", "2,1", "2,3", "3,1", "3,2"]
    assert schema["properties"] == {"move": {"type": "string", "enum": legal}}
    assert schema["additionalProperties"] is False
    assert f"must be one of: {'; '.join(legal)}." in request.messages[-1].text


@pytest.mark.parametrize("answer", ["text", "json"])
def test_legal_only_needs_a_schema(answer):
    with pytest.raises(ConfigurationError, match="legal_only = true needs answer = 'json_schema' or 'tool'"):
        AnswerStyle(answer, legal_only=True)


def test_moves_are_asked_for_in_the_views_notation():
    prompt = compose(match_with().turns()[0], PromptStyle("numbered", AnswerStyle("json_schema")))
    assert prompt.notation == "cell"
    assert list(prompt.request.schema["properties"]) == ["cell"]
    assert '{"cell": 3}' in prompt.request.messages[-1].text
    text = asked(match_with(), PromptStyle("numbered", AnswerStyle("text")))
    assert "as the number of an empty cell (1 to 9), for example 3" in text


# ------------------------------------------------------------------ pictures


def test_the_image_view_sends_a_picture_between_texts():
    turn = match_with("1,1").turns()[0]
    (message,) = compose(turn, PromptStyle("image")).request.messages
    before, picture, after = message.content
    assert isinstance(before, TextPart)
    assert isinstance(picture, ImagePart)
    assert isinstance(after, TextPart)
    assert before.text.startswith(GAME.rules())
    assert after.text.endswith("What is your next move?")
    assert picture.media_type == "image/png"
    assert picture.data.startswith(b"\x89PNG\r\n\x1a\n")
    # The header chunk of a PNG: width and height as big-endian integers at byte 16. The drawing is 320 by 320.
    assert struct.unpack(">II", picture.data[16:24]) == (320, 320)
    other = compose(match_with("1,2").turns()[0], PromptStyle("image")).request.messages[0].content[1]
    assert other.data != picture.data


def test_a_picture_in_a_chat():
    style = PromptStyle("image", context="conversation")
    match = match_with()
    first = answer_with(match, style, "1,1", "corner")
    answer_with(match, style, "2,2", "centre")
    messages = compose(match.turns()[0], style).request.messages
    assert messages[:2] == (*first.messages, messages[1])
    assert [part for part in messages[2].content if isinstance(part, ImagePart)]


# ------------------------------------------------------------------ bad attempts


BAD = {
    "illegal": ("2,2", None, "not accepted (already taken): row 2, column 2 is already taken by O"),
    "invalid_format": (None, "the answer contains no JSON object", "not accepted (invalid format): the answer cont"),
    "ambiguous": (None, "the answer gives two values for 'row'", "not accepted (ambiguous): the answer gives two"),
    "refused": (None, "I do not play", "not accepted (refused)"),
    "truncated": (None, "the answer was cut off", "Be brief"),
    "timeout": (None, "no answer within 5 s", "Be brief"),
    "empty": (None, "the answer is empty", "was empty"),
    "player_error": (None, "KeyError: 'secret of the program'", "could not be used"),
}


def after_bad(status: str, mode: str, style: PromptStyle) -> str:
    match = match_with("1,1", "2,2", feedback=mode)
    move, reason, _ = BAD[status]
    fault = None if move is not None else Fault(status, reason)
    answer_with(match, style, move, "nonsense", fault)
    return asked(match, style)


@pytest.mark.parametrize("status", BAD)
def test_explain_names_the_error(status):
    style = PromptStyle(suffix="The end.")
    plain = asked(match_with("1,1", "2,2"), style)
    text = after_bad(status, "explain", style)
    head, tail = plain.removesuffix("The end."), "The end."
    assert text.startswith(head)
    assert text.endswith("\n\n" + tail)
    assert BAD[status][2] in text.removeprefix(head)
    assert "secret" not in text


@pytest.mark.parametrize("status", BAD)
@pytest.mark.parametrize("mode", ["none", "repeat"])
def test_none_and_repeat_ask_the_same_again(status, mode):
    assert after_bad(status, mode, PromptStyle()) == asked(match_with("1,1", "2,2"), PromptStyle())


# ------------------------------------------------------------------ conversations


@pytest.mark.parametrize("mode", ["repeat", "explain"])
def test_a_chat_grows_and_is_prefix_stable(mode):
    style = PromptStyle("list", context="conversation", system="Play.")
    match = match_with(feedback=mode)
    requests = {"X": [], "O": []}
    script = [("1,1", "a"), ("2,2", "b"), ("2,2", "c"), ("1,2", "d"), ("1,2", "e"), ("3,3", "f"), ("1,3", "g")]
    for move, text in script:
        requests[match.turns()[0].seat].append((answer_with(match, style, move, text), text))
    assert [len(asked) for asked in requests.values()] == [4, 3]
    for chat in requests.values():
        for (earlier, text), (later, _) in itertools.pairwise(chat):
            *before, said, _ = later.messages
            assert tuple(before) == earlier.messages
            assert (said.role, said.content) == ("assistant", text)
        last = chat[-1][0].messages
        assert [message.role for message in last] == ["system", *["user", "assistant"] * (len(chat) - 1), "user"]
        assert "".join(message.text for message in last).count(GAME.rules()) == 1, "the rules are told once"


def test_a_chat_without_feedback_forgets_the_bad_answer():
    style = PromptStyle(context="conversation")
    match = match_with(feedback="none")
    answer_with(match, style, "1,1", "first")
    answer_with(match, style, "2,2", "of the other")
    before = compose(match.turns()[0], style).request
    answer_with(match, style, "2,2", "bad")
    assert compose(match.turns()[0], style).request == before
    assert "bad" not in [message.text for message in before.messages]


def test_an_empty_answer_leaves_a_message_that_every_provider_takes():
    style = PromptStyle(context="conversation")
    match = match_with()
    answer_with(match, style, None, "", Fault("empty", "the answer is empty"))
    assert all(message.text.strip() for message in compose(match.turns()[0], style).request.messages)


def test_each_seat_has_a_chat_of_its_own():
    style = PromptStyle(context="conversation")
    match = match_with()
    answer_with(match, style, "1,1", "secret plan of X")
    assert "secret plan" not in str(compose(match.turns()[0], style).request)


def test_fresh_prompts_have_one_message_whatever_happened():
    match = match_with()
    for move in ("1,1", "2,2", "1,2"):
        answer_with(match, PromptStyle(), move, "text")
    assert len(compose(match.turns()[0], PromptStyle()).request.messages) == 1
