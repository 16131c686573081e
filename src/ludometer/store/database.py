"""`RunStore`: opening, creating and locking a run, planning matches, and writing what becomes of them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from ludometer._version import __version__
from ludometer.core import ConfigurationError, Json, LudometerError, MachineError
from ludometer.store import schema
from ludometer.store.planning import read_entrants, write_entrants, write_matches, write_meta
from ludometer.store.records import MatchPlan, MatchRow, match_row
from ludometer.store.writer import Write, Writer, explain

__all__ = ["DATABASE", "RunStore"]

DATABASE = "run.sqlite"
_LOCK = "run.lock"

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


class RunStore:
    """One run's database. Use `create` or `open`; close it when done (it is a context manager).

    Attributes:
        folder: the run's folder.
    """

    def __init__(
        self,
        folder: Path,
        engine: sa.Engine,
        lock: FileLock | None,
        copy: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self.folder = folder
        self.engine = engine
        self._lock = lock
        self._copy = copy
        self._writer: Writer | None = None

    # ----------------------------------------------------------------- opening

    @classmethod
    def create(cls, folder: str | os.PathLike[str], config: Mapping[str, Json]) -> RunStore:
        """A new run in ``folder``, locked for writing.

        Raises:
            ConfigurationError: there is a run already.
            MachineError: the folder cannot be written, or another process is at work in it.
        """
        path = Path(folder)
        _refuse_second(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MachineError(f"the folder {path} cannot be made: {error.strerror}") from None
        lock = _acquire(path)
        try:
            _refuse_second(path)  # another process may have made one before the lock was ours
            _make(path, config)
        except (SQLAlchemyError, OSError) as error:
            lock.release()
            raise explain(error, f"a run in {path}") from None
        except LudometerError:
            lock.release()
            raise
        return cls(path, _engine(path / DATABASE), lock)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, write: bool = False) -> RunStore:
        """The run in ``folder``; with ``write``, locked for this process.

        Raises:
            ConfigurationError: there is no run.
            MachineError: in use by another process, from a newer version, or not readable.
        """
        path = Path(folder)
        if path.name == DATABASE:
            path = path.parent
        if not (path / DATABASE).is_file():
            raise ConfigurationError(f"there is no run in {path} (no file {DATABASE})")
        try:
            store = cls(path, *_reading_engine(path))
        except OSError as error:
            raise explain(error, f"the run in {path}") from None
        try:
            _check_version(path, store.meta("schema_version"))
        except (SQLAlchemyError, OSError, ValueError) as error:
            store.close()
            raise explain(error, f"the run in {path}") from None
        except LudometerError:
            store.close()
            raise
        if not write:
            return store
        store.close()  # only now, or opening for writing would change a file that is no run
        lock = _acquire(path)
        return cls(path, _engine(path / DATABASE), lock)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -------------------------------------------------------------------- meta

    def meta(self, key: str) -> Any:
        """A value of the ``meta`` table; None where it is absent."""
        with self.engine.connect() as connection:
            found = connection.execute(sa.select(schema.meta.c.value).where(schema.meta.c.key == key)).scalar()
        return None if found is None else json.loads(found)

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
        order = [table.c[name] for name in ("match", "ordinal", "step", "attempt", "id") if name in table.c]
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query.order_by(*order)).mappings()]

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
        if self._lock is None:
            raise MachineError(f"the run in {self.folder} was opened for reading only")
        if self._writer is None:
            self._writer = Writer(self.engine)
        return self._writer

    async def update_match(self, match_id: str, **values: Any) -> None:
        """Sets every result column of a match; those left out become null, ``voids`` 0."""
        row = {f"new_{column}": values.get(column) for column in _RESULT_COLUMNS}
        for name in ("new_scores", "new_payoffs"):
            row[name] = None if row[name] is None else json.dumps(row[name])
        row["new_voids"] = row["new_voids"] or 0
        await self.writer.write(Write(_RESULT, [{"match_id": match_id, **row}]))

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

    def _changing(self) -> Any:
        if self._lock is None:
            raise MachineError(f"the run in {self.folder} was opened for reading only")
        return self.engine.begin()


def _refuse_second(path: Path) -> None:
    if (path / DATABASE).exists():
        raise ConfigurationError(f"{path} already holds a run; resume or extend it, or choose another folder")


def _make(path: Path, config: Mapping[str, Json]) -> None:
    """The database with its tables. It gets its name when it is complete: a process may die at any moment."""
    unfinished = path / f"{DATABASE}.new"
    for suffix in ("", "-wal", "-shm", "-journal"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    engine = _engine(unfinished)
    try:
        schema.metadata.create_all(engine)
        with engine.begin() as connection:
            values = {"schema_version": schema.SCHEMA_VERSION, "ludometer": __version__}
            write_meta(connection, {**values, "created": time.time(), "config": dict(config)})
    finally:
        engine.dispose()
    unfinished.replace(path / DATABASE)


def _check_version(path: Path, version: Json) -> None:
    if not isinstance(version, int):
        raise MachineError(f"{path / DATABASE} is no run database of Ludometer; choose another folder")
    if version > schema.SCHEMA_VERSION:
        raise MachineError(
            f"the run in {path} was written by a newer Ludometer (format {version}, this one reads up to "
            f"{schema.SCHEMA_VERSION}); upgrade with: pip install -U ludometer"
        )


def _acquire(folder: Path) -> FileLock:
    """The run's lock. The operating system frees it when the process dies, however it dies."""
    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise MachineError(
            f"another process is at work on the run in {folder}; wait for it or stop it, then try again"
        ) from None
    except OSError as error:
        raise MachineError(f"the folder {folder} cannot be written: {error.strerror}") from None
    return lock


def _reading_engine(folder: Path) -> tuple[sa.Engine, None, tempfile.TemporaryDirectory[str] | None]:
    """For a folder that cannot be written, where SQLite cannot make the files that readers of a live database share."""
    path = folder / DATABASE
    if os.access(folder, os.W_OK):
        return _engine(path, "?mode=ro&uri=true"), None, None
    log = path.with_name(f"{DATABASE}-wal")
    if not log.is_file() or log.stat().st_size == 0:
        return _engine(path, "?immutable=1&uri=true"), None, None
    # The run was killed, and its latest rows are in the log: they can be read where the two files may be joined.
    copy = tempfile.TemporaryDirectory(prefix="ludometer-")
    for source in (path, log):
        shutil.copyfile(source, Path(copy.name) / source.name)
    return _engine(Path(copy.name) / DATABASE, "?mode=ro&uri=true"), None, copy


def _engine(path: Path, mode: str = "?uri=true") -> sa.Engine:
    read_only = mode != "?uri=true"
    engine = sa.create_engine(f"sqlite:///file:{_quoted(path)}{mode}", connect_args={"check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _: Any) -> None:
        try:
            connection.execute("PRAGMA busy_timeout=30000")
            if not read_only:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            raise explain(error, str(path)) from None

    @sa.event.listens_for(engine, "handle_error")
    def _say(context: sa.engine.ExceptionContext) -> None:
        error = context.sqlalchemy_exception or context.original_exception
        if isinstance(error, Exception) and not isinstance(error, LudometerError):
            raise explain(error, str(path)) from None

    return engine


def _quoted(path: Path) -> str:
    return quote(str(path.resolve()))
