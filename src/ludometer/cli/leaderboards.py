"""Rating tables on the terminal."""

from __future__ import annotations

import dataclasses
from typing import Any

from ludometer.cli.output import print_table
from ludometer.ratings import Counts, RatingTable

__all__ = ["print_rating_table", "rating_json"]


def print_rating_table(table: RatingTable, title: str = "") -> None:
    """Ratings with intervals, rank ranges and sample sizes, and what a reader must know beside them."""
    rows = [
        [
            _range(*row.rank),
            row.name,
            f"{row.rating:.0f}",
            f"{row.low:.0f} to {row.high:.0f}",
            row.games,
            f"{row.wins:g}/{row.draws:g}/{row.losses:g}",
            row.interval,
        ]
        for row in table.rows
    ]
    level = f"{100 * table.level:g}% interval"
    print_table(
        title, ["rank", "entrant", "rating", level, "games", "won/drawn/lost", "interval by"], rows, _notes(table)
    )


def _notes(table: RatingTable) -> list[str]:
    notes = [table.method]
    for seat in table.seats:
        notes.append(
            f"moving first in {seat.game} is worth {seat.points:.0f} points ({seat.low:.0f} to {seat.high:.0f}, "
            f"{seat.games:g} games)"
        )
    notes += table.notes
    if table.unrated:
        notes.append(f"not rated, for want of a game against another entrant: {', '.join(table.unrated)}")
    if table.counts is not None:
        notes.append(counted(table.counts))
    return notes


def counted(counts: Counts) -> str:
    """What was counted and what was left out, in words."""
    left_out = ", ".join(f"{count} {reason}" for reason, count in counts.left_out.items())
    return f"{counts.rated} of {counts.total} games rated ({counts.rule})" + (
        f"; left out: {left_out}" if left_out else ""
    )


def _range(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}-{worst}"


def rating_json(table: RatingTable) -> dict[str, Any]:
    """A rating table as JSON."""
    return {
        "method": table.method,
        "level": table.level,
        "rows": [dataclasses.asdict(row) for row in table.rows],
        "seats": [dataclasses.asdict(seat) for seat in table.seats],
        "tie": None if table.tie is None else {**dataclasses.asdict(table.tie), "draw_rate": table.tie.draw_rate},
        "unrated": list(table.unrated),
        "components": [list(names) for names in table.components],
        "notes": list(table.notes),
        "counts": None if table.counts is None else dataclasses.asdict(table.counts),
    }
