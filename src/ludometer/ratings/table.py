"""The rating table: what a report, the command line and a DataFrame show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import numpy as np

from ludometer.ratings.bradley_terry import Fit, Ties, fit
from ludometer.ratings.counting import Counts
from ludometer.ratings.games import Games, IntArray
from ludometer.ratings.intervals import (
    IntervalKind,
    entrant_errors,
    normal_quantile,
    proportion_interval,
    seat_errors,
    tie_error,
)
from ludometer.ratings.ranks import rank_ranges

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FitOptions", "RatingRow", "RatingTable", "SeatTerm", "TieTerm", "rate", "rating_table"]

_ON_THE_PRIOR: Final = 20
"""Games from which the prior has little part in an interval; docs/schedules.md has the figures."""


class FitOptions(TypedDict, total=False):
    """Keyword arguments of :func:`ludometer.ratings.fit`."""

    ties: Ties
    seat: bool
    prior: float | None
    anchor: tuple[str, float] | None
    mean: float
    self_play: bool
    balance: bool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One entrant.

    Attributes:
        rating, low, high: points, and the interval at the table's level.
        games, wins, draws, losses: games against other entrants; whole numbers unless weights were not. With more
            than two seats a win is the best score alone, a draw the best score shared.
        interval: ``clustered``, ``pooled``, ``laplace``, or ``anchor`` for the entrant that is fixed by definition.
        rank: best and worst rank; see :func:`ludometer.ratings.rank_ranges`.
        component: 1 for the largest set of connected entrants, 2 for the next, ...
    """

    name: str
    rating: float
    low: float
    high: float
    games: float
    wins: float
    draws: float
    losses: float
    interval: IntervalKind
    rank: tuple[int, int]
    component: int


@dataclass(frozen=True, slots=True)
class SeatTerm:
    """What seat 1 is worth in a game, in points, with its interval; of more than two ``seats``, what the earlier of
    two is worth against the later, on average over the pairs of seats."""

    game: str
    points: float
    low: float
    high: float
    games: float
    interval: IntervalKind
    seats: int = 2


