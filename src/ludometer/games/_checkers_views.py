"""Checkers: the board's geometry, its views and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludometer.core import Observation, Seat, View
from ludometer.games._places import Place

__all__ = ["QUIET_LIMIT", "SQUARES", "VIEWS", "fen", "name_of", "number", "place", "places", "svg"]

QUIET_LIMIT = 40
"""Single moves in a row without a capture after which OpenSpiel ends the game as a draw."""


def number(row: int, column: int) -> int:
    """Number of a dark square, by row from the top and column from the left, both from 0."""
    return (7 - row) * 4 + (7 - column) // 2 + 1


def place(square: int) -> tuple[int, int]:
    """Row from the top and column from the left."""
    rank, right = divmod(square - 1, 4)
    return 7 - rank, 6 + rank % 2 - 2 * right


def name_of(square: int) -> str:
    """OpenSpiel's name of a square."""
    row, column = place(square)
    return f"{'abcdefgh'[column]}{8 - row}"


SQUARES = {name_of(square): square for square in range(1, 33)}
"""Squares by OpenSpiel's names."""


def fen(squares: str, turn: Seat | None) -> str:
    """A position in PDN's own form of FEN; ``squares`` has one letter for each of the squares 1 to 32."""
    sides = []
    for seat, own in (("W", "wW"), ("B", "bB")):
        pieces = [f"{'K' if p.isupper() else ''}{i + 1}" for i, p in enumerate(squares) if p in own]
        sides.append(seat + ",".join(pieces))
    return ":".join([(turn or "?")[0], *sides])


# -------------------------------------------------------------------- views


def _status(observation: Observation, *, letters: bool = False) -> str:
    data = observation.data
    last = data["moves"][-1] if data["moves"] else None
    if last is not None and letters:
        last = ("-" if data["without_capture"] else "x").join(map(name_of, data["last"]))
    said = "" if last is None else f"The last move was {last}. "
    return f"{said}Moves in a row without a capture: {data['without_capture']} (draw at {QUIET_LIMIT})."


def _grid(squares: Sequence[str]) -> list[list[str | None]]:
    """Rows from the top: the square's number as text for dark squares, None for light ones."""
    grid: list[list[str | None]] = [[None] * 8 for _ in range(8)]
    for square in range(1, len(squares) + 1):
        row, column = place(square)
        grid[row][column] = str(square)
    return grid


def _render_board(observation: Observation) -> str:
    squares = observation.data["squares"]
    lines = []
    for row in _grid(squares):
        cells = ["--" if cell is None else cell + squares[int(cell) - 1].strip(".") for cell in row]
        lines.append(" ".join(cell.ljust(3) for cell in cells).rstrip())
    return "\n".join([*lines, "", _status(observation)])


def _render_squares(observation: Observation) -> str:
    squares = observation.data["squares"]
    lines = []
    for i, row in enumerate(_grid(squares)):
        lines.append(f"{8 - i} " + " ".join("-" if cell is None else squares[int(cell) - 1] for cell in row))
    return "\n".join([*lines, "  a b c d e f g h", "", _status(observation, letters=True)])


def _render_fen(observation: Observation) -> str:
    data = observation.data
    return f"{fen(''.join(data['squares']), data['turn'])}\n\n{_status(observation)}"


_SIZE = 64
_COLOURS = {"b": ("#2b2b2b", "#777777"), "w": ("#f7f3e8", "#8a8375")}


