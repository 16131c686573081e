"""How many of the games played are different games.

Players that answer alike every time play the same game over and over. Repeats add no information, and an interval that
counts them as independent is too narrow; they belong into one cluster, and into the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

__all__ = ["DistinctGames", "distinct_games"]


class DistinctGames(NamedTuple):
    """Games between players in fixed seats, and how many of them differ in their moves."""

    players: tuple[str, ...]
    games: int
    distinct: int

    def __str__(self) -> str:
        return f"{self.games} game{'s' * (self.games != 1)}, {self.distinct} distinct"


def distinct_games(games: Iterable[tuple[tuple[str, ...], Hashable]]) -> tuple[DistinctGames, ...]:
    """Count distinct games per pairing.

    Args:
        games: the names of the players by seat, and a key that is equal for equal games: the moves as a tuple or as a
            text; games of different kinds or with different luck need it in their key.

    Returns:
        One entry per pairing and order of seats, sorted by names. The entry with an empty ``players`` comes first and
        counts all games.
    """
    counts = Counter((tuple(players), moves) for players, moves in games)
    played: Counter[tuple[str, ...]] = Counter()
    distinct: Counter[tuple[str, ...]] = Counter()
    for (players, _), count in counts.items():
        played[players] += count
        distinct[players] += 1
    rows = (DistinctGames(players, played[players], distinct[players]) for players in sorted(played))
    return (DistinctGames((), counts.total(), len(counts)), *rows)
