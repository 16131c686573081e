"""How a chess position is shown: as FEN, as a drawing in text, as moves, and as a picture with pieces of our own."""

from __future__ import annotations

from collections.abc import Mapping

from ludometer.core import Observation, View
from ludometer.games._chess_board import START, read_fen
from ludometer.games._chess_pgn import move_text
from ludometer.games._places import Place

__all__ = ["VIEWS", "picture"]


def _fen(observation: Observation) -> str:
    return str(observation.data["fen"])


def _ascii(observation: Observation) -> str:
    fen = _fen(observation)
    board = read_fen(fen)
    lines = [f"{row} " + " ".join(board.pieces.get(column + row, ".") for column in "abcdefgh") for row in "87654321"]
    lines.append("  a b c d e f g h")
    lines.append(f"{board.colour.capitalize()} is to move.")
    lines += [f"{side} may still castle: {_rights(board.castling, side)}." for side in ("White", "Black")]
    lines.append(f"En passant square: {board.en_passant or 'none'}.")
    lines.append(f"Halfmoves since the last capture or pawn move: {fen.split()[4]}.")
    return "\n".join(lines)


def _rights(castling: str, side: str) -> str:
    own = [right for right in castling if right.isupper() == (side == "White")]
    return " and ".join("kingside" if right in "Kk" else "queenside" for right in own) or "no"


def _moves(observation: Observation) -> str:
    start, moves = observation.data["start"], observation.data["moves"]
    lines = [] if start == START else [f"Start position (FEN): {start}"]
    lines.append(move_text(start, moves) or "No move has been played.")
    return "\n".join(lines)


def _pgn(observation: Observation) -> str:
    start, moves = observation.data["start"], observation.data["moves"]
    headers = ['[Result "*"]'] if start == START else ['[Result "*"]', '[SetUp "1"]', f'[FEN "{start}"]']
    return "\n".join([*headers, "", f"{move_text(start, moves)} *".strip()])


def _picture(observation: Observation) -> str:
    return picture(observation)


VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "fen",
            lambda o: (
                "The position is given in Forsyth-Edwards Notation (FEN): the pieces rank by rank from the eighth to "
                "the first, with capital letters for White, small letters for Black and digits for empty squares; "
                "then the side to move, the castling rights, the en passant square, the number of halfmoves since the "
                "last capture or pawn move, and the number of the move. The position now is:"
            ),
            _fen,
        ),
        View(
            "ascii",
            lambda o: (
                "The board is drawn as text, seen from White's side. Capital letters are White's pieces, small letters "
                "Black's (k king, q queen, r rook, b bishop, n knight, p pawn), and a dot is an empty square. The "
                "digits at the left are the ranks, the letters at the bottom the files. The position now is:"
            ),
            _ascii,
        ),
        View(
            "moves",
            lambda o: (
                "The game is given as the list of all moves so far, in standard algebraic notation with move numbers. "
                "The moves so far are:"
            ),
            _moves,
        ),
        View("pgn", lambda o: "The game so far is given in Portable Game Notation (PGN):", _pgn),
        View(
            "image",
            lambda o: (
                "The position is shown in the attached picture, seen from White's side, with files a to h from left "
                "to right and ranks 1 to 8 from bottom to top. The squares of the latest move are coloured, and so is "
                "the square of a king in check. The position now is:"
            ),
            _picture,
            kind="image",
        ),
    )
}


# -------------------------------------------------------------------- picture

_SQUARE = 80
_MARGIN = 30
_SIZE = 8 * _SQUARE + 2 * _MARGIN
_BACK, _LIGHT, _DARK, _LAST, _CHECK = "#ffffff", "#efe3cb", "#b48f68", "#f2d24b", "#e0604f"
_INK, _PAPER = "#1c1c1c", "#ffffff"

