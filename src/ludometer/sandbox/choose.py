"""The sandbox of this process: chosen once, proved once, and used for every program after that."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import NamedTuple

from ludometer.core import InternalError, SandboxError
from ludometer.sandbox._jail import EXIT_INVALID_JAIL, EXIT_REFUSED
from ludometer.sandbox.backend import SANDBOXES, Backend
from ludometer.sandbox.program import Program, Run
from ludometer.sandbox.selftest import failures

__all__ = [
    "EXIT_PAYLOAD",
    "JAIL_BYTES",
    "PAYLOAD_BYTES",
    "Finding",
    "close",
    "describe",
    "examine",
    "run",
    "run_jail",
    "unavailable",
]

JAIL_BYTES = 8192
PAYLOAD_BYTES = 4096
EXIT_PAYLOAD = 1
"""Of the harness, when the payload raised an exception."""

_log = logging.getLogger("ludometer.sandbox")


class Finding(NamedTuple):
    """What became of one backend: ``problem`` is None for one that works; ``detail`` then describes it."""

    name: str
    problem: str | None
    detail: str
    failed_test: bool = False


_lock = threading.Lock()
_opened: dict[str | Backend | None, Backend | str] = {}
"""By what was asked for: the backend, or the sentence why there is none."""


async def run(program: Program, *, backend: str | Backend | None = None) -> Run:
    """Runs a program that nobody trusts, in the sandbox of this process.

    Several may run at once. Canceling ends the program.

    Args:
        backend: a backend's name, or one made by the caller, which has to pass the self-test like any other; by
            default the best that works here. All runs of a tournament use one.

    Raises:
        SandboxError: no sandbox works here, or it failed. Never for anything the program does.
        ConfigurationError: there is no backend of that name.
    """
    return await (await _open(backend)).run(program)


async def run_jail(jail: str, payload: str, flag: str, *, backend: str | Backend | None = None) -> Run:
    """Runs a payload in a jail (see `ludometer.sandbox._jail`), with the flag as the one line on standard input.

    The payload got out if ``run.contains(flag)``, and only then. Texts over the limits are refused without being run.

    Raises:
        SandboxError, ConfigurationError: as `run`.
        InternalError: the flag is not 8 to 200 printable ASCII characters without a space.
    """
    if not (8 <= len(flag) <= 200 and flag.isascii() and flag.isprintable() and " " not in flag):
        raise InternalError("a flag is 8 to 200 printable ASCII characters without a space")
    for what, text, limit, code in (
        ("jail", jail, JAIL_BYTES, EXIT_INVALID_JAIL),
        ("payload", payload, PAYLOAD_BYTES, EXIT_REFUSED),
    ):
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > limit:
            return Run("error", code, f"the {what} has {size} bytes, more than {limit}\n".encode(), False, 0.0)
    harness = files("ludometer.sandbox").joinpath("_jail.py").read_text(encoding="utf-8")
    return await run(Program(harness, {"jail": jail, "payload": payload}, f"{flag}\n"), backend=backend)


async def describe(backend: str | Backend | None = None) -> str:
    """Name and version of the sandbox that `run` uses, and of the Python in it. Raises as `run`."""
    return (await _open(backend)).describe()


def unavailable() -> str | None:
    """The sentence why nothing can be run on this machine; None where `run` works."""
    try:
        _choose(None)
    except SandboxError as error:
        return str(error)
    return None


async def close() -> None:
    """Ends the interpreters that wait for programs. The next run opens a sandbox anew."""
    await asyncio.to_thread(_close)


def examine() -> list[Finding]:
    """Every backend, tried and tested, in the order of preference."""
    findings = []
    for cls in _by_preference():
        findings.append(_examined(cls.name, backend := _made(cls)))
        if backend is not None:
            backend.close()
    return findings


# ------------------------------------------------------------------ choosing


async def _open(asked: str | Backend | None) -> Backend:
    known = _opened.get(asked)
    return known if isinstance(known, Backend) else await asyncio.to_thread(_choose, asked)


def _choose(asked: str | Backend | None) -> Backend:
    """The backend, chosen and tested at the first call, which takes seconds."""
    with _lock:
        if asked not in _opened:
            given = [SANDBOXES.get(asked)] if isinstance(asked, str) else _by_preference()
            _opened[asked] = _first_working([asked] if isinstance(asked, Backend) else given)
        chosen = _opened[asked]
    if isinstance(chosen, str):
        raise SandboxError(chosen)
    return chosen


def _first_working(candidates: Sequence[type[Backend] | Backend]) -> Backend | str:
    problems: list[str] = []
    for candidate in candidates:
        backend = candidate if isinstance(candidate, Backend) else _made(candidate)
        finding = _examined(candidate.name, backend)
        if finding.problem is None and backend is not None:
            if problems:
                _log.warning("programs run in %s; not used: %s", finding.detail, "; ".join(problems))
            return backend
        if backend is not None:
            backend.close()
        problems.append(f"{finding.name} {finding.problem}")
    return "no sandbox works here, and programs of models are never run without one: " + "; ".join(problems)


def _by_preference() -> list[type[Backend]]:
    return sorted(SANDBOXES.all().values(), key=lambda cls: (cls.preference, cls.name))


def _made(cls: type[Backend]) -> Backend | None:
    try:
        return cls()
    except Exception as error:  # a plug-in may fail in any way, and then is not used
        _log.warning("the sandbox %s cannot be made: %s", cls.name, error)
        return None


def _examined(name: str, backend: Backend | None) -> Finding:
    if backend is None:
        return Finding(name, "cannot be made", "", failed_test=True)
    try:
        problem = backend.unavailable()
        if problem is not None:
            return Finding(name, problem, "")
        # On a thread of its own, as there may be an event loop on this one.
        with ThreadPoolExecutor(1) as thread:
            failed = thread.submit(asyncio.run, failures(backend)).result()
        if failed:
            return Finding(name, f"failed its self-test ({'; '.join(failed)})", "", failed_test=True)
        return Finding(name, None, backend.describe())
    except Exception as error:  # the same
        return Finding(name, f"cannot be used: {error}", "", failed_test=True)


def _close() -> None:
    with _lock:
        backends = [backend for backend in _opened.values() if isinstance(backend, Backend)]
        _opened.clear()
    for backend in backends:
        backend.close()


atexit.register(_close)
