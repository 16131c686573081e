"""The one order of bids in liar's dice, and how likely a bid is to hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ludometer.games._liars_dice_reading import Move

__all__ = ["FACES", "bid_probability", "bid_rank", "higher_bids", "matching", "too_low"]

FACES: Final = 6


def bid_rank(quantity: int, face: int) -> int:
    """The place of a bid in the one order of all bids, from 0 (1x1): more dice beat fewer, then higher faces lower.

    Every bid has another rank, and a bid may follow another exactly if its rank is higher.
    """
    return FACES * (quantity - 1) + face - 1


def higher_bids(bid: tuple[int, int] | None, dice: int) -> list[Move]:
    """Every bid that may follow ``bid`` (None: that may open) with so many dice in play, lowest first."""
    start = 0 if bid is None else bid_rank(*bid) + 1
    return [Move("bid", 1 + rank // FACES, 1 + rank % FACES) for rank in range(start, bid_rank(dice, FACES) + 1)]


def matching(dice: Sequence[int], face: int, ones_wild: bool) -> int:
    """How many of the dice count for bids on a face."""
    return sum(1 for die in dice if die == face or (ones_wild and die == 1))


def bid_probability(own: Sequence[int], unseen: int, quantity: int, face: int, ones_wild: bool) -> float:
    """The probability that a bid holds, for who sees ``own`` dice: the unseen ones are fair, whatever was bid.

    The unseen dice that match are binomial with chance 1/6, or 1/3 where ones are wild and the face is not one.
    """
    needed = quantity - matching(own, face, ones_wild)
    p = (2 if ones_wild and face != 1 else 1) / FACES
    return math.fsum(math.comb(unseen, k) * p**k * (1 - p) ** (unseen - k) for k in range(max(needed, 0), unseen + 1))


def too_low(last: tuple[int, int], quantity: int, face: int, dice: int) -> str:
    """Why a bid may not follow the last one, and what may."""
    said = f"{quantity}x{face} is not higher than the last bid {last[0]}x{last[1]}"
    lowest = next(iter(higher_bids(last, dice)), None)
    if lowest is None:
        return f"{said}, which is the highest bid there is; you can only call"
    return f"{said}; the lowest bid you can make is {lowest.quantity}x{lowest.face}, or you call"
