"""Territory cards: which three make a set, and what a set is worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, TypeAlias

from ludometer.games.risk.board import WILD, RiskMap

__all__ = ["BONUS", "FORCED", "CardSeries", "has_set", "is_set", "series_value", "set_value", "sets_in"]

CardSeries: TypeAlias = Literal["rising", "fixed"]

FORCED = 5
"""Cards with which a player must trade."""
BONUS = 2
"""Extra armies for a traded card that shows one's own territory, once a turn."""

_RISING = (4, 6, 8, 10, 12, 15)
_RISING_STEP = 5
_FIXED = (4, 6, 8)
_FIXED_MIXED = 10


def is_set(board: RiskMap, cards: Sequence[int]) -> bool:
    """Whether three cards show the same three times or three different things; a wild card stands for anything."""
    shown = {board.symbol(card) for card in cards} - {WILD}
    wild = sum(board.symbol(card) == WILD for card in cards)
    return len(cards) == 3 and (len(shown) <= 1 or len(shown) + wild == 3)


def sets_in(board: RiskMap, hand: Sequence[int]) -> list[tuple[int, int, int]]:
    """Every set in a hand, each ascending."""
    return [three for three in combinations(hand, 3) if is_set(board, three)]


def has_set(board: RiskMap, hand: Sequence[int]) -> bool:
    """Whether a hand has a set. Five cards always have one."""
    return len(hand) >= FORCED or any(is_set(board, three) for three in combinations(hand, 3))


def series_value(trades: int) -> int:
    """What the next set is worth in the rising series after ``trades`` sets: 4, 6, 8, 10, 12, 15, 20, 25, ..."""
    return _RISING[trades] if trades < len(_RISING) else _RISING[-1] + _RISING_STEP * (trades + 1 - len(_RISING))


def set_value(board: RiskMap, cards: Sequence[int], series: CardSeries, trades: int) -> int:
    """Armies for a set. In the fixed series 4 for infantry, 6 for cavalry, 8 for artillery, 10 for one of each; wild
    cards stand for whatever is worth most."""
    if series == "rising":
        return series_value(trades)
    shown = [board.symbol(card) for card in cards if board.symbol(card) != WILD]
    # With a wild card two equal cards can only be three of a kind; anything else can be made one of each.
    return _FIXED[shown[0]] if len(set(shown)) == 1 and len(shown) >= 2 else _FIXED_MIXED
