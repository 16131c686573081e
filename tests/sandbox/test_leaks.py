"""Nothing is left behind: no process, no file, no open file descriptor, however often and however a run ended."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludometer import sandbox
from ludometer.sandbox import SANDBOXES, Limits, Program

QUICK = Limits(seconds=0.5)
PROGRAMS = [
    (Program("print('x')"), "ok"),
    (Program("1/0"), "error"),
    (Program("import os\nos.close(0)\nos.close(1)\nos._exit(3)"), "error"),
    (Program("print('x' * 10**6)"), "output"),
    (Program("import sys\nsys.stdin.read()", stdin="x" * 200_000), "ok"),
    (Program("while True: pass", limits=QUICK), "timeout"),
    (Program("import os\nos.abort()"), "crashed"),
]


def descriptors() -> list[str]:
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.append(os.readlink(entry))  # noqa: PTH115
        except OSError:  # the one that lists the folder
            continue
    return sorted(found)


def children(tag: str) -> Iterator[str]:
    """Processes with the tag, and zombies of this one."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                command, status = (entry / "cmdline").read_bytes(), (entry / "stat").read_text()
                if tag.encode() in command or (f" Z {os.getpid()} " in status):
                    yield status
        except OSError:
            continue


def used(name: str, times: int) -> None:
    tag = f"leaks-{secrets.token_hex(8)}"
    folder = {path.name for path in Path("/tmp").iterdir() if "ludometer" in path.name}
    asyncio.run(sandbox.close())
    before = descriptors()

    async def all_of_them() -> None:
        backend = SANDBOXES.get(name)(tag=tag)  # type: ignore[call-arg]
        for turn in range(times):
            program, status = PROGRAMS[turn % len(PROGRAMS)]
            if status == "timeout" and turn >= 100:  # a few of those are enough
                continue
            run = await sandbox.run(program, backend=backend)
            assert run.status == status, run
        await sandbox.close()

    asyncio.run(all_of_them())
    deadline = time.monotonic() + 1.0
    while list(children(tag)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(children(tag)) == []
    assert descriptors() == before
    assert {path.name for path in Path("/tmp").iterdir() if "ludometer" in path.name} <= folder


def test_a_few_runs_leave_nothing(name: str) -> None:
    used(name, 2 * len(PROGRAMS))


@pytest.mark.slow
def test_a_thousand_runs_leave_nothing() -> None:
    problem = sandbox.unavailable()
    if problem is not None:
        pytest.skip(problem)
    chosen = asyncio.run(sandbox.describe()).split()[0].lower()
    used(chosen, 1000)


@pytest.mark.slow
def test_killing_the_arena_ends_its_programs(name: str) -> None:
    """Nobody is there to keep the limit then: the kernel, or the child itself, ends them."""
    tag = f"orphan-{secrets.token_hex(8)}"
    source = (
        "import asyncio, sys\nfrom ludometer import sandbox\nfrom ludometer.sandbox import *\n"
        "backend = SANDBOXES.get(sys.argv[1])(tag=sys.argv[2])\n"
        "program = Program('import time\\nprint(1)\\ntime.sleep(600)', limits=Limits(seconds=300.0))\n"
        "async def main():\n    await sandbox.run(Program('1'), backend=backend)\n    print('begun', flush=True)\n"
        "    await sandbox.run(program, backend=backend)\nasyncio.run(main())\n"
    )

    async def killed() -> None:
        arena = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", source, name, tag),
            stdout=asyncio.subprocess.PIPE,
        )
        assert arena.stdout is not None
        assert await arena.stdout.readline() == b"begun\n"
        await asyncio.sleep(0.5)
        arena.kill()
        await arena.wait()

    asyncio.run(killed())
    deadline = time.monotonic() + 10.0
    while (left := [s for s in children(tag) if " Z " not in s]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
