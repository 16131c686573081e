"""What matches and tables of a run can be filtered by, and what a filter means in its database."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from fastapi import Request

from ludometer.analysis.frames import game_labels, level_text, start_options, variant_of
from ludometer.core import Json
from ludometer.store import MatchRow, schema
from ludometer.store.types import read_json
from ludometer.web.problems import Problem
from ludometer.web.runs import OpenRun
from ludometer.web.shapes import Facets

__all__ = ["FACTOR", "Variants", "conditions_with", "facets", "factors_of", "variants"]

FACTOR = "factor."
"""Query parameters ``factor.NAME=LEVEL`` keep what was played under that level."""

_MOST_REASONS = 40
_KINDS_SECONDS = 1.0
_CHUNK = 2000


class _Variant(NamedTuple):
    """A game with its options, as `game_labels` wants it."""

    game: str
    options: dict[str, Json]


class Variants(NamedTuple):
    """The games of a run as tables call them: label by (game, options as written in the database)."""

    labels: dict[tuple[str, str], str]

    def label(self, row: MatchRow) -> str:
        """What the game of a match is called."""
        return self.labels.get((row.game, json.dumps(row.options)), row.game)

    def named(self, label: str) -> list[tuple[str, str]]:
        """The games and options with that label, or with that name. Raises `Problem` 422."""
        found = [key for key, name in self.labels.items() if name == label or key[0] == label]
        if not found:
            raise Problem(422, f"the run has no game {label[:100]!r}")
        return found


def variants(run: OpenRun) -> Variants:
    """The games of a run."""
    return run.cached("variants", lambda: _variants(run), patient=True)


def _variants(run: OpenRun) -> Variants:
    m = schema.matches.c
    query = sa.select(m.game, m.options, sa.func.min(m.number)).group_by(m.game, m.options)
    with run.store.engine.connect() as connection:
        pairs = [(game, options) for game, options, _ in connection.execute(query.order_by(sa.func.min(m.number)))]
    rows = [_Variant(game, read_json(options, "a game", dict)) for game, options in pairs]
    starts = start_options(run.store)
    labels = game_labels(rows, starts)
    return Variants({pair: labels[variant_of(row)] for pair, row in zip(pairs, rows, strict=True)})


def facets(run: OpenRun) -> Facets:
    """What can be filtered by; only what occurs."""
    return run.cached("facets", lambda: _facets(run), patient=True)


def _facets(run: OpenRun) -> Facets:
    m = schema.matches.c
    with run.store.engine.connect() as connection:
        endings = connection.execute(sa.select(m.ending).where(m.ending.is_not(None)).distinct()).scalars().all()
        reasons = sa.select(m.why, sa.func.count()).where(m.why.is_not(None)).group_by(m.why)
        reasons = reasons.order_by(sa.func.count().desc(), m.why).limit(_MOST_REASONS)
        whys = [why for why, _ in connection.execute(reasons)]
        kinds = _kinds(connection)
    order = ("completed", "forfeit", "canceled", "void")
    return Facets(
        games=list(dict.fromkeys(variants(run).labels.values())),
        entrants=[str(entrant["name"]) for entrant in run.store.entrants()],
        endings=[*(kind for kind in order if kind in endings), *(why for why in whys if why not in order)],
        kinds=kinds,
        factors=_levels(_conditions(run)),
    )


def _kinds(connection: sa.Connection) -> list[str]:
    """Kinds of bad answers, from as many matches as can be looked at quickly."""
    m, a = schema.matches.c, schema.attempts.c
    bad = sa.select(m.number, m.id).where(sa.or_(m.bad_attempts > 0, m.bad_attempts.is_(None))).order_by(m.number)
    until = time.monotonic() + _KINDS_SECONDS
    found: set[str] = set()
    last = -1
    while time.monotonic() < until:
        rows = connection.execute(bad.where(m.number > last).limit(_CHUNK)).all()
        if not rows:
            break
        last = rows[-1][0]
        for start in range(0, len(rows), 400):
            ids = [row[1] for row in rows[start : start + 400]]
            kinds = sa.select(a.kind).where(a.match.in_(ids), a.status != "legal").distinct()
            found.update(connection.execute(kinds).scalars())
    return sorted(found)


def _conditions(run: OpenRun) -> dict[str, dict[str, Json]]:
    """Conditions by how they are written in the database."""
    return run.cached("conditions", lambda: _distinct_conditions(run), patient=True)


def _distinct_conditions(run: OpenRun) -> dict[str, dict[str, Json]]:
    query = sa.select(schema.matches.c.condition).distinct()
    with run.store.engine.connect() as connection:
        return {written: read_json(written, "a condition", dict) for written in connection.execute(query).scalars()}


def _levels(conditions: Mapping[str, Mapping[str, Json]]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for condition in conditions.values():
        for name, value in condition.items():
            found.setdefault(name, {})[level_text(value)] = None
    return {name: list(levels) for name, levels in found.items()}


def factors_of(request: Request) -> dict[str, str]:
    """The levels that a query asks for, by factor."""
    return {key.removeprefix(FACTOR): value for key, value in request.query_params.items() if key.startswith(FACTOR)}


def conditions_with(run: OpenRun, wanted: Mapping[str, str]) -> list[str]:
    """The conditions, as written in the database, that have these levels.

    Raises:
        Problem: 422 for a factor that the run does not vary.
    """
    conditions = _conditions(run)
    known = _levels(conditions)
    for name in wanted:
        if name not in known:
            raise Problem(422, f"the run varies no {name[:100]!r}")

    def fits(condition: Mapping[str, Any]) -> bool:
        return all(name in condition and level_text(condition[name]) == level for name, level in wanted.items())

    return [written for written, condition in conditions.items() if fits(condition)]
