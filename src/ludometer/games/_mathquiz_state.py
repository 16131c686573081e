"""The state of MathQuiz and what the checker says, as values and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ludometer.core import Illegal, Json
from ludometer.games._language import clean, field, text_field

__all__ = ["Finding", "Quiz", "Try", "check_finding", "finding_json", "proven", "read_finding", "try_json", "try_of"]

READ_LIMIT: Final = 80
"""Characters of what the checker read and of why."""
MOST_REASONS: Final = 8


class Finding(NamedTuple):
    """What the checker found.

    Attributes:
        right: the answer states the number.
        read: the number that the answer states, an integer or a fraction; empty where it states none.
        why: in a word, how it was read or why it was not (see `ludometer.players.checker`).
        trivial: in what ways the question gives its answer away.
    """

    right: bool
    read: str = ""
    why: str = ""
    trivial: tuple[str, ...] = ()


class Try(NamedTuple):
    """An answer to the question, and what the checker made of it (None: not looked at yet)."""

    text: str
    finding: Finding | None = None


class Quiz(NamedTuple):
    """The state. ``proofs`` are the prover's answers, ``answers`` the student's."""

    target: int
    question: str | None = None
    proofs: tuple[Try, ...] = ()
    answers: tuple[Try, ...] = ()

    @property
    def tries(self) -> tuple[Try, ...]:
        return (*self.proofs, *self.answers)

    @property
    def trivial(self) -> tuple[str, ...]:
        """In what ways the question gives its answer away, as the checker has said so far."""
        return tuple(dict.fromkeys(why for tried in self.tries if tried.finding for why in tried.finding.trivial))

    def judged(self, finding: Finding) -> Quiz:
        """The state after the checker's word on the last answer."""
        *before, last = self.answers or self.proofs
        judged = (*before, last._replace(finding=finding))
        return self._replace(answers=judged) if self.answers else self._replace(proofs=judged)


def proven(tries: Sequence[Try]) -> bool:
    """Whether the last answer was right."""
    return bool(tries) and tries[-1].finding is not None and tries[-1].finding.right


# ------------------------------------------------------------------------ JSON


def finding_json(finding: Finding) -> dict[str, Json]:
    return {"right": finding.right, "read": finding.read, "why": finding.why, "trivial": list(finding.trivial)}


def read_finding(answer: Json) -> Finding:
    """A finding from JSON in any of its forms. Raises `Illegal`."""
    right = field(answer, "right")
    if not isinstance(right, bool):
        raise Illegal("invalid_format", 'a finding says whether the answer is right: {"right": true} or false')
    reasons = field(answer, "trivial") or []
    if not isinstance(reasons, list) or not all(isinstance(reason, str) for reason in reasons):
        raise Illegal("invalid_format", "trivial is a list of words")
    read, why = (clean(text_field(answer, name) or "") for name in ("read", "why"))
    return Finding(right, read, why, tuple(map(clean, reasons)))


def check_finding(finding: Any) -> None:
    """Raises `Illegal` where something is no finding or too long for one."""
    if not isinstance(finding, Finding) or not isinstance(finding.right, bool):
        raise Illegal("invalid_format", "the checker must say whether the answer is right")
    texts = (finding.read, finding.why, *finding.trivial)
    if len(finding.trivial) > MOST_REASONS or any(len(text) > READ_LIMIT for text in texts):
        raise Illegal("too_long", f"a finding has {MOST_REASONS} reasons at most, of {READ_LIMIT} characters each")


def try_json(tried: Try) -> dict[str, Json]:
    return {"text": tried.text, "finding": None if tried.finding is None else finding_json(tried.finding)}


def try_of(data: Mapping[str, Json]) -> Try:
    return Try(data["text"], None if data["finding"] is None else read_finding(data["finding"]))
