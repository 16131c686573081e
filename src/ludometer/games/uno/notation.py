"""How decisions are written, and how they are read from what a player wrote.

The same words mean different things in different decisions ("draw four" is a card, or the penalty that is taken
instead of challenging), so reading needs the state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ludometer.core import Illegal, Json
from ludometer.games._boards import fields, shown
from ludometer.games.uno.cards import COLOURS, RANKS, TYPES, WILD, WILD_DRAW_FOUR, card_name, rank_of
from ludometer.games.uno.state import Action, Options, Phase, State

__all__ = ["QUESTIONS", "encoded", "named", "read_answer", "read_text", "schema", "written"]

QUESTIONS: Final[Mapping[Phase, str]] = {
    "card": "the card that you play, such as Red 5",
    "drawn": "play, to play the card that you have just drawn, or keep",
    "colour": "a colour: Red, Yellow, Green or Blue",
    "challenge": "challenge or no challenge",
}
"""What an answer to each decision names, as error sentences say it."""

# Everything is matched against `_plain` text; gaps are bounded, so that hostile text cannot keep an expression busy.
_COLOUR: Final = r"(?:red|yellow|green|blue)"
_NUMBERS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TAKE_TWO: Final = r"(?:(?:draw|plus|take|pick up) ?(?:two|2)|d2|\+ ?2)"
_RANK: Final = rf"(?:{_TAKE_TWO}|[0-9]|{'|'.join(_NUMBERS)}|skip|reverse)"
_SHORT: Final = r"(?P<letter>[rygb]) ?(?P<code>[0-9]|\+ ?2|d2)"
_FOUR: Final = (
    r"(?:(?:black )?wild ?(?:card )?(?:draw|plus|take|pick up|d|\+)? ?(?:four|4)(?: cards?)?|w ?(?:d|\+)? ?4"
    r"|(?:draw|plus|take) ?(?:four|4)|\+ ?4)(?: wild)?(?: card)?"
)
_WILD: Final = r"(?:black )?wild ?(?:card)?"
_CARD: Final = (
    rf"(?P<four>{_FOUR})|(?P<wild>{_WILD})|(?P<colour>{_COLOUR}) ?(?:card )?(?P<rank>{_RANK})(?: card)?"
    rf"|(?P<rank2>{_RANK}) ?(?:of |in )?(?P<colour2>{_COLOUR})|{_SHORT}"
)
_INTRO: Final = (
    r"(?:(?:i |ill |we )?(?:will |would |shall |want to )?"
    r"(?:play|choose|select|pick|discard|use|put down|lay|call|say|name) "
    r"|(?:my )?(?:move|card|colou?r|answer|decision|choice|action)(?: is)? )?(?:the |my |a |an )?"
)
_CARD_ALONE: Final = re.compile(_INTRO + rf"(?:{_CARD})(?: (?:and )?(?:\w{{1,9}} )?{_COLOUR})?")
_COLOUR_ALONE: Final = re.compile(
    _INTRO + rf"(?:colou?r )?(?:(?:{_FOUR}|{_WILD}) )?(?:(?P<colour>{_COLOUR})|(?P<letter>[rygb]))(?: colou?r)?"
)
_RANK_ALONE: Final = re.compile(_INTRO + rf"(?P<rank>{_RANK})(?: card)?")
_DRAW: Final = r"(?:draw|pick up|take)(?: (?:a|one|1|another|up a))?(?: card)?"
_DRAW_ALONE: Final = re.compile(rf"(?:i |i will |ill |i must |i have to )?{_DRAW}|pass|no card|none|nothing")
_KEEP_ALONE: Final = re.compile(r"(?:i |i will |ill )?(?:keep|hold)(?: (?:it|the card|the drawn card|card))?|pass|no")
_PLAY_ALONE: Final = re.compile(r"(?:i |i will |ill )?play(?: (?:it|the card|the drawn card|card))?|yes")
_YES: Final = (
    r"challenge (?:yes|true)"
    r"|(?:yes )?(?:i |i will |ill |i would )?challenge(?: (?:it|the play|the card|player \d{1,2}))?"
)
_NO: Final = (
    r"challenge (?:no|false|none)"
    r"|(?:no )?(?:i )?(?:no|not|dont|do not|wont|will not|would not|decline to|refuse to|never|not to|without)"
    r"(?: a| the| to| want to)?(?: challeng(?:e|ing))(?: (?:it|the play|the card))?"
    r"|(?:no )?(?:i |i will |ill )?(?:accept|draw|take)(?: (?:it|the|my))?(?: (?:four|4))?(?: (?:cards|penalty))?"
    r"|pass|decline"
)
_YES_ALONE: Final = re.compile(rf"{_YES}|yes|true")
_NO_ALONE: Final = re.compile(rf"{_NO}|no|false")

_LONGEST: Final = 80
_PROSE: Final = 4000
"""Characters of running text that are looked at, from its end: the last decision named counts."""
_APOSTROPHES: Final = re.compile(r"['’`´]")
_MARKS: Final = re.compile(r"(?<=\w)-(?=\w)|[*_\"“”()\[\]{}<>/=:,;\s]|(?<=\s)[-–—](?=\s)|(?<!\d)\.(?!\d)|\.(?=\s|$)|!")
_SPACES: Final = re.compile(r" {2,}")


def written(action: Action) -> str:
    """A decision in the canonical notation."""
    if action.kind == "card":
        return card_name(action.value)
    if action.kind == "colour":
        return COLOURS[action.value]
    if action.kind == "challenge":
        return "challenge" if action.value else "no challenge"
    return action.kind


# ------------------------------------------------------------------------ text


def read_text(state: State, text: str) -> Action:
    """The decision that a text consists of; failing that, the last one of the kind asked for that it names.

    Raises:
        Illegal: it names none, or a card whose colour cannot be told.
    """
    drawn = state.history[-1].cards[0] if state.phase == "drawn" else 0
    action = _alone(state, text) or _last(state.phase, text, _plain(text[-_PROSE:]), drawn)
    if action is None:
        raise Illegal("invalid_format", f"{shown(text)} names no decision; name {QUESTIONS[state.phase]}")
    return action


def named(text: str) -> bool:
    """Whether running text names any decision of the game."""
    plain = _plain(text[-_PROSE:])
    return any(_last(phase, text, plain) is not None for phase in QUESTIONS)


def _plain(text: str) -> str:
    """Small letters, words and numbers with single spaces between them."""
    return _SPACES.sub(" ", _MARKS.sub(" ", _APOSTROPHES.sub("", text.casefold()))).strip()


def _alone(state: State, text: str) -> Action | None:
    """What a text that is nothing but a decision means: first as an answer to what is asked, then as any other."""
    plain = _plain(text) if len(text) <= 4 * _LONGEST else ""
    if not plain or len(plain) > _LONGEST:
        return None
    for phase in (state.phase, *QUESTIONS):
        action = _meaning(state, phase, plain)
        if action is not None:
            return action
    return None


def _meaning(state: State, phase: Phase, plain: str) -> Action | None:
    if phase == "colour":
        match = _COLOUR_ALONE.fullmatch(plain)
        return Action("colour", _colour(match["colour"] or match["letter"])) if match else None
    if phase == "challenge":
        if _NO_ALONE.fullmatch(plain):
            return Action("challenge", 0) if state.phase == phase or "challeng" in plain else None
        if _YES_ALONE.fullmatch(plain):
            return Action("challenge", 1) if state.phase == phase or "challeng" in plain else None
        return None
    if phase == "drawn":
        if state.phase == phase and _PLAY_ALONE.fullmatch(plain):
            return Action("card", state.history[-1].cards[0])
        if state.phase == phase and _KEEP_ALONE.fullmatch(plain):
            return Action("keep")
        return Action("keep") if plain.startswith("keep") and _KEEP_ALONE.fullmatch(plain) else None
    if match := _CARD_ALONE.fullmatch(plain):
        return Action("card", _card(match))
    if _DRAW_ALONE.fullmatch(plain):
        return Action("draw")
    return _by_rank(state, plain)


def _by_rank(state: State, plain: str) -> Action | None:
    """A card named without its colour, where the hand leaves no doubt. Raises `Illegal` where it does."""
    match = _RANK_ALONE.fullmatch(plain) if state.phase in ("card", "drawn") else None
    if match is None:
        return None
    rank = _rank(match["rank"])
    cards = sorted({card for card in state.hands[state.player] if rank_of(card) == rank})
    if not cards:
        raise Illegal("not_in_hand", f"you do not hold any {RANKS[rank]}")
    if len(cards) > 1:
        names = " or ".join(card_name(card) for card in cards)
        raise Illegal("ambiguous", f"{RANKS[rank]} may be {names}; name the colour as well")
    return Action("card", cards[0])


def _card(match: re.Match[str]) -> int:
    if match["four"]:
        return WILD_DRAW_FOUR
    if match["wild"]:
        return WILD
    colour = match["colour"] or match["colour2"] or match["letter"]
    return 13 * _colour(colour) + _rank(match["rank"] or match["rank2"] or match["code"])


def _colour(word: str) -> int:
    return "rygb".index(word[0])


def _rank(word: str) -> int:
    if word in _NUMBERS:
        return _NUMBERS.index(word)
    if word.isdigit():
        return int(word)
    return {"s": 10, "r": 11}.get(word[0], 12)


# ----------------------------------------------------------------------- prose

_CARD_IN_PROSE: Final = re.compile(rf"(?<![\w+])(?:{_CARD})(?![\w+]|[.,]\d)")
_COLOUR_IN_PROSE: Final = re.compile(rf"(?<![\w+])(?:{_CARD}|(?P<bare>{_COLOUR}))(?!\w)")
_DRAW_IN_PROSE: Final = re.compile(rf"\bi (?:will |must |have to |should )?{_DRAW}\b|^(?:draw|pass)\b|\b(?:draw|pass)$")
_KEEP_IN_PROSE: Final = re.compile(
    rf"\b(?P<keep>keep|pass)\b|\b(?P<play>play (?:it|the drawn card))\b|(?:{_CARD})(?!\w)"
)
_CHALLENGE_IN_PROSE: Final = re.compile(
    rf"\b(?:(?P<no>{_NO})|(?<!\ba )(?<!the )(?<!whether to )(?<!if )(?<!if i )(?P<yes>{_YES}))\b"
)
_SENTENCE: Final = re.compile(r"[.!?:\n\"*]")


def _last(phase: Phase, text: str, plain: str, drawn: int = 0) -> Action | None:
    """The last decision of a kind that running text names; ``plain`` is that text as `_plain` gives it, ``drawn`` the
    card just drawn."""
    if phase == "colour":
        colours = [match["bare"] for match in _COLOUR_IN_PROSE.finditer(plain) if match["bare"]]
        return Action("colour", _colour(colours[-1])) if colours else None
    if phase == "challenge":
        return _last_challenge(text)
    if phase == "drawn":
        found = list(_KEEP_IN_PROSE.finditer(plain))
        if found and (found[-1]["keep"] or found[-1]["play"]):
            return Action("keep") if found[-1]["keep"] else Action("card", drawn)
    return _last_card(plain) or (Action("draw") if _DRAW_IN_PROSE.search(plain) else None)


def _last_card(plain: str) -> Action | None:
    cards = list(_CARD_IN_PROSE.finditer(plain))
    return Action("card", _card(cards[-1])) if cards else None


def _last_challenge(text: str) -> Action | None:
    """Challenging or not in so many words; a plain yes or no only as a sentence of its own ("he has no red")."""
    for sentence in reversed([_plain(part) for part in _SENTENCE.split(text[-1000:])]):
        if sentence in ("yes", "no", "true", "false"):
            return Action("challenge", int(sentence in ("yes", "true")))
        if found := list(_CHALLENGE_IN_PROSE.finditer(sentence)):
            return Action("challenge", int(found[-1]["no"] is None))
    return None


# ------------------------------------------------------------------------ JSON

_CARD_NAMES: Final = tuple(card_name(card) for card in range(TYPES))
_YES_WORDS: Final = frozenset({"yes", "true", "challenge", "1"})
_NO_WORDS: Final = frozenset({"no", "false", "no challenge", "none", "0"})


def encoded(action: Action) -> dict[str, Json]:
    """A decision as a structured answer: ``card``, ``colour`` or ``challenge``."""
    if action.kind == "colour":
        return {"colour": COLOURS[action.value]}
    if action.kind == "challenge":
        return {"challenge": bool(action.value)}
    return {"card": written(action)}


def schema(phase: Phase, options: Options) -> dict[str, Json]:
    """JSON Schema of the answer to a decision: the whole deck where a card is asked for."""
    key, value = "card", _cards_schema(phase, options)
    if phase == "colour":
        key, value = "colour", {"type": "string", "enum": list(COLOURS), "description": "the colour you choose"}
    elif phase == "challenge":
        key, value = "challenge", {"type": "boolean", "description": "whether you challenge the Wild Draw Four"}
    return {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}


def _cards_schema(phase: Phase, options: Options) -> dict[str, Json]:
    others = ["keep"] if phase == "drawn" else ["draw"] if options.forced_draw == "ask" else []
    return {"type": "string", "enum": [*_CARD_NAMES, *others], "description": "the card you play"}


def read_answer(state: State, answer: Json) -> Action:
    """Reads a structured answer: the field that is asked for, else ``move``, else the field of another decision.

    Raises:
        Illegal: it has no such field, or one that cannot be read.
    """
    given = fields(answer)
    given.setdefault("colour", given.get("color"))
    wanted = "card" if state.phase == "drawn" else state.phase
    for key in (wanted, "move", "card", "colour", "challenge"):
        if given.get(key) is not None:
            return _read_field(state, key, given[key])
    raise Illegal("invalid_format", f"the answer has no readable field {wanted!r}")


def _read_field(state: State, key: str, value: Json) -> Action:
    if key == "challenge" and isinstance(value, bool):
        return Action("challenge", int(value))
    if not isinstance(value, str):
        raise Illegal("invalid_format", f"{key} must be {_FORMS[key]}")
    if key == "challenge" and (plain := _plain(value)) in _YES_WORDS | _NO_WORDS:
        return Action("challenge", int(plain in _YES_WORDS))
    action = _alone(state, value)
    if action is None or (key == "colour" and action.kind != "colour"):
        if key == "colour":
            raise Illegal("invalid_format", f"{shown(value)} is no colour; write Red, Yellow, Green or Blue")
        raise Illegal("invalid_format", f"{shown(value)} is not readable here; name {QUESTIONS[state.phase]}")
    return action


_FORMS: Final = {
    "card": "a card's name as text, such as Red 5",
    "colour": "a colour's name as text",
    "challenge": "true or false",
    "move": "text",
}
