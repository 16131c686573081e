"""A run in a PostgreSQL database: a schema of the run's name, in which several processes may write at the same time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import sqlalchemy as sa

from ludometer.core import ConfigurationError, Json, LudometerError
from ludometer.store import schema
from ludometer.store.address import Database, DatabaseRun, is_run_name
from ludometer.store.claims import lease_seconds
from ludometer.store.opened import Opened, explained
from ludometer.store.planning import check_version, read_meta, write_meta

__all__ = ["DatabaseRuns", "create", "open_run", "run_names"]

_PLANNING = 10
"""Leases for which who plans may compute between two statements."""

_RUNS = """
    SELECT n.nspname, n.oid FROM pg_namespace n
    WHERE EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'move_values')
      AND EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'claims')
    ORDER BY n.nspname
"""
"""Schemas that are runs of Ludometer, as their tables tell."""


def create(address: DatabaseRun, meta: Mapping[str, Json]) -> Opened:
    """A new run in a database. Raises as `RunStore.create`."""
    opened = _opened(address, write=True)
    try:
        with opened.engine.begin() as connection:
            opened.lock(connection)
            _refuse_second(connection, address)
            _check_encoding(connection)
            connection.execute(sa.schema.CreateSchema(address.run))
            schema.metadata.create_all(connection)
            schema.shared.create_all(connection)
            write_meta(connection, meta)
    except LudometerError:
        opened.engine.dispose()
        raise
    return opened


def open_run(address: DatabaseRun, *, write: bool) -> Opened:
    """The run in a database. Raises as `RunStore.open`."""
    opened = _opened(address, write=write)
    try:
        _check(opened.engine, address)
    except LudometerError:
        opened.engine.dispose()
        raise
    return opened


def _check(engine: sa.Engine, address: DatabaseRun) -> None:
    """Raises where the run is not there, or is from a newer version."""
    with engine.connect() as connection:
        runs = list(connection.execute(sa.text(_RUNS)).scalars())
        if address.run not in runs:
            has = f"; it has: {', '.join(runs)}" if runs else ""
            raise ConfigurationError(f"there is no run {address.run} in this database ({address}){has}")
        check_version(read_meta(connection, "schema_version"), str(address), f"the run {address}")


def run_names(address: DatabaseRun) -> list[str]:
    """The names of all runs in the database of a run."""
    opened = _opened(address, write=False)
    try:
        with opened.engine.connect() as connection:
            return list(connection.execute(sa.text(_RUNS)).scalars())
    finally:
        opened.engine.dispose()


class DatabaseRuns:
    """All runs of a database, for reading: however many are open, they share their connections.

    Raises `ConfigurationError` where the driver is missing.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._engine = _made(database.url, str(database), "SET default_transaction_read_only TO on")
        self._inside = "ludometer_run"
        sa.event.listen(self._engine, "engine_connect", self._enter)

    def found(self) -> dict[DatabaseRun, int]:
        """The runs there are now, by name, each with a number that is another one when it is removed and made anew.

        Raises:
            MachineError: the database does not answer.
        """
        with self._engine.connect() as connection:
            rows = connection.execute(sa.text(_RUNS)).all()
        return {self.database.run(name): number for name, number in rows if is_run_name(name)}

    def open(self, address: DatabaseRun) -> Opened:
        """One of the runs. Raises as `RunStore.open`."""
        engine = self._engine.execution_options(**{self._inside: address.run})
        _check(engine, address)
        return Opened(engine, False, shared=True, lent=True)

    def close(self) -> None:
        """Closes every connection; those that are in use when they come back."""
        self._engine.dispose()

    def _enter(self, connection: sa.Connection) -> None:
        """A connection that was in the schema of another run, or of none, goes to that of the one who asks."""
        run = connection.get_execution_options().get(self._inside)
        if run is None or connection.info.get(self._inside) == run:
            return
        connection.exec_driver_sql(_inside(run))
        connection.commit()
        connection.info[self._inside] = run


def _opened(address: DatabaseRun, *, write: bool) -> Opened:
    number = _lock_number(address.run)

    def lock(connection: sa.Connection) -> None:
        connection.execute(sa.text(f"SET LOCAL {_patience(_PLANNING)}"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))

    return Opened(_engine(address, write=write), write, shared=True, lock=lock)


def _engine(address: DatabaseRun, *, write: bool) -> sa.Engine:
    settings = [_inside(address.run)]
    # Who is stopped in the middle of a transaction must not keep its locks from those who live.
    settings.append(f"SET {_patience(1)}" if write else "SET default_transaction_read_only TO on")
    engine = _made(address.url, str(address), *settings)
    if write:
        _answered_each(engine)
    return engine


def _answered_each(engine: sa.Engine) -> None:
    """Has every statement answered before the next one is sent. The driver would send many rows in one stream, and a
    server that waits for the rest of it takes the transaction to be busy, however long."""
    engine.dialect.use_insertmanyvalues_wo_returning = True  # rows that are added go in one statement

    @sa.event.listens_for(engine, "do_executemany")
    def _one_by_one(cursor: Any, statement: str, parameters: Any, context: Any) -> bool:
        for row in parameters:
            cursor.execute(statement, row)
        return True


def _patience(leases: int) -> str:
    """How long a transaction may stand still before the database ends it."""
    return f"idle_in_transaction_session_timeout TO {round(1000 * max(1.0, lease_seconds()) * leases)}"


def _inside(run: str) -> str:
    # The name is safe to be quoted like this: an address has no other characters.
    return f'SET search_path TO "{run}"'


def _made(url: sa.URL, shown: str, *settings: str) -> sa.Engine:
    """An engine whose connections have settings."""
    if find_spec("psycopg") is None:
        raise ConfigurationError(
            "runs in a PostgreSQL database need a driver; install it with: pip install 'ludometer[postgres]'"
        )
    engine = sa.create_engine(
        url,
        connect_args={"connect_timeout": 20, "application_name": "ludometer", "client_encoding": "utf8"},
        pool_size=4,
        max_overflow=12,
        pool_pre_ping=True,
    )

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _: Any) -> None:
        for setting in settings:
            connection.execute(setting)
        connection.commit()

    return explained(engine, f"the database of {shown}")


def _lock_number(run: str) -> int:
    """The number of a run's advisory lock: 64 bits with a sign."""
    digest = hashlib.blake2b(f"ludometer {run}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _refuse_second(connection: sa.Connection, address: DatabaseRun) -> None:
    if address.run in connection.execute(sa.text(_RUNS)).scalars():
        raise ConfigurationError(f"{address} is a run already; resume or extend it, or choose another name")
    exists = sa.text("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = :name)")
    if connection.execute(exists, {"name": address.run}).scalar():
        raise ConfigurationError(
            f"the database has a schema {address.run} that is no run of Ludometer; choose another name"
        )


def _check_encoding(connection: sa.Connection) -> None:
    encoding = connection.execute(sa.text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        raise ConfigurationError(
            f"the database has the encoding {encoding}, which cannot hold every text; make one with: "
            "CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0"
        )
