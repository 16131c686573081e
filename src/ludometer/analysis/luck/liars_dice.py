"""Liar's dice: how many dice of one face each roll had, against the mean of all rolls of as many dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import ClassVar

from ludometer.core import AnyGame, Chance
from ludometer.games.liars_dice import FACES, LiarsDice, Table

__all__ = ["DiceLuck"]


class DiceLuck:
    """Of every round: the most dice of one face in a hand (ones counted with it where they are wild), less its mean."""

    name: ClassVar[str] = "liars_dice"
    titles: Sequence[str] = ("own dice", "the others' dice")

    def refuses(self, game: AnyGame) -> str | None:
        return None if isinstance(game, LiarsDice) else ""

    def terms(self, game: LiarsDice, states: Sequence[Table], luck: Chance) -> Sequence[Sequence[float]]:
        last = states[-1]
        rounds = [ended.hands for ended in last.past] + ([last.hands] if any(last.hands) else [])
        n = len(last.dice)
        own = [0.0] * n
        for hands in rounds:
            for seat, hand in enumerate(hands):
                own[seat] += most_of_a_face(hand, game.ones_wild) - mean_most(len(hand), game.ones_wild)
        return [(own[i], (sum(own) - own[i]) / (n - 1)) for i in range(n)]


def most_of_a_face(hand: Sequence[int], wild: bool) -> int:
    """How many dice of a hand match the face that most match."""
    return max((sum(die == face or (wild and die == 1) for die in hand) for face in range(1, FACES + 1)), default=0)


@cache
def mean_most(dice: int, wild: bool) -> float:
    """The mean of `most_of_a_face` over all rolls."""
    total = 0
    for hand in combinations_with_replacement(range(1, FACES + 1), dice):
        ways = math.factorial(dice)
        for face in range(1, FACES + 1):
            ways //= math.factorial(hand.count(face))
        total += ways * most_of_a_face(hand, wild)
    return float(total / FACES**dice)
