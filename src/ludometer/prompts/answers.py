"""Answer formats: in what form a model is asked to state its move, in words and in the request."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from ludometer.core import ConfigurationError, Json, ToolSpec, Turn

__all__ = ["ANSWER_FORMATS", "AnswerFormat", "AnswerStyle"]

AnswerFormat: TypeAlias = Literal["text", "json", "json_schema", "tool"]
"""``text``: the move in words; ``json``: an object, asked for in words; ``json_schema``: an object whose schema the
provider enforces; ``tool``: the arguments of a function the model is made to call."""

ANSWER_FORMATS: tuple[str, ...] = get_args(AnswerFormat)


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """
    Attributes:
        format: the answer format.
        legal_only: with ``json_schema`` and ``tool``: the schema lists exactly the legal moves instead of the whole
            move space, so that a provider that enforces it cannot answer illegally.
        rationale: also ask for a short reason, in a field before the move (structured formats).
    """

    format: AnswerFormat = "json"
    legal_only: bool = False
    rationale: bool = False

    def __post_init__(self) -> None:
        if self.legal_only and self.format not in ("json_schema", "tool"):
            raise ConfigurationError(
                f"legal_only = true needs answer = 'json_schema' or 'tool' (there is no schema in {self.format!r})"
            )

    def schema(self, turn: Turn, notation: str | None) -> dict[str, Json]:
        """JSON Schema of the answer to this turn."""
        if self.legal_only:
            schema = _enumeration(turn)
        else:
            schema = turn.schema(notation)
        if turn.may_offer_draw:
            schema = _with_draw(schema, turn.draw_offered)
        return _with_rationale(schema) if self.rationale else schema

    def tool(self, turn: Turn, notation: str | None) -> ToolSpec:
        return ToolSpec("play", "Make your move.", self.schema(turn, notation))

    def instruction(self, turn: Turn, notation: str | None) -> str:
        """The words that ask for the answer in this format."""
        asked = turn.game.asked(turn.observation, notation)
        if self.format == "text":
            if asked.whole:
                return f"Write {asked.hint}. Everything you write is taken as it stands."
            return f"Name your move {asked.hint}, for example {asked.text}. Let your move be the last thing you write."
        # With legal moves listed none of them stands as the example: a weak model would copy it.
        answer = {"move": "..."} if self.legal_only else asked.answer
        shown = json.dumps({"rationale": "...", **answer} if self.rationale else answer)
        limits = f" The move must be one of: {self._listed(turn)}." if self.legal_only else ""
        limits += _draw_words(turn)
        if self.format == "tool":
            return f"Make your move by calling the function play; an example of its arguments is {shown}.{limits}"
        only = "Put a short reason in it first, and write nothing" if self.rationale else "Write nothing"
        return f"Answer with one JSON object in the form of this example: {shown}. {only} outside of it.{limits}"

    def _listed(self, turn: Turn) -> str:
        return "; ".join(turn.format(action) for action in turn.legal or ())


def _enumeration(turn: Turn) -> dict[str, Json]:
    if not turn.legal:
        raise ConfigurationError(f"legal_only = true: the legal moves of {turn.game.title} cannot be listed here")
    return {
        "type": "object",
        "properties": {"move": {"type": "string", "enum": [turn.format(action) for action in turn.legal]}},
        "required": ["move"],
        "additionalProperties": False,
    }


def _with_draw(schema: dict[str, Json], offered: bool) -> dict[str, Json]:
    choices = ["no", "offer", *(["accept"] if offered else [])]
    return {
        **schema,
        "properties": {**schema["properties"], "draw": {"type": "string", "enum": choices}},
        "required": [*schema["required"], "draw"],
    }


def _draw_words(turn: Turn) -> str:
    """What a structured answer may say about a draw. (An answer in words has no place for it.)"""
    if not turn.may_offer_draw:
        return ""
    words = ' To offer a draw with your move, add the field "draw": "offer"; else leave it out or write "no".'
    if turn.draw_offered:
        words += ' Your opponent has just offered a draw: "draw": "accept" takes it and ends the game.'
    return words


def _with_rationale(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema with a reason before the move: what is written first can inform what is written next."""
    return {
        **schema,
        "properties": {"rationale": {"type": "string"}, **schema["properties"]},
        "required": ["rationale", *schema["required"]],
    }
