"""Payoffs: what a match brings in the game's own units (chips won, territories held), where a game has such.

A score says who won; a payoff also says by how much. Completed matches between different entrants only: a match that
was broken off has no payoffs.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pandas as pd

from ludometer.analysis.counts import outcome_column
from ludometer.analysis.measures import estimate, with_missing
from ludometer.analysis.run import Source, load_tables

__all__ = ["payoff_differences", "payoff_rows", "payoffs"]

_ROW = ["match", "group", "game", "condition", "seats", "entrant", "seat_number", "score", "payoff", "expected"]


def payoff_rows(source: Source) -> pd.DataFrame:
    """One row per seat of every completed match with payoffs and different entrants.

    Returns:
        Columns ``match``, ``group``, ``game``, ``condition``, ``seats``, ``entrant``, ``seat_number``, ``score``,
        ``payoff``, and ``expected``: the mean payoff of all seats of the match, which is 0 for chips won.
    """
    matches = load_tables(source).matches
    if "payoff_1" not in matches:
        return pd.DataFrame(columns=_ROW)
    matches = matches[(outcome_column(matches) == "completed") & ~matches["self_play"] & matches["payoff_1"].notna()]
    width = int(matches["seats"].max()) if len(matches) else 0
    same = matches[["match", "group", "game", "condition", "seats"]]
    expected = matches[[f"payoff_{i}" for i in range(1, width + 1)]].mean(axis=1)
    pieces = [
        same.assign(
            entrant=matches[f"player_{number}"],
            seat_number=number,
            score=matches[f"score_{number}"],
            payoff=matches[f"payoff_{number}"],
            expected=expected,
        )[matches["seats"] >= number]
        for number in range(1, width + 1)
    ]
    return pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=_ROW)


def payoffs(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Mean payoff of every entrant in every game that has payoffs.

    Returns:
        Columns ``game``, ``entrant``, ``matches``, ``groups`` (duplicate groups), ``payoff`` per match (and seat, where
        an entrant holds several) with ``low`` and ``high``, clustered on the duplicate group (missing where nothing is
        known of the spread), ``expected`` (the mean of all seats in the same matches), and ``says_more``: whether the
        game's payoffs tell two results with the same score apart.
    """
    tables = load_tables(source)
    rows = payoff_rows(tables)
    found: list[dict[str, Any]] = []
    for game, part in rows.groupby("game", sort=False):
        more = bool((part.groupby(["seats", "score"])["payoff"].nunique() > 1).any())
        for name in tables.names:
            mine = part[part["entrant"] == name]
            if mine.empty:
                continue
            mean = estimate(mine["payoff"], mine["group"], share=False, level=level, least=-math.inf)
            counts = {"matches": mine["match"].nunique(), "groups": mine["group"].nunique()}
            ends = {"payoff": mean["value"], "low": mean["low"], "high": mean["high"]}
            expected = {"expected": mine["expected"].mean(), "says_more": more}
            found.append({"game": game, "entrant": name, **counts, **ends, **expected})
    columns = ["game", "entrant", "matches", "groups", "payoff", "low", "high", "expected", "says_more"]
    return with_missing(pd.DataFrame(found, columns=columns), "payoff", "low", "high", "expected")


def payoff_differences(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """How much more one entrant gains than another in the same seats with the same luck.

    Matches of a duplicate group have the same luck and the seats rotated. What both of two entrants got in one seat of
    one group (and condition) is compared, so that good cards favour neither; the difference of a group is the mean over
    the seats that both held.

    Returns:
        One row per ``game`` and pair ``entrant``, ``other`` that held the same seat in a group: ``groups``, ``seats``
        (compared, in all groups), mean ``difference`` = payoff of the entrant - payoff of the other, with ``low`` and
        ``high`` (Student's t over groups; missing where nothing is known of the spread). Both orders of a pair are the
        same with the sign changed, and only one is listed.
    """
    tables = load_tables(source)
    rows = payoff_rows(tables)
    found: list[dict[str, Any]] = []
    for game, part in rows.groupby("game", sort=False):
        place = ["group", "condition", "seats", "seat_number"]
        means = part.groupby([*place, "entrant"], sort=False)["payoff"].mean().unstack("entrant")
        present = [name for name in tables.names if name in means]
        for one, other in combinations(present, 2):
            gain = (means[one] - means[other]).dropna()
            if gain.empty:
                continue
            by_group = gain.groupby(level="group").mean()
            index = by_group.index.to_series()
            mean = estimate(by_group, index, share=False, level=level, least=-math.inf)
            counts = {"groups": len(by_group), "seats": len(gain)}
            ends = {"difference": mean["value"], "low": mean["low"], "high": mean["high"]}
            found.append({"game": game, "entrant": one, "other": other, **counts, **ends})
    columns = ["game", "entrant", "other", "groups", "seats", "difference", "low", "high"]
    return with_missing(pd.DataFrame(found, columns=columns), "difference", "low", "high")
