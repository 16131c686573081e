"""Who is better in every pair of a run with ``stop_when``: intervals that hold however often one looks."""

from __future__ import annotations

import math

import pandas as pd

from ludometer.analysis.frames import condition_label
from ludometer.store import RunStore
from ludometer.tournaments import load_config
from ludometer.tournaments.stopping import pair_rows

__all__ = ["decided_pairs"]

_COLUMNS = ("condition", "one", "other", "groups", "score", "points", "low", "high", "verdict")


def decided_pairs(store: RunStore) -> pd.DataFrame:
    """One row per pair and condition, in alphabetical order; none for a run without ``stop_when``.

    Returns:
        ``condition`` (its label), ``one``, ``other``; ``groups``, duplicate groups that count, and the mean ``score``
        of the one in them; ``points``, the difference that it stands for on the scale of Elo, with ``low`` and
        ``high``: bounds of the confidence sequence, all of which hold at all times with a probability of 95% (missing
        where it is unbounded or nothing was played); ``verdict``: ``first`` or ``second`` is better, ``alike`` (within
        ``stop_margin``), or ``open``.
    """
    config = load_config(store.config) if store.config.get("stop_when") else None
    rows = [] if config is None else pair_rows(config, store.matches())
    found = [[condition_label(row.condition), *(getattr(row, name) for name in _COLUMNS[1:])] for row in rows]
    frame = pd.DataFrame(found, columns=list(_COLUMNS))
    for name in ("score", "points", "low", "high"):
        values = pd.to_numeric(frame[name]).astype("float64")
        frame[name] = values.where(values.map(math.isfinite))
    return frame
