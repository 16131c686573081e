"""What is said at the board, word for word, and how a move is read from what a model answers.

The texts and the order in which a move is looked for are the environment's published protocol. It looks for the first
move an answer names, not for the last as everywhere else in Ludometer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from ludometer.parsers.reasoning import visible

__all__ = ["ILLEGAL", "Symbol", "board", "closing", "opening", "read_cell", "reply", "shown", "system"]

Symbol = Literal["X", "O"]

ILLEGAL = "Illegal move. Game over."
_ENDS = {1.0: "You win!", 0.5: "Draw!", 0.0: "You lose!"}

_LOOKED_AT = 80
"""Characters in which a number counts that neither follows a keyword nor stands alone on its line."""


def system(symbol: Symbol, rows: int, columns: int, line: int) -> str:
    """The system message."""
    last = rows * columns
    return (
        f"This is a game of tic-tac-toe on {rows} rows of {columns} cells. The cells are numbered from 1 to {last}, "
        f"row by row from the top left; on the board an empty cell shows its number and a taken one its mark. Your "
        f"mark is {symbol}. Whoever first has {line} marks of their own in one line, across, down or diagonally, wins. "
        f"Whenever it is your turn, answer with the number of the empty cell you take. You may explain your choice, "
        f"but every answer must name that number."
    )


def board(cells: Sequence[str], columns: int) -> str:
    """The board as it is shown: ``X``, ``O``, or the cell's number where it is empty (given as ``.``)."""
    width = len(str(len(cells)))
    names = [(str(i) if mark == "." else mark).rjust(width) for i, mark in enumerate(cells, 1)]
    lines = [" " + " | ".join(names[i : i + columns]) for i in range(0, len(names), columns)]
    return f"\n{'-' * (columns * (width + 3) - 1)}\n".join(lines)


def opening(symbol: Symbol, picture: str, played: int | None) -> str:
    """The first message. ``played``: the cell that the opponent opened with, None where the model goes first."""
    hello = f"Let's play tic-tac-toe. You are {symbol}."
    if played is None:
        return f"{hello}\n\n{picture}\n\nYou go first."
    return f"{hello}\n\n{reply(played, picture)}"


def reply(played: int, picture: str) -> str:
    """The message after an opponent's move that does not end the game."""
    return f"I play {played}.\n\n{picture}\n\nYour turn."


def closing(score: float, picture: str, played: int | None) -> str:
    """The last message. ``played``: the opponent's move where that ended the game."""
    lead = "" if played is None else f"I play {played}.\n\n"
    return f"{lead}{picture}\n\n{_ENDS[score]}"


def shown(answer: str) -> str:
    """An answer without the reasoning in it; nothing where the reasoning never ended."""
    found = visible(answer)
    return "" if found.unclosed else found.text


def read_cell(answer: str, cells: int = 9) -> int | None:
    """The number of the cell that an answer names, or None.

    Looked for in this order: a number after one of the words play, choose, position, take, cell and square; a number
    alone on its line; the first number in the first 80 characters. On a board of nine cells a number is one digit
    from 1 to 9; on a larger one it is a whole number up to the number of cells.
    """
    text = answer.strip()
    keyword, alone, anywhere = _patterns(cells > 9)
    for pattern, where in ((keyword, text), (alone, text), (anywhere, text[:_LOOKED_AT])):
        for found in pattern.finditer(where):
            if 1 <= int(found[1]) <= cells:
                return int(found[1])
    return None


@lru_cache
def _patterns(long: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Repetitions are bounded: the text is a model's, and must not keep the expressions busy."""
    number = r"(?<![0-9])([0-9]{1,3})(?![0-9])" if long else "([1-9])"
    keyword = rf"\b(?:play|choose|position|take|cell|square)[\s:#=*]{{1,4}}{number}(?![0-9])"
    return (
        re.compile(keyword, re.IGNORECASE),
        re.compile(rf"^[^\S\n]{{0,40}}{number}[^\S\n]{{0,40}}$", re.MULTILINE),
        re.compile(number),
    )
