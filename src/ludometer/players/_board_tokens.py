"""A match of an m,n,k game as whole numbers for a small language model: one token per cell, one per answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludometer.core import Observation, Turn
from ludometer.games.tictactoe import SEATS, Cell, TicTacToe

__all__ = ["ASK", "END", "PAD", "BoardTokens"]

PAD: Final = 0
END: Final = 1
"""Ends nothing here, because every answer is one token; trainers want an end all the same."""
ASK: Final = 2
_FIRST: Final = 3

_MARKS: Final = (".", "own", "other")


class BoardTokens:
    """The tokens of one board size.

    The seat to move reads the board cell by cell, each token naming the cell and whose mark is in it (its own, the
    other's, none), and then `ASK`; it answers with the token of a cell. A match is what it was asked and what it
    answered, in turn.

    Attributes:
        words: what every token is called; ``len(words)`` is the size of the vocabulary.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._cells = rows * columns
        self._first_answer = _FIRST + 3 * self._cells
        names = [f"{i // columns + 1},{i % columns + 1}" for i in range(self._cells)]
        # Letters, since an answer with a digit in it could be read as a cell.
        cells = [f"<{_letters(i)}:{mark}>" for i in range(self._cells) for mark in _MARKS]
        self.words: tuple[str, ...] = ("<pad>", "<end>", "<ask>", *cells, *names)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    @classmethod
    def of(cls, game: TicTacToe) -> BoardTokens:
        return cls(game.rows, game.columns)

    def longest(self) -> int:
        """Tokens of the longest match."""
        return ((self._cells + 1) // 2) * (self._cells + 2)

    def asked(self, observation: Observation) -> list[int]:
        """The board as its viewer sees it, and the question."""
        return self._asked("".join(observation.data["board"]), str(observation.viewer))

    def transcript(self, turn: Turn) -> list[int]:
        """What the seat was asked and answered in this match, and what it is asked now.

        Illegal answers are in it where the policy shows them; what was played before anybody was asked is not.
        """
        seat = turn.seat
        tokens: list[int] = []
        for attempt in turn.past:
            board = ["."] * self._cells
            for event in turn.observation.events[: attempt.step]:
                board[self._place(event.what)] = str(event.seat)
            tokens += [*self._asked(board, seat), self.token(attempt.decision.text)]
        return tokens + self.asked(turn.observation)

    def answer(self, action: Cell) -> int:
        """The token of a cell on the board."""
        return self._first_answer + (action.row - 1) * self.columns + action.column - 1

    def said(self, token: int) -> str:
        """An answer in the game's notation; of a token that is no answer, its word."""
        return self.words[token]

    def token(self, said: str) -> int:
        """The token of an answer as it was given; `END` for one that a model with these tokens cannot have given."""
        return self._numbers.get(said, END)

    def action(self, token: int) -> Cell | None:
        """The cell that a token answers with; None for one that is no answer."""
        place = token - self._first_answer
        return None if place < 0 else Cell(place // self.columns + 1, place % self.columns + 1)

    def _asked(self, board: Sequence[str], seat: str) -> list[int]:
        other = SEATS[1 - SEATS.index(seat)]
        marks = {".": 0, seat: 1, other: 2}
        return [_FIRST + 3 * i + marks[mark] for i, mark in enumerate(board)] + [ASK]

    def _place(self, written: str) -> int:
        row, column = written.split(",")
        return (int(row) - 1) * self.columns + int(column) - 1


def _letters(number: int) -> str:
    """a to z, then ba, bb, ..."""
    rest, last = divmod(number, 26)
    return (_letters(rest) if rest else "") + chr(ord("a") + last)
