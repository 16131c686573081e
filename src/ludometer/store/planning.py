"""Writing who plays whom into a run. Each function works inside its caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from ludometer.core import ConfigurationError, Json
from ludometer.store import schema
from ludometer.store.records import MatchPlan

__all__ = ["read_entrants", "write_entrants", "write_matches", "write_meta"]


def write_meta(connection: sa.Connection, values: Mapping[str, Json]) -> None:
    """Sets values of the ``meta`` table."""
    rows = [{"key": key, "value": json.dumps(value)} for key, value in values.items()]
    statement = insert(schema.meta)
    statement = statement.on_conflict_do_update(index_elements=["key"], set_={"value": statement.excluded.value})
    if rows:
        connection.execute(statement, rows)


def read_entrants(connection: sa.Connection) -> list[dict[str, Json]]:
    """All entrants, in the order in which they were added."""
    query = sa.select(schema.entrants.c.data).order_by(schema.entrants.c.number)
    return [json.loads(data) for data in connection.execute(query).scalars()]


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
    rows: list[dict[str, Any]] = []
    for plan in plans:
        if plan.key not in known:
            known.add(plan.key)
            rows.append(_planned(plan, len(known)))
    if rows:
        connection.execute(sa.insert(schema.matches), rows)
    return len(rows)


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
