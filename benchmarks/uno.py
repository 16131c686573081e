"""How fast UNO is played out at random, on one core: against the same algorithm in C, and against RLCard's UNO.

``python benchmarks/uno.py [--out FILE] [--quick] [--rlcard FOLDER]``

1. The compiled playouts (`ludometer.games.uno.kernel`, needs the extra ``fast``) against `uno_rollouts.c` at ``-O3``
   for this processor, on the same positions with 2, 3, 4 and 10 seats, hands known and hidden. Both get the same luck,
   and must come to the same results to the last bit, or the program stops. Needs gcc.
2. Playouts of games for two from the first decision on against RLCard 1.2.0, where a playout is a deep copy of the game
   that random legal actions bring to its end (its ``UnoGame`` alone, without the environment around it, which would
   be slower). RLCard is installed into an environment of its own (by default a temporary one): it is no dependency of
   this project. Its rules differ a little; how long the games are is printed.
3. Five hundred random games for two, of which every decision with a choice is judged by 1,000 playouts of each action.

What counts is processor time, and of several rounds the best: other work on the machine only ever slows a side down.
What cannot be measured here is said, and the rest is measured.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludometer.core import Chance
from ludometer.games.uno import Uno, kernel
from ludometer.games.uno.packing import code_of
from ludometer.solvers.uno_judge import UnoFair, UnoOmniscient

RESULTS = Path(__file__).parent / "results" / "uno.json"
SOURCE = Path(__file__).parent / "uno_rollouts.c"
RLCARD = "1.2.0"
ROUNDS = 7
SEED = 2024


class Case(NamedTuple):
    """A position with the actions that are played out from it."""

    position: kernel.Packed
    codes: np.ndarray


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and what came out."""
    started = time.process_time()
    result = run()
    return time.process_time() - started, result


def cases(seats: int) -> list[Case]:
    """Positions from random games, each with hands known and hidden."""
    game, found = Uno(), []
    for i in range(6):
        chance = Chance.from_seed(f"benchmark {seats} {i}")
        state = game.new(seats, chance)
        for step in range(5 * i):
            seat = str(state.player + 1)
            after = game.apply(state, {seat: game.sample(state, seat, chance.named(step))})
            if not game.to_act(after):
                break
            state = after
        codes = np.array([code_of(action) for action in game.legal(state, str(state.player + 1))], np.int64)
        known = kernel.packed(state, game.rule_options, pile="reshuffled")
        found += [Case(known, codes), Case(kernel.packed(state, game.rule_options, viewer=state.player), codes)]
    return found


# --------------------------------------------------------------------------- C


def compiled_c(folder: Path) -> Callable[..., int] | str:
    """`uno_rollouts.c` as a function with `kernel.run`'s arguments, or the sentence that says why there is none."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return "there is no gcc on this machine: the playouts are not compared with C"
    library = folder / "uno_rollouts.so"
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run(command, check=True)
    function = ctypes.CDLL(str(library)).uno_run
    function.restype = ctypes.c_int64

    def run(*arguments: Any) -> int:
        lengths = len(arguments[5]), len(arguments[3]), len(arguments[6])
        return int(function(*(_as_c(argument) for argument in (*arguments, *lengths))))

    return run


def _as_c(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data_as(ctypes.c_void_p)
    return ctypes.c_uint64(int(argument)) if isinstance(argument, np.uint64) else ctypes.c_int64(argument)


def played_out(run: Callable[..., int], some: list[Case], rollouts: int) -> list[Any]:
    """Everything that came out of the playouts of some positions."""
    found = []
    for position, codes in some:
        units = np.zeros((len(codes), len(position.sizes)), np.int64)
        products = np.zeros((len(codes), len(codes)), np.int64)
        last = np.zeros(10, np.int64)
        decisions = run(*position, codes, 0, rollouts, np.uint64(SEED), units, products, last)
        found.append((int(decisions), units.tolist(), products.tolist(), last.tolist()))
    return found


def against_c(folder: Path, rounds: int, rollouts: int) -> dict[str, Any] | str:
    """Playouts a second of ours as a share of C's, by number of seats, on the same positions and luck."""
    run = compiled_c(folder)
    if isinstance(run, str):
        return run
    rows: dict[str, Any] = {}
    seconds = {"ours": 0.0, "c": 0.0}
    for seats in (2, 3, 4, 10):
        some = cases(seats)
        times: dict[str, list[float]] = {"ours": [], "c": []}
        for _ in range(rounds):
            own_seconds, own = timed(partial(played_out, kernel.run, some, rollouts))
            c_seconds, theirs = timed(partial(played_out, run, some, rollouts))
            if own != theirs:
                raise SystemExit(f"with {seats} seats the playouts and those in C differ")
            times["ours"].append(own_seconds)
            times["c"].append(c_seconds)
        count = rollouts * sum(len(case.codes) for case in some)
        ours, c = min(times["ours"]), min(times["c"])
        seconds["ours"] += ours
        seconds["c"] += c
        rows[str(seats)] = {"ratio": c / ours, "ours_per_s": count / ours, "c_per_s": count / c}
    return {"ratio": seconds["c"] / seconds["ours"], "by_seats": rows}


# ---------------------------------------------------------------------- RLCard

