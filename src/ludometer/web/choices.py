"""Legal actions as a picker takes them: the notation, and parts of it that narrow the choice one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ludometer.core import AnyGame, Illegal, Observation, Turn
from ludometer.web.clickable import HasParts

__all__ = ["choices", "parts_of"]

_MOST = 5_000
_SEPARATORS = re.compile(r"[\s,;:()\-]+")


def choices(turn: Turn) -> list[dict[str, Any]] | None:
    """``action`` (in the game's notation), ``parts`` and ``label`` of every legal action.

    Of a game whose legal actions cannot be listed: those that come to mind, each of which is legal; None where the
    answer is a text of its own. Anything may be typed instead.
    """
    named: Iterable[tuple[str, Any]]
    if turn.legal is not None:
        named = ((turn.format(action), action) for action in turn.legal[:_MOST])
    else:
        named = _suggested(turn)
    found = [
        {"action": text, "parts": parts_of(turn.game, turn.observation, text, action), "label": text}
        for text, action in named
    ]
    return found if found or turn.legal is not None else None


def parts_of(game: AnyGame, observation: Observation, text: str, action: Any) -> list[str]:
    """The parts of an action, from left to right: as the game says, else the words of its notation."""
    if isinstance(game, HasParts):
        return list(game.parts(observation, text, action))
    return [part for part in _SEPARATORS.split(text) if part] or [text]


def _suggested(turn: Turn) -> Iterator[tuple[str, Any]]:
    """Answers that a player of the game would think of first, as far as they are legal now."""
    seen = set()
    for text in _ideas(turn):
        try:
            action = turn.parse(text)
            turn.check(action)
        except Illegal:
            continue
        written = turn.format(action)
        if written not in seen:
            seen.add(written)
            yield written, action


def _ideas(turn: Turn) -> Sequence[str]:
    if turn.game.name != "poker":
        return ()
    chips = _amounts(turn)
    return ("fold", "check", "call", *(f"{word} {n}" for word in ("bet", "raise to") for n in chips), "all-in")


def _amounts(turn: Turn) -> list[int]:
    """Bets that are usual: the smallest, half the pot, the pot, twice the pot, in chips."""
    data = turn.observation.data
    asked = data["turn"] or {}
    pot, call, least = int(data["pot"]), int(asked.get("to_call") or 0), int(asked.get("min_raise_to") or 0)
    own = next((int(seat["bet"]) for seat in data["seats"] if seat["seat"] == asked.get("seat")), 0)
    shares = (own + call + round(share * (pot + call)) for share in (0.5, 1, 2))
    return sorted({amount for amount in (least, *shares) if amount > 0})
