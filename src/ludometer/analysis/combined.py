"""One number over several games: the stack of per-game ratings, and one fit in which every game weighs the same.

The *stack* adds up the ratings that every game gives by itself (Khan et al., "ZeroSumEval", 2025). Games have
luck of their own, so the variance of the sum is the sum of the variances. Every game has a scale of its own, too: where
luck decides much, ratings lie close together, and the game hardly moves the sum.

The *joint fit* takes one strength per entrant for all games, with a first-mover term per game and every game weighing
the same, however often it was played (`ludometer.ratings.balance`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ludometer.analysis.ratings import ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import Column, Figure, Section, Stack, Stacks, Table, Whiskers, whiskers_of
from ludometer.core import ConfigurationError
from ludometer.ratings import RatingTable
from ludometer.ratings.counting import Rule
from ludometer.ratings.intervals import entrant_errors, normal_quantile
from ludometer.store import RunStore

__all__ = ["combined_ratings", "game_ratings", "joint_ratings", "sections"]

_COLUMNS = ["game", "entrant", "rating", "low", "high", "error", "games", "interval", "rank_best", "rank_worst"]
_MOST_GAMES = 10
"""More parts of a bar could not be told apart."""


def game_ratings(source: Source, *, counting: Rule = "headline", level: float = 0.95) -> pd.DataFrame:
    """Ratings of every game by itself, conditions pooled.

    Returns:
        One row per game and rated entrant: ``game``, ``entrant``, ``rating``, ``low``, ``high`` and ``error``
        (standard error) in points, ``games``, ``interval`` (its kind), ``rank_best``, ``rank_worst``. Games in which
        nobody can be rated are left out.
    """
    tables = load_tables(source)
    rows: list[dict[str, Any]] = []
    for game in dict.fromkeys(tables.matches["game"]):
        table = _rated(tables.only(game=str(game)), counting, level)
        rows += [] if table is None else _rows(str(game), table)
    return pd.DataFrame(rows, columns=_COLUMNS)


def joint_ratings(source: Source, *, counting: Rule = "headline", level: float = 0.95) -> RatingTable:
    """One fit to all games in which every game weighs the same.

    Raises:
        ConfigurationError: nothing can be rated.
    """
    return ratings_of(source, counting=counting, level=level, balance=True)


def combined_ratings(source: Source, *, counting: Rule = "headline", level: float = 0.95) -> pd.DataFrame:
    """The games of a run combined in both ways, the strongest of the joint fit first.

    Returns:
        One row per entrant: ``entrant``; ``rated_in``, how many games rate it; ``stack``, the sum of its ratings, and
        ``mean``, ``mean_low`` and ``mean_high``, their mean with its interval (missing unless all games rate it);
        ``joint``, ``joint_low``, ``joint_high``, ``rank_best``, ``rank_worst`` and ``games`` of the joint fit.
    """
    tables = load_tables(source)
    by_game = game_ratings(tables, counting=counting, level=level)
    return _side_by_side(tables.names, by_game, _joint(tables, counting, level), level)


def _side_by_side(names: Sequence[str], by_game: pd.DataFrame, joint: RatingTable | None, level: float) -> pd.DataFrame:
    count = by_game["game"].nunique()
    rows = [_combined(name, by_game, count, joint, level) for name in names]
    frame = pd.DataFrame(rows)
    frame = frame[(frame["rated_in"] > 0) | frame["joint"].notna()] if len(frame) else frame
    return frame.sort_values(["joint", "entrant"], ascending=[False, True], kind="stable").reset_index(drop=True)


def _rated(tables: RunTables, counting: Rule, level: float) -> RatingTable | None:
    try:
        return ratings_of(tables, counting=counting, level=level)
    except ConfigurationError:
        return None


def _joint(tables: RunTables, counting: Rule, level: float) -> RatingTable | None:
    try:
        return joint_ratings(tables, counting=counting, level=level)
    except ConfigurationError:
        return None


def _rows(game: str, table: RatingTable) -> list[dict[str, Any]]:
    errors = dict(zip(table.fit.entrants, entrant_errors(table.fit)[0], strict=True))
    return [
        {
            "game": game,
            "entrant": row.name,
            "rating": row.rating,
            "low": row.low,
            "high": row.high,
            "error": float(errors[row.name]),
            "games": row.games,
            "interval": row.interval,
            "rank_best": row.rank[0],
            "rank_worst": row.rank[1],
        }
        for row in table.rows
    ]


def _combined(name: str, by_game: pd.DataFrame, count: int, joint: RatingTable | None, level: float) -> dict[str, Any]:
    mine = by_game[by_game["entrant"] == name]
    found: dict[str, Any] = {"entrant": name, "rated_in": len(mine), "stack": math.nan, "mean": math.nan}
    found |= {"mean_low": math.nan, "mean_high": math.nan}
    if count and len(mine) == count:
        total, half = float(mine["rating"].sum()), normal_quantile(level) * math.hypot(*mine["error"])
        found |= {"stack": total, "mean": total / count}
        found |= {"mean_low": (total - half) / count, "mean_high": (total + half) / count}
    row = None if joint is None or name in joint.unrated or name not in joint.fit.entrants else joint[name]
    ends = (math.nan,) * 6 if row is None else (row.rating, row.low, row.high, *row.rank, row.games)
    names = ("joint", "joint_low", "joint_high", "rank_best", "rank_worst", "games")
    return found | dict(zip(names, ends, strict=True))


# ---------------------------------------------------------------------- report


def sections(store: RunStore) -> Sequence[Section]:
    """For runs of several games."""
    if len({(row.game, repr(sorted(row.options.items()))) for row in store.matches()}) < 2:
        return ()
    tables = load_tables(store)
    by_game = game_ratings(tables)
    if by_game["game"].nunique() < 2:
        return ()
    joint = _joint(tables, "headline", 0.95)
    frame = _side_by_side(tables.names, by_game, joint, 0.95)
    frame["rank"] = [_range(best, worst) for best, worst in zip(frame["rank_best"], frame["rank_worst"], strict=True)]
    notes = () if joint is None else joint.notes
    return (
        Section(
            "combined-games",
            "Games combined",
            "Two ways to make one number of several games. The stack adds up the ratings that every game gives by "
            "itself. The joint fit takes one strength per entrant for all games, and every game weighs the same, "
            "however often it was played. Both are about what these games test, in equal parts, and nothing else.",
            (_combined_table(frame), *_game_tables(by_game, frame)),
            _figures(by_game, frame),
            notes,
        ),
    )


def _combined_table(frame: pd.DataFrame) -> Table:
    columns = (
        Column("entrant", "Entrant"),
        Column("joint", "Joint rating", "number", low="joint_low", high="joint_high", n="games", digits=0),
        Column("rank", "Rank range"),
        Column("mean", "Mean of the games' ratings", "number", low="mean_low", high="mean_high", digits=0),
        Column("stack", "Sum (stack)", "number", digits=0),
        Column("rated_in", "Games it is rated in", "count"),
    )
    explain = (
        "Points; n is the number of matches. The joint fit's intervals are as in the leaderboard; those of the means "
        "add the variances of the games. Rank ranges are from the joint fit. A sum and a mean need a rating in every "
        "game."
    )
    return Table("Combined ratings", frame, columns, explain)


def _game_tables(by_game: pd.DataFrame, frame: pd.DataFrame) -> list[Table]:
    """The games' own ratings, a column per game."""
    games = list(dict.fromkeys(by_game["game"]))
    wide = frame[["entrant"]].copy()
    columns = [Column("entrant", "Entrant")]
    for i, game in enumerate(games):
        names = {"rating": f"rating{i}", "low": f"low{i}", "high": f"high{i}", "games": f"games{i}"}
        part = by_game[by_game["game"] == game][["entrant", *names]].rename(columns=names)
        wide = wide.merge(part, on="entrant", how="left")
        columns.append(Column(f"rating{i}", str(game), "number", f"low{i}", f"high{i}", f"games{i}", digits=0))
    return [Table("Ratings by game", wide, tuple(columns), "Every game rated by itself; the mean of each is 1500.")]


