"""What luck adjustment does to means, variances and intervals, in matches that are really played by simple players.

    python benchmarks/luck.py [--matches N] [--game NAME ...] [--intervals] [--out FILE]

Two players of different strength play duplicate groups of two matches, with the same luck and the seats exchanged.
``single`` counts the first match of every group only (luck as it comes), ``duplicates`` both. Checked is, with
standard errors over groups: whether every luck term has mean zero; by how much the adjustment moved the mean; what is
left of the variance. With ``--intervals``, and many more matches of games that are soon played: how often 95% intervals
of runs of so many groups contain the mean of all groups. Everything follows from numbered seeds; nothing is measured in
time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.analysis.luck import adjusted_mean, adjusted_values, terms_for, variance_ratio
from ludometer.core import AnyGame, Chance
from ludometer.core.registry import make_game
from ludometer.games._poker_hand import CARDS
from ludometer.games.liars_dice import CALL, bid_probability
from ludometer.ratings import mean_interval

MATCHES = {
    "openspiel:kuhn_poker": 76_000,
    "uno": 2_000,
    "poker": 800,
    "openspiel:leduc_poker": 8_000,
    "liars_dice": 12_000,
    "risk": 800,
    "openspiel:backgammon": 400,
}
"""100,000 in all."""

OPTIONS: dict[str, dict[str, Any]] = {
    "poker": {"hands": 10, "mode": "cash", "sizes": "few"},
    "liars_dice": {"rounds": "last_standing", "dice": 3},
    "risk": {"map": "small"},
}
SIZES = (20, 30, 40, 50, 60, 100, 200)
"""Groups of a run whose interval is looked at."""
LONG = {"openspiel:kuhn_poker": 480_000, "openspiel:leduc_poker": 120_000}
"""Matches for these."""
RUNS = 2_000
"""Runs at most."""

Policy = Callable[[AnyGame, Any, str, Chance], Any]


def at_random(game: AnyGame, state: Any, seat: str, chance: Chance) -> Any:
    return game.sample(state, seat, chance)


def by_dice(game: Any, state: Any, seat: str, chance: Chance, limit: float = 0.45) -> Any:
    """Liar's dice: calls what is less likely than the limit, else bids the most likely of the next bids."""
    own = state.hands[int(seat) - 1]
    moves = list(game.legal(state, seat))
    others = sum(state.dice) - len(own)

    def odds(quantity: int, face: int) -> float:
        return float(bid_probability(own, others, quantity, face, False))

    if state.bids and odds(*state.bids[-1][1:]) < limit:
        return CALL
    bids = [move for move in moves if move != CALL][:6]
    return max(bids, key=lambda bid: odds(bid.quantity, bid.face)) if bids else CALL


def too_trusting(game: Any, state: Any, seat: str, chance: Chance) -> Any:
    """Liar's dice: the same, but calls late."""
    return by_dice(game, state, seat, chance, 0.15)


def by_cards(game: Any, state: Any, seat: str, chance: Chance) -> Any:
    """Kuhn and Leduc: raises with the best card, never with the worst."""
    moves = list(game.legal(state, seat))
    private = state.history[game.seats.index(seat)]
    strong = private >= (2 if "kuhn" in game.spec else 4)
    return moves[-1] if strong else moves[0] if private < 2 else game.sample(state, seat, chance)


def by_function(game: Any, state: Any, seat: str, chance: Chance) -> Any:
    """UNO: keeps wild cards and challenges never."""
    moves = list(game.legal(state, seat))
    cards = [move for move in moves if move.kind == "card"]
    return min(cards, key=lambda move: (move.value >= 52, -(move.value % 13))) if cards else moves[-1]


def by_hole(game: Any, state: Any, seat: str, chance: Chance) -> Any:
    """Poker: folds low cards without a pair to a bet, raises pairs and aces, else plays at random."""
    one, two = state.hand.holes[int(seat) - 1]
    high = max(CARDS.index(one), CARDS.index(two)) // 4
    board = {card[0] for card in state.hand.board}
    paired = one[0] == two[0] or one[0] in board or two[0] in board
    moves = list(game.legal(state, seat))
    kinds = {move.kind: move for move in moves}
    if paired or (high == 12 and not board):
        return kinds.get("raise") or kinds.get("bet") or moves[-1]
    if high < 9 and "fold" in kinds:
        return kinds["fold"]
    return kinds.get("call") or kinds.get("check") or game.sample(state, seat, chance)


POLICIES: dict[str, Policy] = {
    "openspiel:kuhn_poker": by_cards,
    "openspiel:leduc_poker": by_cards,
    "liars_dice": by_dice,
    "uno": by_function,
    "poker": by_hole,
}


def played(
    game: AnyGame, policies: dict[str, Policy], luck: Chance, seed: Chance
) -> tuple[list[Any], dict[str, float]]:
    """The states of a match and its scores; chips, where it has payoffs of poker."""
    state = game.new(2, luck)
    states = [state]
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_act(state)
        action = policies[seat](game, state, seat, seed.named(len(states)))
        state = game.apply(state, {seat: action})
        states.append(state)
    return states, dict(outcome.scores)


