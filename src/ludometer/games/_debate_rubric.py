"""How a debate is scored: the criteria, a judge's sheet, and the arithmetic from sheets to a result.

Judges give numbers only. Every total is computed here, for the game and for its analysis alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ludometer.core import Json

__all__ = [
    "DEFAULT_RUBRIC",
    "ORDERS",
    "SIDES",
    "Criterion",
    "Sheet",
    "Swap",
    "changed_mind",
    "read_rubric",
    "side_totals",
    "summed",
]

Swap: TypeAlias = Literal["score", "tie"]
"""``score``: a judge's sheets count as they are; ``tie``: the two sheets of a judge that does not prefer the same side
in both orders are evened out (Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", NeurIPS 2023)."""

SIDES: Final = ("for", "against")
ORDERS: Final = ("ab", "ba")
"""Orders of presentation: in ``ab`` the side for the motion is Side A, which stands first; in ``ba`` it is Side B."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LONGEST_NAME = 30
_MOST_CRITERIA = 12
_RESERVED = ("total", "margin")


class Criterion(NamedTuple):
    """What is scored, with its weight in a sheet's total and a few words on what is meant."""

    name: str
    weight: float
    about: str = ""


_ABOUT: Final[Mapping[str, str]] = {
    "argument": "the reasons are relevant to the motion, sound, and lead to the conclusion",
    "evidence": "claims are backed by facts, examples or sources that can be believed",
    "rebuttal": "the strongest points of the other side are met, not passed over",
    "clarity": "the speeches are well ordered and easy to follow",
}
DEFAULT_RUBRIC: Final = "argument:3,evidence:2,rebuttal:3,clarity:2"


class Sheet(NamedTuple):
    """A judge's scores in one order of presentation, in the order of the rubric: of Side A, which was shown first, and
    of Side B."""

    first: tuple[float, ...]
    second: tuple[float, ...]


def read_rubric(written: str | Mapping[str, Json]) -> tuple[Criterion, ...]:
    """The criteria, from ``name:weight`` pairs separated by commas, or from a table whose values are weights or tables
    with ``weight`` and ``about``.

    Raises:
        ValueError: says what is wrong with it.
    """
    pairs = _written_pairs(written) if isinstance(written, str) else written.items()
    found = tuple(_criterion(str(name).strip(), value) for name, value in pairs)
    if not 1 <= len(found) <= _MOST_CRITERIA:
        raise ValueError(f"the rubric needs 1 to {_MOST_CRITERIA} criteria, such as {DEFAULT_RUBRIC}")
    if len({criterion.name for criterion in found}) < len(found):
        raise ValueError("the rubric names a criterion twice")
    return found


def _written_pairs(text: str) -> Iterator[tuple[str, Any]]:
    for piece in text.split(","):
        name, _, weight = piece.partition(":")
        try:
            yield name, float(weight) if weight.strip() else 1.0
        except ValueError:
            raise ValueError(
                f"{piece.strip()!r} is no criterion with its weight; write for example clarity:2"
            ) from None


def _criterion(name: str, value: Any) -> Criterion:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise ValueError(f"a criterion is named in small letters, such as use_of_facts, not {name[:60]!r}")
    if name in _RESERVED:
        raise ValueError(f"no criterion can be called {name}: that is computed from the scores")
    table = value if isinstance(value, Mapping) else {"weight": value}
    weight, about = table.get("weight", 1.0), table.get("about", _ABOUT.get(name, ""))
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 < weight <= 1000:
        raise ValueError(f"the weight of {name} must be a number above 0 and up to 1000, not {weight!r}")
    if (
        not isinstance(about, str)
        or len(about) > 300
        or len(about.splitlines()) > 1
        or set(table) - {"weight", "about"}
    ):
        raise ValueError(
            f"the criterion {name} may have a weight and an about, which is one line of up to 300 characters"
        )
    return Criterion(name, float(weight), about.strip())


def _total(scores: Sequence[float], rubric: Sequence[Criterion]) -> float:
    """The weighted mean of the scores, on their own scale. Rounded, so that equal sums in another order are equal."""
    weights = [criterion.weight for criterion in rubric]
    weighted = math.fsum(score * weight for score, weight in zip(scores, weights, strict=True))
    return round(weighted / math.fsum(weights), 9)


def side_totals(sheet: Sheet, order: str, rubric: Sequence[Criterion]) -> tuple[float, float]:
    """A sheet's totals: of the side for the motion, and of the side against it."""
    first, second = _total(sheet.first, rubric), _total(sheet.second, rubric)
    return (first, second) if order == "ab" else (second, first)


def _preferred(totals: tuple[float, float]) -> int:
    """1: the side for the motion; -1: the side against it; 0: neither."""
    return (totals[0] > totals[1]) - (totals[0] < totals[1])


def changed_mind(ab: Sheet, ba: Sheet, rubric: Sequence[Criterion]) -> bool:
    """Whether a judge does not prefer the same side (or neither) in both orders of presentation."""
    return _preferred(side_totals(ab, "ab", rubric)) != _preferred(side_totals(ba, "ba", rubric))


def summed(sheets: Sequence[Sheet], rubric: Sequence[Criterion], swap: Swap) -> tuple[float, float]:
    """The summed totals of the side for the motion and of the side against it.

    Args:
        sheets: two of every judge that counts, ``ab`` before ``ba``.
    """
    sums = [0.0, 0.0]
    for ab, ba in zip(sheets[::2], sheets[1::2], strict=True):
        one, two = side_totals(ab, "ab", rubric), side_totals(ba, "ba", rubric)
        own = [one[0] + two[0], one[1] + two[1]]
        if swap == "tie" and changed_mind(ab, ba, rubric):
            own = [sum(own) / 2] * 2
        sums = [sums[0] + own[0], sums[1] + own[1]]
    return round(sums[0], 9), round(sums[1], 9)
