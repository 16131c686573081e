"""Rows of the attempts table as they travel in events: with what their calls used, and long texts cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from ludometer.store import RunStore, schema
from ludometer.web.replay import attempt_shape
from ludometer.web.shapes import AttemptShape

__all__ = ["attempt_shapes"]

_CUT = 20_000
"""Characters of a text that travel in an event or on the wall; the replay has all of it."""
_NOTHING = (0, None, None, None, None)

Place = tuple[str, int, str, int]
"""Match, step, seat, attempt."""


def attempt_shapes(
    store: RunStore,
    rows: Sequence[Mapping[str, Any]],
    *,
    hidden: bool,
    open_move: Callable[[Mapping[str, Any]], bool],
) -> list[AttemptShape]:
    """Attempts with what their calls used.

    Args:
        hidden: texts and reasons are left out, since a person is at play.
        open_move: whether the move of an attempt is known to everybody, and may be shown even then.
    """
    used = _used(store, {str(row["match"]) for row in rows}) if rows else {}
    return [
        _cut(attempt_shape(row, used.get(_place(row), _NOTHING), hidden=hidden, moves=not hidden or open_move(row)))
        for row in rows
    ]


def _place(row: Mapping[str, Any]) -> Place:
    return (row["match"], row["step"], row["seat"], row["attempt"])


def _used(store: RunStore, matches: Iterable[str]) -> dict[Place, tuple[Any, ...]]:
    x = schema.exchanges.c
    place = (x.match, x.step, x.seat, x.attempt)
    sums = [sa.func.sum(column) for column in (x.input_tokens, x.output_tokens, x.reasoning_tokens, x.cost)]
    query = sa.select(*place, sa.func.count(), *sums).where(x.match.in_(sorted(matches))).group_by(*place)
    with store.engine.connect() as connection:
        return {(row[0], row[1], row[2], row[3]): tuple(row[4:]) for row in connection.execute(query)}


def _cut(shape: AttemptShape) -> AttemptShape:
    long = {name: getattr(shape, name) for name in ("reason", "text", "rationale")}
    cut = {
        name: f"{text[:_CUT]} ... ({len(text) - _CUT} more characters)"
        for name, text in long.items()
        if len(text) > _CUT
    }
    return shape.model_copy(update=cut) if cut else shape
