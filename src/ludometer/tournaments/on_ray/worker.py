"""A worker of the cluster: plays the matches that the runner hands it, and asks the runner about every call."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ludometer.core import (
    Attempt,
    CallKey,
    Completion,
    Exchange,
    Json,
    LudometerError,
    ProviderError,
    Request,
    Suspended,
)
from ludometer.core.turn import Send
from ludometer.models.limits import limit_elsewhere
from ludometer.models.redact import redact
from ludometer.solvers.workers import limit_workers
from ludometer.store import MatchRow, RunJournal, RunStore
from ludometer.store.replay import MatchLog
from ludometer.store.writer import Claim
from ludometer.tournaments.config import load_config
from ludometer.tournaments.executor import LocalExecutor, Played
from ludometer.tournaments.on_ray.limits import ClusterLimits
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
from ludometer.tournaments.roster import Roster
from ludometer.tournaments.sources import Handed

__all__ = ["RemoteJournal", "Worker"]


class RemoteJournal:
    """A journal whose other half is with the runner; see `ludometer.store.RunJournal`.

    Args:
        emit: sends an event to the runner. What is sent first arrives first.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._numbers = itertools.count()
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._recorded: dict[str, dict[CallKey, Exchange]] = {}
        self._calls: dict[str, set[asyncio.Future[None]]] = {}
        self._closing: set[str] = set()
        self.errors: dict[str, ProviderError] = {}

    def remember(
        self, match: str, exchanges: Mapping[CallKey, Exchange], attempts: int, claim: Claim | None = None
    ) -> None:
        """The runner's half knows the number of attempts and the claim."""
        self._recorded[match] = dict(exchanges)

    async def forget(self, match: str) -> None:
        """Returns once no call of the match is under way any more."""
        self._closing.add(match)
        try:
            while calls := self._calls.get(match):
                await asyncio.wait(calls)
        finally:
            self._closing.discard(match)
        self._recorded.pop(match, None)
        self.errors.pop(match, None)

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Exchange:
        recorded = self._recorded.get(key.match, {}).get(key)
        if recorded is not None and recorded.fingerprint == fingerprint:
            return recorded
        if key.match in self._closing:
            raise Suspended(f"match {key.match} is not at play any more")
        done = asyncio.get_running_loop().create_future()
        self._calls.setdefault(key.match, set()).add(done)
        try:
            completion = await self._completed(key, request, fingerprint, send)
        finally:
            done.set_result(None)
            self._calls[key.match].discard(done)
            if not self._calls[key.match]:
                del self._calls[key.match]
        return Exchange(key, request, completion, fingerprint)

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        bare = replace(attempt, decision=replace(attempt.decision, action=None, exchanges=()))
        self._emit(Attempted(match, bare, notation, action))

    def answer(self, reply: Reply) -> None:
        """Takes what the runner says about a call."""
        future = self._replies.get(reply.call)
        if future is not None and not future.done():
            future.set_result(reply)

    async def _completed(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Completion:
        call = next(self._numbers)
        try:
            reply = await self._said(call, Asked(call, key, request, fingerprint))
            if reply.completion is not None:
                return reply.completion
            try:
                answered = Answered(call, await send(request))
            except Exception as error:
                await self._failed(call, key, error)
                raise
            # The runner writes it, and says what it wrote: play goes on with exactly what the log holds.
            reply = await self._said(call, answered)
            assert reply.completion is not None
            return reply.completion
        except asyncio.CancelledError:
            self._emit(Abandoned(call))
            raise
        finally:
            self._replies.pop(call, None)

    async def _failed(self, call: int, key: CallKey, error: Exception) -> None:
        """Has a failed call recorded. Raises what goes wrong with that."""
        if isinstance(error, ProviderError):
            self.errors[key.match] = error
        said = _plain(error)
        try:
            await self._said(call, Answered(call, error=said))
        except Exception as answer:
            if type(answer) is not type(said):
                raise

    async def _said(self, call: int, event: Event) -> Reply:
        self._replies[call] = asyncio.get_running_loop().create_future()
        self._emit(event)
        reply = await self._replies[call]
        if reply.error is not None:
            raise reply.error
        return reply


class Worker:
    """The actor.

    Args:
        config: the run's, as its database has it.
        limiter: handle of the `ludometer.tournaments.on_ray.limits.Limiter`.
        name: of this worker.
    """

    def __init__(self, config: Mapping[str, Json], limiter: Any, name: str) -> None:
        self._config = load_config(config)
        self._limiter = limiter
        self._name = name
        self._roster = Roster(self._config, self._config.entrants())
        self._events: list[Event] = []
        self._some = asyncio.Event()
        self._journal = RemoteJournal(self._emit)
        self._logs: dict[str, MatchLog | None] = {}
        self._local = _Executor(self._logs, self._config, self._roster, self._journal)
        self._playing: set[asyncio.Task[None]] = set()

    async def ready(self) -> tuple[str, LudometerError | None]:
        """The version of the program here, and what is missing for this run."""
        from ludometer import __version__

        limit_workers(1)  # there is a worker for every processor
        limit_elsewhere(lambda key: ClusterLimits(self._limiter, self._name, key))
        try:
            self._roster.check()
        except LudometerError as error:
            return __version__, error
        return __version__, None

    async def post(self, orders: Sequence[Order]) -> None:
        for order in orders:
            if isinstance(order, PlayMatch):
                task = asyncio.ensure_future(self._play(order))
                self._playing.add(task)
                task.add_done_callback(self._playing.discard)
            else:
                self._journal.answer(order)

    async def events(self) -> list[Event]:
        """What happened since the last time; waits until there is something."""
        await self._some.wait()
        await asyncio.sleep(0)  # others that are about to say something save a message
        self._some.clear()
        events, self._events = self._events, []
        return events

    async def close(self) -> None:
        """Gives back connections and engines."""
        for task in self._playing:
            task.cancel()
        await self._roster.close()

    def _emit(self, event: Event) -> None:
        self._events.append(event)
        self._some.set()

    async def _play(self, order: PlayMatch) -> None:
        row = order.row
        self._logs[row.id] = order.log
        played: Played | None = None
        error: BaseException | None = None
        try:
            played = await self._local.play(row, Handed(row.id, fresh=order.log is None))
        except Exception as raised:
            error = _plain(raised)
        finally:
            del self._logs[row.id]
        self._emit(Done(row.id, played, error))


class _Executor(LocalExecutor):
    """Plays here what is recorded elsewhere: logs come with the matches."""

    def __init__(
        self, logs: Mapping[str, MatchLog | None], config: Any, roster: Roster, journal: RemoteJournal
    ) -> None:
        super().__init__(cast("RunStore", None), config, roster, cast("RunJournal", journal))
        self._logs = logs

    def _log(self, row: MatchRow, handed: Handed) -> MatchLog:
        return self._logs[row.id] or MatchLog((), {})


class ForeignError(Exception):
    """Stands for an error of somebody else's class, which the other side may not know."""


def _plain(error: Exception) -> BaseException:
    """An error as the runner can read it, free of keys."""
    if isinstance(error, LudometerError) and type(error).__module__.startswith("ludometer."):
        return error
    return ForeignError(redact(f"{type(error).__name__}: {error}"))
