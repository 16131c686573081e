"""Charts that any section can have: estimates with their intervals, and values over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.svg import (
    AXIS,
    COLORS,
    SERIES,
    TOP,
    WIDTH,
    Scale,
    apart,
    axis,
    canvas,
    label,
    line,
    name_width,
    named,
    short_names,
    whisker,
)

__all__ = ["lines_chart", "whiskers_chart"]

Row = Mapping[str, Any]

_STEP: Final = 28.0
_HEIGHT: Final = 240.0
_MOST_LINES: Final = len(SERIES)


def whiskers_chart(title: str, words: str, rows: Sequence[Row], *, zero: float | None = None) -> Markup | None:
    """Estimates below one another; None without any.

    Args:
        title: for those who cannot see it.
        words: below the axis.
        rows: ``name``, ``value``, ``low`` and ``high`` (None: not known), and ``n``, the sample size in words.
        zero: where a line is drawn that says what nothing, or chance, is.
    """
    rows = [row for row in rows if row["value"] is not None]
    if not rows:
        return None
    short = short_names([row["name"] for row in rows])
    ends = _ends(rows, zero)
    digits = _digits([row["value"] for row in rows])
    right = 24 + 6.6 * max(len(_words(row, digits)) for row in rows)
    left, bottom = name_width(short.values()), TOP + _STEP * len(rows)
    scale = Scale.around(ends, left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, words)]
    if zero is not None:
        parts.append(line(scale(zero), TOP - 8, scale(zero), bottom, kind="muted", width=1.5))
    for i, row in enumerate(rows):
        y = TOP + _STEP * (i + 0.5)
        parts.append(named(row["name"], short[row["name"]], y, left))
        if row["low"] is not None and row["high"] is not None:
            parts += whisker(scale, row["low"], row["high"], y, "one")
        parts.append(element("circle", cx=scale(row["value"]), cy=y, r=4.5, class_="f-one", fill=COLORS["one"]))
        parts.append(label(WIDTH - right + 12, y, _words(row, digits), kind="muted"))
    return canvas(WIDTH, bottom + AXIS, title, *parts)


def _words(row: Row, digits: int) -> str:
    value = f"{round(row['value'], digits) + 0.0:,.{digits}f}"  # never -0
    return f"{value}  ({row['n']})" if row["n"] else value


def _digits(values: Sequence[float]) -> int:
    """Decimals that leave the largest value three digits, four decimals at most."""
    largest = max(abs(value) for value in values)
    return min(4, max(0, 2 - math.floor(math.log10(largest)))) if largest else 0


def _ends(rows: Sequence[Row], zero: float | None) -> list[float]:
    """What the axis must hold. The interval of two groups can be endless: a whisker may go on beyond the edge."""
    values = [row["value"] for row in rows] + ([] if zero is None else [zero])
    room = 3.0 * (max(values) - min(values) or abs(values[0]) or 1.0)
    lows = [max(row["low"], min(values) - room) for row in rows if row["low"] is not None]
    highs = [min(row["high"], max(values) + room) for row in rows if row["high"] is not None]
    return [*values, *lows, *highs]


def lines_chart(
    title: str,
    x_words: str,
    y_words: str,
    series: Mapping[str, Sequence[Sequence[float]]],
    *,
    low: float | None = None,
    high: float | None = None,
) -> Markup | None:
    """Values over time, a line per name; None without a point. At most ten lines, which is what colours can tell apart.

    Args:
        title: for those who cannot see it.
        x_words, y_words: along the axes.
        series: by name, the points (x, y) in order.
        low, high: ends of the vertical axis; None fits them to the points.
    """
    drawn = dict([(name, points) for name, points in series.items() if points][:_MOST_LINES])
    if not drawn:
        return None
    short = short_names(list(drawn))
    left, right, top = 60.0, name_width(short.values()) + 12, TOP + 20
    bottom = top + _HEIGHT
    every = [point for points in drawn.values() for point in points]
    ends = [*(y for _, y in every), *(end for end in (low, high) if end is not None)]
    x = Scale.around([x for x, _ in every], left, WIDTH - right)
    y = Scale.around(ends, bottom, top)
    parts: list[Child] = [*axis(x, bottom, x_words, top=top), label(8, TOP, y_words, kind="muted")]
    for tick in y.ticks():
        parts.append(line(left, y(tick), x.end, y(tick), kind="grid"))
        parts.append(label(left - 8, y(tick), f"{tick:g}", anchor="end", kind="muted"))
    places = apart([y(points[-1][1]) for points in drawn.values()], 16.0, bottom)
    for (name, points), color, place in zip(drawn.items(), SERIES, places, strict=False):
        path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in points)
        parts.append(element("polyline", points=path, fill="none", stroke=color, stroke_width=1.8))
        parts.append(element("rect", x=x.end + 10, y=place - 5, width=10, height=10, rx=2, fill=color))
        parts.append(element("g", element("title", name), label(x.end + 26, place, short[name])))
    return canvas(WIDTH, bottom + AXIS, title, *parts)
