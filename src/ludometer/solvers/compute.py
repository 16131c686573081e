"""Running a computation in a process of its own, which can be killed when its time is up.

The child is a fresh interpreter that reads the pickled call from its standard input. Unlike `multiprocessing` it never
imports the program's main module, so scripts need no ``__main__`` guard; in exchange the function must live in a
module that can be imported.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ludometer.core import InternalError

__all__ = ["computed", "pickled", "run_killable"]

R = TypeVar("R")

_START = "import sys; sys.path[:] = sys.argv[1:]; from ludometer.solvers.compute import _serve; _serve()"
_LENGTH = 8
_ERRORS_SHOWN = 500


async def run_killable(function: Callable[..., R], *args: object, deadline: float | None = None) -> R:
    """``function(*args)``, computed in a child process off the event loop.

    The child is killed, with everything it started, when the deadline passes or the caller is canceled, and has
    always ended when this returns or raises. What the function raises is raised here.

    Args:
        function: importable by its module's name; it, its arguments, its result and its exceptions must pickle.
        deadline: seconds the whole call may take.

    Raises:
        TimeoutError: the deadline passed.
        InternalError: the child died before it answered, or what the function raised cannot be pickled.
    """
    if function.__module__ == "__main__":
        raise InternalError(f"{function.__qualname__} is defined in the main program; move it to a module of its own")
    call = pickle.dumps((function, args))
    pipe = asyncio.subprocess.PIPE
    async with asyncio.timeout(deadline):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _START, *sys.path),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
        )
        try:
            succeeded, value = await _converse(process, call)
        finally:
            await asyncio.shield(_end(process))
    if succeeded:
        result: R = value
        return result
    raise value


async def _converse(process: asyncio.subprocess.Process, call: bytes) -> tuple[bool, Any]:
    """Sends the call and waits for the answer: whether it succeeded, and the result or the exception."""
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    complaints = asyncio.create_task(process.stderr.read())
    try:
        # The input stays open afterwards: its end tells the child that this process has died.
        process.stdin.write(len(call).to_bytes(_LENGTH, "little") + call)
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(_LENGTH), "little")
        answer: tuple[bool, Any] = pickle.loads(await process.stdout.readexactly(length))
        return answer
    except (asyncio.IncompleteReadError, ConnectionError):
        await _end(process)
        errors = (await complaints).decode("utf-8", "replace").strip()[-_ERRORS_SHOWN:]
        reason = f"exit code {process.returncode}" + (f": {errors}" if errors else "")
        raise InternalError(f"a computation ended without an answer ({reason})") from None
    finally:
        complaints.cancel()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kills the child and its own children, and reaps it."""
    # Nothing to kill is not an error; macOS says "not permitted" of a group whose members are all dead.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


# ------------------------------------------------------------------ the child


def _serve() -> None:
    """The child's whole life: one call read, one answer written."""
    # What the function prints must not mix with the answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = sys.stdin.buffer
    call = source.read(int.from_bytes(source.read(_LENGTH), "little"))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answer = pickled(*computed(call))
    answers.write(len(answer).to_bytes(_LENGTH, "little") + answer)
    answers.flush()
    os._exit(0)  # the waiting thread would hold up an orderly exit


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


def computed(call: bytes) -> tuple[bool, Any]:
    """Whether the pickled call (a function and its arguments) succeeded, and its result or the exception."""
    try:
        function, args = pickle.loads(call)
        return True, function(*args)
    except Exception as error:  # whatever it is, it belongs to the caller
        return False, error


def pickled(succeeded: bool, value: Any) -> bytes:
    """What `computed` returned, pickled; where that is impossible, an `InternalError` that says so."""
    try:
        answer = pickle.dumps((succeeded, value))
        if not succeeded:
            pickle.loads(answer)  # exceptions with arguments of their own often pickle but do not unpickle
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if succeeded else f"{type(value).__name__}: {value}"
        return pickle.dumps((False, InternalError(f"a computation's answer cannot be sent back: {reason}")))
    return answer
