"""Reading a completion: one rule for every game and every answer format.

The last stated answer counts. A structured answer that is illegal stays illegal, whatever the prose around it says;
prose counts only under ``answer = "text"``.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ludometer.core import Completion, Fault, Illegal, Turn
from ludometer.parsers.objects import MAX_ANSWER, last_object
from ludometer.parsers.reasoning import visible
from ludometer.prompts import AnswerFormat

__all__ = ["Reading", "read"]


class Reading(NamedTuple):
    """What was read: an action, or the fault that says why there is none; the reason the model gave; and an offer of a
    draw or its acceptance, where the match allows them (then there need not be an action)."""

    action: Any = None
    fault: Fault | None = None
    rationale: str = ""
    draw: Literal["offer", "accept"] | None = None


def read(completion: Completion, turn: Turn, answer: AnswerFormat, notation: str | None = None) -> Reading:
    """Reads the answer to a turn. Never raises for anything a model can write."""
    if completion.refusal or completion.finish_reason == "content_filter":
        return Reading(fault=Fault("refused", _excerpt(completion.refusal or "the provider filtered the answer")))
    cut_off = completion.finish_reason == "length"
    if answer == "tool" and completion.tool_arguments is not None:
        text = completion.tool_arguments
    else:
        shown = visible(completion.text or "")
        if shown.unclosed:
            return Reading(fault=Fault("truncated", "the reasoning was not finished"))
        text = shown.text
    if not text.strip():
        if cut_off:
            return Reading(fault=Fault("truncated", "the answer was cut off before it began"))
        return Reading(fault=Fault("empty", "the answer is empty"))
    return _read_text(text, turn, notation, cut_off) if answer == "text" else _read_object(text, turn, cut_off)


def _read_object(text: str, turn: Turn, cut_off: bool) -> Reading:
    rationale = ""
    try:
        stated, more = last_object(text)
        if cut_off and more:
            return Reading(fault=Fault("truncated", "the answer was cut off while it stated another move"))
        rationale = _rationale(stated)
        draw = _draw(stated) if turn.may_offer_draw else None
        if draw == "accept" and turn.draw_offered:
            return Reading(rationale=rationale, draw=draw)
        return Reading(action=turn.decode(stated), rationale=rationale, draw="offer" if draw == "offer" else None)
    except Illegal as error:
        return Reading(fault=_fault(error, cut_off), rationale=rationale)


def _read_text(text: str, turn: Turn, notation: str | None, cut_off: bool) -> Reading:
    if cut_off:
        # The last move named so far need not be the one that was about to be chosen.
        return Reading(fault=Fault("truncated", "the answer was cut off"))
    try:
        if turn.game.asked(turn.observation, notation).whole:
            return Reading(action=turn.parse(text))
        stated = turn.game.mentions(text[-MAX_ANSWER:], notation)
        if not stated:
            raise Illegal("invalid_format", "the answer names no move")
        return Reading(action=turn.parse(stated[-1]))
    except Illegal as error:
        return Reading(fault=_fault(error, cut_off))


def _fault(error: Illegal, cut_off: bool) -> Fault:
    fault = Fault.of(error)
    if cut_off and fault.status == "invalid_format":
        return Fault("truncated", "the answer was cut off before it could be read")
    return fault


def _draw(stated: dict[str, Any]) -> Literal["offer", "accept"] | None:
    value = stated.get("draw")
    said = value.strip().casefold() if isinstance(value, str) else ""
    return "offer" if said == "offer" else "accept" if said == "accept" else None


def _rationale(stated: dict[str, Any]) -> str:
    for key in ("rationale", "reasoning", "reason", "explanation"):
        value = stated.get(key)
        if isinstance(value, str):
            return value
    return ""


def _excerpt(text: str) -> str:
    return text.strip()[:200] or "refused"
