"""Retrograde analysis of m,n,k games over base-3 indices, vectorised with numpy.

Cell ``i`` (row by row) weighs ``3**i``: 0 empty, 1 X, 2 O. Positions reachable by alternate play are found layer by
layer (number of stones), positions in which a line was completed are not expanded, and values are computed from the
last layer back. Sixteen cells make 3^16 = 43 million entries, of which alternate play reaches fewer than 10 million.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["UNREACHED", "Mnk", "Values", "index_of", "solve_values"]

UNREACHED = -2
_MARKED = 2
_HALF = 8
"""An index is split into two numbers of this many cells, whose masks are looked up."""

Values: TypeAlias = npt.NDArray[np.int8]
Integers: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]


class Mnk(NamedTuple):
    """The options that decide the values of a game."""

    rows: int = 3
    columns: int = 3
    line: int = 3
    overline: Literal["win", "no_win"] = "win"
    misere: bool = False

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def canonical(self) -> Mnk:
        """The options with one that makes no difference set to its default: such games share a table."""
        return self._replace(overline="win") if self.line == max(self.rows, self.columns) else self


def index_of(board: str) -> int:
    """The base-3 number of a board of ``X``, ``O`` and ``.``, row by row."""
    return sum(".XO".index(mark) * 3**i for i, mark in enumerate(board))


def solve_values(options: Mnk) -> Values:
    """The value of every reachable position for the player to move: 1, 0 or -1; ``UNREACHED`` elsewhere.

    Returns:
        int8 array of shape ``(3**cells,)``.
    """
    cells = options.cells
    values = np.full(3**cells, UNREACHED, dtype=np.int8)
    values[0] = _MARKED
    layers = _mark_reachable(options, values)
    for stones in range(cells - 1, -1, -1):
        indices, taken = layers[stones]
        best = np.full(indices.size, -1, dtype=np.int8)
        for free, children in _children(indices, taken, cells, stones):
            best[free] = np.maximum(best[free], -values[children])
        values[indices] = best
    return values


def _mark_reachable(options: Mnk, values: Values) -> list[tuple[Integers, Integers]]:
    """Gives finished positions their value, and returns the others by number of stones: indices and taken cells."""
    cells = options.cells
    won = _won(options)
    layers = []
    for stones in range(cells + 1):
        indices = np.flatnonzero(values == _MARKED).astype(np.int32)
        crosses, noughts = _masks(indices)
        over = won[noughts if stones % 2 == 0 else crosses]
        values[indices] = np.where(over, 1 if options.misere else -1, 0).astype(np.int8)
        going_on = ~over
        layers.append((indices[going_on], (crosses | noughts)[going_on]))
        for _, children in _children(*layers[-1], cells, stones):
            values[children] = _MARKED
    return layers


def _children(indices: Integers, taken: Integers, cells: int, stones: int) -> Iterator[tuple[Flags, Integers]]:
    """For every cell: in which of the positions it is free, and the positions after a stone of the mover there."""
    mover = 1 + stones % 2
    for cell in range(cells):
        free = (taken >> cell) & 1 == 0
        yield free, indices[free] + np.int32(mover * 3**cell)


def _masks(indices: Integers) -> tuple[Integers, Integers]:
    """The cells of X and of O as bit masks."""
    low, high = indices % 3**_HALF, indices // 3**_HALF
    digits = np.arange(3**_HALF)[:, None] // 3 ** np.arange(_HALF) % 3
    crosses, noughts = (((digits == mark) << np.arange(_HALF)).sum(axis=1).astype(np.int32) for mark in (1, 2))
    return crosses[low] | crosses[high] << _HALF, noughts[low] | noughts[high] << _HALF


def _won(options: Mnk) -> Flags:
    """For every set of cells of one player: whether it holds a line.

    A run that reaches ``line`` ends the game at once, so a position that goes on never holds one, however it came
    about: looking at the whole set is the same as looking at the last move.
    """
    masks = np.arange(1 << options.cells)
    won = np.zeros(masks.size, dtype=np.bool_)
    for held, unheld in _lines(options):
        won |= (masks & (held | unheld)) == held
    return won


def _lines(options: Mnk) -> Iterator[tuple[int, int]]:
    """Every line of ``line`` cells: the cells to hold, and those that would prolong it where that is no win."""
    rows, columns, length = options.rows, options.columns, options.line

    def bit(row: int, column: int) -> int:
        return 1 << (row * columns + column) if 0 <= row < rows and 0 <= column < columns else 0

    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [bit(row + i * down, column + i * right) for i in range(length)]
                ends = bit(row - down, column - right) | bit(row + length * down, column + length * right)
                if all(cells):
                    yield sum(cells), ends if options.overline == "no_win" else 0
