"""Shares per entrant in a role (teacher, sentinel, defender), as the tables of games with roles show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from ludometer.analysis.measures import estimate

__all__ = ["PLACE", "share_columns", "share_of"]

PLACE: Final = ("game", "condition")
"""What rows are told apart by, beside the entrant."""


def share_columns(counts: Sequence[str], shares: Sequence[str]) -> list[str]:
    """Names of a table's columns: place, ``entrant``, the counts, and each share with ``_low`` and ``_high``."""
    return [*PLACE, "entrant", *counts, *(f"{name}{end}" for name in shares for end in ("", "_low", "_high"))]


def share_of(name: str, values: pd.Series[Any], own: pd.DataFrame, level: float) -> dict[str, Any]:
    """A share with its interval, clustered on the column ``group`` of ``own``, as cells of one row."""
    found = estimate(values.astype("float64"), own["group"], share=True, level=level)
    return {name: found["value"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
