"""Charts of what a whole is made of (stacked bars), and of how values are spread (violins)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.svg import (
    AXIS,
    COLORS,
    SERIES,
    TOP,
    WIDTH,
    Scale,
    axis,
    canvas,
    label,
    line,
    name_width,
    named,
    short_names,
    shortened,
)

__all__ = ["stacks_chart", "violins_chart"]

Row = Mapping[str, Any]

_STEP: Final = 26.0
_BAR: Final = 16.0
_VIOLIN: Final = 40.0
_LEGEND: Final = 20.0
_REST: Final = "other"
_LETTER: Final = 6.6
_KEY: Final = 60
"""Letters of a key in a legend: the reason for which a match ended is a sentence."""


def stacks_chart(title: str, words: str, rows: Sequence[Row], *, share: bool = False) -> Markup | None:
    """Stacked bars below one another; None where no bar has a part.

    Args:
        title: for those who cannot see it.
        words: below the axis.
        rows: ``name``, ``parts`` (name to value, none below 0) and ``n``, what stands beside the bar. Parts beyond the
            most frequent are one, ``other``, where there are more than ten: more colours could not be told apart.
        share: the axis is of percents and ends at 100.
    """
    rows = [row for row in rows if sum(row["parts"].values()) > 0]
    if not rows:
        return None
    colors = _colors(rows)
    short = short_names([row["name"] for row in rows])
    left, right = name_width(short.values()), 24 + _LETTER * max(len(row["n"]) for row in rows)
    keys = list(_legend(colors, left, WIDTH - 20))
    top = TOP + _LEGEND * (1 + max(line_of for line_of, _, _ in keys))
    bottom = top + _STEP * len(rows)
    totals = [sum(row["parts"].values()) for row in rows]
    scale = Scale(0.0, 1.0, left, WIDTH - right) if share else Scale.around(totals, left, WIDTH - right, zero=True)
    parts: list[Child] = [*axis(scale, bottom, words, percent=share, top=top - 6)]
    for line_of, x, name in keys:
        parts += _key(x, TOP + _LEGEND * line_of, name, colors[name])
    for i, row in enumerate(rows):
        y = top + _STEP * (i + 0.5)
        parts.append(named(row["name"], short[row["name"]], y, left))
        parts += _stack(scale, _merged(row["parts"], colors), colors, y)
        parts.append(label(WIDTH - right + 12, y, row["n"], kind="muted"))
    return canvas(WIDTH, bottom + AXIS, title, *parts)


def _colors(rows: Sequence[Row]) -> dict[str, str]:
    """A colour per part, in the order in which parts first stand (with a value of 0, too)."""
    weight: dict[str, float] = {}
    for row in rows:
        whole = sum(row["parts"].values()) or 1.0
        for name, value in row["parts"].items():
            weight[name] = weight.get(name, 0.0) + value / whole
    if len(weight) <= len(SERIES):
        return dict(zip(weight, SERIES, strict=False))
    rest = COLORS["three"]
    free = [color for color in SERIES if color != rest]
    kept = set(sorted(weight, key=lambda name: -weight[name])[: len(free)]) - {_REST}
    shown = [name for name in weight if name in kept]
    return {**dict(zip(shown, free, strict=False)), _REST: rest}


def _merged(parts: Mapping[str, float], colors: Mapping[str, str]) -> dict[str, float]:
    """The parts in the order of the colours."""
    found = dict.fromkeys(colors, 0.0)
    for name, value in parts.items():
        found[name if name in colors else _REST] += value
    return found


def _stack(scale: Scale, parts: Mapping[str, float], colors: Mapping[str, str], y: float) -> Iterator[Markup]:
    reached = 0.0
    for name, value in parts.items():
        if value > 0:
            start, end = scale(reached), scale(reached + value)
            box = {"x": start, "y": y - _BAR / 2, "width": max(0.0, end - start - 0.5), "height": _BAR}
            yield element("g", element("title", f"{name}: {value:.4g}"), element("rect", **box, fill=colors[name]))
            reached += value


def _legend(colors: Mapping[str, str], start: float, end: float) -> Iterator[tuple[int, float, str]]:
    """Line, place and name of every key."""
    x, row = start, 0
    for name in colors:
        width = 34 + 7 * len(shortened(name, _KEY))
        if x > start and x + width > end:
            x, row = start, row + 1
        yield row, x, name
        x += width


def _key(x: float, y: float, name: str, color: str) -> list[Markup]:
    return [
        element("rect", x=x, y=y - 5, width=10, height=10, rx=2, fill=color),
        element("g", element("title", name), label(x + 16, y, shortened(name, _KEY), kind="muted")),
    ]


# --------------------------------------------------------------------- violins


def violins_chart(title: str, words: str, rows: Sequence[Row]) -> Markup | None:
    """Distributions below one another; None without a value.

    Args:
        title, words: as in `stacks_chart`.
        rows: ``name``, ``values`` and ``n``.
    """
    rows = [row for row in rows if row["values"]]
    if not rows:
        return None
    short = short_names([row["name"] for row in rows])
    left, right = name_width(short.values()), 24 + _LETTER * max(len(row["n"]) for row in rows)
    bottom = TOP + _VIOLIN * len(rows)
    scale = Scale.around([value for row in rows for value in row["values"]], left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, words)]
    for i, row in enumerate(rows):
        y = TOP + _VIOLIN * (i + 0.5)
        parts.append(named(row["name"], short[row["name"]], y, left))
        parts += _violin(scale, sorted(row["values"]), y)
        parts.append(label(WIDTH - right + 12, y, row["n"], kind="muted"))
    return canvas(WIDTH, bottom + AXIS, title, *parts)


def _violin(scale: Scale, values: Sequence[float], y: float) -> Iterator[Markup]:
    outline = _density(values)
    if outline:
        most, half = max(height for _, height in outline), _VIOLIN * 0.42
        upper = [(scale(at), y - half * height / most) for at, height in outline]
        lower = [(scale(at), y + half * height / most) for at, height in reversed(outline)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in (*upper, *lower))
        yield element("polygon", points=path, class_="f-one", fill=COLORS["one"], fill_opacity=0.35)
    for value in values:
        yield element("circle", cx=scale(value), cy=y, r=1.4, class_="f-ink", fill=COLORS["ink"], fill_opacity=0.35)
    low, middle, high = (float(q) for q in np.quantile(np.asarray(values), (0.25, 0.5, 0.75)))
    yield line(scale(low), y, scale(high), y, width=3)
    words = f"median {middle:g}, quartiles {low:g} and {high:g}"
    dot = element("circle", cx=scale(middle), cy=y, r=4, class_="f-bg", fill="#ffffff", stroke=COLORS["ink"])
    yield element("g", element("title", words), dot)


def _density(values: Sequence[float], points: int = 60) -> list[tuple[float, float]]:
    """A Gaussian kernel density with Scott's bandwidth (Multivariate Density Estimation, 1992), between the least and
    the greatest value; nothing where fewer than four values, or equal ones, have no density to speak of."""
    data = np.asarray(values, np.float64)
    spread = float(data.std(ddof=1)) if len(data) > 1 else 0.0
    if len(data) < 4 or not spread or not math.isfinite(spread):
        return []
    width = spread * len(data) ** -0.2
    at = np.linspace(data.min(), data.max(), points)
    height = np.exp(-0.5 * ((at[:, None] - data[None, :]) / width) ** 2).sum(axis=1)
    return [(float(a), float(h)) for a, h in zip(at, height, strict=True)]
