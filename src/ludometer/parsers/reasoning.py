"""Taking a model's reasoning out of its answer: nothing inside it is ever read as a move."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Visible", "visible"]

_TAG = re.compile(r"<(?P<close>/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


class Visible(NamedTuple):
    """What is left of an answer without its reasoning. ``unclosed``: the reasoning never ended."""

    text: str
    unclosed: bool


def visible(text: str) -> Visible:
    """Removes ``<think>...</think>`` blocks, and everything before a closing tag whose opening the provider kept.

    One pass: the text is hostile, and a search that starts anew at every opening tag would take quadratic time.
    """
    shown: list[str] = []
    place, inside = 0, False
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            if not inside:
                shown.append(text[place : tag.start()])
            inside = True
            continue
        if not inside:
            shown.clear()
        place, inside = tag.end(), False
    if not inside:
        shown.append(text[place:])
    return Visible(" ".join(shown).strip(), inside)
