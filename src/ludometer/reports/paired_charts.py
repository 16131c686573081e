"""Charts of comparisons: changes as lollipops, and groups of bars."""

from __future__ import annotations

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
    axis,
    canvas,
    label,
    line,
    name_width,
    named,
    short_names,
    shortened,
    whisker,
)

__all__ = ["bars_chart", "lollipops_chart"]

Row = Mapping[str, Any]

_STEP: Final = 28.0
_BAR: Final = 20.0
_HEAD: Final = 26.0
_LETTER: Final = 6.6


def lollipops_chart(title: str, words: str, rows: Sequence[Row]) -> Markup | None:
    """Changes below one another, each a stick from zero to a head, with its interval; None without any.

    Gains and losses have colours of their own.

    Args:
        title: for those who cannot see it.
        words: below the axis.
        rows: ``name``, ``value``, ``low`` and ``high`` (None: not known), and ``n``, the sample size in words.
    """
    rows = [row for row in rows if row["value"] is not None]
    if not rows:
        return None
    short = short_names([row["name"] for row in rows])
    shown = [f"{round(row['value']) + 0.0:+,.0f}  ({row['n']})" for row in rows]
    right = 24 + _LETTER * max(map(len, shown))
    left, bottom = name_width(short.values()), TOP + _STEP * len(rows)
    ends = [row[key] for row in rows for key in ("value", "low", "high") if row[key] is not None]
    scale = Scale.around([0.0, *ends], left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, words)]
    parts.append(line(scale(0), TOP - 8, scale(0), bottom, kind="muted", width=1.5))
    for i, (row, said) in enumerate(zip(rows, shown, strict=True)):
        y, kind = TOP + _STEP * (i + 0.5), "one" if row["value"] >= 0 else "two"
        parts.append(named(row["name"], short[row["name"]], y, left))
        parts.append(line(scale(0), y, scale(row["value"]), y, kind=kind, width=4))
        if row["low"] is not None and row["high"] is not None:
            parts += whisker(scale, row["low"], row["high"], y)
        parts.append(element("circle", cx=scale(row["value"]), cy=y, r=6, class_=f"f-{kind}", fill=COLORS[kind]))
        parts.append(label(WIDTH - right + 12, y, said, kind="muted"))
    return canvas(WIDTH, bottom + AXIS, title, *parts)


def bars_chart(title: str, words: str, rows: Sequence[Row]) -> Markup | None:
    """Bars of shares in groups, with their intervals; None without any.

    Args:
        title: for those who cannot see it.
        words: below the axis.
        rows: ``group``, ``name`` (of the bar, the same colour in every group), ``value`` in [0, 1], ``low`` and
            ``high`` (None: not known), and ``n``, the sample size in words.
    """
    rows = [row for row in rows if row["value"] is not None]
    if not rows:
        return None
    groups = list(dict.fromkeys(row["group"] for row in rows))
    names = list(dict.fromkeys(row["name"] for row in rows))
    short = short_names(names)
    shown = [f"{100 * row['value']:.1f}%  ({row['n']})" for row in rows]
    left, right = name_width(short.values()), 24 + _LETTER * max(map(len, shown))
    bottom = TOP + (_HEAD + 8) * len(groups) + _BAR * len(rows)
    scale = Scale(0.0, 1.0, left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, words, percent=True)]
    y = TOP
    for group in groups:
        parts.append(element("g", element("title", group), label(scale.start, y + 12, shortened(group, 40))))
        y += _HEAD
        for row, said in ((row, said) for row, said in zip(rows, shown, strict=True) if row["group"] == group):
            middle, color = y + _BAR / 2, SERIES[names.index(row["name"]) % len(SERIES)]
            parts.append(named(row["name"], short[row["name"]], middle, left))
            width = scale(row["value"]) - scale.start
            bar = {"x": scale.start, "y": middle - 7, "width": width, "height": 14, "rx": 2}
            parts.append(element("rect", fill=color, fill_opacity=0.75, **bar))
            if row["low"] is not None and row["high"] is not None:
                parts += whisker(scale, row["low"], row["high"], middle)
            parts.append(label(scale.end + 12, middle, said, kind="muted"))
            y += _BAR
        y += 8
    return canvas(WIDTH, bottom + AXIS, title, *parts)
