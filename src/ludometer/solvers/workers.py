"""Computations in processes that stay: a search for every move cannot wait for a fresh interpreter each time.

There are as many processes as processors. Each serves one call at a time and goes on to the next; one whose caller is
canceled (a deadline passed) is killed, and another takes its place. They belong to this process and end with it.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import IO, Any, TypeVar

from ludometer.core import InternalError
from ludometer.solvers.compute import computed, pickled

__all__ = ["limit_workers", "run_in_worker", "worker_count"]

R = TypeVar("R")

_START = "import sys; sys.path[:] = sys.argv[1:]; from ludometer.solvers.workers import _serve; _serve()"
_LENGTH = 8


_limit: int | None = None


def limit_workers(count: int) -> None:
    """Says how many processes this one may use, before the first is used: where others share its processors."""
    global _limit  # noqa: PLW0603 (as much the process's as its processors are)
    _limit = count


def worker_count() -> int:
    """Processes that compute at the same time."""
    if _limit is not None:
        return _limit
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


async def run_in_worker(function: Callable[..., R], *args: object) -> R:
    """``function(*args)``, computed in a process that outlives the call. Waits while all of them are busy.

    What the function raises is raised here. A process keeps what its modules keep (tables, caches).

    Args:
        function: importable by its module's name; it, its arguments, its result and its exceptions must pickle.

    Raises:
        InternalError: the process died before it answered, or what the function raised cannot be pickled.
    """
    if function.__module__ == "__main__":
        raise InternalError(f"{function.__qualname__} is defined in the main program; move it to a module of its own")
    job = _Job(pickle.dumps((function, args)))
    waiting = asyncio.wrap_future(_pool().submit(job.run))
    try:
        succeeded, value = await waiting
    except asyncio.CancelledError:
        job.cancel()
        raise
    if succeeded:
        result: R = value
        return result
    raise value


class _Process:
    """A worker process, as the thread that owns it sees it."""

    def __init__(self) -> None:
        # In a session of its own: an interrupt from the keyboard is for this process to handle.
        self._child = subprocess.Popen(
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def ask(self, call: bytes) -> tuple[bool, Any]:
        """The answer to a call. Raises `EOFError` or `OSError` when the process has died."""
        assert self._child.stdin is not None and self._child.stdout is not None
        _write(self._child.stdin, call)
        answer: tuple[bool, Any] = pickle.loads(_read(self._child.stdout))
        return answer

    def kill(self) -> None:
        self._child.kill()

    def end(self) -> None:
        """Kills and reaps it."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                _close(pipe)


class _Job:
    """One call, which may be canceled while it waits, while it is computed, or too late."""

    def __init__(self, call: bytes) -> None:
        self._call = call
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._canceled = False

    def run(self) -> tuple[bool, Any]:
        """Runs in a thread of the pool."""
        process = _own_process()
        with self._lock:
            if self._canceled:
                return False, asyncio.CancelledError()
            self._process = process
        try:
            return process.ask(self._call)
        except (EOFError, OSError):
            _replace(process)
            return False, InternalError("a computation ended without an answer: its process was killed or crashed")
        finally:
            with self._lock:
                self._process = None

    def cancel(self) -> None:
        with self._lock:
            self._canceled = True
            if self._process is not None:
                self._process.kill()


# -------------------------------------------------------------------- the pool

_processes: dict[int, _Process] = {}  # by the thread that owns it
_guard = threading.Lock()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(worker_count(), thread_name_prefix="ludometer-worker")


def _own_process() -> _Process:
    own = threading.get_ident()
    with _guard:
        if own not in _processes:
            _processes[own] = _Process()
        return _processes[own]


def _replace(process: _Process) -> None:
    with _guard:
        _processes.pop(threading.get_ident(), None)
    process.end()


@atexit.register
def _end_all() -> None:
    with _guard:
        left = list(_processes.values())
        _processes.clear()
    for process in left:
        process.end()


# ------------------------------------------------------------------- the child


def _serve() -> None:
    """The child's life: calls read and answered until the input ends, which it does when the parent dies."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a function prints must not mix with the answers
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(calls,), daemon=True).start()
    while True:
        _write(answers, pickled(*computed(calls.get())))


def _receive(calls: queue.SimpleQueue[bytes]) -> None:
    """In a thread of its own, so that a computation ends with the parent and not some time after it."""
    while True:
        try:
            calls.put(_read(sys.stdin.buffer))
        except EOFError:
            os._exit(0)


def _write(pipe: IO[bytes], body: bytes) -> None:
    pipe.write(len(body).to_bytes(_LENGTH, "little") + body)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    length = int.from_bytes(_exactly(pipe, _LENGTH), "little")
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    body = pipe.read(count)
    if len(body) < count:
        raise EOFError
    return body


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # unwritten bytes for a process that is gone
        return
