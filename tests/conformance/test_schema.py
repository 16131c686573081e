from __future__ import annotations

from typing import Any

import pytest

from ludometer.testing.schema import schema_problem, value_problem


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [0, -3, 2.0], [True, 1.5, "1", None]),
        ({"type": "number", "minimum": 0, "exclusiveMaximum": 2}, [0, 1.5], [-1, 2, "1", False]),
        ({"type": ["string", "null"]}, ["", None], [0, []]),
        ({"enum": [1, "a"]}, [1, "a"], [True, 2, "b"]),
        ({"const": 0}, [0], [False, 1]),
        ({"type": "string", "pattern": "^[a-h][1-8]$", "maxLength": 2}, ["e4"], ["e9", "e44", ""]),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
            [[1], [1, 2]],
            [[], [1, 2, 3], ["1"], [1, 1]],
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}},
                "required": ["a"],
                "additionalProperties": False,
            },
            [{"a": 1}],
            [{}, {"a": "1"}, {"a": 1, "b": 2}, [], None],
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, [{}, {"x": 1}], [{"x": "1"}]),
        ({"anyOf": [{"type": "integer"}, {"const": "pass"}]}, [1, "pass"], ["x"]),
        ({"oneOf": [{"minimum": 0}, {"maximum": 10}]}, [-1, 11], [5]),
        ({"allOf": [{"minimum": 0}, {"maximum": 10}]}, [5], [-1, 11]),
    ],
)
def test_values(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    assert schema_problem(schema) is None
    assert [value for value in good if value_problem(schema, value)] == []
    assert [value for value in bad if not value_problem(schema, value)] == []


@pytest.mark.parametrize(
    "schema",
    [
        [],
        {"typ": "object"},
        {"type": "int"},
        {"enum": []},
        {"pattern": "("},
        {"required": ["a"], "properties": {}},
        {"properties": {"a": {"type": "text"}}},
        {"items": {"type": "text"}},
        {"anyOf": [{"type": "text"}]},
        {"additionalProperties": {"type": "text"}},
    ],
)
def test_broken_schemas(schema: Any) -> None:
    assert schema_problem(schema) is not None
