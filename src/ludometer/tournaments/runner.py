"""The runner: plays the open matches of a run on one machine, many at a time, and loses nothing."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Callable

import sqlalchemy as sa

from ludometer.core import (
    Attempt,
    LudometerError,
    MachineError,
    Player,
    Seat,
    Suspended,
)
from ludometer.matches import ADJUDICATOR, Match, MatchPolicy, play
from ludometer.models.redact import redact
from ludometer.store import MatchRow, RunJournal, RunStore, schema
from ludometer.store.records import counts
from ludometer.store.replay import MatchLog, load_log, new_match, replayed
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.roster import Roster, official_key

__all__ = ["Runner"]

_STRIKES = 3
"""Void matches in a row after which an entrant's provider is taken to be down for this session."""


class Runner:
    """Plays the open matches of a run.

    Args:
        store: the run, opened for writing.
        config: its configuration.
        roster: its players.
        progress: kept up to date for displays.
    """

    def __init__(self, store: RunStore, config: RunConfig, roster: Roster, progress: Progress) -> None:
        self.store = store
        self.config = config
        self.roster = roster
        self.progress = progress
        self._journal = RunJournal(store, progress.totals, self._may_ask)
        self._spent_before = _spent(store)
        self._stopped: str | None = None
        self._failure: MachineError | None = None
        self._down: dict[str, str] = {}
        self._strikes: Counter[str] = Counter()
        self._policies: dict[str, MatchPolicy] = {}
        self._queue: deque[str] = deque()
        self._logged: set[str] = set()  # matches with attempts or exchanges in the database
        self._again: set[str] = set()  # played again once in this session
        self._retry: set[str] = set()  # to be played again as soon as their last call is recorded
        self.on_attempt: Callable[[Match, Attempt], None] | None = None
        """Called after every judged attempt, for live views."""

    def stop(self, why: str) -> None:
        """Asks for no further call; answers on their way are still recorded. The run can be resumed."""
        self._stopped = self._stopped or why

    @property
    def stopping(self) -> bool:
        return self._stopped is not None

    async def run(self) -> RunSummary:
        """Plays until nothing more can be played. Raises `MachineError` when results cannot be kept."""
        counts = self.store.status_counts()
        self.progress.total = sum(counts.values())
        self.progress.before = counts.get("finished", 0)
        self._queue.extend(self.store.pending())
        self._logged = self.store.logged()
        workers = min(self.config.concurrency, len(self._queue))
        tasks = [asyncio.ensure_future(self._work()) for _ in range(workers)]
        try:
            await asyncio.gather(*tasks)
        finally:
            # Only a mistake of ours or an interruption leaves any of them unfinished.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.roster.close()
        if self._failure is not None:
            raise self._failure
        return self._summary()

    def _summary(self) -> RunSummary:
        counts = self.store.status_counts()
        finished = counts.get("finished", 0)
        stopped = self._stopped
        if stopped is None and finished < self.progress.total and self._down:
            name, why = next(iter(self._down.items()))
            fails = "does not answer" if name.startswith("official ") else "has no working provider"
            stopped = f"paused, since {name} {fails} ({why})"
        elif stopped is None and finished < self.progress.total:
            stopped = "some matches are void"
        return RunSummary(
            self.progress.total,
            finished,
            counts.get("void", 0),
            stopped,
            tuple(self.progress.notes),
            self.progress.totals,
            self.progress.seconds,
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

    # ------------------------------------------------------------------- playing

    async def _work(self) -> None:
        while self._queue and self._stopped is None:
            match_id = self._queue.popleft()
            self.progress.running += 1
            try:
                await self._play(match_id)
            except MachineError as error:
                self._failure = self._failure or error
                self.stop(str(error))
            finally:
                self.progress.running -= 1
                await self._journal.forget(match_id)
            if match_id in self._retry:
                self._retry.discard(match_id)
                self._queue.append(match_id)

    async def _play(self, match_id: str) -> None:
        row = self.store.match(match_id)
        if row is None or any(name in self._down for name in row.seats.values()):
            return
        started = time.time()
        clock = time.monotonic()
        match: Match | None = None
        try:
            match = new_match(row, self._policy(row))
            if any(official_key(role.official) in self._down for role in match.roles.values()):
                return
            first = self._take_up(row, match)
            players = self._seated(row, match)
            await play(match, players, self._journal, on_attempt=self.on_attempt)
        except Suspended:
            if match is not None:
                await self._suspend(row, match, first or started, time.monotonic() - clock)
            return
        except MachineError:
            raise
        except Exception as error:
            # Our fault, a plug-in's or a changed configuration's: this match waits, the others go on.
            await self._void(row, _said(error), None)
            return
        await self._settle(row, match, row.started or first or started, time.monotonic() - clock)

    def _policy(self, row: MatchRow) -> MatchPolicy:
        key = json.dumps([row.condition, row.game, row.options], sort_keys=True)
        if key not in self._policies:
            self._policies[key] = self.config.policy_of(row.condition, row.game, row.options)
        return self._policies[key]

    def _take_up(self, row: MatchRow, match: Match) -> float | None:
        """Brings the match to where its log ends; returns when its first attempt was made."""
        # Most matches begin here: not to look for a log that cannot be there is worth a tenth of their time.
        log = load_log(self.store, row.id) if row.id in self._logged else MatchLog((), {})
        self._logged.add(row.id)
        for _ in replayed(match, log):
            pass
        self._journal.remember(row.id, log.exchanges, len(log.attempts))
        return log.attempts[0]["at"] if log.attempts else None

    def _seated(self, row: MatchRow, match: Match) -> dict[Seat, Player]:
        """The player of every seat; a seat of another's entrant is held by the same one."""
        players = {
            seat: self.roster.player(row.seats[role.of or seat], row.condition)
            for seat, role in match.roles.items()
            if (role.of or seat) in row.seats
        }
        for seat, role in match.roles.items():
            if seat == ADJUDICATOR:
                players[seat] = self.roster.adjudicator(match.policy.adjudicator)
            elif role.kind == "official":
                players[seat] = self.roster.official(role)
        return players

    # ------------------------------------------------------------------- results

    async def _settle(self, row: MatchRow, match: Match, started: float, seconds: float) -> None:
        ending = match.ending
        assert ending is not None  # play() returned
        if ending.kind == "void":
            await self._void(row, ending.why, self._blamed(row, match))
            return
        await self.store.update_match(
            row.id,
            status="finished",
            ending=ending.kind,
            why=ending.why,
            offender=ending.offender,
            scores=match.scores(),
            payoffs=None if match.outcome is None else match.outcome.payoffs,
            started=started,
            finished=time.time(),
            seconds=(row.seconds or 0.0) + seconds,
            voids=row.voids,
            **counts(match),
        )
        self.progress.finished += 1
        for name in row.seats.values():
            self._strikes[name] = 0

    async def _suspend(self, row: MatchRow, match: Match, started: float, seconds: float) -> None:
        await self.store.update_match(
            row.id,
            status="running",
            started=row.started or started,
            seconds=(row.seconds or 0.0) + seconds,
            voids=row.voids,
        )

    @staticmethod
    def _blamed(row: MatchRow, match: Match) -> tuple[Seat, str] | None:
        """The seat that made a match void, and the entrant or official that holds it."""
        seat = match.ending.offender if match.ending is not None else None
        if seat is None:
            return None
        role = match.roles[seat]
        return seat, official_key(role.official) if role.kind == "official" else row.seats[role.of or seat]

    async def _void(self, row: MatchRow, why: str, blamed: tuple[Seat, str] | None) -> None:
        """Leaves the match open, to be taken up again from its last answered call."""
        await self.store.update_match(
            row.id,
            status="void",
            ending="void",
            why=why,
            offender=None if blamed is None else blamed[0],
            started=row.started,
            seconds=row.seconds,
            voids=row.voids + 1,
        )
        self.progress.void += 1
        if blamed is None:
            self._note(f"match {row.id} is void: {why}")
            return
        _, name = blamed
        self._strikes[name] += 1
        error = self._journal.errors.pop(row.id, None)
        if self._strikes[name] >= _STRIKES or (error is not None and not error.transient):
            if name not in self._down:
                self._down[name] = why.removeprefix("provider: ").removeprefix(f"{name}: ")
                self._note(f"{name} does not answer ({self._down[name]}); its other matches wait for a resume")
        elif row.id not in self._again:
            self._again.add(row.id)
            self._retry.add(row.id)

    def _note(self, sentence: str) -> None:
        if sentence not in self.progress.notes:
            self.progress.notes.append(sentence)


def _said(error: Exception) -> str:
    """What went wrong, free of keys: a plug-in may write anything into its errors."""
    return redact(str(error) if isinstance(error, LudometerError) else f"{type(error).__name__}: {error}")


def _spent(store: RunStore) -> tuple[float, int]:
    """US dollars and tokens that earlier sessions of the run used."""
    x = schema.exchanges.c
    query = sa.select(sa.func.sum(x.cost), sa.func.sum(x.input_tokens), sa.func.sum(x.output_tokens))
    with store.engine.connect() as connection:
        cost, tokens_in, tokens_out = connection.execute(query).one()
    return float(cost or 0.0), int(tokens_in or 0) + int(tokens_out or 0)
