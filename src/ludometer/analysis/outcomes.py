"""What became of an entrant's matches, by role: a teacher that failed, a student that was right, a forfeit.

Also how long entrants last at chess: the distribution of the moves they made per game. Both are figures of Khan et al.,
"ZeroSumEval: Scaling LLM Evaluation with Inter-Model Competition" (2025).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import pandas as pd

from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import Column, Figure, Section, Stack, Stacks, Table, Violin, Violins
from ludometer.core import LudometerError, make_game
from ludometer.ratings import proportion_interval
from ludometer.store import RunStore

__all__ = ["moves_made", "outcomes", "sections"]

_COLUMNS = ["game", "role", "entrant", "outcome", "matches", "of", "share", "low", "high"]
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_MOST_REASONS: Final = 8
_MOST_ROWS: Final = 60
"""Bars of a chart; a taller one would not be looked at."""


def outcomes(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """How an entrant's finished matches ended, by game and role (seat). Self-play counts once for every role.

    Returns:
        One row per game, role, entrant and ``outcome``: who won, and why, as the game says it (``lost: checkmate``,
        ``won: student right``), with N for numbers. The reason is left out where a game has many. A forfeit is
        ``lost: forfeit`` for whoever is at fault and ``won: other forfeited`` for the others. ``matches`` ended so, of
        ``of``; ``share`` with ``low`` and ``high`` (Wilson).
    """
    tables = load_tables(source)
    seats = _seats(tables)
    rows: list[dict[str, Any]] = []
    for (game, role), part in seats.groupby(["game", "role"], sort=False):
        for name in tables.names:
            mine = part[part["entrant"] == name]["outcome"]
            for outcome in sorted(mine.unique(), key=_order):
                count, of = int((mine == outcome).sum()), len(mine)
                share, low, high, _ = proportion_interval(count, of, level=level)
                rows.append(dict(zip(_COLUMNS, (game, role, name, outcome, count, of, share, low, high), strict=True)))
    return pd.DataFrame(rows, columns=_COLUMNS)


def _seats(tables: RunTables) -> pd.DataFrame:
    """One row per contestant's seat of every finished match: game, role, entrant, outcome."""
    matches = tables.matches[tables.matches["status"] == "finished"]
    told = {str(game): _telling(part) for game, part in matches.groupby("game", sort=False)}
    rows = []
    for row in matches.to_dict("records"):
        reasons = told[row["game"]]
        for number in range(1, row["seats"] + 1):
            seat = str(row[f"seat_{number}"])
            role = f"player {seat}" if seat.isdecimal() else seat
            rows.append((row["game"], role, row[f"player_{number}"], _outcome(row, number, reasons)))
    return pd.DataFrame(rows, columns=["game", "role", "entrant", "outcome"])


def _telling(matches: pd.DataFrame) -> frozenset[str]:
    """The reasons for which matches of a game were completed, where they are few."""
    reasons = {_reason(why) for why in matches.loc[matches["ending"] == "completed", "why"]} - {""}
    return frozenset(reasons) if len(reasons) <= _MOST_REASONS else frozenset()


def _reason(why: object) -> str:
    """A reason without its numbers: ``move limit of N reached``."""
    return _NUMBER.sub("N", why) if isinstance(why, str) else ""


def _outcome(row: dict[Any, Any], number: int, reasons: frozenset[str]) -> str:
    if row["ending"] == "forfeit":
        at_fault = row["offender_seat"]
        if pd.isna(at_fault):
            return "forfeit"
        return "lost: forfeit" if int(at_fault) == number else "won: other forfeited"
    if row["ending"] != "completed":
        return str(row["ending"])
    scores = [row[f"score_{i}"] for i in range(1, row["seats"] + 1)]
    mine, best = row[f"score_{number}"], max(scores)
    result = "lost" if mine < best else "won" if scores.count(best) == 1 else "drawn"
    reason = _reason(row["why"])
    return f"{result}: {reason}" if reason in reasons else result


def _order(outcome: str) -> tuple[int, str]:
    kinds = ("won", "drawn", "lost")
    result = outcome.partition(":")[0]
    return (kinds.index(result) if result in kinds else len(kinds), outcome)


