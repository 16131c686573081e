"""How many moves a result takes (figures 5 and 6 of Topsakal & Harper, 2024).

A move is an attempt: the bad attempts of all seats count, as in the study.
"""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from ludometer.analysis.run import Source, load_tables
from ludometer.analysis.wins import seat_rows
from ludometer.ratings import mean_interval

__all__ = ["moves_per_result"]


def moves_per_result(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Mean number of moves, bad attempts counted, of the completed matches an entrant won in each seat or drew.

    Returns:
        One row per entrant and ``result`` (``won as player 1``, ``won as player 2``, ``drawn``; with more than two
        seats ``won`` in any of them, ``drawn`` where the best score is shared), and the draws of all matches as the
        entrant ``all``. ``matches`` is how many there are; ``mean``, ``low`` and ``high`` (clustered on the duplicate
        group, Student's t) are missing where there is no such match (never 0). The interval is also missing where there
        is one group only, or where all matches took the same number of moves: neither says anything about the spread.
        Empty for runs imported without moves: see `RunTables.lengths`.
    """
    tables = load_tables(source)
    rows = seat_rows(tables)
    rows = rows[(rows["outcome"] == "completed") & rows["attempts"].notna()]
    seats = int(tables.matches["seats"].max()) if len(tables.matches) else 0
    columns = ["entrant", "result", "matches", "mean", "low", "high"]
    if rows.empty:
        return pd.DataFrame(columns=columns)
    found: list[dict[str, Any]] = []
    for name in tables.names:
        mine = rows[rows["entrant"] == name]
        if seats > 2:
            found.append({"entrant": name, "result": "won", **_mean(mine[mine["best"]], level)})
        for number in range(1, seats + 1) if seats <= 2 else ():
            won = mine[mine["best"] & (mine["seat_number"] == number)]
            found.append({"entrant": name, "result": f"won as player {number}", **_mean(won, level)})
        drawn = mine[mine["shared"]].drop_duplicates("match")
        found.append({"entrant": name, "result": "drawn", **_mean(drawn, level)})
    drawn = rows[rows["shared"]].drop_duplicates("match")
    found.append({"entrant": "all", "result": "drawn", **_mean(drawn, level)})
    return pd.DataFrame(found, columns=columns)


def _mean(rows: pd.DataFrame, level: float) -> dict[str, Any]:
    if rows.empty:
        return {"matches": 0, "mean": None, "low": None, "high": None}
    interval = mean_interval(rows["attempts"].astype("float64").to_numpy(), rows["group"].to_numpy(), level=level)
    known = math.isfinite(interval.low) and interval.high - interval.low > 1e-9
    low, high = (interval.low, interval.high) if known else (None, None)
    return {"matches": len(rows), "mean": interval.value, "low": low, "high": high}
