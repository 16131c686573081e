"""What counts as a model's answer, for every answer format."""

from __future__ import annotations

import json

import pytest

from ludometer.core import Completion, Turn, make_game
from ludometer.games.tictactoe import Cell
from ludometer.matches import Match
from ludometer.parsers import Reading, read
from ludometer.prompts import ANSWER_FORMATS

STRUCTURED = ("json", "json_schema", "tool")


def first_turn() -> Turn:
    return Match(make_game("tictactoe"), id="m").turns()[0]


def said(answer, text, finish_reason="stop", **fields):
    """The completion of a model that says ``text`` in the place where its answer format has it."""
    if answer == "tool" and text is not None:
        return Completion(None, "tool" if finish_reason == "stop" else finish_reason, tool_arguments=text, **fields)
    return Completion(text, finish_reason, **fields)


def reading(text, answer="json", notation=None, finish_reason="stop", **fields) -> Reading:
    return read(said(answer, text, finish_reason, **fields), first_turn(), answer, notation)


def action(*args, **fields):
    found = reading(*args, **fields)
    assert found.fault is None, found.fault
    return found.action


def status(*args, **fields):
    found = reading(*args, **fields)
    assert found.action is None
    return found.fault.status


# ------------------------------------------------------------------ the last stated answer


@pytest.mark.parametrize(
    ("text", "notation", "cell"),
    [
        ("Not 5; I choose 1", "cell", (1, 1)),
        ("Not 5;\nI choose 1", "cell", (1, 1)),
        ("Not [5]; I choose [1]", "cell", (1, 1)),
        ("Not [5];\nI choose [1]", "cell", (1, 1)),
        ("Not 2,2; I choose 1,3", None, (1, 3)),
        ("Not [2,2];\nI choose [1, 3]", None, (1, 3)),
        ("Not row 2, column 2; I choose row 1, column 3", None, (1, 3)),
        ("2,2. No: 1,3.", None, (1, 3)),
    ],
)
def test_the_last_of_two_moves_in_prose_counts(text, notation, cell):
    assert action(text, "text", notation) == Cell(*cell)


@pytest.mark.parametrize("answer", STRUCTURED)
@pytest.mark.parametrize(
    "text",
    [
        '{"row": 2, "column": 2} no: {"row": 1, "column": 3}',
        '{"row": 2, "column": 2}\n{"row": 1, "column": 3}',
        'First {"row": 2, "column": 2}.\n```json\n{"row": 1, "column": 3}\n```',
    ],
)
def test_the_last_of_two_objects_counts(text, answer):
    assert action(text, answer) == Cell(1, 3)


@pytest.mark.parametrize("answer", STRUCTURED)
def test_prose_is_no_structured_answer(answer):
    assert action("row 1, column 3", "text") == Cell(1, 3)
    assert status("row 1, column 3", answer) == "invalid_format"


@pytest.mark.parametrize("answer", STRUCTURED)
def test_a_legal_move_in_the_prose_does_not_replace_a_bad_object(answer):
    found = reading('I could also play row 1, column 1 (1,1). {"row": 9, "column": 9} Or 1,1!', answer)
    assert found.action == Cell(9, 9), "what is illegal is the referee's to say"
    assert status('I play 1,1. {"square": "b2"}', answer) == "invalid_format"
    assert status('{"row": 1, "column": 1} {"row": "top", "column": 1}', answer) == "invalid_format"


# ------------------------------------------------------------------ how objects are written


@pytest.mark.parametrize("answer", STRUCTURED)
@pytest.mark.parametrize(
    "text",
    [
        '{"row": 1, "column": 3}',
        'I take the corner: {"row": 1, "column": 3}. Your turn!',
        '```json\n{"row": 1, "column": 3}\n```',
        '```\n{"row": 1,\n "column": 3}```',
        "{'row': 1, 'column': 3}",
        "{“row”: 1, “column”: 3}",
        "{‘row’: ‘1’, ‘column’: ‘3’}",
        "{„row“: 1, «column»: 3}",
        '{"row": 1, "column": 3,}',
        "{row: 1, column: 3}",
        '{"row": "1", "column": "3"}',
        '{"row": 1.0, "column": 3}',
        '{"Row": 1, "COLUMN": 3}',
        '{"move": "1,3"}',
        '{"move": "row 1, column 3"}',
        '{"rationale": "a brace } and a quote \\" in a text", "row": 1, "column": 3}',
        "{'rationale': \"it's free\", 'row': 1, 'column': 3}",
        "{'rationale': 'a 5\" board', 'row': 1, 'column': 3}",
        '{"plan": {"row": 2, "column": 2}, "row": 1, "column": 3}',
        'Think {about it. {"row": 1, "column": 3}',
        '{ "never closed {"row": 1, "column": 3}',
        '{"row": 1, "column": 3, "row": 1}',
    ],
)
def test_objects_are_read_as_models_write_them(text, answer):
    assert action(text, answer) == Cell(1, 3)


@pytest.mark.parametrize("answer", STRUCTURED)
@pytest.mark.parametrize("value", ["1.5", "true", "[1]", "null", '"one"', "{}", "NaN", "Infinity", '""', "1e400"])
def test_what_is_no_whole_number_is_no_row(value, answer):
    assert status(f'{{"row": {value}, "column": 3}}', answer) == "invalid_format"


@pytest.mark.parametrize("answer", STRUCTURED)
@pytest.mark.parametrize("text", ["[1, 3]", '"1,3"', "{}", '{"row": 1}', "13", '["row", 1]'])
def test_other_json_is_no_answer(text, answer):
    assert status(text, answer) == "invalid_format"


