"""Connect Four, on boards of any size. Rules from OpenSpiel's ``connect_four``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, fields, grid, label, picture, shown, whole
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_LETTERS = {"x": "R", "o": "Y", ".": "."}
_COLUMN = re.compile(
    r"(?:(?:column|col)\.?\s{0,9}[#:=]?\s{0,9})?([-−]?\d{1,4})(?:st|nd|rd|th)?", re.IGNORECASE | re.ASCII
)
_IN_PROSE = re.compile(
    r"(?:\b(?:column|col)\b\W{0,9}?(?:is\s{1,9})?)?(?<![\w.,−-])[-−]?\d{1,4}(?!\w|[.,]\d)",
    re.IGNORECASE | re.ASCII,
)


class ConnectFour(BoardGame):
    """Connect Four.

    Args:
        rows, columns: size of the grid, 2 to 20 each.
        line: how many in a row win, at least 2; it must fit on the board.
    """

    name: ClassVar[str] = "connect4"
    title: ClassVar[str] = "Connect Four"
    seats: ClassVar[tuple[Seat, ...]] = ("Red", "Yellow")
    titles: ClassVar[tuple[str, ...]] = ("Red (first player)", "Yellow (second player)")
    main_view: ClassVar[str] = "grid"

    def __init__(self, rows: int = 6, columns: int = 7, line: int = 4) -> None:
        if not (2 <= rows <= 20 and 2 <= columns <= 20):
            raise ValueError(f"the board must be between 2x2 and 20x20, not {rows}x{columns}")
        if not 2 <= line <= max(rows, columns):
            raise ValueError(f"line = {line} does not fit on a {rows}x{columns} board")
        self.rows, self.columns, self.line = rows, columns, line
        super().__init__(f"connect_four(rows={rows},columns={columns},x_in_row={line})")

    def rules(self) -> str:
        return (
            f"You are playing Connect Four on an upright grid of {self.rows} rows and {self.columns} columns. Columns "
            f"are numbered from left to right, starting at 1. Red moves first, then the players take turns dropping "
            f"one disc of their own colour into a column that is not full; it comes to rest on the lowest empty cell "
            f"of that column. A player who gets {self.line} (or more) of their own discs next to each other in a row, "
            f"a column or a diagonal wins at once; if the grid fills up without that, the game is a draw. Work towards "
            f"a line of your own, and stop your opponent from completing one."
        )

    def reason(self, state: SpielState) -> str:
        returns = state.engine.returns()
        return f"{self.seats[returns.index(1.0)]} has {self.line} in a row" if 1.0 in returns else "the board is full"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        return str(action.steps[0] + 1)

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _COLUMN.fullmatch(bare(text))
        if match is None:
            raise Illegal("invalid_format", f"{shown(text)} names no column; write its number, 1 to {self.columns}")
        return self._column(state, int(match[1].replace("−", "-")))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return _IN_PROSE.findall(text)

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": {"column": {"type": "integer", "enum": list(range(1, self.columns + 1))}},
            "required": ["column"],
            "additionalProperties": False,
        }

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        return {"column": action.steps[0] + 1}

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        given = fields(answer)
        if "column" in given:
            return self._column(state, whole(given["column"], "column"))
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return f"as the number of a column (1 to {self.columns})"

    def _column(self, state: SpielState, number: int) -> Move:
        if not 1 <= number <= self.columns:
            raise Illegal("out_of_bounds", f"there is no column {number}; columns are numbered 1 to {self.columns}")
        move = self.chosen(state, number - 1)
        if move is None:
            raise Illegal("column_full", f"column {number} is full")
        return move

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        board = ["".join(_LETTERS[cell] for cell in line) for line in self.lines(state)[: self.rows]]
        return {"board": board}

    def draw(self, observation: Observation) -> str:
        names = [str(column) for column in range(1, self.columns + 1)]
        return grid(observation.data["board"], names, below=True)

    def board_words(self) -> str:
        return (
            "The grid is drawn as text, the top row first and the numbers of the columns below it. R is a red disc, "
            "Y a yellow disc, and a dot is an empty cell. The grid now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. board lists the rows of the grid from top to bottom, one character per "
            "cell: R is a red disc, Y a yellow disc, and a dot is an empty cell. last is the column of the latest "
            "move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The grid is shown in the attached picture, with the numbers of the columns below it; the latest disc has "
            "a white ring. The grid now is:"
        )

    def svg(self, observation: Observation) -> str:
        size, below = _CELL, 34
        board, last = observation.data["board"], observation.data["last"]
        width, height = self.columns * size, self.rows * size
        parts = [f'<rect x="0" y="0" width="{width}" height="{height}" rx="10" fill="#2b5fb3"/>']
        top: dict[str, tuple[float, float]] = {}
        for r, line in enumerate(board):
            for c, cell in enumerate(line):
                fill = {"R": "#d43a32", "Y": "#f5c518", ".": "#eef3fb"}[cell]
                x, y = c * size + size / 2, r * size + size / 2
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="24" fill="{fill}"/>')
                if cell != ".":
                    top.setdefault(str(c + 1), (x, y))
        if last in top:
            x, y = top[last]
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="none" stroke="#ffffff" stroke-width="4"/>')
        parts += [label(c * size + size / 2, height + below / 2, str(c + 1), 20) for c in range(self.columns)]
        return picture(width, height + below, "Connect Four board", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        """The columns."""
        columns = ["".join(column).strip(".") for column in zip(*observation.data["board"], strict=True)]
        height = self.rows * _CELL
        return [Place(str(c + 1), c * _CELL, 0, _CELL, height, f"{len(d)} discs") for c, d in enumerate(columns)]


_CELL = 60
