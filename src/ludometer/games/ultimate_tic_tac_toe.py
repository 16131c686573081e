"""Ultimate tic-tac-toe. Rules from OpenSpiel's ``ultimate_tic_tac_toe``.

Where a player may choose the small board, the engine asks for it as a decision of its own; here board and cell are one
move, as they are on paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, fields, label, picture, shown, whole
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_MOVE = re.compile(
    r"(?:(?:local\s)?board\s?)?#?(\d{1,2})\s?[:,]?\s?(?:cell\s?)?[xo]?\s?\(\s?(\d{1,2})\s?,\s?(\d{1,2})\s?\)?",
    re.IGNORECASE | re.ASCII,
)
_IN_PROSE = re.compile(rf"(?<![\w.,-]){_MOVE.pattern}", re.IGNORECASE | re.ASCII)
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class UltimateTicTacToe(BoardGame):
    """Ultimate tic-tac-toe."""

    name: ClassVar[str] = "ultimate_tic_tac_toe"
    title: ClassVar[str] = "Ultimate tic-tac-toe"
    seats: ClassVar[tuple[Seat, ...]] = ("X", "O")
    titles: ClassVar[tuple[str, ...]] = ("player X (first player)", "player O (second player)")
    multi_step: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__("ultimate_tic_tac_toe")

    def max_steps(self) -> int:
        return 81

    def rules(self) -> str:
        return (
            "You are playing ultimate tic-tac-toe. The board consists of nine small boards of 3 by 3 cells, themselves "
            "arranged 3 by 3 and numbered row by row: 0 1 2 in the top row, 3 4 5 in the middle, 6 7 8 at the bottom. "
            "Within a small board, a cell is named (row,column), both counted from 0 at the top left. A move is "
            "written as small board and cell, for example 4(0,2). Player X begins, and the players take turns marking "
            "one empty cell. The first move may be made in any small board. After that, the cell just marked decides "
            "where the next player must play: cell (row,column) sends them to the small board at the same place in the "
            "large arrangement, number 3 * row + column. If that small board has been won or is full, they may choose "
            "any small board that has not been won and is not full. A player who gets three of their own marks in a "
            "row, a column or a diagonal of a small board wins that small board; nobody plays in it any more. A player "
            "who wins three small boards in a row, a column or a diagonal of the large arrangement wins the game at "
            "once. If no cell can be marked any more without that, the game is a draw."
        )

    def reason(self, state: SpielState) -> str:
        returns = state.engine.returns()
        if 1.0 in returns:
            return f"{self.seats[returns.index(1.0)]} has won three small boards in a row"
        return "no small board is left to play in"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        board = action.steps[0] if len(action.steps) == 2 else self._forced(state)
        row, column = divmod(action.steps[-1], 3)
        return f"{board}({row},{column})"

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _MOVE.fullmatch(bare(text)) or _MOVE.fullmatch(text.strip())
        if match is None:
            raise Illegal("invalid_format", f"{shown(text)} names no cell; write small board and cell, such as 4(0,2)")
        return self._move(state, int(match[1]), int(match[2]), int(match[3]))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [match.group() for match in _IN_PROSE.finditer(text)]

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": {
                "board": {"type": "integer", "enum": list(range(9))},
                "row": {"type": "integer", "enum": [0, 1, 2]},
                "column": {"type": "integer", "enum": [0, 1, 2]},
            },
            "required": ["board", "row", "column"],
            "additionalProperties": False,
        }

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        board = action.steps[0] if len(action.steps) == 2 else self._forced(state)
        row, column = divmod(action.steps[-1], 3)
        return {"board": board, "row": row, "column": column}

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        given = fields(answer)
        if {"board", "row", "column"} <= given.keys():
            board, row, column = (whole(given[key], key) for key in ("board", "row", "column"))
            return self._move(state, board, row, column)
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as small board and cell: board(row,column), all counted from 0"

    def _move(self, state: SpielState, board: int, row: int, column: int) -> Move:
        name = f"{board}({row},{column})"
        if not (0 <= board <= 8 and 0 <= row <= 2 and 0 <= column <= 2):
            raise Illegal("out_of_bounds", f"{name} does not exist: boards are 0 to 8, rows and columns 0 to 2")
        forced = self._forced(state)
        if forced is not None and board != forced:
            raise Illegal("wrong_board", f"you must play in small board {forced}")
        cells = self._boards(state)[board]
        if _winner(cells) != ".":
            raise Illegal("board_decided", f"small board {board} has already been won by {_winner(cells)}")
        if cells[3 * row + column] != ".":
            raise Illegal("already_taken", f"{name} is already taken by {cells[3 * row + column]}")
        cell = 3 * row + column
        return Move((cell,) if forced is not None else (board, cell))

    def _forced(self, state: SpielState) -> int | None:
        """The small board the next player must play in, if there is just one."""
        stated = self.lines(state)[-1].rpartition(":")[2].strip()
        return int(stated) if stated.isdecimal() else None

    def _boards(self, state: SpielState) -> list[str]:
        """The nine small boards, each as nine characters."""
        rows = [line.split() for line in self.lines(state) if re.fullmatch(r"[.xo]{3} [.xo]{3} [.xo]{3}\s*", line)]
        return ["".join(rows[3 * (b // 3) + r][b % 3] for r in range(3)).upper() for b in range(9)]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        boards = self._boards(state)
        return {
            "boards": [[cells[i : i + 3] for i in (0, 3, 6)] for cells in boards],
            "won": "".join(_winner(cells) for cells in boards),
            "play_in": None if state.engine.is_terminal() else self._forced(state),
        }

    def draw(self, observation: Observation) -> str:
        boards, won, forced = (observation.data[key] for key in ("boards", "won", "play_in"))
        lines = []
        for top in (0, 3, 6):
            for r in range(3):
                lines.append(" | ".join(" ".join(boards[b][r]) for b in range(top, top + 3)))
            if top < 6:
                lines.append("------+-------+------")
        decided = [f"{b} by {mark}" for b, mark in enumerate(won) if mark != "."]
        lines.append(f"small boards won: {', '.join(decided) or 'none'}")
        if observation.to_act:
            lines.append("to play in: " + (f"small board {forced}" if forced is not None else "any small board"))
        return "\n".join(lines)

    def board_words(self) -> str:
        return (
            "The nine small boards are drawn as text, separated by lines. X and O are the marks of the two players, "
            "and a dot is an empty cell. Below stands which small boards have been won, and where the next move must "
            "be made. The board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. boards lists the nine small boards, each as its three rows: X and O are "
            "marks, a dot is an empty cell. won has one character per small board: its winner, or a dot. play_in is "
            "the small board the next move must be made in, null standing for a free choice, and last is the latest "
            "move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The nine small boards are shown in the attached picture, each with its number. A small board that has "
            "been won is tinted in its winner's colour (X blue, O red); the small boards in which the next move may be "
            "made are yellow, and the latest mark has a grey background. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        boards, won, forced, last = (observation.data[key] for key in ("boards", "won", "play_in", "last"))
        parts = []
        for b in range(9):
            left, top = 14 + b % 3 * 164, 14 + b // 3 * 164
            open_now = bool(observation.to_act) and won[b] == "." and "." in "".join(boards[b])
            playable = open_now and forced in (None, b)
            fill = {"X": "#c9dcf5", "O": "#f7d3cb"}.get(won[b], "#fff3c4" if playable else "#ffffff")
            parts.append(f'<rect x="{left}" y="{top}" width="150" height="150" fill="{fill}"/>')
            for i, mark in enumerate("".join(boards[b])):
                x, y = left + i % 3 * 50 + 25, top + i // 3 * 50 + 25
                if last == f"{b}({i // 3},{i % 3})":
                    parts.append(f'<rect x="{x - 25}" y="{y - 25}" width="50" height="50" fill="#d0d0d0"/>')
                parts.append(_mark(mark, x, y))
            lines = "".join(f"M{left + k} {top}v150M{left} {top + k}h150" for k in (50, 100))
            parts.append(f'<path d="{lines}" stroke="#777777" stroke-width="1.5"/>')
            parts.append(label(left + 7, top + 9, str(b), 13, "#777777"))
        bars = "".join(f"M{7 + 164 * k} 7v492M7 {7 + 164 * k}h492" for k in (1, 2))
        parts.append(f'<path d="{bars}" stroke="#222222" stroke-width="5"/>')
        return picture(506, 506, "ultimate tic-tac-toe board", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        found = []
        for b, cells in enumerate(observation.data["boards"]):
            left, top = 14 + b % 3 * 164, 14 + b // 3 * 164
            for i, mark in enumerate("".join(cells)):
                r, c = divmod(i, 3)
                holds = "empty" if mark == "." else mark
                found.append(Place(f"{b}({r},{c})", left + 50 * c, top + 50 * r, 50, 50, holds))
        return found


def _mark(mark: str, x: int, y: int) -> str:
    if mark == "X":
        return f'<path d="M{x - 13} {y - 13}l26 26m0 -26l-26 26" stroke="#1f5fa8" stroke-width="6"/>'
    if mark == "O":
        return f'<circle cx="{x}" cy="{y}" r="14" stroke="#b5442e" stroke-width="6" fill="none"/>'
    return ""


def _winner(cells: str) -> str:
    for a, b, c in _LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return "."
