"""Results with luck taken out, on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ludometer.analysis.luck import adjusted_results, luck_ratios
from ludometer.cli.output import print_notes, print_table

if TYPE_CHECKING:
    from ludometer.analysis import RunTables
    from ludometer.analysis.luck import LuckOfRun

__all__ = ["luck_json", "print_luck"]


def luck_json(part: RunTables, luck: LuckOfRun) -> dict[str, Any]:
    """Adjusted results and what is left of the variance, as JSON under ``luck_adjusted`` and ``luck_ratios``."""
    frames = {"luck_adjusted": adjusted_results(part, luck), "luck_ratios": luck_ratios(part, luck)}
    return {name: json.loads(frame.to_json(orient="records")) for name, frame in frames.items()}


def print_luck(label: str, part: RunTables, luck: LuckOfRun) -> None:
    """A table for each game and what is counted there, with a line on what the adjustment was worth."""
    results = adjusted_results(part, luck)
    for (game, what), own in results.groupby(["game", "what"], sort=False):
        rows = [
            [
                row["entrant"],
                _between(row, "plain", "low", "high"),
                _between(row, "adjusted", "adjusted_low", "adjusted_high"),
                _number(row["ratio"], 2),
                row["matches"],
                row["groups"],
            ]
            for row in own.to_dict("records")
        ]
        columns = ["entrant", "as played (95%)", "luck-adjusted (95%)", "variance left", "matches", "groups"]
        print_table(", ".join(filter(None, [f"Mean {what} in {game}", label])), columns, rows)
    notes = []
    for row in luck_ratios(part, luck).to_dict("records"):
        where = f"{row['game']}, {row['what']}"
        if row["ratio"] == row["ratio"]:
            low, high = (_number(row[name], 2) for name in ("ratio_low", "ratio_high"))
            notes.append(
                f"{where}: {_number(row['ratio'], 2)} of the variance is left ({low} to {high}, "
                f"n={row['groups']} duplicate groups)"
            )
        if row["note"]:
            notes.append(f"{where}: {row['note']}")
    print_notes(notes or ["no finished game of this run has luck that could be taken out"])


def _between(row: dict[Any, Any], value: str, low: str, high: str) -> str:
    if row[value] != row[value]:
        return "-"
    digits = 3 if row["what"] == "score" else 1
    ends = "" if row[low] != row[low] else f" ({_number(row[low], digits)} to {_number(row[high], digits)})"
    return f"{_number(row[value], digits)}{ends}"


def _number(value: float, digits: int) -> str:
    return "-" if value != value else f"{value:.{digits}f}"
