"""How good the moves were: tables from what `ludometer analyze` added to a run.

The value of an action is the expected score of who moves, from 0 (lost) to 1 (won), with best play afterwards. The
regret of a move is what it gave away: the value of the best action minus that of the one played. A choice is trivial
when every action is as good as every other; such moves say nothing about the player and are left out of the rates.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import sqlalchemy as sa

from ludometer.analysis.frames import attempts_frame
from ludometer.analysis.quality_rating import regret_pairs, regret_ratings
from ludometer.ratings import mean_interval, proportion_interval
from ludometer.solvers.estimates import is_evaluator, sees_hidden
from ludometer.store import RunStore, schema

__all__ = ["BLUNDER", "GIVEN_AWAY", "first_given_away", "move_quality", "player_quality", "quality_tables"]

BLUNDER: Final = 0.5
"""Regret from which a move is a blunder: at least half a point, a win turned into a draw or a draw into a loss."""

GIVEN_AWAY: Final = 0.25
"""Regret from which a move gave a result away. With proven values that is any mistake (they come in halves); with
estimates it is nearer to a worse result than to the one there was."""

_PLAYER_COLUMNS = [
    *("game", "entrant", "evaluator", "moves", "exact_moves", "choices", "optimal", "optimal_rate", "low", "high"),
    *("mean_regret", "regret_low", "regret_high", "blunders", "blunder_rate", "matches", "given_away"),
    *("given_away_rate", "median_step"),
]
_MOVE_COLUMNS = [
    *("match", "group", "game", "condition", "entrant", "opponent", "seat", "seat_number", "step", "attempt"),
    *("evaluator", "notation", "value", "best", "regret", "error", "exact", "optimal", "trivial", "blunder", "rank"),
    *("actions", "best_actions"),
]
_FIRST_COLUMNS = [
    "match",
    "group",
    "game",
    "condition",
    "entrant",
    "seat",
    "step",
    "notation",
    "before",
    "after",
    "regret",
]


def quality_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """Everything about move quality, all tables empty where the run was not analyzed.

    Keys: ``moves`` (`move_quality`), ``players`` (`player_quality`), ``first_given_away``, ``ratings`` and ``pairs``
    (see `ludometer.analysis.quality_rating`).
    """
    moves = move_quality(store)
    return {
        "moves": moves,
        "players": player_quality(moves),
        "first_given_away": first_given_away(moves),
        "ratings": regret_ratings(store, moves),
        "pairs": regret_pairs(store, moves),
    }


def move_quality(store: RunStore, *, evaluator: str | None = None) -> pd.DataFrame:
    """One row per judged move, in order of play.

    Args:
        evaluator: whose values, by name or by name and options. Where several evaluators remain, each game has the one
            that proved most of its moves, then one that uses only what the player could know, then the one that
            judged most.

    Columns: match, group, game, condition, entrant, opponent, seat, seat_number, step (from 0), attempt, evaluator,
    notation; ``value`` of the action played and of the ``best``, ``regret``, ``error`` (standard error of the regret;
    missing where it is proven or not known), ``exact`` (every value of the position is proven), ``optimal``,
    ``trivial``, ``blunder``, ``rank`` (from 1), ``actions`` and ``best_actions`` (how many).
    """
    values = _stored(store)
    if evaluator is not None:
        values = values[[is_evaluator(spec, evaluator) for spec in values["evaluator"]]]
    if values.empty:
        return pd.DataFrame(columns=_MOVE_COLUMNS)
    groups = {row.id: row.group for row in store.matches()}
    key = ["match", "step", "seat", "attempt"]
    placed = attempts_frame(store)[[*key, "ordinal", "game", "condition", "entrant", "opponent", "seat_number"]]
    frame = values.merge(placed, on=key, how="inner", validate="many_to_one")
    frame = frame[frame["evaluator"] == frame["game"].map(_preferred(frame))]
    frame = frame.sort_values(["match", "ordinal"], kind="stable").reset_index(drop=True)
    frame["regret"] = (frame["best"] - frame["value"]).clip(lower=0.0)
    frame["blunder"] = frame["regret"] >= BLUNDER - 1e-9
    frame["group"] = frame["match"].map(groups)
    frame = frame.rename(columns={"action": "notation"})
    return frame[_MOVE_COLUMNS]


def _stored(store: RunStore) -> pd.DataFrame:
    table = schema.move_values
    columns = [column for column in table.c if column.name != "values"]
    if not sa.inspect(store.engine).has_table(table.name):
        return pd.DataFrame(columns=[column.name for column in columns])
    with store.engine.connect() as connection:
        result = connection.execute(sa.select(*columns))
        frame = pd.DataFrame(result.fetchall(), columns=list(result.keys()))
    for name in ("exact", "optimal", "trivial"):
        frame[name] = frame[name].astype("bool")
    frame["error"] = pd.to_numeric(frame["error"]).astype("float64")
    return frame


def _preferred(frame: pd.DataFrame) -> dict[str, str]:
    counts = frame.groupby(["game", "evaluator"])["exact"].agg(["sum", "count"]).reset_index()
    counts["hidden"] = counts["evaluator"].map(sees_hidden)
    order = ["sum", "hidden", "count"]
    counts = counts.sort_values(order, ascending=[False, True, False], kind="stable").drop_duplicates("game")
    return dict(zip(counts["game"], counts["evaluator"], strict=True))


def player_quality(moves: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """One row per game and entrant, from the frame of `move_quality`.

    Returns:
        Columns: ``moves`` judged, ``exact_moves`` of them with proven values, ``choices`` that were not trivial, and
        of those the ``optimal`` ones with ``optimal_rate``, ``low`` and ``high`` (Wilson; moves of one match are not
        independent, so the interval is a little too narrow). ``mean_regret`` per choice with ``regret_low`` and
        ``regret_high`` (clustered on duplicate groups). ``blunders`` (regret of at least 0.5) and ``blunder_rate``
        per choice. ``matches``, in how many of them a result was ``given_away`` (a regret of at least 0.25) with
        ``given_away_rate``, and the ``median_step`` at which that happened first. Missing where there is no choice.
    """
    if moves.empty:
        return pd.DataFrame(columns=_PLAYER_COLUMNS)
    first = first_given_away(moves)
    rows = []
    for (game, entrant), own in moves.groupby(["game", "entrant"], sort=False):
        mistakes = first[(first["game"] == game) & (first["entrant"] == entrant)]
        rows.append({"game": game, "entrant": entrant, **_player(own, mistakes, level)})
    return pd.DataFrame(rows, columns=_PLAYER_COLUMNS).sort_values(["game", "mean_regret"], ignore_index=True)


def _player(own: pd.DataFrame, mistakes: pd.DataFrame, level: float) -> dict[str, Any]:
    choices = own[~own["trivial"]]
    count, optimal, blunders = len(choices), int(choices["optimal"].sum()), int(choices["blunder"].sum())
    seats = own[["match", "seat"]].drop_duplicates()
    rate = proportion_interval(optimal, count, level=level) if count else None
    regret = mean_interval(choices["regret"], choices["group"], level=level) if count else None
    return {
        "evaluator": own["evaluator"].iloc[0],
        "moves": len(own),
        "exact_moves": int(own["exact"].sum()),
        "choices": count,
        "optimal": optimal,
        "optimal_rate": np.nan if rate is None else rate.value,
        "low": np.nan if rate is None else rate.low,
        "high": np.nan if rate is None else rate.high,
        "mean_regret": np.nan if regret is None else regret.value,
        "regret_low": np.nan if regret is None else max(0.0, regret.low),
        "regret_high": np.nan if regret is None else min(1.0, regret.high),
        "blunders": blunders,
        "blunder_rate": blunders / count if count else np.nan,
        "matches": len(seats),
        "given_away": len(mistakes),
        "given_away_rate": len(mistakes) / len(seats),
        "median_step": float(mistakes["step"].median()) if len(mistakes) else np.nan,
    }


def first_given_away(moves: pd.DataFrame) -> pd.DataFrame:
    """The first move of each seat of each match that gave a result away: its regret is at least 0.25.

    Returns:
        Columns: match, group, game, condition, entrant, seat, ``step`` (from 0, over both sides' moves), notation,
        ``before`` and ``after`` (``won``, ``drawn`` or ``lost``; estimates are rounded to the nearest), ``regret``.
    """
    lost = moves[moves["regret"] >= GIVEN_AWAY - 1e-9] if len(moves) else moves
    if lost.empty:
        return pd.DataFrame(columns=_FIRST_COLUMNS)
    first = lost.drop_duplicates(["match", "seat"]).copy()
    first["before"], first["after"] = _results(first["best"]), _results(first["value"])
    return first[_FIRST_COLUMNS].reset_index(drop=True)


def _results(values: pd.Series[float]) -> list[str]:
    return [("lost", "drawn", "won")[int(2 * value + 0.5)] for value in values]
