"""How many of the games are different games; see `ludometer.ratings.distinct_games`."""

from __future__ import annotations

import pandas as pd

from ludometer.analysis.run import Source, load_tables
from ludometer.ratings import distinct_games

__all__ = ["duplicates"]


def duplicates(source: Source) -> pd.DataFrame:
    """Completed games and the different ones among them, by pairing and order of seats, self-play kept apart.

    Games are equal when game, condition, opening and moves are.

    Returns:
        Columns ``players`` (names by seat, joined by " - "), ``self_play``, ``games``, ``distinct``; the row ``all``
        counts each kind together. Empty for runs imported without moves.
    """
    matches = load_tables(source).matches
    known = matches[(matches["ending"] == "completed") & (matches["status"] == "finished")]
    known = known[known["notation"].notna()]
    names = [column for column in known.columns if column.startswith("player_")]
    rows = []
    for self_play in (False, True):
        part = known[known["self_play"] == self_play]
        if part.empty:
            continue
        seated = [tuple(str(n) for n in row if not pd.isna(n)) for row in part[names].itertuples(index=False)]
        keys = list(zip(part["game"], part["condition"], part["opening"].fillna(""), part["notation"], strict=True))
        for found in distinct_games(zip(seated, keys, strict=True)):
            players = " - ".join(found.players) if found.players else "all"
            rows.append([players, self_play, found.games, found.distinct])
    return pd.DataFrame(rows, columns=["players", "self_play", "games", "distinct"])
