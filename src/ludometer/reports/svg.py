"""Building blocks of the figures: a canvas, text, and a scale with round ticks.

Colours are attributes, so that a figure is complete as a file of its own and in every renderer; a page overrides them
by class for dark backgrounds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ludometer.reports.markup import Child, Markup, element

__all__ = [
    "AXIS",
    "COLORS",
    "FONT",
    "SERIES",
    "TOP",
    "WIDTH",
    "LogScale",
    "Scale",
    "apart",
    "axis",
    "bar",
    "canvas",
    "label",
    "legend",
    "line",
    "name_width",
    "named",
    "short_names",
    "shortened",
    "whisker",
]

WIDTH = 720.0
"""Of a figure, in pixels; a wide one may be wider."""
TOP = 16.0
"""Room above what is drawn."""
AXIS = 44.0
"""Room below, for the axis and its title."""

FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
_SIZE = 13
_LETTER = 7.0
"""Width of a letter in the figures' font, about."""

LETTERS = 30
"""Letters of a name that are shown."""

COLORS = {
    "ink": "#1d2733",
    "muted": "#5b6673",
    "grid": "#dde3ea",
    "one": "#2f6fb5",
    "two": "#d07a1f",
    "three": "#7d8793",
}
SERIES = ("#2f6fb5", "#d07a1f", "#3d8f5b", "#a0468c", "#8a6d3b", "#4a9aa8", "#c04545", "#6b5bb0", "#7d8793", "#99a321")


def canvas(width: float, height: float, title: str, *children: Child) -> Markup:
    """An SVG with a background and a title for those who cannot see it."""
    return element(
        "svg",
        element("title", title),
        element("rect", class_="f-bg", width=width, height=height, fill="#ffffff"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewbox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        font_family=FONT,
        font_size=_SIZE,
    )


def label(x: float, y: float, words: Child, *, anchor: str = "start", kind: str = "ink", **more: str | float) -> Markup:
    """A line of text; ``y`` is its middle."""
    return element(
        "text", words, x=x, y=y + _SIZE * 0.35, text_anchor=anchor, class_=f"f-{kind}", fill=COLORS[kind], **more
    )


def line(x1: float, y1: float, x2: float, y2: float, *, kind: str = "ink", width: float = 1) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=f"s-{kind}", stroke=COLORS[kind], stroke_width=width)


def shortened(name: str, most: int = LETTERS) -> str:
    """A name cut to fit, with dots in place of its middle: models of a family differ at the end."""
    if len(name) <= most:
        return name
    keep = most - 1
    return f"{name[: keep - keep // 2]}…{name[-(keep // 2) :]}"


def short_names(names: Sequence[str], most: int = LETTERS) -> dict[str, str]:
    """Every name cut to fit, such that different names stay different where that can be."""
    short = {name: shortened(name, most) for name in names}
    for cut in {cut for cut, n in Counter(short.values()).items() if n > 1}:
        alike = [name for name in short if short[name] == cut]
        start = next((i for i, letters in enumerate(zip(*alike, strict=False)) if len(set(letters)) > 1), 0)
        for name in alike:
            # The beginning says whose model it is; what follows the part in common says which.
            kept = f"{name[:8]}…{name[max(8, start - 3) :]}"
            short[name] = kept if len(kept) <= most else kept[: most - 1] + "…"
    return short


def name_width(names: Iterable[str]) -> float:
    """Room for the longest of the (cut) names, in pixels."""
    return 18 + _LETTER * max((len(name) for name in names), default=0)


