"""What became of the matches of a run: nothing is left out, and every reason is named."""

from __future__ import annotations

import pandas as pd

from ludometer.analysis.run import Source, load_tables

__all__ = ["NOT_NEEDED", "OUTCOMES", "endings", "outcome_column", "run_counts"]

OUTCOMES = ("completed", "forfeit", "canceled", "void", "unfinished")
"""``unfinished``: scheduled or at play. Void matches are taken up again when the run is resumed."""

NOT_NEEDED = "not needed"
"""A match that is not finished, and need not be, since the run is decided without it (``stop_when``)."""


def outcome_column(matches: pd.DataFrame) -> pd.Series[str]:
    """One of `OUTCOMES` per match, or `NOT_NEEDED`."""
    ending = matches["ending"].where(matches["status"] == "finished", "unfinished")
    ending = ending.where(matches["status"] != NOT_NEEDED, NOT_NEEDED)
    return ending.where(matches["status"] != "void", "void").astype("str")


def run_counts(source: Source) -> dict[str, int]:
    """Number of matches by outcome, and ``total``; every outcome is present, and they add up. `NOT_NEEDED` is among
    them where a run is decided before its schedule is played."""
    matches = load_tables(source).matches
    found = outcome_column(matches).value_counts()
    counts = {outcome: int(found.get(outcome, 0)) for outcome in OUTCOMES}
    spared = int(found.get(NOT_NEEDED, 0))
    return {"total": len(matches), **counts, **({NOT_NEEDED: spared} if spared else {})}


def endings(source: Source) -> pd.DataFrame:
    """Why matches ended, most frequent first: ``outcome``, ``why``, ``offender`` (missing where nobody is at fault),
    ``matches``. Unfinished matches are one row without a reason."""
    matches = load_tables(source).matches
    frame = pd.DataFrame(
        {"outcome": outcome_column(matches), "why": matches["why"].fillna(""), "offender": matches["offender"]}
    )
    grouped = frame.groupby(["outcome", "why", "offender"], dropna=False, sort=True).size()
    rows = grouped.rename("matches").reset_index()
    rows["order"] = rows["outcome"].map({outcome: i for i, outcome in enumerate((*OUTCOMES, NOT_NEEDED))})
    rows = rows.sort_values(["order", "matches"], ascending=[True, False], kind="stable")
    return rows.drop(columns="order").reset_index(drop=True)
