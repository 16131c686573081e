"""The figures, as SVG made by hand: a function per figure, from the rows of `report_data` to markup.

Every axis is labelled, every bar and point carries its sample size, and every estimate its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.svg import COLORS, SERIES, Scale, canvas, label, line, name_width, short_names

__all__ = [
    "better_figure",
    "elo_figure",
    "lengths_figure",
    "rating_figure",
    "setting_words",
    "validity_figure",
    "wins_figure",
]

Row = Mapping[str, Any]

_WIDTH = 720.0
_TOP = 16.0
_AXIS = 44.0


def _named(name: str, short: str, y: float, left: float) -> Markup:
    """An entrant's name at the left, the whole of it where one points at it."""
    return element("g", element("title", name), label(left - 10, y, short, anchor="end"))


def _axis(scale: Scale, bottom: float, title: str, *, percent: bool = False) -> list[Markup]:
    """A horizontal axis with its grid."""
    parts: list[Markup] = []
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(line(x, _TOP - 8, x, bottom, kind="grid"))
        parts.append(
            label(x, bottom + 12, f"{100 * tick:g}%" if percent else f"{tick:g}", anchor="middle", kind="muted")
        )
    parts.append(label((scale.start + scale.end) / 2, bottom + 32, title, anchor="middle", kind="muted"))
    return parts


def _whisker(scale: Scale, low: float, high: float, y: float, kind: str = "ink") -> list[Markup]:
    a, b = scale(low), scale(high)
    return [line(a, y, b, y, kind=kind, width=1.5), *(line(x, y - 4, x, y + 4, kind=kind, width=1.5) for x in (a, b))]


def _bar(scale: Scale, value: float, y: float, height: float, kind: str) -> Markup:
    start = scale(0)
    size = max(0.0, scale(value) - start)
    return element(
        "rect", x=start, y=y - height / 2, width=size, height=height, rx=2, class_=f"f-{kind}", fill=COLORS[kind]
    )


def _legend(entries: Sequence[tuple[str, str]], x: float, y: float) -> list[Markup]:
    parts: list[Markup] = []
    for kind, words in entries:
        parts.append(element("rect", x=x, y=y - 5, width=10, height=10, rx=2, class_=f"f-{kind}", fill=COLORS[kind]))
        parts.append(label(x + 16, y, words, kind="muted"))
        x += 34 + 7 * len(words)
    return parts


# --------------------------------------------------------------------- ratings


def rating_figure(rows: Sequence[Row]) -> Markup | None:
    """Ratings with interval whiskers, the best at the top. Rows of a leaderboard; None without a rated one."""
    rated = [row for row in rows if row["rating"] is not None]
    if not rated:
        return None
    short = short_names([row["entrant"] for row in rated])
    left, right, step = name_width(short.values()), 150.0, 28.0
    bottom = _TOP + step * len(rated)
    ends = [row[key] for row in rated for key in ("low", "high", "rating")]
    scale = Scale.around(ends, left + 8, _WIDTH - right)
    parts: list[Child] = [*_axis(scale, bottom, "rating in points, with 95% interval")]
    for i, row in enumerate(rated):
        y = _TOP + step * (i + 0.5)
        parts += [
            _named(row["entrant"], short[row["entrant"]], y, left),
            *_whisker(scale, row["low"], row["high"], y, "one"),
        ]
        parts.append(element("circle", cx=scale(row["rating"]), cy=y, r=4.5, class_="f-one", fill=COLORS["one"]))
        parts.append(label(_WIDTH - right + 12, y, f"{row['rating']:.0f}  ({row['games']:g} games)", kind="muted"))
    return canvas(_WIDTH, bottom + _AXIS, "Ratings with 95% intervals", *parts)


