"""Schedules compared by simulation: the games that a ranking takes, and how often reported intervals hold the truth.

    python benchmarks/schedules.py [coverage] [order] [luck] [--replications 2000]

Thirteen models with true strengths from a normal distribution of 120 points; the first seat is worth 50. Games come in
duplicate pairs: the same luck, the seats exchanged. Who meets whom is decided by the functions that plan real runs.
Luck enters through a Gaussian copula, so that every single game follows the model exactly, and a share of it (0.7, say)
is the deck that both games of a pair have in common.

Thousands of tournaments are played side by side, so ratings and intervals are fitted here for all of them at once; a
test holds these to be those of `ludometer.ratings`. Every number follows from the seeds. Nothing is measured in time.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, ndtr, ndtri

from ludometer.core import Chance
from ludometer.ratings import mean_interval
from ludometer.ratings.allocation import Strengths, order_gain, pair_numbers, spread
from ludometer.ratings.covariance import small_sample
from ludometer.ratings.dispersion import FEW_GAMES, own_weight, pooled_scale
from ludometer.ratings.scale import POINTS
from ludometer.tournaments.adaptive import allocate, batch_size
from ludometer.tournaments.swiss import Standing, next_round

N = 13
SD, SEAT, PRIOR = 120.0, 50.0, 200.0
ONE, OTHER = pair_numbers(N)
PAIRS = len(ONE)
NUMBER = {frozenset(pair): i for i, pair in enumerate(zip(ONE.tolist(), OTHER.tolist(), strict=True))}
INSIDE = np.zeros((PAIRS, N))
INSIDE[np.arange(PAIRS), ONE] = INSIDE[np.arange(PAIRS), OTHER] = 1.0
CONTRAST = np.zeros((PAIRS, N))
CONTRAST[np.arange(PAIRS), ONE], CONTRAST[np.arange(PAIRS), OTHER] = 1.0, -1.0
OUTER = (CONTRAST[:, :, None] * CONTRAST[:, None, :]).reshape(PAIRS, N * N)
POOL = 4
BUDGETS = (78, 156, 312, 624)
"""Meetings after which intervals are looked at: one, two, four and eight round robins."""


class World(NamedTuple):
    """How results come about: the share of luck that a pair of games has in common, and draws between equals."""

    name: str
    luck: float
    draws: float


WORLDS = (World("no luck", 0.0, 0.0), World("luck 0.7", 0.7, 0.0), World("luck 0.4, a third drawn", 0.4, 1 / 3))


class Fits(NamedTuple):
    """Of R tournaments: strengths with both covariances in natural units around the mean, and standard errors as the
    rating table gives them, in points."""

    mean: np.ndarray
    laplace: np.ndarray
    errors: np.ndarray


class Tournaments:
    """R tournaments side by side: true strengths, and sums over the meetings of each pair.

    Attributes:
        truth: shape (R, N), in points around their mean.
        met: shape (R, PAIRS), meetings.
    """

    def __init__(self, world: World, count: int, *seed: int) -> None:
        self.world, self.count, self.seed = world, count, seed
        self.random = np.random.default_rng(seed)
        truth = self.random.normal(0, SD, (count, N))
        self.truth = truth - truth.mean(axis=1, keepdims=True)
        self.clear()

    def clear(self) -> None:
        """Forgets all meetings, not the strengths."""
        self.met = np.zeros((self.count, PAIRS), np.int64)
        # Scores of the pair's first when it sits first and when it sits second: sums, squares, products.
        self.sums = np.zeros((5, self.count, PAIRS))
        self.decided = np.zeros((2, self.count, N))

    @property
    def meetings(self) -> int:
        """Of each tournament; all have equally many."""
        return int(self.met[0].sum())

    def play(self, often: np.ndarray) -> np.ndarray:
        """So many meetings of each pair, shape (R, PAIRS); returns the sum of scores of the pair's first per game pair
        played, of the same shape."""
        where = np.repeat(np.arange(self.count * PAIRS), often.ravel())
        run, pair = np.divmod(where, PAIRS)
        luck = math.sqrt(self.world.luck) * self.random.normal(size=len(where))
        own = math.sqrt(1 - self.world.luck) * self.random.normal(size=(2, len(where)))
        d = (self.truth[run, ONE[pair]] - self.truth[run, OTHER[pair]]) / POINTS
        seat = SEAT / POINTS
        first = _scores(ndtr(luck + own[0]), d + seat, self.world.draws)
        second = 1.0 - _scores(ndtr(luck + own[1]), seat - d, self.world.draws)
        self.met += often
        for i, values in enumerate((first, second, first**2, second**2, first * second)):
            self.sums[i] += np.bincount(where, values, self.count * PAIRS).reshape(self.count, PAIRS)
        for score in (first, second):
            for side, (winner, loser) in enumerate(((ONE, OTHER), (OTHER, ONE))):
                won = (score > 0.5) if side == 0 else (score < 0.5)
                for kind, who in enumerate((winner, loser)):
                    place = run[won] * N + who[pair[won]]
                    self.decided[kind] += np.bincount(place, minlength=self.count * N).reshape(self.count, N)
        return np.bincount(where, (first + second) / 2, self.count * PAIRS).reshape(self.count, PAIRS)

    def fit(self, *, errors: bool = True) -> Fits:
        """Bradley-Terry with a seat term, a draw as half a win and the prior; see `ludometer.ratings`."""
        theta, precision = np.zeros((self.count, N + 1)), (POINTS / PRIOR) ** 2
        level = np.zeros((N + 1, N + 1))
        level[:N, :N] = 1.0
        while True:
            first, second = self._expected(theta)
            slope = np.concatenate(
                (
                    (self.sums[0] + self.sums[1] - self.met * (first + second)) @ CONTRAST,
                    (self.sums[0] - self.sums[1] - self.met * (first - second)).sum(1, keepdims=True),
                ),
                axis=1,
            )
            slope -= precision * theta
            curvature = _matrix(*self._learned(first, second)) + precision * np.eye(N + 1) + level
            step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
            theta += np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-8:
                break
        inverse = np.linalg.inv(curvature)
        center = np.eye(N) - 1 / N
        laplace = center @ inverse[:, :N, :N] @ center
        mean = theta[:, :N] - theta[:, :N].mean(axis=1, keepdims=True)
        if not errors:
            return Fits(mean, laplace, np.zeros(0))
        return Fits(mean, laplace, self._errors(theta, inverse, np.diagonal(laplace, axis1=1, axis2=2)))

    def _errors(self, theta: np.ndarray, inverse: np.ndarray, laplace: np.ndarray) -> np.ndarray:
        first, second = self._expected(theta)
        x, y, xx, yy, xy = self.sums
        n = self.met
        # Sums over meetings of squares and products of the residuals.
        rr = xx - 2 * first * x + n * first**2
        ss = yy - 2 * second * y + n * second**2
        rs = xy - second * x - first * y + n * first * second
        of_strength, of_seat = rr + ss + 2 * rs, rr + ss - 2 * rs
        middle = _matrix(of_strength, rr - ss, of_seat) * (self.meetings / (self.meetings - 1.0))
        each = first * (1 - first) + second * (1 - second)
        clusters = ((n * each) @ INSIDE) ** 2 / np.maximum((n * each**2) @ INSIDE, 1e-12)
        by_seat = (n * each).sum(1) ** 2 / (n * each**2).sum(1)
        wider = small_sample(np.concatenate((clusters, by_seat[:, None]), axis=1))
        by_cluster = _centered(wider[:, :, None] * (inverse @ middle @ inverse) * wider[:, None, :])
        by_all = _centered(inverse @ self._pooled_middle(inverse, first, second, of_strength, of_seat) @ inverse)
        own = own_weight(clusters)
        averaged = _weighted(by_cluster, own) + _weighted(by_all, 1 - own)
        of_cluster, pooled = _variances(by_cluster), _variances(_centered(averaged))
        never = (self.decided == 0).any(axis=0)
        few = 2 * n @ INSIDE < FEW_GAMES
        variance = np.where(few, pooled, np.where(of_cluster < 1e-4 * laplace, laplace, of_cluster))
        return np.sqrt(np.where(never, laplace, variance)) * POINTS

    def _pooled_middle(
        self, inverse: np.ndarray, first: np.ndarray, second: np.ndarray, of_strength: np.ndarray, of_seat: np.ndarray
    ) -> np.ndarray:
        """See `ludometer.ratings.dispersion`, whose sums over groups are sums over meetings here."""
        known = _matrix(*self._learned(first, second))
        used = (inverse * known).sum(axis=2)
        informed = np.trace(known[:, :N, :N], axis1=1, axis2=2), known[:, N, N]
        # The score of a meeting stands in the rows of both entrants.
        squares = 2 * of_strength.sum(axis=1), of_seat.sum(axis=1)
        scale = np.empty((self.count, N + 1))
        for own, part, total in zip((slice(0, N), slice(N, N + 1)), squares, informed, strict=True):
            freedom = self.meetings - used[:, own].sum(axis=1)
            scale[:, own] = pooled_scale(self.meetings * part / total, freedom)[:, None]
        root = np.sqrt(scale)
        middle: np.ndarray = root[:, :, None] * known * root[:, None, :] + (POINTS / PRIOR) ** 2 * np.eye(N + 1)
        return middle

    def _expected(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d = theta[:, ONE] - theta[:, OTHER]
        return expit(d + theta[:, N:]), expit(d - theta[:, N:])

    def _learned(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        one, other = first * (1 - first), second * (1 - second)
        return self.met * (one + other), self.met * (one - other), self.met * (one + other)


def _matrix(strength: np.ndarray, cross: np.ndarray, seat: np.ndarray) -> np.ndarray:
    """Shape (R, N + 1, N + 1) from weights per pair, each of shape (R, PAIRS)."""
    found = np.empty((len(strength), N + 1, N + 1))
    found[:, :N, :N] = (strength @ OUTER).reshape(-1, N, N)
    found[:, :N, N] = found[:, N, :N] = cross @ CONTRAST
    found[:, N, N] = seat.sum(axis=1)
    return found


def _centered(covariance: np.ndarray) -> np.ndarray:
    """Covariances of the strengths around their mean, shape (R, N, N)."""
    center = np.eye(N) - 1 / N
    return np.asarray(center @ covariance[:, :N, :N] @ center)


def _weighted(covariance: np.ndarray, weight: np.ndarray) -> np.ndarray:
    root = np.sqrt(weight)
    return np.asarray(root[:, :, None] * covariance * root[:, None, :])


def _variances(covariance: np.ndarray) -> np.ndarray:
    return np.diagonal(covariance, axis1=1, axis2=2)


def _scores(rank: np.ndarray, d: np.ndarray, draws: float) -> np.ndarray:
    """The lowest ranks win, the next ones draw; the mean score is that of the model, however many draws there are."""
    expected = expit(d)
    half = draws * np.minimum(expected, 1 - expected)
    return np.where(rank < expected - half, 1.0, np.where(rank < expected + half, 0.5, 0.0))


# ------------------------------------------------------------------------------ schedules

Schedule = Callable[[Tournaments, int], None]
"""Goes on with tournaments until each has so many meetings, or nearly."""


def round_robin(runs: Tournaments, meetings: int) -> None:
    whole, part = divmod(meetings - runs.meetings, PAIRS)
    often = np.full((runs.count, PAIRS), whole)
    if part:
        often += runs.random.random((runs.count, PAIRS)).argsort(axis=1).argsort(axis=1) < part
    runs.play(often)


def gauntlet(runs: Tournaments, meetings: int) -> None:
    """Nine challengers against a pool of four."""
    inside = (ONE < POOL) & (OTHER >= POOL)
    repeats = round((meetings - runs.meetings) / inside.sum())
    runs.play(np.tile(inside * repeats, (runs.count, 1)))


def swiss(rounds: int) -> Schedule:
    def go(runs: Tournaments, meetings: int) -> None:
        """Tournaments of their own: so many rounds, every pairing as often as the number of meetings asks for."""
        runs.clear()
        repeats = max(1, round(meetings / (rounds * (N // 2))))
        points, byes = np.zeros((runs.count, N)), np.zeros((runs.count, N), np.int64)
        lots = runs.random.random((runs.count, N)).argsort(axis=1)
        met = [Counter[frozenset[int]]() for _ in range(runs.count)]
        for number in range(rounds):
            often = np.zeros((runs.count, PAIRS), np.int64)
            for r in range(runs.count):
                rows = zip(points[r].round(6).tolist(), byes[r].tolist(), lots[r].tolist(), strict=True)
                found = next_round([Standing(p, 0, b, lot) for p, b, lot in rows], met[r], number)
                met[r].update(map(frozenset, found.pairs))
                often[r, [NUMBER[frozenset(pair)] for pair in found.pairs]] = repeats
                points[r, found.bye] += 1
                byes[r, found.bye] += 1
            share = runs.play(often) / repeats
            for side, score in ((ONE, share), (OTHER, np.where(often > 0, 1 - share, 0.0))):
                for i in range(PAIRS):
                    points[:, side[i]] += score[:, i]

    return go


def adaptive(runs: Tournaments, meetings: int) -> None:
    def one(strengths: Strengths, count: int, r: int) -> np.ndarray:
        chance = Chance.from_seed(r).named(*runs.seed, runs.meetings)
        return allocate(strengths, count, per_meeting=2, chance=chance)

    _in_batches(runs, meetings, one)


def order_alone(runs: Tournaments, meetings: int) -> None:
    """An adaptive schedule without the half for the variance. Not offered: for comparison."""

    def one(strengths: Strengths, count: int, r: int) -> np.ndarray:
        return spread(order_gain(strengths, 2), count, runs.random.random())

    _in_batches(runs, meetings, one)


def _in_batches(runs: Tournaments, meetings: int, one: Callable[[Strengths, int, int], np.ndarray]) -> None:
    if runs.meetings < PAIRS:
        round_robin(runs, PAIRS)
    while runs.meetings < meetings:
        count = min(batch_size(runs.meetings, N), meetings - runs.meetings)
        known = runs.fit(errors=False)
        rows = [one(Strengths(known.mean[r], known.laplace[r]), count, r) for r in range(runs.count)]
        runs.play(np.stack(rows))


OFFERED: dict[str, Schedule] = {
    "round robin": round_robin,
    "gauntlet, pool of 4": gauntlet,
    "swiss, 4 rounds": swiss(4),
    "swiss, 8 rounds": swiss(8),
    "adaptive": adaptive,
}
COMPARED: dict[str, Schedule] = {"order alone": order_alone}


# ------------------------------------------------------------------------------- coverage


def coverage(world: World, schedule: Schedule, budgets: tuple[int, ...], replications: int) -> list[dict[str, Any]]:
    """How often 95% intervals hold the true strength, averaged over entrants, after so many meetings."""
    runs = Tournaments(world, replications, 1)
    order = np.argsort(-runs.truth, axis=1)
    rows = []
    for meetings in budgets:
        schedule(runs, meetings)
        fits = runs.fit()
        inside = np.take_along_axis(np.abs(fits.mean * POINTS - runs.truth) < 1.96 * fits.errors, order, axis=1)
        rows.append(
            {
                "games": 2 * runs.meetings,
                "coverage": inside.mean(),
                "error": inside.mean(axis=1).std(ddof=1) / math.sqrt(replications),
                "strongest": inside[:, 0].mean(),
                "weakest": inside[:, -1].mean(),
                "lowest": inside.mean(axis=0).min(),
                "half_width": 1.96 * fits.errors.mean(),
                "tau": _tau(fits.mean, runs.truth).mean(),
                "replications": replications,
            }
        )
    return rows


def _tau(estimate: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Kendall's tau of every row; ties of estimates count for neither side."""
    return (np.sign(estimate[:, ONE] - estimate[:, OTHER]) * np.sign(truth[:, ONE] - truth[:, OTHER])).mean(axis=1)


