"""docs/games-language.md: its options, its examples of answers, and its counts of false alarms."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from typing import Any

import pytest

from ludometer.games._gandalf_search import DETECTORS
from ludometer.games.gandalf import Gandalf
from ludometer.games.mathquiz import ANSWER_LIMIT, QUESTION_LIMIT, MathQuiz
from ludometer.players._arithmetic import read_number

PAGE = "docs/games-language.md"


@pytest.mark.parametrize(("title", "game"), [("MathQuiz", MathQuiz), ("Gandalf", Gandalf)])
def test_options_and_defaults(pages: Any, title: str, game: Any) -> None:
    written = {}
    for names, defaults, _ in pages[PAGE].section(title).tables()[0]:
        pairs = zip(re.findall(r"`([^`]+)`", names), re.findall(r"`([^`]+)`", defaults), strict=True)
        written |= {name: tomllib.loads(f"x = {default}")["x"] for name, default in pairs}
    known = inspect.signature(game.__init__).parameters
    assert written == {name: parameter.default for name, parameter in known.items() if name != "self"}


@pytest.mark.parametrize(("title", "game"), [("MathQuiz", MathQuiz), ("Gandalf", Gandalf)])
def test_views(pages: Any, title: str, game: Any) -> None:
    (line,) = re.findall(r"\*\*Views:\*\* ((?:.|\n  )*)\n", pages[PAGE].section(title).text)
    named = [name for name in re.findall(r"`([^`]+)`", line) if "=" not in name]
    assert named == list(game().views())


def test_limits(pages: Any) -> None:
    assert f"at most {QUESTION_LIMIT:,} and {ANSWER_LIMIT:,} characters" in pages[PAGE].text


def test_answers_are_read_as_the_page_says(pages: Any) -> None:
    (table,) = pages[PAGE].section("How answers are read").tables()
    assert len(table) >= 20
    for answer, expected in table:
        found = read_number(answer.strip("`"))
        words = {"several_numbers": "nothing: several numbers", "not_a_number": "nothing: not a number"}
        said = {
            "number": found.value,
            "words": found.value,
            "computation": "a computation",
            "too_large": "a computation",
        }
        assert (said | words | {"nothing": "nothing"})[found.why] == expected, answer


def test_every_detector_is_described_and_its_false_alarms_are_those_on_file(pages: Any) -> None:
    described, counted = pages[PAGE].section("What reveals the phrase").tables()
    assert [row[0].strip("`") for row in described] == list(DETECTORS)
    on_file = json.loads((pages.root / "benchmarks" / "results" / "false_alarms.json").read_text(encoding="utf-8"))
    assert [row[0].strip("`") for row in counted] == ["searches", *DETECTORS]
    for column, result in enumerate(on_file, start=1):
        assert result["words"] == column
        written = [int(row[column].replace(",", "")) for row in counted]
        assert written == [result["searches"], *result["alarms"].values()]
