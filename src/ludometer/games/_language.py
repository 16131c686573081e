"""What games in words share: texts that are moves, written on one line for the log and fenced in where they are shown.

Every such text is a stranger's. It may be anything at all, and nothing in it may pass for something else than itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from ludometer.core import Illegal, Json
from ludometer.core.text import escaped

__all__ = ["BARS", "check_text", "clean", "field", "quoted", "shown", "text_field", "unquoted"]

BARS: Final = "What a player wrote has a bar before each line; only lines without a bar are the arena's."
"""What a prompt says of `shown`."""

_BREAKS = re.compile("\r\n?")
_LONE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with line feeds for line breaks, without half characters and without blanks around it."""
    return _LONE.sub("\ufffd", _BREAKS.sub("\n", text)).strip()


def quoted(text: str) -> str:
    """The text on one line, as a JSON string; invisible characters are escaped. `unquoted` reads it."""
    return escaped(json.dumps(text, ensure_ascii=False))


def unquoted(text: str) -> str:
    """What `quoted` wrote; any other text is taken as it stands. Either way it is `clean`."""
    stripped = text.strip()
    if len(stripped) >= 2 and stripped.startswith('"') and stripped.endswith('"'):
        try:
            read = json.loads(stripped)
        except ValueError:
            return clean(text)
        if isinstance(read, str):
            return clean(read)
    return clean(text)


def shown(text: str) -> str:
    """The text for a prompt or a terminal: every line behind a bar, so that no line of it can pass for the page's own,
    and invisible characters as escapes."""
    lines = escaped(text).split("\n")
    return "\n".join(f"| {line}".rstrip() for line in lines)


def field(answer: Json, name: str) -> Json:
    """The value under a key of a structured answer, capital letters aside; None where there is none."""
    if not isinstance(answer, Mapping):
        return None
    return next((value for key, value in answer.items() if str(key).strip().casefold() == name), None)


def text_field(answer: Json, *names: str) -> str | None:
    """The text under the first of these keys that holds one; numbers are written out."""
    for name in names:
        value = field(answer, name)
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return str(value)
            except ValueError:  # more digits than Python writes
                return None
    return None


def check_text(text: object, limit: int, what: str) -> None:
    """Raises `Illegal`: no text, ``nothing_said``, or ``too_long``."""
    if not isinstance(text, str):
        raise Illegal("invalid_format", f"{what} must be text")
    if not text.strip():
        raise Illegal("nothing_said", f"{what} is empty")
    if len(text) > limit:
        raise Illegal("too_long", f"{what} has {len(text):,} characters; the limit is {limit:,}")