def _figures(by_game: pd.DataFrame, frame: pd.DataFrame) -> tuple[Figure, ...]:
    games = list(dict.fromkeys(by_game["game"]))
    order = frame.sort_values("stack", ascending=False, kind="stable")
    bars = []
    for row in order.to_dict("records"):
        mine = by_game[by_game["entrant"] == row["entrant"]].set_index("game")["rating"]
        if len(mine) == len(games):
            parts = {str(game): max(0.0, float(mine[game])) for game in games}
            bars.append(Stack(str(row["entrant"]), parts, f"{row['stack']:,.0f}"))
    # Only bars of all games can be compared; a sum below zero cannot be drawn, and does not occur near 1500.
    stacked = Stacks(
        "Stacked ratings",
        "The rating in every game, added up. Only entrants that are rated in all games have a bar.",
        "sum of ratings in points",
        tuple(bars),
    )
    joint = Column("joint", "", "number", low="joint_low", high="joint_high", n="games")
    dots = Whiskers(
        "Joint ratings",
        "One fit to all games, each weighing the same, with 95% intervals.",
        "rating in points",
        whiskers_of(frame, "entrant", joint, "matches"),
        zero=1500.0,
    )
    return (stacked, dots) if bars and len(games) <= _MOST_GAMES else (dots,)


def _range(best: float, worst: float) -> str | None:
    if math.isnan(best):
        return None
    return f"{best:.0f}" if best == worst else f"{best:.0f}-{worst:.0f}"
