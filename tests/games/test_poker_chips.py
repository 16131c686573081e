"""Chips are conserved, and pots are split as a count chip by chip splits them."""

from __future__ import annotations

from collections.abc import Iterator

import eval7
import pytest

from ludometer.core import Chance, make_game
from ludometer.games._poker_engine import rebuilt
from ludometer.games._poker_hand import Hand, Table, dealt_order

from .poker_tables import Dealt


def random_hands(n: int, wanted: int, chance: Chance, check: bool = True) -> Iterator[Hand]:
    """Hands of random matches, tournaments and cash games with and without antes."""
    made = number = 0
    while made < wanted:
        luck = chance.named("match", number)
        options = [{"hands": 60}, {"hands": 10, "mode": "cash", "ante": 3}, {"hands": "one_left", "ante": 1}]
        game = make_game("poker", options[number % 3])
        state = game.new(n, luck)
        step = 0
        while seats := game.to_act(state):
            if check:
                assert_conserved(state.table, n * 1000)
            state = game.apply(state, {seats[0]: game.sample(state, seats[0], luck.named(step))})
            step += 1
        yield from state.past[: wanted - made]
        made += len(state.past)
        number += 1


def assert_conserved(table: Table, total: int) -> None:
    assert min(table.stacks) >= 0 and min(table.bets) >= 0
    assert sum(table.stacks) + table.pot == total
    if table.raises_to is not None:
        least, most = table.raises_to
        assert table.highest < least <= most


def assert_sound(hand: Hand, total: int) -> None:
    assert sum(hand.stacks) == sum(hand.after) == total
    assert min(hand.after) >= 0 and min(hand.won) >= 0
    live = [seat for seat in dealt_order(hand) if (seat, "fold") not in {(a.seat, a.kind) for a in hand.acts}]
    assert {seat for seat, chips in enumerate(hand.won) if chips} <= set(live), "who folded wins nothing"
    if len(live) > 1:
        assert len(hand.board) == 5 and {seat for seat, chips in enumerate(hand.won) if chips} <= set(hand.shown)
    dealt = [card for cards in (*hand.holes, hand.board) for card in cards]
    assert len(set(dealt)) == len(dealt), "a card twice"


@pytest.mark.parametrize(("n", "count"), [(2, 350), (3, 300), (6, 200), (10, 150)])
def test_chips_are_conserved_in_random_hands(n: int, count: int) -> None:
    hands = list(random_hands(n, count, Chance.from_seed("chips")))
    assert len(hands) == count
    for hand in hands:
        assert_sound(hand, n * 1000)
    assert {act.kind for hand in hands for act in hand.acts} == {"fold", "check", "call", "bet", "raise"}
    assert any(len(hand.board) == 5 for hand in hands)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "count"), [(2, 3500), (3, 3000), (6, 2000), (10, 1500)])
def test_chips_are_conserved_in_many_random_hands(n: int, count: int) -> None:
    for hand in random_hands(n, count, Chance.from_seed("many chips")):
        assert_sound(hand, n * 1000)


# ------------------------------------------------------------- chip by chip


def counted(put: list[int], live: list[int], order: list[int], strength: dict[int, int]) -> list[int]:
    """Who wins what, counted chip by chip: the k-th chip of everybody who put in k or more is won among those of them
    who have not folded. Chips with the same possible winners are one pot; what cannot be split goes to the first in
    order. A chip that only its owner put in goes back."""
    won = [0] * len(put)
    pots: dict[tuple[int, ...], int] = {}
    for k in range(1, max(put) + 1):
        owners = [seat for seat, chips in enumerate(put) if chips >= k]
        if len(owners) == 1:
            continue
        pots_for = tuple(seat for seat in live if put[seat] >= k)
        pots[pots_for] = pots.get(pots_for, 0) + len(owners)
    for among, amount in pots.items():
        best = max(strength[seat] for seat in among)
        winners = [seat for seat in order if seat in among and strength[seat] == best]
        for seat in winners:
            won[seat] += amount // len(winners)
        won[winners[0]] += amount % len(winners)
    return won


def shoving_hand(chance: Chance) -> tuple[Dealt, list[int], list[int]]:
    """A hand in which everybody folds, calls or goes all-in before the flop, with what each put in and who stayed."""
    n, chance = chance.below(9)
    stacks = []
    for _ in range(n + 2):
        chips, chance = chance.below(300)
        stacks.append(chips + 1)
    button, chance = chance.below(n + 2)
    ante, chance = chance.below(4)
    deck = chance.named("deck").shuffled([r + s for r in "23456789TJQKA" for s in "cdhs"])[0]
    holes = ["".join(deck[2 * i : 2 * i + 2]) for i in range(n + 2)]
    table = Dealt(stacks, holes, "".join(deck[40:45]), button=button, blinds=(5, 10), ante=ante)
    put, folded = [], set()
    while table.actor is not None:
        before, seat = table.table, table.actor
        put = [stack - left for stack, left in zip(stacks, before.stacks, strict=True)]
        die, chance = chance.below(4)
        street = table.hand.street
        if street or die == 0 or before.raises_to is None:
            said = "fold" if die == 1 and before.to_call else "call" if before.to_call else "check"
        else:
            said = "fold" if die == 1 and before.to_call else "all-in"
        cost = 0
        if said == "all-in":
            cost = before.stacks[seat]
        elif said == "call":
            cost = before.to_call
        elif said == "fold":
            folded.add(seat)
        put[seat] += cost
        table.play(said)
    return table, put, [seat for seat in range(n + 2) if seat not in folded]


@pytest.mark.parametrize("hands", [120, pytest.param(1500, marks=pytest.mark.slow)])
def test_pots_are_split_as_counted_chip_by_chip(hands: int) -> None:
    splits = sides = moved = 0
    for number in range(hands):
        table, put, live = shoving_hand(Chance.from_seed("shove").named(number))
        hand = table.hand
        if not put or len(live) < 2:
            continue
        strength = {seat: eval7.evaluate([eval7.Card(c) for c in (*hand.holes[seat], *hand.board)]) for seat in live}
        assert list(hand.won) == counted(put, live, dealt_order(hand), strength), (number, hand)
        # pokerkit says the same, but for a chip that its merging of side pots can move.
        engine = rebuilt(hand, table.deck)
        theirs = [0] * len(put)
        for player, seat in enumerate(dealt_order(hand)):
            theirs[seat] = engine.stacks[player]
        difference = [abs(one - other) for one, other in zip(hand.after, theirs, strict=True)]
        assert max(difference) <= 2 and sum(hand.after) == sum(theirs)
        moved += any(difference)
        sides += sum(chips > 0 for chips in hand.won) > 1
        splits += len(set(strength.values())) < len(strength)
    assert sides > hands // 12 and splits > 2 and moved < 2 + hands // 50
