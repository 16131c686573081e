"""Who met whom with which result: the game matrix of games for two (tables 2 and 3 of Topsakal & Harper, 2024), and for
more than two how often an entrant came out ahead of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from ludometer.analysis.counts import NOT_NEEDED, outcome_column
from ludometer.analysis.measures import estimate, with_missing
from ludometer.analysis.ratings import counted_games
from ludometer.analysis.run import Source, load_tables
from ludometer.core import Json
from ludometer.ratings.counting import Rule

__all__ = ["MATRIX_COLUMNS", "game_matrix", "opponent_matrix"]

MATRIX_COLUMNS = ("X", "O", "D", "C", "F", "void", "unfinished")
"""Won by the first seat, won by the second, drawn, canceled, forfeited; void and unfinished matches."""


def game_matrix(
    source: Source, *, game: str | None = None, condition: str | Mapping[str, Json] | None = None
) -> pd.DataFrame:
    """Counts per game, condition and ordered pair, of matches with two seats; see `opponent_matrix` for others.

    Returns:
        Index ``game``, ``condition``, ``player_1`` (first seat), ``player_2``, entrants in the run's order. Columns
        `MATRIX_COLUMNS`, which add up to ``games``. X, O and D are completed games only. Matches that are not needed
        are not among them.
    """
    tables = load_tables(source).only(game=game, condition=condition)
    keys = ["game", "condition", "player_1", "player_2"]
    matches = tables.matches[(tables.matches["seats"] == 2) & (tables.matches["status"] != NOT_NEEDED)]
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


def opponent_matrix(source: Source, *, counting: Rule = "headline", level: float = 0.95) -> pd.DataFrame:
    """How often every entrant came out ahead of every other, in matches with more than two seats.

    Returns:
        One row per ``game``, ``condition``, ``entrant`` and ``opponent`` that were compared (see
        `ludometer.ratings.placements`), in the run's order. Columns ``matches`` and ``compared`` (pairs of their seats;
        more than the matches where one holds several seats), ``share`` (of the comparisons won, ties half) with ``low``
        and ``high``, clustered on the duplicate group.
    """
    tables = load_tables(source)
    many = replace(tables, matches=tables.matches[tables.matches["seats"] > 2].reset_index(drop=True))
    columns = ["game", "condition", "entrant", "opponent", "matches", "compared", "share", "low", "high"]
    place = {name: i for i, name in enumerate(tables.names)}
    rows = []
    for game, condition in many.parts():
        pairs = _compared(many.only(game=game, condition=condition), counting)
        met = {(str(one), str(two)): part for (one, two), part in pairs.groupby(["one", "two"])}
        for (one, two), part in sorted(met.items(), key=lambda item: (place[item[0][0]], place[item[0][1]])):
            found = estimate(part["score"], part["cluster"], share=True, level=level)
            counts = [part["match"].nunique(), len(part)]
            rows.append([game, condition, one, two, *counts, found["value"], found["low"], found["high"]])
    return with_missing(pd.DataFrame(rows, columns=columns), "share", "low", "high")


def _compared(source: Source, counting: Rule) -> pd.DataFrame:
    """Every comparison from both sides: ``one``, ``two``, ``score`` of the first, ``match``, ``cluster``."""
    games, _ = counted_games(source, counting=counting)
    names = np.array(games.entrants, dtype="object")
    if games.matches is None:
        return pd.DataFrame(columns=["one", "two", "score", "match", "cluster"])
    same = {"match": games.matches.of_row, "cluster": games.clusters}
    first, second = names[games.first], names[games.second]
    there = pd.DataFrame({"one": first, "two": second, "score": games.score, **same})
    back = pd.DataFrame({"one": second, "two": first, "score": 1.0 - games.score, **same})
    return pd.concat([there, back], ignore_index=True)
