"""Swiss pairing: who meets whom, who sits first, who has a bye."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance
from ludometer.tournaments.swiss import Round, Standing, next_round


class Event:
    """A tournament with results drawn by luck."""

    def __init__(self, entrants: int, seed: int = 0) -> None:
        self.points, self.firsts, self.byes = [0.0] * entrants, [0] * entrants, [0] * entrants
        self.lots, self.chance = Chance.from_seed(seed).shuffled(range(entrants))
        self.met: Counter[frozenset[int]] = Counter()
        self.rounds = 0

    def standings(self) -> list[Standing]:
        return [Standing(*row) for row in zip(self.points, self.firsts, self.byes, self.lots, strict=True)]

    def next(self) -> Round:
        return next_round(self.standings(), self.met, self.rounds)

    def play(self) -> Round:
        found = self.next()
        for first, second in found.pairs:
            result, self.chance = self.chance.choice((0.0, 0.5, 1.0))
            self.points[first] += result
            self.points[second] += 1.0 - result
            self.firsts[first] += 1
            self.firsts[second] -= 1
            self.met[frozenset((first, second))] += 1
        if found.bye is not None:
            self.points[found.bye] += 1.0
            self.byes[found.bye] += 1
        self.rounds += 1
        return found


def could_avoid_repeats(entrants: int, met: Counter[frozenset[int]], bye: int | None) -> bool:
    """Whether everybody but ``bye`` can be paired with somebody new, by trying everything."""

    def pairable(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        one, *others = left
        return any(
            not met[frozenset((one, other))] and pairable(tuple(i for i in others if i != other)) for other in others
        )

    return pairable(tuple(i for i in range(entrants) if i != bye))


@given(st.integers(2, 9), st.integers(0, 10**6), st.integers(1, 12))
def test_no_meeting_again_while_it_can_be_avoided(entrants: int, seed: int, rounds: int) -> None:
    event = Event(entrants, seed)
    for _ in range(rounds):
        met, byes = Counter(event.met), list(event.byes)
        found = event.play()
        everybody = [i for pair in found.pairs for i in pair] + ([] if found.bye is None else [found.bye])
        assert sorted(everybody) == list(range(entrants)), "everybody once"
        again = [pair for pair in found.pairs if met[frozenset(pair)]]
        possible_byes = [i for i in range(entrants) if byes[i] == min(byes)] if entrants % 2 else [None]
        assert found.bye in possible_byes, "a second bye only after everybody's first"
        if again:
            assert not any(could_avoid_repeats(entrants, met, bye) for bye in possible_byes)


@given(st.integers(2, 24), st.integers(0, 10**6), st.integers(1, 24))
def test_the_first_seat_goes_round(entrants: int, seed: int, rounds: int) -> None:
    event = Event(entrants, seed)
    for _ in range(rounds):
        event.play()
        assert max(map(abs, event.firsts)) <= 3
        assert sum(event.firsts) == 0


def test_the_first_seat_is_nearly_even() -> None:
    differences = Counter[int]()
    for seed in range(60):
        event = Event(12, seed)
        for _ in range(8):
            event.play()
        differences.update(map(abs, event.firsts))
    assert differences.total() == 720
    assert sum(n for difference, n in differences.items() if difference > 2) <= 7, "one in a hundred at most"


def test_the_upper_half_of_a_score_group_meets_the_lower_half() -> None:
    standings = [Standing(0.0, 0, 0, lot) for lot in range(8)]
    assert {frozenset(pair) for pair in next_round(standings, Counter(), 0).pairs} == {
        frozenset((i, i + 4)) for i in range(4)
    }
    # Two score groups of four; inside each the same, and nobody leaves it.
    standings = [Standing(float(lot < 4), 0, 0, lot) for lot in range(8)]
    expected = {frozenset(pair) for pair in ((0, 2), (1, 3), (4, 6), (5, 7))}
    assert {frozenset(pair) for pair in next_round(standings, Counter(), 0).pairs} == expected


def test_who_met_floats_to_the_next_group() -> None:
    standings = [Standing(1.0, 0, 0, 0), Standing(1.0, 0, 0, 1), Standing(0.0, 0, 0, 2), Standing(0.0, 0, 0, 3)]
    met = Counter({frozenset((0, 1)): 1})
    assert {frozenset(pair) for pair in next_round(standings, met, 1).pairs} == {frozenset((0, 2)), frozenset((1, 3))}


def test_who_needs_the_same_seat_is_kept_apart() -> None:
    standings = [Standing(1.0, 2, 0, 0), Standing(0.0, 0, 0, 1), Standing(1.0, 2, 0, 2), Standing(0.0, 0, 0, 3)]
    found = next_round(standings, Counter(), 3)
    assert frozenset((0, 2)) not in {frozenset(pair) for pair in found.pairs}
    assert {first for first, _ in found.pairs} == {1, 3}, "and sits second"


def test_the_lowest_has_the_bye() -> None:
    standings = [Standing(2.0, 0, 0, 0), Standing(1.0, 0, 0, 1), Standing(0.0, 0, 0, 2)]
    assert next_round(standings, Counter(), 1).bye == 2
    standings[2] = Standing(1.0, 0, 1, 2)
    assert next_round(standings, Counter(), 2).bye == 1, "who had none"


def test_all_rounds_together_are_a_round_robin() -> None:
    for entrants in (4, 6, 10):
        event = Event(entrants, 5)
        for _ in range(2 * (entrants - 1)):
            event.play()
        assert set(event.met) == set(map(frozenset, combinations(range(entrants), 2)))
    # The last rounds of a Swiss tournament may be unable to avoid a meeting that the first ones made necessary.
    assert sum(event.met.values()) == 18 * 5


def test_pairing_is_a_function_of_what_is_known() -> None:
    event = Event(11, 3)
    for _ in range(5):
        assert event.next() == event.next()
        event.play()
