"""Exact odds of battles in Risk, by a Markov chain over the armies left on both sides.

J. A. Osborne, "Markov Chains for the RISK Board Game Revisited", Mathematics Magazine 76(2), 2003, pages 129-135,
corrects the table of B. Tan, "Markov Chains and the RISK Board Game", Mathematics Magazine 70(5), 1997, pages 349-357,
which took the ordered dice of a roll for independent. The numbers here agree with the corrected table in all its
digits.

``attackers`` are armies that may attack: those in the territory but one, which has to stay. Both sides roll as many
dice as they can, and the battle goes on until one side has none left.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludometer.games.risk.battle import ATTACK_DICE, DEFENCE_DICE, losses

__all__ = ["BattleEnd", "battle_ends", "conquest_odds", "expected_losses", "roll_odds", "simulate_battles"]


@cache
def roll_odds(attack_dice: int, defence_dice: int) -> tuple[float, ...]:
    """How likely it is that a roll costs the attacker 0, 1, ... armies, by counting all throws. The defender loses the
    other armies at stake: as many in all as the side with fewer dice rolls, at most two."""
    stake = min(attack_dice, defence_dice)
    counts = [0] * (stake + 1)
    for dice in product(range(1, 7), repeat=attack_dice + defence_dice):
        attack = sorted(dice[:attack_dice], reverse=True)
        defence = sorted(dice[attack_dice:], reverse=True)
        first, second, third = (*attack, 0, 0)[:3]
        high, low = (*defence, 0)[:2]
        counts[losses((first, second, third, high, low))[0]] += 1
    return tuple(count / sum(counts) for count in counts)


def expected_losses(attack_dice: int, defence_dice: int) -> tuple[float, float]:
    """Mean losses of attacker and defender in one roll."""
    odds = roll_odds(attack_dice, defence_dice)
    mean = sum(lost * share for lost, share in enumerate(odds))
    return mean, len(odds) - 1 - mean


def conquest_odds(attackers: int, defenders: int) -> float:
    """How likely ``attackers`` conquer a territory with ``defenders``: 0.769 for five against three, 0.642 for four
    against three.

    Raises:
        ValueError: a number is negative.
    """
    if attackers < 0 or defenders < 0:
        raise ValueError(f"armies cannot be negative: {attackers} against {defenders}")
    size = 32
    while size <= max(attackers, defenders):
        size *= 2
    return float(_table(size)[attackers, defenders])


@cache
def _table(size: int) -> npt.NDArray[np.float64]:
    """Odds of conquest for 0 to size - 1 attackers (rows) and defenders (columns)."""
    table = np.zeros((size, size))
    table[:, 0] = 1.0
    for a in range(1, size):
        for d in range(1, size):
            odds = roll_odds(min(a, ATTACK_DICE), min(d, DEFENCE_DICE))
            stake = len(odds) - 1
            table[a, d] = sum(share * table[a - lost, d - stake + lost] for lost, share in enumerate(odds))
    return table


class BattleEnd(NamedTuple):
    """How a battle may end: armies left on both sides, one of them 0, and how likely that is."""

    attackers: int
    defenders: int
    odds: float


def battle_ends(attackers: int, defenders: int) -> list[BattleEnd]:
    """Every end of a battle with its odds, which add up to 1."""
    reached = np.zeros((attackers + 1, defenders + 1))
    reached[attackers, defenders] = 1.0
    for a in range(attackers, 0, -1):
        for d in range(defenders, 0, -1):
            odds = roll_odds(min(a, ATTACK_DICE), min(d, DEFENCE_DICE))
            stake = len(odds) - 1
            for lost, share in enumerate(odds):
                reached[a - lost, d - stake + lost] += share * reached[a, d]
    ends = [(a, 0) for a in range(attackers + 1)] + [(0, d) for d in range(1, defenders + 1)]
    return [BattleEnd(a, d, float(reached[a, d])) for a, d in ends if reached[a, d] > 0]


def simulate_battles(attackers: int, defenders: int, battles: int, seed: int) -> float:
    """The share of simulated battles that conquer: dice are thrown, sorted and compared, nothing is computed.

    Args:
        battles: how many; a million take about a second.
        seed: of numpy's generator.
    """
    draw = np.random.default_rng(seed)
    own, other = np.full(battles, attackers), np.full(battles, defenders)
    while (going := np.flatnonzero((own > 0) & (other > 0))).size:
        attack = draw.integers(1, 7, (going.size, ATTACK_DICE), dtype=np.int8)
        defence = draw.integers(1, 7, (going.size, DEFENCE_DICE), dtype=np.int8)
        # A die that is not rolled counts 0 and is sorted to the end.
        attack[np.arange(ATTACK_DICE) >= own[going, None]] = 0
        defence[np.arange(DEFENCE_DICE) >= other[going, None]] = 0
        attack.sort(axis=1)
        defence.sort(axis=1)
        for place in (-1, -2):
            compared = (attack[:, place] > 0) & (defence[:, place] > 0)
            won = attack[:, place] > defence[:, place]
            own[going] -= compared & ~won
            other[going] -= compared & won
    return float(np.mean(other == 0))
