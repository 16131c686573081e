"""Characters in foreign text (names, answers) that no terminal, page or file should be given as they are."""

from __future__ import annotations

import re

__all__ = ["UNSEEN", "escaped"]

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
"""Control characters but tab and line feed; marks that reorder or hide text; separators that break lines; soft hyphens;
and tags, a second alphabet that nobody sees and that models read."""


def escaped(text: str) -> str:
    r"""The text with every `UNSEEN` character as JSON escapes it: ``\u202e``, and ``\udb40\udc41`` for a tag."""
    return UNSEEN.sub(lambda found: _units(found.group()), text)


def _units(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
