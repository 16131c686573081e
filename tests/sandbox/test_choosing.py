"""Which sandbox is used, what is said of those that are not, and that nothing is ever run without one."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from ludometer import sandbox
from ludometer.core import SandboxError
from ludometer.sandbox import SANDBOXES, Backend, Program, Run, landlock
from ludometer.sandbox.bubblewrap import Bubblewrap

HERE = Path(__file__).resolve().parent
Need = Callable[[str], None]


class Unguarded(Backend):
    """Runs programs as they are, which no self-test may let pass."""

    name: ClassVar[str] = "unguarded"
    ran: ClassVar[list[str]] = []

    def unavailable(self) -> str | None:
        return None

    async def run(self, program: Program) -> Run:
        self.ran.append(program.main)
        source = "import json, resource, sys\nresource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))\n"
        source += "given = json.loads(sys.stdin.readline())\n"
        source += "exec(given['main'], {'PARTS': given['parts'], '__name__': '__main__'})"
        started = time.monotonic()
        # The self-test's attacks are harmless where they succeed.
        done = subprocess.run(
            [sys.executable, "-I", "-c", source],
            input=json.dumps({"main": program.main, "parts": dict(program.parts)}).encode() + b"\n",
            capture_output=True,
            check=False,
        )
        return Run("ok", done.returncode, done.stdout, False, time.monotonic() - started)

    def describe(self) -> str:
        return "nothing at all"


class Silent(Unguarded):
    """Says nothing, as if it had run: a self-test must not take that for success."""

    name: ClassVar[str] = "silent"

    async def run(self, program: Program) -> Run:
        return Run("ok", 0, b"", False, 0.0)


class Broken(Unguarded):
    name: ClassVar[str] = "broken"

    async def run(self, program: Program) -> Run:
        raise SandboxError("the daemon does not answer")


class Remote(Bubblewrap):
    """A plug-in as somebody might write one: it passes everything on to a sandbox elsewhere."""

    name: ClassVar[str] = "remote"

    def describe(self) -> str:
        return "remote, CPython 3"


@pytest.mark.usefixtures("afresh")
@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        (Unguarded(), r"unguarded failed its self-test \(names of users.*system calls.*network.*new processes"),
        (Silent(), r"silent failed its self-test \(names of users: ok, no answer;.*memory: ok, no answer\)"),
        (Broken(), "broken cannot be used: the daemon does not answer"),
    ],
    ids=["unguarded", "silent", "broken"],
)
def test_a_sandbox_that_fails_its_test_is_refused(backend: Backend, reason: str) -> None:
    Unguarded.ran.clear()
    with pytest.raises(SandboxError, match=reason):
        asyncio.run(sandbox.run(Program("print('harm')"), backend=backend))
    with pytest.raises(SandboxError, match=backend.name):  # and stays refused, without another test
        asyncio.run(sandbox.run_jail("x", "y", "FLAG12345678", backend=backend))
    assert "print('harm')" not in Unguarded.ran and len(Unguarded.ran) <= len(sandbox.selftest.ATTACKS)


@pytest.mark.usefixtures("afresh")
def test_a_plug_in_that_holds_is_used(need: Need) -> None:
    need("bubblewrap")
    backend = Remote(ahead=0)
    assert asyncio.run(sandbox.run(Program("print(6 * 7)"), backend=backend)).output == "42\n"
    assert asyncio.run(sandbox.describe(backend)) == "remote, CPython 3"


def test_the_backends_are_found_by_their_names() -> None:
    assert {"bubblewrap", "landlock", "wasi"} <= set(SANDBOXES.all())
    assert SANDBOXES.package == "ludometer.sandbox"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, afresh: None) -> Callable[..., None]:
    """Takes away what the named backends need."""

    def without(*names: str) -> None:
        if "bubblewrap" in names:
            monkeypatch.setenv("PATH", "/nonexistent")
        if "landlock" in names:
            monkeypatch.setattr(landlock, "landlock_abi", lambda: 0)
        if "wasi" in names:
            monkeypatch.setenv("LUDOMETER_WASI_PYTHON", "/nonexistent/python.wasm")

    return without


def test_the_next_one_is_used_and_named(
    without: Callable[..., None], need: Need, caplog: pytest.LogCaptureFixture
) -> None:
    need("landlock")
    without("bubblewrap")
    assert asyncio.run(sandbox.describe()).startswith("Landlock ABI ")
    assert "programs run in Landlock" in caplog.text
    assert "bubblewrap is not installed: apt-get install bubblewrap" in caplog.text


def test_without_any_nothing_is_run(without: Callable[..., None]) -> None:
    without("bubblewrap", "landlock", "wasi")
    with pytest.raises(SandboxError) as caught:
        asyncio.run(sandbox.run(Program("open('/tmp/never', 'w')")))
    sentence = str(caught.value)
    installed = importlib.util.find_spec("wasmtime") is not None
    missing = "$LUDOMETER_WASI_PYTHON (/nonexistent/python.wasm)" if installed else "pip install 'ludometer[wasi]'"
    for part in (
        "never run without one: ",
        "bubblewrap is not installed: apt-get install bubblewrap",
        "landlock needs Linux 6.12 with Landlock (ABI 6) turned on, and this kernel has no Landlock",
        missing,
    ):
        assert part in sentence
    assert "\n" not in sentence and not Path("/tmp/never").exists()
    assert sandbox.unavailable() == sentence


def test_an_old_kernel_is_named(without: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "landlock_abi", lambda: 5)
    assert landlock.Landlock().unavailable() == (
        "needs Linux 6.12 with Landlock (ABI 6) turned on, and this kernel speaks Landlock 5"
    )


def context(*command: str, namespaces: bool) -> subprocess.CompletedProcess[str]:
    shown = [str(Path(p).resolve()) for p in (sys.base_prefix, sys.prefix, HERE.parents[1])]
    options = [word for path in shown for word in ("--show", path)] + ([] if namespaces else ["--no-namespaces"])
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "LUDOMETER_WASI_PYTHON": "/nonexistent/python.wasm"}
    return subprocess.run(
        [sys.executable, str(HERE / "context.py"), *options, "--", sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


@pytest.mark.slow
def test_without_user_namespaces_landlock_is_used(need: Need) -> None:
    need("bubblewrap")
    need("landlock")
    ask = "import asyncio\nfrom ludometer import sandbox\nprint(asyncio.run(sandbox.describe()))"
    before = context("-c", ask, namespaces=True)
    assert before.stdout.startswith("bubblewrap "), before.stderr
    after = context("-c", ask, namespaces=False)
    assert after.stdout.startswith("Landlock ABI "), after.stderr
    assert "not used: bubblewrap does not work here" in after.stderr and "it needs user namespaces" in after.stderr


@pytest.mark.slow
def test_doctor_says_which_work(need: Need) -> None:
    need("bubblewrap")
    done = context("-m", "ludometer", "doctor", "--json", namespaces=True)
    found = {check["what"]: check for check in json.loads(done.stdout)}
    assert found["sandbox bubblewrap"]["state"] == "ok"
    assert found["sandbox bubblewrap"]["detail"].startswith("bubblewrap ")
    assert found["sandbox bubblewrap"]["detail"].endswith("; the self-test held; used where none is named")
    assert found["sandbox wasi"]["state"] == "missing"