class Scale(NamedTuple):
    """A linear scale from data (``low`` to ``high``) to pixels (``start`` to ``end``)."""

    low: float
    high: float
    start: float
    end: float
    whole: bool = False

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    @classmethod
    def around(
        cls, values: Sequence[float], start: float, end: float, *, zero: bool = False, whole: bool = False
    ) -> Scale:
        """A scale with round ends that holds all values (and zero), in whole steps where asked."""
        low, high = min(values, default=0.0), max(values, default=1.0)
        low = min(low, 0.0) if zero else low
        step = _step((high - low) or 1.0)
        step = max(1.0, step) if whole else step
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
        return cls(low, high if high > low else low + step, start, end, whole)

    def ticks(self) -> list[float]:
        step = _step(self.high - self.low)
        step = max(1.0, step) if self.whole else step
        first = math.ceil(self.low / step - 1e-9)
        return [step * i for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


class LogScale(NamedTuple):
    """A logarithmic scale from data (``low`` to ``high``, above 0) to pixels (``start`` to ``end``)."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return self.start + min(1.0, share) * (self.end - self.start)

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float) -> LogScale:
        """A scale that holds all positive values, ending at 1, 2 or 5 times a power of ten."""
        known = [value for value in values if value > 0] or [1.0]
        low = max(tick for tick in _decades(min(known) / 20, min(known)) if tick <= min(known))
        high = min(tick for tick in _decades(max(known), max(known) * 20) if tick > max(known))
        return cls(low, high, start, end)

    def ticks(self) -> list[float]:
        every = _decades(self.low, self.high)
        return every if len(every) <= 9 else [tick for tick in every if f"{tick:e}"[0] == "1"]


def _decades(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten from ``low`` to ``high``."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [float(f"{m}e{power}") for power in range(first, last + 1) for m in (1, 2, 5)]
    return [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]


def _step(span: float) -> float:
    """A round distance that divides a span into about five."""
    rough = span / 5
    magnitude: float = 10.0 ** math.floor(math.log10(rough))
    return next(magnitude * m for m in (1, 2, 2.5, 5, 10) if magnitude * m >= rough * 0.999)


# -------------------------------------------------------------- axes and marks


def named(name: str, short: str, y: float, left: float) -> Markup:
    """An entrant's name at the left, the whole of it where one points at it."""
    return element("g", element("title", name), label(left - 10, y, short, anchor="end"))


def axis(
    scale: Scale | LogScale, bottom: float, title: str, *, percent: bool = False, top: float = TOP - 8
) -> list[Markup]:
    """A horizontal axis with its grid."""
    parts: list[Markup] = []
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(line(x, top, x, bottom, kind="grid"))
        words = f"{100 * tick:g}%" if percent else f"{tick:g}" if abs(tick) < 10_000 else f"{tick:,.0f}"
        parts.append(label(x, bottom + 12, words, anchor="middle", kind="muted"))
    parts.append(label((scale.start + scale.end) / 2, bottom + 32, title, anchor="middle", kind="muted"))
    return parts


def apart(places: Sequence[float], gap: float, end: float) -> list[float]:
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


def whisker(scale: Scale, low: float, high: float, y: float, kind: str = "ink") -> list[Markup]:
    """An interval, lying."""
    a, b = scale(low), scale(high)
    return [line(a, y, b, y, kind=kind, width=1.5), *(line(x, y - 4, x, y + 4, kind=kind, width=1.5) for x in (a, b))]


def bar(scale: Scale, value: float, y: float, height: float, kind: str) -> Markup:
    """A lying bar from zero."""
    start = scale(0)
    size = max(0.0, scale(value) - start)
    return element(
        "rect", x=start, y=y - height / 2, width=size, height=height, rx=2, class_=f"f-{kind}", fill=COLORS[kind]
    )


def legend(entries: Sequence[tuple[str, str]], x: float, y: float) -> list[Markup]:
    """Colours (by kind) with what they stand for, side by side."""
    parts: list[Markup] = []
    for kind, words in entries:
        parts.append(element("rect", x=x, y=y - 5, width=10, height=10, rx=2, class_=f"f-{kind}", fill=COLORS[kind]))
        parts.append(label(x + 16, y, words, kind="muted"))
        x += 34 + 7 * len(words)
    return parts
