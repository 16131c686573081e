"""How fast games are played at random: as ratios to OpenSpiel, whose rules many games use, and to TextArena.

``python benchmarks/random_play.py [--out FILE] [--quick] [--textarena FOLDER]``

1. ``rollout``: whole random games on an engine of their own, against the same loop over OpenSpiel from Python.
2. The same random games replayed through `Game` (values: states are never changed) and through TextArena's
   environments, which are the closest peer in purpose. Three ways of ours are timed: ``apply`` alone; as a referee
   does it (``parse``, ``check``, ``apply``); and with the next player's observation drawn as text besides. TextArena is
   timed in the loop of its manual (``get_observation`` and ``step``), and with ``step`` alone and without its wrappers.
   Its step reads, judges and plays a move and writes out the board, so that only the third way does as much; the first
   is what searching and training need.
   TextArena is installed into an environment of its own (by default a temporary one): it is no dependency of this
   project. Where it cannot be installed, that is said and the rest is measured.

What counts is processor time, and of several rounds the best: other work on the machine only ever slows a side down.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel

from ludometer.core import AnyGame, Chance, make_game

RESULTS = Path(__file__).parent / "results" / "random_play.json"
ROUNDS = 7
TEXTARENA = "0.7.4"


class Recorded(NamedTuple):
    """A random game: our notation of its moves, and TextArena's."""

    ours: list[str]
    theirs: list[str]


def best(run: Callable[[], int], rounds: int) -> tuple[float, int]:
    """Processor seconds of the quickest round, and what it counted."""
    return min(_timed(run) for _ in range(rounds))


def _timed(run: Callable[[], int]) -> tuple[float, int]:
    started = time.process_time()
    count = run()
    return time.process_time() - started, count


# ------------------------------------------------------------------- OpenSpiel

ROLLOUTS: Mapping[str, tuple[str, dict[str, Any], int]] = {
    "connect4": ("connect_four", {}, 400),
    "chess": ("chess", {}, 3),
    "go": ("go(board_size=9)", {"size": 9}, 20),
}
"""OpenSpiel's game, our options, and games per round."""


def raw_games(rules: Any, seeds: list[int]) -> int:
    """Random games over OpenSpiel alone; returns their number of moves.

    The generator is that of ``rollout``: both sides play the very same games. (With ``random.choice`` in its place
    the raw loop is slower.)
    """
    moves = 0
    for luck in seeds:
        state = rules.new_initial_state()
        while not state.is_terminal():
            luck = (luck * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            actions = state.legal_actions()
            state.apply_action(actions[(luck >> 33) % len(actions)])
            moves += 1
        state.returns()
    return moves


def rollout_ratio(name: str, quick: bool) -> dict[str, Any]:
    """Moves a second of ours as a share of OpenSpiel's, on the same random games."""
    spec, options, count = ROLLOUTS[name]
    rules, game = pyspiel.load_game(spec), make_game(name, options)
    start = game.new(2, Chance.from_seed(0))
    count = max(1, count // 4) if quick else count
    seeds = [Chance(i).bits()[0] for i in range(count)]

    def own() -> int:
        for i in range(count):
            game.rollout(start, Chance(i))  # type: ignore[attr-defined]
        return count

    rounds = [(_timed(lambda: raw_games(rules, seeds)), _timed(own)) for _ in range(3 if quick else ROUNDS)]
    (raw_seconds, moves), (own_seconds, _) = min(raw for raw, _ in rounds), min(own for _, own in rounds)
    raw_rate, own_rate = moves / raw_seconds, moves / own_seconds
    return {"ratio": own_rate / raw_rate, "ours_per_s": own_rate, "openspiel_per_s": raw_rate}


# ------------------------------------------------------------------- TextArena

ENVIRONMENTS: Mapping[str, tuple[str, dict[str, Any], int]] = {
    "tictactoe": ("TicTacToe-v0", {}, 120),
    "connect4": ("ConnectFour-v0", {}, 60),
    "chess": ("Chess-v0", {"max_turns": 10_000}, 6),
}
"""TextArena's environment, its options, and games per round."""

LONGEST = 120
"""Moves of a game that are replayed."""

THEIR_SIDE = """
import json, sys, time
import textarena as ta
names, rounds = json.load(sys.stdin)
found = {}
for game, (name, options, games) in names.items():
    times, moves = {"loop": [], "step": []}, sum(map(len, games))
    try:
        for _ in range(rounds):
            for way, seconds in times.items():
                started = time.process_time()
                for played in games:
                    env = ta.make(name if way == "loop" else name + "-raw", **options)
                    env.reset(num_players=2, seed=0)
                    for move in played:
                        if way == "loop":
                            env.get_observation()
                        env.step(move)
                seconds.append(time.process_time() - started)
        found[game] = {way: moves / min(seconds) for way, seconds in times.items()}
    except Exception as error:
        found[game] = f"{type(error).__name__}: {error}"
print("RESULT" + json.dumps(found))
"""


def recorded(name: str, count: int) -> list[Recorded]:
    """Random games with every move in both notations."""
    game = make_game(name)
    games = []
    for i in range(count):
        chance = Chance.from_seed(i)
        state, ours, theirs = game.new(2, chance), [], []
        while (seats := game.to_act(state)) and len(ours) < LONGEST:
            action = game.sample(state, seats[0], chance.named("move", len(ours)))
            after = game.apply(state, {seats[0]: action})
            ours.append(game.format(state, action))
            theirs.append(f"[{their_notation(name, state, action, after)}]")
            state = after
        games.append(Recorded(ours, theirs))
    return games


def their_notation(name: str, state: Any, action: Any, after: Any) -> str:
    if name == "tictactoe":
        return str((action.row - 1) * 3 + action.column - 1)
    return str(action.steps[0]) if name == "connect4" else str(after.lans[-1])


def our_times(name: str, games: list[Recorded], rounds: int) -> dict[str, float]:
    """Moves a second of the three ways."""
    game = make_game(name)
    view = next(view for view in game.views().values() if view.kind == "text")
    parsed = [_parsed(game, one.ours) for one in games]

    def apply() -> int:
        for played in parsed:
            state = game.new(2, Chance(0))
            for moves in played:
                state = game.apply(state, moves)
            game.outcome(state)
        return sum(map(len, parsed))

    def referee(draw: bool = False) -> int:
        for one in games:
            state = game.new(2, Chance(0))
            for text in one.ours:
                (seat,) = game.to_act(state)
                action = game.parse(state, seat, text)
                game.check(state, seat, action)
                state = game.apply(state, {seat: action})
                if game.outcome(state) is None and draw:
                    view.render(game.observe(state, game.to_act(state)[0]))
        return sum(len(one.ours) for one in games)

    ways = {"apply": apply, "referee": referee, "referee_and_view": lambda: referee(draw=True)}
    return {way: count / seconds for way, run in ways.items() for seconds, count in [best(run, rounds)]}


def _parsed(game: AnyGame, texts: list[str]) -> list[dict[str, Any]]:
    """The moves of a game as ``apply`` takes them."""
    state, played = game.new(2, Chance(0)), []
    for text in texts:
        (seat,) = game.to_act(state)
        played.append({seat: game.parse(state, seat, text)})
        state = game.apply(state, played[-1])
    return played


def install_textarena(folder: Path) -> Path | str:
    """A Python with TextArena in an environment of its own, or the sentence that says why there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    command = [str(python), "-m", "pip", "install", "--quiet", f"textarena=={TEXTARENA}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return f"TextArena {TEXTARENA} could not be installed: {done.stderr.strip().splitlines()[-1:]}"
    if sys.version_info < (3, 12):
        _make_readable(python)
    return python


def _make_readable(python: Path) -> None:
    """One line of TextArena's chess needs Python 3.12 (quotes inside an f-string): here they are tripled, in the
    environment of this benchmark only."""
    find = "import importlib.util as u; print(u.find_spec('textarena').submodule_search_locations[0])"
    root = subprocess.run([str(python), "-c", find], capture_output=True, text=True, check=True).stdout.strip()
    file = Path(root) / "envs" / "Chess" / "env.py"
    lines = [
        line.replace('f"\\nValid moves', 'f"""\\nValid moves').replace('.legal_moves])}"#', '.legal_moves])}"""#')
        if 'f"\\nValid moves' in line
        else line
        for line in file.read_text(encoding="utf-8").split("\n")
    ]
    file.write_text("\n".join(lines), encoding="utf-8")


