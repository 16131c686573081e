"""What a network gets for an action at an UNO table: the numbers that say what the table looks like after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.games.uno.cards import TYPES, WILD
from ludometer.players import _uno_seen as seen

__all__ = ["FEATURES", "RENAMINGS", "Floats", "Ints", "Naming", "action_values", "encode"]

Floats: TypeAlias = "npt.NDArray[np.float32]"
Ints: TypeAlias = "npt.NDArray[np.int64]"
Naming: TypeAlias = "int | Ints"
"""Which of the ways to name the colours, for all rows or for each."""

RENAMINGS: Final = 6
"""Ways to name the colours that are not in force. The rules do not care, so all of them are right."""

_ORDERS: Final = np.array(list(permutations(range(4))))
_CARDS: Final = np.array([[13 * order[k // 13] + k % 13 for k in range(WILD)] + [WILD, WILD + 1] for order in _ORDERS])
_BY_FIRST: Final = np.array([np.flatnonzero(_ORDERS[:, 0] == colour) for colour in range(4)])

_SIZES: Final = np.arange(1, 13)
_LOW_PILE: Final = np.array([4, 10, 20])
_KINDS: Final = np.array([seen.PASS, seen.FIRST_COLOUR, seen.CHALLENGE, seen.CHALLENGE + 1])


def encode(rows: seen.Rows, actions: Ints, naming: Naming) -> Floats:
    """The features of each row's action, shape ``(n, FEATURES)``.

    Colours are renamed such that the one in force after the action comes first: what is alike looks alike. The order of
    the others is one of six.

    Args:
        rows: shape ``(n, seen.WIDTH)``.
        actions: a legal one for each row.
        naming: 0 to 5.
    """
    is_card = actions < TYPES
    colour = _colour_after(rows, actions)
    order = _BY_FIRST[colour, naming]
    cards, colours = _CARDS[order], _ORDERS[order]
    hand = rows[:, seen.HAND].copy()
    hand[np.flatnonzero(is_card), actions[is_card]] -= 1
    sizes = np.stack([hand.sum(axis=1), *(rows[:, column] for column in (seen.NEXT, seen.PREVIOUS, seen.SMALLEST))], 1)
    hand = np.take_along_axis(hand, cards, axis=1)
    top = np.where(is_card, actions, rows[:, seen.TOP])
    before = (colours == rows[:, seen.BEFORE, None]) & (rows[:, seen.PHASE, None] >= seen.PHASES.index("colour"))
    pile = rows[:, seen.PILE, None]
    seats = rows[:, seen.SEATS, None].astype(np.int64)
    parts = [
        hand >= 1,
        hand >= 2,
        hand[:, WILD:] / 4,
        np.take_along_axis(rows[:, seen.UNSEEN], cards, axis=1) / seen.DECK_COUNTS,
        np.where(top < WILD, top % 13, top - WILD + 13)[:, None] == np.arange(15),
        np.digitize(actions, _KINDS)[:, None] == np.arange(len(_KINDS) + 1),
        before,
        (np.minimum(sizes, _SIZES[-1])[:, :, None] == _SIZES).reshape(len(rows), -1),
        sizes / 20,
        _barred_share(rows[:, seen.BARRED_NEXT], rows[:, seen.NEXT], colours),
        _barred_share(rows[:, seen.BARRED_PREVIOUS], rows[:, seen.PREVIOUS], colours),
        pile / 108,
        pile <= _LOW_PILE,
        (seats - 2) / 8,
        seats == 2,
    ]
    return np.concatenate([part.astype(np.float32) for part in parts], axis=1)


def _colour_after(rows: seen.Rows, actions: Ints) -> Ints:
    """The colour in force after an action; for a wild card the one before, as the choice is yet to be made."""
    colour = rows[:, seen.COLOUR].astype(np.int64)
    colour = np.where(actions < WILD, actions // 13, colour)
    chosen = (actions >= seen.FIRST_COLOUR) & (actions < seen.CHALLENGE)
    return np.where(chosen, actions - seen.FIRST_COLOUR, colour)


def _barred_share(barred: seen.Rows, size: seen.Rows, colours: Ints) -> npt.NDArray[np.float64]:
    return np.take_along_axis(barred, colours, axis=1) / np.maximum(size, 1)[:, None]


FEATURES: Final = encode(np.ones((1, seen.WIDTH), dtype=np.uint8), np.zeros(1, dtype=np.int64), 0).shape[1]

_CHUNK: Final = 2048


def action_values(network: Callable[[Floats], Floats], rows: seen.Rows, namings: Sequence[Naming]) -> Floats:
    """What a network makes of every action, shape ``(n, seen.ACTIONS)``: the mean over some ways to name the colours,
    which is nearer to the truth than any of them. Minus infinity where an action is not legal."""
    legal = seen.legal_mask(rows)
    row, action = np.nonzero(legal)
    total = np.zeros(len(row), dtype=np.float32)
    for naming in namings:
        by_row = np.broadcast_to(naming, len(rows))
        for start in range(0, len(row), _CHUNK):  # pieces that fit a processor's cache
            part = slice(start, start + _CHUNK)
            total[part] += network(encode(rows[row[part]], action[part], by_row[row[part]]))
    values = np.full(legal.shape, -np.inf, dtype=np.float32)
    values[row, action] = total / len(namings)
    return values
