"""DSPy's adapters, for answers that may be hostile: bounded work, and whatever goes wrong is an answer that cannot be
read. Imports DSPy: only for who uses it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import dspy
from dspy.utils.exceptions import AdapterParseError

from ludometer.core import Illegal
from ludometer.parsers.objects import last_object
from ludometer.parsers.reasoning import visible

__all__ = ["Marked", "Moves", "Objects", "among"]

Moves = Callable[[Mapping[str, Any]], tuple[str, ...]]
"""What ``move`` may be, by the inputs of a call."""

_MAX_REPAIRED: Final = 4_000
"""Longest text that DSPy's repair of JSON is given: its time grows with the square of the length, or faster."""


class Marked(dspy.ChatAdapter):  # type: ignore[misc]
    """Fields between DSPy's markers; asks once more for an object where there are none."""

    def parse(self, signature: Any, completion: str) -> Any:
        text = _shown(signature, completion)
        plain = all(field.annotation is str for field in signature.output_fields.values())
        if not plain and len(text) > _MAX_REPAIRED:
            raise _unreadable(signature, text)
        return _guarded(super().parse, signature, text)

    def _make_json_adapter_fallback(self) -> Any:
        return Objects()


class Objects(dspy.JSONAdapter):  # type: ignore[misc]
    """Fields of a JSON object: found as everywhere in Ludometer, and else, where it is short, as DSPy repairs it."""

    def parse(self, signature: Any, completion: str) -> Any:
        text = _shown(signature, completion)
        try:
            text = json.dumps(last_object(text).value)
        except Illegal:
            if len(text) > _MAX_REPAIRED:
                raise _unreadable(signature, text) from None
        return _guarded(super().parse, signature, text)


def among(moves: Moves) -> Any:
    """An adapter for objects whose field ``move`` is one of some moves, in the prompt and in the schema."""

    class Among(Objects):
        def __call__(
            self, lm: Any, lm_kwargs: dict[str, Any], signature: Any, demos: list[Any], inputs: dict[str, Any]
        ) -> Any:
            legal = moves(inputs) if "move" in signature.output_fields else ()
            if legal:
                signature = signature.with_updated_fields("move", type_=Literal[legal])
            return super().__call__(lm, lm_kwargs, signature, demos, inputs)

    return Among()


def _shown(signature: Any, completion: str) -> str:
    """The answer without reasoning in tags."""
    shown = visible(completion)
    if shown.unclosed:
        raise _unreadable(signature, completion)
    return shown.text


def _guarded(parse: Callable[[Any, str], Any], signature: Any, text: str) -> Any:
    try:
        return parse(signature, text)
    except AdapterParseError:
        raise
    except Exception:  # depth, size, odd types: text that a model wrote can bring about any of them
        raise _unreadable(signature, text) from None


def _unreadable(signature: Any, text: str) -> AdapterParseError:
    return AdapterParseError(adapter_name="Ludometer", signature=signature, lm_response=text[:200])
