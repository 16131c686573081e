"""Runs in processes of their own: started, paused and stopped from the page; none is the worse when the server ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ludometer.core import MachineError
from ludometer.store.database import DATABASE
from ludometer.web.runs import at_work

__all__ = ["LOG", "Children"]

LOG = "run.log"
"""What the process of a run says, beside its database."""
_APPEARS = 20.0
"""Seconds in which a run must have appeared on disk."""
_USAGE = 2
"""Exit code for what is wrong with a configuration or this machine's set-up."""
_MOST = 16
"""Runs at play at once that this server starts."""


class Children:
    """The processes that this server started, by folder. Every method may block for a moment.

    Each is the leader of a session of its own: an interrupt from the keyboard of the server's terminal does not reach
    it, and it goes on when the server ends.
    """

    def __init__(self) -> None:
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def has(self, folder: Path) -> bool:
        """Whether a process of this server is at work on the run."""
        with self._lock:
            return self._alive(folder.resolve()) is not None

    def start(self, folder: Path, command: list[str]) -> None:
        """Starts ``ludometer`` with arguments and returns once it is at work on the run in ``folder``.

        Raises:
            MachineError: it ended before it was at work; with its last words.
        """
        folder = folder.resolve()
        with self._lock:
            if self._alive(folder) is not None:
                raise MachineError("the run is at play already")
            if len(self._processes) >= _MOST:
                raise MachineError(f"{_MOST} runs are at play already; wait for one of them, or pause it")
            process = self._processes[folder] = _spawn(folder, command)
        threading.Thread(target=self._see_off, args=(folder, process), name="ludometer-child", daemon=True).start()
        _await(folder, process)

    def interrupt(self, folder: Path) -> bool:
        """Asks the process to stop politely: it records the answers on their way. False where there is none."""
        return self._signal(folder, signal.SIGINT)

    def end(self, folder: Path) -> bool:
        """Ends the process, and what it started, at once. Nothing recorded is lost. False where there is none."""
        folder = folder.resolve()
        with self._lock:
            process = self._alive(folder)
        if process is None:
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        return True

    def wait(self, folder: Path, seconds: float) -> bool:
        """Whether the process has ended within so many seconds."""
        with self._lock:
            process = self._alive(folder.resolve())
        if process is None:
            return True
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.poll() is not None

    def _signal(self, folder: Path, number: signal.Signals) -> bool:
        with self._lock:
            process = self._alive(folder.resolve())
            if process is None:
                return False
            process.send_signal(number)
            return True

    def _alive(self, folder: Path) -> subprocess.Popen[bytes] | None:
        """The process of a run, as long as it lives."""
        process = self._processes.get(folder)
        return process if process is not None and process.poll() is None else None

    def _see_off(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        """Waits for the end of a process, so that it leaves no zombie behind."""
        process.wait()
        with self._lock:
            if self._processes.get(folder) is process:
                del self._processes[folder]


def _await(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the process is at work on the run, or has ended with its work done."""
    until = time.monotonic() + _APPEARS
    while time.monotonic() < until:  # on a slow machine the run will be in the list when it is there
        there = (folder / DATABASE).is_file()
        code = process.poll()
        if code is not None and (not there or code == _USAGE):
            raise MachineError(_last_words(folder) or f"the run could not be started (exit code {code})")
        if there and (code is not None or at_work(folder)):
            return
        time.sleep(0.05)


def _spawn(folder: Path, command: list[str]) -> subprocess.Popen[bytes]:
    try:
        with (folder / LOG).open("ab") as log:
            # Python's own switches: no folder of the caller's may put modules in front of the installed ones.
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "ludometer", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        raise MachineError(f"the run cannot be started: {error.strerror or error}") from None


def _last_words(folder: Path) -> str:
    """The last line that a process wrote."""
    with contextlib.suppress(OSError):
        text = (folder / LOG).read_bytes()[-4000:].decode("utf-8", "replace").strip()
        return text.splitlines()[-1].removeprefix("ludometer: ") if text else ""
    return ""
