"""The published tables of the UNO study, in the units of our own, and correlations between metrics over players."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from ludometer.analysis.uno.metrics import METRICS

__all__ = ["PublishedTable", "metric_correlations", "published_notes", "published_tables"]

_PERCENT: Final = ("WR", "ODHR")


class PublishedTable(NamedTuple):
    """A table of the study.

    Attributes:
        number: in the study.
        title: what was played.
        seats, games: players per game and number of games, as the study states them.
        p: its threshold for critical decisions, as stated.
        frame: ``entrant`` and `METRICS`, rates as shares.
    """

    number: int
    title: str
    seats: int
    games: int
    p: float
    frame: pd.DataFrame


_TABLES: Final = (
    ("table2_vs_random", 2, "against a random player who moves first", 2),
    ("table3_five_players", 3, "five models in one game", 5),
    ("table4_vanilla_vs_tutri", 4, "a model against itself with TuTri", 2),
    ("table5_ablation_gemini_pro", 5, "TuTri without one of its reflections", 2),
)


def published_tables() -> tuple[PublishedTable, ...]:
    """Tables 2 to 5 of Qin et al. (2024)."""
    study = _study()
    return tuple(
        PublishedTable(
            number, title, seats, study[key]["games"], study[key]["critical_threshold_p"], _frame(study, key)
        )
        for key, number, title, seats in _TABLES
    )


def published_notes() -> tuple[str, ...]:
    """What a reader of the published tables must know."""
    return tuple(_study()["notes"])


def _study() -> dict[str, Any]:
    text = (resources.files("ludometer") / "data" / "uno_arena2024.json").read_text(encoding="utf-8")
    study: dict[str, Any] = json.loads(text)
    return study


def _frame(study: dict[str, Any], key: str) -> pd.DataFrame:
    rows = study[key]["rows"]
    frame = pd.DataFrame(list(rows.values()), columns=study["columns"])
    for name in frame.columns:
        if name.startswith(_PERCENT):
            frame[name] = frame[name] / 100
    frame.insert(0, "entrant", list(rows))
    return frame[["entrant", *METRICS]]


def metric_correlations(frame: pd.DataFrame) -> pd.DataFrame:
    """Pearson's correlation of every two metrics over players (figure 2 of the study).

    Args:
        frame: one row per player with the columns `METRICS`. Rows that lack one are left out.

    Returns:
        Shape (7, 7), named by `METRICS`; all missing with fewer than three players, missing for a metric that does
        not vary.
    """
    known = frame[list(METRICS)].astype("float64").dropna()
    values = np.full((len(METRICS), len(METRICS)), np.nan)
    if len(known) >= 3:
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.corrcoef(known.to_numpy(), rowvar=False)
    return pd.DataFrame(values, index=list(METRICS), columns=list(METRICS))
