"""Game records: matches in the files that a game's own players keep (PGN, PDN, SGF).

What the text says is the game's business (`Game.record`); here are the matches, the files, and which of them share one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ludometer.core import Game, Illegal, LudometerError, Seat
from ludometer.matches import Match, MatchPolicy
from ludometer.store import schema
from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow
from ludometer.store.replay import new_match
from ludometer.store.types import moment

__all__ = ["GameRecord", "game_records"]

_COLLECTED = frozenset({"pgn", "pdn"})
"""Formats whose files hold any number of games by custom; of the others every match is a file."""

_POLICY = MatchPolicy()
"""Any policy does: only the first position is taken from the match."""


class GameRecord(NamedTuple):
    """The record of one match.

    Attributes:
        file: the name of the file it belongs into.
        shared: with other matches of the same game.
    """

    file: str
    shared: bool
    text: str


def game_records(store: RunStore) -> Iterator[GameRecord]:
    """The records of all matches that have moves, unfinished ones included, in schedule order.

    Left out are matches of games without a record, of games that are not installed here, and matches whose recorded
    moves the game, as it is installed now, no longer takes: half a game under a whole game's result would be wrong.
    """
    event = str(store.config.get("name") or "run")
    for row in store.matches():
        replayed = _replayed(store, row)
        if replayed is None:
            continue
        game, start, moves = replayed
        record = game.record(start, moves, row.seats, scores=row.scores, tags=_tags(row, event))
        if record is None:
            continue
        extension, text = record
        name = re.sub(r"[^a-z0-9_]+", "-", row.game.casefold())
        shared = extension in _COLLECTED
        yield GameRecord(f"{name}.{extension}" if shared else f"{name}-{row.number:06d}.{extension}", shared, text)


def _replayed(store: RunStore, row: MatchRow) -> tuple[Game[Any, Any], Any, list[tuple[Seat, Any]]] | None:
    """The game, its first state (before any opening), and every action with its seat; None where there are none."""
    written = [*(row.opening or ()), *_notation(store, row)]
    if not written:
        return None
    try:
        match: Match = new_match(row._replace(opening=None), _POLICY)
    except LudometerError:
        return None
    game, state = match.game, match.state
    moves: list[tuple[Seat, Any]] = []
    while written:
        seats = game.to_act(state)
        if not seats or len(written) < len(seats):
            return None
        try:
            actions = {seat: game.parse(state, seat, written.pop(0)) for seat in seats}
            for seat, action in actions.items():
                game.check(state, seat, action)
        except Illegal:
            return None
        moves += actions.items()
        state = game.apply(state, actions)
    return game, match.state, moves


def _notation(store: RunStore, row: MatchRow) -> list[str]:
    if row.notation is not None:
        return row.notation.splitlines()
    attempts = store.rows(schema.attempts, row.id)
    return [str(a["notation"]) for a in attempts if a["status"] == "legal" and a["notation"] is not None]


def _tags(row: MatchRow, event: str) -> Mapping[str, str]:
    tags = {"event": event, "round": str(row.number), "termination": _termination(row)}
    if (started := moment(row.started)) is not None:
        tags["date"] = started.date().isoformat()
    return tags


def _termination(row: MatchRow) -> str:
    """In the words of the PGN standard where it has one (section 9.8.1)."""
    if row.status == "void":
        return "abandoned"
    if row.ending is None:
        return "unterminated"
    return "normal" if row.ending == "completed" else f"{row.ending}: {row.why}"
