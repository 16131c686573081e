"""A learning curve as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludometer.reports.markup import Markup, element
from ludometer.reports.svg import COLORS, Scale, canvas, label, line

__all__ = ["CurvePoint", "curve_svg"]


class CurvePoint(NamedTuple):
    """How strong a player was at one time of its training.

    Attributes:
        round: of the training, all before it played.
        played: games until then.
        loss: mean squared error of the values since the point before.
        games: of the evaluation.
        mean, low, high: mean share of the win in them, with its 95 percent interval.
    """

    round: int
    played: int
    loss: float
    games: int
    mean: float
    low: float
    high: float


_WIDTH, _HEIGHT = 720.0, 340.0


def curve_svg(curve: Sequence[CurvePoint]) -> str:
    """Share of the win against games played, with intervals, as SVG source."""
    across = Scale.around([point.played for point in curve], 64, _WIDTH - 40, zero=True)
    up = Scale.around([0.5, *(p.low for p in curve), *(p.high for p in curve)], _HEIGHT - 48, 20)
    parts: list[Markup] = []
    for tick in up.ticks():
        parts.append(line(across.start, up(tick), across.end, up(tick), kind="grid"))
        parts.append(label(across.start - 8, up(tick), f"{100 * tick:g}%", anchor="end", kind="muted"))
    for tick in across.ticks():
        parts.append(label(across(tick), up.start + 14, f"{tick:,.0f}", anchor="middle", kind="muted"))
    band = [(across(p.played), up(p.low)) for p in curve] + [(across(p.played), up(p.high)) for p in reversed(curve)]
    middle = [(across(p.played), up(p.mean)) for p in curve]
    parts.append(element("polygon", points=_points(band), fill=COLORS["one"], opacity=0.2))
    parts.append(
        element("polyline", points=_points(middle), fill="none", stroke=COLORS["one"], stroke_width=2, class_="s-one")
    )
    parts.append(label((across.start + across.end) / 2, _HEIGHT - 12, "games played", anchor="middle", kind="muted"))
    title = "share of wins against random players that move first, with 95% intervals"
    return str(canvas(_WIDTH, _HEIGHT, title, *parts))


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