def matches(name: str, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Scores of the better player, its luck terms, and the groups."""
    game = make_game(name, OPTIONS.get(name, {}))
    found, why = terms_for(game)
    assert found is not None, why
    better = POLICIES.get(name, at_random)
    other = too_trusting if name == "liars_dice" else at_random
    root = Chance.from_seed("benchmark").named(name)
    seats = [role.name for role in game.roles(2)]
    values, terms = [], []
    for number in range(count):
        group, turn = divmod(number, 2)
        mine = seats[turn]
        policies = {seat: better if seat == mine else other for seat in seats}
        seed = root.named("play", number)
        states, scores = played(game, policies, root.named("luck", group), seed)
        values.append(scores[mine])
        terms.append(list(found.terms(game, states, seed.named("terms"))[turn]))
    return np.array(values), np.array(terms), np.arange(count) // 2, list(found.titles)


def summary(y: np.ndarray, terms: np.ndarray, group: np.ndarray) -> dict[str, Any]:
    """Mean, term means, ratio and coverage of one player's matches."""
    one = np.zeros(len(y))
    adjusted = adjusted_values(y, terms, one, group)
    ratio = variance_ratio(y, adjusted, one, group)
    moved = mean_interval(adjusted - y, group)
    zs = []
    for k in range(terms.shape[1]):
        mean = mean_interval(terms[:, k], group)
        half = mean.high - mean.value
        zs.append(1.96 * mean.value / half if half > 1e-9 else 0.0)
    return {
        "matches": len(y),
        "groups": ratio.groups,
        "mean": float(y.mean()),
        "moved": moved.value,
        "moved_z": 1.96 * moved.value / max(1e-12, moved.high - moved.value),
        "term_z": zs,
        "ratio": ratio.value,
        "low": ratio.low,
        "high": ratio.high,
    }


def intervals(y: np.ndarray, terms: np.ndarray, group: np.ndarray) -> list[dict[str, Any]]:
    """Of runs of so many groups: how often an interval for the mean holds that of all groups, as played (Student's t),
    adjusted with Student's t, and adjusted as it is shown."""
    truth = {"plain": y.mean(), "students": 0.0, "shown": 0.0}
    truth["students"] = truth["shown"] = adjusted_values(y, terms, np.zeros(len(y)), group).mean()
    order = np.argsort(group, kind="stable")
    each = len(y) // (int(group.max()) + 1)
    rows = []
    for size in SIZES:
        runs = min(RUNS, len(y) // (size * each))
        held = dict.fromkeys(truth, 0)
        width = dict.fromkeys(truth, 0.0)
        for number in range(runs):
            part = order[number * size * each : (number + 1) * size * each]
            own, of = adjusted_values(y[part], terms[part], np.zeros(len(part)), group[part]), group[part]
            found = mean_interval(y[part], of), mean_interval(own, of), adjusted_mean(own, of)
            for kind, interval in zip(truth, found, strict=True):
                held[kind] += interval.low <= truth[kind] <= interval.high
                width[kind] += (interval.high - interval.low) / runs
        rows.append({"groups": size, "runs": runs, "width": width} | {k: count / runs for k, count in held.items()})
    return rows


def of_intervals(results: dict[str, Any], count: int | None) -> None:
    """The part ``intervals`` of the results."""
    for name, usual in LONG.items():
        y, terms, group, _ = matches(name, count or usual)
        first = (np.arange(len(y)) % 2) == (group % 2)
        found = {"single": intervals(y[first], terms[first], group[first]), "duplicates": intervals(y, terms, group)}
        results.setdefault("intervals", {})[name] = found
        for what, rows in found.items():
            for row in rows:
                print(f"{name:24} {what:10}", json.dumps(row), flush=True)


def line(name: str, what: str, row: dict[str, Any]) -> str:
    z = " ".join(f"{value:+.1f}" for value in row["term_z"])
    return (
        f"{name:24} {what:10} n={row['matches']:6} mean {row['mean']:.4f} moved {row['moved']:+.5f} "
        f"(z {row['moved_z']:+.1f}) terms z {z} | left {row['ratio']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=list(MATCHES))
    parser.add_argument("--matches", type=int, help="instead of the usual number for each game")
    parser.add_argument("--intervals", action="store_true", help="how often intervals hold, and nothing else")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    results = json.loads(args.out.read_text()) if args.out and args.out.exists() else {}
    if args.intervals:
        of_intervals(results, args.matches)
    for name in () if args.intervals else args.game or MATCHES:
        y, terms, group, titles = matches(name, args.matches or MATCHES[name])
        # The better player would always have the first seat: every other group gives its second match instead.
        first = (np.arange(len(y)) % 2) == (group % 2)
        found = {"single": summary(y[first], terms[first], group[first]), "duplicates": summary(y, terms, group)}
        for what, row in found.items():
            print(line(name, what, row), flush=True)
        results[name] = {"titles": titles, **found}
        write(results, args.out)
    write(results, args.out)


def write(results: dict[str, Any], out: Path | None) -> None:
    if out:
        out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
