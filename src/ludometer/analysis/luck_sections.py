"""What reports show of luck: results with and without it, and what is left of the variance."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ludometer.analysis.luck import adjusted_results, luck_of_run, luck_ratios
from ludometer.analysis.sections import Column, Section, Table
from ludometer.store import RunStore

__all__ = ["sections"]


def sections(store: RunStore) -> Sequence[Section]:
    """Luck-adjusted results of games with chance; nothing for other runs."""
    luck = luck_of_run(store)
    if not luck.titles:
        return ()
    results, ratios = adjusted_results(store, luck), luck_ratios(store, luck)
    if results.empty:
        return ()
    named = _named(results)
    columns = (
        Column("entrant", "Entrant"),
        *named,
        Column("plain", "As played", "number", "low", "high", "groups", 3),
        Column("adjusted", "Luck-adjusted", "number", "adjusted_low", "adjusted_high", "groups", 3),
        Column("ratio", "Variance left", "number", "ratio_low", "ratio_high", "groups"),
        Column("matches", "Matches", "count"),
    )
    whole = (
        Column("game", "Game"),
        *(column for column in named if column.name != "game"),
        Column("ratio", "Variance left", "number", "ratio_low", "ratio_high", "groups"),
        Column("matches", "Matches", "count"),
        Column("note", "Note"),
    )
    counted = "; ".join(f"{game}: {', '.join(titles)}" for game, titles in luck.titles.items())
    return (
        Section(
            "luck",
            "Luck taken out",
            "Chance events whose mean is known are compared with it, and what a result owes to them is taken out. That "
            "changes no result on average; it takes away noise. Variance left: 0.50 is worth twice as many matches.",
            (
                Table("Results with and without luck", results, columns, _CLUSTERS),
                Table("What is left of the variance", ratios, whole, "All entrants together.", folded=True),
            ),
            notes=(f"Counted as luck: {counted}.", *_few(ratios)),
        ),
    )


_CLUSTERS = (
    "Intervals (95%) are clustered on duplicate groups, n is their number. Where the seats of a group are exchanged, "
    "the luck of the deal is out of the plain results already."
)


def _few(ratios: pd.DataFrame) -> list[str]:
    """The notes on what is left of the variance that concern intervals, each once."""
    notes = [note for row in ratios["note"] for note in str(row).split("; ") if note.startswith("few groups")]
    return [f"{note[:1].upper()}{note[1:]}." for note in dict.fromkeys(notes)]


def _named(frame: pd.DataFrame) -> tuple[Column, ...]:
    several = [name for name in ("game", "condition", "what") if frame[name].nunique() > 1]
    return tuple(Column(name, "Counted" if name == "what" else name.capitalize()) for name in several)
