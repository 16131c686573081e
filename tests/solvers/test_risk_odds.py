"""Exact odds of Risk's battles: the published table, dice counted by hand, and simulated battles."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ludometer.core import Chance
from ludometer.games.risk.battle import fight
from ludometer.solvers.risk_odds import battle_ends, conquest_odds, expected_losses, roll_odds, simulate_battles

# Osborne (2003), the corrected table of the probability that the attacker wins, to three digits: attackers 1 to 10 by
# row, defenders 1 to 10 by column.
OSBORNE = """
0.417 0.106 0.027 0.007 0.002 0.000 0.000 0.000 0.000 0.000
0.754 0.363 0.206 0.091 0.049 0.021 0.011 0.005 0.003 0.001
0.916 0.656 0.470 0.315 0.206 0.134 0.084 0.054 0.033 0.021
0.972 0.785 0.642 0.477 0.359 0.253 0.181 0.123 0.086 0.057
0.990 0.890 0.769 0.638 0.506 0.397 0.297 0.224 0.162 0.118
0.997 0.934 0.857 0.745 0.638 0.521 0.423 0.329 0.258 0.193
0.999 0.967 0.910 0.834 0.736 0.640 0.536 0.446 0.357 0.287
1.000 0.980 0.947 0.888 0.818 0.730 0.643 0.547 0.464 0.380
1.000 0.990 0.967 0.930 0.873 0.808 0.726 0.646 0.558 0.480
1.000 0.994 0.981 0.954 0.916 0.861 0.800 0.724 0.650 0.568
"""


def test_the_published_table() -> None:
    for attackers, line in enumerate(OSBORNE.split("\n")[1:-1], 1):
        for defenders, value in enumerate(line.split(), 1):
            assert conquest_odds(attackers, defenders) == pytest.approx(float(value), abs=0.0005 + 1e-9)


def test_five_and_four_against_three() -> None:
    assert round(conquest_odds(5, 3), 3) == 0.769
    assert round(conquest_odds(4, 3), 3) == 0.642, "five armies in the territory: four can attack"


@pytest.mark.parametrize(
    ("dice", "counts", "throws"),
    [
        ((1, 1), (15, 21), 36),
        ((2, 1), (125, 91), 216),
        ((3, 1), (855, 441), 1296),
        ((1, 2), (55, 161), 216),
        ((2, 2), (295, 420, 581), 1296),
        ((3, 2), (2890, 2611, 2275), 7776),
    ],
)
def test_single_rolls(dice: tuple[int, int], counts: tuple[int, ...], throws: int) -> None:
    """The counts are those of Osborne's table of one roll."""
    assert roll_odds(*dice) == tuple(float(Fraction(count, throws)) for count in counts)
    own, other = expected_losses(*dice)
    assert own + other == pytest.approx(len(counts) - 1)
    assert own == pytest.approx(sum(i * count for i, count in enumerate(counts)) / throws)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (5, 3), (4, 3), (9, 12)])
def test_ends_of_a_battle_add_up(attackers: int, defenders: int) -> None:
    ends = battle_ends(attackers, defenders)
    assert sum(end.odds for end in ends) == pytest.approx(1)
    assert all((end.attackers == 0) != (end.defenders == 0) for end in ends)
    assert sum(end.odds for end in ends if end.attackers) == pytest.approx(conquest_odds(attackers, defenders))


def test_edges() -> None:
    assert conquest_odds(0, 1) == 0 and conquest_odds(1, 0) == 1 and conquest_odds(0, 0) == 1
    assert conquest_odds(300, 100) > 0.999 and conquest_odds(100, 300) < 0.001
    with pytest.raises(ValueError, match="cannot be negative"):
        conquest_odds(-1, 2)


@pytest.mark.parametrize(("attackers", "defenders"), [(5, 3), (4, 3)])
def test_a_million_simulated_battles(attackers: int, defenders: int) -> None:
    battles = 1_000_000
    share = simulate_battles(attackers, defenders, battles, seed=7)
    odds = conquest_odds(attackers, defenders)
    assert share == pytest.approx(odds, abs=4.5 * (odds * (1 - odds) / battles) ** 0.5)


def test_the_games_own_battles_follow_the_odds() -> None:
    battles = 4_000
    chance = Chance.from_seed("battles")
    won = sum(fight(chance.named(i), 0, 5, 3, 0).defender_lost == 3 for i in range(battles))
    odds = conquest_odds(5, 3)
    assert won / battles == pytest.approx(odds, abs=4.5 * (odds * (1 - odds) / battles) ** 0.5)
