"""How much is asked at once: concurrency and rates, shared by all models with the same account and model id.

Limiters live in memory and belong to one event loop, so a resumed run starts with none of the old one's waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol
from weakref import WeakKeyDictionary

import anyio
from aiolimiter import AsyncLimiter

from ludometer.core.exchange import Request, Usage

from .settings import ModelSettings

__all__ = ["DEFAULT_CONCURRENCY", "CallLimits", "Limits", "limit_elsewhere", "shared_limits", "words_of"]

DEFAULT_CONCURRENCY = 64
_BURST_SECONDS = 10.0
"""A token bucket holds this many seconds' worth: a full minute's worth would allow twice the rate at the start."""

_CHARACTERS_PER_TOKEN = 4


class CallLimits(Protocol):
    """What a model asks before and after every call; see `Limits`."""

    def tighten(self, settings: ModelSettings) -> None: ...

    def slot(self, tokens: float = 0.0) -> AbstractAsyncContextManager[None]: ...

    def expected_tokens(self, request: Request) -> float: ...

    def settle(self, expected: float, usage: Usage) -> None: ...

    def cool_down(self, seconds: float) -> None: ...


class Limits:
    """The limiters of one model of one account. Where entrants ask for different limits, the smallest counts."""

    def __init__(self) -> None:
        self.concurrency: int | None = None
        self.requests_per_minute: float | None = None
        self.tokens_per_minute: float | None = None
        self._slots: anyio.CapacityLimiter | None = None
        self._requests: AsyncLimiter | None = None
        self._tokens: AsyncLimiter | None = None
        self._cool_until = 0.0
        self._debt = 0.0
        self._mean_output = 0.0

    def tighten(self, settings: ModelSettings) -> None:
        """Take over each limit of ``settings`` that is smaller than the present one."""
        wanted = settings.concurrency or DEFAULT_CONCURRENCY
        if self._slots is None or self.concurrency is None or wanted < self.concurrency:
            self.concurrency = wanted
            if self._slots is None:
                self._slots = anyio.CapacityLimiter(wanted)
            self._slots.total_tokens = wanted
        requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
        if requests is not None and (self.requests_per_minute is None or requests < self.requests_per_minute):
            self.requests_per_minute = requests
            burst = max(1.0, requests / 60)
            self._requests = AsyncLimiter(burst, 60 * burst / requests)
        if tokens is not None and (self.tokens_per_minute is None or tokens < self.tokens_per_minute):
            self.tokens_per_minute = tokens
            self._tokens = AsyncLimiter(max(1.0, tokens * _BURST_SECONDS / 60), _BURST_SECONDS)

    @asynccontextmanager
    async def slot(self, tokens: float = 0.0) -> AsyncIterator[None]:
        """Wait for a free slot and for the rates, then hold the slot.

        Args:
            tokens: the tokens that the call is expected to use.
        """
        assert self._slots is not None, "tighten() comes first"
        async with self._slots:
            while (wait := self._cool_until - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            if self._requests is not None:
                await self._requests.acquire()
            if self._tokens is not None:
                await self._take(self._tokens, tokens)
            yield

    async def _take(self, bucket: AsyncLimiter, tokens: float) -> None:
        wanted = tokens + self._debt
        self._debt = min(0.0, wanted)
        while wanted > 0:
            part = min(wanted, bucket.max_rate)
            await bucket.acquire(part)
            wanted -= part

    def expected_tokens(self, request: Request) -> float:
        """A guess of what a call will use: its words, and the mean length of the answers so far."""
        if self.tokens_per_minute is None:
            return 0.0
        return words_of(request) + self._mean_output

    def settle(self, expected: float, usage: Usage) -> None:
        """Carry the difference between the guess and the provider's count over to the next call."""
        if self.tokens_per_minute is None or usage.input is None or usage.output is None:
            return
        self._debt += usage.input + usage.output - expected
        self._mean_output += (usage.output - self._mean_output) * 0.2

    def cool_down(self, seconds: float) -> None:
        """Hold back all new calls: the provider asked one of them to wait, and the others share its account."""
        self._cool_until = max(self._cool_until, time.monotonic() + seconds)


def words_of(request: Request) -> float:
    """About how many tokens a request's messages have."""
    return sum(len(message.text) for message in request.messages) / _CHARACTERS_PER_TOKEN


_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, ...], CallLimits]] = WeakKeyDictionary()
_makers: WeakKeyDictionary[asyncio.AbstractEventLoop, Callable[[tuple[str, ...]], CallLimits]] = WeakKeyDictionary()


def shared_limits(key: tuple[str, ...]) -> CallLimits:
    """The running event loop's limits for a key (address, account, model)."""
    loop = asyncio.get_running_loop()
    limits = _by_loop.setdefault(loop, {})
    if key not in limits:
        make = _makers.get(loop)
        limits[key] = Limits() if make is None else make(key)
    return limits[key]


def limit_elsewhere(make: Callable[[tuple[str, ...]], CallLimits]) -> None:
    """Has the running event loop's limits made by a function of their key: where several processes share them."""
    _makers[asyncio.get_running_loop()] = make
