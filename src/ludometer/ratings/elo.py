"""Online Elo: one update per game, in the order played.

    E = 1 / (1 + 10 ** ((opponent - own) / 400)),   own += K * (score - E)

(Elo, *The Rating of Chessplayers, Past and Present*, 1978.) The result DEPENDS ON THE ORDER of the games and comes
without an interval. It is here because published studies use it; for a comparison of entrants that do not learn
between games use :func:`ludometer.ratings.fit`, which does not depend on order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.games import FloatArray, Games, IntArray
from ludometer.ratings.scale import DEFAULT_MEAN

__all__ = ["DEFAULT_K", "EloRatings", "elo_ratings", "elo_update", "expected_score"]

DEFAULT_K: Final = 32.0


@dataclass(frozen=True, slots=True, eq=False)
class EloRatings:
    """Final ratings and the way to them.

    Attributes:
        entrants: the n names.
        initial, final: shape (n,), points before the first and after the last game.
        first, second: shape (m,), who played each game.
        after: shape (m, 2), the ratings of seat 1 and seat 2 after each game.
        k: the update factor.
        method: one sentence for a reader; says that the order matters.
    """

    entrants: tuple[str, ...]
    initial: FloatArray
    final: FloatArray
    first: IntArray
    second: IntArray
    after: FloatArray
    k: float

    @property
    def method(self) -> str:
        return f"Online Elo, K = {self.k:g}; depends on the order in which the games were played"

    @property
    def ratings(self) -> dict[str, float]:
        """Final points by name, highest first."""
        pairs = zip(self.entrants, self.final.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def trajectory(self, entrant: str) -> tuple[IntArray, FloatArray]:
        """Game numbers (0 is before the first game) and the entrant's points after each of its games.

        Raises:
            ConfigurationError: no entrant has this name.
        """
        if entrant not in self.entrants:
            raise ConfigurationError(f"There is no entrant {entrant!r} in these games; check the name.")
        index = self.entrants.index(entrant)
        mine = np.flatnonzero((self.first == index) | (self.second == index))
        seat = np.where(self.first[mine] == index, 0, 1)
        points = self.after[mine, seat]
        return np.concatenate(([0], mine + 1)), np.concatenate(([self.initial[index]], points))


def expected_score(own: float, opponent: float) -> float:
    """Expected score in [0, 1] of a player with ``own`` points against one with ``opponent`` points."""
    return float(1.0 / (1.0 + 10.0 ** ((opponent - own) / 400.0)))


def elo_update(own: float, opponent: float, score: float, k: float = DEFAULT_K) -> tuple[float, float]:
    """Points of both players after one game in which the first scored ``score`` in [0, 1]."""
    change = k * (score - expected_score(own, opponent))
    return own + change, opponent - change


def elo_ratings(
    games: Games,
    *,
    k: float = DEFAULT_K,
    initial: float | Mapping[str, float] = DEFAULT_MEAN,
) -> EloRatings:
    """Rate games in row order. Self-play changes nothing.

    Args:
        games: one row per game, in order of play.
        k: points at stake per game.
        initial: points before the first game, for all or by name (1500 for a name not given).

    Raises:
        ConfigurationError: a row stands for several games, so that their order is unknown, a match has more than two
            seats, or K is not positive.
    """
    if not k > 0:
        raise ConfigurationError(f"Elo needs a positive K, not {k:g}.")
    if np.any(games.weight != 1):
        raise ConfigurationError("Elo needs the games one by one in order of play; these are counts per pair.")
    if games.matches is not None:
        raise ConfigurationError("Elo is for games with two seats; rate these with ludometer.ratings.rate.")
    given = initial if isinstance(initial, Mapping) else dict.fromkeys(games.entrants, float(initial))
    start = np.array([given.get(name, DEFAULT_MEAN) for name in games.entrants], np.float64)
    points = start.tolist()
    after = np.empty((len(games), 2))
    rows = zip(games.first.tolist(), games.second.tolist(), games.score.tolist(), strict=True)
    for number, (one, two, score) in enumerate(rows):
        if one != two:
            points[one], points[two] = elo_update(points[one], points[two], score, k)
        after[number] = points[one], points[two]
    return EloRatings(games.entrants, start, np.array(points), games.first, games.second, after, k)
