"""The runner's end of the line to one worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ludometer.core import Completion, ConfigurationError, InternalError, LudometerError, Request
from ludometer.store import MatchRow, RunJournal
from ludometer.store.replay import MatchLog
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.executor import Played
from ludometer.tournaments.on_ray.messages import (
    Abandoned,
    Answered,
    Asked,
    Attempted,
    Done,
    Event,
    Order,
    PlayMatch,
    Reply,
)
from ludometer.tournaments.on_ray.replies import connection_errors, reply, what_lacks
from ludometer.tournaments.on_ray.worker import Worker

__all__ = ["Link", "WorkerLost"]

_GOODBYE = 5.0
"""Seconds that a worker has to end its engines."""


class WorkerLost(Exception):
    """A worker died or cannot be reached any more."""


class Link:
    """A worker, and the calls and matches that it has at hand.

    Args:
        ray: the package, joined to a cluster.
        limiter: handle of the actor that limits calls.
        name: of the worker.
        journal: writes what the worker says to the run.

    Attributes:
        on_lost: called when the worker dies.
    """

    def __init__(self, ray: Any, config: RunConfig, limiter: Any, name: str, journal: RunJournal) -> None:
        self.name = name
        self.on_lost: Callable[[Link], None] = lambda link: None
        self._ray = ray
        self._journal = journal
        options = {"num_cpus": 1, "max_restarts": 0, "max_concurrency": 100_000}
        self._actor = ray.remote(Worker).options(**options).remote(config.resolved(), limiter, name)
        self._matches: dict[str, asyncio.Future[Played | None]] = {}
        self._calls: dict[int, tuple[str, asyncio.Task[None]]] = {}  # with the match
        self._made: dict[int, asyncio.Future[Answered]] = {}
        self._orders: list[Order] = []
        self._sending: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Task[None] | None = None
        self._gone = False

    @property
    def load(self) -> int:
        """Matches at play there."""
        return len(self._matches)

    async def begin(self) -> tuple[str, LudometerError | None]:
        """Waits for the worker; returns its version of the program, and what it lacks for this run.

        Raises:
            ConfigurationError: it cannot be made there.
            WorkerLost: it died.
        """
        try:
            answer: tuple[str, LudometerError | None] = await reply(self._called("ready"))
        except connection_errors() as error:
            self.kill()
            if (lacks := what_lacks(error)) is not None:
                raise ConfigurationError(lacks) from None
            raise WorkerLost(str(error)) from None
        self._listening = asyncio.ensure_future(self._listen())
        return answer

    async def play(self, row: MatchRow, log: MatchLog | None) -> Played | None:
        """Has a match played. Raises `WorkerLost`, and what the worker raised."""
        if self._gone:
            raise WorkerLost(self.name)
        future: asyncio.Future[Played | None] = asyncio.get_running_loop().create_future()
        self._matches[row.id] = future
        self._post(PlayMatch(row, log))
        try:
            return await future
        except asyncio.CancelledError:
            for match, task in list(self._calls.values()):
                if match == row.id:  # nobody waits for the answers on their way
                    task.cancel()
            raise
        finally:
            self._matches.pop(row.id, None)

    async def close(self) -> None:
        """Ends the worker."""
        if not self._gone:
            with suppress(Exception):
                await asyncio.wait_for(reply(self._called("close")), _GOODBYE)
        self.kill()
        left = [*(task for _, task in self._calls.values()), *self._sending]
        left += [] if self._listening is None else [self._listening]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def kill(self, error: Exception | None = None) -> None:
        """Ends the worker at once; whoever waits for it is told of the error, or that it was lost."""
        if self._gone:
            return
        self._gone = True
        with suppress(Exception):
            self._ray.kill(self._actor)
        waiting: list[asyncio.Future[Any]] = [*self._matches.values(), *self._made.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(error or WorkerLost(self.name))

    # -------------------------------------------------------------- both directions

    def _post(self, order: Order) -> None:
        """Sends what was to be said in this turn of the event loop in one message."""
        self._orders.append(order)
        if len(self._orders) == 1:
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        orders, self._orders = self._orders, []
        if self._gone:
            return
        task = asyncio.ensure_future(self._sent(orders))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _sent(self, orders: list[Order]) -> None:
        try:
            await reply(self._called("post", orders))
        except connection_errors():
            self._lose()

    async def _listen(self) -> None:
        try:
            while True:
                for event in await reply(self._called("events")):
                    await self._take(event)
        except connection_errors():
            self._lose()
        except Exception as error:  # the journal's: whoever waits for a match is told
            self._lose(error)

    def _called(self, method: str, *args: Any) -> Any:
        """The reference of a call to the worker."""
        try:
            return getattr(self._actor, method).remote(*args)
        except Exception as error:
            if self._ray.is_initialized():
                raise
            raise ConnectionError(str(error)) from None  # Ray's client has no class of errors for that

    def _lose(self, error: Exception | None = None) -> None:
        if not self._gone:
            self.kill(error)
            self.on_lost(self)

    async def _take(self, event: Event) -> None:
        if isinstance(event, Attempted):
            await self._journal.attempt(event.match, event.attempt, event.notation, event.action)
        elif isinstance(event, Asked):
            task = asyncio.ensure_future(self._exchange(event))
            self._calls[event.call] = event.key.match, task
            task.add_done_callback(lambda _: self._calls.pop(event.call, None))
        elif isinstance(event, Answered):
            if (made := self._made.get(event.call)) is not None and not made.done():
                made.set_result(event)
        elif isinstance(event, Abandoned):
            if (call := self._calls.get(event.call)) is not None:
                call[1].cancel()
        else:
            self._end(event)

    def _end(self, done: Done) -> None:
        future = self._matches.get(done.match)
        if future is None or future.done():
            return
        if done.error is not None:
            future.set_exception(done.error)
        else:
            future.set_result(done.played)

    async def _exchange(self, asked: Asked) -> None:
        """The journal's part in a call: the answer from the log, or leave to ask and the answer into the log."""

        async def send(_: Request) -> Completion:
            if self._gone:
                raise WorkerLost(self.name)
            self._made[asked.call] = asyncio.get_running_loop().create_future()
            try:
                self._post(Reply(asked.call))
                answered = await self._made[asked.call]
            finally:
                del self._made[asked.call]
            if answered.error is not None:
                raise answered.error
            if answered.completion is None:
                raise InternalError("a worker said neither how a call ended nor what went wrong")
            return answered.completion

        try:
            exchange = await self._journal.exchange(asked.key, asked.request, asked.fingerprint, send)
        except WorkerLost:
            return
        except Exception as error:
            self._post(Reply(asked.call, error=error))
            return
        self._post(Reply(asked.call, exchange.completion))
