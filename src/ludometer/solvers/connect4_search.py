"""Proving Connect 4 positions: alpha-beta over bitboards with a table of positions that were searched before.

A position is two integers. Cell (column, row), counted from 0 at the bottom left, is bit ``column * 7 + row``; the
seventh bit of every column stays empty, so that shifts cannot run from one column into the next. ``own`` holds the
stones of the player to move, ``mask`` all stones. Board arithmetic, the pruning of moves that lose at once, and the
ordering by threats are those of Pascal Pons, "Solving Connect 4: how to build a perfect AI" (2015).

Only the result is searched (1 won, 0 drawn, -1 lost for the player to move), not how soon it comes, which is many
times quicker. The functions are compiled where numba is installed (the extra ``fast``) and run as plain Python
otherwise, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt

__all__ = ["CELLS", "COLUMNS", "COMPILED", "Counters", "Table", "empty_table", "play", "search", "wins_at_once"]

F = TypeVar("F", bound=Callable[..., Any])

try:
    from numba import njit

    COMPILED = True
    """Whether the search is compiled."""
except ImportError:
    COMPILED = False

COLUMNS: Final = 7
CELLS: Final = 42

_BOTTOM: Final = sum(1 << (7 * column) for column in range(COLUMNS))
_BOARD: Final = _BOTTOM * 63
_COLUMN: Final = 63

_UNKNOWN, _LOST, _AT_MOST_DRAWN, _DRAWN, _AT_LEAST_DRAWN, _WON = range(6)

Table = tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]
"""Keys and what is known of their positions; both have the same length."""

Counters = npt.NDArray[np.int64]
"""Shape (3,): positions searched so far, how many may be, and 1 once a search was cut off (by that or its depth)."""


def _compiled(function: F) -> F:
    if not COMPILED:
        return function
    compiled: Any = njit(cache=True)(function)
    return cast("F", compiled)


def empty_table(bits: int) -> Table:
    """A table with 2**bits - 1 places: an odd number spreads the keys better."""
    size = (1 << bits) - 1
    return np.zeros(size, np.int64), np.zeros(size, np.int8)


def play(columns: tuple[int, ...]) -> tuple[int, int]:
    """The position after stones in these columns (from 0), which must have room for them: ``own`` and ``mask``."""
    own = mask = 0
    for column in columns:
        own ^= mask
        mask |= mask + (1 << (7 * column))
    return own, mask


@_compiled
def _completing(stones: int, mask: int) -> int:
    """The empty cells that complete four in a row for these stones, whether they can be reached now or not."""
    # Bits that are shifted out at the top differ between 64-bit and Python integers; the board's mask drops them.
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (6, 7, 8):
        two = (stones << step) & (stones << 2 * step)
        found |= two & (stones << 3 * step)
        found |= two & (stones >> step)
        two = (stones >> step) & (stones >> 2 * step)
        found |= two & (stones << step)
        found |= two & (stones >> 3 * step)
    return found & (_BOARD ^ mask)


@_compiled
def wins_at_once(own: int, mask: int) -> int:
    """The cells that the player to move can fill now to win."""
    return _completing(own, mask) & (mask + _BOTTOM) & _BOARD


@_compiled
def _count(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@_compiled
def search(
    own: int,
    mask: int,
    stones: int,
    alpha: int,
    beta: int,
    depth: int,
    keys: npt.NDArray[np.int64],
    known: npt.NDArray[np.int8],
    counters: Counters,
) -> int:
    """The result for the player to move, who cannot win at once, on a board that is not full.

    Results outside the window ``alpha`` to ``beta`` are bounds (fail-soft). Positions below the depth count as drawn,
    so that with a depth 1 and -1 are proven and 0 is not; ``counters[2]`` tells whether that happened. A table must
    not be used again with another depth.

    Args:
        stones: how many are on the board.
        depth: moves to look ahead.
    """
    counters[0] += 1
    if counters[0] > counters[1]:
        counters[2] = 1
        return 0
    possible = (mask + _BOTTOM) & _BOARD
    threats = _completing(own ^ mask, mask)
    forced = possible & threats
    if forced:
        if forced & (forced - 1):
            return -1
        possible = forced
    possible &= ~(threats >> 1)  # a stone right below a threat of the other side's loses
    if possible == 0:
        return -1
    if stones >= CELLS - 2:
        return 0
    if depth <= 0:
        counters[2] = 1
        return 0
    key = own + mask + _BOTTOM
    place = key % len(keys)
    if keys[place] == key:
        found = known[place]
        if found == _WON:
            return 1
        if found == _LOST:
            return -1
        if found == _DRAWN:
            return 0
        if found == _AT_LEAST_DRAWN:
            if beta <= 0:
                return 0
            alpha = max(alpha, 0)
        else:
            if alpha >= 0:
                return 0
            beta = min(beta, 0)
    low = alpha
    # At most seven moves, sorted by the number of threats they make, the middle first among equals.
    moves = np.zeros(COLUMNS, np.int64)
    ranks = np.zeros(COLUMNS, np.int64)
    size = 0
    for order in range(COLUMNS):
        column = 3 + (1 - 2 * (order & 1)) * ((order + 1) // 2)
        move = possible & (_COLUMN << (7 * column))
        if move:
            rank = _count(_completing(own | move, mask | move))
            i = size
            while i > 0 and ranks[i - 1] < rank:
                ranks[i] = ranks[i - 1]
                moves[i] = moves[i - 1]
                i -= 1
            ranks[i] = rank
            moves[i] = move
            size += 1
    best = -1
    for i in range(size):
        value = -search(own ^ mask, mask | int(moves[i]), stones + 1, -beta, -alpha, depth - 1, keys, known, counters)
        if counters[0] > counters[1]:
            return 0
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    if best == 1:
        found = _WON
    elif best == -1:
        found = _LOST
    elif best <= low:
        found = _AT_MOST_DRAWN
    elif best >= beta:
        found = _AT_LEAST_DRAWN
    else:
        found = _DRAWN
    keys[place] = key
    known[place] = found
    return best
