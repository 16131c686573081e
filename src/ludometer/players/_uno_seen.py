"""What a seat at an UNO table may use for a decision, as a row of small numbers, and how actions are numbered.

The same rows are made from an observation in play (`players.dqn`) and from a batch of games in training
(`training.uno_tables`); `players._uno_features` is the only way from a row to a network.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.games.uno.cards import DECK, TYPES, WILD, playable_cards

__all__ = [
    "ACTIONS",
    "BARRED_NEXT",
    "BARRED_PREVIOUS",
    "BEFORE",
    "CHALLENGE",
    "COLOUR",
    "DECK_COUNTS",
    "DRAWN",
    "FIRST_COLOUR",
    "FITTING",
    "HAND",
    "NEXT",
    "PASS",
    "PHASE",
    "PHASES",
    "PILE",
    "PREVIOUS",
    "SEATS",
    "SMALLEST",
    "TOP",
    "UNSEEN",
    "WIDTH",
    "Rows",
    "barred_by_colour",
    "legal_mask",
]

Rows: TypeAlias = "npt.NDArray[np.uint8]"

# ------------------------------------------------------------------- the row

HAND: Final = slice(0, 54)
"""How many of each card type the seat holds."""
UNSEEN: Final = slice(54, 108)
"""How many of each card type the seat has not seen: they are in other hands or in the pile."""
BARRED_NEXT: Final = slice(108, 112)
"""How many cards of the next seat everybody knows not to be of each colour."""
BARRED_PREVIOUS: Final = slice(112, 116)
"""The same of the seat before this one, in the direction of play."""
TOP: Final = 116
COLOUR: Final = 117
"""In force."""
BEFORE: Final = 118
"""In force before the wild card that was played last."""
PHASE: Final = 119
"""Index into `PHASES`."""
DRAWN: Final = 120
"""The card just drawn, in the phase in which it may be played; else 0."""
NEXT: Final = 121
"""Cards in the next hand."""
PREVIOUS: Final = 122
SMALLEST: Final = 123
"""Cards in the smallest hand of the others."""
PILE: Final = 124
SEATS: Final = 125
WIDTH: Final = 126

PHASES: Final = ("card", "drawn", "colour", "challenge")

# --------------------------------------------------------------- the actions

PASS: Final = TYPES
"""After the card types: drawing for want of a card, or keeping the one just drawn."""
FIRST_COLOUR: Final = 55
CHALLENGE: Final = 59
"""Not to challenge; the next number is to challenge."""
ACTIONS: Final = 61

DECK_COUNTS: Final = np.bincount(DECK, minlength=TYPES).astype(np.uint8)

FITTING: Final = np.array(
    [
        [[playable_cards(top, colour) >> card & 1 for card in range(TYPES)] for colour in range(4)]
        for top in range(TYPES)
    ],
    dtype=bool,
)
"""By top card and colour in force: which card types may be played."""


def legal_mask(rows: Rows) -> npt.NDArray[np.bool_]:
    """Which actions are legal, shape ``(n, ACTIONS)``."""
    mask = np.zeros((len(rows), ACTIONS), dtype=bool)
    phase = rows[:, PHASE]
    card = phase == PHASES.index("card")
    mask[:, :TYPES] = (rows[:, HAND] > 0) & FITTING[rows[:, TOP], rows[:, COLOUR]] & card[:, None]
    drawn = np.flatnonzero(phase == PHASES.index("drawn"))
    mask[drawn, rows[drawn, DRAWN]] = True
    mask[drawn, PASS] = True
    mask[card & ~mask.any(axis=1), PASS] = True
    mask[phase == PHASES.index("colour"), FIRST_COLOUR:CHALLENGE] = True
    mask[phase == PHASES.index("challenge"), CHALLENGE:] = True
    return mask


def barred_by_colour(barred: Rows) -> Rows:
    """From how many cards are known not to be of each type (shape ``(n, 54)``) to each colour (``(n, 4)``)."""
    found: Rows = barred[:, :WILD].reshape(-1, 4, 13).min(axis=2)
    return found