def moves_made(source: Source, game: str) -> pd.DataFrame:
    """How many moves an entrant itself made in each finished match of a game: ``entrant``, ``match`` and ``moves``.

    From the log; empty for runs imported without one. ``game`` is the game's name; variants count together.
    """
    tables = load_tables(source)
    over = tables.matches[(tables.matches["status"] == "finished") & (tables.matches["attempts"].notna())]
    over = over[[str(name).partition(":")[0] == game for name in over["game"]]]
    legal = tables.attempts[tables.attempts["legal"] & tables.attempts["match"].isin(set(over["match"]))]
    made = legal.groupby(["match", "seat_number"]).size()
    rows = [
        (row[f"player_{number}"], row["match"], int(made.get((row["match"], number), 0)))
        for row in over.to_dict("records")
        for number in range(1, row["seats"] + 1)
    ]
    return pd.DataFrame(rows, columns=["entrant", "match", "moves"])


# ---------------------------------------------------------------------- report


def sections(store: RunStore) -> Sequence[Section]:
    """Outcomes for runs of several games or of one with different roles, and moves per game for those with chess."""
    games = {(row.game, json.dumps(row.options, sort_keys=True)) for row in store.matches()}
    roles = len({name for name, _ in games}) > 1 or any(_has_roles(*game) for game in games)
    chess = any(name == "chess" for name, _ in games)
    if not roles and not chess:
        return ()
    tables = load_tables(store)
    found = [_outcome_section(tables)] if roles else []
    return tuple(section for section in (*found, _moves_section(tables) if chess else None) if section is not None)


@cache
def _has_roles(name: str, options: str) -> bool:
    """Whether the seats of a game have duties of their own, such as a teacher's or a judge's."""
    try:
        game = make_game(name, json.loads(options))
        return any(role.kind == "official" or role.of is not None for role in game.roles(game.players[0]))
    except LudometerError:
        return False  # a game that is not installed here has results all the same


def _outcome_section(tables: RunTables) -> Section | None:
    frame = outcomes(tables)
    if frame.empty:
        return None
    columns = (
        Column("entrant", "Entrant"),
        Column("role", "Role"),
        Column("outcome", "Outcome"),
        Column("share", "Share", "share", "low", "high", "of"),
        Column("matches", "Matches", "count"),
    )
    each = [(str(game), part) for game, part in frame.groupby("game", sort=False)]
    return Section(
        "outcomes",
        "Outcomes by role",
        "What became of the finished matches of every entrant, in every role. A match that somebody forfeits is over "
        "without a result by its rules.",
        tuple(Table(f"Outcomes: {game}", part, columns, "Intervals are Wilson's.", folded=True) for game, part in each),
        tuple(_bars(game, part) for game, part in each),
    )


def _bars(game: str, frame: pd.DataFrame) -> Figure:
    rows = []
    for (role, name), part in frame.groupby(["role", "entrant"], sort=False):
        parts = dict(zip(part["outcome"], part["share"].astype("float64"), strict=True))
        rows.append(Stack(f"{name}, {role}", parts, f"{part['of'].iloc[0]} matches"))
    # The same outcome has the same colour in all bars, and wins stand first.
    known = sorted(set(frame["outcome"]), key=_order)
    ordered = tuple(row._replace(parts={o: row.parts.get(o, 0.0) for o in known}) for row in rows)
    caption = "Shares of all finished matches in this role."
    return Stacks(f"Outcomes, {game}", caption, "share of matches", ordered[:_MOST_ROWS], share=True)


def _moves_section(tables: RunTables) -> Section | None:
    frame = moves_made(tables, "chess")
    if frame.empty:
        return None
    groups = [(name, frame[frame["entrant"] == name]["moves"]) for name in tables.names]
    rows = tuple(Violin(name, tuple(map(float, moves)), f"{len(moves)} games") for name, moves in groups if len(moves))
    summary = frame.groupby("entrant", sort=False)["moves"].describe(percentiles=[0.25, 0.5, 0.75]).reset_index()
    summary = summary.rename(columns={"25%": "lower", "50%": "median", "75%": "upper"})
    columns = (
        Column("entrant", "Entrant"),
        Column("median", "Median moves per game", "number", n="count", digits=1),
        Column("lower", "Lower quartile", "number", digits=1),
        Column("upper", "Upper quartile", "number", digits=1),
        Column("max", "Most", "count"),
    )
    figure = Violins(
        "Moves per chess game",
        "Legal moves that the entrant made itself in each game, however the game ended; the width is how often.",
        "own moves in a game",
        rows,
    )
    return Section(
        "chess-moves",
        "Moves per chess game",
        "How long an entrant keeps a game going. A short game may be a quick win as well as a forfeit: the outcomes "
        "tell which.",
        (Table("Moves per chess game", summary, columns, "Quartiles over games."),),
        (figure,),
    )
