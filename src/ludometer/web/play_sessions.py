"""Games with people at play, each in a thread of its own: whatever a player or an official does, pages answer."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ludometer.core import AnyGame, Attempt, InternalError, LudometerError, MachineError, Seat
from ludometer.matches import Match, MatchPolicy
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import load_log, new_match, replayed
from ludometer.tournaments import Progress, RunConfig, load_config
from ludometer.tournaments.runner import Runner
from ludometer.web.problems import Problem
from ludometer.web.web_human import HUMAN, Desk, WebRoster

__all__ = ["PlaySession", "PlaySessions", "Shown"]

_MOST = 64
"""Games at play at once."""
_IDLE = 3 * 3600.0
"""Seconds after which a game that nobody looks at is put away; its link opens it again."""
_OPENS = 60.0
_SETTLES = 3.0


class Shown(NamedTuple):
    """A match at a moment: values that nothing changes any more."""

    row: MatchRow
    game: AnyGame
    policy: MatchPolicy
    match: Match  # for its roles only: it moves on
    state: Any
    step: int
    moves: tuple[tuple[Seat, str], ...]
    over: bool


class PlaySession:
    """One game with people.

    Attributes:
        folder: its run.
        people: seat to the person's desk.
        refused: seat to why its last answer was not taken.
        version: goes up with every change.
        stopped: why the game stands still though it has not ended; None while it goes on or when it is over.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.people: dict[Seat, Desk] = {}
        self.names: dict[Seat, str] = {}
        self.refused: dict[Seat, str] = {}
        self.version = 0
        self.stopped: str | None = None
        self.used = time.monotonic()
        self._pages: dict[Seat, int] = {}
        self._shown: Shown | None = None
        self._ready = threading.Event()
        self._listening: set[Callable[[], None]] = set()
        self._lock = threading.Condition()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._begun = False
        self._closing = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"ludometer-play-{folder.name}", daemon=True)

    # ------------------------------------------------------------------ for the server

    def begin(self) -> None:
        """Takes the game up where its log ends; does nothing where that was done.

        Raises `MachineError` and what else opening a run may raise.
        """
        with self._lock:
            begun, self._begun = self._begun, True
        if not begun:
            self._thread.start()
        elif self._ready.is_set() and not self.failed:
            return
        if not self._ready.wait(_OPENS):
            raise MachineError("the game takes too long to open; try again")
        if self._failure is not None and self.failed:
            raise self._failure
        with self._lock:
            self._lock.wait_for(self._settled, _SETTLES)

    def _settled(self) -> bool:
        """Whether a person whose turn it is has been asked: the page that is told so can be answered at once."""
        shown = self._shown
        if shown is None or shown.over or not self.alive:
            return True
        asked = {seat for seat, role in shown.match.roles.items() if (role.of or seat) in self.people}
        waiting = asked & set(shown.game.to_act(shown.state))
        return not waiting or any(desk.turn is not None for desk in self.people.values())

    @property
    def failed(self) -> bool:
        """Whether the game could not be opened."""
        return self._failure is not None and self._shown is None

    @property
    def shown(self) -> Shown:
        if self._shown is None:
            raise InternalError("the game has not been opened")
        return self._shown

    @property
    def alive(self) -> bool:
        """Whether its match is being played."""
        return self._thread.is_alive()

    @property
    def watched(self) -> bool:
        return bool(self._listening)

    def open_pages(self) -> dict[Seat, bool]:
        """The seats of people, and whether their page is open."""
        return {seat: self._pages.get(seat, 0) > 0 for seat in self.people}

    def page_opened(self, seat: Seat, changed: Callable[[], None]) -> None:
        """``changed`` is called from any thread after every change."""
        with self._lock:
            self._pages[seat] = self._pages.get(seat, 0) + 1
            self._listening.add(changed)
        self.changed()

    def page_closed(self, seat: Seat, changed: Callable[[], None]) -> None:
        with self._lock:
            self._pages[seat] -= 1
            self._listening.discard(changed)
        self.used = time.monotonic()
        self.changed()

    def changed(self) -> None:
        with self._lock:
            self.version += 1
            listening = list(self._listening)
            self._lock.notify_all()
        for changed in listening:
            changed()

    def wait(self, version: int, seconds: float) -> None:
        """Returns when something has changed since a version, or after so many seconds."""
        with self._lock:
            self._lock.wait_for(lambda: self.version > version, seconds)

    def close(self) -> None:
        """Ends the session; the match stays where it is. It blocks until the thread has let go of the run."""
        self._closing = True
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            with contextlib.suppress(RuntimeError):  # it ended by itself meanwhile
                loop.call_soon_threadsafe(task.cancel)
        if self._thread.ident is not None:
            self._thread.join(10)

    # ------------------------------------------------------------------ in its thread

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:
            self._failure = error
            if not self._closing:
                self.stopped = str(error) if isinstance(error, LudometerError) else "something went wrong in Ludometer"
        finally:
            self._loop = self._task = None
            self._ready.set()
            self.changed()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        with RunStore.open(self.folder) as store:
            row = next(iter(store.matches()), None)
            if row is None:
                raise InternalError("the game was never planned")
            config = load_config(store.config)
            policy = config.policy_of(row.condition, row.game, row.options)
            match = new_match(row, policy)
            for _ in replayed(match, load_log(store, row.id)):
                pass
            self._seat_people(config, row)
            self._show(match, row)
        if row.status != "finished":
            with RunStore.open(self.folder, write=True) as store:
                self._ready.set()
                await self._play(store, config, row)
        self._ready.set()

    async def _play(self, store: RunStore, config: RunConfig, row: MatchRow) -> None:
        desks = {self.names[seat]: desk for seat, desk in self.people.items()}
        runner = Runner(store, config, WebRoster(config, config.entrants(), desks), Progress())

        def on_attempt(match: Match, attempt: Attempt) -> None:
            self._show(match, row)
            self.changed()

        runner.on_attempt = on_attempt
        await runner.run()
        ended = store.match(row.id)
        if ended is not None:
            if ended.status != "finished":
                self.stopped = ended.why or "it was interrupted"
            self._shown = self.shown._replace(row=ended)

    def _seat_people(self, config: RunConfig, row: MatchRow) -> None:
        people = {entrant.name for entrant in config.entrants() if entrant.spec.name == HUMAN}
        self.names = dict(row.seats)
        self.people = {seat: Desk(self.changed) for seat, name in row.seats.items() if name in people}

    def _show(self, match: Match, row: MatchRow) -> None:
        moves = tuple((m.seat, notation) for m, notation in zip(match.moves, match.notation, strict=True))
        ending = match.ending
        over = ending is not None and ending.kind != "void"
        if over and row.status != "finished" and ending is not None:
            scores = match.scores()
            payoffs = None if match.outcome is None or match.outcome.payoffs is None else dict(match.outcome.payoffs)
            row = row._replace(
                status="finished", ending=ending.kind, why=ending.why, offender=ending.offender, scores=scores
            )._replace(payoffs=payoffs)
        self._shown = Shown(row, match.game, match.policy, match, match.state, match.step, moves, over)


