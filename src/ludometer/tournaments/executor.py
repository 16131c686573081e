"""Where matches are played: in this process, or wherever else an executor sends them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ludometer.core import Attempt, LudometerError, MachineError, Player, Seat, Suspended
from ludometer.matches import ADJUDICATOR, Ending, Match, MatchPolicy, play
from ludometer.models.redact import redact
from ludometer.store import MatchRow, RunJournal, RunStore
from ludometer.store.records import counts
from ludometer.store.replay import MatchLog, load_log, new_match, replayed
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.roster import Roster, official_key
from ludometer.tournaments.sources import Handed

__all__ = ["Executor", "LocalExecutor", "Played"]


class Played(NamedTuple):
    """How far a match was brought. Plain values, so that they can come from another process.

    Attributes:
        ending: None where it was suspended.
        started: when its first attempt was made, or when it was taken up (seconds since 1970).
        seconds: time at play in this session.
        result: what a finished match's row says, by column: scores, payoffs, counts and notation.
        blamed: of a void match, the seat that made it void and the entrant or official that holds it.
        lasting: of a void match, whether the error that made it void will not pass (a wrong key).
    """

    ending: Ending | None
    started: float
    seconds: float
    result: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    blamed: tuple[Seat, str] | None = None
    lasting: bool = False


class Executor(Protocol):
    """Plays matches. Calls and attempts are durable in the run's database before anybody builds on them.

    Attributes:
        on_attempt: called after every judged attempt where matches are played in this process, for live views.
    """

    on_attempt: Callable[[Match, Attempt], None] | None

    async def play(self, row: MatchRow, handed: Handed) -> Played | None:
        """Brings a match to its end, or as far as the session lets it; None where it is not to be played now, since the
        provider of somebody in it is down.

        No call of the match is under way any more when this returns. Whatever goes wrong, a plug-in's failure too,
        comes back as a void ending.

        Raises:
            MachineError: results cannot be kept.
        """
        ...

    async def close(self) -> None:
        """Gives back connections, engines and workers."""
        ...


class LocalExecutor:
    """Plays matches on this process's event loop; see `Executor`.

    Args:
        is_down: whether an entrant or official is taken to be without a working provider.
    """

    def __init__(
        self,
        store: RunStore,
        config: RunConfig,
        roster: Roster,
        journal: RunJournal,
        is_down: Callable[[str], bool] = lambda name: False,
    ) -> None:
        self._store = store
        self._config = config
        self._roster = roster
        self._journal = journal
        self._is_down = is_down
        self._policies: dict[str, MatchPolicy] = {}
        self.on_attempt: Callable[[Match, Attempt], None] | None = None

    async def play(self, row: MatchRow, handed: Handed) -> Played | None:
        try:
            return await self._play(row, handed)
        finally:
            await self._journal.forget(row.id)

    async def close(self) -> None:
        await self._roster.close()

    async def _play(self, row: MatchRow, handed: Handed) -> Played | None:
        started, clock = time.time(), time.monotonic()
        match: Match | None = None
        try:
            match = new_match(row, self._policy(row))
            if any(self._is_down(official_key(role.official)) for role in match.roles.values()):
                return None
            started = self._take_up(row, match, handed) or started
            await play(match, self._seated(row, match), self._journal, on_attempt=self.on_attempt)
        except Suspended:
            return None if match is None else Played(None, started, time.monotonic() - clock)
        except MachineError:
            raise
        except Exception as error:
            # Our fault, a plug-in's or a changed configuration's: this match waits, the others go on.
            return Played(Ending("void", _said(error)), started, time.monotonic() - clock)
        return self._played(row, match, started, time.monotonic() - clock)

    def _policy(self, row: MatchRow) -> MatchPolicy:
        key = json.dumps([row.condition, row.game, row.options], sort_keys=True)
        if key not in self._policies:
            self._policies[key] = self._config.policy_of(row.condition, row.game, row.options)
        return self._policies[key]

    def _take_up(self, row: MatchRow, match: Match, handed: Handed) -> float | None:
        """Brings the match to where its log ends; returns when its first attempt was made."""
        log = self._log(row, handed)
        for _ in replayed(match, log):
            pass
        self._journal.remember(row.id, log.exchanges, len(log.attempts), handed.claim)
        return log.attempts[0]["at"] if log.attempts else None

    def _log(self, row: MatchRow, handed: Handed) -> MatchLog:
        # Most matches begin here: not to look for a log that cannot be there is worth a tenth of their time.
        return MatchLog((), {}) if handed.fresh else load_log(self._store, row.id)

    def _seated(self, row: MatchRow, match: Match) -> dict[Seat, Player]:
        """The player of every seat; a seat of another's entrant is held by the same one."""
        players = {
            seat: self._roster.player(row.seats[role.of or seat], row.condition)
            for seat, role in match.roles.items()
            if (role.of or seat) in row.seats
        }
        for seat, role in match.roles.items():
            if seat == ADJUDICATOR:
                players[seat] = self._roster.adjudicator(match.policy.adjudicator)
            elif role.kind == "official":
                players[seat] = self._roster.official(role)
        return players

    def _played(self, row: MatchRow, match: Match, started: float, seconds: float) -> Played:
        ending = match.ending
        assert ending is not None  # play() returned
        if ending.kind == "void":
            error = self._journal.errors.get(row.id)
            lasting = error is not None and not error.transient
            return Played(ending, started, seconds, blamed=_blamed(row, match), lasting=lasting)
        payoffs = None if match.outcome is None else match.outcome.payoffs
        return Played(ending, started, seconds, {"scores": match.scores(), "payoffs": payoffs, **counts(match)})


def _blamed(row: MatchRow, match: Match) -> tuple[Seat, str] | None:
    seat = match.ending.offender if match.ending is not None else None
    if seat is None:
        return None
    role = match.roles[seat]
    return seat, official_key(role.official) if role.kind == "official" else row.seats[role.of or seat]


def _said(error: Exception) -> str:
    """What went wrong, free of keys: a plug-in may write anything into its errors."""
    return redact(str(error) if isinstance(error, LudometerError) else f"{type(error).__name__}: {error}")
