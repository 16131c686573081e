"""Effort against performance: how many tokens a language model spends on a move, and what it scores for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from ludometer.analysis.frames import condition_label
from ludometer.analysis.measures import estimate, is_model, measured, seats_of, with_missing
from ludometer.analysis.performance import pooled_seats
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.core import Json

__all__ = ["EFFORT_SETTINGS", "effort_points"]

EFFORT_SETTINGS: Final = ("reasoning_effort", "reasoning_tokens", "strategy")
"""Settings that say how hard a model is to think."""

_COLUMNS = [
    *("entrant", "model", "setting", "games", "score", "score_low", "score_high"),
    *("moves", "kind", "tokens", "tokens_low", "tokens_high"),
]


def effort_points(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """One row per language model and effort setting, in the order of the configuration.

    Returns:
        Columns ``entrant``, ``model`` (as it is asked for), ``setting`` (in words; empty where nothing is set);
        ``games``, ``score``, ``score_low``, ``score_high`` as in `performance`, all games together; ``moves`` with
        mean ``tokens``, ``tokens_low``, ``tokens_high`` per move, over finished matches. ``kind`` says which tokens:
        ``reasoning``, or ``output`` where the provider reports none, or none but zeros (None: no tokens at all). All
        intervals are clustered on the duplicate group.
    """
    tables = load_tables(source)
    seats = seats_of(tables)
    values = measured(tables, seats)
    counted = pooled_seats(tables)
    factors = [name for name in EFFORT_SETTINGS if name in seats.columns]
    rows: list[dict[str, Any]] = []
    for entrant in tables.entrants:
        mine = seats[seats["entrant"] == entrant["name"]]
        if not is_model(entrant) or mine.empty:
            continue
        for condition in _conditions(mine, factors):
            part = mine[[_under(row, condition) for row in mine.to_dict("records")]]
            scored = part.drop(columns="score").merge(
                counted[["match", "seat_number", "score"]], on=["match", "seat_number"]
            )
            found = estimate(scored["score"], scored["group"], share=True, level=level)
            labels = {"entrant": entrant["name"], "model": entrant["player"]}
            scores = {"games": len(scored), "score": found["value"]}
            ends = {"score_low": found["low"], "score_high": found["high"]}
            setting = {"setting": _setting(tables, entrant, condition)}
            rows.append(labels | setting | scores | ends | _tokens(values, part, level))
    numbers = [name for name in _COLUMNS if name.startswith(("score", "tokens"))]
    return with_missing(pd.DataFrame(rows, columns=_COLUMNS), *numbers)


def _conditions(seats: pd.DataFrame, factors: list[str]) -> list[dict[str, Json]]:
    """The combinations of effort factors that a model plays under; one empty one where none is varied."""
    if not factors:
        return [{}]
    rows = seats[factors].drop_duplicates().to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in rows]


def _under(row: Mapping[Any, Any], condition: Mapping[str, Json]) -> bool:
    return all(row[key] == value for key, value in condition.items())


def _setting(tables: RunTables, entrant: Mapping[str, Json], condition: Mapping[str, Json]) -> str:
    """The effort in words: what the run varies, what the entrant or the run sets, and the entrant's own label."""
    options = {**(tables.config.get("prompt") or {}), **condition, **(entrant.get("options") or {})}
    told = condition_label({key: options[key] for key in EFFORT_SETTINGS if options.get(key) is not None})
    return ", ".join(word for word in (str(entrant.get("thinking") or ""), told) if word)


def _tokens(values: Mapping[str, pd.DataFrame], part: pd.DataFrame, level: float) -> dict[str, Any]:
    for kind in ("reasoning", "output"):
        found = values[f"{kind}_tokens"].merge(part[["match", "seat_number", "group"]], on=["match", "seat_number"])
        if kind == "output" or found["value"].any():
            if found.empty:
                break
            mean = estimate(found["value"], found["group"], share=False, level=level)
            ends = {"tokens_low": mean["low"], "tokens_high": mean["high"]}
            return {"moves": len(found), "kind": kind, "tokens": mean["value"], **ends}
    return {"moves": 0, "kind": None, "tokens": None, "tokens_low": None, "tokens_high": None}
