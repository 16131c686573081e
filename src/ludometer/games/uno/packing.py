"""Positions of UNO as arrays, for playouts (see `ludometer.games.uno.kernel`)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ludometer.games.uno.cards import TYPES, WILD_DRAW_FOUR, playable_cards
from ludometer.games.uno.state import Action, Options, State, winners

__all__ = ["DRAW", "KEEP", "NOTHING", "PHASES", "Bits", "Ints", "Packed", "code_of", "packed", "seed_of"]

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

# Compiled code that was kept knows these numbers, and is made anew only when kernel.py changes: change both together.
PHASES: Final = {"card": 0, "colour": 1, "challenge": 2, "drawn": 3}

DRAW: Final = TYPES
KEEP: Final = TYPES + 1
NOTHING: Final = -1
"""Instead of an action: go on at random from the position itself."""


class Packed(NamedTuple):
    """A position for playouts. With a viewer it holds nothing that this seat does not know.

    Attributes:
        numbers: seats, colour, seat to act, direction, phase, colour before the last wild card, whether that was a Wild
            Draw Four, the card just drawn, whether the pile is shuffled; then the options: Reverse acts as Skip, a
            drawn card may be played, the last card takes effect, forced draws are asked for; then the set of playable
            cards.
        hands: for every seat two sets of card types: those held at least once, and at least twice. Bits 54 and 55 are a
            third (first set) and a fourth (second set) Wild and Wild Draw Four. Hidden cards are left out.
        sizes: cards in every hand, hidden ones left out.
        slot_seats, slot_barred: for every hidden card the seat that holds it, and the set of types that it is known not
            to be; the most restricted first.
        cards: types of the hidden cards and of the pile: sorted where the pile is shuffled, else the next card first.
    """

    numbers: Ints
    hands: Bits
    sizes: Ints
    slot_seats: Ints
    slot_barred: Bits
    cards: npt.NDArray[np.uint8]


def packed(
    state: State, options: Options, *, viewer: int | None = None, pile: Literal["true", "reshuffled"] = "true"
) -> Packed:
    """A position for playouts.

    Args:
        state: a game that goes on.
        viewer: None: the true hands. Else the seat that is to act: hidden hands are dealt anew for every playout, from
            the cards that this seat has not seen, none to a place where everybody knows it cannot be (`State.absent`),
            and the rest is the pile. With one other seat all such deals are equally likely, because the sets of a hand
            are nested. With several, each place in turn gets any card that may be there, the most restricted place
            first, which is not exactly even; rates moved by 0.002 at most where that was measured (3 to 6 seats).
        pile: of the true hands: in its true order, or shuffled anew for every playout.

    Raises:
        ValueError: the game is over, or the viewer is not the seat that is to act.
    """
    if winners(state, options):
        raise ValueError("there is nothing to play out: the game is over")
    if viewer not in (None, state.player):
        raise ValueError(f"only seat index {state.player} can be the viewer, as it is to act, not {viewer}")
    shuffled = viewer is not None or pile == "reshuffled"
    hidden = [seat for seat in range(state.n) if viewer not in (None, seat)]
    slots = [(barred, seat) for seat in hidden for barred in state.absent[seat]]
    slots.sort(key=lambda slot: (-slot[0].bit_count(), slot[1], slot[0]))
    unseen = [*state.pile, *(card for seat in hidden for card in state.hands[seat])]
    known = [() if seat in hidden else hand for seat, hand in enumerate(state.hands)]
    return Packed(
        numbers=_numbers(state, options, shuffled),
        hands=np.array([word for hand in known for word in _words(hand)], np.uint64),
        sizes=np.array([len(hand) for hand in known], np.int64),
        slot_seats=np.array([seat for _, seat in slots], np.int64),
        slot_barred=np.array([barred for barred, _ in slots], np.uint64),
        cards=np.array(sorted(unseen) if shuffled else unseen, np.uint8),
    )


def _numbers(state: State, options: Options, shuffled: bool) -> Ints:
    drawn = state.history[-1].cards[0] if state.phase == "drawn" else 0
    values = (
        state.n,
        state.colour,
        state.player,
        state.direction,
        PHASES[state.phase],
        state.before,
        int(state.top == WILD_DRAW_FOUR),
        drawn,
        int(shuffled),
        int(state.n == 2 and options.two_player_reverse == "again"),
        int(options.drawn_card == "may_play"),
        int(options.last_card_effect),
        int(options.forced_draw == "ask"),
        playable_cards(state.top, state.colour),
    )
    return np.array(values, np.int64)


def _words(hand: Sequence[int]) -> tuple[int, int]:
    """A hand as two sets (see `Packed`)."""
    first = second = 0
    for card in hand:
        bit = 1 << card
        if second & bit:
            bit <<= 2
        if first & bit:
            second |= bit
        else:
            first |= bit
    return first, second


def seed_of(position: Packed) -> int:
    """Luck from the position itself: the same position is judged alike wherever it comes up."""
    digest = blake2b(digest_size=8)
    for array in position:
        digest.update(len(array).to_bytes(2, "little") + array.astype(array.dtype.newbyteorder("<")).tobytes())
    return int.from_bytes(digest.digest(), "little")


def code_of(action: Action | None) -> int:
    """An action as a number: what it is depends on the phase."""
    if action is None:
        return NOTHING
    if action.kind == "draw":
        return DRAW
    return KEEP if action.kind == "keep" else action.value