# Outlines in a box of 100 by 100, feet at 88. Drawn for this project: no font is needed.
_OUTLINES = {
    "P": "M27 88V81C27 73 33 70 38 67C41 60 42 53 43 48H37V42H42A14 14 0 1 1 58 42H63V48H57C58 53 59 60 62 67"
    "C67 70 73 73 73 81V88Z",
    "R": "M23 88V79L31 72L34 45L27 38V18H38V26H45V18H55V26H62V18H73V38L66 45L69 72L77 79V88Z",
    "B": "M24 88V81L41 74L39 66C27 57 28 43 42 29A8 8 0 1 1 58 29C72 43 73 57 61 66L59 74L76 81V88Z",
    "N": "M30 88V80C31 66 45 62 48 51C41 55 37 57 33 62C29 67 20 64 19 57C20 50 27 44 31 34C34 26 41 22 46 21L49 12"
    "L57 20C73 26 79 46 79 70V88Z",
    "Q": "M27 88V79L31 70L19 37A5 5 0 1 1 24 34L35 54L35 29A5 5 0 1 1 39 29L47 52L48 24A5 5 0 1 1 52 24L53 52L61 29"
    "A5 5 0 1 1 65 29L65 54L76 34A5 5 0 1 1 81 37L69 70L73 79V88Z",
    "K": "M27 88V79L32 70C13 58 15 36 33 36C41 36 45 40 47 44V28H39V20H47V12H53V20H61V28H53V44C55 40 59 36 67 36"
    "C85 36 87 58 68 70L73 79V88Z",
}
_DETAILS = {
    "P": "",
    "R": "M36 45H64M32 72H68",
    "B": "M50 38V56M42 46H58M41 74H59",
    "N": "M41 34L46 36",
    "Q": "M33 71C44 67 56 67 67 71M30 79H70",
    "K": "M50 44V62M32 70C44 66 56 66 68 70M30 79H70",
}
_GLYPHS = {
    "a": "M1 4H6V10M6 6H2L0 8L2 10H6",
    "b": "M0 0V10H5L6 9V5L5 4H0",
    "c": "M6 4H1L0 5V9L1 10H6",
    "d": "M6 0V10H1L0 9V5L1 4H6",
    "e": "M0 7H6V5L5 4H1L0 5V9L1 10H6",
    "f": "M5 0H3L2 1V10M0 4H5",
    "g": "M6 10H1L0 9V5L1 4H6V12L5 13H0",
    "h": "M0 0V10M0 5L1 4H5L6 5V10",
    "1": "M1 2L3 0V10M1 10H5",
    "2": "M0 2L2 0H4L6 2V4L0 10H6",
    "3": "M0 1L1 0H5L6 1V4L5 5H2M5 5L6 6V9L5 10H1L0 9",
    "4": "M5 10V0L0 7H6",
    "5": "M6 0H0V4H5L6 5V9L5 10H0",
    "6": "M5 0H2L0 2V9L1 10H5L6 9V6L5 5H0",
    "7": "M0 0H6L2 10",
    "8": "M1 5L0 4V1L1 0H5L6 1V4L5 5H1L0 6V9L1 10H5L6 9V6L5 5",
}


def picture(observation: Observation) -> str:
    """The position as SVG, seen from White's side: paths only, so that it looks the same without any font."""
    data = observation.data
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" width="{_SIZE}" height="{_SIZE}" '
        f'role="img" aria-label="chess position">',
        f'<path d="M0 0H{_SIZE}V{_SIZE}H0Z" fill="{_BACK}"/>',
        f'<path d="{_tile("a8", 8)}" fill="{_LIGHT}"/>',
        f'<path d="{_DARK_TILES}" fill="{_DARK}"/>',
    ]
    parts += [f'<path d="{_tile(square)}" fill="{_LAST}" fill-opacity="0.65"/>' for square in data["last"] or ()]
    if data["check"]:
        parts.append(f'<path d="{_tile(data["check"])}" fill="{_CHECK}" fill-opacity="0.8"/>')
    parts.append(_LABELS)
    parts += [_piece(letter, square) for square, letter in read_fen(data["fen"]).pieces.items()]
    parts.append("</svg>")
    return "".join(parts)


def _corner(square: str) -> tuple[int, int]:
    return _MARGIN + (ord(square[0]) - 97) * _SQUARE, _MARGIN + (8 - int(square[1])) * _SQUARE


def places() -> list[Place]:
    """The squares of the picture; what stands on them is in the position."""
    squares = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]
    return [Place(square, *_corner(square), _SQUARE, _SQUARE, "") for square in squares]


def _tile(square: str, squares: int = 1) -> str:
    x, y = _corner(square)
    side = squares * _SQUARE
    return f"M{x} {y}h{side}v{side}h-{side}z"


def _piece(letter: str, square: str) -> str:
    x, y = _corner(square)
    kind, white = letter.upper(), letter.isupper()
    fill, line = (_PAPER, _INK) if white else (_INK, _PAPER)
    # The edge is dark on both sides; details show on it in the other colour.
    shape = f'<path d="{_OUTLINES[kind]}" fill="{fill}" stroke="{_INK}"/>'
    detail = f'<path d="{_DETAILS[kind]}" fill="none" stroke="{line}"/>' if _DETAILS[kind] else ""
    scale = _SQUARE / 100
    return (
        f'<g transform="translate({x} {y - 1}) scale({scale:g})" stroke-width="4" stroke-linejoin="round" '
        f'stroke-linecap="round">{shape}{detail}</g>'
    )


def _glyph(character: str, x: float, y: float) -> str:
    return (
        f'<path transform="translate({x:g} {y:g}) scale(1.2)" d="{_GLYPHS[character]}" fill="none" stroke="#444444" '
        f'stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _labels() -> str:
    middle = _SQUARE / 2 - 4
    files = [_glyph(f, _MARGIN + i * _SQUARE + middle, _SIZE - _MARGIN + 7) for i, f in enumerate("abcdefgh")]
    ranks = [_glyph(r, 11, _MARGIN + i * _SQUARE + middle - 2) for i, r in enumerate("87654321")]
    return "".join(files + ranks)


_DARK_TILES = "".join(_tile(f"{'abcdefgh'[c]}{r + 1}") for c in range(8) for r in range(8) if (c + r) % 2 == 0)
_LABELS = _labels()
