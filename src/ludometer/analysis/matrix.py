"""The game matrix: results of every ordered pair (tables 2 and 3 of Topsakal & Harper, 2024)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ludometer.analysis.counts import outcome_column
from ludometer.analysis.run import Source, load_tables
from ludometer.core import ConfigurationError, Json

__all__ = ["MATRIX_COLUMNS", "game_matrix"]

MATRIX_COLUMNS = ("X", "O", "D", "C", "F", "void", "unfinished")
"""Won by the first seat, won by the second, drawn, canceled, forfeited; void and unfinished matches."""


def game_matrix(
    source: Source, *, game: str | None = None, condition: str | Mapping[str, Json] | None = None
) -> pd.DataFrame:
    """Counts per game, condition and ordered pair.

    Returns:
        Index ``game``, ``condition``, ``player_1`` (first seat), ``player_2``, entrants in the run's order. Columns
        `MATRIX_COLUMNS`, which add up to ``games``. X, O and D are completed games only.

    Raises:
        ConfigurationError: matches with other than two seats.
    """
    tables = load_tables(source).only(game=game, condition=condition)
    if not tables.two_seats:
        raise ConfigurationError("a game matrix is for games with two seats; this run has matches with more or fewer")
    keys = ["game", "condition", "player_1", "player_2"]
    matches = tables.matches
    cells = matches[keys].assign(result=_results(matches))
    counts = cells.groupby([*keys, "result"], sort=False).size().unstack("result", fill_value=0)
    counts = counts.reindex(columns=list(MATRIX_COLUMNS), fill_value=0)
    counts["games"] = counts.sum(axis=1)
    place = {name: i for i, name in enumerate(tables.names)}
    parts = {part: i for i, part in enumerate(tables.parts())}
    order = sorted(counts.index, key=lambda key: (parts[key[:2]], place[key[2]], place[key[3]]))
    return counts.reindex(pd.MultiIndex.from_tuples(order, names=keys)) if order else counts


def _results(matches: pd.DataFrame) -> pd.Series[str]:
    outcome = outcome_column(matches)
    letters = outcome.map({"canceled": "C", "forfeit": "F", "void": "void", "unfinished": "unfinished"})
    score = matches["score_1"]
    by_score = pd.Series("D", index=matches.index).mask(score > 0.5, "X").mask(score < 0.5, "O")
    return letters.where(outcome != "completed", by_score)
