"""Followed runs: one poller per run, shared by everybody who looks on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from anyio import to_thread

from ludometer.core import LudometerError
from ludometer.store import Address
from ludometer.web.following import Follower
from ludometer.web.problems import written
from ludometer.web.runs import OpenRun
from ludometer.web.shapes import Counts, LiveMatch, RunEntry

__all__ = ["Happening", "Listener", "Watch", "Watches"]

_PERIOD = 0.5
"""Seconds between two looks at a database."""
_REST = 3.0
"""... or this many times as long as a look takes, where that is longer."""
_SUMMARY_PERIOD = 2.0
"""Seconds between two counts of all matches, which take longer in large runs."""
_IDLE = 60.0
"""Seconds for which a run that nobody looks at is kept open."""
_WAITING = 2000
"""Events that wait for a listener; one that is slower is left, and resumes by its last event's id."""


class Happening(NamedTuple):
    """An event: its name, its data as JSON text, and its id."""

    event: str
    data: str
    id: str


class Listener:
    """One event stream. Iterate over ``next``; None from it ends the stream."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Happening | None] = asyncio.Queue(_WAITING)

    def put(self, happening: Happening | None) -> bool:
        """False where the listener is too slow and has to come again."""
        try:
            self.queue.put_nowait(happening)
        except asyncio.QueueFull:
            return False
        return True

    async def next(self, seconds: float) -> Happening | None:
        """The next event. Raises `TimeoutError` when nothing happens for so long."""
        async with asyncio.timeout(seconds):
            return await self.queue.get()


class Watch:
    """A run that somebody looks at.

    Args:
        opened: the run; it blocks.
        entry: makes the run's entry in the list; it blocks.
    """

    def __init__(self, opened: Callable[[], OpenRun], entry: Callable[[], RunEntry]) -> None:
        self._run = opened
        self.used = time.monotonic()
        self._entry = entry
        self._follower: Follower | None = None
        self._listeners: set[Listener] = set()
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._summary: RunEntry | None = None
        self._summary_at = 0.0
        self._summary_cost = 0.0
        self._changed = False  # since the summary was made

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    async def wall(self) -> tuple[RunEntry, list[LiveMatch], bool]:
        """The run's entry, its boards, and whether only what is public is shown. Raises what `RunStore.open` does."""
        self.used = time.monotonic()
        follower = await self._opened()
        if self._task is None:
            await self._look()
        boards = await to_thread.run_sync(follower.wall)
        return await to_thread.run_sync(self._entry), boards, follower.public_only

    async def listen(self, after: int | None) -> Listener:
        """A new listener, which is first told how things stand, and what it missed after a cursor.

        Raises what `RunStore.open` does.
        """
        follower = await self._opened()
        listener = Listener()
        if self._task is None:
            await self._look()
            self._task = asyncio.create_task(self._poll(), name="ludometer-poller")
        self._listeners.add(listener)
        try:
            cursor = str(follower.cursor)
            entry = await self._summarized(force=True)
            self._tell_summary([listener], entry, cursor)
            if after is not None:
                for place, match, step, shape in await to_thread.run_sync(follower.missed, after):
                    listener.put(_attempt(place, match, step, shape))
            for board in await to_thread.run_sync(follower.wall):
                listener.put(Happening("match", written(board), cursor))
        except BaseException:
            self.leave(listener)
            raise
        return listener

    def leave(self, listener: Listener) -> None:
        """The last one to go ends the poller."""
        self._listeners.discard(listener)
        self.used = time.monotonic()
        if not self._listeners and self._task is not None:
            self._task.cancel()
            self._task = None

    async def close(self) -> None:
        for listener in list(self._listeners):
            listener.put(None)
            self.leave(listener)
        self._follower = None

    # ------------------------------------------------------------------ polling

    async def _opened(self) -> Follower:
        async with self._lock:
            if self._follower is None:
                self._follower = await to_thread.run_sync(Follower, self._run)
            return self._follower

    async def _poll(self) -> None:
        took = 0.0
        while True:
            await asyncio.sleep(max(_PERIOD, _REST * took))
            began = time.monotonic()
            try:
                await self._look()
                took = time.monotonic() - began
            except (LudometerError, OSError):  # the run was moved away or damaged: the streams end, and pages say so
                for listener in list(self._listeners):
                    listener.put(None)
                return

    async def _look(self) -> None:
        """Reads what is new, once, and tells everybody."""
        follower = await self._opened()
        news = await to_thread.run_sync(follower.news)
        listeners = list(self._listeners)
        if not listeners:
            return
        happenings = [_attempt(*told) for told in news.attempts]
        happenings += [Happening("match", written(board), str(news.cursor)) for board in news.matches]
        for listener in listeners:
            if not all(map(listener.put, happenings)):
                self._drop(listener)
        before = self._summary
        entry = await self._summarized(force=False, changed=news.changed)
        if entry is not None and entry != before:
            self._tell_summary(listeners, entry, str(news.cursor))

    async def _summarized(self, *, force: bool, changed: bool = True) -> Any:
        """The run's entry, made again only as often as its making is cheap."""
        age = time.monotonic() - self._summary_at
        wanted = max(_SUMMARY_PERIOD, 10 * self._summary_cost)
        self._changed = self._changed or changed
        # Whether a process is at work shows nowhere in the database, so that it is looked for now and then in any case.
        if self._summary is None or force or age >= (wanted if self._changed else 5 * wanted):
            started = time.monotonic()
            self._changed = False  # what is written meanwhile is seen as a change by the next look
            self._summary = await to_thread.run_sync(self._entry)
            self._summary_at = time.monotonic()
            self._summary_cost = self._summary_at - started
        return self._summary

    def _tell_summary(self, listeners: list[Listener], entry: RunEntry, cursor: str) -> None:
        counts: Counts = entry.counts
        for listener in listeners:
            listener.put(Happening("counts", written(counts), cursor))
            listener.put(Happening("run", written(entry), cursor))

    def _drop(self, listener: Listener) -> None:
        while not listener.queue.empty():
            listener.queue.get_nowait()
        listener.put(None)
        self.leave(listener)


def _attempt(place: int, match: str, step: int, shape: Any) -> Happening:
    data = f'{{"match":{json.dumps(match)},"step":{step},"seat":{json.dumps(shape.seat)},"attempt":{written(shape)}}}'
    return Happening("attempt", data, str(place))


class Watches:
    """Followed runs by address. Those that nobody looked at for a while are forgotten."""

    def __init__(self) -> None:
        self._found: dict[Address, Watch] = {}

    async def of(self, address: Address, opened: Callable[[], OpenRun], entry: Callable[[], RunEntry]) -> Watch:
        for path, watch in list(self._found.items()):
            if path != address and not watch.listeners and time.monotonic() - watch.used > _IDLE:
                del self._found[path]
                await watch.close()
        if address not in self._found:
            self._found[address] = Watch(opened, entry)
        watch = self._found[address]
        watch.used = time.monotonic()
        return watch

    async def close(self) -> None:
        for watch in self._found.values():
            with contextlib.suppress(LudometerError, OSError):
                await watch.close()
        self._found.clear()
