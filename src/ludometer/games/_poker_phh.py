"""Hands in the poker hand history format: one file per match, loaded by pokerkit and other tools.

Source: Juho Kim, "Recording and Describing Poker Hands", IEEE Conference on Games 2024 (the PHH standard). Players are
listed from the left of the button, as the format asks; ``seats`` gives the seats they hold in the match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pokerkit import HandHistory, NoLimitTexasHoldem

from ludometer.games._poker_engine import rebuilt
from ludometer.games._poker_hand import Hand, dealt_order

__all__ = ["phh"]

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_LONGEST_VALUE = 255


def phh(hands: Sequence[tuple[Hand, Sequence[str]]], names: Mapping[str, str], tags: Mapping[str, str]) -> str:
    """The text of a ``.phhs`` file.

    Args:
        hands: every hand with the deck it was dealt from; the last one may be unfinished.
        names: seat ("1", "2", ...) to the player's name.
        tags: see `ludometer.core.Game.record`.
    """
    return HandHistory.dumps_all(_history(hand, deck, names, tags) for hand, deck in hands) + "\n"


def _history(hand: Hand, deck: Sequence[str], names: Mapping[str, str], tags: Mapping[str, str]) -> HandHistory:
    engine = rebuilt(hand, deck)
    order = dealt_order(hand)
    small, big = hand.blinds
    rules = NoLimitTexasHoldem((), True, hand.ante, (small, big), big)
    known: dict[str, Any] = {
        "ante_trimming_status": True,
        "antes": [hand.ante] * len(order),
        "blinds_or_straddles": [small, big, *[0] * (len(order) - 2)],
        "min_bet": big,
        "hand": hand.number + 1,
        "event": _plain(tags["event"]) if "event" in tags else None,
        "table": _plain(tags["round"]) if "round" in tags else None,
        "seats": [seat + 1 for seat in order],
        "seat_count": len(hand.stacks),
        "players": [_plain(names.get(str(seat + 1), "?")) for seat in order],
        "finishing_stacks": [hand.after[seat] for seat in order] if hand.after else None,
    }
    date = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", tags.get("date", ""))
    if date is not None:
        known |= dict(zip(("year", "month", "day"), map(int, date.groups()), strict=True))
    return HandHistory.from_game_state(
        rules, engine, **{key: value for key, value in known.items() if value is not None}
    )


def _plain(text: str) -> str:
    """One printable line that cannot end a quoted value: quotation marks become typographic ones."""
    return _UNPRINTABLE.sub(" ", text)[:_LONGEST_VALUE].replace("'", "\u2019")
