"""docs/answers.md: every line of its examples goes through the real parser and the real referee."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from ludometer.core import Completion, Decision, make_game
from ludometer.core.turn import VerdictStatus
from ludometer.matches import Match
from ludometer.matches.ending import EndingKind
from ludometer.parsers import read
from ludometer.prompts import ANSWER_FORMATS


def _judged(answer: str, text: str, finish_reason: str) -> str:
    """What becomes of an answer in the position of the page: the move played, or the kind of the verdict."""
    match = Match(make_game("tictactoe"))
    match.submit("X", Decision(match.turns()[0].parse("2,2")))
    turn = match.turns()[0]
    said = {"tool_arguments": text, "text": ""} if answer == "tool" else {"text": text}
    reading = read(Completion(finish_reason=finish_reason, **said), turn, answer)  # type: ignore[arg-type]
    verdict = match.submit("O", Decision(reading.action, reading.fault)).verdict
    return match.notation[-1] if verdict.is_legal else verdict.kind


@pytest.mark.parametrize(("table", "finish_reason"), [(0, "stop"), (1, "length")], ids=["whole", "cut off"])
def test_examples(pages: Any, table: int, finish_reason: str) -> None:
    rows = pages["docs/answers.md"].section("Examples").tables()[table]
    assert len(rows) >= 4
    for answer, text, expected in rows:
        assert _judged(answer.strip("`"), text.strip("`"), finish_reason) == expected, text


def test_the_examples_cover_every_format(pages: Any) -> None:
    page = pages["docs/answers.md"]
    shown = {row[0].strip("`") for row in page.section("Examples").tables()[0]}
    assert shown == set(ANSWER_FORMATS)
    assert [row[0].split()[0].strip("`") for row in page.section("Formats").tables()[0]] == list(ANSWER_FORMATS)


def test_verdicts_and_endings_are_all_there_are(pages: Any) -> None:
    page = pages["docs/answers.md"]
    verdicts = [row[0].strip("`") for row in page.section("Verdicts").tables()[0]]
    statuses = get_args(VerdictStatus)
    flat = [name for part in statuses for name in (get_args(part) or (part,))]
    assert sorted(verdicts) == sorted(flat)
    endings = [row[0].strip("`") for row in page.section("Endings").tables()[0]]
    assert endings == list(get_args(EndingKind))
