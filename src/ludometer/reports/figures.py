"""The figures, as SVG made by hand: a function per figure, from the rows of `report_data` to markup.

Every axis is labelled, every bar and point carries its sample size, and every estimate its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.seat_words import result_words, seat_words
from ludometer.reports.svg import (
    AXIS,
    COLORS,
    SERIES,
    TOP,
    WIDTH,
    Scale,
    apart,
    axis,
    bar,
    canvas,
    label,
    legend,
    line,
    name_width,
    named,
    short_names,
    whisker,
)

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

# --------------------------------------------------------------------- ratings


def rating_figure(rows: Sequence[Row]) -> Markup | None:
    """Ratings with interval whiskers, the best at the top. Rows of a leaderboard; None without a rated one."""
    rated = [row for row in rows if row["rating"] is not None]
    if not rated:
        return None
    short = short_names([row["entrant"] for row in rated])
    left, right, step = name_width(short.values()), 150.0, 28.0
    bottom = TOP + step * len(rated)
    ends = [row[key] for row in rated for key in ("low", "high", "rating")]
    scale = Scale.around(ends, left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, "rating in points, with 95% interval")]
    for i, row in enumerate(rated):
        y = TOP + step * (i + 0.5)
        parts += [
            named(row["entrant"], short[row["entrant"]], y, left),
            *whisker(scale, row["low"], row["high"], y, "one"),
        ]
        parts.append(element("circle", cx=scale(row["rating"]), cy=y, r=4.5, class_="f-one", fill=COLORS["one"]))
        parts.append(label(WIDTH - right + 12, y, f"{row['rating']:.0f}  ({row['games']:g} games)", kind="muted"))
    return canvas(WIDTH, bottom + AXIS, "Ratings with 95% intervals", *parts)


def better_figure(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Markup | None:
    """Heat map of the probability that the entrant of the row is better than that of the column."""
    n = len(names)
    if n < 2:
        return None
    short, heads = short_names(names), short_names(names, 22)
    left = name_width(short.values())
    cell = max(34.0, min(64.0, (WIDTH - left - 16) / n))
    head = 18 + 5.2 * max(len(name) for name in heads.values())
    # The heads lean over the last column.
    width, bottom = max(WIDTH, left + cell * (n - 0.5) + head), head + 30.0 * n
    parts: list[Child] = []
    for j, name in enumerate(names):
        x = left + cell * (j + 0.5)
        turned = {"transform": f"rotate(-45 {x:g} {head - 8:g})"}
        parts.append(element("g", element("title", name), label(x, head - 10, heads[name], **turned)))
    for i, name in enumerate(names):
        y = head + 30.0 * (i + 0.5)
        parts.append(named(name, short[name], y, left))
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


def elo_figure(panels: Sequence[Row]) -> Markup | None:
    """Elo after every game, a panel per game and a line per entrant, with the order-free rating beside it.

    Args:
        panels: ``game`` and ``series``, whose rows have ``games`` and ``points`` of an entrant, and ``rating``, ``low``
            and ``high`` of the fit that does not depend on the order (None where there is none).
    """
    drawn = [(panel, [row for row in panel["series"] if len(row["games"]) > 1]) for panel in panels]
    drawn = [(panel, series) for panel, series in drawn if series]
    if not drawn:
        return None
    names = list(dict.fromkeys(row["entrant"] for _, series in drawn for row in series))
    short = short_names(names)
    colors = {name: SERIES[i % len(SERIES)] for i, name in enumerate(names)}
    parts: list[Child] = []
    top = TOP
    for panel, series in drawn:
        height = max(190.0, 20.0 * len(series) + 30)
        parts.append(label(52, top + 2, panel["game"], font_weight="600"))
        parts += _elo_panel(series, short, colors, top + 22, top + 22 + height)
        top += 22 + height + AXIS + 14
    return canvas(WIDTH, top - 14, "Online Elo over the games, dependent on their order, by game", *parts)


def _elo_panel(
    series: Sequence[Row], short: Mapping[str, str], colors: Mapping[str, str], top: float, bottom: float
) -> list[Child]:
    fitted = [row[key] for row in series for key in ("rating", "low", "high") if row[key] is not None]
    gap = min(10.0, 80.0 / len(series))
    right = name_width(short.values()) + 50 + gap * len(series) + 16
    y = Scale.around([*(p for row in series for p in row["points"]), *fitted], bottom, top)
    x = Scale.around([g for row in series for g in row["games"]], 52, WIDTH - right, zero=True)
    parts: list[Child] = [*axis(x, bottom, "games played (online Elo: the order matters)", top=top)]
    for tick in y.ticks():
        parts.append(line(x.start, y(tick), x.end + 16 + gap * len(series), y(tick), kind="grid"))
        parts.append(label(44, y(tick), f"{tick:g}", anchor="end", kind="muted"))
    places = apart([y(row["points"][-1]) for row in series], 16.0, bottom - 4)
    middle = x.end + 12 + gap * len(series) / 2
    parts.append(label(middle, bottom + 32, "order-free rating", anchor="middle", kind="muted", font_size=11))
    for i, row in enumerate(series):
        color = colors[row["entrant"]]
        points = " ".join(f"{x(g):.1f},{y(p):.1f}" for g, p in zip(row["games"], row["points"], strict=True))
        parts.append(element("polyline", points=points, fill="none", stroke=color, stroke_width=1.6))
        parts += _upright(y, row, x.end + 16 + gap * (i + 0.5), color)
        end = WIDTH - right + 22 + gap * len(series)
        parts.append(element("rect", x=end, y=places[i] - 5, width=10, height=10, rx=2, fill=color))
        parts.append(label(end + 14, places[i], f"{short[row['entrant']]}  {row['points'][-1]:.0f}"))
    return parts


def _upright(y: Scale, row: Row, x: float, color: str) -> list[Markup]:
    """A rating with its interval, standing beside the lines."""
    if row["rating"] is None:
        return []
    low, high = y(row["low"]), y(row["high"])
    words = f"{row['entrant']}: {row['rating']:.0f} ({row['low']:.0f} to {row['high']:.0f})"
    dot = element("circle", element("title", words), cx=x, cy=y(row["rating"]), r=3.5, fill=color)
    return [element("line", x1=x, y1=low, x2=x, y2=high, stroke=color, stroke_width=1.5), dot]


# --------------------------------------------------------------- wins and moves


def wins_figure(rows: Sequence[Row], titles: Sequence[str] = ()) -> Markup | None:
    """Wins of completed matches by seat (figures 3 and 4 of the tic-tac-toe study), with matches played; of games for
    more than two, all seats together. ``titles`` are those of `seat_words`, here and below."""
    names = list(dict.fromkeys(row["entrant"] for row in rows))
    seats = sorted({row["seat_number"] for row in rows})
    if not names or not any(row["played"] for row in rows):
        return None
    if len(seats) > 2:
        mine = {name: [row for row in rows if row["entrant"] == name] for name in names}
        sums = {name: {key: sum(row[key] for row in mine[name]) for key in ("wins", "played")} for name in names}
        rows, seats = [{"entrant": name, "seat_number": 1, **sums[name]} for name in names], [1]
    short = short_names(names)
    left, right, thick = name_width(short.values()), 100.0, 13.0
    step = thick * len(seats) + 12
    top = TOP + 18
    bottom = top + step * len(names)
    scale = Scale.around([row["wins"] for row in rows], left + 8, WIDTH - right, zero=True, whole=True)
    kinds = dict(zip(seats, ("one", "two"), strict=False))
    parts: list[Child] = [*axis(scale, bottom, "completed matches won (of all that were played to an ending)")]
    if len(seats) > 1:
        parts += legend([(kinds[seat], f"as {seat_words(seat, titles)}") for seat in seats], left + 8, TOP)
    found = {(row["entrant"], row["seat_number"]): row for row in rows}
    for i, name in enumerate(names):
        y = top + step * (i + 0.5)
        parts.append(named(name, short[name], y, left))
        for j, seat in enumerate(seats):
            row = found.get((name, seat))
            if row is not None:
                at = y + thick * (j - (len(seats) - 1) / 2)
                parts.append(bar(scale, row["wins"], at, thick - 2, kinds[seat]))
                parts.append(
                    label(scale(row["wins"]) + 6, at, f"{row['wins']} of {row['played']}", kind="muted", font_size=11)
                )
    return canvas(WIDTH, bottom + AXIS, "Wins by entrant and seat", *parts)


def lengths_figure(rows: Sequence[Row], titles: Sequence[str] = ()) -> Markup | None:
    """Mean number of moves per result (figures 5 and 6 of the study), with 95% intervals."""
    shown = [row for row in rows if row["entrant"] != "all" or row["result"] != "drawn"]
    names = list(dict.fromkeys(row["entrant"] for row in shown))
    results = list(dict.fromkeys(row["result"] for row in shown))
    if len(results) > 3 or not any(row["matches"] for row in shown):
        return None
    short = short_names(names)
    left, right, thick = name_width(short.values()), 110.0, 13.0
    step, top = thick * len(results) + 12, TOP + 18
    bottom = top + step * len(names)
    means = [row["mean"] for row in shown if row["mean"] is not None]
    # A mean of two matches can have an endless interval: the axis is for the means, and whiskers end at its edge.
    highs = [min(row["high"], 2.0 * max(means)) for row in shown if row["high"] is not None]
    scale = Scale.around([*means, *highs], left + 8, WIDTH - right, zero=True)
    kinds = dict(zip(results, ("one", "two", "three"), strict=False))
    whose = "all" if "won" in results else "both"
    words = f"mean number of moves, bad attempts of {whose} counted, with 95% interval"
    parts: list[Child] = [*axis(scale, bottom, words)]
    parts += legend([(kinds[result], result_words(result, titles)) for result in results], left + 8, TOP)
    for i, name in enumerate(names):
        y = top + step * (i + 0.5)
        parts.append(named(name, short[name], y, left))
        mine = {row["result"]: row for row in shown if row["entrant"] == name}
        for j, result in enumerate(results):
            parts += _length(scale, mine[result], y + thick * (j - (len(results) - 1) / 2), thick - 3, kinds[result])
    return canvas(WIDTH, bottom + AXIS, "Moves per result", *parts)


def _length(scale: Scale, row: Row, y: float, height: float, kind: str) -> list[Markup]:
    if not row["matches"]:
        word = "no draws" if row["result"] == "drawn" else "no wins"
        return [label(scale.start + 4, y, word, kind="muted", font_size=11)]
    parts = [bar(scale, row["mean"], y, height, kind)]
    end = scale(row["mean"])
    if row["high"] is not None:
        parts += whisker(scale, row["low"], row["high"], y)
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
    bottom = TOP + step * len(rows)
    scale = Scale(0.0, 1.0, left + 8, WIDTH - right)
    parts: list[Child] = [*axis(scale, bottom, "share of answers that were invalid, with 95% interval", percent=True)]
    for i, (row, setting) in enumerate(zip(rows, settings, strict=True)):
        y = TOP + step * (i + 0.5)
        parts.append(named(row["entrant"], short[row["entrant"]], y - 8, left))
        parts.append(label(left - 10, y + 8, setting, anchor="end", kind="muted", font_size=11))
        parts.append(bar(scale, 1 - row["rate"], y, 14, "two"))
        parts += whisker(scale, 1 - row["high"], 1 - row["low"], y)
        words = f"{row['attempts'] - row['legal']} of {row['attempts']}"
        parts.append(label(WIDTH - right + 14, y, words, kind="muted"))
    return canvas(WIDTH, bottom + AXIS, "Invalid answers by answer setting", *parts)


def setting_words(row: Row) -> str:
    """An answer setting in words."""
    words = {"text": "text", "json": "JSON asked for", "json_schema": "schema enforced", "tool": "tool call"}
    setting = words.get(row["answer"], str(row["answer"]))
    return f"{setting}, legal moves only" if row["legal_only"] else setting
