"""Where the runs are: ids that can never leave folders and databases, and runs opened once for all requests."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import sqlalchemy as sa
from fastapi import Depends, Request
from fastapi import Path as PathParameter

from ludometer.store import Address, RunStore, Where, schema
from ludometer.store.address import Database, DatabaseRun, parse_place
from ludometer.store.database import DATABASE
from ludometer.store.types import read_json
from ludometer.web.databases import LookedUp
from ludometer.web.problems import Problem

__all__ = ["HUMANS", "OpenRun", "Opened", "RunsFolder", "at_work", "runs_of"]

T = TypeVar("T")

HUMANS = frozenset({"human"})
"""Players that are people. While one of them has an unfinished match, only what is public is shown of the run."""

UNFINISHED = ("scheduled", "running", "void")
"""States of a match that is not finished."""

_LOCK = "run.lock"
_NEXT_TRANSACTION = "SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text)"
_RUNNERS = "SELECT EXISTS (SELECT FROM runners WHERE until > extract(epoch FROM clock_timestamp()))"
_MOST_OPEN = 32
"""Runs in folders; those of a database share their connections."""
_MOST_KEPT = 400
_STALE = 5.0
"""A table of a run at play may be this many times as old as it took to make, so that it is not made all the time."""
_OLDEST = 60.0
_RESTING = 20.0
"""Seconds for which the entry of a run in a database stays as it is where nobody is at work on it: what is written to
any run of a database looks as if it were written to all of them."""


class _Kept(NamedTuple):
    version: Hashable
    value: Any
    made: float
    took: float


class OpenRun:
    """A run that is open for reading.

    Attributes:
        id: its name in paths.
        store: its database. Any thread may read.
        place: what the folder or the database that it is in is called for a person.
    """

    def __init__(self, id: str, store: RunStore, place: str = "") -> None:  # noqa: A002
        self.id = id
        self.store = store
        self.place = place
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """Where the run is. Raises `ConfigurationError` for a run in a database."""
        return self.store.folder

    @property
    def version(self) -> Hashable:
        """Changes whenever something is written to the run."""
        address = self.store.address
        if isinstance(address, Path):
            return _stamp(address / DATABASE), _stamp(address / f"{DATABASE}-wal")
        with self.store.engine.connect() as connection:  # the next transaction that writes anything, in any run
            return int(connection.execute(sa.text(_NEXT_TRANSACTION)).scalar_one())

    @property
    def at_work(self) -> bool:
        """Whether some process is at work on the run."""
        address = self.store.address
        if isinstance(address, Path):
            return at_work(address)
        with self.store.engine.connect() as connection:
            return bool(connection.execute(sa.text(_RUNNERS)).scalar_one())

    def resting(self, at_work: bool) -> Hashable:
        """What `version` is where it may be behind for a while, if no process is at work on the run."""
        if at_work or isinstance(self.store.address, Path):
            return None
        return "resting", int(time.monotonic() / _RESTING)

    def cached(self, key: Hashable, make: Callable[[], T], *, version: Hashable = None, patient: bool = False) -> T:
        """What ``make`` returns, made anew only when the run has changed.

        Args:
            key: names the value.
            version: what it depends on, where that is not the whole run.
            patient: while the run is at play the value may be older, in proportion to how long it takes to make.
        """
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            now = self.version if version is None else version
            found = self._kept.get(key)
            if found is not None and (found.version == now or (patient and _fresh(found))):
                return found.value  # type: ignore[no-any-return]
            begun = time.monotonic()
            value = make()
            ended = time.monotonic()
            with self._lock:
                self._kept[key] = _Kept(now, value, ended, ended - begun)
                self._kept.move_to_end(key)
                while len(self._kept) > _MOST_KEPT:
                    gone, _ = self._kept.popitem(last=False)
                    self._locks.pop(gone, None)
            return value

    @property
    def public_only(self) -> bool:
        """Whether a person is at play, so that only what is public may be shown of this run."""
        return self.cached("people", self._people)

    def _people(self) -> bool:
        people = {e["name"] for e in self.store.entrants() if str(e["player"]).partition(":")[0] in HUMANS}
        if not people:
            return False
        query = sa.select(schema.matches.c.seats).where(schema.matches.c.status.in_(UNFINISHED)).distinct()
        with self.store.engine.connect() as connection:
            seatings = connection.execute(query).scalars().all()
        return any(people.intersection(read_json(seats, "a match", dict).values()) for seats in seatings)


def _fresh(kept: _Kept) -> bool:
    return time.monotonic() - kept.made < min(_OLDEST, _STALE * kept.took)


def _stamp(path: Path) -> Hashable:
    """What tells whether a file was written to; None for one that is absent or empty."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size) if found.st_size else None


