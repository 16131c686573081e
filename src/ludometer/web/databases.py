"""The runs of a whole database, looked up now and then, so that one that does not answer holds up nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Mapping

from ludometer.core import LudometerError
from ludometer.store import RunStore
from ludometer.store.address import Database, DatabaseRun
from ludometer.store.postgresql import DatabaseRuns

__all__ = ["LookedUp"]

_PERIOD = 2.0
"""Seconds for which a list of runs is good enough."""
_PATIENCE = 1.5
"""Seconds for which anybody waits for it; what was known before is shown meanwhile."""


class LookedUp:
    """A database of runs.

    Attributes:
        known: its runs as they were found last, each with what tells it from a later one of its name.
        problem: why its runs are not known, or not anew, as one sentence; None where all is well.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.problem: str | None = None
        self._runs = DatabaseRuns(database)
        self.known: Mapping[DatabaseRun, Hashable] = {}
        self._looked = -_PERIOD
        self._task: threading.Thread | None = None
        self._lock = threading.Lock()

    def __str__(self) -> str:
        return str(self.database)

    def runs(self) -> Mapping[DatabaseRun, Hashable]:
        """`known`, looked up anew where it is too old."""
        with self._lock:
            if self._task is None and time.monotonic() - self._looked >= _PERIOD:
                self._task = threading.Thread(target=self._look, name="ludometer-database", daemon=True)
                self._task.start()
            task = self._task
        # Where it did not answer the last time nobody waits for it again.
        if task is not None and self.problem is None:
            task.join(_PATIENCE)
            if task.is_alive() and not self.known:
                self.problem = f"the database {self.database} has not answered yet"
        return self.known

    def opened(self, address: DatabaseRun) -> RunStore:
        """One of its runs, for reading. Raises as `RunStore.open`."""
        return RunStore.borrowed(self._runs, address)

    def close(self) -> None:
        self._runs.close()

    def _look(self) -> None:
        try:
            self.known, self.problem = self._runs.found(), None
        except LudometerError as error:
            self.problem = str(error)
        finally:
            with self._lock:
                self._looked, self._task = time.monotonic(), None