class PlaySessions:
    """Games by folder. Its methods block, and may be called from any thread."""

    def __init__(self) -> None:
        self._found: dict[Path, PlaySession] = {}
        self._lock = threading.Lock()

    def has(self, folder: Path) -> bool:
        """Whether the match in a folder is played by this server now."""
        session = self._found.get(folder.resolve())
        return session is not None and session.alive

    def of(self, folder: Path, *, again: bool = False) -> PlaySession:
        """The game in a folder, opened where it is not: after a restart of the server it goes on where its log ends.

        Args:
            again: take up a game that stands still.

        Raises:
            Problem: 409 where too many games are at play.
            MachineError: another process plays it.
        """
        folder = folder.resolve()
        with self._lock:
            session = self._found.get(folder)
            if session is None or session.failed or (again and session.stopped is not None and not session.alive):
                self._put_away()
                if sum(one.alive for one in self._found.values()) >= _MOST:
                    raise Problem(409, f"{_MOST} games are at play here already; try again later")
                session = self._found[folder] = PlaySession(folder)
        session.begin()  # not under the lock: one game that opens slowly holds up no other
        session.used = time.monotonic()
        return session

    def _put_away(self) -> None:
        for folder, session in list(self._found.items()):
            if not session.watched and time.monotonic() - session.used > _IDLE:
                session.close()
                del self._found[folder]

    def _all(self) -> Mapping[Path, PlaySession]:
        return dict(self._found)

    async def close(self) -> None:
        sessions = list(self._all().values())
        await asyncio.gather(*(asyncio.to_thread(session.close) for session in sessions))
        self._found.clear()
