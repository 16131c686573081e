"""Concurrency and rates of models for all workers of a cluster together: one actor has the limiters."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from ludometer.core import MachineError
from ludometer.core.exchange import Request, Usage
from ludometer.models.limits import Limits, words_of
from ludometer.models.settings import ModelSettings

__all__ = ["ClusterLimits", "Limiter"]

Key = tuple[str, ...]


class Ticket(NamedTuple):
    """Names a call: the worker that makes it and its number there."""

    worker: str
    number: int


class Asked(NamedTuple):
    """What limits the entrant of a call asks for."""

    concurrency: int | None
    requests_per_minute: float | None
    tokens_per_minute: float | None


class Limiter:
    """The actor: `ludometer.models.limits.Limits` by key, for calls that are made elsewhere."""

    def __init__(self) -> None:
        self._limits: dict[Key, Limits] = {}
        self._holding: dict[Ticket, asyncio.Task[None]] = {}

    async def acquire(self, key: Key, asked: Asked, tokens: float, ticket: Ticket) -> None:
        """Returns once the call may be made; it holds its slot until `release`."""
        limits = self._limits.setdefault(key, Limits())
        limits.tighten(ModelSettings(**asked._asdict()))
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._holding[ticket] = task = asyncio.ensure_future(_hold(limits, tokens, granted))
        await asyncio.wait({task, granted}, return_when=asyncio.FIRST_COMPLETED)

    async def release(self, ticket: Ticket) -> None:
        """Gives a slot back, or gives up waiting for it."""
        task = self._holding.pop(ticket, None)
        if task is not None:
            task.cancel()

    async def gone(self, worker: str) -> None:
        """Gives back what a worker held that died."""
        for ticket in [ticket for ticket in self._holding if ticket.worker == worker]:
            await self.release(ticket)

    async def settle(self, key: Key, expected: float, usage: Usage) -> None:
        if key in self._limits:
            self._limits[key].settle(expected, usage)

    async def cool_down(self, key: Key, seconds: float) -> None:
        if key in self._limits:
            self._limits[key].cool_down(seconds)


async def _hold(limits: Limits, tokens: float, granted: asyncio.Future[None]) -> None:
    async with limits.slot(tokens):
        granted.set_result(None)
        await asyncio.Event().wait()  # until it is canceled


class ClusterLimits:
    """The limits of one model of one account as a worker sees them; see `ludometer.models.limits.CallLimits`.

    Args:
        limiter: handle of the `Limiter`.
        worker: name of this worker.
    """

    _numbers = itertools.count()

    def __init__(self, limiter: Any, worker: str, key: Key) -> None:
        self._limiter = limiter
        self._worker = worker
        self._key = key
        self._asked = Asked(None, None, None)
        self._mean_output = 0.0

    def tighten(self, settings: ModelSettings) -> None:
        """Take over each limit of ``settings`` that is smaller than the present one."""
        new = (settings.concurrency, settings.requests_per_minute, settings.tokens_per_minute)
        known = [[value for value in pair if value is not None] for pair in zip(self._asked, new, strict=True)]
        self._asked = Asked(*(min(values) if values else None for values in known))  # type: ignore[arg-type]

    @asynccontextmanager
    async def slot(self, tokens: float = 0.0) -> AsyncIterator[None]:
        """Wait for a free slot in the cluster and for the rates, then hold the slot."""
        ticket = Ticket(self._worker, next(self._numbers))
        try:
            await self._acquire(tokens, ticket)
            yield
        finally:
            self._limiter.release.remote(ticket)

    async def _acquire(self, tokens: float, ticket: Ticket) -> None:
        from ray.exceptions import RayError

        try:
            await self._limiter.acquire.remote(self._key, self._asked, tokens, ticket)
        except RayError as error:  # never the model's fault
            raise MachineError(f"the cluster's limiter cannot be reached: {type(error).__name__}") from error

    def expected_tokens(self, request: Request) -> float:
        """A guess of what a call will use: its words, and the mean length of this worker's answers so far."""
        return 0.0 if self._asked.tokens_per_minute is None else words_of(request) + self._mean_output

    def settle(self, expected: float, usage: Usage) -> None:
        """Carry the difference between the guess and the provider's count over to the next call of any worker."""
        if self._asked.tokens_per_minute is None or usage.input is None or usage.output is None:
            return
        self._mean_output += (usage.output - self._mean_output) * 0.2
        self._limiter.settle.remote(self._key, expected, usage)

    def cool_down(self, seconds: float) -> None:
        """Hold back all new calls of all workers."""
        self._limiter.cool_down.remote(self._key, seconds)
