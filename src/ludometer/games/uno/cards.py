"""The 108 cards, by type: small integers in one order, the same for the rules, the playouts and what players learn.

Card types 0 to 51 are ``13 * colour + rank``: ranks 0 to 9 are numbers, 10 Skip, 11 Reverse, 12 Draw Two. 52 is Wild,
53 Wild Draw Four. A set of card types is an integer with one bit per type.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "COLOURS",
    "COLOUR_CARDS",
    "DECK",
    "DRAW_TWO",
    "RANKS",
    "RANK_CARDS",
    "REVERSE",
    "SKIP",
    "TYPES",
    "WILD",
    "WILDS",
    "WILD_DRAW_FOUR",
    "card_name",
    "card_type",
    "colour_of",
    "playable_cards",
    "rank_of",
]

COLOURS: Final = ("Red", "Yellow", "Green", "Blue")
SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
WILD: Final = 52
WILD_DRAW_FOUR: Final = 53
TYPES: Final = 54

RANKS: Final = (*"0123456789", "Skip", "Reverse", "Draw Two")

DECK: Final = (
    *(13 * colour + rank for colour in range(4) for rank in range(13) for _ in range(1 if rank == 0 else 2)),
    *[WILD] * 4,
    *[WILD_DRAW_FOUR] * 4,
)
"""All 108 cards, sorted."""

COLOUR_CARDS: Final = tuple(sum(1 << (13 * colour + rank) for rank in range(13)) for colour in range(4))
"""The set of a colour's cards, wild cards left out."""

RANK_CARDS: Final = tuple(sum(1 << (13 * colour + rank) for colour in range(4)) for rank in range(13))
"""The set of the cards with a number or function, one of each colour."""

WILDS: Final = 1 << WILD | 1 << WILD_DRAW_FOUR


def colour_of(card: int) -> int | None:
    """Index into `COLOURS`; None for wild cards."""
    return card // 13 if card < WILD else None


def rank_of(card: int) -> int | None:
    """0 to 9, `SKIP`, `REVERSE` or `DRAW_TWO`; None for wild cards."""
    return card % 13 if card < WILD else None


def card_name(card: int) -> str:
    """As people call it: ``Red 5``, ``Blue Draw Two``, ``Wild``, ``Wild Draw Four``."""
    if card == WILD:
        return "Wild"
    if card == WILD_DRAW_FOUR:
        return "Wild Draw Four"
    return f"{COLOURS[card // 13]} {RANKS[card % 13]}"


def playable_cards(top: int, colour: int) -> int:
    """The set of card types that may be played on ``top`` while ``colour`` is in force."""
    rank = rank_of(top)
    return COLOUR_CARDS[colour] | WILDS | (0 if rank is None else RANK_CARDS[rank])


_TYPES_BY_NAME: Final = {card_name(card): card for card in range(TYPES)}


def card_type(name: str) -> int | None:
    """The type of a card named as `card_name` names it; None for anything else."""
    return _TYPES_BY_NAME.get(name)