# ---------------------------------------------------------------------------------- order


def order(schedules: dict[str, Schedule], replications: int, target: float = 0.95) -> list[dict[str, Any]]:
    """Games until the mean of Kendall's tau reaches a target, in a world without luck, and their ratio to the round
    robin's."""
    grid = [PAIRS]
    while grid[-1] < 8000:
        grid.append(math.ceil(grid[-1] * 1.2))
    curves: dict[str, np.ndarray] = {}
    for name, schedule in schedules.items():
        runs = Tournaments(WORLDS[0], replications, 2)
        taus = []
        for meetings in grid:
            schedule(runs, meetings)
            taus.append(_tau(runs.fit(errors=False).mean, runs.truth))
        curves[name] = np.stack(taus, axis=1)
    games = 2.0 * np.array(grid)
    drawn = np.random.default_rng(3).integers(0, replications, (400, replications))
    crossed = {name: _crossing(games, curve.mean(axis=0), target) for name, curve in curves.items()}
    again = {
        name: np.array([_crossing(games, curve[rows].mean(axis=0), target) for rows in drawn])
        for name, curve in curves.items()
    }
    return [
        {
            "schedule": name,
            "games": crossed[name],
            "error": again[name].std(),
            "ratio": crossed[name] / crossed["round robin"],
            "ratio_error": (again[name] / again["round robin"]).std(),
            "tau_at_1248": float(np.interp(1248, games, curves[name].mean(axis=0))),
            "replications": replications,
        }
        for name in curves
    ]


