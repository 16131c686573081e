"""The heat map of the correlations between metrics, as SVG source."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

import pandas as pd

__all__ = ["heat_map"]

_CELL_WIDTH, _CELL_HEIGHT = 70, 34
_LEFT, _TOP, _END = 76, 40, 16
_FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
_POSITIVE, _NEGATIVE = (47, 111, 181), (208, 122, 31)
_INK, _MISSING = "#1d2733", "#eef1f5"


def heat_map(matrix: pd.DataFrame, title: str) -> str:
    """A square matrix of correlations: blue for positive, orange for negative ones, the stronger the fuller.

    Args:
        matrix: shape (n, n) with values in [-1, 1], or missing; its index and columns are written beside it.
        title: for those who cannot see it.
    """
    names = [escape(str(name)) for name in matrix.columns]
    width, height = _LEFT + _CELL_WIDTH * len(names) + _END, _TOP + _CELL_HEIGHT * len(names) + _END
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{_FONT}" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for i, name in enumerate(names):
        parts.append(_text(_LEFT + _CELL_WIDTH * (i + 0.5), _TOP - 14, name, "middle"))
        parts.append(_text(_LEFT - 10, _TOP + _CELL_HEIGHT * (i + 0.5), name, "end"))
    for i, row in enumerate(matrix.to_numpy(dtype=float).tolist()):
        for j, value in enumerate(row):
            parts += _cell(_LEFT + _CELL_WIDTH * j, _TOP + _CELL_HEIGHT * i, value)
    return "".join([*parts, "</svg>"])


def _cell(x: float, y: float, value: float) -> list[str]:
    known = math.isfinite(value)
    fill = _shade(value) if known else _MISSING
    words = f"{value:+.2f}".replace("-", "\N{MINUS SIGN}") if known else "–"
    box = f'<rect x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="3" fill="{fill}"/>'
    colour = "#ffffff" if known and value > 0.85 else _INK  # what can be read on the fill
    return [box, _text(x + _CELL_WIDTH / 2, y + _CELL_HEIGHT / 2, words, "middle", colour)]


def _shade(value: float) -> str:
    full = _POSITIVE if value >= 0 else _NEGATIVE
    share = min(1.0, abs(value))
    return "#" + "".join(f"{round(255 + (part - 255) * share):02x}" for part in full)


def _text(x: float, y: float, words: str, anchor: str, colour: str = _INK) -> str:
    return f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="{anchor}" fill="{colour}">{words}</text>'
