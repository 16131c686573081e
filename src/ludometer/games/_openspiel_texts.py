"""How the moves of OpenSpiel's games are written in prompts, and read: its own texts, without what stands in front."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.games._openspiel import Move

__all__ = ["bare", "listed", "matching", "plain", "written"]

_PREFIX = re.compile(
    r"^(?:\d{1,6} - |\[p\d{1,2}\]\s?|player: \d{1,2} action: |player=\d{1,2} move=|player \d{1,2} (?=bid)|pl\d{1,2}: )"
    r"(?=\S)",
    re.IGNORECASE,
)


def written(engine: Any, player: int) -> dict[Move, str]:
    """A player's legal moves in the engine's words without what stands in front of them, where that tells them apart;
    numbered where two of them are written alike all the same."""
    together = engine.is_simultaneous_node()
    actions = engine.legal_actions(player) if together else engine.legal_actions()
    words = [" ".join(str(engine.action_to_string(player, action)).split()) for action in actions]
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(words):
        groups.setdefault(plain(_without_prefix(text)), []).append(place)
    texts = {}
    for place, (action, text) in enumerate(zip(actions, words, strict=True)):
        short = _PREFIX.sub("", text)
        alike = groups[plain(_without_prefix(text))]
        if not plain(short):
            short = f"{text} #{action}".strip()
        elif len(alike) > 1 and not (alike[0] == place and _same_after(engine, [actions[i] for i in alike])):
            short = f"{short} #{action}"
        texts[Move((player, action) if together else (action,))] = short
    return texts


def _same_after(engine: Any, actions: Sequence[int]) -> bool:
    """Whether actions that are written alike also lead to the same (as orders of playing two dice do)."""
    return not engine.is_simultaneous_node() and len({str(engine.child(action)) for action in actions}) == 1


def listed(texts: Mapping[Move, str]) -> list[str]:
    """The moves as a prompt lists them: those that only repeat another one are left out."""
    known = set(texts.values())
    return [text for text in texts.values() if "#" not in text or text.rpartition(" #")[0] not in known]


def plain(text: str) -> str:
    """What two ways of writing a move have in common: case, spaces and surrounding punctuation do not count."""
    return re.sub(r"\s+", " ", text).strip(" *`'\".,;:!").casefold()


def _without_prefix(text: str) -> str:
    """A move without what OpenSpiel puts in front of some: ``32 - 7/2``, ``[P0]Bid: 1``, ``Player: 0 Action: 6s``."""
    return _PREFIX.sub("", text)


def bare(text: str) -> str:
    """A move without its prefix and without what OpenSpiel adds to backgammon moves: marks of hits, dice not played."""
    return _without_prefix(text).replace("*", "").removesuffix(" pass")


def matching(texts: Mapping[Move, str], wanted: str) -> list[Move]:
    """The moves that a text can mean: those written so, failing that without additions, failing that at its end."""
    for form in (str, _without_prefix, bare):
        if matching := [move for move, words in texts.items() if form(words) == form(wanted)]:
            return matching
    for form in (str, _without_prefix, bare):
        lengths = {move: len(form(words)) for move, words in texts.items() if _ends(form(wanted), form(words))}
        if lengths:
            return [move for move, length in lengths.items() if length == max(lengths.values())]
    return []


def _ends(text: str, move: str) -> bool:
    """Whether a text ends with a move, as a word or words of its own."""
    if not move or not text.endswith(move):
        return False
    before = text[: -len(move)][-1:]
    return not (before.isalnum() and move[0].isalnum()) and before not in tuple("-−.,_(/#")