def _crossing(games: np.ndarray, curve: np.ndarray, target: float) -> float:
    """Where a curve first reaches the target, between grid points on a logarithmic scale; NaN where never."""
    above = np.flatnonzero(curve >= target)
    if not len(above):
        return math.nan
    g = int(above[0])
    if g == 0:
        return float(games[0])
    part = (target - curve[g - 1]) / (curve[g] - curve[g - 1])
    return float(games[g - 1] * (games[g] / games[g - 1]) ** part)


# ----------------------------------------------------------------------------------- luck


def luck(pairs: int, replications: int, share: float = 0.7, edge: float = 50.0) -> dict[str, Any]:
    """What duplicate pairs are worth between two entrants: games needed to tell them apart, beside games with decks of
    their own, and how often an interval for the mean score of 40 pairs holds the truth."""
    random = np.random.default_rng(4)
    truth = float(expit(edge / POINTS))
    middle = float(ndtri(truth))

    def margins(count: int, decks: int) -> np.ndarray:
        """Of the first entrant, in both seats, with one deck per pair or two: shape (count, 2)."""
        deck = random.normal(0, math.sqrt(share), (count, decks)) * np.array([1.0, -1.0])
        return np.asarray(middle + deck + random.normal(0, math.sqrt(1 - share), (count, 2)))

    together, alone = margins(pairs, 1), margins(pairs, 2)
    needed = (alone > 0).mean(axis=1).var() / (truth - 0.5) ** 2
    won = (together > 0).mean(axis=1).var() / (truth - 0.5) ** 2
    margin = together.mean(axis=1).var() / middle**2
    held = {"clustered": 0, "as independent": 0}
    clusters = np.repeat(np.arange(40), 2)
    for _ in range(replications):
        sample = (margins(40, 1) > 0).astype(float).ravel()
        for kind, groups in (("clustered", clusters), ("as independent", None)):
            interval = mean_interval(sample, groups)
            held[kind] += interval.low <= truth <= interval.high
    return {
        "win_or_loss": won / needed,
        "margins": margin / needed,
        "pairs": pairs,
        "coverage": {kind: count / replications for kind, count in held.items()},
        "replications": replications,
    }


