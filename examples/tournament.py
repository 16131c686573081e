"""A tournament of two players on two boards, its results by seat, and ratings with their intervals.

Run it:  python examples/tournament.py [FOLDER]

In place of "random" a language model can play, for example "openai/gpt-5-mini" with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import ludometer


def main(folder: Path) -> None:
    run = ludometer.run(
        {
            "name": "example",
            "games": ["tictactoe", {"name": "tictactoe", "rows": 3, "columns": 4, "line": 3}],
            "players": ["random", "perfect"],
            "schedule": {"kind": "round_robin", "repeats": 10},
            "seed": 1,
        },
        dir=folder,
    )
    matches = run.matches()
    print(matches.groupby(["game", "player_1", "player_2"])["score_1"].agg(["count", "mean"]))
    for row in run.ratings(anchor=("random", 0.0)).rows:
        interval = f"{row.low:.0f} to {row.high:.0f}"
        print(f"{row.name:8} {row.rating:6.0f}  ({interval}, {row.games} games, {row.interval})")
    verified = run.verify()
    print(f"{verified.matches} matches judged again from the log: {'all agree' if verified.passed else 'they differ'}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(Path(scratch) / "run")
