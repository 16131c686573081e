"""Figures of what the settings change, of performance by game, and of effort against performance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.svg import (
    AXIS,
    COLORS,
    SERIES,
    TOP,
    WIDTH,
    LogScale,
    Scale,
    axis,
    canvas,
    label,
    line,
    name_width,
    named,
    short_names,
    whisker,
)

__all__ = ["effect_figure", "effort_figure", "performance_figure", "signed"]

Row = Mapping[str, Any]

_SMALL = 540.0
"""Width of a figure of which two stand side by side."""


def signed(row: Row, value: float) -> str:
    """A difference in its measure's unit: shares in percentage points."""
    if row["share"]:
        return f"{100 * value:+.1f}"
    size = abs(value)
    return f"{value:+,.0f}" if size >= 100 else f"{value:+.1f}" if size >= 10 else f"{value:+.2g}"


def effect_figure(rows: Sequence[Row]) -> Markup | None:
    """Effects of a factor's levels on one measure against the first level, with 95% intervals.

    Args:
        rows: of one factor and measure; None is returned where there is no pair.
    """
    drawn = [row for row in rows if row["difference"] is not None]
    if not drawn:
        return None
    first = drawn[0]
    factor = 100.0 if first["share"] else 1.0
    short = short_names([row["entrant"] for row in drawn], 24)
    levels = short_names([row["level"] for row in drawn], 24)
    left, right, step = max(name_width(short.values()), name_width(levels.values())), 96.0, 36.0
    bottom = TOP + step * len(drawn)
    ends = [row[key] * factor for row in drawn for key in ("difference", "low", "high") if row[key] is not None]
    scale = Scale.around([0.0, *ends], left + 8, _SMALL - right)
    unit = " (percentage points)" if first["share"] else ""
    parts: list[Child] = [*axis(scale, bottom, f"change in {first['title']}{unit}")]
    parts.append(line(scale(0), TOP - 8, scale(0), bottom, kind="muted"))
    for i, row in enumerate(drawn):
        y = TOP + step * (i + 0.5)
        kind = "two" if row["entrant"] == "all" else "one"
        parts.append(named(row["entrant"], short[row["entrant"]], y - 8, left))
        parts.append(label(left - 10, y + 8, levels[row["level"]], anchor="end", kind="muted", font_size=11))
        if row["low"] is not None:
            parts += whisker(scale, row["low"] * factor, row["high"] * factor, y, kind)
        x = scale(row["difference"] * factor)
        parts.append(element("circle", cx=x, cy=y, r=4.5, class_=f"f-{kind}", fill=COLORS[kind]))
        words = f"{signed(row, row['difference'])}"
        parts.append(label(_SMALL - right + 12, y - 7, words))
        parts.append(label(_SMALL - right + 12, y + 8, f"{row['pairs']} pairs", kind="muted", font_size=11))
    title = f"Effect of {first['factor']} on {first['title']}, against {first['baseline']}"
    return canvas(_SMALL, bottom + AXIS, title, *parts)


# ----------------------------------------------------------------- performance


def performance_figure(rows: Sequence[Row]) -> Markup | None:
    """Score rate of every entrant in every game, grouped by game, with 95% intervals, and a line where it were if all
    seats were equal."""
    if not any(row["games"] for row in rows):
        return None
    games = list(dict.fromkeys(row["game"] for row in rows))
    names = list(dict.fromkeys(row["entrant"] for row in rows))
    short = short_names(names)
    left, right, step, head = name_width(short.values()), 130.0, 20.0, 24.0
    bottom = TOP + len(games) * (head + 10) + step * len(rows)
    scale = Scale(0.0, 1.0, left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, "performance: score rate with 95% interval", percent=True)]
    halves = all(row["expected"] in (None, 0.5) for row in rows)
    if halves:
        parts.append(line(scale(0.5), TOP - 8, scale(0.5), bottom, kind="muted"))
    y = TOP
    for game in games:
        parts.append(label(scale.start, y + 10, game, font_weight="600"))
        y += head
        for row in (row for row in rows if row["game"] == game):
            parts.append(named(row["entrant"], short[row["entrant"]], y + step / 2, left))
            parts += _performance(scale, row, y + step / 2, SERIES[names.index(row["entrant"]) % len(SERIES)])
            if not halves and row["expected"] is not None:
                parts.append(line(scale(row["expected"]), y, scale(row["expected"]), y + step, width=2))
            y += step
        y += 10
    return canvas(WIDTH, bottom + AXIS, "Performance by game", *parts)


