"""The escape suite against every backend, as whoever runs the tests, as an unprivileged user, and without namespaces.

`escape_suite` is the arena of the suite and judges it; each test here runs it once, as a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NUMBERS = {str(number) for number in range(1, 41)}
"""Of the suite's tests that are programs; 41 to 43 are this file's and test_choosing's."""
QUICK = "1,3,4,6,7b,10,17,20,23,37,39"
Need = Callable[[str], None]


def harness(*arguments: str, unprivileged: bool = False, namespaces: bool = True) -> dict[str, str]:
    """What the suite says, run as the given kind of user. Nothing may be left in the temporary folder."""
    command = [sys.executable, str(HERE / "escape_suite.py"), *arguments]
    if unprivileged or not namespaces:
        shown = [str(Path(p).resolve()) for p in (sys.base_prefix, sys.prefix, HERE.parents[1])]
        options = [word for path in shown for word in ("--show", path)] + ([] if namespaces else ["--no-namespaces"])
        command = [sys.executable, str(HERE / "context.py"), *options, "--", *command]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results: dict[str, str] = json.loads(done.stdout)
    return results


def held(results: dict[str, str]) -> None:
    assert {number: problem for number, problem in results.items() if problem and number != "backend"} == {}


def complete(results: dict[str, str]) -> None:
    assert {number.rstrip("bcd") for number in results if number != "backend"} == NUMBERS
    held(results)


def test_the_first_things_anybody_tries(need: Need) -> None:
    need("bubblewrap")
    results = harness("--backend", "bubblewrap", "--only", QUICK)
    assert len(results) == QUICK.count(",") + 2
    held(results)


def test_the_probes_succeed_outside() -> None:
    """Otherwise that they fail inside would prove nothing."""
    results = harness("--control", unprivileged=os.geteuid() == 0)
    assert len(results) == 17
    assert [number for number, achieved in results.items() if not achieved] == []


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["bubblewrap", "landlock", "wasi"])
def test_everything(need: Need, backend: str) -> None:
    need(backend)
    complete(harness("--backend", backend))


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["bubblewrap", "landlock"])
def test_everything_as_an_unprivileged_user(need: Need, backend: str) -> None:
    need(backend)
    complete(harness("--backend", backend, unprivileged=True))


@pytest.mark.slow
def test_everything_without_user_namespaces(need: Need) -> None:
    need("landlock")
    complete(harness("--backend", "landlock", unprivileged=True, namespaces=False))
