"""A single-use interpreter in a process of its own, seen from the host: started, given one program, ended.

The host believes nothing it reads. It writes and reads without ever waiting for the other side, keeps a bounded part of
the output, and ends every process of the run before it gives an answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from ludometer.core import SandboxError
from ludometer.sandbox._cell import EXIT_MEMORY
from ludometer.sandbox.program import Limits, Program, Run, Status

__all__ = ["Interpreter", "Launch", "StartFailed", "cell_source", "resource_limits"]

START_SECONDS = 30.0
"""How long starting may take. It is no limit for programs, so it is generous to a busy machine."""

_TICK = 0.05
_CHUNK = 65536
_READY = re.compile(rb"ready (\d+\.\d+\.\d+)\n")


class StartFailed(SandboxError):
    """An interpreter could not be started or died before it had its program."""


class Launch(NamedTuple):
    """How a backend starts an interpreter.

    Args:
        command: ends in what runs `cell_source`.
        settings: what the cell locks itself up with (see `_cell.lock`).
        reports_child: the command is bubblewrap, and takes ``--info-fd``: its child is what must be killed, since that
            is the first process of a namespace, whose end takes all others along.
        environment: of the command. Empty unless the backend's own machinery needs something.
    """

    command: Sequence[str]
    settings: Mapping[str, Any]
    reports_child: bool = False
    environment: Mapping[str, str] = {}


def cell_source() -> str:
    """The program that every backend's interpreter is started with."""
    return files("ludometer.sandbox").joinpath("_cell.py").read_text(encoding="utf-8")


def resource_limits(limits: Limits, *, address_space: bool = True) -> dict[str, int]:
    """Resource limits of one interpreter, by `resource`'s names: the kernel's own stop behind the host's."""
    bounds = {
        "RLIMIT_CPU": int(limits.seconds) + 2,
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_NPROC": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 64,
        "RLIMIT_STACK": 8 * 2**20,
    }
    return {**bounds, "RLIMIT_AS": limits.memory} if address_space else bounds


class Interpreter:
    """One process (and its helpers) that will run one program.

    Raises:
        StartFailed: it did not get ready.
    """

    def __init__(self, launch: Launch) -> None:
        self._child: int | None = None
        command, told, tell = list(launch.command), -1, -1
        if launch.reports_child:
            told, tell = os.pipe()
            command[1:1] = ["--info-fd", str(tell)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=dict(launch.environment),
                cwd="/",
                close_fds=True,
                pass_fds=[tell] if launch.reports_child else [],
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            if launch.reports_child:
                os.close(told)
            raise StartFailed(f"{command[0]} could not be started: {error}") from None
        finally:
            if launch.reports_child:
                os.close(tell)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._to_write = memoryview(_message(dict(launch.settings)))
        self._last_words = False
        try:
            if launch.reports_child:
                self._child = _child_reported(told)
            self.python = self._get_ready()
        except BaseException:
            self.end()
            raise

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def run(self, program: Program, stop: threading.Event) -> Run:
        """Runs the program and ends the process. ``stop``, once set, ends the run early with status ``killed``.

        Raises:
            StartFailed: the interpreter died before it had the program (which another one may run).
        """
        try:
            return self._run(program, stop)
        finally:
            self.end()

    def end(self) -> None:
        """Kills what is left and waits until it is gone."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._child, signal.SIGKILL)
            os.close(self._child)
            self._child = None
            # The helper outside sees its child die, reaps it, and ends by itself.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None and self._process.stdout is not None
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                stream.close()

    # -------------------------------------------------------------- talking

    def _get_ready(self) -> str:
        """Sends the settings and waits for the word that they are in force. The version of Python inside."""
        said = b""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            data = self._exchange(_TICK)
            said += data or b""
            if found := _READY.search(said):
                return found[1].decode("ascii")
            if data == b"":
                break
        lines = said.decode("utf-8", "backslashreplace").strip().splitlines()
        raise StartFailed(lines[-1][-300:] if lines else "its Python ended, or was silent, before it was ready")

    def _run(self, program: Program, stop: threading.Event) -> Run:
        todo = {"main": program.main, "parts": dict(program.parts)}
        self._to_write = memoryview(_message(todo) + program.stdin.encode("utf-8", "backslashreplace"))
        self._last_words = True
        limits = program.limits
        output, began = bytearray(), False
        started = time.monotonic()
        status: Status | None = None
        while status is None:
            left = limits.seconds if began else START_SECONDS
            data = self._exchange(min(_TICK, max(started + left - time.monotonic(), 0.0)))
            output += data or b""
            if output and not began:
                began, started = True, time.monotonic()
                del output[0]
            if len(output) > limits.output:
                status = "output"
            elif data == b"" and self._ended_within(_TICK):
                break
            elif stop.is_set():
                status = "killed"
            elif time.monotonic() - started >= left:
                status = "timeout"
        if not began and status != "killed":
            raise StartFailed("its Python did not take the program")
        seconds = time.monotonic() - started
        code = None if status else _exit_code(self._process.returncode)
        raw = bytes(output[: limits.output])
        return Run(status or _status(code), code, raw, len(output) > limits.output, seconds)

    def _exchange(self, seconds: float) -> bytes | None:
        """Writes and reads what can be had at once, waiting at most so long. None: nothing; empty: no more to come."""
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        if self._to_write:
            poll.register(self._stdin, select.POLLOUT)
        ready = dict(poll.poll(seconds * 1000))
        if self._stdin in ready and self._to_write:
            try:
                self._to_write = self._to_write[os.write(self._stdin, self._to_write[:_CHUNK]) :]
            except BlockingIOError:
                pass
            except OSError:  # it reads no more: that is its own affair
                self._to_write = memoryview(b"")
            if self._last_words and not self._to_write:
                assert self._process.stdin is not None
                self._process.stdin.close()
        if self._stdout not in ready:
            return None
        try:
            return os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return None

    def _ended_within(self, seconds: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None


def _message(content: Mapping[str, Any]) -> bytes:
    data = json.dumps(content).encode("ascii")
    return len(data).to_bytes(8, "little") + data


def _child_reported(told: int) -> int | None:
    """A file descriptor of the child that bubblewrap tells of. None where it failed before (and says why elsewhere)."""
    with os.fdopen(told, "rb") as stream:
        if not select.select([stream], [], [], START_SECONDS)[0]:
            return None
        found = re.search(rb'"child-pid"\s*:\s*(\d+)', stream.read())
    with contextlib.suppress(ProcessLookupError):
        return os.pidfd_open(int(found[1])) if found else None
    return None


def _exit_code(code: int) -> int:
    """Bubblewrap tells of a signal as a shell does, by 128 plus its number."""
    try:
        return -signal.Signals(code - 128).value if code > 128 else code
    except ValueError:
        return code


def _status(code: int | None) -> Status:
    if code == 0:
        return "ok"
    if code == EXIT_MEMORY:
        return "memory"
    if code == -signal.SIGKILL or code == -signal.SIGXCPU:
        return "killed"
    return "crashed" if code is not None and code < 0 else "error"
