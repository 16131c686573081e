"""Whole numbers in English words: reading ``four hundred and thirty-nine``."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Spelled", "spelled_numbers"]

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ROUND: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {word: value for value, word in enumerate(_SMALL.split())}
_TENS: Final = {word: 10 * value for value, word in enumerate(_ROUND.split(), start=2)}
_WORD: Final = f"(?:{'|'.join((*_ONES, *_TENS, 'hundred', 'thousand', 'fourty'))})(?![a-z])"
_RUN: Final = re.compile(
    rf"(?<![a-z0-9])(?:a\s+(?=hundred|thousand))?{_WORD}(?:(?:[\s-]+|\s+and\s+){_WORD})*(?![a-z0-9])"
)


class Spelled(NamedTuple):
    """A number in words, and where it stands. ``value`` is None where the words make no number."""

    value: int | None
    start: int
    end: int


def spelled_numbers(text: str) -> list[Spelled]:
    """Every longest run of number words in a text of small letters, in order."""
    return [Spelled(_value(run.group()), *run.span()) for run in _RUN.finditer(text)]


def _value(run: str) -> int | None:
    """The number below a million that the words make, said as numbers are: ``two hundred and five``, not ``five
    two``."""
    words = [word for word in re.split(r"[\s-]+", run.replace("fourty", "forty")) if word not in ("and", "a")]
    if words.count("thousand") > 1:
        return None
    before, thousand, after = _parted(words, "thousand")
    if not thousand:
        return _below_thousand(before)
    high = _below_thousand(before) if before else 1
    low = _below_thousand(after) if after else 0
    return None if high is None or low is None else 1000 * high + low


def _below_thousand(words: list[str]) -> int | None:
    if words.count("hundred") > 1:
        return None
    before, hundred, after = _parted(words, "hundred")
    if not hundred:
        return _below_hundred(before)
    high = _below_hundred(before) if before else 1
    low = _below_hundred(after) if after else 0
    return None if high is None or low is None or high > 99 else 100 * high + low


def _below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _ONES.get(words[0], _TENS.get(words[0]))
    if len(words) == 2 and words[0] in _TENS and 1 <= _ONES.get(words[1], 0) <= 9:
        return _TENS[words[0]] + _ONES[words[1]]
    return None


def _parted(words: list[str], at: str) -> tuple[list[str], bool, list[str]]:
    if at not in words:
        return words, False, []
    place = words.index(at)
    return words[:place], True, words[place + 1 :]
