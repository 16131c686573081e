"""Players for the referee's tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ludometer.core import Attempt, Decision, Fault, Illegal, Json, Turn, Unrecorded


class Scripted:
    """Answers with the given things, one per attempt: text to be parsed, a `Decision`, or an exception to raise."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.turns: list[Turn] = []

    async def act(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Decision):
            return answer
        text = str(answer)
        try:
            return Decision(turn.parse(text), text=text)
        except Illegal as error:
            return Decision(fault=Fault.of(error), text=text)


class Notebook(Unrecorded):
    """A journal that keeps what it is told, in memory."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.written: list[tuple[str, str | None, Json]] = []

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        self.attempts.append(attempt)
        self.written.append((match, notation, action))


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


@pytest.fixture
def notebook() -> Notebook:
    return Notebook()


@pytest.fixture
def kinds() -> Callable[[Sequence[Attempt]], list[str]]:
    """The verdicts of attempts, in short."""

    def of(attempts: Sequence[Any]) -> list[str]:
        return [f"{attempt.seat}{attempt.step}.{attempt.attempt} {attempt.verdict.kind}" for attempt in attempts]

    return of