def textarena_ratios(folder: Path, quick: bool) -> dict[str, Any] | str:
    """Moves a second of ours as multiples of TextArena's, on the same games."""
    rounds = 2 if quick else ROUNDS
    python = install_textarena(folder)
    if isinstance(python, str):
        return python
    games = {
        name: recorded(name, max(2, count // 4) if quick else count) for name, (_, _, count) in ENVIRONMENTS.items()
    }
    asked = {
        name: [environment, options, [one.theirs for one in games[name]]]
        for name, (environment, options, _) in ENVIRONMENTS.items()
    }
    done = subprocess.run(
        [str(python), "-c", THEIR_SIDE], check=False, input=json.dumps([asked, rounds]), capture_output=True, text=True
    )
    shown = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not shown:
        return f"TextArena could not be run: {done.stderr.strip().splitlines()[-1:]}"
    found: dict[str, Any] = {}
    for name, theirs in json.loads(shown[-1].removeprefix("RESULT")).items():
        if isinstance(theirs, str):
            found[name] = f"TextArena's {name} could not be run: {theirs}"
            continue
        rates = our_times(name, games[name], rounds)
        ratios = {way: rate / theirs["loop"] for way, rate in rates.items()}
        found[name] = {
            "ratios": {**ratios, "apply_to_step": rates["apply"] / theirs["step"]},
            "ours_per_s": rates,
            "textarena_per_s": theirs,
        }
    return found


# ------------------------------------------------------------------------ main


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    parser.add_argument("--quick", action="store_true", help="a small number of short rounds")
    parser.add_argument("--textarena", type=Path, help="folder of TextArena's environment, kept for the next time")
    options = parser.parse_args()
    results: dict[str, Any] = {"python": platform.python_version(), "machine": platform.machine()}
    results["rollout"] = {}
    for name in ROLLOUTS:
        row = results["rollout"][name] = rollout_ratio(name, options.quick)
        print(f"rollout {name:10} {row['ratio']:6.2f} of raw OpenSpiel ({row['ours_per_s']:.0f} moves/s)", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        peer = textarena_ratios(options.textarena or Path(scratch) / "venv", options.quick)
    results["textarena"] = peer
    results["textarena_version"] = TEXTARENA
    if isinstance(peer, str):
        print(peer)
    else:
        for name, row in peer.items():
            print(row if isinstance(row, str) else _line(name, row))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _line(name: str, row: Mapping[str, Any]) -> str:
    ratios = row["ratios"]
    return (
        f"{name:10} apply {ratios['apply']:.1f}x TextArena's loop ({ratios['apply_to_step']:.1f}x its step alone), "
        f"parse+check+apply {ratios['referee']:.1f}x, with a view {ratios['referee_and_view']:.1f}x "
        f"({row['ours_per_s']['apply']:.0f} moves/s)"
    )


if __name__ == "__main__":
    main()
