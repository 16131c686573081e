"""The list of matches: filtered, sorted and paged in the database, so that 100,000 of them stay fast.

A page begins behind the last match of the page before it (its sort key and number), and never skips rows by counting
them. Counting stops after a moment, and so does a search in texts: it then says how far it came, and the next page
goes on from there.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import time
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import sqlalchemy as sa
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ludometer.core import LudometerError
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.records import match_row
from ludometer.store.spared import is_decided, shown_status
from ludometer.web.facets import factors_of, variants
from ludometer.web.match_filter import MatchFilter, Order, Result, Sort, conditions, is_sqlite
from ludometer.web.problems import Problem, answer
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.seats import seats_of
from ludometer.web.shapes import MatchEntry, MatchPage

__all__ = ["MatchFilter", "match_entry", "match_page", "router"]

router = APIRouter(prefix="/api", tags=["matches"])

_COUNT_SECONDS = 0.1
_SEARCH_SECONDS = 2.0
_CHUNK = 400
"""Matches whose texts are searched in one go."""
_STEPS = 20_000
"""Steps of SQLite's machine between looks at the clock."""

_m = schema.matches.c
_NUMBERS = {"moves": _m.moves, "bad_attempts": _m.bad_attempts, "seconds": _m.seconds, "finished": _m.finished}


Text = Annotated[str | None, Query(max_length=500)]
Moves = Annotated[int | None, Query(ge=0, le=10**9)]


