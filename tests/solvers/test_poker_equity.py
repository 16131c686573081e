"""Equities against counts over all boards, published ones, and counts by hand."""

from __future__ import annotations

from itertools import combinations

import eval7
import pytest

from ludometer.core import Chance
from ludometer.solvers.poker_equity import equities, equity_against_random, shares

LUCK = Chance.from_seed("equity")


def share(hands: list[str], board: str = "", samples: int = 20_000) -> list[float]:
    cards = [(hand[:2], hand[2:]) for hand in hands]
    turned = [board[i : i + 2] for i in range(0, len(board), 2)]
    return list(equities(cards, turned, [(1, range(len(hands)))], chance=LUCK, samples=samples))


COUNTED = [
    (["AsAh", "KsKh"], 0.826366),
    (["AsKs", "QhQd"], 0.462145),
    (["7h2c", "AsAd"], 0.125776),
]
"""Shares over all 1,712,304 boards."""


@pytest.mark.parametrize(("hands", "counted"), COUNTED)
def test_before_the_flop(hands: list[str], counted: float) -> None:
    found = share(hands)
    assert found[0] == pytest.approx(counted, abs=0.014)  # four standard errors of 20,000 boards
    assert sum(found) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(("hands", "counted"), COUNTED)
def test_all_boards_counted_one_by_one(hands: list[str], counted: float) -> None:
    one, other = ([eval7.Card(hand[:2]), eval7.Card(hand[2:])] for hand in hands)
    rest = [card for card in eval7.Deck().cards if card not in (*one, *other)]
    won = 0.0
    for drawn in combinations(rest, 5):
        a, b = eval7.evaluate([*one, *drawn]), eval7.evaluate([*other, *drawn])
        won += 1.0 if a > b else 0.5 if a == b else 0.0
    assert won / 1_712_304 == pytest.approx(counted, abs=1e-6)


def test_a_flush_draw_on_the_turn_is_counted_exactly() -> None:
    # 44 cards to come; nine hearts make the flush, of which two pair the board and make a full house against it.
    assert share(["AhKh", "9c9d"], "2h7h9sTc") == pytest.approx([7 / 44, 37 / 44])


def test_a_flop_is_counted_exactly_whatever_the_luck() -> None:
    hands = [("As", "Ah"), ("Ks", "Kh")]
    one, other = (equities(hands, ["2c", "7d", "9h"], [(1, (0, 1))], chance=Chance(k), samples=5) for k in (1, 2))
    assert list(one) == list(other)
    # Two kings are left among 45 cards; C(43, 2) = 903 of 990 boards have neither. Runner-runner aside that is all.
    assert one[1] == pytest.approx(1 - 903 / 990, abs=0.006)


def test_side_pots_are_valued_apart() -> None:
    hands = [("As", "Ah"), ("Ks", "Kh"), ("Qs", "Qh")]
    board = ["2c", "7d", "9h", "Jc", "3d"]
    worth = equities(hands, board, [(150, (0, 1, 2)), (800, (1, 2))], chance=LUCK)
    assert list(worth) == [150, 800, 0]


def test_equal_hands_share() -> None:
    assert shares([5, 7, 7, 9], (0, 1, 2)) == {1: 0.5, 2: 0.5}
    assert share(["2c3d", "2d3c"], "AsKsQhJdTc") == [0.5, 0.5]


def test_against_random_hands() -> None:
    """85.2% against one and 73.4% against two unknown hands are the published equities of a pair of aces."""
    for opponents, published in ((1, 0.852), (2, 0.734)):
        found = equity_against_random(("As", "Ah"), [], opponents, chance=LUCK, samples=8000)
        assert found == pytest.approx(published, abs=0.02)
    nuts = equity_against_random(("As", "Ks"), ["Qs", "Js", "Ts"], 3, chance=LUCK, samples=50)
    assert nuts == 1
    board = ["As", "Ks", "Qs", "Js", "Ts"]
    assert equity_against_random(("2c", "3d"), board, 2, chance=LUCK, samples=50) == pytest.approx(1 / 3)
