"""Tic-tac-toe and its family, the m,n,k games: ``rows`` by ``columns``, ``line`` in a row wins.

3x3 with 3 in a row is tic-tac-toe; 15x15 with 5 is gomoku. Rules cross-checked against OpenSpiel's ``tic_tac_toe``
and ``mnk`` (whose overlines win).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

from ludometer.core import Chance, Event, Game, Illegal, Json, Observation, Outcome, Role, Seat, View, Viewer
from ludometer.games._places import Place

SEATS = ("X", "O")
_WORDS_FOR_ORDER = ("first", "second")


class Cell(NamedTuple):
    """An action: a cell by 1-based row and column. It need not lie on the board; `check` decides."""

    row: int
    column: int


class Position(NamedTuple):
    """``board`` holds one character per cell, row by row: ``X``, ``O`` or ``.``; ``moves`` are in order played."""

    board: str
    moves: tuple[Cell, ...] = ()


class TicTacToe(Game[Position, Cell]):
    """The m,n,k game.

    Args:
        rows, columns: size of the board, at most 26.
        line: how many in a row decide the game.
        overline: whether a longer line counts (``win``) or not (``no_win``, as in standard gomoku).
        misere: who completes a line loses.
    """

    name: ClassVar[str] = "tictactoe"
    title: ClassVar[str] = "Tic-tac-toe"
    notations: ClassVar[tuple[str, ...]] = ("cell",)

    def __init__(
        self,
        rows: int = 3,
        columns: int = 3,
        line: int = 3,
        overline: Literal["win", "no_win"] = "win",
        misere: bool = False,
    ) -> None:
        super().__init__()
        if not (1 <= rows <= 26 and 1 <= columns <= 26):
            raise ValueError(f"the board must be between 1x1 and 26x26, not {rows}x{columns}")
        if not 1 <= line <= max(rows, columns):
            raise ValueError(f"line = {line} does not fit on a {rows}x{columns} board")
        self.rows, self.columns, self.line = rows, columns, line
        self.overline, self.misere = overline, misere

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(
            Role(s, title=f"player {s} ({order} player)") for s, order in zip(SEATS, _WORDS_FOR_ORDER, strict=True)
        )

    def new(self, n: int, chance: Chance) -> Position:
        return Position("." * (self.rows * self.columns))

    def to_act(self, state: Position) -> tuple[Seat, ...]:
        return () if self._over(state) else (SEATS[len(state.moves) % 2],)

    def legal(self, state: Position, seat: Seat) -> Sequence[Cell]:
        return [Cell(i // self.columns + 1, i % self.columns + 1) for i, c in enumerate(state.board) if c == "."]

    def check(self, state: Position, seat: Seat, action: Cell) -> None:
        if not (1 <= action.row <= self.rows and 1 <= action.column <= self.columns):
            raise Illegal(
                "out_of_bounds",
                f"row {action.row}, column {action.column} is outside the {self.rows}-by-{self.columns} grid",
            )
        owner = state.board[self._index(action)]
        if owner != ".":
            raise Illegal("already_taken", f"row {action.row}, column {action.column} is already taken by {owner}")

    def apply(self, state: Position, moves: Mapping[Seat, Cell]) -> Position:
        ((seat, cell),) = moves.items()
        i = self._index(cell)
        return Position(state.board[:i] + seat + state.board[i + 1 :], (*state.moves, cell))

    def outcome(self, state: Position) -> Outcome | None:
        if self._line_completed(state):
            mover = SEATS[(len(state.moves) - 1) % 2]
            winner = SEATS[1 - SEATS.index(mover)] if self.misere else mover
            return Outcome({s: float(s == winner) for s in SEATS}, f"{mover} has {self.line} in a row")
        if "." not in state.board:
            return Outcome(dict.fromkeys(SEATS, 0.5), "the board is full")
        return None

    def max_steps(self) -> int:
        return self.rows * self.columns

    def _over(self, state: Position) -> bool:
        return "." not in state.board or self._line_completed(state)

    def _index(self, cell: Cell) -> int:
        return (cell.row - 1) * self.columns + cell.column - 1

    def _line_completed(self, state: Position) -> bool:
        """Whether the last move completed a line: only lines through it can be new."""
        if not state.moves:
            return False
        last = state.moves[-1]
        for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1 + self._run(state.board, last, step) + self._run(state.board, last, (-step[0], -step[1]))
            if length == self.line or (length > self.line and self.overline == "win"):
                return True
        return False

    def _run(self, board: str, start: Cell, step: tuple[int, int]) -> int:
        """Number of stones equal to the one at ``start`` that follow it in direction ``step``."""
        mark = board[self._index(start)]
        row, column = start.row - 1 + step[0], start.column - 1 + step[1]
        length = 0
        while 0 <= row < self.rows and 0 <= column < self.columns and board[row * self.columns + column] == mark:
            length += 1
            row, column = row + step[0], column + step[1]
        return length

    # --------------------------------------------------------------- notation

    def format(self, state: Position, action: Cell) -> str:
        return f"{action.row},{action.column}"

    def parse(self, state: Position, seat: Seat, text: str) -> Cell:
        bare = text.strip(_WRAPPING)
        if match := _PAIR.fullmatch(bare) or _PAIR_ALONE.fullmatch(bare):
            row, column = (_number(group) for group in match.groups() if group is not None)
            return Cell(row, column)
        if match := _NUMBER_ALONE.fullmatch(bare):
            return self._numbered(_number(match[1]))
        raise Illegal("invalid_format", f"{text.strip()[:60]!r} names no cell")

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        pattern = _PAIR_OR_NUMBER if notation == "cell" else _PAIR
        return [match.group() for match in pattern.finditer(text)]

    def schema(self, state: Position, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        if notation == "cell":
            properties: dict[str, Json] = {"cell": {"type": "integer", "minimum": 1, "maximum": self.max_steps()}}
        else:
            # An enumeration, because providers that enforce a schema often ignore minimum and maximum.
            properties = {
                "row": {"type": "integer", "enum": list(range(1, self.rows + 1))},
                "column": {"type": "integer", "enum": list(range(1, self.columns + 1))},
            }
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def encode(self, state: Position, action: Cell, notation: str | None = None) -> Json:
        if notation == "cell":
            return {"cell": self._index(action) + 1}
        return {"row": action.row, "column": action.column}

    def decode(self, state: Position, seat: Seat, answer: Json) -> Cell:
        if isinstance(answer, dict):
            fields = {str(key).strip().casefold(): value for key, value in answer.items()}
            if "row" in fields and "column" in fields:
                return Cell(_whole(fields["row"], "row"), _whole(fields["column"], "column"))
            if "cell" in fields:
                return self._numbered(_whole(fields["cell"], "cell"))
        return super().decode(state, seat, answer)

    def _numbered(self, number: int) -> Cell:
        """The cell with this 1-based number; numbers off the board map to cells off the board."""
        row, column = divmod(number - 1, self.columns)
        return Cell(row + 1, column + 1)

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        verb = "loses" if self.misere else "wins"
        exact = "exactly " if self.overline == "no_win" and self.line < max(self.rows, self.columns) else ""
        aim = (
            "Avoid completing a line yourself and try to make your opponent do it."
            if self.misere
            else "Work towards a line of your own, and stop your opponent from completing one."
        )
        return (
            f"You are playing tic-tac-toe on a grid of {self.rows} rows and {self.columns} columns. Rows are numbered "
            f"from top to bottom and columns from left to right, both starting at 1. The first player places X, the "
            f"second player places O, and they take turns marking one empty cell. A player who gets {exact}{self.line} "
            f"of their own marks next to each other in a row, a column or a diagonal {verb} at once; if the grid fills "
            f"up without that, the game is a draw. {aim}"
        )

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        if notation == "cell":
            return f"as the number of an empty cell (1 to {self.max_steps()})"
        return f"as row,column (row 1 to {self.rows}, column 1 to {self.columns})"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        action = Cell(1, min(3, self.columns))
        empty = Position("")
        text = str(self._index(action) + 1) if notation == "cell" else self.format(empty, action)
        return self.encode(empty, action, notation), text

    def observe(self, state: Position, viewer: Viewer) -> Observation:
        return Observation(
            viewer=viewer,
            data={
                "rows": self.rows,
                "columns": self.columns,
                "board": [state.board[i : i + self.columns] for i in range(0, len(state.board), self.columns)],
                "moves": {s: [f"{c.row},{c.column}" for c in state.moves[i::2]] for i, s in enumerate(SEATS)},
                "last": f"{state.moves[-1].row},{state.moves[-1].column}" if state.moves else None,
            },
            events=tuple(Event(SEATS[i % 2], f"{c.row},{c.column}") for i, c in enumerate(state.moves)),
            to_act=self.to_act(state),
        )

    def views(self) -> Mapping[str, View]:
        return _VIEWS

    def svg(self, observation: Observation) -> str:
        return _svg(observation)

    def places(self, observation: Observation) -> Sequence[Place]:
        return [
            Place(f"{r},{c}", (c - 1) * _CELL, (r - 1) * _CELL, _CELL, _CELL, "empty" if mark == "." else mark)
            for r, line in enumerate(observation.data["board"], 1)
            for c, mark in enumerate(line, 1)
        ]

    # ------------------------------------------------------------------- JSON

    def dump(self, state: Position) -> Json:
        return {"board": state.board, "moves": [list(cell) for cell in state.moves]}

    def load(self, data: Json) -> Position:
        return Position(data["board"], tuple(Cell(*cell) for cell in data["moves"]))


# A pair in running text is "2,3", "(2, 3)", "row 2, column 3" or "row: 2 col: 3"; "column 3 of row 2" is not: what is
# read must be beyond doubt. A hyphen right after a word is a hyphen ("row-1"), before a number otherwise a minus sign.
# Repetitions are bounded, or the text of a model could keep the expressions busy for ever.
_NUMBER = r"((?:(?<!\w)[-−])?\d{1,4}(?:\.0{1,9})?)"
_END = r"(?!\w|[.,]\d)"
_GAP = r"\W{0,12}?(?:is\s{1,12}|=\s{0,12})?"
_PAIR = re.compile(
    rf"row{_GAP}{_NUMBER}\W{{0,12}}(?:and\s{{1,12}})?col(?:umn)?{_GAP}{_NUMBER}{_END}"
    rf"|(?<![\w.,]){_NUMBER}\s{{0,12}},\s{{0,12}}{_NUMBER}{_END}",
    re.IGNORECASE,
)
_PAIR_OR_NUMBER = re.compile(rf"{_PAIR.pattern}|(?<![\w.,−-])[-−]?\d{{1,4}}{_END}", re.IGNORECASE)
_PAIR_ALONE = re.compile(rf"{_NUMBER}(?:\s{{0,12}}[;/]\s{{0,12}}|\s{{1,12}}){_NUMBER}")
_NUMBER_ALONE = re.compile(r"(?:cell\s{0,12})?#?([-−]?\d{1,4})", re.IGNORECASE)
_WRAPPING = " \t\r\n()[]{}<>*`'\".!"
_KINDS: dict[type, str] = {bool: "true or false", type(None): "null", list: "a list", dict: "an object"}
"""How a model that answers in JSON knows these values."""


def _number(text: str) -> int:
    return int(float(text.replace("−", "-")))


def _whole(value: Json, what: str) -> int:
    """A whole number given as one: 1, 1.0 and "1" are; 1.5, true and [1] are not."""
    if isinstance(value, str) and re.fullmatch(r"\s{0,12}-?\d{1,4}(\.0{1,9})?\s{0,12}", value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        # Not the value itself where it is no text: writing out deeply nested lists exhausts the stack.
        shown = repr(value[:40]) if isinstance(value, str) else _KINDS.get(type(value), "that")
        raise Illegal("invalid_format", f"{what} must be a whole number, not {shown}")
    if value != value or abs(value) > 9999:
        raise Illegal("invalid_format", f"{what} must be a whole number of at most four digits")
    if value != int(value):
        raise Illegal("invalid_format", f"{what} must be a whole number, not {value}")
    return int(value)


# -------------------------------------------------------------------- views


def _render_list(observation: Observation) -> str:
    moves = observation.data["moves"]
    lines = [
        f"Player {seat} ({order} player): {'; '.join(moves[seat]) or 'None'}"
        for seat, order in zip(SEATS, _WORDS_FOR_ORDER, strict=True)
    ]
    return "\n".join(lines)


def _render_illustration(observation: Observation) -> str:
    return "\n".join(observation.data["board"])


def _render_numbered(observation: Observation) -> str:
    rows, columns = observation.data["rows"], observation.data["columns"]
    width = len(str(rows * columns))
    cells = "".join(observation.data["board"])
    shown = [str(i + 1) if mark == "." else mark for i, mark in enumerate(cells)]
    lines = [" | ".join(text.rjust(width) for text in shown[r * columns : (r + 1) * columns]) for r in range(rows)]
    return "\n".join(lines)


_CELL = 100


def _svg(observation: Observation) -> str:
    """Lines and circles only: the picture does not depend on any font."""
    size = _CELL
    rows, columns = observation.data["rows"], observation.data["columns"]
    width, height = columns * size, rows * size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {width + 20} {height + 20}" '
        f'width="{width + 20}" height="{height + 20}" role="img" aria-label="tic-tac-toe board">',
        f'<rect x="-10" y="-10" width="{width + 20}" height="{height + 20}" fill="#ffffff"/>',
    ]
    grid = [f"M{c * size} 0V{height}" for c in range(1, columns)] + [f"M0 {r * size}H{width}" for r in range(1, rows)]
    parts.append(f'<path d="{"".join(grid)}" stroke="#444444" stroke-width="4" fill="none"/>')
    last = observation.data["last"]
    for r, line in enumerate(observation.data["board"]):
        for c, mark in enumerate(line):
            x, y = c * size + size // 2, r * size + size // 2
            if last == f"{r + 1},{c + 1}":
                parts.append(f'<rect x="{x - 46}" y="{y - 46}" width="{size - 8}" height="{size - 8}" fill="#fff3c4"/>')
            if mark == "X":
                path = f"M{x - 28} {y - 28}L{x + 28} {y + 28}M{x + 28} {y - 28}L{x - 28} {y + 28}"
                parts.append(f'<path d="{path}" stroke="#1f5fa8" stroke-width="12" stroke-linecap="round"/>')
            elif mark == "O":
                parts.append(f'<circle cx="{x}" cy="{y}" r="30" stroke="#b5442e" stroke-width="12" fill="none"/>')
    parts.append("</svg>")
    return "".join(parts)


_VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "list",
            lambda o: (
                "Earlier moves are listed per player. Each move is written as row,column; moves are separated by a "
                "semicolon, and None stands for a player who has not moved yet. The moves so far are:"
            ),
            _render_list,
        ),
        View(
            "illustration",
            lambda o: (
                "The grid is drawn as text, one line per row. X and O are the marks of the first and the second "
                "player, and a dot is an empty cell. The grid now is:"
            ),
            _render_illustration,
        ),
        View(
            "numbered",
            lambda o: (
                "The grid is drawn as text. X and O are the marks of the first and the second player; every empty "
                "cell shows its own number, counted row by row from the top left. The grid now is:"
            ),
            _render_numbered,
            notation="cell",
        ),
        View(
            "image",
            lambda o: (
                "The grid is shown in the attached picture. X and O are the marks of the first and the second player; "
                "the latest move has a coloured background. The grid now is:"
            ),
            _svg,
            kind="image",
        ),
    )
}
