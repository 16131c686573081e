"""A chess position as read from FEN, and how pieces move: what the notation and its explanations need.

Legality itself is the engine's. This module says why a move that the engine does not list cannot be played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["NAMES", "START", "Board", "Colour", "Square", "check_fen", "name_of", "other", "place", "read_fen"]

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

Square: TypeAlias = str
"""``a1`` to ``h8``."""
Colour: TypeAlias = Literal["white", "black"]

NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}

_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_STEPS = {"R": _STRAIGHT, "B": _DIAGONAL, "Q": _STRAIGHT + _DIAGONAL, "K": _STRAIGHT + _DIAGONAL, "N": _KNIGHT}
_CASTLING = {
    "K": ("e1", "K", "h1", "R"),
    "Q": ("e1", "K", "a1", "R"),
    "k": ("e8", "k", "h8", "r"),
    "q": ("e8", "k", "a8", "r"),
}
_FIELDS = re.compile(r"[pnbrqkPNBRQK1-8/]{15,71} [wb] (?:-|K?Q?k?q?) (?:-|[a-h][36]) \d{1,4} [1-9]\d{0,3}")


def at(column: int, row: int) -> Square | None:
    """The square at 0-based column and row, or None off the board."""
    return f"{'abcdefgh'[column]}{row + 1}" if 0 <= column < 8 and 0 <= row < 8 else None


def place(square: Square) -> tuple[int, int]:
    """0-based column and row."""
    return ord(square[0]) - 97, int(square[1]) - 1


def name_of(piece: str) -> str:
    """What a piece letter of either colour stands for."""
    return NAMES[piece.upper()]


class Board(NamedTuple):
    """A position.

    Attributes:
        pieces: FEN letters by square, empty squares left out.
        colour: whose move it is.
        castling: the rights, as in FEN, empty where there are none.
        en_passant: the square a pawn has just passed over, where FEN names one.
    """

    pieces: Mapping[Square, str]
    colour: Colour
    castling: str
    en_passant: Square | None

    def owner(self, square: Square) -> Colour | None:
        """Whose piece stands there."""
        piece = self.pieces.get(square)
        return None if piece is None else "white" if piece.isupper() else "black"

    def squares_of(self, kind: str, colour: Colour) -> list[Square]:
        """Where a colour's pieces of a kind (a capital letter) stand, in order of files and ranks."""
        letter = kind if colour == "white" else kind.lower()
        return sorted(square for square, piece in self.pieces.items() if piece == letter)

    def between(self, start: Square, target: Square) -> list[Square]:
        """The squares strictly between two squares on a line; none where they share no line."""
        (column, row), (to_column, to_row) = place(start), place(target)
        dx, dy = to_column - column, to_row - row
        if dx and dy and abs(dx) != abs(dy):
            return []
        length = max(abs(dx), abs(dy))
        found = (at(column + i * dx // length, row + i * dy // length) for i in range(1, length))
        return [square for square in found if square is not None]

    def aims(self, start: Square, target: Square) -> bool:
        """Whether the piece on ``start`` moves in that way on an empty board; a pawn, whether it captures so."""
        piece = self.pieces[start]
        (column, row), (to_column, to_row) = place(start), place(target)
        dx, dy = to_column - column, to_row - row
        kind = piece.upper()
        if kind == "P":
            return abs(dx) == 1 and dy == (1 if piece.isupper() else -1)
        if kind in "KN":
            return (dx, dy) in _STEPS[kind]
        straight, diagonal = (dx == 0) != (dy == 0), abs(dx) == abs(dy) != 0
        return (straight and kind in "RQ") or (diagonal and kind in "BQ")

    def attackers(self, target: Square, colour: Colour) -> Iterator[Square]:
        """Where that colour's pieces stand that attack the square."""
        for start in self.pieces:
            if self.owner(start) == colour and self.aims(start, target):
                kind = self.pieces[start].upper()
                if kind in "KNP" or not any(square in self.pieces for square in self.between(start, target)):
                    yield start

    def moved(self, start: Square, target: Square) -> Board:
        """The board after a piece has gone from one square to another, a pawn captured in passing gone too."""
        pieces = dict(self.pieces)
        piece = pieces.pop(start)
        if piece.upper() == "P" and start[0] != target[0] and target not in pieces:
            pieces.pop(target[0] + start[1], None)
        pieces[target] = piece
        return self._replace(pieces=pieces)

    def king(self, colour: Colour) -> Square:
        """Where the colour's king stands."""
        return self.squares_of("K", colour)[0]


def other(colour: Colour) -> Colour:
    """The opponent."""
    return "black" if colour == "white" else "white"


def read_fen(fen: str) -> Board:
    """The position of a valid FEN (see `check_fen`)."""
    placement, colour, castling, en_passant = fen.split()[:4]
    pieces: dict[Square, str] = {}
    for row, line in zip("87654321", placement.split("/"), strict=True):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
            else:
                pieces["abcdefgh"[column] + row] = letter
                column += 1
    passed = None if en_passant == "-" else en_passant
    return Board(pieces, "white" if colour == "w" else "black", castling.strip("-"), passed)


def check_fen(fen: str) -> str:
    """The FEN with single spaces and all six fields, when a game can start there.

    Raises:
        ValueError: it is no FEN, or no position of chess: kings missing, pawns on the last ranks, castling rights
            without king and rook in place, an en passant square that no pawn has passed, or the side that is not to
            move in check.
    """
    fields = fen.split()
    if len(fields) == 4:
        fields += ["0", "1"]
    written = " ".join(fields)
    lines = fields[0].split("/") if fields else []
    if not _FIELDS.fullmatch(written) or any(_width(line) != 8 for line in lines) or len(lines) != 8:
        raise ValueError(f"{fen[:100]!r} is not a position in FEN, such as {START!r}")
    board = read_fen(written)
    problem = _problem(board)
    if problem is not None:
        raise ValueError(f"the position {written!r} cannot be played: {problem}")
    return written


def _width(line: str) -> int:
    return sum(int(letter) if letter.isdigit() else 1 for letter in line)


def _problem(board: Board) -> str | None:
    for colour in ("white", "black"):
        if len(board.squares_of("K", colour)) != 1:
            return f"there must be exactly one {colour} king"
    if any(square[1] in "18" and piece in "Pp" for square, piece in board.pieces.items()):
        return "a pawn stands on the first or the last rank"
    for right in board.castling:
        king, piece, corner, rook = _CASTLING[right]
        if board.pieces.get(king) != piece or board.pieces.get(corner) != rook:
            return f"the right to castle {right!r} needs the king on {king} and a rook on {corner}"
    if board.en_passant is not None and not _passed(board, board.en_passant):
        return f"no pawn has just passed {board.en_passant}"
    if any(board.attackers(board.king(other(board.colour)), board.colour)):
        return "the side that is not to move is in check"
    return None


def _passed(board: Board, square: Square) -> bool:
    """Whether a pawn of the side that moved last can have made a double step over the square."""
    white = board.colour == "white"
    start, end = (square[0] + "7", square[0] + "5") if white else (square[0] + "2", square[0] + "4")
    pawn = "p" if white else "P"
    right_rank = square[1] == ("6" if white else "3")
    return right_rank and board.pieces.get(end) == pawn and not {start, square} & board.pieces.keys()
