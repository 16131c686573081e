"""What the settings change: every level of every factor by itself, and against the first level in pairs.

A run may vary settings (``factors`` of the configuration). The schedule plays every match under every condition with
the same luck, so that a level and the first level compare match by match: same duplicate group, entrant and seat,
and the same levels of all other factors. That removes what openings, opponents and seats do to a result, and what is
left is the effect of the setting.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from ludometer.analysis.measures import (
    MEASURES,
    Measure,
    Measured,
    estimate,
    factor_levels,
    is_model,
    measured,
    seats_of,
    with_missing,
)
from ludometer.analysis.run import RunTables, Source, load_tables

__all__ = ["factor_effects", "level_estimates"]

_LEVEL_COLUMNS = [
    *("factor", "level", "entrant", "matches", "left_out", "measure", "title", "one", "share", "n"),
    *("value", "low", "high"),
]
_EFFECT_COLUMNS = [
    *("factor", "level", "baseline", "entrant", "measure", "title", "share", "pairs", "groups", "unpaired"),
    *("difference", "low", "high"),
]


def level_estimates(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Every measure under every level of every factor, per language model and (entrant ``all``) for all of them
    together where there are several.

    The score of ``all`` is against players that are no language models: among themselves models share one point,
    whatever the setting.

    Returns:
        Columns ``factor``, ``level`` (as text), ``entrant``; ``matches`` (finished ones, one per seat in self-play)
        and ``left_out`` (void and unfinished ones); ``measure`` (a name of `MEASURES`), ``title``, ``one`` (what a
        value is of), ``share``; ``n`` values with mean ``value`` and interval ``low`` to ``high``, clustered on the
        duplicate group. Only measures that occur in the run. Empty where the run varies nothing.
    """
    rows: list[dict[str, Any]] = []
    tables = load_tables(source)
    seats = seats_of(tables)
    values = measured(tables, seats)
    for factor, levels in factor_levels(tables).items():
        for name, mine in _entrants(tables, seats):
            for one in levels:
                part = mine[mine[factor] == one]
                done = int(part["finished"].sum())
                counts = {"matches": done, "left_out": len(part) - done}
                labels = {"factor": factor, "level": one, "entrant": name, **counts}
                rows += [{**labels, **found} for found in _estimates(tables, values, part, name == "all", level)]
    return with_missing(pd.DataFrame(rows, columns=_LEVEL_COLUMNS), "value", "low", "high")


def _estimates(
    tables: RunTables, values: Measured, part: pd.DataFrame, together: bool, level: float
) -> Iterator[dict[str, Any]]:
    for measure in _present(values):
        found = _located(tables, values, measure, part, together)
        numbers = estimate(found["value"], found["group"], share=measure.share, level=level)
        yield {**_described(measure), "one": measure.one, "n": len(found), **numbers}


def factor_effects(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """The effect of every level of every factor against the factor's first level, in pairs.

    A pair is the same duplicate group, entrant and seat with all other factors equal; its difference is that of the
    two matches' means (share of legal answers, tokens per move, cost, latency per call), and all pairs weigh the same.
    The interval is cluster-robust over duplicate groups, with Student's t (see `ludometer.ratings.mean_interval`), and
    ends at -1 and 1 for differences of shares.

    Returns:
        Columns ``factor``, ``level``, ``baseline``, ``entrant`` (``all``: the pairs of all language models),
        ``measure``, ``title``, ``share``; ``pairs`` in ``groups`` duplicate groups, ``unpaired`` (matches of the two
        levels left without a partner); ``difference`` = level - baseline with ``low`` and ``high``. The interval is
        missing where nothing is known of the spread: in one group only, or where all pairs differ by the same.
    """
    rows: list[dict[str, Any]] = []
    tables = load_tables(source)
    seats = seats_of(tables)
    values = measured(tables, seats)
    for factor, levels in factor_levels(tables).items():
        others = [name for name in factor_levels(tables) if name != factor]
        for name, mine in _entrants(tables, seats):
            for measure in _present(values):
                means = _match_means(_located(tables, values, measure, mine, name == "all"), factor, others)
                for one in levels[1:]:
                    labels = {"factor": factor, "level": one, "baseline": levels[0], "entrant": name}
                    found = _effect(means, factor, one, levels[0], measure, level)
                    rows.append({**labels, **_described(measure), **found})
    return with_missing(pd.DataFrame(rows, columns=_EFFECT_COLUMNS), "difference", "low", "high")


def _described(measure: Measure) -> dict[str, Any]:
    return {"measure": measure.name, "title": measure.title, "share": measure.share}


def _present(values: Measured) -> list[Measure]:
    return [measure for measure in MEASURES if not values[measure.name].empty]


def _entrants(tables: RunTables, seats: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The seats of every language model that plays, and of all of them."""
    models = [str(entrant["name"]) for entrant in tables.entrants if is_model(entrant)]
    playing = [name for name in models if (seats["entrant"] == name).any()]
    for name in playing:
        yield name, seats[seats["entrant"] == name]
    if len(playing) > 1:
        yield "all", seats[seats["entrant"].isin(playing)]


def _located(
    tables: RunTables, values: Measured, measure: Measure, seats: pd.DataFrame, together: bool
) -> pd.DataFrame:
    """The values of a measure in some seats, with everything that is known of the seat."""
    if together and measure.name == "score":
        models = {str(entrant["name"]) for entrant in tables.entrants if is_model(entrant)}
        seats = seats[[models.isdisjoint(names) for names in seats["opponents"]]]
    return values[measure.name].merge(seats.drop(columns="score"), on=["match", "seat_number"])


def _match_means(found: pd.DataFrame, factor: str, others: list[str]) -> pd.DataFrame:
    """The mean of every seat of every match, with ``key``: what must be equal in both matches of a pair."""
    keys = ["group", "entrant", "seat_number", *others]
    means = found.groupby(["match", *keys, factor], sort=False, dropna=False)["value"].mean().reset_index()
    # The same pairing may meet several times in a duplicate group: the first is paired with the first.
    means["nth"] = means.groupby([*keys, factor], dropna=False).cumcount()
    means["key"] = list(zip(*(means[key] for key in (*keys, "nth")), strict=True))
    return means


def _effect(
    means: pd.DataFrame, factor: str, one: str, baseline: str, measure: Measure, level: float
) -> dict[str, Any]:
    columns = ["key", "group", "value"]
    ours, base = (means.loc[means[factor] == name, columns] for name in (one, baseline))
    pairs = ours.merge(base[["key", "value"]], on="key", suffixes=("", "_base"))
    difference = pairs["value"] - pairs["value_base"]
    found = estimate(difference, pairs["group"], share=False, level=level, least=-1.0 if measure.share else -math.inf)
    high = found["high"]
    return {
        "pairs": len(pairs),
        "groups": pairs["group"].nunique(),
        "unpaired": len(ours) + len(base) - 2 * len(pairs),
        "difference": found["value"],
        "low": found["low"],
        "high": min(high, 1.0) if measure.share and high is not None else high,
    }
