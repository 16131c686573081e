"""How the fake provider answers: small programs from a request's JSON to a text, always the same for the same request.

They read what any model would read: the schema that came along, the moves that a prompt lists, or the board in it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ludometer.testing.scripted import answered, scripted_answer

__all__ = ["BEHAVIOURS", "Behaviour", "behaviour", "fingerprint", "prompt_of", "schema_of"]

Behaviour: TypeAlias = Callable[[dict[str, Any]], "str | dict[str, Any]"]
"""From the request's JSON to the content of the answer, or to the whole answer."""

_Choose: TypeAlias = Callable[[Sequence[Any]], Any]
_LISTED = re.compile(r"one of: (?P<moves>[^\n]*?)\.?\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"(?m)^ *(?:[XO]|\d+)(?: +\| +(?:[XO]|\d+))+ *$")
_BOARD = re.compile(r"(?m)^[XO.]+$(?:\n^[XO.]+$)*")
_PLAYED = re.compile(r"^Player [XO][^:\n]*: (?P<moves>.*)$", re.MULTILINE)
_SIZE = re.compile(r"grid of (\d+) rows and (\d+) columns")
_PAIR = re.compile(r"(\d+)\s*,\s*(\d+)")


def fingerprint(request: dict[str, Any]) -> str:
    """SHA-256 of a request's messages, hexadecimal."""
    return hashlib.sha256(json.dumps(request.get("messages"), sort_keys=True).encode()).hexdigest()


def prompt_of(request: dict[str, Any]) -> str:
    """The text of a request's last message."""
    messages = request.get("messages") or [{}]
    content = messages[-1].get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))


def schema_of(request: dict[str, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the answer, from the answer format or from the first tool."""
    form = request.get("response_format") or {}
    tools = request.get("tools") or []
    found = form.get("json_schema", {}).get("schema") if form.get("type") == "json_schema" else None
    if found is None and tools:
        found = tools[0].get("function", {}).get("parameters")
    return found if isinstance(found, dict) else None


def behaviour(name: str, seed: int = 0) -> Behaviour:
    """The behaviour of that name (`BEHAVIOURS`, or ``fixed:TEXT``).

    Raises:
        ValueError: there is no such behaviour.
    """
    if name.startswith("fixed:"):
        text = name.removeprefix("fixed:")
        return lambda request: text
    if name not in BEHAVIOURS:
        raise ValueError(f"no behaviour {name!r}: known are {', '.join(BEHAVIOURS)} and fixed:TEXT")
    return BEHAVIOURS[name](seed)


def _first(seed: int) -> Behaviour:
    return lambda request: _answer(request, lambda options: options[0])


def _any(seed: int) -> Behaviour:
    return lambda request: _answer(request, _chooser(request, seed))


def _tictactoe(seed: int) -> Behaviour:
    """Marks a free cell, read from the board or the list of moves in the last message."""

    def answer(request: dict[str, Any]) -> str:
        prompt = prompt_of(request)
        chat = "\n".join(prompt_of({"messages": [message]}) for message in request.get("messages") or [])
        rows, columns = (int(number) for number in (_SIZE.findall(chat) or [("3", "3")])[-1])
        free = _free_cells(prompt, rows, columns)
        if not free:
            return _answer(request, _chooser(request, seed))
        row, column = _chooser(request, seed)(free)
        fields = (schema_of(request) or {}).get("properties", {})
        if "cell" in fields or _NUMBERED.search(prompt):
            number = (row - 1) * columns + column
            return json.dumps({"cell": number}) if fields or "JSON" in prompt else str(number)
        return json.dumps({"row": row, "column": column}) if fields or "JSON" in prompt else f"{row},{column}"

    return answer


def _scripted(seed: int) -> Behaviour:
    """Plays every role of the seven games of `ludometer.testing.scripted`, and other games like ``any``."""

    def answer(request: dict[str, Any]) -> str:
        prompt = prompt_of(request)
        chat = "\n\n".join(prompt_of({"messages": [message]}) for message in request.get("messages") or [])
        found = scripted_answer(chat, prompt, f"{seed}:{request.get('model')}:{fingerprint(request)}")
        if found is None:
            return _answer(request, _chooser(request, seed))
        schema = schema_of(request)
        wants_reason = '"rationale"' in prompt if schema is None else "rationale" in schema.get("properties", {})
        return answered(found, as_object=schema is not None or "JSON object" in prompt, rationale=wants_reason)

    return answer


def _echo(seed: int) -> Behaviour:
    return prompt_of


BEHAVIOURS: dict[str, Callable[[int], Behaviour]] = {
    "first": _first,
    "any": _any,
    "tictactoe": _tictactoe,
    "echo": _echo,
    "scripted": _scripted,
}


def _chooser(request: dict[str, Any], seed: int) -> _Choose:
    """Chooses by a hash of the seed, the messages and how often it was asked: the same on every machine."""
    base = f"{seed}:{fingerprint(request)}"
    asked = 0

    def choose(options: Sequence[Any]) -> Any:
        nonlocal asked
        asked += 1
        digest = hashlib.sha256(f"{base}:{asked}".encode()).digest()
        return options[int.from_bytes(digest[:8], "big") % len(options)]

    return choose


def _answer(request: dict[str, Any], choose: _Choose) -> str:
    listed = _LISTED.search(prompt_of(request))
    schema = schema_of(request)
    if schema is not None:
        return json.dumps(_value(schema, choose))
    if listed is None:
        return "I cannot tell which moves there are."
    move = choose(re.split(r"\s*;\s*", listed["moves"]))
    return json.dumps({"move": move}) if "JSON" in prompt_of(request) else str(move)


def _value(schema: dict[str, Any], choose: _Choose) -> Any:
    """A value that satisfies the common kinds of schema."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return choose(schema["enum"])
    for several in ("anyOf", "oneOf"):
        if schema.get(several):
            return _value(choose(schema[several]), choose)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object":
        return {name: _value(inner, choose) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [_value(schema.get("items", {}), choose) for _ in range(schema.get("minItems", 1))]
    if kind in ("integer", "number"):
        low = int(schema.get("minimum", 0))
        return choose(range(low, int(schema.get("maximum", low + 9)) + 1))
    simple: dict[Any, Any] = {"boolean": False, "null": None}
    return simple.get(kind, "because")


def _free_cells(prompt: str, rows: int, columns: int) -> list[tuple[int, int]]:
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    for board in reversed(_BOARD.findall(prompt)):
        lines = board.splitlines()
        if len(lines) == rows and all(len(line) == columns for line in lines):
            return [cell for cell in cells if lines[cell[0] - 1][cell[1] - 1] == "."]
    numbers = {int(number) for line in _NUMBERED.findall(prompt)[-rows:] for number in re.findall(r"\d+", line)}
    if numbers:
        return [cell for cell in cells if (cell[0] - 1) * columns + cell[1] in numbers]
    played = _PLAYED.findall(prompt)
    if not played:
        return []
    taken = {(int(row), int(column)) for moves in played for row, column in _PAIR.findall(moves)}
    return [cell for cell in cells if cell not in taken]
