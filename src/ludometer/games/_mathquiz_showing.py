"""MathQuiz in words: the rules, what each seat is told, and the view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ludometer.core import Event, Json, Observation, Viewer, Watcher
from ludometer.games._language import shown
from ludometer.games._mathquiz_state import Quiz, Try, proven, try_json

__all__ = ["data_of", "events_of", "rules_of", "text_view"]

_UNREAD: Final = "it does not state one number"
_LATE: Final = ("student", Watcher.PUBLIC)
"""Who gets the question only when it is known to have an answer."""


def rules_of(low: int, high: int, attempts: int, proof_attempts: int, trivial: str, computations: str) -> str:
    """The rules in plain words."""
    parts = [
        "You are taking part in MathQuiz. A whole number is drawn in secret. The teacher, who alone is told it, writes "
        "a question whose one right answer is that number. Then the teacher's own side must prove that the "
        "question can be answered: the prover, who has not been told the number and sees nothing but the question, "
        "answers it. Only if the prover is right the student gets the question, and answers it too.",
        "The student wins by answering right, or if the prover is wrong; the teacher wins if the prover is right and "
        "the student is wrong. A good question is therefore hard, but can be answered by its own author.",
        f"The number is from {low} to {high}. {_tries('student', attempts)} {_tries('prover', proof_attempts)}",
    ]
    if computations == "refuse":
        parts.append(
            "An answer must be worked out: a number, not a computation that is left to the reader. What counts is the "
            "last number that an answer states as its result; an answer that leaves two numbers open is wrong."
        )
    else:
        parts.append("What counts is the last result that an answer states; one that leaves two open is wrong.")
    given = "A question that states the number, or a single sum or product that makes it, is trivial"
    parts.append(f"{given}, and the teacher has lost with it." if trivial == "invalid" else f"{given}; that is noted.")
    return "\n\n".join(parts)


def _tries(who: str, count: int) -> str:
    return f"The {who} has {'one attempt' if count == 1 else f'{count} attempts'}."


def data_of(state: Quiz, viewer: Viewer, *, over: bool, left: tuple[int, int], stage: str) -> dict[str, Json]:
    """What a viewer may know.

    Args:
        left: attempts that the prover and the student still have.
    """
    everything = over or viewer in (Watcher.FULL, "checker")
    data: dict[str, Json] = {
        "seat": viewer.value if isinstance(viewer, Watcher) else viewer,
        "stage": stage,
        "question": state.question,
    }
    if everything or viewer == "teacher":
        data["target"] = state.target
    if everything:
        data["proofs"] = [try_json(tried) for tried in state.proofs]
        data["answers"] = [try_json(tried) for tried in state.answers]
        data["trivial"] = list(state.trivial)
    elif viewer == "prover":
        data |= {"tried": _own(state.proofs), "left": left[0]}
    elif viewer in _LATE and not proven(state.proofs):
        data["question"] = None
    elif viewer == "student":
        data |= {"tried": _own(state.answers), "left": left[1]}
    return data


def _own(tries: tuple[Try, ...]) -> list[Json]:
    """A seat's own answers, with no more about them than whether they could be read."""
    return [{"text": tried.text, "read": bool(tried.finding and tried.finding.read)} for tried in tries]


def events_of(state: Quiz, viewer: Viewer, *, over: bool) -> Iterator[Event]:
    """What a viewer witnessed: the question and the checker's words, once it may know them; own answers in full."""
    full = viewer in (Watcher.FULL, "checker")
    if state.question is not None and viewer not in _LATE:
        yield Event("teacher", f"asks: {state.question}")
    for seat, tries in (("prover", state.proofs), ("student", state.answers)):
        if seat == "student" and viewer in _LATE and (over or proven(state.proofs)):
            yield Event("teacher", f"asks: {state.question}")
        for tried in tries:
            yield Event(seat, f"answers: {tried.text}" if full or viewer == seat else "answers")
            if tried.finding is not None:
                yield Event("checker", "right" if tried.finding.right else "wrong")
    if over:
        yield Event(None, f"the number was {state.target}")


# ------------------------------------------------------------------------ view


def text_view(observation: Observation) -> str:
    """What a seat is told, in words."""
    data = observation.data
    parts = []
    if "target" in data:
        parts.append(f"The number is {data['target']}.")
    if data["question"] is None:
        parts.append("No question has been asked yet.")
    else:
        parts.append(f"The question is:\n{shown(str(data['question']))}")
    if "tried" in data:
        parts += [_told(tried) for tried in data["tried"]]
        if data["left"] > 1 or data["tried"]:
            parts.append(f"Attempts left: {data['left']}.")
    if "proofs" in data:
        parts += [_judged("prover", tried) for tried in data["proofs"]]
        parts += [_judged("student", tried) for tried in data["answers"]]
    if data["stage"] == "over":
        parts.append("The quiz is over.")
    return "\n\n".join(parts)


def _told(tried: dict[str, Json]) -> str:
    return f"You have answered:\n{shown(tried['text'])}\nThat is wrong" + ("." if tried["read"] else f": {_UNREAD}.")


def _judged(who: str, tried: dict[str, Json]) -> str:
    finding = tried["finding"]
    verdict = "not judged yet" if finding is None else "right" if finding["right"] else "wrong"
    return f"The {who} answered ({verdict}):\n{shown(tried['text'])}"
