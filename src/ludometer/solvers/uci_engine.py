"""Chess engines that speak UCI: one process each, asked one question at a time, and always reaped.

An engine is asked from scratch every time (``ucinewgame`` and the whole game so far), so that nothing it saw before can
change its answer. Source of the protocol: "Description of the universal chess interface" (Rudolf Huber and Stefan
Meyer-Kahlen, April 2006).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from ludometer.core import ConfigurationError, PlayerError

__all__ = ["EnginePool", "EngineSetup", "Thought", "UciEngine", "find_engine", "position_command"]

R = TypeVar("R")

_PLACES = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin")
"""Where packages put engines, beside the folders of PATH; Debian has its games in the first."""
_RANGE = re.compile(r"\bmin (-?\d{1,12}) max (-?\d{1,12})")
_START_SECONDS = 30.0
_LONGEST_LINE = 100_000
_MOST_LINES = 1_000_000


class EngineSetup(NamedTuple):
    """How an engine is started.

    Attributes:
        program: its path.
        options: set once at the start, as UCI names them.
    """

    program: str
    options: tuple[tuple[str, str], ...] = ()


class Thought(NamedTuple):
    """The answer to one question: the move in UCI's notation, the lines before it, and the seconds it took."""

    move: str
    lines: tuple[str, ...]
    seconds: float


def find_engine(path: str = "stockfish") -> str:
    """The program: a path, or a name that is looked up as a shell does and in the usual folders of packages.

    Raises:
        ConfigurationError: there is none.
    """
    found = shutil.which(path) or shutil.which(path, path=os.pathsep.join(_PLACES))
    if found is None:
        how = "install Stockfish (Debian and Ubuntu: apt-get install stockfish; macOS: brew install stockfish)"
        raise ConfigurationError(f"the chess engine {path!r} was not found; {how} or name the place of an engine")
    return found


def position_command(start: str, moves: Sequence[str]) -> str:
    """The ``position`` line of a game.

    Args:
        start: FEN of the first position.
        moves: all moves since, in UCI's notation, so that the engine knows of repetitions.
    """
    return f"position fen {start}" + (f" moves {' '.join(moves)}" if moves else "")


