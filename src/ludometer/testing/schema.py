"""A validator for the part of JSON Schema that answer schemas use. It is strict: an unknown keyword is an error.

Keywords follow JSON Schema 2020-12; structured-output providers accept no more than these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ludometer.core import Json

__all__ = ["schema_problem", "value_problem"]

Schema: TypeAlias = Mapping[str, Json]

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or (isinstance(v, float) and v.is_integer())),
}
_BOUNDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda v, bound: _TYPES["number"](v) and v < bound,
    "maximum": lambda v, bound: _TYPES["number"](v) and v > bound,
    "exclusiveMinimum": lambda v, bound: _TYPES["number"](v) and v <= bound,
    "exclusiveMaximum": lambda v, bound: _TYPES["number"](v) and v >= bound,
    "minLength": lambda v, bound: isinstance(v, str) and len(v) < bound,
    "maxLength": lambda v, bound: isinstance(v, str) and len(v) > bound,
    "minItems": lambda v, bound: isinstance(v, list) and len(v) < bound,
    "maxItems": lambda v, bound: isinstance(v, list) and len(v) > bound,
}
_WORDS = {"title", "description", "default", "examples"}
_NESTED = {"anyOf", "oneOf", "allOf"}
_OTHER = {"type", "enum", "const", "pattern", "properties", "required", "additionalProperties", "items", "uniqueItems"}


def schema_problem(schema: object, where: str = "schema") -> str | None:
    """What is wrong with a schema, or None."""
    if not isinstance(schema, Mapping):
        return f"{where} is not an object"
    unknown = set(schema) - _WORDS - _NESTED - _OTHER - set(_BOUNDS)
    if unknown:
        return f"{where} has the unknown keyword {min(unknown)!r}"
    kinds = schema.get("type", [])
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind not in _TYPES:
            return f"{where}: type {kind!r} does not exist"
    if "enum" in schema and not (isinstance(schema["enum"], list) and schema["enum"]):
        return f"{where}: enum is not a list with something in it"
    if "pattern" in schema:
        try:
            re.compile(schema["pattern"])
        except (re.error, TypeError) as error:
            return f"{where}: pattern does not compile: {error}"
    return _shape_problem(schema, where) or _first(
        schema_problem(part, f"{where}.{name}") for name, part in _parts(schema)
    )


def _shape_problem(schema: Schema, where: str) -> str | None:
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        return f"{where}: properties is not an object"
    missing = [name for name in schema.get("required", []) if name not in properties]
    return f"{where}: {missing[0]!r} is required but no property" if missing else None


def _parts(schema: Schema) -> list[tuple[str, Any]]:
    parts = list(schema.get("properties", {}).items())
    if "items" in schema:
        parts.append(("items", schema["items"]))
    if isinstance(schema.get("additionalProperties", False), Mapping):
        parts.append(("additionalProperties", schema["additionalProperties"]))
    return parts + [(f"{key}[{i}]", part) for key in _NESTED & set(schema) for i, part in enumerate(schema[key])]


def value_problem(schema: Schema, value: Json, where: str = "answer") -> str | None:
    """Why the schema does not admit a value, or None if it does."""
    kinds = schema.get("type")
    if kinds is not None and not any(_TYPES[k](value) for k in ([kinds] if isinstance(kinds, str) else kinds)):
        return f"{where} is not of type {kinds}"
    if "enum" in schema and not any(_same(value, allowed) for allowed in schema["enum"]):
        return f"{where} = {value!r} is not in the enumeration"
    if "const" in schema and not _same(value, schema["const"]):
        return f"{where} = {value!r} is not {schema['const']!r}"
    for keyword, breaks in _BOUNDS.items():
        if keyword in schema and breaks(value, schema[keyword]):
            return f"{where} = {value!r} breaks {keyword} {schema[keyword]}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{where} = {value!r} does not match {schema['pattern']!r}"
    return _object_problem(schema, value, where) or _list_problem(schema, value, where) or _nested(schema, value, where)


def _same(a: Json, b: Json) -> bool:
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _object_problem(schema: Schema, value: Json, where: str) -> str | None:
    if not isinstance(value, dict):
        return None
    missing = [name for name in schema.get("required", []) if name not in value]
    if missing:
        return f"{where} lacks {missing[0]!r}"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, part in value.items():
        inner = properties.get(name, others)
        if inner is False:
            return f"{where} has the property {name!r}, which is not admitted"
        if isinstance(inner, Mapping) and (problem := value_problem(inner, part, f"{where}.{name}")):
            return problem
    return None


def _list_problem(schema: Schema, value: Json, where: str) -> str | None:
    if not isinstance(value, list):
        return None
    if schema.get("uniqueItems") and any(_same(a, b) for i, a in enumerate(value) for b in value[:i]):
        return f"{where} holds something twice"
    if not isinstance(schema.get("items"), Mapping):
        return None
    return _first(value_problem(schema["items"], part, f"{where}[{i}]") for i, part in enumerate(value))


def _nested(schema: Schema, value: Json, where: str) -> str | None:
    for keyword in _NESTED & set(schema):
        fitting = sum(value_problem(part, value, where) is None for part in schema[keyword])
        wanted = {"anyOf": fitting >= 1, "oneOf": fitting == 1, "allOf": fitting == len(schema[keyword])}
        if not wanted[keyword]:
            return f"{where} = {value!r} fits {fitting} of the {len(schema[keyword])} schemas of {keyword}"
    return None


def _first(problems: Any) -> str | None:
    return next((problem for problem in problems if problem), None)
