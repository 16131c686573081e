"""Speeches and score sheets of a debate as text and as structured answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludometer.core import Illegal, Json
from ludometer.core.text import UNSEEN, escaped
from ludometer.games._boards import shown
from ludometer.games._debate_rubric import Criterion, Sheet

__all__ = [
    "SHEET_KEYS",
    "Speech",
    "number",
    "read_sheet",
    "read_speech",
    "read_words",
    "sheet_json",
    "sheet_pattern",
    "sheet_words",
    "written",
]

SHEET_KEYS = ("side_a", "side_b")

_LINE_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_NUMBER = r"[-−]?\d{1,6}(?:\.\d{1,12})?"
_NUMERAL = re.compile(rf"\s{{0,9}}{_NUMBER}\s{{0,9}}", re.ASCII)
_SHOWN_KEYS = 60


class Speech(NamedTuple):
    """What a side says, line breaks as line feeds, without white space around it."""

    text: str


# --------------------------------------------------------------------- speeches


def read_speech(text: str) -> Speech:
    """A speech from its text, or from a JSON string of it (see `written`). Raises `Illegal`."""
    said = text.strip()
    if len(said) > 1 and said[0] == said[-1] == '"':
        try:
            decoded = json.loads(said, strict=False)
        except ValueError:
            decoded = said  # a speech that begins and ends with a quotation
        said = decoded.strip() if isinstance(decoded, str) else said
    if _SURROGATES.search(said):
        raise Illegal("invalid_format", "the speech has characters that are no text")
    return Speech(_LINE_BREAKS.sub("\n", said).strip())


def written(speech: Speech) -> str:
    """A speech on one line, for records: as it is, or as a JSON string where that would not be read back."""
    said = speech.text
    if said and "\n" not in said and not said.startswith('"') and not UNSEEN.search(said):
        return said
    return escaped(json.dumps(said, ensure_ascii=False))


# ----------------------------------------------------------------------- sheets


def sheet_pattern(rubric: Sequence[Criterion], highest: int) -> re.Pattern[str]:
    """What a sheet in words looks like: ``A: argument 7, clarity 5; B: argument 6, clarity 8``, or the same as lists,
    with the criteria in the order of the rubric. A score may be written ``7/10``, where ``highest`` is 10. Its groups
    are the scores, in order."""
    # Repetitions are bounded, so that hostile text cannot keep the expression busy.
    between, gap, colon = r"[\s,;*_•#-]{1,12}", r"[\s:=*_]{1,6}", r"[\s:=*_•-]{1,12}"
    # Atomic: of 9.5/20 nothing is read, and not the 9.
    score = rf"{gap}((?>{_NUMBER}))(?:\s?/\s?{highest}(?!\d))?+"
    scores = between.join(f"{c.name.replace('_', '[ _]')}{score}" for c in rubric)
    return re.compile(rf"(?:side )?\ba{colon}{scores}{between}(?:side )?b{colon}{scores}(?!\w|\s?/)", re.I | re.A)


def read_words(text: str, pattern: re.Pattern[str]) -> Sheet:
    """A sheet in words. Raises `Illegal`."""
    found = pattern.fullmatch(text.strip(" \t\r\n.*_`'\"()[]"))
    if found is None:
        raise Illegal("invalid_format", f"{shown(text)} is not a sheet with every criterion's score for A and for B")
    scores = [float(group.replace("−", "-")) for group in found.groups()]
    half = len(scores) // 2
    return Sheet(tuple(map(_kept, scores[:half])), tuple(map(_kept, scores[half:])))


def sheet_words(sheet: Sheet, rubric: Sequence[Criterion]) -> str:
    """A sheet in words, as `read_words` reads it."""
    sides = (
        ", ".join(f"{criterion.name} {number(score)}" for criterion, score in zip(rubric, scores, strict=True))
        for scores in sheet
    )
    return "; ".join(f"{name}: {scores}" for name, scores in zip("AB", sides, strict=True))


def sheet_json(sheet: Sheet, rubric: Sequence[Criterion]) -> dict[str, Json]:
    """A sheet as a structured answer: ``side_a`` and ``side_b``, each with a score per criterion."""
    names = [criterion.name for criterion in rubric]
    return {
        key: {name: int(score) if score == int(score) else score for name, score in zip(names, scores, strict=True)}
        for key, scores in zip(SHEET_KEYS, sheet, strict=True)
    }


def read_sheet(answer: Mapping[str, Json], rubric: Sequence[Criterion]) -> Sheet | None:
    """A sheet from a structured answer; None for an answer that has neither side. Whatever else it holds, such as a
    total or a winner, is not looked at. Raises `Illegal`."""
    given = _keys(answer)
    sides = [given.get(key, given.get(key.removeprefix("side_"))) for key in SHEET_KEYS]
    if sides == [None, None]:
        return None
    first, second = (_scores(side, key, rubric) for side, key in zip(sides, SHEET_KEYS, strict=True))
    return Sheet(first, second)


def _scores(side: Json, key: str, rubric: Sequence[Criterion]) -> tuple[float, ...]:
    if not isinstance(side, dict):
        raise Illegal("invalid_format", f"{key} must be an object with a score for every criterion")
    given = _keys(side)
    for criterion in rubric:
        if criterion.name not in given:
            raise Illegal("invalid_format", f"{key} has no score for {criterion.name}")
    return tuple(_score(given[criterion.name], f"{key}.{criterion.name}") for criterion in rubric)


def _keys(answer: Mapping[str, Json]) -> dict[str, Any]:
    """Fields by name, small letters and underscores put. Raises `Illegal` for two that are then the same."""
    found: dict[str, Any] = {}
    for key, value in answer.items():
        name = re.sub(r"[\s_-]+", "_", str(key)[:_SHOWN_KEYS].strip().casefold())
        if name in found and found[name] != value:
            raise Illegal("ambiguous", f"the answer gives {shown(name)} twice")
        found[name] = value
    return found


def _score(value: Json, what: str) -> float:
    if isinstance(value, str) and _NUMERAL.fullmatch(value):
        value = float(value.replace("−", "-"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Illegal("invalid_format", f"{what} must be a number")
    if value != value or not -(10**6) < value < 10**6:
        raise Illegal("invalid_format", f"{what} must be a number of at most six digits")
    return _kept(value)


def _kept(value: float) -> float:
    """Scores are kept to six decimals, so that every notation of them means the same; and there is no -0."""
    return round(float(value), 6) + 0.0


def number(score: float) -> str:
    """A score as text."""
    return f"{score:.6f}".rstrip("0").rstrip(".")
