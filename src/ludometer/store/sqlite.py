"""A run in a folder: one SQLite file, and the lock of the process that writes to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from ludometer.core import ConfigurationError, Json, LudometerError, MachineError
from ludometer.store import schema
from ludometer.store.opened import Opened, explained
from ludometer.store.planning import check_version, read_meta, write_meta
from ludometer.store.writer import explain

__all__ = ["DATABASE", "RUN_FILES", "create", "open_run"]

DATABASE = "run.sqlite"
_LOCK = "run.lock"
RUN_FILES = frozenset({DATABASE, _LOCK, *(f"{DATABASE}-{end}" for end in ("wal", "shm", "journal"))})
"""Names of the files of a run, SQLite's own included. Nothing else may be written under them."""


def create(path: Path, meta: Mapping[str, Json]) -> Opened:
    """A new run in a folder, locked for writing. Raises as `RunStore.create`."""
    _refuse_second(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"the folder {path} cannot be made: {error.strerror}") from None
    lock = _acquire(path)
    try:
        _refuse_second(path)  # another process may have made one before the lock was ours
        _make(path, meta)
    except (SQLAlchemyError, OSError) as error:
        lock.release()
        raise explain(error, f"a run in {path}") from None
    except LudometerError:
        lock.release()
        raise
    return Opened(_engine(path / DATABASE), True, release=lock.release)


def open_run(path: Path, *, write: bool) -> Opened:
    """The run in a folder; with ``write``, locked for this process. Raises as `RunStore.open`."""
    if not (path / DATABASE).is_file():
        raise ConfigurationError(f"there is no run in {path} (no file {DATABASE})")
    where = f"the run in {path}"
    try:
        engine, release = _reading_engine(path)
    except OSError as error:
        raise explain(error, where) from None
    opened = Opened(engine, False, release=release)
    try:
        with engine.connect() as connection:
            check_version(read_meta(connection, "schema_version"), str(path / DATABASE), where)
    except (SQLAlchemyError, OSError, ValueError) as error:
        _give_up(opened)
        raise explain(error, where) from None
    except LudometerError:
        _give_up(opened)
        raise
    if not write:
        return opened
    _give_up(opened)  # only now, or opening for writing would change a file that is no run
    lock = _acquire(path)
    return Opened(_engine(path / DATABASE), True, release=lock.release)


def _give_up(opened: Opened) -> None:
    opened.engine.dispose()
    opened.release()


def _refuse_second(path: Path) -> None:
    if (path / DATABASE).exists():
        raise ConfigurationError(f"{path} already holds a run; resume or extend it, or choose another folder")


def _make(path: Path, meta: Mapping[str, Json]) -> None:
    """The database with its tables. It gets its name when it is complete: a process may die at any moment."""
    unfinished = path / f"{DATABASE}.new"
    for suffix in ("", "-wal", "-shm", "-journal"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    engine = _engine(unfinished)
    try:
        schema.metadata.create_all(engine)
        with engine.begin() as connection:
            write_meta(connection, meta)
    finally:
        engine.dispose()
    unfinished.replace(path / DATABASE)


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


def _reading_engine(folder: Path) -> tuple[sa.Engine, Callable[[], None]]:
    """For a folder that cannot be written, where SQLite cannot make the files that readers of a live database share."""
    path = folder / DATABASE
    if os.access(folder, os.W_OK):
        return _engine(path, mode="ro"), lambda: None
    log = path.with_name(f"{DATABASE}-wal")
    if not log.is_file() or log.stat().st_size == 0:
        return _engine(path, immutable="1"), lambda: None
    # The run was killed, and its latest rows are in the log: they can be read where the two files may be joined.
    copy = tempfile.TemporaryDirectory(prefix="ludometer-")
    for source in (path, log):
        shutil.copyfile(source, Path(copy.name) / source.name)
    return _engine(Path(copy.name) / DATABASE, mode="ro"), copy.cleanup


def _engine(path: Path, **settings: str) -> sa.Engine:
    """The database in a file; with any of SQLite's settings for an address, for reading only."""
    read_only = bool(settings)
    # Made from its parts: in an address that is one text, a folder's name could pass for settings.
    address = sa.URL.create("sqlite", database=f"file:{_quoted(path)}", query={**settings, "uri": "true"})
    engine = sa.create_engine(address, connect_args={"check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _: Any) -> None:
        try:
            connection.execute("PRAGMA busy_timeout=30000")
            if not read_only:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            raise explain(error, str(path)) from None

    return explained(engine, str(path))


def _quoted(path: Path) -> str:
    return quote(os.fsencode(path.resolve()))  # a name need not be UTF-8
