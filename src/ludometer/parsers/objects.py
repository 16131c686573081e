"""Finding the JSON objects in a model's answer, written as models write them.

Accepted beside strict JSON: objects inside prose or a code fence, single or typographic quotes, trailing commas,
comments, unquoted keys (JSON5). The text is hostile: work is bounded, and nothing in it can raise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import json5

from ludometer.core import Illegal, Json

__all__ = ["MAX_ANSWER", "Found", "last_object"]

MAX_ANSWER = 200_000
"""Characters of an answer that are looked at, from its end: the last stated answer counts."""

_MAX_SCANS = 8
"""How often the search starts anew behind a brace that is never closed."""

_MAX_TOLERANT = 5_000
"""Longest object that is given to the slow, tolerant reader."""

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})

_MARKS = re.compile(r'[{}"]|\\.', re.DOTALL)
_Span: TypeAlias = tuple[int, int]


class Found(NamedTuple):
    """The last object of a text. ``more``: another one is begun after it and never closed."""

    value: dict[str, Json]
    more: bool


def last_object(text: str) -> Found:
    """The last top-level JSON object in the text.

    Raises:
        Illegal: ``invalid_format`` when there is none, or when the last thing in braces cannot be read;
            ``ambiguous`` when it gives one key two different values.
    """
    text = text[-MAX_ANSWER:]
    spans = _braced(text)
    if not spans:
        raise Illegal("invalid_format", "the answer contains no JSON object")
    start, end = spans[-1]
    return Found(_decoded(text[start:end]), "{" in text[end:])


def _braced(text: str) -> list[_Span]:
    """The top-level ``{...}`` pieces in order.

    A brace that is never closed is stepped over, so that it cannot hide an object after it: what lies behind it is
    read as if it were not there, and once more from there on if the quotation marks inside it swallowed everything.
    """
    found: list[_Span] = []
    start = 0
    for _ in range(_MAX_SCANS):
        pieces, unclosed = _scan(text, start)
        found += pieces
        if unclosed is None or (found and found[-1][0] > unclosed) or text.find("}", unclosed) < 0:
            break
        start = unclosed + 1
    # In an object with single quotes one lone double quote would hide its end.
    return found or _scan(text, 0, strings=False)[0]


def _scan(text: str, start: int, *, strings: bool = True) -> tuple[list[_Span], int | None]:
    """The outermost closed pieces from ``start`` on, and the first brace that is never closed."""
    closed: list[_Span] = []
    opened: list[int] = []
    quoted = False
    for mark in _MARKS.finditer(text, start):
        if quoted:
            quoted = mark.group() != '"'
            continue
        char = text[mark.end() - 1]  # outside of strings a backslash escapes nothing
        if char == '"':
            # Only double quotes hide braces, and only inside one: an apostrophe or a quotation in prose opens nothing.
            quoted = strings and bool(opened)
        elif char == "{":
            opened.append(mark.end() - 1)
        elif char == "}" and opened:
            first = opened.pop()
            while closed and closed[-1][0] > first:
                closed.pop()
            closed.append((first, mark.end()))
    return closed, opened[0] if opened else None


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
    spelled: dict[str, str] = {}
    for key, value in pairs:
        # Games read keys without regard to capital letters: two spellings of one key are one key.
        same = spelled.setdefault(str(key).strip().casefold(), key)
        if same in found and found[same] != value:
            raise Illegal("ambiguous", f"the answer gives two values for {str(key)[:40]!r}")
        found[key] = value
    return found
