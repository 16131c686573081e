"""How much the ranking would change if the run were played again.

Two questions, both asked of the repeats (duplicate groups: matches that share their luck are never torn apart), within
every game and table:

* *Halves*: the repeats are parted at random into two halves, each half is rated by itself, and the two rankings are
  compared by Kendall's tau-b (M. G. Kendall: Rank Correlation Methods, 1948). A ranking from half the matches is less
  stable than the one that is shown.
* *Resampled*: as many repeats are drawn with replacement (the bootstrap; B. Efron, Annals of Statistics 7, 1979), and
  the ranking is compared with the one that is shown. This also gives every entrant's ranks.

Fits are those of the leaderboard, with every game weighing the same where there are several.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from ludometer.analysis.ratings import counted_games
from ludometer.analysis.run import Source, load_tables
from ludometer.analysis.sections import Column, Section, Table, Whisker, Whiskers
from ludometer.core import ConfigurationError
from ludometer.ratings import Games, fit
from ludometer.ratings.games import FloatArray, IntArray
from ludometer.store import RunStore

__all__ = ["Stability", "ranking_stability", "sections"]

FEWEST_ENTRANTS: Final = 3
"""With two there is one comparison and no ranking to speak of."""


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """
    Attributes:
        agreement: one row per question: ``compared`` (``two halves``, ``resampled``), ``tau`` (mean over the draws),
            ``low`` and ``high`` (what 95% of the draws lie between), ``draws``, ``repeats`` (duplicate groups in all),
            ``entrants``. Empty where no table was repeated.
        ranks: one row per entrant: ``entrant``, ``rank`` (as shown), ``low`` and ``high`` (what 95% of the resampled
            ranks lie between), ``first`` (share of draws in which it is first), ``draws``.
    """

    agreement: pd.DataFrame
    ranks: pd.DataFrame


def ranking_stability(source: Source, *, draws: int = 100, seed: int = 0) -> Stability:
    """Stability of the ranking over repeats.

    Args:
        draws: halvings, and as many resamplings.
        seed: of the draws.

    Raises:
        ConfigurationError: no game between two entrants counts.
    """
    games, _ = counted_games(load_tables(source))
    columns = ["compared", "tau", "low", "high", "draws", "repeats", "entrants"]
    units = _units(games)
    if units is None or len(games.entrants) < FEWEST_ENTRANTS:
        none = pd.DataFrame(columns=["entrant", "rank", "low", "high", "first", "draws"])
        return Stability(pd.DataFrame(columns=columns), none)
    unit, strata = units
    random = np.random.default_rng(seed)
    whole = _points(games)
    halves = [tau for _ in range(draws) if (tau := _halved(games, unit, strata, random)) is not None]
    drawn = [_points(games.select(rows)) for rows in _resampled(unit, strata, random, draws)]
    again = [tau for one in drawn if (tau := _tau(whole, one)) is not None]
    size = {"repeats": sum(map(len, strata)), "entrants": len(whole)}
    rows = [_summary("two halves", halves) | size, _summary("resampled", again) | size]
    return Stability(pd.DataFrame(rows, columns=columns), _ranks(whole, drawn))


def _units(games: Games) -> tuple[IntArray, list[IntArray]] | None:
    """Shape (m,), the repeat that each row belongs to, and the repeats of every stratum (the same game and the same
    tables); None where nothing was repeated."""
    cluster = games.clusters
    unit = np.arange(len(games)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    tables: dict[int, set[tuple[int, int, int]]] = {}
    for row, number in enumerate(unit):
        pair = sorted((int(games.first[row]), int(games.second[row])))
        tables.setdefault(int(number), set()).add((int(games.game[row]), pair[0], pair[1]))
    strata: dict[tuple[Any, ...], list[int]] = {}
    for number, met in tables.items():
        strata.setdefault(tuple(sorted(met)), []).append(number)
    if not any(len(numbers) > 1 for numbers in strata.values()):
        return None
    return unit.astype(np.int64), [np.array(numbers, np.int64) for numbers in strata.values()]


def _points(games: Games) -> dict[str, float]:
    """Ratings by entrant; nothing where nobody can be rated."""
    # Only the estimates are wanted: without clusters the costly half of a fit is not made.
    bare = games if games.matches is not None else replace(games, cluster=None)
    try:
        fitted = fit(bare, ties="davidson", balance=len(games.titles) > 1)
    except ConfigurationError:
        return {}
    return dict(zip(fitted.entrants, map(float, fitted.points), strict=True))


def _halved(games: Games, unit: IntArray, strata: Sequence[IntArray], random: np.random.Generator) -> float | None:
    first = np.zeros(int(unit.max()) + 1, np.bool_)
    for numbers in strata:
        shuffled = random.permutation(numbers)
        # The odd one goes to either side.
        first[shuffled[: (len(numbers) + int(random.integers(2))) // 2]] = True
    return _tau(_points(games.select(first[unit])), _points(games.select(~first[unit])))


def _resampled(
    unit: IntArray, strata: Sequence[IntArray], random: np.random.Generator, draws: int
) -> Iterator[IntArray]:
    """Rows of games, those of a repeat as often as it was drawn."""
    rows: list[list[int]] = [[] for _ in range(int(unit.max()) + 1)]
    for row, number in enumerate(unit):
        rows[int(number)].append(row)
    for _ in range(draws):
        drawn = [random.choice(numbers, len(numbers)) for numbers in strata]
        yield np.array([row for numbers in drawn for number in numbers for row in rows[int(number)]], np.int64)


def _tau(one: dict[str, float], other: dict[str, float]) -> float | None:
    common = sorted(one.keys() & other.keys())
    if len(common) < FEWEST_ENTRANTS:
        return None
    tau = float(kendalltau([one[name] for name in common], [other[name] for name in common]).statistic)
    return tau if math.isfinite(tau) else None


def _summary(compared: str, taus: Sequence[float]) -> dict[str, Any]:
    if not taus:
        return {"compared": compared, "tau": None, "low": None, "high": None, "draws": 0}
    low, high = np.quantile(taus, (0.025, 0.975))
    return {
        "compared": compared,
        "tau": float(np.mean(taus)),
        "low": float(low),
        "high": float(high),
        "draws": len(taus),
    }


def _ranks(whole: dict[str, float], drawn: Sequence[dict[str, float]]) -> pd.DataFrame:
    names = sorted(whole, key=lambda name: (-whole[name], name))
    complete = [one for one in drawn if one.keys() >= whole.keys()]
    points: FloatArray = np.array([[one[name] for name in names] for one in complete]).reshape(-1, len(names))
    ranks = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
    columns = ["entrant", "rank", "low", "high", "first", "draws"]
    if not len(ranks):
        return pd.DataFrame(columns=columns)
    low, high = np.quantile(ranks, (0.025, 0.975), axis=0, method="inverted_cdf")
    first = (ranks == 1).mean(axis=0)
    rows = zip(names, range(1, len(names) + 1), map(float, low), map(float, high), map(float, first), strict=True)
    return pd.DataFrame([(*row, len(complete)) for row in rows], columns=columns)


# ---------------------------------------------------------------------- report


def sections(store: RunStore) -> Sequence[Section]:
    """For runs of three entrants or more with repeats."""
    groups: dict[tuple[Any, ...], set[str]] = {}
    for row in store.matches():
        if row.status == "finished":
            key = (row.game, repr(sorted(row.options.items())), *sorted(row.seats.values()))
            groups.setdefault(key, set()).add(row.group)
    names = {name for key in groups for name in key[2:]}
    if len(names) < FEWEST_ENTRANTS or not any(len(found) > 1 for found in groups.values()):
        return ()
    try:
        stability = ranking_stability(store)
    except ConfigurationError:
        return ()
    return () if stability.agreement.empty else (_section(stability),)


def _section(stability: Stability) -> Section:
    tau = Column("tau", "Kendall's tau", "signed", low="low", high="high", n="draws")
    agreement = Table(
        "Agreement of rankings",
        stability.agreement,
        (
            Column("compared", "Compared"),
            tau,
            Column("repeats", "Repeats in all", "count"),
            Column("entrants", "Entrants", "count"),
        ),
        "1 is the same ranking, 0 no relation, -1 the reverse. The mean over n random draws, and what 95% of them lie "
        "between. Two halves: the repeats parted in two, each half rated by itself. Resampled: as many repeats drawn "
        "with replacement, against the ranking from all.",
    )
    ranks = Table(
        "Ranks when the repeats are resampled",
        stability.ranks,
        (
            Column("entrant", "Entrant"),
            Column("rank", "Rank", "number", low="low", high="high", n="draws", digits=0),
            Column("first", "First in", "share"),
        ),
        "The rank in the fit to all repeats, and what 95% of the resampled ranks lie between.",
        folded=len(stability.ranks) > 16,
    )
    bars = tuple(
        Whisker(str(row["entrant"]), float(row["rank"]), row["low"], row["high"], f"{row['draws']} draws")
        for row in stability.ranks.to_dict("records")
    )
    figure = Whiskers("Ranks", "What 95% of the ranks from resampled repeats lie between.", "rank", bars, zero=None)
    return Section(
        "stability",
        "Stability of the ranking",
        "Would the ranking be the same if the run were played again? Repeats of the same game and table are parted in "
        "two and drawn anew; matches that share their luck stay together.",
        (agreement, ranks),
        (figure,) if bars else (),
    )
