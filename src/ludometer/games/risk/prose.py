"""Finding orders in running text, for answers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ludometer.games.risk.board import RiskMap, load_map
from ludometer.games.risk.notation import GAP

__all__ = ["mentions"]

# A lone "end" counts where it stands for an answer ("I choose end.", "**end**"), not inside a sentence.
_END = (
    r"(?:^|[:`*\"'.;?!\[({,]\s{0,3}|\b(?:play|choose|order|move|answer|is|say|then)\s)"
    r"(?P<end>(?:end|pass)(?:\s(?:my\s|the\s)?turn)?)(?=\s{0,3}(?:[.!;?,`*\"'\])}]|$))"
)


@lru_cache(maxsize=8)
def _in_prose(map_name: str) -> re.Pattern[str]:
    """Orders in running text: a word for an order with names of territories behind it, and numbers."""
    names = "|".join(re.escape(name) for name in sorted(load_map(map_name).names, key=len, reverse=True))
    names = names.replace(r"\ ", r"[\s_]{1,3}")
    mark, number = r"[*_`\"']{0,3}", r"\d{1,4}(?![\w]|[.,]\d)"
    name = rf"{mark}(?:{names}){mark}"
    arrow = r"\s{0,3}(?:-{0,2}>|→|=>|to\b|into\b)\s{0,3}"
    tail = rf"(?:[ \t,:x×(]{{1,4}}(?:with\s)?{number}(?:\s(?:armies|army|dice|die))?\)?)?"
    pair = rf"(?:attack|fortify)\s{{1,3}}(?:{number}\s(?:armies\s)?)?(?:from\s)?{name}{arrow}{name}{tail}"
    place = rf"(?:reinforce|place|pick|claim)\s{{1,3}}(?:{number}\s(?:armies\s)?(?:in|on)\s)?{name}{tail}"
    three = rf"\d{{1,3}}{GAP}\d{{1,3}}{GAP}\d{{1,3}}(?!\w)"
    trade = rf"trade\s{{1,3}}(?:cards?\s)?{three}(?:\sfor\s{name})?"
    move = rf"move\s{{1,3}}{number}"
    return re.compile(rf"\b(?P<order>{pair}|{place}|{trade}|{move})|{_END}", re.IGNORECASE | re.MULTILINE)


# What may stand between two orders of one list.
_BETWEEN = re.compile(r"[\s;,.*`\-\d)(]{0,20}(?:(?:and|then|and then)\s{1,3})?", re.IGNORECASE)


def mentions(board: RiskMap, text: str, *, listed: bool) -> Sequence[str]:
    """Every order in running text, in order; with ``listed``, orders that follow each other directly as one list."""
    found: list[str] = []
    last = -1
    for match in _in_prose(board.name).finditer(text):
        group = "order" if match["order"] else "end"
        start, piece = match.start(group), match[group]
        if listed and last >= 0 and _BETWEEN.fullmatch(text[last:start]):
            found[-1] += f"; {piece}"
        else:
            found.append(piece)
        last = match.end(group)
    return found
