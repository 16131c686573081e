"""Performance: the score rate in a game against a named, fixed pool of opponents, with its interval."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ludometer.analysis.measures import estimate, seats_of, with_missing
from ludometer.analysis.run import RunTables, Source, load_tables

__all__ = ["performance", "pool_of", "pooled_seats"]


def pool_of(source: Source) -> list[str]:
    """The fixed opponents of a gauntlet; empty for every other schedule."""
    tables = load_tables(source)
    schedule = tables.config.get("schedule") or {}
    if schedule.get("kind") != "gauntlet":
        return []
    challengers = schedule.get("challengers") or ()
    others = [name for name in tables.names if name not in challengers] if challengers else ()
    return [str(name) for name in schedule.get("pool") or others]


def performance(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Score rate by game of every entrant, against the pool in a gauntlet (whose members are then left out) and
    against all others otherwise. Conditions are pooled; matches count by the headline rule; self-play never counts.

    Returns:
        Columns ``game``, ``entrant``, ``opponents`` (the names that were met), ``games``, ``score`` with ``low`` and
        ``high`` (clustered on the duplicate group), and ``expected``, the mean score of all seats in those games: one
        half, or less with more than two. Every entrant has a row for every game, with 0 games where none counts.
    """
    tables = load_tables(source)
    pool = pool_of(tables)
    seats = pooled_seats(tables)
    rows: list[dict[str, Any]] = []
    for game in dict.fromkeys(tables.matches["game"]):
        for name in (name for name in tables.names if name not in pool):
            mine = seats[(seats["game"] == game) & (seats["entrant"] == name)]
            found = estimate(mine["score"], mine["group"], share=True, level=level)
            met = set().union(*mine["opponents"]) - {name}
            rows.append(
                {
                    "game": game,
                    "entrant": name,
                    "opponents": [other for other in tables.names if other in met],
                    "games": len(mine),
                    "score": found["value"],
                    "low": found["low"],
                    "high": found["high"],
                    "expected": mine["expected"].mean(),
                }
            )
    columns = ["game", "entrant", "opponents", "games", "score", "low", "high", "expected"]
    return with_missing(pd.DataFrame(rows, columns=columns), "score", "low", "high", "expected")


def pooled_seats(tables: RunTables) -> pd.DataFrame:
    """Rows of `seats_of` with a score: of entrants outside the pool against the pool alone, or of all without one."""
    seats = seats_of(tables)
    seats = seats[seats["score"].notna()]
    pool = pool_of(tables)
    if not pool:
        return seats
    against = pd.Series([set(names) <= set(pool) for names in seats["opponents"]], index=seats.index, dtype="bool")
    return seats[~seats["entrant"].isin(pool) & against]
