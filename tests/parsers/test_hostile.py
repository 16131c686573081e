"""Text from a model is hostile: nothing in it raises, and the work it causes grows with its length alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludometer.core import Completion, make_game
from ludometer.matches import Match
from ludometer.parsers import Reading, read
from ludometer.prompts import ANSWER_FORMATS

TURN = Match(make_game("tictactoe"), id="m").turns()[0]

FRAGMENTS = [
    *"{}[]\":,'\\/<>",
    '{"row":',
    '"column":',
    '{"cell": 1}',
    "{'move': '1,1'}",
    '{"row": 1, "column": 1}',
    "<think>",
    "</think>",
    "```json\n",
    "row 1, column 2",
    "1,1",
    "-1",
    "1e999",
    "9" * 5000,
    "NaN",
    "true",
    "null",
    "\0",
    "\ud800",
    "\udfff",
    "“",
    "’",
    "//",
    "/*",
    "\u2028",
    "١",
    "²",
    "é",
    " ",
    "\n",
]
hostile = st.one_of(
    st.binary(max_size=300).map(lambda data: data.decode("utf-8", "replace")),
    st.binary(max_size=300).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.binary(max_size=300).map(lambda data: data.decode("latin-1")),
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=100),
)


def read_everywhere(text: str, finish_reason="stop") -> list[Reading]:
    """The readings of a text in every format, in both places that it may stand in."""
    found = []
    for answer in ANSWER_FORMATS:
        for notation in (None, "cell"):
            for completion in (
                Completion(text, finish_reason),
                Completion(None, finish_reason, tool_arguments=text),
                Completion(text, finish_reason, refusal=text, reasoning=text),
            ):
                found.append(read(completion, TURN, answer, notation))
    return found


def check(readings: list[Reading]) -> None:
    for reading in readings:
        assert (reading.action is None) != (reading.fault is None)
        if reading.fault is not None:
            assert reading.fault.reason
            assert len(reading.fault.reason) < 400, "a reason goes into a prompt: it must not repeat a whole answer"


def quick_examples(test):
    return settings(max_examples=300, deadline=None)(test)


@quick_examples
@given(hostile, st.sampled_from(["stop", "length", "tool", "unknown"]))
def test_nothing_raises(text, finish_reason):
    check(read_everywhere(text, finish_reason))


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(hostile, st.sampled_from(["stop", "length", "tool", "unknown"]))
def test_nothing_raises_ten_thousand_times(text, finish_reason):
    check(read_everywhere(text, finish_reason))


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        "}" * 100_000,
        "[" * 100_000,
        "{" * 100_000 + "}" * 100_000,
        '{"row": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"row": ' + "[" * 900 + "]" * 900 + "}",
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "{'a':" * 900 + "1" + "}" * 900,
        '{"row": ' + "9" * 100_000 + ', "column": 1}',
        '{"row": "' + "9" * 100_000 + '", "column": 1}',
        "9" * 100_000 + "," + "9" * 100_000,
        '{"row": 1e' + "9" * 10_000 + ', "column": 1}',
        "{'row': 0x" + "f" * 4000 + ", 'column': 1}",
        "\ud800" * 1000 + '{"row": 1, "column": "\ud800"}',
        '{"row": "\\ud800", "column": 1}',
        '{"\\ud800": 1, "\ud800": 2}',
        "\0" * 1000,
        '{"row": 1, "column": 1}\0',
        '{"row\0": 1, "column": 1}',
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_monsters_do_not_raise(text):
    check(read_everywhere(text))
    check(read_everywhere(text, "length"))


def cpu(text: str, tries: int) -> float:
    """CPU seconds of reading a text once in prose, once as an object and once as arguments: the least of some tries."""
    best = float("inf")
    for _ in range(tries):
        started = time.process_time()
        read(Completion(text), TURN, "text", "cell")
        read(Completion(text), TURN, "json")
        read(Completion(None, tool_arguments=text), TURN, "tool")
        best = min(best, time.process_time() - started)
    return best


@pytest.mark.parametrize(
    "piece",
    [
        "{", "}", "{}", '{"a":"', "{'a':'", '"', "\\", "[", "<think>", "</think>", "<think></think>", "<", "```",
        "row 1, ", "row row ", "1,", "1 ", "- ", "((", "“", "/*", "{/*", '{"a":1,', "é",
    ],
)  # fmt: skip
@pytest.mark.parametrize("tail", ["", "}"])
def test_the_work_grows_with_the_length_only(piece, tail):
    # Ten times the text may take ten times as long, and not a hundred times; both are long enough to be measured.
    small = cpu(piece * (20_000 // len(piece)) + tail, tries=3)
    large = cpu(piece * (200_000 // len(piece)) + tail, tries=1)
    assert large < 40 * max(small, 0.0005)


def test_only_the_end_of_an_endless_answer_is_read():
    answer = '{"row": 1, "column": 3}'
    assert read(Completion("x" * 5_000_000 + answer), TURN, "json").action is not None
    assert read(Completion(answer + "x" * 5_000_000), TURN, "json").fault is not None
