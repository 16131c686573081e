"""Example games of a report: a few matches drawn move by move, one of them with a rejected answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import pandas as pd

from ludometer.analysis import RunTables, condition_label
from ludometer.core import Json
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.walk import DrawnStep, drawn_steps

__all__ = ["MOST_SHOWN", "example_games"]

MOST_SHOWN = 600
"""Characters of a raw answer that are shown."""

_GAMES = 8
"""Of how many games one is drawn at most."""

_STEPS = 40
"""Steps of a game that are drawn: the report stays readable for long games."""

_PICTURES = 200_000
"""Characters of a game's pictures, after which no more steps are drawn: the report stays small for large tables."""


def example_games(store: RunStore, tables: RunTables, most: int = 3) -> list[dict[str, Json]]:
    """The first match with a rejected answer, where there is one, and the first finished ones, ``most`` in all.

    Of several games each has one, preferably with a rejected answer, up to `_GAMES`.

    Every game has ``steps`` with ``moves`` by seat, ``text`` and ``svg`` of the position, and ``rejected`` answers with
    their raw text cut to `MOST_SHOWN` characters (``more`` says how many are left out).
    """
    return [_example(store, row) for match_id in _chosen(tables, most) if (row := store.match(match_id)) is not None]


def _chosen(tables: RunTables, most: int) -> list[str]:
    matches = tables.matches
    played = matches[(matches["status"] == "finished") & matches["notation"].notna()]
    # A game with both: a bad attempt, and moves around it.
    refused = played[(played["bad_attempts"] > 0) & (played["moves"] > 0)]
    mended = refused[refused["ending"] == "completed"]
    others = played[played["ending"] == "completed"]
    preferred = pd.concat([mended.drop_duplicates("game"), refused.drop_duplicates("game"), others, played])
    each = preferred.drop_duplicates("game").sort_index()
    order = pd.concat([each, preferred])["match"].drop_duplicates()
    return [str(match_id) for match_id in order.head(max(most, min(len(each), _GAMES)))]


def _example(store: RunStore, row: MatchRow) -> dict[str, Json]:
    steps = list(drawn_steps(row, store.rows(schema.attempts, row.id)))
    shown = _drawable(steps)
    return {
        "match": row.id,
        "number": row.number,
        "game": row.game,
        "condition": condition_label(row.condition),
        "seats": dict(row.seats),
        "opening": row.opening,
        "ending": row.ending,
        "why": row.why,
        "offender": row.offender,
        "scores": row.scores,
        "steps": [_step(row, step) for step in steps[:shown]],
        "steps_left_out": len(steps) - shown,
    }


def _drawable(steps: Sequence[DrawnStep]) -> int:
    """How many of the steps are drawn."""
    sizes = accumulate(len(step.svg or "") for step in steps[:_STEPS])
    return sum(1 for size in sizes if size <= _PICTURES)


def _step(row: MatchRow, step: DrawnStep) -> dict[str, Json]:
    return {
        "number": step.number + 1,
        "moves": dict(step.moves),
        "text": step.text,
        "svg": step.svg,
        "rejected": [_rejected(row, attempt) for attempt in step.rejected],
    }


def _rejected(row: MatchRow, attempt: Any) -> dict[str, Json]:
    answer = str(attempt["text"])
    return {
        "seat": attempt["seat"],
        "entrant": row.seats.get(attempt["seat"]),
        "kind": attempt["kind"],
        "reason": attempt["reason"],
        "answer": answer[:MOST_SHOWN],
        "more": max(0, len(answer) - MOST_SHOWN),
    }
