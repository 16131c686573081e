"""Speed of rating fits, side by side with choix and evalica on the same results in the same run.

    python benchmarks/ratings.py [--games 1000000] [--entrants 13] [--repeats 3] [--out benchmarks/results/ratings.json]

Times are CPU seconds, the best of the repeats; what counts is the ratio to our plain fit. Rating tools differ in what
they compute: the peers return strengths only, ours come with a covariance. The last two rows are what Ludometer does by
default (a first-mover term, a prior, intervals clustered on pairs of games), with and without Davidson's draws. Ratings
that should agree are compared: the last number is the largest difference from our plain fit, in points.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import choix
import evalica
import numpy as np
import scipy

from ludometer.ratings import Games, elo_ratings, fit, rate
from ludometer.ratings.scale import POINTS

REFERENCE = "ludometer, plain Bradley-Terry"


def simulate(games: int, entrants: int, draws: float) -> Games:
    """Pairs of games with the seats swapped, from a known truth; each pair is a duplicate group."""
    rng = np.random.default_rng(0)
    truth = rng.normal(0, 1, entrants)
    one = rng.integers(0, entrants, games // 2)
    two = (one + rng.integers(1, entrants, games // 2)) % entrants
    first, second = np.stack([one, two], 1).ravel(), np.stack([two, one], 1).ravel()
    won = rng.random(len(first)) < 1 / (1 + np.exp(-(truth[first] - truth[second] + 0.3)))
    score = np.where(rng.random(len(first)) < draws, 0.5, won)
    names = [f"entrant {number:02}" for number in range(entrants)]
    return Games.from_arrays(names, first, second, score, cluster=np.repeat(np.arange(games // 2), 2))


def contenders(decided: Games, drawn: Games) -> dict[str, Callable[[], Any]]:
    """What is timed. Conversion of the results into a peer's own input format is not."""
    first, second, won = decided.first.tolist(), decided.second.tolist(), (decided.score == 1.0).tolist()
    pairs = [(a, b) if w else (b, a) for a, b, w in zip(first, second, won, strict=True)]
    n = len(decided.entrants)
    wins = np.zeros((n, n))
    np.add.at(wins, tuple(np.array(pairs).T), 1)
    winners = [evalica.Winner.X if w else evalica.Winner.Y for w in won]
    alone = Games.from_arrays(decided.entrants, decided.first, decided.second, decided.score)
    index = np.argwhere(wins)
    counted = Games.from_arrays(decided.entrants, *index.T, np.ones(len(index)), weight=wins[tuple(index.T)])
    return {
        REFERENCE: lambda: fit(alone, seat=False, prior=None).points,
        f"{REFERENCE}, counts given": lambda: fit(counted, seat=False, prior=None).points,
        "choix.ilsr_pairwise": lambda: choix.ilsr_pairwise(n, pairs, alpha=0.0) * POINTS,
        "choix.ilsr_pairwise_dense, counts given": lambda: choix.ilsr_pairwise_dense(wins, alpha=0.0) * POINTS,
        "evalica.bradley_terry": lambda: _evalica(evalica.bradley_terry(first, second, winners, tolerance=1e-9), n),
        "evalica.elo": lambda: evalica.elo(first, second, winners, k=32.0, initial=1500.0),
        "ludometer, Elo": lambda: elo_ratings(alone),
        "ludometer, default table": lambda: rate(drawn),
        "ludometer, default table with Davidson draws": lambda: rate(drawn, ties="davidson"),
    }


def _evalica(result: Any, n: int) -> np.ndarray:
    return np.log(result.scores.loc[range(n)].to_numpy()) * POINTS


def measure(run: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Best CPU seconds and the last result."""
    times, result = [], None
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--entrants", type=int, default=13)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/ratings.json"))
    options = parser.parse_args()
    decided = simulate(options.games, options.entrants, 0.0)
    drawn = simulate(options.games, options.entrants, 0.1)
    rows: list[dict[str, Any]] = []
    reference = np.empty(0)
    for name, run in contenders(decided, drawn).items():
        seconds, result = measure(run, options.repeats)
        row: dict[str, Any] = {"name": name, "cpu_seconds": seconds}
        if name == REFERENCE:
            reference = result - result.mean()
        if isinstance(result, np.ndarray):
            row["largest_difference_points"] = float(np.abs(result - result.mean() - reference).max())
        row["ratio"] = seconds / rows[0]["cpu_seconds"] if rows else 1.0
        rows.append(row)
        agreement = f"{row['largest_difference_points']:9.4f}" if "largest_difference_points" in row else " " * 9
        print(f"{name:46} {seconds:9.3f} s  x {row['ratio']:8.2f}  {agreement}", flush=True)
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    report = {
        "games": options.games,
        "entrants": options.entrants,
        "repeats": options.repeats,
        "machine": platform.machine(),
        "versions": versions | {"evalica": evalica.__version__},
        "rows": rows,
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
