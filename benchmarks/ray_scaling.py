"""How a Ray cluster scales: the moves of one run judged by one worker and by two.

``python benchmarks/ray_scaling.py [--matches N] [--rounds N] [--out FILE]`` plays UNO between two random players,
starts a cluster of this machine with two processors, and has all moves judged by Monte Carlo, in turn by one worker and
by two; every round judges with another number of playouts, so that nothing is remembered from the round before. What
counts is the median of the rounds' ratios. Two processors that are shared with other programs show less than there is,
and so every round also measures how much more two bare processes compute than one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from ludometer.analysis.quality_values import analyze_moves
from ludometer.store import RunStore
from ludometer.tournaments import load_config, start
from ludometer.tournaments.on_ray.cluster import Cluster
from ludometer.tournaments.on_ray.compute import ClusterComputer

RESULTS = Path(__file__).parent / "results" / "ray_scaling.json"
PLAYOUTS = 2000
BARE_STEPS = 6_000_000


def spin(_: int) -> float:
    """Computes for a while; returns the seconds by the clock."""
    begun = time.perf_counter()
    total = 0
    for i in range(BARE_STEPS):
        total += i & 7
    return time.perf_counter() - begun


def bare_ratio() -> float:
    """How much more two processes compute than one, without any of our own code."""
    with multiprocessing.Pool(2) as pool:
        pool.map(spin, range(2))
        one = time.perf_counter()
        pool.apply(spin, (0,))
        pool.apply(spin, (0,))
        two = time.perf_counter()
        pool.map(spin, range(2), chunksize=1)
        end = time.perf_counter()
    return (two - one) / (end - two)


async def seconds(store: RunStore, computer: ClusterComputer, workers: int, playouts: int) -> tuple[float, int]:
    """How long it takes to judge all moves of a run, and how many there are."""
    begun = time.perf_counter()
    progress = await analyze_moves(store, evaluator=f"uno_fair:rollouts={playouts}", workers=workers, computer=computer)
    return time.perf_counter() - begun, progress.judged


def measured(matches: int, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        table = {"game": "uno", "players": ["random", {"player": "random", "name": "other"}]}
        config = load_config({**table, "schedule": {"repeats": matches // 2}})
        asyncio.run(start(config, Path(folder) / "run"))
        begun = time.perf_counter()
        cluster = Cluster(processors=2)
        started = time.perf_counter() - begun
        try:
            computer = ClusterComputer(cluster)
            with RunStore.open(Path(folder) / "run", write=True) as store:
                asyncio.run(seconds(store, computer, 2, 10))  # imports, and what numba compiles
                asyncio.run(seconds(store, computer, 4, 11))
                times = []
                for i in range(rounds):
                    one, moves = asyncio.run(seconds(store, computer, 1, PLAYOUTS + 2 * i))
                    two, _ = asyncio.run(seconds(store, computer, 2, PLAYOUTS + 2 * i + 1))
                    bare = bare_ratio()
                    times.append((one, two, bare))
                    print(f"{moves} moves: {one:.2f} s with one worker, {two:.2f} s with two: {one / two:.2f}", end="")
                    print(f"; a bare computation: {bare:.2f}", flush=True)
        finally:
            cluster.close()
    return {
        "moves": moves,
        "playouts": PLAYOUTS,
        "cluster_start_seconds": round(started, 1),
        "seconds": [[round(one, 2), round(two, 2)] for one, two, _ in times],
        "ratios": [round(one / two, 2) for one, two, _ in times],
        "ratio": round(statistics.median(one / two for one, two, _ in times), 2),
        "bare_ratio": round(statistics.median(bare for _, _, bare in times), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    found = {"python": platform.python_version(), "cpus": os.cpu_count(), **measured(given.matches, given.rounds)}
    print(f"two workers judge {found['ratio']:.2f} times as fast as one; a bare computation: {found['bare_ratio']:.2f}")
    given.out.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
