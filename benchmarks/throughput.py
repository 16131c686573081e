"""How fast a tournament asks: the whole program against a provider in another process, as shares of the ideal.

``python benchmarks/throughput.py [--out FILE] [--quick]`` plays tic-tac-toe between two language models behind the
fake provider. With a latency of L seconds and N matches at a time the ideal is N / L calls a second: more cannot be
asked. A bare client, which only asks, is measured before and after: on a busy machine it does not reach the ideal
either. Everything else (prompts, parsing, the referee, the database, the HTTP client) is what the program costs. The
provider runs in a process of its own; its processor time is told apart from the program's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from ludometer.tournaments import load_config, start
from ludometer.tournaments.runner import Runner

RESULTS = Path(__file__).parent / "results" / "throughput.json"


class Case(NamedTuple):
    """A setting: seconds until an answer, matches at a time, matches in all."""

    latency: float
    concurrency: int
    matches: int


CASES = {
    "latency 0.2 s, 50 at a time": Case(0.2, 50, 400),
    "latency 1 s, 200 at a time": Case(1.0, 200, 600),
}
BARE = Case(0.0, 16, 400)


class Provider:
    """The fake provider in another process."""

    def __init__(self, latency: float) -> None:
        command = [sys.executable, "-m", "ludometer.testing.fake_provider"]
        options = ["--behaviour", "tictactoe", "--latency", str(latency)]
        self.process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()

    def cpu(self) -> float:
        """Processor seconds it has used (Linux; nan elsewhere)."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Meter:
    """Samples the number of calls, to measure the time in which all places were taken: the run's end, when matches
    run out, says nothing about the program."""

    def __init__(self) -> None:
        self.samples: list[tuple[float, int, int]] = []
        self._task: asyncio.Task[None] | None = None

    def watch(self, runner: Runner) -> None:
        self._task = asyncio.get_running_loop().create_task(self._sample(runner))

    async def _sample(self, runner: Runner) -> None:
        while True:
            progress = runner.progress
            self.samples.append((time.perf_counter(), progress.totals.calls, progress.running))
            await asyncio.sleep(0.05)

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def full_rate(self, concurrency: int, latency: float) -> float:
        """Calls per second while all places were taken, the first answers' wait left out."""
        full = [sample for sample in self.samples if sample[2] == concurrency]
        begun = [sample for sample in full if sample[0] >= full[0][0] + 2 * latency]
        (since, calls_before, _), (until, calls_after, _) = begun[0], begun[-1]
        return (calls_after - calls_before) / (until - since)


def play(case: Case, provider: Provider, folder: Path) -> dict[str, float]:
    """One tournament: calls, seconds, and processor seconds of both processes."""
    repeats = -(-case.matches // 2)
    config = load_config(
        {
            "game": "tictactoe",
            "players": ["fake/a", "fake/b"],
            "models": {"fake": {"base_url": provider.url}},
            "prompt": {"concurrency": 2 * case.concurrency},
            "schedule": {"repeats": repeats},
            "concurrency": case.concurrency,
        }
    )
    meter = Meter()
    cpu, provider_cpu, started = own_cpu(), provider.cpu(), time.perf_counter()

    async def whole() -> Any:
        try:
            return await start(config, folder, on_start=meter.watch)
        finally:
            meter.stop()

    summary = asyncio.run(whole())
    assert summary.complete and not summary.totals.failed_calls, summary
    return {
        "calls": summary.totals.calls,
        "seconds": time.perf_counter() - started,
        "cpu": own_cpu() - cpu,
        "provider_cpu": provider.cpu() - provider_cpu,
        "rate": meter.full_rate(case.concurrency, case.latency),
    }


async def bare_rate(case: Case, url: str, seconds: float) -> float:
    """Calls per second of tasks that do nothing but ask, one call after the other, over the same HTTP library: what
    this machine allows at this moment."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "move? " * 200}]}).encode()
    answered = 0

    async def ask_on(session: aiohttp.ClientSession) -> None:
        nonlocal answered
        while True:
            async with session.post(f"{url}/chat/completions", data=body) as response:
                json.loads(await response.read())
            answered += 1

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tasks = [asyncio.create_task(ask_on(session)) for _ in range(case.concurrency)]
        await asyncio.sleep(2 * case.latency)
        before, started = answered, time.perf_counter()
        await asyncio.sleep(seconds)
        rate = (answered - before) / (time.perf_counter() - started)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return rate


def measure(case: Case) -> dict[str, float]:
    """A tournament, and the bare client against the same provider before and after it."""
    provider = Provider(case.latency)
    try:
        seconds = max(3 * case.latency, 2.0) if case.latency else 0.0
        before = asyncio.run(bare_rate(case, provider.url, seconds)) if seconds else 0.0
        with tempfile.TemporaryDirectory() as folder:
            measured = play(case, provider, Path(folder) / "run")
        after = asyncio.run(bare_rate(case, provider.url, seconds)) if seconds else 0.0
        return {**measured, "bare_rate": (before + after) / 2}
    finally:
        provider.stop()


def report(cases: dict[str, Case]) -> dict[str, Any]:
    found: dict[str, Any] = {"python": platform.python_version(), "processors": os.cpu_count()}
    found["load_at_start"] = round(os.getloadavg()[0], 2)
    for name, case in cases.items():
        measured = measure(case)
        ideal = case.concurrency / case.latency
        found[name] = {
            "share_of_ideal": round(measured["rate"] / ideal, 3),
            "share_of_ideal_of_a_bare_client": round(measured["bare_rate"] / ideal, 3),
            "relative_to_a_bare_client": round(measured["rate"] / measured["bare_rate"], 3),
            "calls": int(measured["calls"]),
            "cpu_ms_per_call": round(1000 * measured["cpu"] / measured["calls"], 3),
            "provider_cpu_ms_per_call": round(1000 * measured["provider_cpu"] / measured["calls"], 3),
        }
        print(
            f"{name}: {found[name]['share_of_ideal']:.1%} of the ideal {ideal:g} calls/s; a bare client reaches "
            f"{found[name]['share_of_ideal_of_a_bare_client']:.1%}",
            flush=True,
        )
    measured = measure(BARE)
    found["no latency"] = {
        "cpu_ms_per_call": round(1000 * measured["cpu"] / measured["calls"], 3),
        "provider_cpu_ms_per_call": round(1000 * measured["provider_cpu"] / measured["calls"], 3),
        "cpu_relative_to_provider": round(measured["cpu"] / measured["provider_cpu"], 2),
    }
    print(
        f"no latency: {found['no latency']['cpu_ms_per_call']:.2f} ms of processor time per model move "
        f"({found['no latency']['provider_cpu_ms_per_call']:.2f} ms in the provider's process, "
        f"ratio {found['no latency']['cpu_relative_to_provider']:.2f})"
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    parser.add_argument("--quick", action="store_true", help="only the first setting and the processor time")
    options = parser.parse_args()
    cases = dict(list(CASES.items())[:1]) if options.quick else CASES
    found = report(cases)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