THEIR_SIDE = """
import json, random, sys, time
from copy import deepcopy
import numpy as np
from rlcard.games.uno.game import UnoGame
rounds, starts, playouts = json.load(sys.stdin)
games = []
for i in range(starts):
    game = UnoGame()
    game.np_random = np.random.RandomState(i)
    game.init_game()
    games.append(game)
seconds = []
for _ in range(rounds):
    luck, steps = random.Random(0), 0
    started = time.process_time()
    for game in games:
        for _ in range(playouts):
            copy = deepcopy(game)
            while not copy.is_over():
                copy.step(luck.choice(copy.get_legal_actions()))
                steps += 1
    seconds.append(time.process_time() - started)
count = starts * playouts
print("RESULT" + json.dumps([count / min(seconds), steps / count]))
"""

STARTS = 40
"""First positions that are played out."""


def install_rlcard(folder: Path) -> Path | str:
    """A Python with RLCard in an environment of its own, or the sentence that says why there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    command = [str(python), "-m", "pip", "install", "--quiet", f"rlcard=={RLCARD}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return f"RLCard {RLCARD} could not be installed: {done.stderr.strip().splitlines()[-1:]}"
    return python


def against_rlcard(folder: Path, quick: bool) -> dict[str, Any] | str:
    """Playouts a second of ours, from the first decision of games for two, as a multiple of RLCard's."""
    python = install_rlcard(folder)
    if isinstance(python, str):
        return python
    rounds = 2 if quick else ROUNDS
    asked = json.dumps([rounds, STARTS, 5 if quick else 20])
    done = subprocess.run([str(python), "-c", THEIR_SIDE], check=False, input=asked, capture_output=True, text=True)
    shown = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not shown:
        return f"RLCard could not be run: {done.stderr.strip().splitlines()[-1:]}"
    theirs, length = json.loads(shown[-1].removeprefix("RESULT"))
    game, rollouts = Uno(), 2_000
    starts = [game.new(2, Chance.from_seed(f"start {i}")) for i in range(STARTS)]
    positions = [kernel.packed(state, game.rule_options) for state in starts]

    def play_out() -> float:
        played = [kernel.playouts(position, [None], rollouts=rollouts, seed=SEED) for position in positions]
        return sum(one.decisions for one in played) / rollouts / STARTS

    seconds, decisions = min(timed(play_out) for _ in range(rounds))
    ours = rollouts * STARTS / seconds
    return {
        "ratio": ours / theirs,
        "ours_per_s": ours,
        "rlcard_per_s": theirs,
        "our_decisions": decisions,
        "rlcard_steps": length,
    }


# --------------------------------------------------------------------- judging


def judged(judge: UnoFair | UnoOmniscient, games: int) -> dict[str, float]:
    """Seconds that it takes to judge random games for two, the rules' own time included."""
    game = Uno()
    decisions = 0
    started = time.process_time()
    for i in range(games):
        chance = Chance.from_seed(f"judged {i}")
        state, step = game.new(2, chance), 0
        while seats := game.to_act(state):
            actions = game.legal(state, seats[0])
            if len(actions) > 1:
                judge.judgement(game, state, seats[0])
                decisions += 1
            state = game.apply(state, {seats[0]: chance.named("move", step).choice(actions)[0]})
            step += 1
    seconds = time.process_time() - started
    return {"games": games, "decisions": decisions, "rollouts_per_action": judge.rollouts, "seconds": seconds}


# ------------------------------------------------------------------------ main


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    parser.add_argument("--quick", action="store_true", help="a small number of short rounds")
    parser.add_argument("--rlcard", type=Path, help="folder of RLCard's environment, kept for the next time")
    options = parser.parse_args()
    if not kernel.COMPILED:
        raise SystemExit("the playouts are not compiled; install numba: pip install 'ludometer[fast]'")
    kernel.run(*_first_call())
    results: dict[str, Any] = {"python": platform.python_version(), "machine": platform.machine()}
    with tempfile.TemporaryDirectory() as scratch:
        c = against_c(Path(scratch), 3 if options.quick else ROUNDS, 500 if options.quick else 3_000)
        results["c"] = c
        print(c if isinstance(c, str) else _c_lines(c), flush=True)
        peer = against_rlcard(options.rlcard or Path(scratch) / "venv", options.quick)
        results["rlcard"] = peer
        print(peer if isinstance(peer, str) else _rlcard_line(peer), flush=True)
    results["rlcard_version"] = RLCARD
    results["judged"] = {}
    for judge in (UnoFair(), UnoOmniscient()):
        row = results["judged"][judge.name] = judged(judge, 20 if options.quick else 500)
        print(f"{judge.name}: {row['games']} games, {row['decisions']} decisions judged in {row['seconds']:.0f} s")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _first_call() -> tuple[Any, ...]:
    """Arguments that make numba compile, so that compiling is not measured."""
    position, codes = cases(2)[0]
    units, products = np.zeros((len(codes), 2), np.int64), np.zeros((len(codes), len(codes)), np.int64)
    return *position, codes, 0, 1, np.uint64(SEED), units, products, np.zeros(10, np.int64)


def _c_lines(c: dict[str, Any]) -> str:
    lines = [
        f"{seats:>2} seats: {row['ratio']:.2f} of C at -O3 ({row['ours_per_s']:,.0f} playouts/s), results identical"
        for seats, row in c["by_seats"].items()
    ]
    return "\n".join([*lines, f"together: {c['ratio']:.2f} of C at -O3"])


def _rlcard_line(peer: dict[str, Any]) -> str:
    return (
        f"{peer['ratio']:,.0f} times RLCard {RLCARD} ({peer['ours_per_s']:,.0f} against {peer['rlcard_per_s']:,.0f} "
        f"playouts/s; {peer['our_decisions']:.0f} decisions a game against {peer['rlcard_steps']:.0f} steps)"
    )


if __name__ == "__main__":
    main()
