"""Breakthrough. Rules from OpenSpiel's ``breakthrough`` (in which Black, at the top, moves first)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, grid, label, picture, shown
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_MOVE = re.compile(r"([a-z])(\d)\s?(?:-|–|x|:|to|\s)?\s?([a-z])(\d)\s?\*?", re.IGNORECASE | re.ASCII)
_IN_PROSE = re.compile(rf"(?<![^\W_]){_MOVE.pattern}(?![^\W_])", re.IGNORECASE | re.ASCII)
_LETTERS = {"b": "B", "w": "W", ".": "."}


class Breakthrough(BoardGame):
    """Breakthrough.

    Args:
        rows, columns: size of the board: 4 to 9 rows, 2 to 26 columns.
    """

    name: ClassVar[str] = "breakthrough"
    title: ClassVar[str] = "Breakthrough"
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = (
        "Black (B, moves down the board, first player)",
        "White (W, moves up the board, second player)",
    )

    def __init__(self, rows: int = 8, columns: int = 8) -> None:
        if not (4 <= rows <= 9 and 2 <= columns <= 26):
            raise ValueError(f"the board must have 4 to 9 rows and 2 to 26 columns, not {rows} and {columns}")
        self.rows, self.columns = rows, columns
        super().__init__(f"breakthrough(rows={rows},columns={columns})")

    def rules(self) -> str:
        full = self.rows >= 6
        black = f"rows {self.rows} and {self.rows - 1}" if full else f"row {self.rows}"
        white = "rows 1 and 2" if full else "row 1"
        return (
            f"You are playing Breakthrough on a board of {self.rows} rows and {self.columns} columns. Columns are "
            f"named by letters from left to right, starting at a, and rows are numbered from bottom to top, starting "
            f"at 1. Black's pieces fill {black} at the start and move down, towards row 1; White's fill {white} and "
            f"move up, towards row {self.rows}. Black moves first, then the players take turns moving one piece of "
            f"their own one step forward, straight or diagonally. A straight step needs an empty square. A diagonal "
            f"step may go to an empty square, or to one with an enemy piece, which is captured and removed. Capturing "
            f"is never compulsory, and pieces never step sideways or back. A player who brings a piece to the last row "
            f"on the opponent's side, or captures the opponent's last piece, wins at once."
        )

    def reason(self, state: SpielState) -> str:
        board = self._board(state)
        if "B" in board[-1]:
            return "Black has reached the last row"
        return "White has reached the last row" if "W" in board[0] else "the last enemy piece was captured"

    # --------------------------------------------------------------- notation

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _MOVE.fullmatch(bare(text))
        if match is None:
            example = "a7a6" if seat == "Black" else "a2a3"
            raise Illegal("invalid_format", f"{shown(text)} is not a move; write both squares, for example {example}")
        start, goal = (match[1] + match[2]).casefold(), (match[3] + match[4]).casefold()
        engine = state.engine
        for action in engine.legal_actions():
            if engine.action_to_string(engine.current_player(), action).rstrip("*") == start + goal:
                return Move((action,))
        raise self._refusal(state, seat, start, goal)

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [match.group() for match in _IN_PROSE.finditer(text)]

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as the square your piece leaves followed by the square it goes to"

    def _refusal(self, state: SpielState, seat: Seat, start: str, goal: str) -> Illegal:
        for name in (start, goal):
            if not (self._on_board(name)):
                edge = f"a to {chr(96 + self.columns)} and 1 to {self.rows}"
                return Illegal("out_of_bounds", f"{name} is off the board ({edge})")
        own = seat[0]
        board = self._board(state)
        mover, target = self._at(board, start), self._at(board, goal)
        if mover == ".":
            return Illegal("no_piece", f"there is no piece on {start}")
        if mover != own:
            return Illegal("not_your_piece", f"the piece on {start} belongs to your opponent")
        forward = -1 if own == "B" else 1
        aside = abs(ord(start[0]) - ord(goal[0]))
        if int(goal[1]) - int(start[1]) != forward or aside > 1:
            way = "down" if own == "B" else "up"
            return Illegal("wrong_step", f"your pieces move one step {way} the board, straight or diagonally")
        if target == own:
            return Illegal("own_piece", f"your own piece stands on {goal}")
        return Illegal("blocked", f"a straight step needs an empty square, and {goal} is taken")

    def _on_board(self, name: str) -> bool:
        return 0 <= ord(name[0]) - 97 < self.columns and 1 <= int(name[1]) <= self.rows

    def _at(self, board: Sequence[str], name: str) -> str:
        return board[self.rows - int(name[1])][ord(name[0]) - 97]

    def _board(self, state: SpielState) -> list[str]:
        return ["".join(_LETTERS[cell] for cell in line[1:]) for line in self.lines(state)[: self.rows]]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        return {"board": list(self._board(state))}

    def draw(self, observation: Observation) -> str:
        columns = [chr(97 + c) for c in range(self.columns)]
        return grid(observation.data["board"], columns, [str(self.rows - r) for r in range(self.rows)])

    def board_words(self) -> str:
        return (
            "The board is drawn as text, with the letters of the columns above and the numbers of the rows on the "
            "left. B is a black piece, W a white piece, and a dot is an empty square. The board now is:"
        )

    def json_words(self) -> str:
        return (
            f"The position is given as JSON. board lists the rows from top (row {self.rows}) to bottom (row 1), one "
            "character per square from column a on: B is a black piece, W a white piece, and a dot is an empty square. "
            "last is the latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture, with its letters and numbers on the edges; the squares of the "
            "latest move are yellow. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        size, edge, last = _SQUARE, _EDGE, observation.data["last"] or ""
        parts = []
        for r, line in enumerate(observation.data["board"]):
            row = str(self.rows - r)
            y = edge + r * size
            parts.append(label(edge / 2, y + size / 2, row))
            for c, cell in enumerate(line):
                name, x = f"{chr(97 + c)}{row}", edge + c * size
                plain = "#f0dcb8" if (r + c + self.rows) % 2 == 0 else "#b98a5a"
                fill = "#f2e35c" if name in (last[:2], last[2:4]) else plain
                parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{fill}"/>')
                if cell != ".":
                    body, rim = ("#1a1a1a", "#555555") if cell == "B" else ("#ffffff", "#1a1a1a")
                    parts.append(
                        f'<circle cx="{x + size // 2}" cy="{y + size // 2}" r="17" fill="{body}" stroke="{rim}" '
                        'stroke-width="2"/>'
                    )
        bottom = edge + self.rows * size
        parts += [label(edge + c * size + size / 2, bottom + edge / 2, chr(97 + c)) for c in range(self.columns)]
        return picture(edge + self.columns * size + 12, bottom + edge, "Breakthrough board", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        """The squares, of which a move has two."""
        return [
            Place(
                f"{chr(97 + c)}{self.rows - r}",
                _EDGE + c * _SQUARE,
                _EDGE + r * _SQUARE,
                _SQUARE,
                _SQUARE,
                _HOLDS[cell],
            )
            for r, line in enumerate(observation.data["board"])
            for c, cell in enumerate(line)
        ]

    def parts(self, observation: Observation, notation: str, action: Move) -> Sequence[str]:
        return [notation[:2], notation[2:4]]


_SQUARE, _EDGE = 48, 30
_HOLDS = {"B": "black piece", "W": "white piece", ".": "empty"}
