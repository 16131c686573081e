"""Finding the JSON objects in a model's answer, written as models write them.

Accepted beside strict JSON: objects inside prose or a code fence, single or typographic quotes, trailing commas,
comments, unquoted keys (JSON5). The text is hostile: work is bounded, and nothing in it can raise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import json5

from ludometer.core import Illegal, Json

__all__ = ["last_object"]

MAX_ANSWER = 200_000
"""Characters of an answer that are looked at, from its end: the last stated answer counts."""

_MAX_UNCLOSED = 40

_MAX_TOLERANT = 5_000
"""Longest object that is given to the slow, tolerant reader."""

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})


def last_object(text: str) -> dict[str, Json]:
    """The last top-level JSON object in the text.

    Raises:
        Illegal: ``invalid_format`` when there is none, or when the last thing in braces cannot be read;
            ``ambiguous`` when it gives one key two different values.
    """
    spans = list(_braced(text[-MAX_ANSWER:]))
    if not spans:
        raise Illegal("invalid_format", "the answer contains no JSON object")
    return _decoded(spans[-1])


def _braced(text: str) -> Iterator[str]:
    """The top-level ``{...}`` pieces in order.

    A brace that is never closed is stepped over, a bounded number of times, so that it cannot hide an object after it.
    """
    start = 0
    for _ in range(_MAX_UNCLOSED):
        unclosed: int | None = None
        for opened, closed in _spans(text, start):
            if closed is None:
                unclosed = opened
            else:
                yield text[opened:closed]
        if unclosed is None:
            return
        start = unclosed + 1


def _spans(text: str, start: int) -> Iterator[tuple[int, int | None]]:
    """(start, end) of every top-level piece from ``start`` on; the end of the last is None where it is not closed."""
    opened, depth = 0, 0
    quoted = skip = False
    for i in range(start, len(text)):
        char = text[i]
        if skip:
            skip = False
        elif quoted:
            skip = char == "\\"
            quoted = char != '"'
        elif char == '"' and depth:
            # Only double quotes hide braces: an apostrophe in prose or in a loose object opens nothing.
            quoted = True
        elif char == "{":
            if depth == 0:
                opened = i
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                yield opened, i + 1
    if depth:
        yield opened, None


def _decoded(piece: str) -> dict[str, Json]:
    try:
        value = json.loads(piece, object_pairs_hook=_unambiguous)
    except (ValueError, RecursionError):
        value = _tolerant(piece)
    if not isinstance(value, dict):
        raise Illegal("invalid_format", "the answer contains no readable JSON object")
    return value


def _tolerant(piece: str) -> Any:
    if len(piece) > _MAX_TOLERANT:
        return None
    try:
        return json5.loads(piece.translate(_QUOTES), object_pairs_hook=_unambiguous)
    except (ValueError, RecursionError):
        return None


def _unambiguous(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise Illegal("ambiguous", f"the answer gives two values for {str(key)[:40]!r}")
        found[key] = value
    return found