@pytest.mark.parametrize("answer", STRUCTURED)
@pytest.mark.parametrize(
    "text",
    ['{"row": 1, "column": 3, "row": 2}', '{"row": 1, "Row": 2, "column": 3}', "{'row': 1, 'row': 2, 'column': 3}"],
)
def test_one_key_with_two_values_is_ambiguous(text, answer):
    assert status(text, answer) == "ambiguous"


@pytest.mark.parametrize(
    ("text", "answer", "notation"),
    [
        ('{"row": 0, "column": 1}', "json", None),
        ('{"row": 4, "column": 1}', "json_schema", None),
        ('{"row": -1, "column": 1}', "tool", None),
        ('{"cell": 10}', "json", "cell"),
        ('{"cell": 0}', "tool", "cell"),
        ("4,1", "text", None),
        ("10", "text", "cell"),
    ],
)
def test_numbers_outside_of_the_board_are_out_of_bounds(text, answer, notation):
    match = Match(make_game("tictactoe"), id="m")
    turn = match.turns()[0]
    found = read(said(answer, text), turn, answer, notation)
    with pytest.raises(Exception, match="out_of_bounds"):
        turn.check(found.action)


def test_the_reason_is_kept():
    for key in ("rationale", "reasoning", "reason", "explanation"):
        assert reading(json.dumps({key: "it is free", "row": 1, "column": 3})).rationale == "it is free"
    assert reading('{"rationale": "hm", "row": "x", "column": 3}').rationale == "hm", "also of an unreadable move"
    assert reading('{"rationale": ["x"], "row": 1, "column": 3}').rationale == ""


# ------------------------------------------------------------------ reasoning


def stated(answer, cell=(1, 3)):
    return f"{cell[0]},{cell[1]}" if answer == "text" else json.dumps({"row": cell[0], "column": cell[1]})


@pytest.mark.parametrize("answer", ["text", "json", "json_schema"])
@pytest.mark.parametrize("tag", ["think", "thinking", "thought", "reasoning", "THINK"])
def test_reasoning_is_not_read(answer, tag):
    other = stated(answer, (2, 2))
    for text in (
        f"<{tag}>{other}</{tag}>{stated(answer)}",
        f"{other}</{tag}>{stated(answer)}",
        f"OK</{tag}>{stated(answer)}",
        f"{stated(answer)}<{tag}>or {other}?</{tag}>",
        f"<{tag}>a <{tag}>b</{tag}> {other} </{tag}>{stated(answer)}",
        f"<{tag}>\n{other}\n</{tag}>\n\n<{tag}></{tag}>\n{stated(answer)}",
    ):
        assert action(text, answer) == Cell(1, 3), text


@pytest.mark.parametrize("answer", ["text", "json", "json_schema"])
@pytest.mark.parametrize("finish_reason", ["stop", "length"])
def test_reasoning_without_an_end_is_truncated(answer, finish_reason):
    move = stated(answer)
    for text in (f"<think>{move}", f"{move}<think>", f"<think>a</think>{move} <think>{move}"):
        assert status(text, answer, finish_reason=finish_reason) == "truncated"


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
@pytest.mark.parametrize("text", [None, "", " \n\t", "<think>x</think>"])
def test_nothing_is_empty_or_truncated(answer, text):
    # A separate reasoning field is never read, whatever it holds.
    if answer == "tool" and text is not None and "think" in text:
        return
    for reasoning in (None, stated(answer)):
        assert status(text, answer, reasoning=reasoning) == "empty"
        assert status(text, answer, finish_reason="length", reasoning=reasoning) == "truncated"


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
def test_an_answer_that_was_cut_off(answer):
    assert status('I play {"row": 1, "col', answer, finish_reason="length") == "truncated"
    assert status("Not 2,2, but rather", answer, finish_reason="length") == "truncated"
    if answer != "text":
        assert action(stated(answer) + " because", answer, finish_reason="length") == Cell(1, 3)
        assert status(stated(answer) + ' no: {"row"', answer, finish_reason="length") == "truncated"


# ------------------------------------------------------------------ refusals, and the tool format


@pytest.mark.parametrize("answer", ANSWER_FORMATS)
def test_refusals(answer):
    assert status(stated(answer), answer, refusal="I cannot help with games") == "refused"
    assert status(stated(answer), answer, finish_reason="content_filter") == "refused"
    assert reading(None, answer, refusal="No. " * 500).fault.reason.startswith("No.")
    assert len(reading(None, answer, refusal="No. " * 500).fault.reason) <= 200


def test_a_model_without_tools_may_answer_in_its_text():
    completion = Completion('{"row": 1, "column": 3}')
    assert read(completion, first_turn(), "tool").action == Cell(1, 3)


def test_the_arguments_of_the_call_count_not_the_text_beside_it():
    completion = Completion('{"row": 2, "column": 2}', "tool", tool_arguments='{"row": 1, "column": 3}')
    assert read(completion, first_turn(), "tool").action == Cell(1, 3)


@pytest.mark.parametrize(
    ("value", "named"), [("null", "null"), ("true", "true or false"), ("[1]", "a list"), ("{}", "an object")]
)
def test_a_wrong_kind_of_value_is_named_in_the_words_of_json(value, named):
    fault = reading(f'{{"row": {value}, "column": 1}}').fault
    assert fault is not None
    assert fault.reason == f"row must be a whole number, not {named}"
