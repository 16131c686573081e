"""`RunStore`: opening and creating a run, planning matches, and writing what becomes of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ludometer._version import __version__
from ludometer.core import ConfigurationError, Json, MachineError
from ludometer.store import postgresql, schema, sqlite
from ludometer.store.address import Address, DatabaseRun, Where, parse_address
from ludometer.store.claims import Claim, Claims, held
from ludometer.store.opened import Opened
from ludometer.store.planning import read_entrants, read_meta, write_claims, write_entrants, write_matches, write_meta
from ludometer.store.records import MatchPlan, MatchRow, match_row
from ludometer.store.sqlite import DATABASE
from ludometer.store.writer import Write, Writer

__all__ = ["DATABASE", "RunStore"]

_RESULT_COLUMNS = (
    "status",
    "ending",
    "why",
    "offender",
    "scores",
    "payoffs",
    "moves",
    "attempts",
    "bad_attempts",
    "substituted",
    "notation",
    "started",
    "finished",
    "seconds",
    "voids",
)

_RESULT = (
    sa.update(schema.matches)
    .where(schema.matches.c.id == sa.bindparam("match_id"))
    .values({column: sa.bindparam(f"new_{column}") for column in _RESULT_COLUMNS})
)


_UNCLAIM = sa.delete(schema.claims).where(schema.claims.c.match == sa.bindparam("match_id"))

_BLOCK = 500
"""Values in one query at most."""

_ORDER = ("match", "ordinal", "step", "attempt", "seat", "n", "evaluator", "id")
"""Columns that rows are ordered by, where a table has them."""


class RunStore:
    """One run's database. Use `create` or `open`; close it when done (it is a context manager).

    Attributes:
        address: where the run is: a folder, or a name in a PostgreSQL database.
        engine: for queries of one's own.
    """

    def __init__(self, address: Address, opened: Opened) -> None:
        self.address = address
        self.engine = opened.engine
        self._opened = opened
        self._writer: Writer | None = None
        self._claims: Claims | None = None

    # ----------------------------------------------------------------- opening

    @classmethod
    def create(cls, where: Where, config: Mapping[str, Json]) -> RunStore:
        """A new run in a folder, locked for writing, or in a database (``postgresql://.../database?run=NAME``).

        Raises:
            ConfigurationError: there is a run already, or the address is none.
            MachineError: the folder or database cannot be written, or another process is at work in the folder.
        """
        address = parse_address(where)
        values = {"schema_version": schema.SCHEMA_VERSION, "ludometer": __version__}
        meta = {**values, "created": time.time(), "config": dict(config)}
        made = postgresql.create(address, meta) if isinstance(address, DatabaseRun) else sqlite.create(address, meta)
        return cls(address, made)

    @classmethod
    def open(cls, where: Where, *, write: bool = False) -> RunStore:
        """The run in a folder or database. With ``write`` a folder is locked for this process.

        Raises:
            ConfigurationError: there is no run, or the address is none.
            MachineError: in use by another process, from a newer version, or not readable.
        """
        address = parse_address(where)
        if isinstance(address, DatabaseRun):
            return cls(address, postgresql.open_run(address, write=write))
        if address.name == DATABASE:
            address = address.parent
        return cls(address, sqlite.open_run(address, write=write))

    @classmethod
    def borrowed(cls, runs: postgresql.DatabaseRuns, address: DatabaseRun) -> RunStore:
        """A run of an open database, for reading, with the connections of that. Raises as `open`."""
        return cls(address, runs.open(address))

    def close(self) -> None:
        if self._claims is not None:
            self._claims.leave()
            self._claims = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        if not self._opened.lent:
            self.engine.dispose()
        self._opened.release()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """The run's folder. Raises `ConfigurationError` for a run in a database, which has none."""
        if isinstance(self.address, DatabaseRun):
            raise ConfigurationError(f"the run {self.address} has no folder; say where the file is to be written")
        return self.address

    @property
    def name(self) -> str:
        """What the run's folder is called, or the run itself where it is in a database."""
        return self.address.run if isinstance(self.address, DatabaseRun) else self.address.resolve().name

    def beside(self, name: str) -> Path:
        """Where a file about the run is written unless somebody says otherwise: in its folder, or, for a run in a
        database, here under the run's name."""
        return Path(f"{self.address.run}-{name}") if isinstance(self.address, DatabaseRun) else self.address / name

    @property
    def shared(self) -> bool:
        """Whether several runners may work on it at the same time, each match claimed by one; see `claims`."""
        return self._opened.shared

    @property
    def borrows(self) -> bool:
        """Whether its connections belong to others, so that it holds nothing itself."""
        return self._opened.lent

    @property
    def claims(self) -> Claims:
        """What this process has claimed of a shared run."""
        if self._claims is None:
            self._claims = Claims(self.engine)
        return self._claims

    # -------------------------------------------------------------------- meta

    def meta(self, key: str) -> Any:
        """A value of the ``meta`` table; None where it is absent."""
        with self.engine.connect() as connection:
            return read_meta(connection, key)

    def set_meta(self, **values: Json) -> None:
        with self._changing() as connection:
            write_meta(connection, values)

    @property
    def config(self) -> dict[str, Json]:
        """The resolved configuration of the run."""
        return dict(self.meta("config") or {})

    # ---------------------------------------------------------------- planning

    def plan(
        self,
        entrants: Sequence[Mapping[str, Json]],
        plans: Iterable[MatchPlan],
        **meta: Json,
    ) -> int:
        """Adds entrants by name (see `Entrant.to_dict`), the matches whose keys are new, and meta values, all or
        nothing, and returns how many matches that were.

        Raises:
            ConfigurationError: an entrant whose name the run knows with other settings.
        """
        with self._changing() as connection:
            write_entrants(connection, entrants)
            added = write_matches(connection, plans)
            write_meta(connection, meta)
        return added

    def plan_next(self, plan: Callable[[Sequence[MatchRow]], Iterable[MatchPlan]]) -> int | None:
        """Adds the matches that follow from all results so far, and returns how many that were.

        Args:
            plan: of all matches in schedule order to the next ones. Nobody else changes what is planned meanwhile.

        Returns None, and does not ask, while any match is open.
        """
        m = schema.matches
        with self._changing() as connection:
            if connection.execute(sa.select(sa.exists().where(m.c.status != "finished"))).scalar():
                return None
            query = sa.select(m).order_by(m.c.number)
            rows = [match_row(dict(row)) for row in connection.execute(query).mappings()]
            return write_matches(connection, plan(rows))

    def add_entrants(self, entrants: Sequence[Mapping[str, Json]]) -> None:
        """Adds entrants by name; see `plan`."""
        self.plan(entrants, ())

    def entrants(self) -> list[dict[str, Json]]:
        """All entrants as `Entrant.to_dict` wrote them, in the order in which they were added."""
        with self.engine.connect() as connection:
            return read_entrants(connection)

    def add_matches(self, plans: Iterable[MatchPlan]) -> int:
        """Adds the matches whose keys are new, and returns how many that were."""
        return self.plan((), plans)

    # ----------------------------------------------------------------- reading

    def matches(self, *, status: Sequence[str] | None = None) -> Iterator[MatchRow]:
        """Matches in schedule order, read in blocks."""
        query = sa.select(schema.matches).order_by(schema.matches.c.number)
        if status is not None:
            query = query.where(schema.matches.c.status.in_(status))
        with self.engine.connect() as connection:
            for row in connection.execution_options(yield_per=1000).execute(query).mappings():
                yield match_row(dict(row))

    def match(self, match_id: str) -> MatchRow | None:
        query = sa.select(schema.matches).where(schema.matches.c.id == match_id)
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else match_row(dict(row))

    def matches_of(self, ids: Sequence[str]) -> dict[str, MatchRow]:
        """Matches by their ids."""
        query = sa.select(schema.matches).where(schema.matches.c.id.in_(ids))
        with self.engine.connect() as connection:
            return {row["id"]: match_row(dict(row)) for row in connection.execute(query).mappings()}

    def finished_after(self, number: int, limit: int = 100) -> list[MatchRow]:
        """The matches that follow a number in schedule order and are finished or were ever void, up to the first other
        one, ``limit`` at most."""
        m = schema.matches
        query = sa.select(m).where(m.c.number > number).order_by(m.c.number).limit(limit)
        with self.engine.connect() as connection:
            # All are fetched: a cursor that is left in the middle keeps SQLite from writing with this connection again.
            rows = [match_row(dict(row)) for row in connection.execute(query).mappings().all()]
        return list(takewhile(lambda row: row.status == "finished" or row.voids > 0, rows))

    def pending(self) -> list[str]:
        """Ids of the matches that are not finished, in schedule order."""
        query = (
            sa.select(schema.matches.c.id)
            .where(schema.matches.c.status != "finished")
            .order_by(schema.matches.c.number)
        )
        with self.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def logged(self) -> set[str]:
        """Ids of the matches that have attempts or exchanges."""
        tables = (schema.attempts, schema.exchanges)
        query = sa.union(*(sa.select(table.c.match).distinct() for table in tables))
        with self.engine.connect() as connection:
            return set(connection.execute(query).scalars())

    def status_counts(self) -> dict[str, int]:
        """Number of matches by status."""
        query = sa.select(schema.matches.c.status, sa.func.count()).group_by(schema.matches.c.status)
        with self.engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def rows(self, table: sa.Table, match_id: str | None = None) -> list[dict[str, Any]]:
        """Rows of a table as dictionaries, of one match or of all."""
        query = sa.select(table)
        if match_id is not None:
            query = query.where(table.c.match == match_id)
        order = [table.c[name] for name in _ORDER if name in table.c]
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query.order_by(*order)).mappings()]

    def contents(self, digests: Iterable[str]) -> dict[str, tuple[str, bytes]]:
        """Media types and bytes of stored contents, by hash; those that are not there are left out."""
        c = schema.contents.c
        wanted = list(digests)
        found: dict[str, tuple[str, bytes]] = {}
        with self.engine.connect() as connection:
            for start in range(0, len(wanted), _BLOCK):
                query = sa.select(c.hash, c.media_type, c.body).where(c.hash.in_(wanted[start : start + _BLOCK]))
                found |= {digest: (media, bytes(body)) for digest, media, body in connection.execute(query)}
        return found

    def content(self, digest: str) -> tuple[str, bytes] | None:
        """Media type and bytes of a stored content."""
        query = sa.select(schema.contents.c.media_type, schema.contents.c.body).where(schema.contents.c.hash == digest)
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row[0], bytes(row[1]))

    # ----------------------------------------------------------------- writing

    @property
    def writer(self) -> Writer:
        """The writer thread, started when first needed."""
        self._must_be_writable()
        if self._writer is None:
            self._writer = Writer(self.engine, held if self.shared else None)
        return self._writer

    async def update_match(self, match_id: str, *, claim: Claim | None = None, **values: Any) -> None:
        """Sets every result column of a match; those left out become null, ``voids`` 0.

        Raises:
            ClaimLost: another runner has taken the match over; nothing was written.
        """
        row = {f"new_{column}": values.get(column) for column in _RESULT_COLUMNS}
        for name in ("new_scores", "new_payoffs"):
            row[name] = None if row[name] is None else json.dumps(row[name])
        row["new_voids"] = row["new_voids"] or 0
        writes = [Write(_RESULT, [{"match_id": match_id, **row}])]
        if self.shared and values.get("status") == "finished":
            writes.append(Write(_UNCLAIM, [{"match_id": match_id}]))
        await self.writer.write(*writes, claim=claim)

    def save_import(self, kind: str, data: Json) -> None:
        """Keeps what a published study reports beside its games."""
        with self._changing() as connection:
            connection.execute(sa.insert(schema.imported), [{"kind": kind, "data": json.dumps(data)}])

    def imported(self, kind: str) -> Json:
        query = sa.select(schema.imported.c.data).where(schema.imported.c.kind == kind)
        with self.engine.connect() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else json.loads(found)

    def insert_finished(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Adds finished matches that were played elsewhere; each row has every column of the table."""
        with self._changing() as connection:
            connection.execute(sa.insert(schema.matches), [dict(row) for row in rows])
            write_claims(connection, rows)

    @contextmanager
    def _changing(self) -> Iterator[sa.Connection]:
        """A transaction that changes what is planned: one at a time, whoever else is at work."""
        self._must_be_writable()
        with self.engine.begin() as connection:
            self._opened.lock(connection)
            yield connection

    def _must_be_writable(self) -> None:
        if not self._opened.writable:
            raise MachineError(f"the run in {self.address} was opened for reading only")
