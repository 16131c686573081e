"""What the tests of runs share: configurations, the fake provider in another process, and sessions to kill."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludometer.core import ConfigurationError
from ludometer.store import RunStore, schema
from ludometer.tournaments import RunConfig, load_config

SESSION = Path(__file__).with_name("session.py")


def config_for(url: str = "http://127.0.0.1:9/v1", **settings: Any) -> RunConfig:
    """A small tournament against the provider at ``url``."""
    return load_config(table_for(url, **settings))


def table_for(url: str = "http://127.0.0.1:9/v1", **settings: Any) -> dict[str, Any]:
    table: dict[str, Any] = {
        "game": "tictactoe",
        "players": ["fake/a", "random"],
        "models": {"fake": {"base_url": url}},
        "prompt": {"max_retry_wait": 0.02, "retries": 2},
    }
    return {**table, **settings}


class Provider:
    """The fake provider in a process of its own."""

    def __init__(self, **options: Any) -> None:
        command = [sys.executable, str(SESSION.with_name("provider.py")), json.dumps(options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/stats") as response:
            return json.load(response)

    @property
    def port(self) -> int:
        return int(self.url.removesuffix("/v1").rpartition(":")[2])

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def provider(**options: Any) -> Iterator[Provider]:
    """The fake provider with options of `FakeProvider`, until the block ends."""
    running = Provider(**options)
    try:
        yield running
    finally:
        running.stop()


class Session:
    """A session of a run in a process of its own (see ``session.py``)."""

    def __init__(self, run: Path | str, table: dict[str, Any], **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(SESSION), str(run), json.dumps(table)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def until_playing(self) -> bool:
        assert self.process.stdout is not None
        return self.process.stdout.readline() == "playing\n"

    def kill(self) -> bool:
        """Ends it at once; tells whether it was still at work."""
        alive = self.process.poll() is None
        self.process.kill()
        self.process.communicate()
        return alive

    def finish(self) -> SimpleNamespace:
        """Exit code, standard output and error, and the summary where there is one."""
        out, err = self.process.communicate(timeout=300)
        lines = [line for line in out.splitlines() if line.startswith("{")]
        summary = json.loads(lines[-1]) if lines else None
        return SimpleNamespace(code=self.process.returncode, out=out, err=err, summary=summary)


def results(run: Path | str) -> dict[str, tuple[Any, ...]]:
    """What came out, by what the schedule calls the match; nothing in it depends on the clock or on ids."""
    with RunStore.open(run) as store:
        return {
            row.key: (row.status, row.ending, row.why, row.offender, row.scores, row.notation, row.attempts, row.seats)
            for row in store.matches()
        }


def recorded_calls(run: Path | str) -> int:
    """Number of exchanges in a run's database; 0 where there is none yet."""
    try:
        with RunStore.open(run) as store:
            return len(store.rows(schema.exchanges))
    except ConfigurationError:
        return 0


def run(coroutine: Any, seconds: float = 60.0) -> Any:
    """Run a coroutine; one that hangs fails its test instead of stopping the suite."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))


def contents_of(folders: Sequence[Path]) -> bytes:
    """Every byte of every file below some folders."""
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return b"\n".join(path.read_bytes() for path in files)


@pytest.fixture
def kit() -> SimpleNamespace:
    """The functions above: with the import mode of this suite, a test module cannot import them."""
    return SimpleNamespace(
        config_for=config_for,
        table_for=table_for,
        provider=provider,
        Provider=Provider,
        Session=Session,
        results=results,
        recorded_calls=recorded_calls,
        run=run,
        contents_of=contents_of,
    )


@pytest.fixture
def where(place: Callable[[str], str]) -> str:
    """Where a run may be: once a folder, once a database."""
    return place("run")
