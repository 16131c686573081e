"""From a turn to the messages that are sent.

A prompt has three parts, in this order: the rules; how the state is shown, and the state; the answer format and the
question. The rules and the explanation come first and never change within a match, so that a provider's prompt cache
and a local model's prefix cache can reuse them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ludometer.core import ConfigurationError, Feedback, Message, Request, TextPart, Turn, View
from ludometer.core.exchange import Part
from ludometer.core.registry import nearest
from ludometer.prompts.answers import AnswerStyle
from ludometer.prompts.picture import png

__all__ = ["Prompt", "PromptStyle", "compose"]


@dataclass(frozen=True, slots=True)
class PromptStyle:
    """How a model is asked: everything about a prompt that is not the game.

    Attributes:
        view: the view's name; None for the game's default.
        answer: the answer format.
        context: ``fresh``: one compact prompt a turn; ``conversation``: a growing chat of the seat's own turns.
        system: text of a system message, if any.
        suffix: text added at the end of every prompt, if any.
    """

    view: str | None = None
    answer: AnswerStyle = field(default_factory=AnswerStyle)
    context: Literal["fresh", "conversation"] = "fresh"
    system: str | None = None
    suffix: str | None = None

    def view_of(self, turn: Turn) -> View:
        """The view, looked up in the turn's game."""
        views = turn.game.views()
        if self.view is None:
            return next(iter(views.values()))
        if self.view not in views:
            raise ConfigurationError(f"{turn.game.title} has no view {self.view!r}{nearest(self.view, views)}")
        return views[self.view]


_GOES_ON = "It is your turn again. The game now stands like this:"
"""Stands in a growing chat where the first message has the rules and the explanation."""


class Prompt(NamedTuple):
    """A request, the notation its answer is expected in, and its last part (how to answer, and the question)."""

    request: Request
    notation: str | None
    question: str


def compose(turn: Turn, style: PromptStyle, question: str | None = None) -> Prompt:
    """The request that asks for this turn's decision.

    Args:
        question: asked instead of the move, about the same state; the answer is then left free of any format.
    """
    view = style.view_of(turn)
    asked = _question(turn, style, view) if question is None else question
    history = _history(turn, style)
    begun = any(message.role == "user" for message in history)
    lead = _GOES_ON if begun else f"{turn.game.rules()}\n\n{view.explain(turn.observation)}"
    parts: list[Part] = [TextPart(lead)]
    parts += _state(turn, view)
    parts.append(TextPart(asked))
    messages = (*history, Message("user", _joined(parts)))
    request = _request(turn, style, view, messages) if question is None else Request(messages)
    return Prompt(request, view.notation, asked)


def _request(turn: Turn, style: PromptStyle, view: View, messages: tuple[Message, ...]) -> Request:
    answer = style.answer
    if answer.format == "json_schema":
        return Request(messages, schema=answer.schema(turn, view.notation), schema_name="move")
    if answer.format == "tool":
        return Request(messages, tool=answer.tool(turn, view.notation))
    return Request(messages)


def _history(turn: Turn, style: PromptStyle) -> tuple[Message, ...]:
    """The messages before this turn's own: the system text, or the seat's chat so far."""
    system = (Message("system", style.system),) if style.system else ()
    if style.context == "fresh":
        return system
    for attempt in reversed(turn.past):
        if attempt.decision.exchanges:
            last = attempt.decision.exchanges[-1]
            # Several providers refuse a message without any text.
            return (*last.request.messages, Message("assistant", attempt.decision.text or "(no answer)"))
    return system


def _state(turn: Turn, view: View) -> list[Part]:
    rendered = view.render(turn.observation)
    return [png(rendered)] if view.kind == "image" else [TextPart(rendered)]


def _question(turn: Turn, style: PromptStyle, view: View) -> str:
    asked = turn.game.asked(turn.observation, view.notation)
    text = f"{style.answer.instruction(turn, view.notation)}\nYou are {turn.title}. {asked.question}"
    if turn.feedback is not None and turn.feedback.mode == "explain":
        text += "\n\n" + _explained(turn.feedback)
    if style.suffix:
        text += "\n\n" + style.suffix
    return text


def _explained(feedback: Feedback) -> str:
    """The sentence that names the error of the attempt before."""
    verdict = feedback.verdict
    if verdict.status == "truncated":
        return "Your previous answer was cut off before it named a move. Be brief: answer with your move at once."
    if verdict.status == "empty":
        return "Your previous answer was empty. Answer with your move."
    if verdict.status == "player_error":
        return "Your previous answer could not be used. Answer again with a legal move."
    if verdict.status == "timeout":
        return "Your previous answer came too late. Be brief: answer with your move at once."
    label = verdict.kind.replace("_", " ")
    return f"Your previous answer was not accepted ({label}): {verdict.reason}. Answer again with a legal move."


def _joined(parts: list[Part]) -> str | tuple[Part, ...]:
    """Neighbouring texts as one; plain text where there is no picture."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, TextPart) and merged and isinstance(merged[-1], TextPart):
            merged[-1] = TextPart(merged[-1].text + "\n\n" + part.text)
        else:
            merged.append(part)
    if len(merged) == 1 and isinstance(merged[0], TextPart):
        return merged[0].text
    return tuple(merged)
