"""Othello (Reversi). Rules from OpenSpiel's ``othello``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import PointGame, bare, grid, label, picture
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_PASS = 64
_LETTERS = {"x": "X", "o": "O", "-": "."}


class Othello(PointGame):
    """Othello on the usual board of 8 by 8 squares."""

    name: ClassVar[str] = "othello"
    title: ClassVar[str] = "Othello"
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = ("Black (X, first player)", "White (O, second player)")

    def __init__(self) -> None:
        self.rows = self.columns = 8
        super().__init__("othello")

    def rules(self) -> str:
        return (
            "You are playing Othello (Reversi) on a board of 8 by 8 squares. Columns are named a to h from left to "
            "right, and rows are numbered 1 to 8 from top to bottom. At the start Black has discs on e4 and d5, White "
            "on d4 and e5. Black moves first, then the players take turns. A move places a disc of your own colour on "
            "an empty square so that one or more discs of your opponent lie in an unbroken straight line (along a row, "
            "a column or a diagonal) between the new disc and another disc of yours; all discs enclosed in this way, "
            "in every direction, are turned over and become yours. A move must turn over at least one disc. A player "
            "without such a move must pass, and may not pass otherwise. The game ends when neither player can move; "
            "whoever then has more discs wins, and equal numbers are a draw."
        )

    def reason(self, state: SpielState) -> str:
        board = "".join(self._board(state))
        return f"neither side can move; discs: Black {board.count('X')}, White {board.count('O')}"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        return "pass" if action.steps[0] == _PASS else super().format(state, action)

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        must_pass = state.engine.legal_actions() == [_PASS]
        if bare(text).casefold() in ("pass", "passes", "i pass", "--"):
            if not must_pass:
                raise Illegal("pass_not_allowed", "you may pass only when you have no other move, and you have one")
            return Move((_PASS,))
        return super().parse(state, seat, text)

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        words = text.replace("/", " ").split()
        # Beside points, the word pass counts: word by word, so that order is kept.
        return [
            piece
            for word in words
            for piece in ([bare(word)] if bare(word).casefold() == "pass" else super(Othello, self).mentions(word))
        ]

    def refusal(self, state: SpielState, seat: Seat, row: int, column: int) -> Illegal:
        name = self.point(row, column)
        owner = {"X": "Black", "O": "White"}.get(self._board(state)[row][column])
        if owner:
            return Illegal("already_taken", f"{name} is already taken by {owner}")
        if state.engine.legal_actions() == [_PASS]:
            return Illegal("must_pass", "you have no move that turns over a disc, so you must pass")
        return Illegal("turns_nothing", f"a disc on {name} would not turn over any of your opponent's discs")

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as a column letter followed by a row number, or the word pass when you have no move"

    def _board(self, state: SpielState) -> list[str]:
        rows = [line.split()[1:9] for line in self.lines(state)[2:10]]
        return ["".join(_LETTERS[cell] for cell in row) for row in rows]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        board = self._board(state)
        both = "".join(board)
        return {"board": board, "discs": {"Black": both.count("X"), "White": both.count("O")}}

    def draw(self, observation: Observation) -> str:
        return grid(observation.data["board"], self.column_names(), self.row_names())

    def board_words(self) -> str:
        return (
            "The board is drawn as text, with the letters of the columns above and the numbers of the rows on the "
            "left. X is a black disc, O a white disc, and a dot is an empty square. The board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. board lists the rows from top (row 1) to bottom (row 8), one character "
            "per square from column a on: X is a black disc, O a white disc, and a dot is an empty square. discs "
            "counts the discs, and last is the latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture, with its letters and numbers on the edges; the latest disc "
            "has a red dot. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        size, edge, last = _SQUARE, _EDGE, observation.data["last"]
        far = edge + 8 * size
        parts = [f'<rect x="{edge}" y="{edge}" width="{8 * size}" height="{8 * size}" fill="#2f7d4f"/>']
        lines = "".join(f"M{edge} {edge + i * size}H{far}M{edge + i * size} {edge}V{far}" for i in range(9))
        parts.append(f'<path d="{lines}" stroke="#153d26" stroke-width="1.5" fill="none"/>')
        for i in range(8):
            middle = edge + i * size + size / 2
            parts += [label(middle, edge / 2, self.column_names()[i]), label(edge / 2, middle, self.row_name(i))]
        for r, line in enumerate(observation.data["board"]):
            for c, cell in enumerate(line):
                if cell == ".":
                    continue
                x, y = edge + c * size + size / 2, edge + r * size + size / 2
                fill = "#161616" if cell == "X" else "#f7f7f7"
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="20" fill="{fill}"/>')
                if last == self.point(r, c):
                    parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="#d43a32"/>')
        return picture(far + 12, far + 12, "Othello board", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        return [
            Place(self.point(r, c), _EDGE + c * _SQUARE, _EDGE + r * _SQUARE, _SQUARE, _SQUARE, _HOLDS[cell])
            for r, line in enumerate(observation.data["board"])
            for c, cell in enumerate(line)
        ]


_SQUARE, _EDGE = 48, 32
_HOLDS = {"X": "black disc", "O": "white disc", ".": "empty"}