def _performance(scale: Scale, row: Row, y: float, color: str) -> list[Markup]:
    if row["score"] is None:
        return [label(scale.start + 4, y, "no games", kind="muted", font_size=11)]
    width = scale(row["score"]) - scale.start
    words = f"{100 * row['score']:.1f}%  (n = {row['games']})"
    return [
        element("rect", x=scale.start, y=y - 6, width=width, height=12, rx=2, fill=color, fill_opacity=0.75),
        *whisker(scale, row["low"], row["high"], y),
        label(scale.end + 12, y, words, kind="muted"),
    ]


# ---------------------------------------------------------------------- effort


def effort_figure(rows: Sequence[Row]) -> Markup | None:
    """Tokens per move against score rate, with 95% intervals of both; None with fewer than two points.

    Filled circles are reasoning tokens, open squares output tokens; settings of one entrant are joined by a line.
    """
    drawn = [row for row in rows if row["tokens"] and row["score"] is not None]
    if len(drawn) < 2:
        return None
    names = list(dict.fromkeys(row["entrant"] for row in drawn))
    short = short_names(names)
    right, height = name_width(short.values()) + 30, 330.0
    bottom = TOP + height
    ends = [max(row[key], row["tokens"] / 10) for row in drawn for key in ("tokens", "tokens_low", "tokens_high")
            if row[key] is not None]  # fmt: skip
    x = LogScale.around(ends, 64, WIDTH - right)
    y = Scale(0.0, 1.0, bottom, TOP)
    parts: list[Child] = [*axis(x, bottom, "mean tokens per move (log scale)")]
    for tick in y.ticks():
        parts.append(line(x.start, y(tick), x.end, y(tick), kind="grid"))
        parts.append(label(56, y(tick), f"{100 * tick:g}%", anchor="end", kind="muted"))
    turned = {"transform": f"rotate(-90 14 {(TOP + bottom) / 2:g})"}
    parts.append(label(14, (TOP + bottom) / 2, "score rate", anchor="middle", kind="muted", **turned))
    for i, name in enumerate(names):
        color = SERIES[i % len(SERIES)]
        mine = sorted((row for row in drawn if row["entrant"] == name), key=lambda row: float(row["tokens"]))
        points = " ".join(f"{x(row['tokens']):.1f},{y(row['score']):.1f}" for row in mine)
        parts.append(
            element("polyline", points=points, fill="none", stroke=color, stroke_width=1.2, stroke_dasharray="3 3")
        )
        for row in mine:
            parts += _point(x, y, row, color)
        at = TOP + 10 + 20 * i
        parts.append(element("rect", x=x.end + 14, y=at - 5, width=10, height=10, rx=2, fill=color))
        parts.append(element("g", element("title", name), label(x.end + 30, at, short[name])))
    parts += _settings(x, y, drawn)
    return canvas(WIDTH, bottom + AXIS, "Tokens per move against score rate", *parts)


def _point(x: LogScale, y: Scale, row: Row, color: str) -> list[Markup]:
    cx, cy = x(row["tokens"]), y(row["score"])
    parts: list[Markup] = []
    for ends in (
        None if row["tokens_low"] is None else (x(row["tokens_low"]), cy, x(row["tokens_high"]), cy),
        None if row["score_low"] is None else (cx, y(row["score_low"]), cx, y(row["score_high"])),
    ):
        if ends is not None:
            x1, y1, x2, y2 = ends
            parts.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=color, stroke_width=1.3))
    words = f"{row['entrant']}, {row['setting'] or 'as it is'}: {row['tokens']:.0f} {row['kind']} tokens, n = "
    title = element("title", f"{words}{row['games']} games")
    if row["kind"] == "reasoning":
        parts.append(element("circle", title, cx=cx, cy=cy, r=5, fill=color))
    else:
        outline: dict[str, str | float] = {"class_": "f-bg", "fill": "#ffffff", "stroke": color, "stroke_width": 2.0}
        parts.append(element("rect", title, x=cx - 5, y=cy - 5, width=10, height=10, **outline))
    return parts


def _settings(x: LogScale, y: Scale, rows: Sequence[Row]) -> list[Markup]:
    """The settings beside their points, moved down where they would cover each other."""
    taken: list[tuple[float, float]] = []
    parts: list[Markup] = []
    for row in sorted(rows, key=lambda row: -float(row["score"])):
        words = re.sub(r"(^|, )\w+ = ", r"\1", row["setting"])  # the values: the title has the names too
        cx, at = x(row["tokens"]), y(row["score"]) - 11
        while any(abs(cx - x2) < 90 and abs(at - y2) < 12 for x2, y2 in taken):
            at += 12
        taken.append((cx, at))
        beside = "end" if cx > x.end - 90 else "start"
        place = cx - 8 if beside == "end" else cx + 8
        parts.append(label(place, at, words[:34], anchor=beside, kind="muted", font_size=11))
    return parts
