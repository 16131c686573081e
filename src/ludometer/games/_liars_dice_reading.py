"""Reading bids and calls of liar's dice from what a player wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ludometer.core import Illegal, Json
from ludometer.games._boards import bare, fields, shown, whole

__all__ = ["CALL", "FACE_WORDS", "Move", "mentioned", "read_fields", "read_text", "spelled"]


class Move(NamedTuple):
    """A bid of ``quantity`` dice that show ``face``, or a call (both 0)."""

    action: Literal["bid", "call"]
    quantity: int = 0
    face: int = 0


CALL = Move("call")

FACE_WORDS = ("ones", "twos", "threes", "fours", "fives", "sixes")
_ONE_FACE = ("one", "two", "three", "four", "five", "six")
_NUMBERS = (*_ONE_FACE, "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen")
_FACES = {
    **{word: i for i, word in enumerate(FACE_WORDS, 1)},
    **{word: i for i, word in enumerate(_ONE_FACE, 1)},
    **{f"{i}{end}": i for i in range(1, 7) for end in ("s", "'s", "’s")},
    "ace": 1,
    "aces": 1,
}

# Repetitions are bounded, so that hostile text cannot keep an expression busy.
_NUMBER = r"[-−]?\d{1,4}"
_SHORT = rf"({_NUMBER})\s{{0,3}}[x×*]\s{{0,3}}({_NUMBER})(?:['’]?s)?"
_LONG = rf"({_NUMBER}|{'|'.join(_NUMBERS)})[\s-]{{1,3}}({'|'.join(sorted(_FACES, key=len, reverse=True))})"
_NAMED = rf"quantity\W{{0,4}}({_NUMBER})\W{{1,4}}(?:and\W{{1,4}})?face\W{{0,4}}({_NUMBER})"
_VERB = r"(?:i(?:\s{1,3}will|['’]ll)?\s{1,3})?(?:bid|raise(?:\s{1,3}to)?|say|play|move|answer)[\s:]{1,4}"
_BID = re.compile(rf"(?:{_VERB})?(?:{_SHORT}|{_LONG}|{_NAMED})", re.I | re.A)
_CALL_WORDS = (
    r"(?:call(?:[ \t]{1,3}liar|(?:[ \t]{1,3}(?:the|your|that|this|his|her|their))?[ \t]{1,3}(?:bluff|bid)"
    r"|[ \t]{1,3}it)?|challenge(?:[ \t]{1,3}(?:the|your|that|this|his|her|their)[ \t]{1,3}bid)?"
    r"|liar|dudo|doubt(?:[ \t]{1,3}it)?)"
)
_SPEAKER = r"(?:i|let['’]?s|my\s{1,3}(?:move|answer|action|decision|choice)|move|action|answer|decision|choice)"
_WILL = r"(?:\s{1,3}(?:is|will|now|must|play|say|choose|decide|to|have)|['’]ll|:|=){0,4}"
_CALL = re.compile(rf"(?:{_SPEAKER}{_WILL}\W{{0,4}}|play\s{{1,3}})?{_CALL_WORDS}", re.I | re.A)
_DOUBT = r"\b(?:if|when|unless|before|should|could|would|can|not|never|than|whether)\s{1,3}"
_CALL_IN_PROSE = re.compile(
    rf"(?P<unmeant>{_DOUBT}{_SPEAKER}{_WILL}\s{{1,3}}{_CALL_WORDS}\b)"
    rf"|(?P<call>\b(?:{_SPEAKER}{_WILL}[\s*_`\"'\[]{{1,4}}|play\s{{1,3}}){_CALL_WORDS}\b"
    rf"|(?<=[:*_`\"\[])\s{{0,3}}{_CALL_WORDS}(?=[*_`\"\].!]|\s{{0,9}}$)"
    rf"|^[ \t*_`\"'>#-]{{0,9}}{_CALL_WORDS}[ \t*_`\"'.!]{{0,9}}$)",
    re.I | re.A | re.M,
)
_BID_IN_PROSE = re.compile(
    rf"(?<![\w.,−-])(?:{_SHORT}|{_VERB}(?:{_LONG}|{_NAMED})"
    rf"|(?<=[*_`\"])(?:{_LONG})(?=[*_`\"]))(?!\w|[.,]\d)|^\s{{0,9}}(?:{_LONG}|{_NAMED})\s{{0,9}}[.!]?$",
    re.I | re.A | re.M,
)


def spelled(quantity: int, face: int) -> str:
    """A bid in words: ``three fives``."""
    number = _NUMBERS[quantity - 1] if 1 <= quantity <= len(_NUMBERS) else str(quantity)
    return f"{number} {(_ONE_FACE if quantity == 1 else FACE_WORDS)[face - 1]}"


def read_text(text: str) -> Move:
    """The one bid or call that a text consists of. Raises `Illegal`."""
    stated = bare(text)
    if _CALL.fullmatch(stated):
        return CALL
    match = _BID.fullmatch(stated) if len(stated) <= 80 else None
    if match is None:
        raise Illegal("invalid_format", f"{shown(text)} is neither a bid such as 3x5 (three fives) nor the word call")
    quantity, face = (group for group in match.groups() if group is not None)
    return Move("bid", _number(quantity), _FACES.get(face.casefold()) or _number(face))


def _number(text: str) -> int:
    word = text.casefold()
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else int(text.replace("−", "-"))


def mentioned(text: str) -> Sequence[str]:
    """The bids and calls in running text, in order: calls only where the writer makes one, not where one is feared."""
    found = [(match.start(), match.group()) for match in _BID_IN_PROSE.finditer(text)]
    found += [(match.start(), match.group()) for match in _CALL_IN_PROSE.finditer(text) if match["call"]]
    return [piece for _, piece in sorted(found)]


def read_fields(answer: Json) -> Move | None:
    """A structured answer with fields of its own; None for one without. Raises `Illegal`."""
    given = fields(answer)
    action = given.get("action")
    if action is None and not ("quantity" in given and "face" in given):
        return None
    word = action.strip().casefold() if isinstance(action, str) else ""
    if word and _CALL.fullmatch(word):
        return CALL
    if word not in ("bid", "raise") and action is not None:
        if word and not ("quantity" in given or "face" in given):
            return read_text(word)
        raise Illegal("invalid_format", f'the action must be "bid" or "call", not {shown(str(action))}')
    if given.get("quantity") is None or given.get("face") is None:
        raise Illegal("invalid_format", "a bid needs both a quantity and a face")
    return Move("bid", whole(given["quantity"], "quantity"), whole(given["face"], "face"))
