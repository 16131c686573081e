"""How much memory a long tournament takes: resident set size while it runs, which must stay flat.

``python benchmarks/memory.py [--matches 2000] [--out FILE]`` plays tic-tac-toe between two language models behind the
fake provider, which runs in a process of its own and is not counted. The growth is a least-squares line through the
samples of the second half of the run. With fewer than 10,000 matches the size after 10,000 is an extrapolation along
that line, and is called one.
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
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.tournaments import load_config, start
from ludometer.tournaments.runner import Runner

RESULTS = Path(__file__).parent / "results" / "memory.json"
FULL = 10_000


def resident_mb() -> float:
    """Resident set size of this process in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _sample(runner: Runner, samples: list[tuple[int, float]]) -> None:
    while True:
        samples.append((runner.progress.finished, resident_mb()))
        await asyncio.sleep(0.25)


def play(matches: int, url: str, folder: Path) -> list[tuple[int, float]]:
    """Matches finished and MB, sampled all along a tournament."""
    config = load_config(
        {
            "game": "tictactoe",
            "players": ["fake/a", "fake/b"],
            "models": {"fake": {"base_url": url}},
            "schedule": {"repeats": matches // 2},
            "concurrency": 64,
        }
    )
    samples: list[tuple[int, float]] = []

    async def whole() -> Any:
        sampling: list[asyncio.Task[None]] = []
        summary = await start(
            config, folder, on_start=lambda runner: sampling.append(asyncio.create_task(_sample(runner, samples)))
        )
        sampling[0].cancel()
        return summary

    summary = asyncio.run(whole())
    assert summary.complete, summary
    samples.append((summary.finished, resident_mb()))
    return samples


def report(samples: list[tuple[int, float]], matches: int) -> dict[str, Any]:
    finished, size = np.array(samples).T
    later = finished >= matches / 2
    growth, _ = np.polyfit(finished[later], size[later], 1)
    found = {
        "python": platform.python_version(),
        "matches": matches,
        "mb_at_start": round(float(size[0]), 1),
        "mb_at_half": round(float(np.interp(matches / 2, finished, size)), 1),
        "mb_at_end": round(float(size[-1]), 1),
        "mb_at_most": round(float(size.max()), 1),
        "mb_per_1000_matches": round(1000 * float(growth), 3),
        "end_relative_to_half": round(float(size[-1] / np.interp(matches / 2, finished, size)), 3),
    }
    if matches < FULL:
        found[f"mb_after_{FULL}_extrapolated"] = round(float(size[-1] + growth * (FULL - matches)), 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    options = parser.parse_args()
    command = [sys.executable, "-m", "ludometer.testing.fake_provider", "--behaviour", "tictactoe"]
    provider = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert provider.stdout is not None
        url = provider.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            found = report(play(options.matches, url, Path(folder) / "run"), options.matches)
    finally:
        provider.kill()
        provider.wait()
    for name, value in found.items():
        print(f"{name}: {value}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