@router.get("/runs/{run}/matches", response_model=MatchPage)
def list_matches(
    request: Request,
    run: Opened,
    player: Text = None,
    opponent: Text = None,
    game: Text = None,
    result: Result | None = None,
    status: Text = None,
    ending: Text = None,
    kind: Text = None,
    min_moves: Moves = None,
    max_moves: Moves = None,
    q: Text = None,
    sort: Sort = "number",
    order: Order = "asc",
    after: Annotated[str | None, Query(max_length=500)] = None,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """A page of matches. ``factor.NAME=LEVEL`` filters by condition."""
    wanted = MatchFilter(
        player or None,
        opponent or None,
        game or None,
        result,
        status or None,
        ending or None,
        kind or None,
        min_moves,
        max_moves,
        q or None,
        factors_of(request),
        sort,
        order,
    )
    return answer(match_page(run, wanted, after=after, size=size))


def match_page(run: OpenRun, wanted: MatchFilter, *, after: str | None = None, size: int = 50) -> MatchPage:
    """A page of matches.

    Raises:
        Problem: 422 for a filter that makes no sense, 403 for a search in texts that may not be shown now.
    """
    if wanted.q and run.public_only:
        raise Problem(403, "texts cannot be searched while a person plays in this run")
    where = conditions(run, wanted)
    begin = _Place(None, -1) if after is None else _place(after, wanted)
    with run.store.engine.connect() as connection:
        if wanted.q:
            rows, end, note = _searched(connection, wanted, where, begin, size)
            total = None
        else:
            rows, end, note = *_page(connection, wanted, where, begin, size), None
            total = _total(run, connection, wanted, where)
    entries = [match_entry(run, match_row(row)) for row in rows]
    return MatchPage(matches=entries, total=total, next=None if end is None else _written(end, wanted), note=note)


# ---------------------------------------------------------------------- paging


class _Place(NamedTuple):
    """Behind which match a page begins. ``value`` is of the column that is sorted by, None for the number itself or
    before the first match."""

    value: float | None
    number: int


def _key(wanted: MatchFilter) -> sa.ColumnElement[Any] | None:
    """What is sorted by before the number; what is not known comes last."""
    if wanted.sort == "number":
        return None
    last = sa.func.coalesce(_NUMBERS[wanted.sort], 1e300 if wanted.order == "asc" else -1e300)
    return sa.type_coerce(last, sa.Double())  # no column of whole numbers holds it


def _ordered(wanted: MatchFilter, where: list[sa.ColumnElement[bool]], begin: _Place) -> sa.Select[Any]:
    """The numbers of the matches behind a place."""
    key, down = _key(wanted), wanted.order == "desc"
    query = sa.select(_m.number, sa.null().label("key") if key is None else key.label("key")).where(*where)
    if key is None:
        if begin.number >= 0:
            query = query.where(_m.number < begin.number if down else _m.number > begin.number)
        return query.order_by(_m.number.desc() if down else _m.number)
    if begin.value is not None:
        further = key < begin.value if down else key > begin.value
        query = query.where(sa.or_(further, sa.and_(key == begin.value, _m.number > begin.number)))
    return query.order_by(key.desc() if down else key, _m.number)


def _rows(connection: sa.Connection, numbers: list[int]) -> list[dict[str, Any]]:
    found = connection.execute(sa.select(schema.matches).where(_m.number.in_(numbers))).mappings()
    rows = {row["number"]: dict(row) for row in found}
    return [rows[number] for number in numbers if number in rows]


def _page(
    connection: sa.Connection, wanted: MatchFilter, where: list[sa.ColumnElement[bool]], begin: _Place, size: int
) -> tuple[list[dict[str, Any]], _Place | None]:
    found = connection.execute(_ordered(wanted, where, begin).limit(size + 1)).all()
    rows = _rows(connection, [row[0] for row in found[:size]])
    end = _Place(found[size - 1][1], found[size - 1][0]) if len(found) > size else None
    return rows, end


def _total(
    run: OpenRun, connection: sa.Connection, wanted: MatchFilter, where: list[sa.ColumnElement[bool]]
) -> int | None:
    """How many there are; None where counting takes too long."""
    same = (wanted.player, wanted.opponent, wanted.game, wanted.result, wanted.status, wanted.ending, wanted.kind)
    key = ("total", *same, wanted.min_moves, wanted.max_moves, tuple(sorted(wanted.factors.items())))

    def count() -> int | None:
        found: int | None = None
        with _bounded(connection, _COUNT_SECONDS):
            query = sa.select(sa.func.count()).select_from(schema.matches).where(*where)
            found = int(connection.execute(query).scalar_one())
        return found  # noqa: RET504 (the block above may be broken off)

    return run.cached(key, count, patient=True)


@contextlib.contextmanager
def _bounded(connection: sa.Connection, seconds: float) -> Iterator[None]:
    """Breaks off what the database does after a while; the block then just ends."""
    if not is_sqlite(connection.engine):
        with contextlib.suppress(LudometerError), connection.begin_nested():
            connection.execute(sa.text(f"SET LOCAL statement_timeout = {max(1, int(1000 * seconds))}"))
            yield
        return
    raw = connection.connection.driver_connection
    assert raw is not None
    until = time.monotonic() + seconds
    stopped: list[bool] = []

    def late() -> int:
        if time.monotonic() < until:
            return 0
        stopped.append(True)
        return 1

    raw.set_progress_handler(late, _STEPS)
    try:
        yield
    except (sa.exc.OperationalError, LudometerError):
        if not stopped:
            raise
    finally:
        raw.set_progress_handler(None, 0)


# ------------------------------------------------------------------- searching


def _searched(
    connection: sa.Connection, wanted: MatchFilter, where: list[sa.ColumnElement[bool]], begin: _Place, size: int
) -> tuple[list[dict[str, Any]], _Place | None, str | None]:
    """Matches whose texts hold what is looked for: from as many as can be read in a moment, but always some."""
    until = time.monotonic() + _SEARCH_SECONDS
    pattern = f"%{_escaped(wanted.q or '')}%"
    found: list[dict[str, Any]] = []
    looked, place, sqlite = 0, begin, is_sqlite(connection.engine)
    while True:
        chunk = connection.execute(_ordered(wanted, where, place).limit(_CHUNK)).all()
        hits = set(connection.execute(_holding([row[0] for row in chunk], pattern, sqlite)).scalars())
        for number, key in chunk:
            looked, place = looked + 1, _Place(key, number)
            if number in hits:
                found += _rows(connection, [number])
                if len(found) == size:
                    return found, place, None
        if len(chunk) < _CHUNK:
            return found, None, None
        if time.monotonic() > until:
            note = f"The search stopped after {looked:,} matches; the next page goes on from there."
            return found, place, note


def _holding(numbers: list[int], pattern: str, sqlite: bool) -> sa.Select[Any]:
    a = schema.attempts.c
    texts = (a.text, a.rationale, a.reason, a.notation)
    said = sa.select(sa.literal(1)).where(a.match == _m.id, sa.or_(*(_like(text, pattern, sqlite) for text in texts)))
    own = (_like(text, pattern, sqlite) for text in (_m.notation, _m.why))
    return sa.select(_m.number).where(_m.number.in_(numbers), sa.or_(*own, said.exists()))


def _like(text: sa.ColumnElement[Any], pattern: str, sqlite: bool) -> sa.ColumnElement[bool]:
    """Capital letters aside, which SQLite's own LIKE does (for those of ASCII)."""
    return text.like(pattern, escape="\\") if sqlite else text.ilike(pattern, escape="\\")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").encode("utf-8", "replace").decode()


def _written(place: _Place, wanted: MatchFilter) -> str:
    data = json.dumps([wanted.sort, wanted.order, place.value, place.number], separators=(",", ":"))
    return base64.urlsafe_b64encode(data.encode()).decode("ascii").rstrip("=")


def _place(written: str, wanted: MatchFilter) -> _Place:
    """Reads what `_written` wrote. Raises `Problem` 422."""
    try:
        sort, order, value, number = json.loads(base64.urlsafe_b64decode(written + "=" * (-len(written) % 4)))
        known = isinstance(number, int) and (value is None or (isinstance(value, int | float) and math.isfinite(value)))
    except (ValueError, TypeError):
        raise Problem(422, "after is what a page said as next, and nothing else") from None
    if not known or (sort, order) != (wanted.sort, wanted.order) or abs(number) > 2**62:
        raise Problem(422, "after belongs to a page in another order")
    return _Place(value, number)


# --------------------------------------------------------------------- entries


def match_entry(run: OpenRun, row: MatchRow) -> MatchEntry:
    """A match in a list."""
    return MatchEntry(
        id=row.id,
        number=row.number,
        game=variants(run).label(row),
        options=row.options,
        condition=row.condition,
        seats=seats_of(run, row),
        status=shown_status(row.status, run.cached("decided", lambda: is_decided(run.store))),
        ending=row.ending,
        why=row.why,
        offender=row.offender,
        moves=row.moves,
        attempts=row.attempts,
        bad_attempts=row.bad_attempts,
        group=row.group,
        finished=row.finished,
        seconds=row.seconds,
    )


def neighbours(store: RunStore, number: int) -> dict[str, str | None]:
    """Ids of the matches before and after a number."""
    before = sa.select(_m.id).where(_m.number < number).order_by(_m.number.desc()).limit(1)
    after = sa.select(_m.id).where(_m.number > number).order_by(_m.number).limit(1)
    with store.engine.connect() as connection:
        return {"previous": connection.execute(before).scalar(), "next": connection.execute(after).scalar()}
