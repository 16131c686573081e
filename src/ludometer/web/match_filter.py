"""Which matches of a run are meant, and what that means in its database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import sqlalchemy as sa

from ludometer.store import RunStore, schema
from ludometer.store.spared import NOT_NEEDED, is_decided
from ludometer.store.types import read_json
from ludometer.web.facets import conditions_with, variants
from ludometer.web.problems import Problem
from ludometer.web.runs import OpenRun

__all__ = ["MatchFilter", "Order", "Result", "Sort", "conditions", "is_sqlite"]

Sort = Literal["number", "moves", "bad_attempts", "seconds", "finished"]
Order = Literal["asc", "desc"]
Result = Literal["win", "draw", "loss"]

_m = schema.matches.c


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches, in which order; see `ludometer.web.shapes.MatchPage`."""

    player: str | None = None
    opponent: str | None = None
    game: str | None = None
    result: Result | None = None
    status: str | None = None
    ending: str | None = None
    kind: str | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    q: str | None = None
    factors: Mapping[str, str] = field(default_factory=dict)
    sort: Sort = "number"
    order: Order = "asc"


def conditions(run: OpenRun, wanted: MatchFilter) -> list[sa.ColumnElement[bool]]:
    """What a filter means in the database. Raises `Problem` 422 for one that makes no sense."""
    where: list[sa.ColumnElement[bool]] = []
    if wanted.game is not None:
        pairs = variants(run).named(wanted.game)
        by_game: dict[str, list[str]] = {}
        for game, options in pairs:
            by_game.setdefault(game, []).append(options)
        where.append(sa.or_(*(sa.and_(_m.game == game, _m.options.in_(found)) for game, found in by_game.items())))
    if wanted.factors:
        where.append(_m.condition.in_(conditions_with(run, wanted.factors)))
    where += _by_ending(run, wanted)
    where += _by_player(run, wanted)
    if wanted.min_moves is not None:
        where.append(_m.moves >= wanted.min_moves)
    if wanted.max_moves is not None:
        where.append(_m.moves <= wanted.max_moves)
    if wanted.kind is not None:
        a = schema.attempts.c
        bad = sa.select(sa.literal(1)).where(a.match == _m.id, a.kind == wanted.kind, a.status != "legal")
        where.append(sa.or_(_m.bad_attempts > 0, _m.bad_attempts.is_(None)))
        where.append(bad.exists())
    return where


def _by_ending(run: OpenRun, wanted: MatchFilter) -> Iterator[sa.ColumnElement[bool]]:
    """``status`` is what became of a match or the state in the database; ``ending`` is its kind or the reason."""
    if wanted.status in ("completed", "forfeit", "canceled"):
        yield sa.and_(_m.status == "finished", _m.ending == wanted.status)
    elif wanted.status in ("unfinished", NOT_NEEDED):
        yield _m.status.in_(("scheduled", "running"))
        if run.cached("decided", lambda: is_decided(run.store)) != (wanted.status == NOT_NEEDED):
            yield sa.false()
    elif wanted.status is not None:
        yield _m.status == wanted.status
    if wanted.ending is not None:
        yield sa.or_(_m.ending == wanted.ending, _m.why == wanted.ending)


def _by_player(run: OpenRun, wanted: MatchFilter) -> Iterator[sa.ColumnElement[bool]]:
    """Who sat there with which result. A run has few different seatings and scores, however many matches: they are read
    as JSON once, and matches are then compared as texts."""
    if wanted.result is not None and wanted.player is None:
        raise Problem(422, "a result is that of a player: name the player too")
    if wanted.player is None and wanted.opponent is None:
        return
    seatings = run.cached("seatings", lambda: _seatings(run.store))
    pairs = [pair for pair, (seats, scores) in seatings.items() if _sat(seats, scores, wanted)]
    if wanted.result is None:
        yield _one_of(_m.seats, sorted({seats for seats, _ in pairs}), run)
    else:
        yield _m.scores.is_not(None)
        written = [f"{seats}{_BETWEEN}{scores}" for seats, scores in pairs]
        yield _one_of(_m.seats + _BETWEEN + _m.scores, written, run)


_BETWEEN = "|"
_Seating = tuple[dict[str, str], dict[str, float]]


def _seatings(store: RunStore) -> dict[tuple[str, str | None], _Seating]:
    """Entrants and scores by seat, by how they are written in the database."""
    query = sa.select(_m.seats, _m.scores).distinct()
    with store.engine.connect() as connection:
        found = connection.execute(query).all()
    return {
        (seats, scores): (read_json(seats, "a match", dict), read_json(scores, "a result", dict) if scores else {})
        for seats, scores in found
    }


def _sat(seats: Mapping[str, str], scores: Mapping[str, float | None], wanted: MatchFilter) -> bool:
    """Whether the players that are wanted sat there, the first with the result that is wanted."""
    if wanted.player is None:
        return wanted.opponent in seats.values()

    def met(own: str) -> bool:
        return wanted.opponent is None or any(s != own and name == wanted.opponent for s, name in seats.items())

    own = [seat for seat, name in seats.items() if name == wanted.player and met(seat)]
    return any(wanted.result is None or _result(seat, scores) == wanted.result for seat in own)


def _result(seat: str, scores: Mapping[str, float | None]) -> Result | None:
    mine = scores.get(seat)
    others = [score for other, score in scores.items() if other != seat and score is not None]
    if mine is None or not others:
        return None
    best = max(others)
    return "win" if mine > best else "draw" if mine == best else "loss"


def _one_of(column: sa.ColumnElement[str], texts: list[str], run: OpenRun) -> sa.ColumnElement[bool]:
    """Whether a column has one of some texts, however many they are."""
    if not is_sqlite(run.store.engine):
        return column.in_(texts)
    # As one value, since SQLite takes so many and no more; that is also quicker.
    values = sa.func.json_each(json.dumps(texts)).table_valued("value").alias("one")
    return column.in_(sa.select(values.c.value))


def is_sqlite(engine: sa.Engine) -> bool:
    """Whether a run is in a folder, and not in a PostgreSQL database."""
    return engine.dialect.name == "sqlite"