def at_work(folder: Path) -> bool:
    """Whether some process is at work on the run: it holds the lock. The lock is held shared for an instant to see."""
    try:
        handle = os.open(folder / _LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


class RunsFolder:
    """The runs that are shown: by ids made here, never by a path from a client.

    Args:
        paths: runs, in folders or in databases, folders whose subfolders are runs, and databases with all their runs.
            Symbolic links are followed where they are named here, and inside such a folder only to places within it.
        home: where new runs are made; by default the first folder that is named, else where the first run is.
    """

    def __init__(self, paths: Sequence[Where | Database], home: str | os.PathLike[str] | None = None) -> None:
        named = [parse_place(path) for path in paths]
        named = [path.parent if isinstance(path, Path) and path.name == DATABASE else path for path in named]
        self._databases = [LookedUp(one) for one in dict.fromkeys(named) if isinstance(one, Database)]
        rest = [one for one in named if not isinstance(one, Database)]
        self._runs = [one for one in rest if isinstance(one, DatabaseRun) or (one / DATABASE).is_file()]
        self._folders = [one for one in rest if isinstance(one, Path) and one not in self._runs]
        beside = [one.parent for one in self._runs if isinstance(one, Path)]
        self.home = Path(home) if home is not None else next(iter([*self._folders, *beside]), Path("runs"))
        self._ids: dict[Address, str] = {}
        self._open: OrderedDict[str, tuple[Hashable, OpenRun]] = OrderedDict()
        self._retired: list[OpenRun] = []
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """How the folder of new runs is called for a person."""
        return _called(self.home)

    @property
    def single(self) -> str | None:
        """The id of the only run there is, where one run was named, and no folder and no database."""
        return self.id_of(self._runs[0]) if len(self._runs) == 1 and not self._folders + self._databases else None

    def places(self) -> dict[str, str | None]:
        """The folders and databases that are looked in, as a person calls them, each with what is wrong with it."""
        folders = dict.fromkeys(map(_called, self._homes()))
        return folders | {str(one): one.problem for one in self._databases}

    def place_of(self, address: Address) -> str:
        """What the folder or the database that a run is in is called for a person."""
        return _called(address.parent) if isinstance(address, Path) else str(address.database)

    def ids(self) -> dict[str, Address]:
        """All runs there are now, by id."""
        with self._lock:
            found = {self.id_of(address): address for address in self._found()}
        return found | self._in_databases()

    def _in_databases(self) -> dict[str, Address]:
        # Not under the lock: a database may not answer, and folders have nothing to do with that.
        listed = [run for database in self._databases for run in database.runs()]
        with self._lock:
            return {self.id_of(run): run for run in listed}

    def id_of(self, address: Address) -> str:
        """The id of a run; the same for as long as the server lives."""
        with self._lock:
            if address not in self._ids:
                taken = set(self._ids.values())
                base = slug(run_title(address))
                number, found = 1, base
                while found in taken:
                    number += 1
                    found = f"{base}-{number}"
                self._ids[address] = found
            return self._ids[address]

    def address(self, id: str) -> Address:  # noqa: A002
        """Where a run is. Raises `Problem` 404."""
        with self._lock:
            found = next((address for address in self._found() if self.id_of(address) == id), None)
        found = found or self._in_databases().get(id)
        if found is None:
            raise Problem(404, f"there is no run {id[:100]!r}")
        return found

    def folder(self, id: str) -> Path:  # noqa: A002
        """The folder of a run. Raises `Problem`: 404 for an id that is not known, 403 for a run in a database."""
        found = self.address(id)
        if isinstance(found, DatabaseRun):
            raise Problem(403, "that is done with runs in folders only; this one is in a database")
        return found

    def opened(self, id: str) -> OpenRun:  # noqa: A002
        """The run, open for reading.

        Raises:
            Problem: 404 for an id that is not known.
            MachineError: it cannot be read.
        """
        address = self.address(id)
        identity = self._identity(address)
        with self._lock:
            if id in self._open:
                known, run = self._open[id]
                if known == identity:
                    self._open.move_to_end(id)
                    return run
                self._retire(id)
        # Not under the lock: a database may keep everybody waiting.
        opened = OpenRun(id, self._store(address), self.place_of(address))
        with self._lock:
            if id in self._open and self._open[id][0] == identity:  # somebody else was quicker
                opened.store.close()
                return self._open[id][1]
            self._open[id] = (identity, opened)
            heavy = [one for one, (_, open_) in self._open.items() if not open_.store.borrows]
            for one in heavy[:-_MOST_OPEN]:
                self._retire(one)
            return opened

    def _listing(self, address: Address) -> LookedUp | None:
        """The database that is looked in where the run is in one."""
        if not isinstance(address, DatabaseRun) or address in self._runs:
            return None
        return next((one for one in self._databases if one.database == address.database), None)

    def _store(self, address: Address) -> RunStore:
        listing = self._listing(address)
        if listing is None or not isinstance(address, DatabaseRun):
            return RunStore.open(address)
        return listing.opened(address)

    def _identity(self, folder: Address) -> Hashable:
        """What tells whether an open database is still the one in the folder."""
        if isinstance(folder, DatabaseRun):
            listing = self._listing(folder)
            return folder if listing is None else listing.known.get(folder)
        try:
            found = (folder / DATABASE).stat()
        except OSError:
            return None
        identity: tuple[int, ...] = (found.st_dev, found.st_ino)
        if not os.access(folder, os.W_OK):  # it is read as a file that does not change, or as a copy
            identity += (found.st_mtime_ns, found.st_size)
        return identity

    def _retire(self, id: str) -> None:  # noqa: A002
        """Some thread may still read from it: it is closed when its connections come back."""
        _, run = self._open.pop(id)
        if not run.store.borrows:
            run.store.engine.dispose()
            self._retired.append(run)

    def close(self) -> None:
        with self._lock:
            for run in [*self._retired, *(run for _, run in self._open.values())]:
                run.store.close()
            self._retired, self._open = [], OrderedDict()
        for database in self._databases:
            database.close()

    def _homes(self) -> list[Path]:
        """The folders that are looked in."""
        return self._folders if self.home in self._folders else [*self._folders, self.home]

    def _found(self) -> Iterator[Address]:
        """The runs that were named, and those in folders."""
        yield from self._runs
        seen = {path.resolve() for path in self._runs if isinstance(path, Path)}
        for folder in self._homes():
            root = folder.resolve()
            for path in _entries(folder):
                database = path / DATABASE
                with contextlib.suppress(OSError):
                    real = database.resolve(strict=True)
                    if real.is_file() and root in real.parents and path.resolve() not in seen:
                        seen.add(path.resolve())
                        yield path


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []


def _called(folder: Path) -> str:
    return folder.resolve().name


def run_title(address: Address) -> str:
    """What a run is called where its configuration gives it no name."""
    return address.run if isinstance(address, DatabaseRun) else address.resolve().name


def slug(name: str) -> str:
    """A name as a part of an address: lower-case letters, digits, hyphens, dots, underscores."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.casefold()).strip("-._")[:80] or "run"


def runs_of(request: Request) -> RunsFolder:
    """The runs of the application."""
    found: RunsFolder = request.app.state.runs
    return found


def _opened(request: Request, run: Annotated[str, PathParameter(description="id of a run")]) -> OpenRun:
    return runs_of(request).opened(run)


Opened = Annotated[OpenRun, Depends(_opened)]
"""The run of a path, as a parameter of a route."""