def better_figure(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Markup | None:
    """Heat map of the probability that the entrant of the row is better than that of the column."""
    n = len(names)
    if n < 2:
        return None
    short, heads = short_names(names), short_names(names, 22)
    left = name_width(short.values())
    cell = max(34.0, min(64.0, (_WIDTH - left - 16) / n))
    head = 18 + 5.2 * max(len(name) for name in heads.values())
    # The heads lean over the last column.
    width, bottom = max(_WIDTH, left + cell * (n - 0.5) + head), head + 30.0 * n
    parts: list[Child] = []
    for j, name in enumerate(names):
        x = left + cell * (j + 0.5)
        turned = {"transform": f"rotate(-45 {x:g} {head - 8:g})"}
        parts.append(element("g", element("title", name), label(x, head - 10, heads[name], **turned)))
    for i, name in enumerate(names):
        y = head + 30.0 * (i + 0.5)
        parts.append(_named(name, short[name], y, left))
        for j, other in enumerate(names):
            parts.append(_cell(left + cell * j, y, cell, None if i == j else matrix[i][j], f"{name} over {other}"))
    parts.append(label(left, bottom + 18, "probability that the row is better than the column, in %", kind="muted"))
    return canvas(width, bottom + 36, "Probability that one entrant is better than another", *parts)


def _cell(x: float, y: float, width: float, value: float | None, title: str) -> Markup:
    kind = "one" if value is not None and value >= 0.5 else "two"
    strength = 0.0 if value is None else 0.08 + 1.2 * abs(value - 0.5)
    box = element(
        "rect",
        element("title", title),
        x=x + 1,
        y=y - 14,
        width=width - 2,
        height=28,
        rx=3,
        class_=f"f-{kind}",
        fill=COLORS[kind],
        fill_opacity=strength,
    )
    return element("g", box, label(x + width / 2, y, _percent(value), anchor="middle"))


def _percent(value: float | None) -> str:
    """Whole percents; never 0 or 100, which no amount of data shows."""
    if value is None:
        return "–"
    return "<1" if value < 0.005 else ">99" if value > 0.995 else f"{100 * value:.0f}"


def elo_figure(series: Sequence[Row]) -> Markup | None:
    """Elo after every game, one line per entrant: it depends on the order of play."""
    drawn = [row for row in series if len(row["games"]) > 1]
    if not drawn:
        return None
    short = short_names([row["entrant"] for row in drawn])
    right = name_width(short.values()) + 48
    height = max(240.0, 20.0 * len(drawn) + 40)
    y = Scale.around([p for row in drawn for p in row["points"]], height, _TOP)
    x = Scale.around([g for row in drawn for g in row["games"]], 52, _WIDTH - right, zero=True)
    parts: list[Child] = [*_axis(x, height, "games played (online Elo: the order matters)")]
    for tick in y.ticks():
        parts += [line(x.start, y(tick), x.end, y(tick), kind="grid")]
        parts += [label(44, y(tick), f"{tick:g}", anchor="end", kind="muted")]
    places = _apart([y(row["points"][-1]) for row in drawn], 16.0, height - 4)
    for i, row in enumerate(drawn):
        color = SERIES[i % len(SERIES)]
        points = " ".join(f"{x(g):.1f},{y(p):.1f}" for g, p in zip(row["games"], row["points"], strict=True))
        parts.append(element("polyline", points=points, fill="none", stroke=color, stroke_width=1.6))
        parts.append(element("rect", x=x.end + 8, y=places[i] - 5, width=10, height=10, rx=2, fill=color))
        parts.append(label(x.end + 22, places[i], f"{short[row['entrant']]}  {row['points'][-1]:.0f}"))
    return canvas(_WIDTH, height + _AXIS, "Online Elo over the games, dependent on their order", *parts)


def _apart(places: Sequence[float], gap: float, end: float) -> list[float]:
    """Places moved just enough to keep their distance and to end by ``end``, where there is room."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    limit = float("-inf")
    for i in order:
        moved[i] = max(places[i], limit)
        limit = moved[i] + gap
    limit = end
    for i in reversed(order):
        moved[i] = min(moved[i], limit)
        limit = moved[i] - gap
    return moved


# --------------------------------------------------------------- wins and moves


def wins_figure(rows: Sequence[Row]) -> Markup | None:
    """Wins of completed matches by seat (figures 3 and 4 of the tic-tac-toe study), with matches played."""
    names = list(dict.fromkeys(row["entrant"] for row in rows))
    seats = sorted({row["seat_number"] for row in rows})
    if not names or len(seats) > 2 or not any(row["played"] for row in rows):
        return None
    short = short_names(names)
    left, right, bar = name_width(short.values()), 100.0, 13.0
    step = bar * len(seats) + 12
    top = _TOP + 18
    bottom = top + step * len(names)
    scale = Scale.around([row["wins"] for row in rows], left + 8, _WIDTH - right, zero=True, whole=True)
    kinds = dict(zip(seats, ("one", "two"), strict=False))
    parts: list[Child] = [*_axis(scale, bottom, "completed matches won (of all that were played to an ending)")]
    parts += _legend([(kinds[seat], f"as player {seat}") for seat in seats], left + 8, _TOP)
    found = {(row["entrant"], row["seat_number"]): row for row in rows}
    for i, name in enumerate(names):
        y = top + step * (i + 0.5)
        parts.append(_named(name, short[name], y, left))
        for j, seat in enumerate(seats):
            row = found.get((name, seat))
            if row is not None:
                at = y + bar * (j - (len(seats) - 1) / 2)
                parts.append(_bar(scale, row["wins"], at, bar - 2, kinds[seat]))
                parts.append(
                    label(scale(row["wins"]) + 6, at, f"{row['wins']} of {row['played']}", kind="muted", font_size=11)
                )
    return canvas(_WIDTH, bottom + _AXIS, "Wins by entrant and seat", *parts)


def lengths_figure(rows: Sequence[Row]) -> Markup | None:
    """Mean number of moves per result (figures 5 and 6 of the study), with 95% intervals."""
    shown = [row for row in rows if row["entrant"] != "all" or row["result"] != "drawn"]
    names = list(dict.fromkeys(row["entrant"] for row in shown))
    results = list(dict.fromkeys(row["result"] for row in shown))
    if len(results) > 3 or not any(row["matches"] for row in shown):
        return None
    short = short_names(names)
    left, right, bar = name_width(short.values()), 110.0, 13.0
    step, top = bar * len(results) + 12, _TOP + 18
    bottom = top + step * len(names)
    means = [row["mean"] for row in shown if row["mean"] is not None]
    # A mean of two matches can have an endless interval: the axis is for the means, and whiskers end at its edge.
    highs = [min(row["high"], 2.0 * max(means)) for row in shown if row["high"] is not None]
    scale = Scale.around([*means, *highs], left + 8, _WIDTH - right, zero=True)
    kinds = dict(zip(results, ("one", "two", "three"), strict=False))
    parts: list[Child] = [
        *_axis(scale, bottom, "mean number of moves, bad attempts of both counted, with 95% interval")
    ]
    parts += _legend([(kinds[result], result) for result in results], left + 8, _TOP)
    for i, name in enumerate(names):
        y = top + step * (i + 0.5)
        parts.append(_named(name, short[name], y, left))
        mine = {row["result"]: row for row in shown if row["entrant"] == name}
        for j, result in enumerate(results):
            parts += _length(scale, mine[result], y + bar * (j - (len(results) - 1) / 2), bar - 3, kinds[result])
    return canvas(_WIDTH, bottom + _AXIS, "Moves per result", *parts)


def _length(scale: Scale, row: Row, y: float, height: float, kind: str) -> list[Markup]:
    if not row["matches"]:
        word = "no draws" if row["result"] == "drawn" else "no wins"
        return [label(scale.start + 4, y, word, kind="muted", font_size=11)]
    parts = [_bar(scale, row["mean"], y, height, kind)]
    end = scale(row["mean"])
    if row["high"] is not None:
        parts += _whisker(scale, row["low"], row["high"], y)
        end = max(end, scale(row["high"]))
    return [*parts, label(end + 6, y, f"{row['mean']:.1f} (n = {row['matches']})", kind="muted", font_size=11)]


# -------------------------------------------------------------------- validity


def validity_figure(rows: Sequence[Row]) -> Markup | None:
    """Share of invalid answers of the language models, by answer setting, with 95% intervals."""
    if not rows:
        return None
    short = short_names([row["entrant"] for row in rows])
    settings = [setting_words(row) for row in rows]
    left, right, step = max(name_width(short.values()), name_width(settings)), 110.0, 38.0
    bottom = _TOP + step * len(rows)
    scale = Scale(0.0, 1.0, left + 8, _WIDTH - right)
    parts: list[Child] = [*_axis(scale, bottom, "share of answers that were invalid, with 95% interval", percent=True)]
    for i, (row, setting) in enumerate(zip(rows, settings, strict=True)):
        y = _TOP + step * (i + 0.5)
        parts.append(_named(row["entrant"], short[row["entrant"]], y - 8, left))
        parts.append(label(left - 10, y + 8, setting, anchor="end", kind="muted", font_size=11))
        parts.append(_bar(scale, 1 - row["rate"], y, 14, "two"))
        parts += _whisker(scale, 1 - row["high"], 1 - row["low"], y)
        words = f"{row['attempts'] - row['legal']} of {row['attempts']}"
        parts.append(label(_WIDTH - right + 14, y, words, kind="muted"))
    return canvas(_WIDTH, bottom + _AXIS, "Invalid answers by answer setting", *parts)


def setting_words(row: Row) -> str:
    """An answer setting in words."""
    words = {"text": "text", "json": "JSON asked for", "json_schema": "schema enforced", "tool": "tool call"}
    setting = words.get(row["answer"], str(row["answer"]))
    return f"{setting}, legal moves only" if row["legal_only"] else setting