# --------------------------------------------------------------------------------- report


def tables(parts: set[str], replications: int) -> Iterator[tuple[str, Any]]:
    """Every row, with the part it belongs to."""
    if "luck" in parts:
        yield "luck", luck(400_000, 10 * replications)
    if "order" in parts:
        compared = {name: OFFERED[name] for name in ("round robin", "adaptive")}
        for row in order({**compared, **COMPARED}, max(2, replications // 2)):
            yield "order", row
    if "coverage" in parts:
        for world in WORLDS:
            for name, schedule in {**OFFERED, **COMPARED}.items():
                for row in coverage(world, schedule, BUDGETS, replications):
                    yield "coverage", {"world": world.name, "schedule": name, **row}


def markdown(found: dict[str, list[Any]]) -> Iterator[str]:
    """The tables of docs/schedules.md."""
    rows = {(row["world"], row["schedule"], i): row for row, i in _numbered(found["coverage"])}
    for world in WORLDS:
        yield f"| {world.name} | 156 games | 312 games | 624 games | 1,248 games |\n|---|---|---|---|---|"
        for name in (*OFFERED, *COMPARED):
            cells = (rows[world.name, name, i] for i in range(len(BUDGETS)))
            yield f"| {name} | " + " | ".join(f"{100 * cell['coverage']:.1f}%" for cell in cells) + " |"
    yield "| schedule | games | beside a round robin | tau after 1,248 games |\n|---|---|---|---|"
    for row in found["order"]:
        spread_of = f"{row['ratio']:.2f}" + (f" ± {row['ratio_error']:.2f}" if row["ratio"] != 1.0 else "")
        games = f"{round(row['games'], -2):,.0f} ± {round(row['error'], -1):,.0f}"
        yield f"| {row['schedule']} | {games} | {spread_of} | {row['tau_at_1248']:.3f} |"


def _numbered(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int]]:
    """The rows, each with its number among those of its world and schedule."""
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows:
        key = row["world"], row["schedule"]
        yield row, seen[key]
        seen[key] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", default=["coverage", "order", "luck"])
    parser.add_argument("--replications", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "schedules.json")
    arguments = parser.parse_args()
    found: dict[str, list[Any]] = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    found = {part: rows for part, rows in found.items() if part not in arguments.parts}
    for part, row in tables(set(arguments.parts), arguments.replications):
        print(part, json.dumps(row), flush=True)
        found.setdefault(part, []).append(row)
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if {"coverage", "order"} <= set(found):
        print("\n".join(markdown(found)))


if __name__ == "__main__":
    main()
