"""The executor that has matches played by the workers of a Ray cluster."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ludometer import __version__
from ludometer.core import Attempt, ConfigurationError, MachineError
from ludometer.matches import Ending, Match
from ludometer.store import MatchRow, RunJournal, RunStore
from ludometer.store.replay import MatchLog, load_log, new_match
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.executor import Played
from ludometer.tournaments.on_ray.access import one_sentence
from ludometer.tournaments.on_ray.cluster import Cluster
from ludometer.tournaments.on_ray.link import Link, WorkerLost
from ludometer.tournaments.on_ray.replies import connection_errors, what_lacks
from ludometer.tournaments.roster import Roster, official_key
from ludometer.tournaments.runner import ExecutorMaker
from ludometer.tournaments.sources import Handed

__all__ = ["RayExecutor", "on_ray"]

_CRASHES = 3
"""Workers that may die with a match before it is left alone."""

_PATIENCE = 120.0
"""Seconds to wait for the first worker, and for another one when none is left."""

_SAFE = "what was written before is safe: go on with `ludometer resume`"


def on_ray(address: str | None = None) -> ExecutorMaker:
    """What makes a runner's executor on a cluster; see `Cluster` for the address."""

    def make(
        store: RunStore, config: RunConfig, roster: Roster, journal: RunJournal, is_down: Callable[[str], bool]
    ) -> RayExecutor:
        return RayExecutor(store, config, roster, journal, is_down, address=address)

    return make


class RayExecutor:
    """Plays matches on a cluster, one worker per processor; see `ludometer.tournaments.executor.Executor`.

    A worker that dies is replaced, and its matches are taken up from their last recorded answers.
    """

    def __init__(
        self,
        store: RunStore,
        config: RunConfig,
        roster: Roster,
        journal: RunJournal,
        is_down: Callable[[str], bool] = lambda name: False,
        *,
        address: str | None = None,
    ) -> None:
        self._store = store
        self._config = config
        self._roster = roster
        self._journal = journal
        self._is_down = is_down
        self._address = address
        self._cluster: Cluster | None = None
        self._limiter: Any = None
        self._made = 0
        self._links: list[Link] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self._change = asyncio.Event()
        self._failure: ConfigurationError | MachineError | None = None
        self._officials: dict[str, tuple[str, ...]] = {}
        self.on_attempt: Callable[[Match, Attempt], None] | None = None

    async def play(self, row: MatchRow, handed: Handed) -> Played | None:
        if any(self._is_down(name) for name in self._judges(row)):
            return None
        await self._open()
        fresh = handed.fresh
        for _ in range(_CRASHES):
            link = await self._free()
            log = None if fresh else await self._log(row.id)
            exchanges, attempts = ({}, 0) if log is None else (log.exchanges, len(log.attempts))
            self._journal.remember(row.id, exchanges, attempts, handed.claim)
            try:
                return await link.play(row, log)
            except WorkerLost:
                fresh = False
            finally:
                await self._journal.forget(row.id)
        return Played(Ending("void", f"{_CRASHES} workers died while they played it"), row.started or 0.0, 0.0)

    async def close(self) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(link.close() for link in self._links), return_exceptions=True)
        if self._cluster is not None:
            with suppress(Exception):  # the cluster may be gone
                if self._limiter is not None:
                    self._cluster.ray.kill(self._limiter)
            await asyncio.to_thread(self._cluster.close)
        await self._roster.close()

    # ------------------------------------------------------------------ workers

    async def _open(self) -> None:
        """Joins the cluster and has the workers started, once."""
        async with self._opening:
            if self._failure is not None:
                raise self._failure
            if self._cluster is not None:
                return
            try:
                self._cluster = await asyncio.to_thread(Cluster, self._address)
                processors = await asyncio.to_thread(lambda cluster: cluster.processors, self._cluster)
            except (ConfigurationError, MachineError) as error:
                self._fail(error)
                raise
            try:
                self._limiter = await asyncio.to_thread(_limiter, self._cluster.ray)
            except Exception as error:
                unfit = _unfit(error)
                self._fail(unfit)
                raise unfit from None
            for _ in range(min(processors, self._config.concurrency)):
                self._start()

    def _start(self) -> None:
        task = asyncio.ensure_future(self._begin())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _begin(self) -> None:
        """One more worker, as soon as the cluster has a processor for it."""
        assert self._cluster is not None
        self._made += 1
        try:
            link = Link(self._cluster.ray, self._config, self._limiter, f"worker {self._made}", self._journal)
        except Exception as error:  # Ray's client raises whatever the cluster does
            self._fail(_unfit(error))
            return
        try:
            version, missing = await link.begin()
        except ConfigurationError as error:
            version, missing = __version__, error
        except WorkerLost:
            await asyncio.sleep(1.0)
            self._start()
            return
        except asyncio.CancelledError:
            link.kill()
            raise
        if version != __version__:
            missing = ConfigurationError(f"version {__version__} is here and {version} there: install the same one")
        if missing is not None:
            link.kill()
            self._fail(ConfigurationError(f"a worker of the Ray cluster cannot play: {missing}"))
            return
        link.on_lost = self._lost
        self._links.append(link)
        self._change.set()

    def _lost(self, link: Link) -> None:
        if link not in self._links:
            return
        self._links.remove(link)
        assert self._cluster is not None
        if not self._cluster.connected:
            self._fail(MachineError(f"the connection to the Ray cluster was lost; {_SAFE}"))
            return
        with suppress(*connection_errors()):
            self._limiter.gone.remote(link.name)
        self._start()

    async def _free(self) -> Link:
        """The worker with the fewest matches. Waits for one. Raises `ConfigurationError` or `MachineError`."""
        while not self._links:
            if self._failure is not None:
                raise self._failure
            self._change.clear()
            try:
                await asyncio.wait_for(self._change.wait(), _PATIENCE)
            except TimeoutError:
                self._fail(
                    MachineError(
                        f"the Ray cluster gave no worker within {_PATIENCE:g} s (are its processors busy?); {_SAFE}"
                    )
                )
        return min(self._links, key=lambda link: link.load)

    def _fail(self, error: ConfigurationError | MachineError) -> None:
        self._failure = self._failure or error
        self._change.set()

    async def _log(self, match: str) -> MatchLog:
        await self._journal.flush()  # what a worker that died had judged may not be written yet
        log = await asyncio.to_thread(load_log, self._store, match)
        return MatchLog([dict(row) for row in log.attempts], log.exchanges)

    def _judges(self, row: MatchRow) -> tuple[str, ...]:
        """The officials of a match, as a run's database names them."""
        key = json.dumps([row.condition, row.game, row.options, len(row.seats)], sort_keys=True)
        if key not in self._officials:
            match = new_match(row, self._config.policy_of(row.condition, row.game, row.options))
            roles = match.roles.values()
            self._officials[key] = tuple(official_key(role.official) for role in roles if role.kind == "official")
        return self._officials[key]


def _limiter(ray: Any) -> Any:
    """A handle of the actor that limits the calls of all workers."""
    from ludometer.tournaments.on_ray.limits import Limiter

    options = {"num_cpus": 0, "max_restarts": -1, "max_task_retries": -1, "max_concurrency": 100_000}
    return ray.remote(Limiter).options(**options).remote()


def _unfit(error: Exception) -> ConfigurationError | MachineError:
    """Why nothing can be made in a cluster."""
    if (lacks := what_lacks(error)) is not None:
        return ConfigurationError(f"a worker of the Ray cluster cannot play: {lacks}")
    return MachineError(f"the Ray cluster cannot be reached any more: {one_sentence(error)}")
