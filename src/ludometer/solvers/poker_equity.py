"""Equity in hold'em: the share of the pots that hands win when the rest of the board is dealt at random (eval7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import TypeAlias

import eval7
import numpy as np
import numpy.typing as npt

from ludometer.core import Chance
from ludometer.games._poker_hand import CARDS

__all__ = ["EXACT_BELOW", "equities", "equity_against_random", "shares"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
Pots: TypeAlias = Sequence[tuple[int, Sequence[int]]]
"""Amounts with the players (numbers into the hands) that can win them."""

EXACT_BELOW = 2_000
"""Boards up to this number are all counted (two cards to come have at most 990); more are drawn at random."""


@cache
def _card(text: str) -> eval7.Card:
    return eval7.Card(text)


def shares(ranks: Sequence[int], among: Sequence[int]) -> dict[int, float]:
    """Who wins a pot: the best of these players' hands, equal ones in equal parts."""
    best = max(ranks[i] for i in among)
    winners = [i for i in among if ranks[i] == best]
    return dict.fromkeys(winners, 1 / len(winners))


def equities(
    hands: Sequence[Sequence[str]],
    board: Sequence[str],
    pots: Pots,
    *,
    chance: Chance,
    samples: int = 20_000,
    dead: Iterable[str] = (),
) -> FloatArray:
    """Expected chips of each hand from the pots, shape (number of hands,), when nobody acts any more.

    Exact from the flop on; before it the mean of ``samples`` random boards, whose standard error is at most half of the
    chips at stake divided by the square root of their number (0.35% of a pot with 20,000).

    Args:
        hands: two cards each.
        board: the cards already turned.
        pots: what is played for.
        dead: cards that cannot come, besides those of ``hands`` and ``board``: folded ones, where they are known.
    """
    held = {card for cards in (*hands, board, tuple(dead)) for card in cards}
    rest = [_card(card) for card in CARDS if card not in held]
    fixed = [[_card(card) for card in (*cards, *board)] for cards in hands]
    missing = 5 - len(board)
    total = np.zeros(len(hands))
    count = 0
    for drawn in _boards(rest, missing, chance, samples):
        ranks = [eval7.evaluate([*cards, *drawn]) for cards in fixed]
        for amount, among in pots:
            for i, share in shares(ranks, among).items():
                total[i] += amount * share
        count += 1
    return total / count


def _boards(rest: Sequence[eval7.Card], missing: int, chance: Chance, samples: int) -> Iterable[Sequence[eval7.Card]]:
    possible = 1
    for k in range(missing):
        possible = possible * (len(rest) - k) // (k + 1)
    if possible <= EXACT_BELOW:
        yield from combinations(rest, missing)
        return
    for order in _draws(len(rest), missing, chance, samples):
        yield [rest[i] for i in order]


def _draws(size: int, wanted: int, chance: Chance, samples: int) -> list[list[int]]:
    """``samples`` draws of different numbers below ``size``, in random order."""
    generator = np.random.Generator(np.random.PCG64(chance.bits()[0]))
    found: list[list[int]] = generator.random((samples, size)).argsort(axis=1)[:, :wanted].tolist()
    return found


def equity_against_random(
    hand: Sequence[str], board: Sequence[str], opponents: int, *, chance: Chance, samples: int
) -> float:
    """The share of a pot that a hand wins against so many unknown hands, by Monte Carlo.

    Args:
        samples: random deals; the standard error is at most 0.5 / sqrt(samples).
    """
    held = {*hand, *board}
    rest = [_card(card) for card in CARDS if card not in held]
    own, missing = [_card(card) for card in hand], 5 - len(board)
    turned = [_card(card) for card in board]
    won = 0.0
    for order in _draws(len(rest), missing + 2 * opponents, chance, samples):
        drawn = [rest[i] for i in order]
        full = [*turned, *drawn[:missing]]
        mine = eval7.evaluate([*own, *full])
        others = [eval7.evaluate([*drawn[k : k + 2], *full]) for k in range(missing, missing + 2 * opponents, 2)]
        if mine >= max(others):
            won += 1 / (1 + others.count(mine))
    return won / samples
