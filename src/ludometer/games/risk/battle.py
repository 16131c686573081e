"""Dice. The luck of a roll depends on the turn, the player and how many rolls the turn had before, and on nothing else:
matches of one duplicate group share it as far as their turns run alike."""

from __future__ import annotations

from typing import NamedTuple

from ludometer.core import Chance
from ludometer.games.risk.state import Roll

__all__ = ["ATTACK_DICE", "DEFENCE_DICE", "Fight", "fight", "losses", "roll"]

ATTACK_DICE = 3
DEFENCE_DICE = 2
_FACES = 6
_OUTCOMES = _FACES**5


class Fight(NamedTuple):
    """How an attack went: what both sides lost, the dice of the last roll's attacker, and every roll."""

    attacker_lost: int
    defender_lost: int
    dice: int
    rolls: tuple[Roll, ...]


def roll(chance: Chance, attackers: int, defenders: int) -> Roll:
    """A roll of up to three dice against up to two, each side descending.

    Five dice are always drawn and those not rolled are put aside, so that a roll with fewer dice is part of the same
    luck.
    """
    drawn, _ = chance.below(_OUTCOMES)
    drawn, a = divmod(drawn, _FACES)
    drawn, b = divmod(drawn, _FACES)
    drawn, c = divmod(drawn, _FACES)
    e, d = divmod(drawn, _FACES)
    attack = sorted((a + 1, b + 1, c + 1)[:attackers], reverse=True)
    high, low = (d + 1, e + 1 if defenders > 1 else 0)
    if low > high:
        high, low = low, high
    first, second, third = (*attack, 0, 0)[:3]
    return first, second, third, high, low


def losses(dice: Roll) -> tuple[int, int]:
    """What a roll costs attacker and defender: the highest dice are compared, then the second highest where both sides
    have one; the defender wins ties."""
    lost = int(dice[0] <= dice[3])
    if dice[1] and dice[4]:
        lost += dice[1] <= dice[4]
        return lost, 2 - lost
    return lost, 1 - lost


def fight(chance: Chance, before: int, attackers: int, defenders: int, dice: int) -> Fight:
    """An attack.

    Args:
        chance: the luck of this player's turn; rolls are named by number.
        before: rolls made in the turn before.
        attackers: armies that may attack: those in the territory but one.
        defenders: armies in the territory that is attacked.
        dice: for a single roll; 0 to roll as many dice as possible until one side has no armies left.
    """
    rolls: list[Roll] = []
    own_lost = other_lost = used = 0
    while own_lost < attackers and other_lost < defenders and (dice == 0 or not rolls):
        used = dice or min(ATTACK_DICE, attackers - own_lost)
        made = roll(chance.named(before + len(rolls)), used, min(DEFENCE_DICE, defenders - other_lost))
        own, other = losses(made)
        own_lost += own
        other_lost += other
        rolls.append(made)
    return Fight(own_lost, other_lost, used, tuple(rolls))
