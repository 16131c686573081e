"""Random continuations of a game of UNO, about a million a second: what judges and searching players are made of.

`playouts` goes on at random from a position after each of several actions. Playout number i meets the same hidden
cards, the same order of the pile and the same stream of choices after every action, so that actions are compared on the
same luck. The rules are those of `ludometer.games.uno.state`, which are the reference; all options are supported.

Everything happens in one function whose variables stay in registers; hands are sets of card types as bits. It is
compiled where numba is installed (the extra ``fast``), and runs as plain Python otherwise, hundreds of times slower and
with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ludometer.games.uno.cards import WILD, WILDS
from ludometer.games.uno.packing import DRAW, KEEP, PHASES, Bits, Ints, Packed, code_of, packed, seed_of
from ludometer.games.uno.state import Action

__all__ = ["COMPILED", "UNITS", "Packed", "Playouts", "packed", "playouts", "run", "seed_of"]

F = TypeVar("F", bound=Callable[..., Any])

try:
    from numba import njit

    COMPILED = True
    """Whether playouts are compiled."""
except ImportError:
    COMPILED = False

UNITS: Final = 2520
"""A whole win in integer units: its halves to tenths are whole numbers, and sums are exact."""

# One source for both: numba's 64 unsigned bits wrap by themselves, Python's integers are cut by the mask. Numbers are
# converted wherever signed meets unsigned, which numba would turn into floats, and indices are unsigned, which spares
# it the question whether they count from the end: together that makes the code more than twice as fast.
_U: Any = np.uint64 if COMPILED else int
_I: Any = np.int64 if COMPILED else int
_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15

_COLOUR: Final = (1 << 13) - 1
_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39

_CARD: Final = PHASES["card"]
_CHOOSE: Final = PHASES["colour"]
_CHALLENGE: Final = PHASES["challenge"]
_DRAWN: Final = PHASES["drawn"]
_DREW: Final = 4
"""The phase while a card is drawn that may be played."""

_SEATS: Final = 10
_CARDS: Final = 108


class Playouts(NamedTuple):
    """What random continuations came to. Wins are counted in units of 1/2520 of a win, so that all numbers are exact.

    Attributes:
        units: shape (actions, seats): sums of what each seat got; several winners share a win.
        products: shape (actions, actions): sums over playouts of the products of what the mover got after two actions.
        rollouts: playouts of each action.
        decisions: how many were made in all of them, the given actions left out.
    """

    units: Ints
    products: Ints
    rollouts: int
    decisions: int

    @property
    def rates(self) -> npt.NDArray[np.float64]:
        """Shape (actions, seats): expected share of the win. Rows add up to 1."""
        return self.units / np.float64(UNITS * self.rollouts)

    def merged(self, other: Playouts) -> Playouts:
        """Both taken together: playouts of the same position and actions with different numbers."""
        return Playouts(
            self.units + other.units,
            self.products + other.products,
            self.rollouts + other.rollouts,
            self.decisions + other.decisions,
        )


def playouts(
    position: Packed, actions: Sequence[Action | None], *, rollouts: int, seed: int, first: int = 0
) -> Playouts:
    """Goes on at random after each of the actions, ``rollouts`` times.

    Args:
        actions: legal ones of the seat that is to act; None to go on at random from the position itself.
        rollouts: playouts of each action. Sums stay exact up to a million million of them.
        seed: of the luck. Playout number i is the same whatever the other playouts and actions are.
        first: number of the first playout.
    """
    codes = np.array([code_of(action) for action in actions], np.int64)
    units = np.zeros((len(codes), len(position.sizes)), np.int64)
    products = np.zeros((len(codes), len(codes)), np.int64)
    last = np.zeros(_SEATS, np.int64)
    decisions = run(*position, codes, first, rollouts, _U(seed & _MASK), units, products, last)
    return Playouts(units, products + np.tril(products, -1).T, rollouts, int(decisions))


def _compiled(function: F) -> F:
    if not COMPILED:
        return function
    try:
        compiled: Any = njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # there is no folder that the compiled code could be kept in
        compiled = njit(nogil=True, error_model="numpy")(function)
    return cast("F", compiled)


@_compiled
def _mixed(z: Any) -> Any:
    """SplitMix64's output for a state (see `ludometer.core.chance`)."""
    z = ((z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)) & _U(_MASK)
    z = ((z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)) & _U(_MASK)
    return z ^ (z >> _U(31))


