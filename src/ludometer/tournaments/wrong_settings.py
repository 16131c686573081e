"""What is wrong with a configuration, as one sentence in our own words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ludometer.core.registry import nearest

__all__ = ["sentence"]

_SHOWN = 24
"""Characters of a wrong value that are shown. Keys are longer: one in a wrong place is not repeated."""

Context = Mapping[str, Any]

_WANTED: Final[dict[str, Callable[[Context], str]]] = {
    "int_type": lambda _: "a whole number",
    "int_parsing": lambda _: "a whole number",
    "int_parsing_size": lambda _: "a whole number of fewer digits",
    "int_from_float": lambda _: "a whole number",
    "float_type": lambda _: "a number",
    "float_parsing": lambda _: "a number",
    "finite_number": lambda _: "a finite number",
    "greater_than": lambda limits: f"a number above {limits['gt']:g}",
    "greater_than_equal": lambda limits: f"{limits['ge']:g} or more",
    "less_than": lambda limits: f"a number below {limits['lt']:g}",
    "less_than_equal": lambda limits: f"{limits['le']:g} or less",
    "bool_type": lambda _: "true or false",
    "bool_parsing": lambda _: "true or false",
    "string_type": lambda _: "a text",
    "string_too_short": lambda _: "a text that is not empty",
    "string_too_long": lambda limits: f"a text of at most {limits['max_length']} characters",
    "list_type": lambda _: "a list",
    "too_short": lambda limits: f"a list of {limits['min_length']} or more",
    "dict_type": lambda _: "a table",
    "model_type": lambda _: "a table",
    "invalid-json-value": lambda _: "a text, a number, true or false, a list or a table",
}
"""What may stand in a place, by the type of the error and its limits."""


def sentence(error: ValidationError, keys_at: Callable[[Sequence[str | int]], set[str]]) -> str:
    """The most telling problem of a validation.

    Args:
        keys_at: the keys known at a place of the configuration.
    """
    problems = error.errors()
    # A misspelt key first: what it should have been called would only be said to be missing.
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    place = _place(first)
    where = ".".join(str(part) for part in place)
    if first["type"] == "extra_forbidden":
        return f"there is no key {where!r}{nearest(str(place[-1]), keys_at(place[:-1]))}"
    if first["type"] == "missing":
        return f"the key {'game' if where == 'games' else where!r} is missing"
    at = f"{where}: " if where else ""
    if first["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", first["ctx"]["expected"])
        if isinstance(first["input"], str):
            return f"{at}there is no {_value(first)}{nearest(first['input'], known)}"
        return f"{at}write {' or '.join(json.dumps(word) for word in known)}, not {_value(first)}"
    together = [problem for problem in problems if _place(problem) == place]
    if any(problem["type"] not in _WANTED for problem in together):
        return f"{at}{first['msg'].removeprefix('Value error, ')}"
    wanted = dict.fromkeys(_WANTED[problem["type"]](problem.get("ctx", {})) for problem in together)
    return f"{at}write {' or '.join(wanted)}, not {_value(first)}"


def _place(problem: ErrorDetails) -> list[str | int]:
    """Where a problem is, without the kinds of value that the place has a choice of (``players.0.str``)."""
    found: list[str | int] = [part for part in problem["loc"] if isinstance(part, str | int)]
    while found and isinstance(found[-1], str) and re.fullmatch(r"str|int|float|(dict|list)\[.*\]", found[-1]):
        found.pop()
    return found


def _value(problem: ErrorDetails) -> str:
    """A wrong value, short; a table or a list by its kind alone."""
    value = problem["input"]
    if isinstance(value, BaseModel | Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "an empty list" if not value else "a list"
    if isinstance(value, str) and len(value) > _SHOWN:
        return f"a text of {len(value)} characters"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)
