"""Taking a model's reasoning out of its answer: nothing inside it is ever read as a move."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Visible", "visible"]

_TAG = r"(?:think|thinking|thought|reasoning)"
_BLOCK = re.compile(rf"<{_TAG}>.*?</{_TAG}>", re.IGNORECASE | re.DOTALL)
_CLOSE = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_OPEN = re.compile(rf"<{_TAG}>", re.IGNORECASE)


class Visible(NamedTuple):
    """What is left of an answer without its reasoning. ``unclosed``: the reasoning never ended."""

    text: str
    unclosed: bool


def visible(text: str) -> Visible:
    """Removes ``<think>...</think>`` blocks, and everything before a closing tag whose opening the provider kept."""
    rest = _BLOCK.sub(" ", text)
    rest = _CLOSE.split(rest)[-1]
    opening = _OPEN.search(rest)
    if opening is not None:
        return Visible(rest[: opening.start()].strip(), True)
    return Visible(rest.strip(), False)