def svg(observation: Observation) -> str:
    """The board from Black's side, with the number of every dark square in its corner."""
    edge, middle = 8 * _SIZE, _SIZE // 2
    squares, last = observation.data["squares"], observation.data["last"]
    corners = {i + 1: (place(i + 1)[1] * _SIZE, place(i + 1)[0] * _SIZE) for i in range(32)}
    dark = "".join(f"M{x} {y}h{_SIZE}v{_SIZE}h-{_SIZE}Z" for x, y in corners.values())
    moved = "".join(f"M{x} {y}h{_SIZE}v{_SIZE}h-{_SIZE}Z" for x, y in map(corners.__getitem__, last))
    way = "L".join(f"{x + middle} {y + middle}" for x, y in map(corners.__getitem__, last))
    numbers = "".join(f'<text x="{x + 4}" y="{y + 15}">{square}</text>' for square, (x, y) in corners.items())
    pieces = "".join(
        _piece_svg(piece, x + middle + 3, y + middle + 4)
        for piece, (x, y) in zip(squares, corners.values(), strict=True)
        if piece != "."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {edge + 16} {edge + 16}" width="{edge + 16}" '
        f'height="{edge + 16}" role="img" aria-label="checkers board">'
        f'<rect x="-8" y="-8" width="{edge + 16}" height="{edge + 16}" fill="#4a3524"/>'
        f'<rect width="{edge}" height="{edge}" fill="#f0dcb8"/><path d="{dark}" fill="#8a9a6b"/>'
        + (f'<path d="{moved}" fill="#c9a227"/>' if last else "")
        + (f'<path d="M{way}" fill="none" stroke="#b5442e" stroke-width="4"/>' if last else "")
        + f'<g font-family="sans-serif" font-size="14" font-weight="bold" fill="#1d2411">{numbers}</g>{pieces}</svg>'
    )


_HOLDS = {"b": "black man", "B": "black king", "w": "white man", "W": "white king", ".": "empty"}


def places(observation: Observation) -> list[Place]:
    """The dark squares of the picture, by their numbers."""
    found = []
    for number_, piece in enumerate(observation.data["squares"], 1):
        row, column = place(number_)
        found.append(Place(str(number_), column * _SIZE, row * _SIZE, _SIZE, _SIZE, _HOLDS[piece]))
    return found


def _piece_svg(piece: str, x: int, y: int) -> str:
    fill_colour, ring = _COLOURS[piece.lower()]
    drawn = (
        f'<circle cx="{x}" cy="{y}" r="24" fill="{fill_colour}" stroke="#141414" stroke-width="1.5"/>'
        f'<circle cx="{x}" cy="{y}" r="19" fill="none" stroke="{ring}" stroke-width="2"/>'
    )
    if piece.isupper():
        crown = f"M{x - 13} {y + 9}L{x - 15} {y - 9}L{x - 6} {y - 1}L{x} {y - 13}L{x + 6} {y - 1}L{x + 15} {y - 9}"
        drawn += f'<path d="{crown}L{x + 13} {y + 9}Z" fill="#e0b020" stroke="#5c4300" stroke-width="1.5"/>'
    return drawn


_SIDES = "b and w are men of Black and White, B and W their kings"
VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "board",
            lambda o: (
                "The board is drawn as text from Black's side, one line per row. Every dark square shows its number "
                f"and, behind it, the piece on it, if any: {_SIDES}; -- is a light square. The board now is:"
            ),
            _render_board,
        ),
        View(
            "squares",
            lambda o: (
                "The board is drawn as text from Black's side, with columns a to h and rows 1 to 8 (so Black's men "
                f"start on rows 1 to 3 and White's on rows 6 to 8). {_SIDES}, . is an empty dark square and - a light "
                "square. A square is named by its column and row; these names stand for the numbers. The board now is:"
            ),
            _render_squares,
            notation="algebraic",
        ),
        View(
            "fen",
            lambda o: (
                "The position is written in the FEN form of Portable Draughts Notation: the side to move (B or W), "
                "then the squares of White's and of Black's pieces, K marking a king. Squares are numbered row by row "
                "from Black's side of the board, four to a row. The position now is:"
            ),
            _render_fen,
        ),
        View(
            "image",
            lambda o: (
                "The board is shown in the attached picture, from Black's side. The number of every dark square stands "
                "in its corner, kings wear a crown, and the squares of the last move are highlighted. The board now is:"
            ),
            svg,
            kind="image",
        ),
    )
}
