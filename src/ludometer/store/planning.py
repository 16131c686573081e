"""Writing who plays whom into a run. Each function works inside its caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ludometer.core import ConfigurationError, Json, MachineError
from ludometer.store import schema
from ludometer.store.records import MatchPlan
from ludometer.store.types import read_json, storable

__all__ = [
    "check_version",
    "insert_for",
    "read_entrants",
    "read_meta",
    "write_entrants",
    "write_matches",
    "write_meta",
]


_BLOCK = 2000
"""Rows that are written at a time, so that a long schedule is never in memory as a whole."""


def insert_for(dialect: sa.Dialect, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens to rows that are there already; both kinds say it alike."""
    return postgresql.insert(table) if dialect.name == "postgresql" else sqlite.insert(table)


def read_meta(connection: sa.Connection, key: str) -> Any:
    """A value of the ``meta`` table; None where it is absent."""
    found = connection.execute(sa.select(schema.meta.c.value).where(schema.meta.c.key == key)).scalar()
    return None if found is None else read_json(found, key)


def check_version(version: Json, file: str, where: str) -> None:
    """Raises `MachineError` where this program cannot read what has the version."""
    if not isinstance(version, int):
        raise MachineError(f"{file} is no run database of Ludometer; choose another folder")
    if version > schema.SCHEMA_VERSION:
        raise MachineError(
            f"{where} was written by a newer Ludometer (format {version}, this one reads up to "
            f"{schema.SCHEMA_VERSION}); upgrade with: pip install -U ludometer"
        )


def write_meta(connection: sa.Connection, values: Mapping[str, Json]) -> None:
    """Sets values of the ``meta`` table."""
    rows = [{"key": key, "value": json.dumps(value)} for key, value in values.items()]
    statement = insert_for(connection.dialect, schema.meta)
    statement = statement.on_conflict_do_update(index_elements=["key"], set_={"value": statement.excluded.value})
    if rows:
        connection.execute(statement, rows)


def read_entrants(connection: sa.Connection) -> list[dict[str, Json]]:
    """All entrants, in the order in which they were added."""
    query = sa.select(schema.entrants.c.data).order_by(schema.entrants.c.number)
    return [_entrant(data) for data in connection.execute(query).scalars()]


def _entrant(written: str) -> dict[str, Json]:
    found: dict[str, Json] = read_json(written, "an entrant", dict)
    if not isinstance(found.get("name"), str) or not isinstance(found.get("player"), str):
        raise MachineError("an entrant in the run's database has no name or no player: the database was changed")
    return found


def write_entrants(connection: sa.Connection, entrants: Sequence[Mapping[str, Json]]) -> None:
    """Adds entrants by name. Raises `ConfigurationError` for a name that is known with other settings."""
    known: dict[str, Mapping[str, Json]] = {row["name"]: row for row in read_entrants(connection)}
    rows: list[dict[str, Any]] = []
    for entrant in entrants:
        name = entrant["name"]
        written = json.dumps(dict(entrant))
        if name not in known:
            rows.append({"name": name, "number": len(known), "data": written})
            known[name] = json.loads(written)
        elif known[name] != json.loads(written):
            raise ConfigurationError(
                f"the run has an entrant {name!r} with other settings; give the new one another name"
            )
    if rows:
        connection.execute(sa.insert(schema.entrants), rows)


def write_matches(connection: sa.Connection, plans: Iterable[MatchPlan]) -> int:
    """Adds the matches whose keys are new, and returns how many that were."""
    known = set(connection.execute(sa.select(schema.matches.c.key)).scalars())
    before = len(known)
    rows: list[dict[str, Any]] = []
    for plan in plans:
        key = str(storable(plan.key))
        if key not in known:
            known.add(key)
            rows.append(_planned(plan, len(known)))
        if len(rows) == _BLOCK:
            _insert(connection, rows)
            rows.clear()
    if rows:
        _insert(connection, rows)
    return len(known) - before


def _insert(connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    connection.execute(sa.insert(schema.matches), rows)
    write_claims(connection, rows)


def write_claims(connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Lets the runners of a shared database claim matches that are not finished."""
    if connection.dialect.name == "postgresql":
        open_ = [row for row in rows if row["status"] != "finished"]
        same = {"runner": None, "claim": 0, "given_up": ""}
        if open_:
            connection.execute(
                sa.insert(schema.claims), [{"match": row["id"], "number": row["number"], **same} for row in open_]
            )


def _planned(plan: MatchPlan, number: int) -> dict[str, Any]:
    return {
        "id": f"m{number:06d}",
        "number": number,
        "key": plan.key,
        "game": plan.game,
        "options": json.dumps(dict(plan.options)),
        "condition": json.dumps(dict(plan.condition), sort_keys=True),
        "group": plan.group,
        "luck": plan.luck,
        "seed": plan.seed,
        "seats": json.dumps(dict(plan.seats)),
        "opening": json.dumps(list(plan.opening)) if plan.opening else None,
        "status": "scheduled",
        "voids": 0,
    }
