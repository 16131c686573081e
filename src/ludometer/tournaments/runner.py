"""The runner: plays the open matches of a run, many at a time, and loses nothing."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import sqlalchemy as sa

from ludometer.core import Attempt, MachineError, Suspended
from ludometer.matches import Match
from ludometer.store import ClaimLost, MatchRow, RunJournal, RunStore, schema
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.deciding import Decided, Deciding
from ludometer.tournaments.executor import Executor, LocalExecutor, Played
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.roster import Roster
from ludometer.tournaments.sources import Handed, MatchSource, QueuedMatches, StoppingRule

__all__ = ["ExecutorMaker", "Runner"]

_STRIKES = 3
"""Void matches in a row after which an entrant's provider is taken to be down for this session."""

_FOLLOW = 5.0
"""Seconds between looks at what other runners of a shared run have done."""


class ExecutorMaker(Protocol):
    """What makes a runner's executor; see `LocalExecutor` for the arguments."""

    def __call__(
        self,
        store: RunStore,
        config: RunConfig,
        roster: Roster,
        journal: RunJournal,
        is_down: Callable[[str], bool],
    ) -> Executor: ...


class Runner:
    """Plays the open matches of a run.

    Args:
        store: the run, opened for writing.
        config: its configuration.
        roster: its players.
        progress: kept up to date for displays.
        source: what hands out the matches; by default all that are open, in schedule order.
        rule: when the run is decided before its schedule is played.
        executor: where matches are played; by default here.
    """

    def __init__(
        self,
        store: RunStore,
        config: RunConfig,
        roster: Roster,
        progress: Progress,
        *,
        source: MatchSource | None = None,
        rule: StoppingRule | None = None,
        executor: ExecutorMaker = LocalExecutor,
    ) -> None:
        self.store = store
        self.config = config
        self.roster = roster
        self.progress = progress
        self._journal = RunJournal(store, progress.totals, self._may_ask)
        self._executor = executor(store, config, roster, self._journal, lambda name: name in self._down)
        self._source = source or QueuedMatches(store)
        self._deciding = Deciding(store, rule)
        self._spent_before = _spent(store)
        self._stopped: str | None = None
        self._failure: MachineError | None = None
        self._down: dict[str, str] = {}
        self._strikes: Counter[str] = Counter()
        self._again: set[str] = set()  # played again once in this session
        self._names = {entrant.name for entrant in config.entrants()}

    @property
    def on_attempt(self) -> Callable[[Match, Attempt], None] | None:
        """Called after every judged attempt, for live views."""
        return self._executor.on_attempt

    @on_attempt.setter
    def on_attempt(self, observer: Callable[[Match, Attempt], None] | None) -> None:
        self._executor.on_attempt = observer

    def stop(self, why: str) -> None:
        """Asks for no further call; answers on their way are still recorded. The run can be resumed."""
        self._stopped = self._stopped or why
        self._source.stop()

    @property
    def decided(self) -> Decided | None:
        """Why no further match is needed, once a rule says so."""
        return self._deciding.decided

    @property
    def stopping(self) -> bool:
        return self._stopped is not None

    async def run(self) -> RunSummary:
        """Plays until nothing more can be played. Raises `MachineError` when results cannot be kept."""
        self.progress.total = self._source.total
        self.progress.before = self.store.status_counts().get("finished", 0)
        self._decide()
        workers = min(self.config.concurrency, self._source.width)
        tasks = [asyncio.ensure_future(self._work()) for _ in range(workers)]
        others = [asyncio.ensure_future(self._follow())] if self.store.shared else []
        try:
            await asyncio.gather(*tasks)
        finally:
            # Only a mistake of ours or an interruption leaves any of them unfinished.
            for task in (*tasks, *others):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._executor.close()
            await self._source.close()
        if self._failure is not None:
            raise self._failure
        return self._summary()

    def _summary(self) -> RunSummary:
        counts = self.store.status_counts()
        finished = counts.get("finished", 0)
        self.progress.total = total = max(self._source.total, sum(counts.values()))
        decided = self._deciding.decided
        stopped = self._stopped
        if decided is not None:
            stopped = None
        elif stopped is None and finished < total and self._down:
            name, why = next(iter(self._down.items()))
            fails = "does not answer" if name.startswith("official ") else "has no working provider"
            stopped = f"paused, since {name} {fails} ({why})"
        elif stopped is None and finished < total:
            stopped = "some matches are void"
        return RunSummary(
            total,
            finished,
            counts.get("void", 0),
            stopped,
            tuple(self.progress.notes),
            self.progress.totals,
            self.progress.seconds,
            decided=None if decided is None else decided.why,
        )

    # ------------------------------------------------------------------ stopping

    def _may_ask(self) -> None:
        if self._stopped is None:
            self._check_budget()
        if self._stopped is not None:
            raise Suspended(self._stopped)

    def _check_budget(self) -> None:
        cost, tokens = self._spent_before
        config, totals = self.config, self.progress.totals
        if config.budget_usd is not None and cost + totals.cost >= config.budget_usd:
            self.stop(f"the budget of {config.budget_usd:g} USD is used up (give more with --budget-usd)")
        elif config.budget_tokens is not None and tokens + totals.tokens >= config.budget_tokens:
            self.stop(f"the budget of {config.budget_tokens} tokens is used up (give more with --budget-tokens)")

    def _decide(self) -> None:
        """Stops once the results so far decide the run: the matches at play are not asked for any more."""
        decided = self._deciding.advance()
        if decided is not None and self._stopped is None:
            self.stop(decided.why)

    # ------------------------------------------------------------------- playing

    async def _work(self) -> None:
        while self._stopped is None:
            try:
                handed = await self._source.next()
                if handed is None:
                    return
                await self._play(handed)
            except MachineError as error:
                self._failure = self._failure or error
                self.stop(str(error))

    async def _play(self, handed: Handed) -> None:
        finished = again = False
        self.progress.running += 1
        self.progress.total = self._source.total
        try:
            row = handed.row or self.store.match(handed.id)
            if row is None or not self._can_play(row):
                return
            played = await self._executor.play(row, handed)
            if played is not None:
                finished, again = await self._settle(row, handed, played)
        except ClaimLost as error:
            self._note(f"{error}: this runner was not heard of for too long, and what it had begun is not used")
        finally:
            self.progress.running -= 1
            await self._source.settled(handed, finished=finished, again=again)
        if finished:
            self._decide()

    def _can_play(self, row: MatchRow) -> bool:
        if strangers := [name for name in row.seats.values() if name not in self._names]:
            self._note(f"{strangers[0]} came to the run later than this runner, which leaves its matches to others")
            return False
        return not any(name in self._down for name in row.seats.values())

    async def _follow(self) -> None:
        """Keeps up with what other runners of a shared run do."""
        while True:
            await asyncio.sleep(_FOLLOW)
            with suppress(MachineError):  # whoever has something to write will say so
                await self._look_around()
                self._decide()

    async def _look_around(self) -> None:
        finished = (await asyncio.to_thread(self.store.status_counts)).get("finished", 0)
        self.progress.before = max(self.progress.before, finished - self.progress.finished)
        if self.config.budget_usd is not None or self.config.budget_tokens is not None:
            own = self.progress.totals.cost, self.progress.totals.tokens
            cost, tokens = await asyncio.to_thread(_spent, self.store)
            self._spent_before = max(cost - own[0], 0.0), max(tokens - own[1], 0)

    # ------------------------------------------------------------------- results

    async def _settle(self, row: MatchRow, handed: Handed, played: Played) -> tuple[bool, bool]:
        """Records how far a match came; tells whether it is finished, and whether it is to be played again now."""
        ending = played.ending
        if ending is None:
            await self._write(row, handed, played, status="running")
            return False, False
        if ending.kind == "void":
            return False, await self._void(row, handed, ending.why, played)
        await self._write(
            row,
            handed,
            played,
            status="finished",
            ending=ending.kind,
            why=ending.why,
            offender=ending.offender,
            finished=time.time(),
            **played.result,
        )
        self.progress.finished += 1
        for name in row.seats.values():
            self._strikes[name] = 0
        return True, False

    async def _write(self, row: MatchRow, handed: Handed, played: Played, **values: Any) -> None:
        await self.store.update_match(
            row.id,
            claim=handed.claim,
            started=row.started or played.started,
            seconds=(row.seconds or 0.0) + played.seconds,
            voids=row.voids,
            **values,
        )

    async def _void(self, row: MatchRow, handed: Handed, why: str, played: Played) -> bool:
        """Leaves the match open, to be taken up again from its last answered call; tells whether at once."""
        await self.store.update_match(
            row.id,
            claim=handed.claim,
            status="void",
            ending="void",
            why=why,
            offender=None if played.blamed is None else played.blamed[0],
            started=row.started,
            seconds=row.seconds,
            voids=row.voids + 1,
        )
        self.progress.void += 1
        if played.blamed is None:
            self._note(f"match {row.id} is void: {why}")
            return False
        _, name = played.blamed
        self._strikes[name] += 1
        if self._strikes[name] >= _STRIKES or played.lasting:
            if name not in self._down:
                self._down[name] = why.removeprefix("provider: ").removeprefix(f"{name}: ")
                self._note(f"{name} does not answer ({self._down[name]}); its other matches wait for a resume")
            return False
        again = row.id not in self._again
        self._again.add(row.id)
        return again

    def _note(self, sentence: str) -> None:
        if sentence not in self.progress.notes:
            self.progress.notes.append(sentence)


def _spent(store: RunStore) -> tuple[float, int]:
    """US dollars and tokens that earlier sessions of the run used."""
    x = schema.exchanges.c
    # PostgreSQL sums whole numbers of 64 bits to decimals.
    tokens = [sa.cast(sa.func.sum(column), sa.BigInteger) for column in (x.input_tokens, x.output_tokens)]
    query = sa.select(sa.func.sum(x.cost), *tokens)
    with store.engine.connect() as connection:
        cost, tokens_in, tokens_out = connection.execute(query).one()
    return float(cost or 0.0), int(tokens_in or 0) + int(tokens_out or 0)