class UciEngine:
    """One engine. The process starts with the first question; methods block, and `kill` may interrupt them."""

    def __init__(self, setup: EngineSetup) -> None:
        self._setup = setup
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._killed = False
        self._busy = False

    def think(self, position: str, go: str, deadline: float, options: Sequence[tuple[str, str]] = ()) -> Thought:
        """Asks for a move.

        Args:
            position: see `position_command`.
            go: the limits: ``go nodes 1000``.
            deadline: seconds for the answer.
            options: set before this question, as UCI names them.

        Raises:
            TimeoutError: no answer in time. The engine is killed then, as it is after every error.
            PlayerError: the engine ended.
            ConfigurationError: it cannot be started, or has no such option.
        """
        if self._process is None:
            self._limited(self._start, min(deadline, _START_SECONDS))
        return self._limited(lambda: self._ask(position, go, options), deadline)

    def kill(self) -> None:
        """Ends the process, at once and for good, and reaps it."""
        with self._lock:
            self._killed = True
            busy, process = self._busy, self._process
        if process is not None:
            _end(process)
            if not busy:  # whoever reads from a pipe closes it
                _close_pipes(process)

    def _limited(self, work: Callable[[], R], seconds: float) -> R:
        """``work()``, with the engine killed under it when the time is up."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, give_up)
        timer.daemon = True
        self._busy = True
        timer.start()
        try:
            return work()
        except BaseException as error:
            self.kill()
            if late.is_set() and isinstance(error, PlayerError):
                raise TimeoutError(f"{self._setup.program} gave no answer within {seconds:g} s") from None
            raise
        finally:
            timer.cancel()
            with self._lock:
                self._busy = False
                ended = self._process if self._killed else None
            if ended is not None:
                _end(ended)
                _close_pipes(ended)

    def _start(self) -> None:
        with self._lock:
            if self._killed:
                raise PlayerError(f"{self._setup.program} was stopped")
            try:
                # In a session of its own: an interrupt from the keyboard is for this process to handle.
                self._process = subprocess.Popen(
                    [self._setup.program],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,
                )
            except OSError as error:
                raise ConfigurationError(
                    f"{self._setup.program} cannot be run as a chess engine: {error.strerror or error}"
                ) from None
        self._lines = _Lines(self._process)
        self._send("uci")
        offered = self._until("uciok")
        for name, value in self._setup.options:
            self._check_option(offered, name, value)
            self._send(f"setoption name {name} value {value}")
        self._send("isready")
        self._until("readyok")

    def _check_option(self, offered: Sequence[str], name: str, value: str) -> None:
        line = next((line for line in offered if line.startswith(f"option name {name} type ")), None)
        if line is None:
            raise ConfigurationError(f"the engine {self._setup.program} has no option {name!r}")
        span = _RANGE.search(line)
        if span is not None and value.lstrip("-").isdigit() and not int(span[1]) <= int(value) <= int(span[2]):
            raise ConfigurationError(
                f"the engine {self._setup.program} takes {name} from {span[1]} to {span[2]}, not {value}"
            )

    def _ask(self, position: str, go: str, options: Sequence[tuple[str, str]]) -> Thought:
        started = time.monotonic()
        settings = [f"setoption name {name} value {value}" for name, value in options]
        for line in (*settings, "ucinewgame", position, "isready"):
            self._send(line)
        self._until("readyok")
        self._send(go)
        *lines, last = self._until("bestmove")
        words = last.split()
        return Thought(words[1] if len(words) > 1 else "", tuple(lines), time.monotonic() - started)

    def _send(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
        except (OSError, ValueError):
            raise self._ended() from None

    def _until(self, word: str) -> list[str]:
        """The lines up to the first that begins with ``word``, that one included."""
        found: list[str] = []
        for line in self._lines:
            found.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return found
            if len(found) > _MOST_LINES:
                raise PlayerError(f"the chess engine {self._setup.program} talks without end")
        raise self._ended()

    def _ended(self) -> PlayerError:
        assert self._process is not None
        try:
            code = str(self._process.wait(timeout=1))
        except subprocess.TimeoutExpired:
            code = "none"
        return PlayerError(f"the chess engine {self._setup.program} ended without an answer (exit code {code})")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills the engine with everything it started, and reaps it."""
    if process.poll() is None:
        # Nothing to kill is not an error; macOS says "not permitted" of a group whose members are all dead.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


class _Lines:
    """The lines an engine writes, until it writes no more. Buffers are ours: a killed engine must not leave any."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._rest = b""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._rest:
            try:
                more = self._process.stdout.read(65_536)
            except (OSError, ValueError):
                more = b""
            if not more or len(self._rest) > _LONGEST_LINE:
                raise StopIteration
            self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode("utf-8", "replace").strip()


class EnginePool:
    """Engines of one kind, as many as there are questions at the same time, up to ``size``.

    An engine that failed, or whose question was given up, is killed and another takes its place. All of them end with
    `close`, and at the latest when the pool is forgotten or the program ends.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._idle: list[UciEngine] = []
        self._all: set[UciEngine] = set()
        self._slots: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )
        weakref.finalize(self, _kill_all, self._all)

    async def think(self, setup: EngineSetup, position: str, go: str, deadline: float) -> Thought:
        """As `UciEngine.think`, off the event loop and after waiting for a free engine, which no deadline counts."""
        slots = self._slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._size))
        async with slots:
            engine = self._idle.pop() if self._idle else UciEngine(setup)
            self._all.add(engine)
            try:
                thought = await asyncio.to_thread(engine.think, position, go, deadline)
            except BaseException:
                engine.kill()
                self._all.discard(engine)
                raise
            self._idle.append(engine)
            return thought

    async def close(self) -> None:
        """Ends every engine. The pool can be used again."""
        self._idle.clear()
        await asyncio.to_thread(_kill_all, self._all)


def _kill_all(engines: set[UciEngine]) -> None:
    while engines:
        engines.pop().kill()
