"""How often the rating table's 95% intervals hold the true strength in small tournaments, by simulation.

    python benchmarks/small_tournaments.py [--replications 1000] [--out FILE]

A round robin of a few entrants, or one newcomer among twelve; true strengths from a normal distribution; the first seat
is worth 50 points. A group of games has a share of its luck in common. Fitted by `ludometer.ratings`, with Davidson's
ties, as `ludometer leaderboard` does. Every number follows from the seeds; nothing is measured in time.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, ndtr

from ludometer.ratings import Games, fit
from ludometer.ratings.intervals import entrant_errors
from ludometer.ratings.scale import POINTS

SEAT = 50.0


class Case(NamedTuple):
    """Entrants, how often all meet, the share of luck a meeting has in common, draws between equals, the standard
    deviation of strengths, games per meeting, whether the seats are exchanged, and meetings of a newcomer (0: none)."""

    name: str
    entrants: int
    repeats: int
    luck: float
    draws: float = 0.0
    sd: float = 120.0
    games: int = 2
    exchanged: bool = True
    newcomer: int = 0


CASES = (
    *(
        Case("few entrants", n, k, luck)
        for n, ks in ((3, (2, 4, 5, 6)), (5, (1, 2, 3)))
        for k in ks
        for luck in (0, 0.7)
    ),
    *(Case("thirteen", 13, 1, luck, draws) for luck, draws in ((0, 0), (0.7, 0), (0.4, 1 / 3), (0.95, 0))),
    *(Case("single games", 13, 2, luck, games=1) for luck in (0, 0.7)),
    *(Case("four games a group", 7, 1, luck, games=4) for luck in (0, 0.7)),
    *(Case("seats not exchanged", 13, 1, luck, exchanged=False) for luck in (0.5, 0.9)),
    *(Case("a newcomer", 13, 3, luck, newcomer=k) for k in (2, 4, 8) for luck in (0, 0.7)),
    *(Case("as far apart as the prior says", 13, k, luck, sd=200.0) for k in (1, 2) for luck in (0, 0.7)),
)


def played(case: Case, truth: np.ndarray, random: np.random.Generator) -> Games:
    """The games of one tournament."""
    n = case.entrants - (case.newcomer > 0)
    one, other = (np.tile(side, case.repeats) for side in np.triu_indices(n, 1))
    if case.newcomer:
        one = np.append(one, np.full(case.newcomer, n))
        other = np.append(other, random.permutation(n)[: case.newcomer])
    common = math.sqrt(case.luck) * random.normal(size=len(one))
    columns = []
    for turn in range(case.games):
        first, second = (other, one) if turn % 2 and case.exchanged else (one, other)
        mean = expit((truth[first] - truth[second] + SEAT) / POINTS)
        half = case.draws * np.minimum(mean, 1 - mean)
        rank = ndtr(common + math.sqrt(1 - case.luck) * random.normal(size=len(one)))
        score = np.where(rank < mean - half, 1.0, np.where(rank < mean + half, 0.5, 0.0))
        columns.append((first, second, score, np.arange(len(one))))
    first, second, score, cluster = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Games.from_arrays([f"{i:02}" for i in range(case.entrants)], first, second, score, cluster=cluster)


def coverage(case: Case, replications: int) -> dict[str, Any]:
    """How often intervals hold, and how often they would if luck in common were unknown to them (Laplace)."""
    inside, unaware, games = [], [], 0.0
    for number in range(replications):
        random = np.random.default_rng((7, number))
        truth = random.normal(0, case.sd, case.entrants)
        result = fit(played(case, truth, random), ties="davidson")
        off = np.abs(result.points - result.points.mean() - (truth - truth.mean()))
        looked_at = slice(-1, None) if case.newcomer else slice(None)
        inside.append((off < 1.96 * entrant_errors(result)[0])[looked_at].mean())
        unaware.append((off < 1.96 * entrant_errors(replace(result, pooled=None))[0])[looked_at].mean())
        games = float(result.tally.games[-1])
    return {
        **case._asdict(),
        "games_each": games,
        "coverage": float(np.mean(inside)),
        "error": float(np.std(inside, ddof=1) / math.sqrt(replications)),
        "without_pooling": float(np.mean(unaware)),
        "replications": replications,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--replications", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "small_tournaments.json")
    arguments = parser.parse_args()
    rows = []
    for case in CASES:
        rows.append(coverage(case, arguments.replications))
        print(json.dumps(rows[-1]), flush=True)
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
