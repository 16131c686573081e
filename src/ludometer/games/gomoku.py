"""Gomoku, five in a row. Rules from OpenSpiel's ``gomoku``: no opening restrictions, and longer lines win too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import PointGame, discs, grid, label, picture
from ludometer.games._openspiel import SpielState
from ludometer.games._places import Place

_LETTERS = {"b": "X", "w": "O", ".": "."}


class Gomoku(PointGame):
    """Gomoku.

    Args:
        size: number of lines each way, 3 to 26.
        line: how many in a row win, at least 3.
    """

    name: ClassVar[str] = "gomoku"
    title: ClassVar[str] = "Gomoku"
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = ("Black (X, first player)", "White (O, second player)")
    rows_from_bottom: ClassVar[bool] = True

    def __init__(self, size: int = 15, line: int = 5) -> None:
        if not 3 <= size <= 26:
            raise ValueError(f"size must be from 3 to 26, not {size}")
        if not 3 <= line <= size:
            raise ValueError(f"line = {line} does not fit on a board of size {size}")
        self.size, self.line = size, line
        self.rows = self.columns = size
        super().__init__(f"gomoku(size={size},connect={line})")

    def rules(self) -> str:
        return (
            f"You are playing gomoku on a board of {self.size} by {self.size} points. Columns are named by letters "
            f"from left to right, starting at a, and rows are numbered from bottom to top, starting at 1. Black moves "
            f"first, then the players take turns placing one stone of their own colour on any empty point; stones "
            f"never move. A player who gets {self.line} or more of their own stones next to each other in a row, a "
            f"column or a diagonal wins at once. There are no further restrictions on either player. If the board "
            f"fills up without such a line, the game is a draw. Work towards a line of your own, and stop your "
            f"opponent from completing one."
        )

    def reason(self, state: SpielState) -> str:
        returns = state.engine.returns()
        return f"{self.seats[returns.index(1.0)]} has {self.line} in a row" if 1.0 in returns else "the board is full"

    def refusal(self, state: SpielState, seat: Seat, row: int, column: int) -> Illegal:
        owner = {"X": "Black", "O": "White"}.get(self._board(state)[row][column], "nobody")
        return Illegal("already_taken", f"{self.point(row, column)} is already taken by {owner}")

    def _board(self, state: SpielState) -> list[str]:
        return ["".join(_LETTERS[cell] for cell in line) for line in self.lines(state)[1 : 1 + self.rows]]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        return {"board": list(self._board(state))}

    def draw(self, observation: Observation) -> str:
        return grid(observation.data["board"], self.column_names(), self.row_names())

    def board_words(self) -> str:
        return (
            "The board is drawn as text, with the letters of the columns above and the numbers of the rows on the "
            "left. X is a black stone, O a white stone, and a dot is an empty point. The board now is:"
        )

    def json_words(self) -> str:
        return (
            f"The position is given as JSON. board lists the rows from top (row {self.size}) to bottom (row 1), one "
            "character per point from column a on: X is a black stone, O a white stone, and a dot is an empty point. "
            "last is the latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture, with its letters and numbers on the edges; the latest stone "
            "has a red dot. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        step, edge, last = _STEP, _EDGE, observation.data["last"]
        n = self.size
        far = edge + (n - 1) * step
        lines = "".join(f"M{edge} {edge + i * step}H{far}M{edge + i * step} {edge}V{far}" for i in range(n))
        parts = [f'<path d="{lines}" stroke="#5b4a2f" stroke-width="1.5" fill="none"/>']
        for i in range(n):
            parts.append(label(edge + i * step, far + 28, self.column_names()[i], 15))
            parts.append(label(18, edge + i * step, self.row_name(i), 15))
        for mark, fill in (("X", "#1a1a1a"), ("O", "#fafafa")):
            places = [(r, c) for r, row in enumerate(observation.data["board"]) for c in range(n) if row[c] == mark]
            parts.append(discs(((edge + c * step, edge + r * step) for r, c in places), 14, fill))
            newest = [place for place in places if last == self.point(*place)]
            parts += [
                f'<circle cx="{edge + c * step}" cy="{edge + r * step}" r="4.5" fill="#d43a32"/>' for r, c in newest
            ]
        return picture(far + 24, far + 44, "gomoku board", parts, "#e3c07f")

    def places(self, observation: Observation) -> Sequence[Place]:
        corner = _EDGE - _STEP / 2
        return [
            Place(self.point(r, c), corner + c * _STEP, corner + r * _STEP, _STEP, _STEP, _HOLDS[mark])
            for r, row in enumerate(observation.data["board"])
            for c, mark in enumerate(row)
        ]


_STEP, _EDGE = 32, 44
_HOLDS = {"X": "black stone", "O": "white stone", ".": "empty"}
