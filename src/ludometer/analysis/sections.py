"""Sections that a game adds to reports: tables and figures of what only that game has, such as bets or dice.

The hook is a function. Every module of this folder (and every plug-in of the entry-point group
``ludometer.sections``) that has a module-level

    def sections(store: RunStore) -> Sequence[Section]

is asked, in the order of the modules' names, and what it returns is shown at the end of the report's results. It
returns nothing for a run without its game, and finds that out before anything costly: it is called for every run. A
module that needs a heavy library only it uses imports it where it is used.

A section is data. The report escapes every text, writes the numbers, and draws the charts; a `Picture` (SVG source, as
`Game.svg` makes it) is shown as an image, which can run nothing and load nothing. An estimate stands in one cell with
its interval and sample size: name the columns that hold them in `Column`.

    def sections(store: RunStore) -> Sequence[Section]:
        frame = dice_luck(store)          # entrant, luck, luck_low, luck_high, rolls
        if frame.empty:
            return ()
        luck = Column("luck", "Luck per roll", "signed", low="luck_low", high="luck_high", n="rolls")
        table = Table("Luck", frame, (Column("entrant", "Entrant"), luck), explain="Dice against expectation.")
        chart = Whiskers("Luck", "Zero is what is expected.", "luck per roll", whiskers_of(frame, "entrant", luck))
        return (Section("dice-luck", "Luck with the dice", "Whom the dice favoured.", (table,), (chart,)),)
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Literal, NamedTuple, TypeAlias

import pandas as pd

from ludometer.store import RunStore

__all__ = [
    "Bar",
    "Bars",
    "Column",
    "Figure",
    "Form",
    "Lines",
    "Lollipops",
    "Picture",
    "Section",
    "Stack",
    "Stacks",
    "Table",
    "Violin",
    "Violins",
    "Whisker",
    "Whiskers",
    "game_sections",
    "whiskers_of",
]

Form = Literal["text", "count", "number", "signed", "share"]
"""How a value is written: as it is, as a whole number, with ``digits`` decimals, the same with its sign, as percent."""

_PACKAGE = "ludometer.analysis"
_GROUP = "ludometer.sections"


class Column(NamedTuple):
    """A column of a table. The first column of a table is the head of its rows.

    Attributes:
        name: of the column in the frame; a missing value is shown as a dash.
        head: what a reader reads above it, with the unit.
        form: how values are written.
        low, high, n: names of the columns with the ends of the interval and the sample size, shown in the same cell;
            empty where there are none.
        digits: decimals of ``number`` and ``signed``.
    """

    name: str
    head: str
    form: Form = "text"
    low: str = ""
    high: str = ""
    n: str = ""
    digits: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A frame as a reader sees it.

    Attributes:
        title: its heading.
        frame: the rows, in the order in which they are shown.
        columns: the columns that are shown.
        explain: a sentence below it: what is counted, and over which clusters the intervals are.
        folded: whether it has to be opened; for details.
    """

    title: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    explain: str = ""
    folded: bool = False


class Whisker(NamedTuple):
    """An estimate with its interval (None: not known) and its sample size in words, such as ``40 hands``."""

    name: str
    value: float
    low: float | None
    high: float | None
    n: str


@dataclass(frozen=True, slots=True)
class Whiskers:
    """A chart of estimates below one another, with a line at ``zero`` where that is not None."""

    title: str
    caption: str
    axis: str
    rows: tuple[Whisker, ...]
    zero: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Lines:
    """A chart of values over time: ``series`` maps a name to its points (x, y). ``low`` and ``high`` fix the vertical
    axis (0 and 1 for probabilities); None fits it to the points."""

    title: str
    caption: str
    x_axis: str
    y_axis: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG source, for instance a board; ``alt`` says what is on it for those who cannot see it."""

    title: str
    caption: str
    svg: str
    alt: str


class Stack(NamedTuple):
    """A bar made of ``parts``, by name, none negative; ``n`` is what stands beside it, such as ``40 matches``."""

    name: str
    parts: Mapping[str, float]
    n: str


@dataclass(frozen=True, slots=True)
class Stacks:
    """A chart of stacked bars below one another, with one colour per name of a part. ``share``: values are shares of
    the whole, and the axis ends at 100%."""

    title: str
    caption: str
    axis: str
    rows: tuple[Stack, ...]
    share: bool = False


class Violin(NamedTuple):
    """Values that are shown with how dense they lie; ``n`` is their number in words, such as ``40 games``."""

    name: str
    values: tuple[float, ...]
    n: str


@dataclass(frozen=True, slots=True)
class Violins:
    """A chart of distributions below one another: density, quartiles, median, and every value."""

    title: str
    caption: str
    axis: str
    rows: tuple[Violin, ...]


@dataclass(frozen=True, slots=True)
class Lollipops:
    """A chart of changes below one another, each a stick from zero to its value, with its interval."""

    title: str
    caption: str
    axis: str
    rows: tuple[Whisker, ...]


class Bar(NamedTuple):
    """A share in [0, 1] with its interval (None: not known) and its sample size in words. Bars of one ``group`` stand
    together; those of one ``name`` have the same colour."""

    group: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    n: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart of shares as bars in groups, with their intervals."""

    title: str
    caption: str
    axis: str
    rows: tuple[Bar, ...]


Figure: TypeAlias = Whiskers | Lines | Picture | Stacks | Violins | Lollipops | Bars


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A section of the report.

    Attributes:
        name: letters, digits and hyphens, its own on the page, such as ``poker-style``; figures are filed under it.
        title: its heading.
        explain: a sentence or two for a reader who does not know the terms.
        tables, figures: what it shows; figures stand first.
        notes: what must not be overlooked, such as "values are estimates, not proven".
    """

    name: str
    title: str
    explain: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = field(default=())


def whiskers_of(frame: pd.DataFrame, name: str, column: Column, unit: str = "") -> tuple[Whisker, ...]:
    """Rows of a `Whiskers` chart: the estimates of one column, named by another; rows without a value are left out.

    Args:
        name: the column with the names.
        column: the estimate, with its interval and sample size.
        unit: what the sample size counts, such as ``hands``.
    """
    rows = []
    for row in frame.to_dict("records"):
        if pd.isna(row[column.name]):
            continue
        low, high = (None if not key or pd.isna(row[key]) else float(row[key]) for key in (column.low, column.high))
        n = f"{row[column.n]:,.0f} {unit}".strip() if column.n else ""
        rows.append(Whisker(str(row[name]), float(row[column.name]), low, high, n))
    return tuple(rows)


def game_sections(store: RunStore) -> list[Section]:
    """What the games of a run add to its report: the sections of every module that has some. A plug-in that fails
    warns and is skipped."""
    found = [section for make in _builtin() for section in make(store)]
    for point in entry_points(group=_GROUP):
        try:
            loaded = point.load()
            make = getattr(loaded, "sections", loaded)
            found += [section for section in make(store) if isinstance(section, Section)]
        except Exception as error:  # a plug-in may fail in any way; it must not take the report with it
            warnings.warn(f"sections of {point.name!r} ({point.value}) were skipped: {error}", stacklevel=2)
    return found


def _builtin() -> Iterator[Callable[[RunStore], Sequence[Section]]]:
    package = importlib.import_module(_PACKAGE)
    for info in pkgutil.iter_modules(package.__path__, f"{_PACKAGE}."):
        make = getattr(importlib.import_module(info.name), "sections", None)
        # The package has this very module as an attribute of the same name: only functions of their own module count.
        if callable(make) and getattr(make, "__module__", None) == info.name:
            yield make
