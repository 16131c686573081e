"""How long a random game of Risk for four takes, against a limit of 50 ms.

``python benchmarks/risk.py [--out FILE] [--quick]``

Whole games on the classic map, played through `Game` as searchers and rollouts play them: ``to_act``, ``sample`` and
``apply`` until there is an ``outcome``. Three ways more are timed for comparison: attacks of one roll each, the small
map, and ``legal`` and ``check`` in every position besides, as a referee needs them.

What counts is processor time. Every round plays the same games; of several rounds the best is taken, since other work
on the machine only ever slows it down. The program ends with 1 where the limit is not kept.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ludometer.core import AnyGame, Chance, make_game

RESULTS = Path(__file__).parent / "results" / "risk.json"
LIMIT_MS: Final = 50.0
"""Milliseconds that a random game of four on the classic map may take on average."""

PLAYERS: Final = 4
GAMES: Final = 20
ROUNDS: Final = 5

WAYS: Mapping[str, tuple[dict[str, Any], bool]] = {
    "classic": ({}, False),
    "classic, single rolls": ({"blitz": False}, False),
    "small": ({"map": "small"}, False),
    "classic, with legal and check": ({}, True),
}
"""Options of the game, and whether every position is judged besides."""


def play(game: AnyGame, seed: int, *, judged: bool) -> int:
    """One random game; returns its number of decisions."""
    chance = Chance.from_seed(seed)
    state, luck, decisions = game.new(PLAYERS, chance), chance.named("moves"), 0
    while seats := game.to_act(state):
        # Streams by number, as searchers do it: hashing a name for every decision would cost as much as the decision.
        action = game.sample(state, seats[0], Chance(luck.key, 64 * decisions))
        if judged:
            game.legal(state, seats[0])
            game.check(state, seats[0], action)
        state = game.apply(state, {seats[0]: action})
        decisions += 1
    game.outcome(state)
    return decisions


def measured(options: dict[str, Any], judged: bool, games: int, rounds: int) -> dict[str, float]:
    """Milliseconds per game in the best round, and decisions per game."""
    game = make_game("risk", options)
    best, decisions = float("inf"), 0
    for _ in range(rounds):
        started = time.process_time()
        decisions = sum(play(game, seed, judged=judged) for seed in range(games))
        best = min(best, time.process_time() - started)
    return {"ms_per_game": 1000 * best / games, "decisions_per_game": decisions / games}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    parser.add_argument("--quick", action="store_true", help="fewer games")
    options = parser.parse_args()
    games, rounds = (5, 2) if options.quick else (GAMES, ROUNDS)
    results: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "players": PLAYERS,
        "limit_ms": LIMIT_MS,
        "games": {},
    }
    for name, (game_options, judged) in WAYS.items():
        row = results["games"][name] = measured(game_options, judged, games, rounds)
        print(f"{name:30} {row['ms_per_game']:7.1f} ms a game, {row['decisions_per_game']:.0f} decisions", flush=True)
    spent = results["games"]["classic"]["ms_per_game"]
    kept = results["kept"] = spent <= LIMIT_MS
    print(f"limit {LIMIT_MS:g} ms: {'kept' if kept else 'NOT KEPT'} ({spent / LIMIT_MS:.0%} of it)")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
