"""Hex. Rules from OpenSpiel's ``hex``, without the swap rule."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import PointGame, discs, label, picture
from ludometer.games._openspiel import SpielState
from ludometer.games._places import Place

_LETTERS = {"x": "X", "o": "O", ".": "."}


class Hex(PointGame):
    """Hex.

    Args:
        size: number of cells along each side, 2 to 26.
    """

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = ("Black (X, connects top and bottom)", "White (O, connects left and right)")

    def __init__(self, size: int = 11) -> None:
        if not 2 <= size <= 26:
            raise ValueError(f"size must be from 2 to 26, not {size}")
        self.size = self.rows = self.columns = size
        super().__init__(f"hex(board_size={size})")

    def rules(self) -> str:
        return (
            f"You are playing Hex on a board of {self.size} by {self.size} hexagonal cells in the shape of a rhombus: "
            f"every row is shifted half a cell to the right of the row above it. Columns are named by letters from "
            f"left to right, starting at a, and rows are numbered from top to bottom, starting at 1. A cell touches up "
            f"to six others: its neighbours left and right in its row, the cell with the same letter in the row above "
            f"and the one after it in the alphabet, and the cell with the same letter in the row below and the one "
            f"before it (for example, b2 touches a2, c2, b1, c1, b3 and a3). Black moves first, then the players take "
            f"turns placing one stone of their own colour on any empty cell; stones never move and there is no swap. "
            f"Black wins by joining the top row and the bottom row with a chain of touching black stones, White by "
            f"joining the leftmost column and the rightmost column with a chain of touching white stones. There are no "
            f"draws."
        )

    def reason(self, state: SpielState) -> str:
        black = state.engine.returns()[0] > 0
        return "Black has joined top and bottom" if black else "White has joined left and right"

    def refusal(self, state: SpielState, seat: Seat, row: int, column: int) -> Illegal:
        owner = {"X": "Black", "O": "White"}.get(self._board(state)[row][column], "nobody")
        return Illegal("already_taken", f"{self.point(row, column)} is already taken by {owner}")

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as the name of an empty cell, a column letter followed by a row number"

    def _board(self, state: SpielState) -> list[str]:
        return ["".join(_LETTERS[cell] for cell in line.split()) for line in self.lines(state)[: self.rows]]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        return {"board": list(self._board(state))}

    def draw(self, observation: Observation) -> str:
        side = len(str(self.rows))
        lines = [" " * (side + 1) + " ".join(self.column_names())]
        for r, row in enumerate(observation.data["board"]):
            lines.append(" " * r + self.row_name(r).rjust(side) + " " + " ".join(row))
        return "\n".join(lines)

    def board_words(self) -> str:
        return (
            "The board is drawn as text, every row shifted a little to the right of the row above it. The letters of "
            "the columns stand above the first row, the number of each row on its left. X is a black stone, O a white "
            "stone, and a dot is an empty cell. The board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. board lists the rows from top (row 1) to bottom, one character per cell "
            "from column a on: X is a black stone, O a white stone, and a dot is an empty cell. last is the latest "
            "move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture, with its letters and numbers on the edges. Black's two sides "
            "(top and bottom) have a black border, White's two sides (left and right) a white one; the latest stone "
            "has a red dot. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        n, last, board = self.size, observation.data["last"], observation.data["board"]
        parts = [_frame(n)]
        for i in range(n):
            parts += [label(*_middle(-1.2, i + 0.6), self.column_names()[i], 15)]
            parts += [label(*_middle(i, -1.3), self.row_name(i), 15)]
        stones = [(self.point(r, c), mark, _middle(r, c)) for r, row in enumerate(board) for c, mark in enumerate(row)]
        for mark, fill in (("X", "#1a1a1a"), ("O", "#ffffff")):
            parts.append(discs((middle for _, cell, middle in stones if cell == mark), 13, fill))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#d43a32"/>' for p, _, (x, y) in stones if p == last]
        width, height = _middle(n - 1, n - 1)
        return picture(round(width + 40), round(height + 40), "Hex board", parts, "#aebfca")

    def places(self, observation: Observation) -> Sequence[Place]:
        """Squares inside the cells, whose own rectangles overlap."""
        half = 0.75 * _RADIUS
        return [
            Place(self.point(r, c), x - half, y - half, 2 * half, 2 * half, _HOLDS[mark])
            for r, row in enumerate(observation.data["board"])
            for c, mark in enumerate(row)
            for x, y in [_middle(r, c)]
        ]


_HOLDS = {"X": "black stone", "O": "white stone", ".": "empty"}


_RADIUS = 20.0
_CORNERS = [
    (_RADIUS * math.cos(math.radians(60 * k - 30)), _RADIUS * math.sin(math.radians(60 * k - 30))) for k in range(6)
]
"""Corners of a hexagon around its middle, clockwise from the upper right one."""


@lru_cache(maxsize=26)
def _frame(n: int) -> str:
    """The empty board of that size: always the same, and by far the longest part of the picture."""
    cells = "".join(_outline(r, c, range(7)) for r in range(n) for c in range(n))
    black = "".join(_outline(0, i, (4, 5, 0)) + _outline(n - 1, i, (3, 2, 1)) for i in range(n))
    white = "".join(_outline(i, 0, (4, 3, 2)) + _outline(i, n - 1, (5, 0, 1)) for i in range(n))
    return (
        f'<path d="{cells}" fill="#e9d8ae" stroke="#6b5a33" stroke-width="1.5"/>'
        f'<path d="{white}" fill="none" stroke="#ffffff" stroke-width="7" stroke-linejoin="round"/>'
        f'<path d="{black}" fill="none" stroke="#1a1a1a" stroke-width="7" stroke-linejoin="round"/>'
    )


def _middle(row: float, column: float) -> tuple[float, float]:
    """Where a cell's middle is in the picture."""
    return 62 + (column + row / 2) * math.sqrt(3) * _RADIUS, 60 + row * 1.5 * _RADIUS


def _outline(row: int, column: int, corners: Iterable[int]) -> str:
    """A path through corners of a cell, given by their numbers."""
    x, y = _middle(row, column)
    return "M" + "L".join(f"{x + _CORNERS[k % 6][0]:.1f} {y + _CORNERS[k % 6][1]:.1f}" for k in corners)