@dataclass(frozen=True, slots=True)
class TieTerm:
    """Davidson's nu with its interval; ``draw_rate`` is nu / (nu + 2), the share of draws between equals."""

    nu: float
    low: float
    high: float
    interval: str

    @property
    def draw_rate(self) -> float:
        return self.nu / (self.nu + 2.0)


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings of all entrants.

    Attributes:
        rows: by component, then from the highest rating down.
        unrated: entrants without a game against another one.
        seats: one per game with a seat term.
        tie: None where a draw counts as half a win, or where no game can end in one.
        components: names per component; entrants of different components are incomparable, whatever their points.
        level: of all intervals.
        method: one sentence for a reader.
        notes: sentences a reader must know.
        counts: what was counted and left out, where known.
        fit: the estimates with their joint covariance, for pairs of entrants.
    """

    rows: tuple[RatingRow, ...]
    unrated: tuple[str, ...]
    seats: tuple[SeatTerm, ...]
    tie: TieTerm | None
    components: tuple[tuple[str, ...], ...]
    level: float
    method: str
    notes: tuple[str, ...]
    counts: Counts | None
    fit: Fit

    def __getitem__(self, name: str) -> RatingRow:
        """The row of an entrant.

        Raises:
            ConfigurationError: no rated entrant has this name.
        """
        self.fit.index(name)
        return next(row for row in self.rows if row.name == name)

    def comparable(self, one: str, other: str) -> bool:
        """Whether games connect two entrants, directly or through others."""
        return self[one].component == self[other].component

    def to_frame(self) -> pd.DataFrame:
        """One row per entrant; the rank range as ``rank_best`` and ``rank_worst``."""
        import pandas as pd

        names = [name for name in RatingRow.__slots__ if name != "rank"]
        frame = pd.DataFrame([[getattr(row, name) for name in names] for row in self.rows], columns=names)
        frame["rank_best"] = [row.rank[0] for row in self.rows]
        frame["rank_worst"] = [row.rank[1] for row in self.rows]
        return frame


def rate(
    games: Games, *, level: float = 0.95, counts: Counts | None = None, **options: Unpack[FitOptions]
) -> RatingTable:
    """Fit and tabulate; ``options`` are those of :func:`ludometer.ratings.fit`, which also says what is raised."""
    return rating_table(fit(games, **options), level=level, counts=counts)


def rating_table(fitted: Fit, *, level: float = 0.95, counts: Counts | None = None) -> RatingTable:
    """Tabulate a fit with intervals at ``level``.

    Raises:
        ConfigurationError: the level is not between 0 and 1.
    """
    number = _by_size(fitted.connections.component)
    rows = sorted(_rows(fitted, level, number), key=lambda row: (row.component, -row.rating, row.name))
    count = int(number.max())
    return RatingTable(
        rows=tuple(rows),
        unrated=fitted.unrated,
        seats=_seats(fitted, level),
        tie=_tie(fitted, level),
        components=tuple(tuple(row.name for row in rows if row.component == c + 1) for c in range(count)),
        level=level,
        method=describe(fitted, level),
        notes=(*fitted.notes, *_component_note(count), *_width_notes(fitted, rows, level)),
        counts=counts,
        fit=fitted,
    )


def describe(fitted: Fit, level: float) -> str:
    """The method in one sentence."""
    model = "Bradley-Terry with Davidson ties" if fitted.ties == "davidson" else "Bradley-Terry, a draw as half a win"
    seat = "a first-mover term per game" if fitted.seat_titles else "no first-mover term"
    prior = "no prior" if fitted.prior is None else f"a Gaussian prior of {fitted.prior:g} points"
    scale = "mean-centred" if fitted.anchor is None else f"{fitted.anchor[0]} fixed at {fitted.anchor[1]:g}"
    kinds = " or Laplace" if fitted.pooled is None else f", pooled (dispersion {fitted.dispersion:.2f}) or Laplace"
    spread = f"{100 * level:g}% intervals, cluster-robust over {fitted.clusters:g} groups{kinds} as marked per row"
    if fitted.balance:
        model += ", fitted to all games at once with the same weight for every game"
    if fitted.most_seats > 2:
        model += ", on the pairs of seats of every match"
        if fitted.seat_titles:
            seat += " (with more than two seats: for the earlier of two seats)"
        spread += ", never with the pairs of one match as independent"
    return f"{model}; {seat}; {prior}; {scale}; 400 points per factor of ten in the odds; {spread}"


def _rows(fitted: Fit, level: float, number: IntArray) -> list[RatingRow]:
    errors, kinds = entrant_errors(fitted)
    half = normal_quantile(level) * errors
    ranks = rank_ranges(fitted, level=level)
    return [
        RatingRow(
            name=name,
            rating=float(fitted.points[i]),
            low=float(fitted.points[i] - half[i]),
            high=float(fitted.points[i] + half[i]),
            games=_whole(fitted.tally.games[i]),
            wins=_whole(fitted.tally.wins[i]),
            draws=_whole(fitted.tally.draws[i]),
            losses=_whole(fitted.tally.losses[i]),
            interval=kinds[i],
            rank=(int(ranks[i, 0]), int(ranks[i, 1])),
            component=int(number[i]),
        )
        for i, name in enumerate(fitted.entrants)
    ]


def _seats(fitted: Fit, level: float) -> tuple[SeatTerm, ...]:
    errors, kinds = seat_errors(fitted)
    half = normal_quantile(level) * errors
    low, high = fitted.seat_points - half, fitted.seat_points + half
    return tuple(
        SeatTerm(
            title,
            float(points),
            float(low[i]),
            float(high[i]),
            _whole(fitted.seat_games[i]),
            kinds[i],
            fitted.seat_counts[i],
        )
        for i, (title, points) in enumerate(zip(fitted.seat_titles, fitted.seat_points, strict=True))
    )


def _tie(fitted: Fit, level: float) -> TieTerm | None:
    if fitted.ties != "davidson" or not fitted.could_tie:
        return None
    if fitted.log_nu is None:
        # Without a draw nu is zero; how large it may still be follows from the number of games alone.
        rate_high = proportion_interval(0.0, fitted.could_tie, level=level).high
        return TieTerm(0.0, 0.0, 2.0 * rate_high / (1.0 - rate_high), "wilson")
    error, kind = tie_error(fitted)
    half = normal_quantile(level) * error
    return TieTerm(math.exp(fitted.log_nu), math.exp(fitted.log_nu - half), math.exp(fitted.log_nu + half), kind)


def _component_note(count: int) -> tuple[str, ...]:
    if count == 1:
        return ()
    return (
        f"The entrants fall into {count} sets that never met: ratings compare within a set, and entrants of "
        "different sets are incomparable.",
    )


def _width_notes(fitted: Fit, rows: Sequence[RatingRow], level: float) -> Iterator[str]:
    """Which intervals hold the truth more often than they say."""
    if fitted.clusters < fitted.games and any(row.interval == "laplace" for row in rows):
        yield (
            "Laplace intervals take games with common luck for independent: where the seats were exchanged, they are "
            f"wider than {100 * level:g}% asks for."
        )
    few = sum(row.games < _ON_THE_PRIOR for row in rows)
    if few and fitted.prior is not None:
        yield (
            f"Fewer than {_ON_THE_PRIOR} games ({few} of {len(rows)} rated): such intervals rest on the prior of "
            f"{fitted.prior:g} points too, and are wider than {100 * level:g}% asks for where strengths are closer."
        )


def _by_size(component: IntArray) -> IntArray:
    """Components numbered from 1, the largest first."""
    order = np.argsort(-np.bincount(component), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(1, len(order) + 1)
    return place[component]


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else float(value)
