"""Matches of a run that several runners work on: each is claimed before it is played, and by one of them."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from ludometer.core import MachineError
from ludometer.store import RunStore
from ludometer.tournaments.sources import Handed, Planner, grow, is_complete

__all__ = ["ClaimedMatches"]

_MOST = 64
"""Claims at a time at most: what one runner has claimed and not begun, no other one can play."""

_LOOK = 1.0
"""Seconds between looks for what others leave behind."""


class ClaimedMatches:
    """Claims open matches as they are asked for; see `MatchSource`.

    While other runners have matches it waits for what becomes of them: it takes them up where a runner dies, and plans
    the next batch of a schedule that grows.
    """

    def __init__(self, store: RunStore, planner: Planner | None = None) -> None:
        self._store = store
        self._planner = planner
        self._claims = store.claims
        self._buffer: deque[Handed] = deque()
        self._planned = sum(store.status_counts().values())
        self._complete = planner is None
        self._joined = False
        self._ended = False
        self._out = 0
        self._hungry = 0
        self._taking = asyncio.Lock()
        self._change = asyncio.Event()

    @property
    def total(self) -> int:
        if self._planner is None or self._complete:
            return self._planned
        return max(self._planned + 1, self._planner.expected)

    @property
    def width(self) -> int:
        return 10_000

    async def next(self) -> Handed | None:
        self._hungry += 1
        try:
            while not self._ended:
                if self._buffer:
                    self._out += 1
                    return self._buffer.popleft()
                async with self._taking:
                    if not self._buffer and not self._ended:
                        await self._fill()
            return None
        finally:
            self._hungry -= 1

    async def settled(self, handed: Handed, *, finished: bool, again: bool) -> None:
        self._out -= 1
        if again and not self._ended:
            self._buffer.append(handed._replace(fresh=False, row=None))
        elif not finished and not self._ended and handed.claim is not None:
            await asyncio.to_thread(self._claims.give_back, handed.claim)
        self._change.set()

    def stop(self) -> None:
        self._ended = True
        self._change.set()

    async def close(self) -> None:
        self._ended = True
        if not self._complete and self._planner is not None:
            with suppress(MachineError):  # a database that is lost is told of elsewhere
                self._complete = await asyncio.to_thread(is_complete, self._store, self._planner)
        await asyncio.to_thread(self._claims.leave)

    async def _fill(self) -> None:
        """Claims more, or waits until there may be more, or ends."""
        if not self._joined:
            await asyncio.to_thread(self._claims.join)
            self._joined = True
        self._change.clear()
        taken = await asyncio.to_thread(self._claims.take, min(self._hungry, _MOST))
        if taken:
            rows = await asyncio.to_thread(self._store.matches_of, [claim.match for claim in taken])
            self._buffer.extend(Handed(c.match, c, fresh=c.claim == 1, row=rows.get(c.match)) for c in taken)
            return
        if self._buffer:
            return  # to be played once more
        playing = self._out  # what is at play now may be settled when the answer comes
        standing = await asyncio.to_thread(self._claims.standing)
        if not standing.open and not playing:
            self._ended = not await asyncio.to_thread(self._grow)
        elif standing.free:
            return  # left behind a moment ago
        elif standing.elsewhere or playing:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._change.wait(), _LOOK)
        else:
            self._ended = not self._buffer  # what is open can be played by none of those at work

    def _grow(self) -> bool:
        """Plans the next batch, or finds that another runner has; tells whether anything may be there to be played."""
        if self._complete or self._planner is None:
            return False
        added = grow(self._store, self._planner)
        self._planned = sum(self._store.status_counts().values())
        self._complete = added == 0
        return not self._complete
