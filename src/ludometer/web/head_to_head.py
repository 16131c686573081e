"""Every entrant against every other, in matches of any number of seats."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ludometer.analysis import RunTables, outcome_column
from ludometer.analysis.measures import estimate
from ludometer.analysis.ratings import counted_scores
from ludometer.ratings.counting import Rule
from ludometer.web.shapes import HeadCell

__all__ = ["head_cells"]

_LEVEL = 0.95


def head_cells(tables: RunTables, counting: Rule) -> list[HeadCell]:
    """A cell for every ordered pair that met, self-play included (its score says nothing, and is null).

    Wins, draws and losses are of completed matches; the score counts what the rule counts. In matches for more than two
    both are of the comparison of the two seats.
    """
    pairs = _pairs(tables, counting)
    place = {name: i for i, name in enumerate(tables.names)}
    cells = [_cell(str(one), str(two), part) for (one, two), part in pairs.groupby(["one", "two"], sort=False)]
    last = len(place)
    return sorted(cells, key=lambda cell: (place.get(cell.row, last), place.get(cell.column, last)))


def _cell(one: str, two: str, part: pd.DataFrame) -> HeadCell:
    completed = part[part["outcome"] == "completed"]
    known = part[part["score"].notna()]
    if one == two:
        known = known.iloc[:0]
    found = estimate(known["score"], known["group"], share=True, level=_LEVEL)
    result = completed["result"]
    return HeadCell(
        row=one,
        column=two,
        games=int(part["outcome"].isin(["completed", "forfeit", "canceled"]).sum()),
        wins=int((result > 0.5).sum()),
        draws=int((result == 0.5).sum()),
        losses=int((result < 0.5).sum()),
        counted=len(known),
        score=found["value"],
        low=found["low"],
        high=found["high"],
        canceled=int((part["outcome"] == "canceled").sum()),
        forfeits=int((part["outcome"] == "forfeit").sum()),
    )


def _pairs(tables: RunTables, counting: Rule) -> pd.DataFrame:
    """Every two seats of every match from both sides: ``one``, ``two``, ``outcome``, ``group``, the ``result`` of the
    first in a completed match, and its ``score`` where the match counts."""
    matches = tables.matches
    counted = counted_scores(matches, counting)
    outcome = outcome_column(matches)
    most = int(matches["seats"].max()) if len(matches) else 0
    ties = matches["equals_tie"].astype("bool") if "equals_tie" in matches else pd.Series(True, index=matches.index)
    pieces = []
    for i, j in combinations(range(1, most + 1), 2):
        there = matches["seats"] >= j
        result = _compared(matches[f"score_{i}"], matches[f"score_{j}"], matches["seats"], ties)
        score = _compared(counted[i], counted[j], matches["seats"], ties)
        same: dict[str, Any] = {"outcome": outcome[there], "group": matches["group"][there]}
        names = matches[f"player_{i}"][there], matches[f"player_{j}"][there]
        for one, two, flip in ((*names, False), (*reversed(names), True)):
            mine = (1.0 - result if flip else result)[there], (1.0 - score if flip else score)[there]
            pieces.append(pd.DataFrame({"one": one, "two": two, **same, "result": mine[0], "score": mine[1]}))
    columns = ["one", "two", "outcome", "group", "result", "score"]
    if not pieces:
        return pd.DataFrame(columns=columns)
    found = pd.concat(pieces, ignore_index=True)
    # A match of an entrant against itself has two sides that are the same.
    mirrored = found["one"].eq(found["two"]) & found.index.isin(_second_sides(pieces))
    return found[~mirrored]


def _second_sides(pieces: list[pd.DataFrame]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions of the rows that are seen from the later seat."""
    starts = np.cumsum([0, *(len(piece) for piece in pieces)])
    return np.concatenate([np.arange(starts[k], starts[k + 1]) for k in range(1, len(pieces), 2)])


def _compared(
    one: pd.Series[float], two: pd.Series[float], seats: pd.Series[int], ties: pd.Series[bool]
) -> pd.Series[float]:
    """The first one's score of two seats: as it is where there are only these two, else who is ahead."""
    first, second = one.astype("float64"), two.astype("float64")
    ahead = pd.Series(np.where(first > second, 1.0, np.where(first < second, 0.0, 0.5)), index=first.index)
    ahead = ahead.mask((first == second) & ~ties).where(first.notna() & second.notna())
    return ahead.where(seats > 2, first)
