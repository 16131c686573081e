"""MathQuiz: a teacher makes a question for a secret number, proves that it can be answered, and a student answers it.

The proof is scalable verification (Khan et al., "ZeroSumEval: Scaling LLM Evaluation with Inter-Model Competition",
2025): the teacher's entrant answers its own question in a seat that has never seen the number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

from ludometer.core import (
    Asked,
    Chance,
    ConfigurationError,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
    Viewer,
)
from ludometer.games._language import BARS, check_text, clean, field, quoted, text_field, unquoted
from ludometer.games._mathquiz_showing import data_of, events_of, rules_of, text_view
from ludometer.games._mathquiz_state import (
    MOST_REASONS,
    READ_LIMIT,
    Finding,
    Quiz,
    Try,
    check_finding,
    finding_json,
    proven,
    read_finding,
    try_json,
    try_of,
)

__all__ = ["ANSWER_LIMIT", "QUESTION_LIMIT", "Finding", "MathQuiz", "Quiz", "Try"]

QUESTION_LIMIT: Final = 2_000
ANSWER_LIMIT: Final = 8_000
"""Characters of a question, and of an answer with all its working."""

_EXAMPLE: Final = "What is the sum of all even numbers from 2 to 80?"
_MOST_ATTEMPTS: Final = 20


class MathQuiz(Game[Quiz, Any]):
    """Actions are texts; the checker's are a `Finding`.

    Args:
        low, high: the range of the secret number.
        attempts: answers that the student may give.
        proof_attempts: answers that the prover may give; each one more is another chance to guess the number.
        trivial: what becomes of a question that gives its answer away: ``report`` (it is counted in reports) or
            ``invalid`` (the teacher has failed).
        computations: whether an answer may leave a computation undone (``400 + 39``): ``refuse``, or ``accept``, with
            which repeating a question's own formula is an answer.
    """

    name: ClassVar[str] = "mathquiz"
    title: ClassVar[str] = "MathQuiz"
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True

    def __init__(
        self,
        low: int = 1,
        high: int = 1000,
        attempts: int = 1,
        proof_attempts: int = 1,
        trivial: Literal["report", "invalid"] = "report",
        computations: Literal["refuse", "accept"] = "refuse",
    ) -> None:
        if not 0 <= low < high <= 10**9:
            raise ConfigurationError(f"mathquiz: low = {low} and high = {high} must be numbers with 0 <= low < high")
        for name, value in (("attempts", attempts), ("proof_attempts", proof_attempts)):
            if not 1 <= value <= _MOST_ATTEMPTS:
                raise ConfigurationError(f"mathquiz: {name} = {value} must be from 1 to {_MOST_ATTEMPTS}")
        self.low, self.high = low, high
        self.attempts, self.proof_attempts = attempts, proof_attempts
        self.trivial: Literal["report", "invalid"] = trivial
        self.computations: Literal["refuse", "accept"] = computations

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return (
            Role("teacher", title="the teacher"),
            Role("prover", of="teacher", title="the prover"),
            Role("student", title="the student"),
            Role("checker", "official", title="the checker", by="checker"),
        )

    def new(self, n: int, chance: Chance) -> Quiz:
        return Quiz(self.low + chance.named("target").below(self.high - self.low + 1)[0])

    def _stage(self, state: Quiz) -> str:
        """``question``, ``proof``, ``answer``, or ``over``; where the checker is to act, what it is to check."""
        if self.outcome(state) is not None:
            return "over"
        if state.question is None:
            return "question"
        checked = all(tried.finding is not None for tried in state.tries)
        return "answer" if state.answers or (proven(state.proofs) and checked) else "proof"

    def to_act(self, state: Quiz) -> tuple[Seat, ...]:
        if any(tried.finding is None for tried in state.tries):
            return ("checker",)
        return {"question": ("teacher",), "proof": ("prover",), "answer": ("student",), "over": ()}[self._stage(state)]

    def check(self, state: Quiz, seat: Seat, action: Any) -> None:
        if seat == "checker":
            check_finding(action)
        elif seat == "teacher":
            check_text(action, QUESTION_LIMIT, "the question")
        else:
            check_text(action, ANSWER_LIMIT, "the answer")

    def sample(self, state: Quiz, seat: Seat, chance: Chance) -> Any:
        number = self.low + chance.named("number").below(self.high - self.low + 1)[0]
        if seat == "checker":
            return Finding(bool(chance.named("right").below(2)[0]), str(number), "number")
        if seat == "teacher":
            part = chance.named("part").below(state.target + 1)[0]
            return f"What is {part} + {state.target - part}?"
        return str(number)

    def apply(self, state: Quiz, moves: Mapping[Seat, Any]) -> Quiz:
        ((seat, action),) = moves.items()
        if seat == "teacher":
            return state._replace(question=action)
        if seat == "prover":
            return state._replace(proofs=(*state.proofs, Try(action)))
        if seat == "student":
            return state._replace(answers=(*state.answers, Try(action)))
        return state.judged(action)

    def outcome(self, state: Quiz) -> Outcome | None:
        if not state.tries or any(tried.finding is None for tried in state.tries):
            return None
        teacher_lost = {"teacher": 0.0, "student": 1.0}
        if self.trivial == "invalid" and state.trivial:
            return Outcome(teacher_lost, "teacher failed: trivial question")
        if not proven(state.proofs):
            failed = len(state.proofs) >= self.proof_attempts
            return Outcome(teacher_lost, "teacher failed: no proof") if failed else None
        if proven(state.answers):
            return Outcome(teacher_lost, "student right")
        failed = len(state.answers) >= self.attempts
        return Outcome({"teacher": 1.0, "student": 0.0}, "student wrong") if failed else None

    def max_steps(self) -> int:
        return 1 + 2 * (self.attempts + self.proof_attempts)

    def swap_hidden(self) -> Sequence[tuple[Quiz, Quiz, Seat]]:
        """Prover and student know neither the number, nor the proof, nor what was found in the question."""
        one, other = self.high - 1, self.high
        asked = "How many dots are on four dice that show five each?"
        missed = Try("0", Finding(False, "0", "number"))
        plain = Try("It is that.", Finding(True, str(one), "number"))
        loud = Try("Two times the half of it.", Finding(True, str(other), "computation", ("digits",)))
        pairs: list[tuple[Quiz, Quiz, Seat]] = [
            (Quiz(one, asked), Quiz(other, asked), "prover"),
            (Quiz(one, asked, (plain,)), Quiz(other, asked, (loud,)), "student"),
            (Quiz(one), Quiz(other), "student"),
            (Quiz(one, asked), Quiz(one, "Is it so?"), "student"),
        ]
        if self.proof_attempts > 1:
            given_away = Try("0", Finding(False, "0", "number", ("digits",)))
            pairs.append((Quiz(one, asked, (missed,)), Quiz(other, asked, (given_away,)), "prover"))
        if self.attempts > 1:
            pairs.append((Quiz(one, asked, (plain,), (missed,)), Quiz(other, asked, (loud,), (missed,)), "student"))
        return [pair for pair in pairs if all(self.outcome(state) is None for state in pair[:2])]

    # --------------------------------------------------------------- notation

    def format(self, state: Quiz, action: Any) -> str:
        return json.dumps(finding_json(action)) if isinstance(action, Finding) else quoted(str(action))

    def parse(self, state: Quiz, seat: Seat, text: str) -> Any:
        if seat != "checker":
            return unquoted(text)
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            raise Illegal("invalid_format", "the checker's word is one JSON object") from None
        return read_finding(answer)

    def schema(self, state: Quiz, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        if seat == "checker":
            short: dict[str, Json] = {"type": "string", "maxLength": READ_LIMIT}
            reasons: dict[str, Json] = {"type": "array", "items": dict(short), "maxItems": MOST_REASONS}
            properties: dict[str, Json] = {"right": {"type": "boolean"}, "read": short, "why": dict(short)}
            return _object({**properties, "trivial": reasons})
        if seat == "teacher":
            return _object({"question": {"type": "string", "description": "the question"}})
        return _object({"answer": {"type": "string", "description": "the answer, a number"}})

    def encode(self, state: Quiz, action: Any, notation: str | None = None) -> Json:
        if isinstance(action, Finding):
            return finding_json(action)
        return {"question" if state.question is None else "answer": action}

    def decode(self, state: Quiz, seat: Seat, answer: Json) -> Any:
        if seat == "checker" and field(answer, "right") is not None:
            return read_finding(answer)
        if seat != "checker":
            text = text_field(answer, "question" if seat == "teacher" else "answer")
            if text is not None:
                return clean(text)
        return super().decode(state, seat, answer)

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return rules_of(self.low, self.high, self.attempts, self.proof_attempts, self.trivial, self.computations)

    def observe(self, state: Quiz, viewer: Viewer) -> Observation:
        stage = self._stage(state)
        left = self.proof_attempts - len(state.proofs), self.attempts - len(state.answers)
        over = stage == "over"
        data = data_of(state, viewer, over=over, left=left, stage=stage)
        return Observation(viewer, data, tuple(events_of(state, viewer, over=over)), self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return {
            "text": View("text", lambda o: f"You are told, in words, what your seat may know. {BARS}", text_view),
            "json": View(
                "json",
                lambda o: "You are told, as JSON, what your seat may know:",
                lambda o: json.dumps(dict(o.data), indent=1),
            ),
        }

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "in plain text"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return {"question": _EXAMPLE}, _EXAMPLE

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        if observation.viewer == "teacher":
            return Asked("What is your question?", "your question", {"question": _EXAMPLE}, _EXAMPLE, whole=True)
        if observation.viewer == "checker":
            found = finding_json(Finding(False, "0", "number"))
            question = (
                'Does the last answer state the number as its result? "read" is the number that it states, or empty; '
                '"why" a word on that; "trivial" lists in what ways the question gives the number away, if it does.'
            )
            return Asked(question, "your finding as one JSON object", found, json.dumps(found), whole=True)
        # The example is no number that could be right: weak models copy examples.
        hint = "your answer, and let the number be the last thing you state"
        return Asked("What is your answer to the question?", hint, {"answer": "0"}, "0", whole=True)

    # ------------------------------------------------------------------- JSON

    def dump(self, state: Quiz) -> Json:
        proofs, answers = ([try_json(tried) for tried in tries] for tries in (state.proofs, state.answers))
        return {"target": state.target, "question": state.question, "proofs": proofs, "answers": answers}

    def load(self, data: Json) -> Quiz:
        proofs, answers = (tuple(map(try_of, data[key])) for key in ("proofs", "answers"))
        return Quiz(data["target"], data["question"], proofs, answers)


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