@_compiled
def _count(x: Any) -> Any:
    """How many bits are set. Compilers know this form and use the processor's own instruction."""
    x = x - ((x >> _U(1)) & _U(0x5555555555555555))
    x = (x & _U(0x3333333333333333)) + ((x >> _U(2)) & _U(0x3333333333333333))
    x = (x + (x >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return ((x * _U(0x0101010101010101)) & _U(_MASK)) >> _U(56)


@_compiled
def _below(stream: Any, n: Any) -> Any:
    """An integer in range(n) from a stream's state. Its bias, n in 2**32, is too small to show in playouts."""
    return ((_mixed(stream) >> _U(32)) * _U(n)) >> _U(32)


@_compiled
def run(
    numbers: Ints,
    hands: Bits,
    sizes: Ints,
    slot_seats: Ints,
    slot_barred: Bits,
    cards: npt.NDArray[np.uint8],
    actions: Ints,
    first: int,
    rollouts: int,
    seed: Any,
    units: Ints,
    products: Ints,
    last: Ints,
) -> int:
    """The playouts themselves; see `playouts`. Adds to ``units`` and, on and below the diagonal, to ``products``.

    One long function on purpose: state that is kept in arrays or passed between functions makes it several times
    slower. The pile is shuffled as far as it is drawn (Fisher-Yates), once for all actions of a playout.

    Args:
        last: is set to the final hand sizes of the last playout of the last action.

    Returns:
        The number of decisions.
    """
    seats, mover, direction0, phase0 = numbers[0], numbers[2], numbers[3], numbers[4]
    shuffled, skips, may_play, effect, asked = numbers[8], numbers[9], numbers[10], numbers[11], numbers[12]
    total, slots, count = len(cards), len(slot_seats), len(actions)
    one, golden, full = _U(1), _U(_GOLDEN), _U(_MASK)
    wilds, colour_set, rank_set = _U(WILDS), _U(_COLOUR), _U(_RANK)
    dealt = np.zeros(2 * _SEATS, np.uint64)
    dealt_sizes = np.zeros(_SEATS, np.int64)
    held = np.zeros(2 * _SEATS, np.uint64)
    left = np.zeros(_SEATS, np.int64)
    order = np.zeros(_CARDS, np.uint8)
    gains = np.zeros(count, np.int64)
    decisions = 0
    for number in range(first, first + rollouts):
        stream = _mixed((seed + golden * _U(number + 1)) & full)
        deals = _mixed((stream + golden) & full)
        stream = _mixed((stream + golden + golden) & full)
        for k in range(2 * seats):
            dealt[k] = hands[k]
        for k in range(seats):
            dealt_sizes[k] = sizes[k]
        for k in range(total):
            order[k] = cards[k]
        # ---- hidden cards: any card that may be there, for each place in turn
        for k in range(slots):
            barred = _U(slot_barred[k])
            deals = (deals + golden) & full
            j = k + _I(_below(deals, total - k))
            tries = 1
            while tries < 32 and (barred >> _U(order[j])) & one:
                deals = (deals + golden) & full
                j = k + _I(_below(deals, total - k))
                tries += 1
            if (barred >> _U(order[j])) & one:  # rare: count what may be there, and take one of those
                fitting = 0
                for m in range(k, total):
                    if not (barred >> _U(order[m])) & one:
                        fitting += 1
                if fitting > 0:  # else what is known cannot be kept to, after unlucky places before this one
                    deals = (deals + golden) & full
                    skip = _I(_below(deals, fitting))
                    for m in range(k, total):
                        if not (barred >> _U(order[m])) & one:
                            if skip == 0:
                                j = m
                            skip -= 1
            card = _I(order[j])
            order[j] = order[k]
            order[k] = card
            seat = _U(slot_seats[k])
            once = seat + seat
            bit = one << _U(card)
            twice = _U(dealt[once]) & bit
            thrice = _U(dealt[once + one]) & twice
            dealt[once] = _U(dealt[once]) | bit
            dealt[once + one] = _U(dealt[once + one]) | twice
            if thrice:
                thrice = thrice << _U(2)
                twice = _U(dealt[once]) & thrice
                dealt[once] = _U(dealt[once]) | thrice
                dealt[once + one] = _U(dealt[once + one]) | twice
            dealt_sizes[seat] += 1
        emptied0 = -1
        for k in range(seats):
            if dealt_sizes[k] == 0:  # the last card was played and still takes effect
                emptied0 = k
        known = slots if shuffled else total  # cards whose place in the order is settled
        for index in range(count):
            for k in range(2 * seats):
                held[k] = dealt[k]
            for k in range(seats):
                left[k] = dealt_sizes[k]
            colour, direction, phase, before, four = numbers[1], direction0, phase0, numbers[5], numbers[6]
            drawn, fits, following = numbers[7], _U(numbers[13]), mover
            choices = stream
            action = actions[index]
            place = slots
            taker = taking = 0
            emptied, winner = emptied0, -1
            while True:
                if taking > 0:
                    card = 0
                    seat = _U(taker)
                    once = seat + seat
                    while taking > 0 and place < total:
                        if place == known:
                            deals = (deals + golden) & full
                            other = _U(known) + _below(deals, total - known)
                            card = _I(order[other])
                            order[other] = order[_U(known)]
                            order[_U(known)] = card
                            known += 1
                        card = _I(order[_U(place)])
                        place += 1
                        bit = one << _U(card)
                        twice = _U(held[once]) & bit
                        thrice = _U(held[once + one]) & twice
                        held[once] = _U(held[once]) | bit
                        held[once + one] = _U(held[once + one]) | twice
                        if thrice:
                            thrice = thrice << _U(2)
                            twice = _U(held[once]) & thrice
                            held[once] = _U(held[once]) | thrice
                            held[once + one] = _U(held[once + one]) | twice
                        left[seat] += 1
                        taking -= 1
                    if place == total:
                        break
                    if phase == _DREW:
                        phase = _CARD
                        if (fits >> _U(card)) & one:
                            phase = _DRAWN
                            drawn = card
                            following = taker
                taking = 0
                if emptied >= 0 and phase == _CARD:
                    winner = emptied
                    break
                player = following
                once = _U(player) + _U(player)
                # ---- choose
                if action < 0:
                    if phase == _CARD:
                        playable = _U(held[once]) & fits
                        if playable:
                            decisions += 1
                            several = _count(playable)
                            if several > one:
                                choices = (choices + golden) & full
                                for _ in range(_I(_below(choices, several))):
                                    playable = playable & (playable - one)
                            action = _I(_count((playable - one) & ~playable))
                        else:
                            action = DRAW
                            decisions += asked
                    else:
                        decisions += 1
                        choices = (choices + golden) & full
                        random = _mixed(choices)
                        if phase == _CHOOSE:
                            action = _I(random >> _U(62))
                        elif phase == _CHALLENGE:
                            action = 1 - _I(random >> _U(63))
                        else:
                            action = KEEP if random >> _U(63) else drawn
                # ---- play
                if phase == _CHOOSE:
                    colour = action
                    fits = (colour_set << _U(13 * colour)) | wilds
                    following = player + direction
                    phase = _CHALLENGE if four else _CARD
                elif phase == _CHALLENGE:
                    phase = _CARD
                    accused = player - direction
                    if accused < 0:
                        accused += seats
                    elif accused >= seats:
                        accused -= seats
                    if action and _U(held[_U(2 * accused)]) & (colour_set << _U(13 * before)):
                        taker, taking = accused, 4
                        following = player
                    else:
                        taker, taking = player, 6 if action else 4
                        following = player + direction
                else:
                    if action >= DRAW:
                        following = player + direction
                        phase = _CARD
                        if action == DRAW:
                            taker, taking = player, 1
                            if may_play:
                                phase = _DREW
                    else:
                        bit = one << _U(action)
                        if action >= WILD and _U(held[once]) & (bit << _U(2)):
                            bit = bit << _U(2)
                        twice = _U(held[once + one]) & bit
                        held[once + one] = _U(held[once + one]) ^ twice
                        held[once] = _U(held[once]) ^ (bit ^ twice)
                        left[_U(player)] -= 1
                        if left[_U(player)] == 0:
                            if not effect:
                                winner = player
                                break
                            emptied = player
                        if action >= WILD:
                            before = colour
                            four = action - WILD
                            phase = _CHOOSE
                        else:
                            phase = _CARD
                            colour = _I(_U(action) // _U(13))
                            rank = action - 13 * colour
                            fits = (colour_set << _U(13 * colour)) | (rank_set << _U(rank)) | wilds
                            following = player + direction
                            if rank >= 10:
                                if rank == 10:
                                    following += direction
                                elif rank == 12:
                                    taker, taking = following, 2
                                    if taker < 0:
                                        taker += seats
                                    elif taker >= seats:
                                        taker -= seats
                                    following += direction
                                elif skips:
                                    following += direction
                                else:
                                    direction = -direction
                                    following = player + direction
                while following < 0:
                    following += seats
                while following >= seats:
                    following -= seats
                action = -1
            # ---- count
            if winner >= 0:
                units[index, winner] += UNITS
                gains[index] = UNITS if winner == mover else 0
            else:
                smallest, sharing = left[0], 0
                for k in range(seats):
                    if left[k] < smallest:
                        smallest, sharing = left[k], 1
                    elif left[k] == smallest:
                        sharing += 1
                share = UNITS // sharing
                for k in range(seats):
                    if left[k] == smallest:
                        units[index, k] += share
                gains[index] = share if left[mover] == smallest else 0
        for k in range(count):
            if gains[k]:
                for m in range(k + 1):
                    products[k, m] += gains[k] * gains[m]
    for k in range(seats):
        last[k] = left[k]
    return decisions
