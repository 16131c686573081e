"""One session of a run in a process of its own, for tests that kill it, starve it or search its output.

``python session.py RUN CONFIG`` starts the run of a configuration (JSON) in a folder or database, or resumes the one
that is there, prints ``playing`` when it begins to play, and its summary as JSON at the end; with TEST_READ in the
environment it only reads the run; TEST_EXECUTOR says where matches are played. Exit code 1: an error of Ludometer's
own, in one line on standard error.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import resource
import sys
from types import SimpleNamespace

from ludometer.cli.executors import maker_of
from ludometer.core import ConfigurationError, LudometerError
from ludometer.store import RunStore, schema
from ludometer.strategies import Answer, registry
from ludometer.tournaments import load_config, resume, start


async def three_calls(conversation, turn) -> Answer:
    """Two branches at once, then the decision."""
    await asyncio.gather(*(conversation.fork().ask(f"Opinion {i}, please.") for i in range(2)))
    return conversation.read(await conversation.ask())


def _install_strategy() -> None:
    point = SimpleNamespace(name="three_calls", load=lambda: three_calls)
    registry.entry_points = lambda group: [point]


def _give_up_capabilities() -> None:
    """Makes root subject to the modes of files and folders (Linux, capset(2) with empty sets)."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    empty = (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, empty):
        raise OSError(ctypes.get_errno(), "capset")


def _limit() -> None:
    """What the parent wants this process to be short of."""
    if size := os.environ.get("TEST_FILE_SIZE"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    if "TEST_UNPRIVILEGED" in os.environ:
        _give_up_capabilities()


def read(folder: str) -> None:
    with RunStore.open(folder) as store:
        notations = [row.notation for row in store.matches()]
        print(json.dumps({"notations": notations, "calls": len(store.rows(schema.exchanges))}))


def exists(run: str) -> bool:
    try:
        RunStore.open(run).close()
    except ConfigurationError:
        return False
    return True


async def main(run: str, config: dict) -> None:
    def playing(runner) -> None:
        print("playing", flush=True)

    executor = maker_of(os.environ.get("TEST_EXECUTOR", "asyncio"))
    if exists(run):
        summary = await resume(run, on_start=playing, executor=executor)
    else:
        summary = await start(load_config(config), run, on_start=playing, executor=executor)
    kept = {name: getattr(summary, name) for name in ("total", "finished", "void", "stopped", "notes")}
    print(json.dumps({**kept, "calls": summary.totals.calls}), flush=True)


if __name__ == "__main__":
    _install_strategy()
    _limit()
    try:
        if "TEST_READ" in os.environ:
            read(sys.argv[1])
        else:
            asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
    except LudometerError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
