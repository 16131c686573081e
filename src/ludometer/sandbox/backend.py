"""What a sandbox is to the rest of Ludometer, and what those that start interpreters on this machine share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from ludometer.core import SandboxError
from ludometer.core.registry import Registry
from ludometer.sandbox.interpreter import Interpreter, Launch, StartFailed
from ludometer.sandbox.program import Limits, Program, Run

__all__ = ["SANDBOXES", "Backend", "LocalBackend"]


class Backend(ABC):
    """A way of running programs. A plug-in (Docker, a remote service) is a subclass of this.

    Whatever it says of itself, it is used only after it has passed the self-test.
    """

    name: ClassVar[str]
    preference: ClassVar[int] = 100
    """Of the backends that work, the one with the lowest is used."""

    @abstractmethod
    def unavailable(self) -> str | None:
        """Why it cannot work here and how to change that (a clause, not a sentence); None where it may."""

    @abstractmethod
    async def run(self, program: Program) -> Run:
        """Runs one program, in a place that no other program was or will be in.

        Raises:
            SandboxError: the sandbox failed. Never for anything the program does.
        """

    @abstractmethod
    def describe(self) -> str:
        """Name and version of the sandbox and of the Python in it. Called after a first run."""

    def close(self) -> None:  # noqa: B027 (most have nothing to end)
        """Ends everything that waits for programs."""


SANDBOXES: Registry[Backend] = Registry("sandbox", "ludometer.sandbox", lambda cls: issubclass(cls, Backend))


class LocalBackend(Backend):
    """Runs each program in a fresh interpreter; a few are started ahead, and wait without having seen anything.

    Args:
        ahead: how many interpreters wait. Each is used for one program only.
        tag: a word on the interpreters' command line, by which they can be found.
    """

    def __init__(self, ahead: int = 2, tag: str = "ludometer-sandbox") -> None:
        self.ahead = ahead
        self.tag = tag
        self.python: str | None = None
        self._waiting: deque[Interpreter] = deque()
        self._lock = threading.Lock()
        self._closed = False
        # These threads live as long as the backend: the kernel ends an interpreter with the thread that started it.
        self._runners = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "sandbox-run")
        self._starter = ThreadPoolExecutor(1, "sandbox-start")

    @abstractmethod
    def launch(self, limits: Limits) -> Launch:
        """How an interpreter with these limits is started."""

    async def run(self, program: Program) -> Run:
        stop = threading.Event()
        running = asyncio.get_running_loop().run_in_executor(self._runners, self._run, program, stop)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stop.set()
            with contextlib.suppress(SandboxError):
                await running
            raise

    def _run(self, program: Program, stop: threading.Event) -> Run:
        for _ in range(2):
            interpreter = self._taken(program.limits)
            self._start_ahead()
            with contextlib.suppress(StartFailed):  # one that waited may have been killed since; a fresh one will do
                return interpreter.run(program, stop)
        return self._started(program.limits).run(program, stop)

    def _taken(self, limits: Limits) -> Interpreter:
        while limits._replace(output=0) == Limits(output=0):
            with self._lock:
                interpreter = self._waiting.popleft() if self._waiting else None
            if interpreter is None:
                break
            if interpreter.alive:
                return interpreter
            interpreter.end()
        return self._started(limits)

    def _started(self, limits: Limits) -> Interpreter:
        try:
            interpreter = Interpreter(self.launch(limits))
        except StartFailed as error:
            raise SandboxError(f"the sandbox {self.name} could not start an interpreter: {error}") from None
        self.python = interpreter.python
        return interpreter

    def _start_ahead(self) -> None:
        with contextlib.suppress(RuntimeError):  # closed meanwhile
            self._starter.submit(self._fill)

    def _fill(self) -> None:
        while not self._closed and len(self._waiting) < self.ahead:
            try:
                interpreter = self._started(Limits())
            except SandboxError:
                return  # the next run starts its own, and says what is wrong
            if not self._kept(interpreter):
                interpreter.end()

    def _kept(self, interpreter: Interpreter) -> bool:
        with self._lock:
            if not self._closed:
                self._waiting.append(interpreter)
            return not self._closed

    def close(self) -> None:
        with self._lock:
            self._closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
        for interpreter in waiting:
            interpreter.end()
        self._starter.shutdown(wait=True, cancel_futures=True)
        self._runners.shutdown(wait=True)
