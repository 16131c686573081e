"""How many games sequential tests use, how often they are wrong, and what stopping does to intervals.

    python benchmarks/stopping.py [--replications 2000] [--part pairs|peeking|boards|coverage] [--out FILE]

Games come in duplicate groups: two games with the seats swapped and the same luck, which favours a seat, not a player.
Results are win, draw and loss with Davidson's probabilities and a first-mover term; within a group they are tied by a
Gaussian copula, so that half of a game's spread is its luck. Everything is drawn from numbered seeds: the tables come
out the same on every machine. Nothing is measured in time. The kept results are those of

    python benchmarks/stopping.py --part pairs --part peeking
    python benchmarks/stopping.py --replications 1000 --part boards --part coverage
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from ludometer.ratings import Games, rate
from ludometer.ratings.pair_tests import ERROR
from ludometer.ratings.sequential import BETS, log_e_values, score_of_points, side_level

SEAT = 60.0
"""Points that the first seat is worth."""

NU = 0.9
"""Davidson's nu: 31% of the games between equals are drawn."""

LUCK = 0.5
"""Share of the luck in the spread of a game."""

DIFFERENCES = (0, 25, 50, 100, 200)
FIELD = np.array([120.0, 60.0, 0.0, -180.0])
"""Ratings of the entrants of a board."""

