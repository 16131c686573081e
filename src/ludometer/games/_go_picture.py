"""Go: the board's picture, and the points of it."""

from __future__ import annotations

from collections.abc import Sequence

from ludometer.games._boards import picture
from ludometer.games._places import Place

__all__ = ["COLUMNS", "places", "svg"]

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Letters of the columns; there is no I."""

_STEP = 40
_HOLDS = {"X": "black stone", "O": "white stone", ".": "empty"}


def svg(board: Sequence[str], last: str | None) -> str:
    """The board with its latest move marked; one character per point, rows from the top."""
    size = len(board)
    edge, end = _STEP * 1.25, _STEP * 1.25 + _STEP * (size - 1)
    at = [edge + _STEP * i for i in range(size)]
    lines = "".join(f"M{edge:g} {y:g}H{end:g}M{y:g} {edge:g}V{end:g}" for y in at)
    parts = [f'<path d="{lines}" stroke="#3b2a14" stroke-width="1.5" fill="none"/>']
    parts.append(_discs([(at[c], at[r]) for r, c in _stars(size)], 4, "#3b2a14"))
    for stone, fill in (("X", "#161616"), ("O", "#fbfbf8")):
        stones = [(at[c], at[r]) for r, line in enumerate(board) for c, found in enumerate(line) if found == stone]
        parts.append(_discs(stones, 18, fill))
    if last is not None and last != "pass":
        x, y = at[COLUMNS.index(last[0])], at[size - int(last[1:])]
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="none" stroke="#d33a2c" stroke-width="3.5"/>')
    near, far = edge * 0.35, end + edge * 0.65
    names = [(x, at[i], str(size - i)) for i in range(size) for x in (near, far)]
    names += [(at[i], y, COLUMNS[i]) for i in range(size) for y in (near, far)]
    texts = "".join(f'<text x="{x:g}" y="{y + 6:g}">{name}</text>' for x, y, name in names)
    parts.append(f'<g font-family="sans-serif" font-size="16" text-anchor="middle" fill="#3b2a14">{texts}</g>')
    return picture(end + edge, end + edge, "Go board", parts, background="#e3b666")


def places(board: Sequence[str]) -> list[Place]:
    """The points of the picture."""
    corner = _STEP * 0.75
    return [
        Place(f"{COLUMNS[c]}{len(board) - r}", corner + c * _STEP, corner + r * _STEP, _STEP, _STEP, _HOLDS[found])
        for r, line in enumerate(board)
        for c, found in enumerate(line)
    ]


def _discs(middles: Sequence[tuple[float, float]], radius: int, fill: str) -> str:
    """Discs of one colour as one path, which keeps the picture small."""
    arc = f"a{radius} {radius} 0 1 0"
    paths = "".join(f"M{x - radius:g} {y:g}{arc} {2 * radius} 0{arc} {-2 * radius} 0" for x, y in middles)
    return f'<path d="{paths}" fill="{fill}" stroke="#161616"/>' if paths else ""


def _stars(size: int) -> list[tuple[int, int]]:
    """The marked points that boards have for the eye."""
    if size < 7:
        return [(size // 2, size // 2)] if size % 2 else []
    near = 2 if size < 13 else 3
    marked = [near, size - 1 - near]
    corners = [(r, c) for r in marked for c in marked]
    middle = size // 2
    if size % 2 == 0:
        return corners
    sides = [(r, c) for r in (near, middle, size - 1 - near) for c in (near, middle, size - 1 - near)]
    return sides if size >= 15 else [*corners, (middle, middle)]
