"""Adaptive pairing: whose next meetings say most, from the results so far.

First everybody meets everybody. Then, batch by batch, half of the meetings go where the order of two is most in doubt
and a meeting helps most, and half where they take down the sum of all variances most, in proportion (see
:mod:`ludometer.ratings.allocation`). A batch is planned from the results of all batches before it, so that the order
in which its own matches end does not matter.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ludometer.core import Chance
from ludometer.ratings import Games
from ludometer.ratings.allocation import Strengths, order_gain, posterior, spread, variance_gain
from ludometer.ratings.games import IntArray

__all__ = ["allocate", "batch_size", "next_meetings"]

_GROWTH: Final = 5
"""A batch is a fifth of what was played before: some fifteen of them from one round robin to twenty."""


def batch_size(played: int, entrants: int) -> int:
    """Meetings of the next batch where the configuration does not say: a fifth of those before, and at least as many
    as would seat everybody."""
    return max(played // _GROWTH, (entrants + 1) // 2)


def next_meetings(games: Games, met: IntArray, count: int, *, first: int, per_meeting: int, chance: Chance) -> IntArray:
    """How often each pair meets in the next batch.

    Args:
        games: the results so far, of two seats; its entrants are all that take part.
        met: shape (pairs,), how often each pair met; pairs in the order of
            `ludometer.ratings.allocation.pair_numbers`.
        count: meetings of the batch, once everybody has met everybody.
        first: round robins that come before anything else.
        per_meeting: games of a meeting.
        chance: luck of this batch.

    Returns:
        Shape (pairs,).
    """
    missing = np.maximum(first - met, 0)
    if missing.any():
        return np.asarray(missing, np.int64)
    return allocate(posterior(games), count, per_meeting=per_meeting, chance=chance)


def allocate(strengths: Strengths, count: int, *, per_meeting: int, chance: Chance) -> IntArray:
    """How often each pair meets in a batch of ``count`` meetings, from what is known of everybody; shape (pairs,)."""
    for_order, chance = chance.unit()
    for_variance, _ = chance.unit()
    doubtful = spread(order_gain(strengths, per_meeting), count // 2, for_order)
    return doubtful + spread(variance_gain(strengths, per_meeting), count - count // 2, for_variance)
