"""Results by opening: what the first seat scores from every position that games start from."""

from __future__ import annotations

import pandas as pd

from ludometer.analysis.measures import estimate, with_missing
from ludometer.analysis.ratings import headline_scores
from ludometer.analysis.run import Source, load_tables

__all__ = ["results_by_opening"]


def results_by_opening(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Score of the first seat by game and opening, in schedule order, self-play included; games without an opening
    of their own are the opening ``""``. Empty where no game has openings.

    Returns:
        Columns ``game``, ``opening``, ``matches`` (all), ``games`` (that count by the headline rule), ``drawn``
        (completed, with the best score shared), and ``score`` of the first seat with ``low`` and ``high``, clustered on
        the duplicate group. A group is one pairing in one opening, so that few pairings leave a wide interval.
    """
    matches = load_tables(source).matches
    columns = ["game", "opening", "matches", "games", "drawn", "score", "low", "high"]
    if matches["opening"].isna().all():
        return pd.DataFrame(columns=columns)
    scores = matches[[name for name in matches.columns if name.startswith("score_")]]
    level_top = scores.eq(scores.max(axis=1), axis=0).sum(axis=1) > 1
    frame = matches.assign(opening=matches["opening"].fillna(""), first=headline_scores(matches), level=level_top)
    rows = []
    for (game, opening), part in frame.groupby(["game", "opening"], sort=False):
        counted = part[part["first"].notna()]
        found = estimate(counted["first"], counted["group"], share=True, level=level)
        drawn = int(((counted["ending"] == "completed") & counted["level"]).sum())
        counts = [game, opening, len(part), len(counted), drawn]
        rows.append([*counts, found["value"], found["low"], found["high"]])
    return with_missing(pd.DataFrame(rows, columns=columns), "score", "low", "high")
