"""Where the runner takes its matches from: a schedule that is known, or one that grows with its results."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from ludometer.core import InternalError, MachineError
from ludometer.store import Claim, MatchPlan, MatchRow, RunStore

__all__ = ["Handed", "MatchSource", "Planner", "QueuedMatches", "StoppingRule"]


class Handed(NamedTuple):
    """A match that is handed out to be played.

    Attributes:
        id: of the match.
        claim: under which everything about it is written, where several runners work on the run.
        fresh: the database has nothing of it yet, so that no log needs to be looked for.
        row: the match, where it has been read already.
    """

    id: str
    claim: Claim | None = None
    fresh: bool = False
    row: MatchRow | None = None


class Planner(Protocol):
    """Plans a schedule that grows with its results, a batch at a time.

    Attributes:
        expected: matches that the schedule has in all, as far as it can be said before its end.
    """

    expected: int

    def plan(self, results: Sequence[MatchRow]) -> Sequence[MatchPlan]:
        """The next batch; empty where the schedule is complete.

        A pure function of the configuration and of ``results``: all matches planned so far in schedule order, every one
        of them finished. It is asked at the end of every batch, so that the order of arrival within one cannot matter;
        the first batch follows from no results.
        """
        ...


class StoppingRule(Protocol):
    """Says when enough has been played."""

    def see(self, result: MatchRow) -> str | None:
        """Takes the next finished match in schedule order, and returns why the run is decided (one sentence), or None.

        Every match before it in the schedule has been seen: what is decided, and after how many matches, does not
        depend on the order in which matches end.
        """
        ...


class MatchSource(Protocol):
    """Hands out the matches that are to be played, each to one worker at a time."""

    @property
    def total(self) -> int:
        """Matches of the run, as far as it is known."""
        ...

    @property
    def width(self) -> int:
        """How many can be at play at once, at most."""
        ...

    async def next(self) -> Handed | None:
        """The next match. Waits while more may come; None: nothing more will come in this session, or it is stopped."""
        ...

    async def settled(self, handed: Handed, *, finished: bool, again: bool) -> None:
        """Takes a match back.

        Args:
            finished: it needs no more playing.
            again: it is to be handed out once more in this session; otherwise it waits for a resume.
        """
        ...

    def stop(self) -> None:
        """Whoever waits gets nothing any more."""
        ...

    async def close(self) -> None:
        """Leaves what was not played to others."""
        ...


class QueuedMatches:
    """The open matches of a run that this process has for itself, in schedule order; see `MatchSource`."""

    def __init__(self, store: RunStore, planner: Planner | None = None) -> None:
        self._store = store
        self._planner = planner
        self._queue: deque[str] = deque(store.pending())
        self._logged = store.logged().intersection(self._queue)
        self._planned = sum(store.status_counts().values())
        self._complete = planner is None
        self._out = 0
        self._stopped = False
        self._growing = asyncio.Lock()
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def total(self) -> int:
        if self._planner is None or self._complete:
            return self._planned
        # One more than was planned, where an estimate falls short: the schedule is not complete.
        return max(self._planned + 1, self._planner.expected)

    @property
    def width(self) -> int:
        # A schedule that grows may have a larger batch next.
        return len(self._queue) if self._planner is None else 10_000

    async def next(self) -> Handed | None:
        while not self._stopped:
            if self._queue:
                self._out += 1
                match = self._queue.popleft()
                return Handed(match, fresh=match not in self._logged)
            if self._out:
                await self._change()
            elif not await self._grow():
                break
        return None

    async def settled(self, handed: Handed, *, finished: bool, again: bool) -> None:
        self._out -= 1
        if finished:
            self._logged.discard(handed.id)
        else:
            self._logged.add(handed.id)
        if again:
            self._queue.append(handed.id)
        self._wake(1 if self._out or self._queue else len(self._waiting))

    def stop(self) -> None:
        self._stopped = True
        self._wake(len(self._waiting))

    async def close(self) -> None:
        if not (self._complete or self._queue or self._out) and self._planner is not None:
            with suppress(MachineError):  # a database that is lost is told of elsewhere
                self._complete = await asyncio.to_thread(is_complete, self._store, self._planner)

    async def _change(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

    def _wake(self, count: int) -> None:
        while count > 0 and self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                count -= 1

    async def _grow(self) -> bool:
        """Plans the next batch; tells whether there may be something to hand out now."""
        async with self._growing:
            if self._queue or self._out:
                return True  # another worker planned it
            if self._complete or self._planner is None:
                return False
            added = await asyncio.to_thread(grow, self._store, self._planner)
            if added is None:
                return False
            self._complete = not added
            self._planned += added
            self._queue.extend(self._store.pending())
            self._wake(len(self._waiting))
            return bool(added)


def is_complete(store: RunStore, planner: Planner) -> bool:
    """Whether all matches are finished, and nothing comes behind them. Plans nothing: the run is stopped."""
    counts = store.status_counts()
    if set(counts) != {"finished"} or sum(counts.values()) < planner.expected:
        return False
    return not planner.plan(list(store.matches()))


def grow(store: RunStore, planner: Planner) -> int | None:
    """Plans the next batch of a schedule, and returns how many matches it has; None while any match is open."""

    def plan(results: Sequence[MatchRow]) -> Sequence[MatchPlan]:
        plans = planner.plan(results)
        known = {row.key for row in results}
        if any(plan.key in known for plan in plans):
            raise InternalError("the schedule planned a match that it has planned before")
        return plans

    return store.plan_next(plan)
