"""Portable Game Notation (PGN): move text, and whole games with their headers.

Source: "Standard: Portable Game Notation Specification and Implementation Guide" (Steven J. Edwards, 1994).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from ludometer.games._chess_board import START

__all__ = ["move_text", "pgn", "result_of"]

_WIDTH = 80
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_LONGEST_VALUE = 255
"""Characters of a tag's value; longer ones are cut."""


def move_text(start: str, moves: Sequence[str]) -> str:
    """Moves in SAN with move numbers: ``1. e4 e5 2. Nf3``, or ``5... Nf6 6. Bb5`` where Black began.

    Args:
        start: FEN of the first position.
    """
    colour, number = start.split()[1], int(start.split()[5])
    black = colour == "b"
    words = []
    for i, move in enumerate(moves, start=1 if black else 0):
        if i % 2 == 0:
            words.append(f"{number + i // 2}. {move}")
        else:
            words.append(f"{number}... {move}" if not words else move)
    return " ".join(words)


def result_of(scores: Mapping[str, float] | None) -> str:
    """PGN's word for a result: ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` where there is none."""
    if scores is None:
        return "*"
    white, black = scores["white"], scores["black"]
    return "1/2-1/2" if white == black else "1-0" if white > black else "0-1"


def pgn(
    start: str,
    moves: Sequence[str],
    names: Mapping[str, str],
    scores: Mapping[str, float] | None,
    tags: Mapping[str, str],
) -> str:
    """A game as PGN: the seven tags that every game has, then ``SetUp``, ``FEN`` and ``Termination`` where needed."""
    result = result_of(scores)
    headers = {
        "Event": tags.get("event", "?"),
        "Site": tags.get("site", "?"),
        "Date": tags.get("date", "????.??.??").replace("-", "."),
        "Round": tags.get("round", "?"),
        "White": names.get("white", "?"),
        "Black": names.get("black", "?"),
        "Result": result,
    }
    if start != START:
        headers |= {"SetUp": "1", "FEN": start}
    if "termination" in tags:
        headers["Termination"] = tags["termination"]
    lines = [f'[{tag} "{_value(text)}"]' for tag, text in headers.items()]
    words = f"{move_text(start, moves)} {result}".strip()
    return "\n".join([*lines, "", *textwrap.wrap(words, _WIDTH - 1), ""])


def _value(text: str) -> str:
    """A tag's value: one printable line, quotation marks and backslashes escaped."""
    plain = _UNPRINTABLE.sub(" ", text)[:_LONGEST_VALUE]
    return plain.replace("\\", "\\\\").replace('"', '\\"')