VALUES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def probabilities(points: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
    """Win and loss of the first seat that is ahead by so many points."""
    x = np.asarray(points) * math.log(10) / 400
    total = np.exp(x / 2) + np.exp(-x / 2) + NU
    return np.exp(x / 2) / total, np.exp(-x / 2) / total


def mean_score(points: float) -> float:
    """Of a player who is ahead by so many points, over both seats."""
    sides = [probabilities(points + sign * SEAT) for sign in (1, -1)]
    return float(np.mean([(1 + win - loss) / 2 for win, loss in sides]))


def strength_for(elo: float) -> float:
    """Points in the model that make a mean score worth ``elo`` on the logistic scale."""
    return float(brentq(lambda x: mean_score(x) - score_of_points(elo), -2000, 2000))


def groups(points: float, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the one player in the two games of groups."""
    luck = rng.normal(0, math.sqrt(LUCK), shape)
    scores = []
    for sign in (1, -1):
        z = sign * luck + rng.normal(0, math.sqrt(1 - LUCK), shape)
        win, loss = probabilities(points + sign * SEAT)
        scores.append(np.where(z > -norm.ppf(win), 1.0, np.where(z < norm.ppf(loss), 0.0, 0.5)))
    return scores[0], scores[1]


class Peeks:
    """The four e-processes of a pair in many replications at once, looked at after every group."""

    def __init__(self, margin: float | None, size: int) -> None:
        near = None if margin is None else 1 - score_of_points(margin)
        self.means = [0.5] if near is None else [0.5, near]
        self.steps = [[np.log1p(BETS * ((v - m) / m)) for v in VALUES] for m in self.means]
        self.logs = np.zeros((2, len(self.means), size, len(BETS)))
        self.peaks = np.zeros((2, len(self.means), size))

    def add(self, scores: np.ndarray) -> None:
        index = (scores * 4).astype(int)
        for side, seen in enumerate((index, 4 - index)):
            for i, steps in enumerate(self.steps):
                logs = self.logs[side, i]
                logs += np.array(steps)[seen]
                most = logs.max(axis=1)
                value = most + np.log(np.exp(logs - most[:, None]).mean(axis=1))
                np.maximum(self.peaks[side, i], value, out=self.peaks[side, i])

    def keep(self, rows: np.ndarray) -> None:
        self.logs, self.peaks = self.logs[:, :, rows], self.peaks[:, :, rows]


def play_pair(
    elo: float, margin: float | None, cap: int, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Groups until a decision (``cap + 1``: none), and verdicts: 1 better, -1 worse, 0 alike, 9 open."""
    points = strength_for(elo)
    threshold = math.log(1 / side_level(ERROR, 1, 0))
    used, verdict = np.full(count, cap + 1), np.full(count, 9)
    alive = np.arange(count)
    peeks = Peeks(margin, count)
    for number in range(1, cap + 1):
        one, two = groups(points, (len(alive),), rng)
        peeks.add((one + two) / 2)
        better, worse = peeks.peaks[0, 0] >= threshold, peeks.peaks[1, 0] >= threshold
        alike = np.zeros(len(alive), bool) if margin is None else (peeks.peaks[:, 1] >= threshold).all(axis=0)
        over = better | worse | alike
        if over.any():
            used[alive[over]] = number
            verdict[alive[over]] = np.where(better, 1, np.where(worse, -1, 0))[over]
            alive = alive[~over]
            peeks.keep(~over)
        if not len(alive):
            break
    return used, verdict


def moments(elo: float, rng: np.random.Generator) -> tuple[float, float]:
    """Variance of a group's mean score and of a game's score."""
    one, two = groups(strength_for(elo), (400_000,), rng)
    return float(((one + two) / 2).var()), float(np.concatenate((one, two)).var())


def fixed_games(variance: float, distance: float, power: float, level: float = ERROR) -> int:
    """Games of a z test on groups, two-sided."""
    z = norm.ppf(1 - level / 2) + norm.ppf(power)
    return 2 * math.ceil(z * z * variance / distance**2)


def fixed_power(variance: float, distance: float, games: int, level: float = ERROR) -> float:
    z = norm.ppf(1 - level / 2)
    shift = distance / math.sqrt(2 * variance / games)
    return float(norm.sf(z - shift))


def mean_error(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def share_error(hits: np.ndarray) -> tuple[float, float]:
    share = float(hits.mean())
    return share, math.sqrt(max(share * (1 - share), 1e-12) / len(hits))


def pairs(count: int) -> Iterator[dict[str, Any]]:
    """Games used at true differences: without futility, and with a margin of 50 Elo."""
    planned = {}
    for elo in DIFFERENCES:
        variance, game = moments(elo, np.random.default_rng([1, elo]))
        distance = score_of_points(elo) - 0.5
        row: dict[str, Any] = {"elo": elo, "variance_of_groups": variance, "variance_of_games": game}
        row["duplicate_factor"] = 2 * variance / game
        planned[elo] = variance
        if elo:
            used, verdict = play_pair(elo, None, {25: 8000}.get(elo, 3000), count, np.random.default_rng([2, elo]))
            cap = int(np.quantile(used, 0.9, method="higher"))
            row["direction"] = {
                "mean": mean_error(2.0 * used),
                "median": 2 * float(np.median(used)),
                "cap_for_power_90": 2 * cap,
                "mean_with_cap": mean_error(2.0 * np.minimum(used, cap)),
                "wrong": share_error(verdict == -1),
                "open": float((verdict == 9).mean()),
                "fixed_90": fixed_games(variance, distance, 0.9),
            }
        used, verdict = play_pair(elo, 50, 3000, count, np.random.default_rng([3, elo]))
        row["margin_50"] = {
            "mean": mean_error(2.0 * used),
            "median": 2 * float(np.median(used)),
            "q90": 2 * float(np.quantile(used, 0.9)),
            "better": share_error(verdict == 1),
            "worse": share_error(verdict == -1),
            "alike": share_error(verdict == 0),
            "open": float((verdict == 9).mean()),
        }
        yield row
    for goal in (25, 50):
        games = fixed_games(planned[goal], score_of_points(goal) - 0.5, 0.9)
        powers = {elo: fixed_power(planned[elo], score_of_points(elo) - 0.5, games) for elo in DIFFERENCES if elo}
        yield {"fixed_for": goal, "games": games, "power": powers}


def peeking(count: int) -> Iterator[dict[str, Any]]:
    """Equals, looked at after every group: how often anybody is called better."""
    for cap, replications in ((100, 5 * count), (1000, 5 * count), (10_000, count)):
        _, verdict = play_pair(0, None, cap, replications, np.random.default_rng([4, cap]))
        row = {"groups": cap, "replications": replications, "wrong": share_error(abs(verdict) == 1)}
        if cap <= 1000:
            one, two = groups(0.0, (min(replications, 4000), cap), np.random.default_rng([5, cap]))
            x = (one + two) / 2 - 0.5
            number = np.arange(1, cap + 1)
            z = np.cumsum(x, 1) / np.sqrt(np.maximum(np.cumsum(x * x, 1), 1e-9))
            row["z_test_peeked"] = share_error((abs(z[:, number >= 10]) > norm.ppf(1 - ERROR / 2)).any(axis=1))
        yield row


# ------------------------------------------------------------------------ boards


class Board:
    """A run among several in many replications at once. The results that a pair would give do not depend on when they
    are asked for, so that all allocations see the same ones.

    Attributes:
        said: after how many groups of all pairs every replication was decided; 0 while it is open.
        played: groups by replication and pair.
    """

    def __init__(self, ratings: np.ndarray, rule: str, margin: float, cap: int, count: int, seed: list[int]) -> None:
        self.ratings, self.rule, self.margin, self.cap, self.count = ratings, rule, margin, cap, count
        self.pairs = list(itertools.combinations(range(len(ratings)), 2))
        drawn = [
            groups(float(ratings[i] - ratings[j]), (count, cap), np.random.default_rng([*seed, i, j]))
            for i, j in self.pairs
        ]
        self.one = np.stack([one for one, _ in drawn], 1)
        self.two = np.stack([two for _, two in drawn], 1)
        size = count * len(self.pairs)
        self.peeks = Peeks(margin, size)
        self.played = np.zeros((count, len(self.pairs)), int)
        self.sums = np.zeros((count, len(self.pairs)))
        self.said = np.zeros(count, int)

    def play(self, adaptive: bool) -> None:
        everybody = np.arange(len(self.pairs))
        open_rows = np.arange(self.count)
        while len(open_rows):
            if adaptive:
                self._add(open_rows, self._nearest(open_rows))
            else:
                self._add(np.repeat(open_rows, len(everybody)), np.tile(everybody, len(open_rows)))
            done = self._decided(open_rows)
            self.said[open_rows[done]] = self.played[open_rows[done]].sum(axis=1)
            over = done | (self.played[open_rows] >= self.cap).all(axis=1)
            open_rows = open_rows[~over]

    def _add(self, rows: np.ndarray, pairs_: np.ndarray) -> None:
        at = self.played[rows, pairs_]
        scores = (self.one[rows, pairs_, at] + self.two[rows, pairs_, at]) / 2
        flat = rows * len(self.pairs) + pairs_
        part = Peeks(self.margin, 0)
        part.logs, part.peaks = self.peeks.logs[:, :, flat], self.peeks.peaks[:, :, flat]
        part.add(scores)
        self.peeks.logs[:, :, flat], self.peeks.peaks[:, :, flat] = part.logs, part.peaks
        self.played[rows, pairs_] += 1
        self.sums[rows, pairs_] += scores

    def _nearest(self, rows: np.ndarray) -> np.ndarray:
        """The undecided pair whose mean is the most standard errors from a half: allocation that depends on results."""
        n, verdicts = self.played[rows], self.verdicts(rows)
        z = np.abs(self.sums[rows] / np.maximum(n, 1) - 0.5) * np.sqrt(n)
        wish = np.where(n < 5, 1000.0 - n, z) - 500.0 * (verdicts != 9)
        return np.asarray(np.where(n >= self.cap, -1e9, wish).argmax(axis=1))

    def verdicts(self, rows: np.ndarray) -> np.ndarray:
        """By row and pair: 1, -1, 0 (alike) or 9 (open), by Holm's procedure."""
        k = len(self.pairs)
        peaks = self.peeks.peaks.reshape(2, 2, self.count, k)[:, :, rows]
        directed = np.zeros(len(rows), int)
        for _ in range(k + 1):
            threshold = np.log((2 * k - directed) / ERROR)[:, None]
            better, worse = peaks[0, 0] >= threshold, peaks[1, 0] >= threshold
            found = (better | worse).sum(axis=1)
            if (found == directed).all():
                break
            directed = found
        alike = (peaks[:, 1] >= threshold).all(axis=0)
        ahead = np.where(peaks[0, 0] >= peaks[1, 0], 1, -1)
        return np.where(better | worse, ahead, np.where(alike, 0, 9))

    def tops(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By row and entrant: whether it is at the top, and whether it is better than each of the others."""
        m = len(self.ratings)
        peaks = self.peeks.peaks.reshape(2, 2, self.count, len(self.pairs))[:, :, rows] >= math.log(m / ERROR)
        beats, near = np.ones((len(rows), m, m), bool), np.ones((len(rows), m, m), bool)
        for k, (i, j) in enumerate(self.pairs):
            beats[:, i, j], beats[:, j, i] = peaks[0, 0, :, k], peaks[1, 0, :, k]
            near[:, i, j] = near[:, j, i] = peaks[0, 1, :, k] & peaks[1, 1, :, k] & ~(beats[:, i, j] | beats[:, j, i])
        return (beats | near).all(axis=2), beats.all(axis=2)

    def _decided(self, rows: np.ndarray) -> np.ndarray:
        if self.rule == "pairs":
            return np.asarray((self.verdicts(rows) != 9).all(axis=1))
        if self.rule == "top":
            return np.asarray(self.tops(rows)[0].any(axis=1))
        return np.asarray(self.played[rows].sum(axis=1) >= int(self.rule.split()[1]))

    def wrong(self) -> np.ndarray:
        """Whether a replication says anything false: for pairs also in the verdicts that there are before the end."""
        rows, near = np.arange(self.count), strength_for(self.margin)
        if self.rule == "pairs":
            verdicts, false = self.verdicts(rows), np.zeros(self.count, bool)
            for k, (i, j) in enumerate(self.pairs):
                d, v = self.ratings[i] - self.ratings[j], verdicts[:, k]
                false |= ((v == 1) & (d <= 0)) | ((v == -1) & (d >= 0)) | ((v == 0) & (abs(d) > near))
            return false
        top, alone = self.tops(rows)
        others = np.array([np.delete(self.ratings, i).max() for i in range(len(self.ratings))])
        false = np.where(alone, self.ratings <= others, others - self.ratings > near)
        return np.asarray((top & false).any(axis=1) & (self.said > 0))

    def table(self, row: int, upto: np.ndarray) -> Any:
        """Ratings of a replication after so many groups of every pair."""
        scores, seats, cluster, number = [], [], [], 0
        for k, (i, j) in enumerate(self.pairs):
            n = int(upto[k])
            scores.append(np.stack([self.one[row, k, :n], 1 - self.two[row, k, :n]], 1).ravel())
            seats.append(np.tile([[i, j], [j, i]], (n, 1)))
            cluster.append(np.repeat(np.arange(number, number + n), 2))
            number += n
        first, second = np.concatenate(seats).T
        names = [f"e{i}" for i in range(len(self.ratings))]
        games = Games.from_arrays(names, first, second, np.concatenate(scores), cluster=np.concatenate(cluster))
        return rate(games, ties="davidson")


def boards(count: int) -> Iterator[dict[str, Any]]:
    """Any wrong word in a run of several, equals and others, in rounds of all pairs and where results choose."""
    for name, ratings in (("equal", np.zeros(4)), ("mixed", np.array([40.0, 40.0, 0.0, -100.0]))):
        for rule, adaptive in itertools.product(("pairs", "top"), (False, True)):
            board = Board(ratings, rule, 50.0, 500, count, [6])
            board.play(adaptive)
            yield {
                "entrants": name,
                "rule": rule,
                "adaptive": adaptive,
                "replications": count,
                "wrong": share_error(board.wrong()),
                "decided": float((board.said > 0).mean()),
                "games": mean_error(2.0 * board.played.sum(axis=1)),
            }


# ---------------------------------------------------------------------- coverage


def coverage(count: int) -> Iterator[dict[str, Any]]:
    """Whether intervals hold the truth where the run ended because of its results."""
    for rule in ("groups 150", "groups 600", "top", "pairs", "interval 40"):
        narrow = rule.startswith("interval")
        board = Board(FIELD, "groups 0" if narrow else rule, 50.0, 700, count // 2 if narrow else count, [7])
        if narrow:
            _until_narrow(board, float(rule.split()[1]))
        else:
            board.play(adaptive=False)
        hits, inside, bias = _covered(board)
        yield {
            "rule": rule,
            "replications": board.count,
            "open": float((board.said == 0).mean()),
            "games": mean_error(2.0 * board.played.sum(axis=1)),
            "ratings": (float(hits.mean()), float(hits.mean(axis=1).std(ddof=1) / math.sqrt(board.count))),
            "by_entrant": hits.mean(axis=0).tolist(),
            "sequence": share_error(inside),
            "bias_of_first_pair": mean_error(bias),
        }


def _until_narrow(board: Board, half: float) -> None:
    """Ends every replication as `stop_when = "interval <= N"` does, looking after 5% more matches each time."""
    for row in range(board.count):
        rounds = 4
        while rounds < board.cap:
            table = board.table(row, np.full(len(board.pairs), rounds))
            if max((r.high - r.low) / 2 for r in table.rows) <= half:
                board.said[row] = rounds * len(board.pairs)
                break
            rounds = min(board.cap, max(rounds + 1, int(rounds * 1.05)))
        board.played[row] = rounds


def _covered(board: Board) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By replication: which ratings are in their intervals, whether all pairs are in theirs by the confidence sequence,
    and the error of the difference between the first two."""
    centre = FIELD - FIELD.mean() + 1500
    truth = [mean_score(float(FIELD[i] - FIELD[j])) for i, j in board.pairs]
    threshold = math.log(1 / side_level(ERROR, len(board.pairs), 0))
    hits, inside, bias = [], [], []
    for row in range(board.count):
        rows = {r.name: r for r in board.table(row, board.played[row]).rows}
        found = [rows[f"e{i}"] for i in range(len(FIELD))]
        hits.append([r.low <= c <= r.high for r, c in zip(found, centre, strict=True)])
        bias.append(found[0].rating - found[1].rating - (FIELD[0] - FIELD[1]))
        good = True
        for k, mean in enumerate(truth):
            n = board.played[row, k]
            scores = (board.one[row, k, :n] + board.two[row, k, :n]) / 2
            # A mean is outside the sequence if, and only if, its own wealth ever reached the threshold.
            good &= log_e_values(scores, mean).max() < threshold
            good &= log_e_values(1 - scores, 1 - mean).max() < threshold
        inside.append(good)
    return np.array(hits, float), np.array(inside), np.array(bias)


PARTS = {"pairs": pairs, "peeking": peeking, "boards": boards, "coverage": coverage}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replications", type=int, default=2000)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/stopping.json"))
    options = parser.parse_args()
    report = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
    for part in options.part or PARTS:
        report[part] = []
        for row in PARTS[part](options.replications):
            report[part].append(row)
            print(json.dumps({part: row}), flush=True)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
