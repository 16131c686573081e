"""What holds in every position of random games, checked from the log by a reckoning of its own."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from ludometer.core import Chance, Illegal, make_game
from ludometer.games.risk import Order, Orders, Risk, State
from ludometer.games.risk.state import Log

MODES: list[dict[str, Any]] = [
    {},
    {"blitz": False, "cards": "fixed"},
    {"orders": "phase"},
    {"map": "small", "placement": "picked", "at_a_time": 3, "amounts": "few"},
    {"map": "small", "placement": "placed", "orders": "phase", "blitz": False},
]


def walked(game: Risk, n: int, seed: int) -> list[State]:
    chance = Chance.from_seed(seed)
    states = [game.new(n, chance)]
    while seats := game.to_act(states[-1]):
        action = game.sample(states[-1], seats[0], chance.named("move", len(states)))
        states.append(game.apply(states[-1], {seats[0]: action}))
        assert len(states) < 5_000
    return states


class Ledger:
    """Owners and armies as the log tells them."""

    def __init__(self, start: State) -> None:
        self.owners = list(start.owners)
        self.armies = list(start.armies)
        self.conquests: Counter[int] = Counter()

    def read(self, log: Log, blitz: bool) -> None:
        numbers, player = log.numbers, log.player
        if log.trait == "pick":
            assert self.owners[numbers[0]] == -1
            self.owners[numbers[0]], self.armies[numbers[0]] = player, 1
        elif log.trait == "reinforce":
            assert self.owners[numbers[0]] == player and numbers[1] > 0
            self.armies[numbers[0]] += numbers[1]
        elif log.trait == "trade" and numbers[1] >= 0:
            assert self.owners[numbers[1]] == player and numbers[1] in numbers[2:]
            self.armies[numbers[1]] += 2
        elif log.trait == "attack":
            self.fight(log, blitz)
        elif log.trait in ("move", "fortify"):
            source, target, count = numbers
            assert self.owners[source] == self.owners[target] == player
            assert 0 < count < self.armies[source]
            self.armies[source] -= count
            self.armies[target] += count

    def fight(self, log: Log, blitz: bool) -> None:
        source, target, defender, own, other, taken = log.numbers
        assert (self.owners[source], self.owners[target]) == (log.player, defender) and defender != log.player
        for dice in log.rolls:
            attack, defence = [die for die in dice[:3] if die], [die for die in dice[3:] if die]
            assert 1 <= len(attack) <= min(3, self.armies[source] - 1)
            assert len(defence) == min(2, self.armies[target])
            if blitz:
                assert len(attack) == min(3, self.armies[source] - 1)
            for mine, theirs in zip(attack, defence, strict=False):
                loser = target if mine > theirs else source
                self.armies[loser] -= 1
                own, other = (own, other - 1) if mine > theirs else (own - 1, other)
        assert (own, other) == (0, 0), "the losses are those of the dice"
        assert taken == (self.armies[target] == 0)
        if blitz:
            assert taken or self.armies[source] == 1, "an attack goes on until it is decided"
        if taken:
            self.owners[target] = log.player
            self.conquests[log.player] += 1


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_the_log_tells_what_happened(options: dict[str, Any], n: int) -> None:
    game = make_game("risk", {**options, "max_turns": 12})
    assert isinstance(game, Risk)
    states = walked(game, n, n)
    ledger = Ledger(states[0])
    for before, after in pairwise(states):
        assert after.log[: len(before.log)] == before.log
        for log in after.log[len(before.log) :]:
            ledger.read(log, game.blitz)
        if after.moving is None and after.phase != "over":
            assert (tuple(ledger.owners), tuple(ledger.armies)) == (after.owners, after.armies)
        else:
            assert tuple(ledger.owners) == after.owners and sum(ledger.armies) == sum(after.armies)
    assert ledger.conquests, "territories changed hands"


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("n", [2, 5])
def test_every_position_is_sound(options: dict[str, Any], n: int) -> None:
    game = make_game("risk", {**options, "max_turns": 12})
    assert isinstance(game, Risk)
    cards = list(range(game.settings.board.cards))
    for state in walked(game, n, 10 + n):
        held = [card for hand in state.hands for card in hand]
        assert sorted((*held, *state.deck, *state.discards)) == cards, "no card is lost or doubled"
        assert all(count >= 1 for owner, count in zip(state.owners, state.armies, strict=True) if owner >= 0)
        assert all((player in state.out) == (player not in state.owners) for player in range(n) if state.round)
        if state.round and state.phase != "over":
            assert state.player not in state.out
            assert (state.phase == "reinforce") == (state.pending > 0 or state.midturn)
            assert len(state.hands[state.player]) <= 5 + 5 * len(state.out)
            for player, hand in enumerate(state.hands):
                # Five at the end of the attacks, and one for the conquest.
                assert player == state.player or len(hand) <= 6
    assert state.round <= 12


def test_the_bound_on_decisions_holds_and_grows_with_the_turns() -> None:
    assert Risk().max_steps() < 100_000
    assert Risk(max_turns=1).max_steps() < Risk(max_turns=2).max_steps()
    for n in (2, 6):
        game = Risk("small", max_turns=1, blitz=False)
        assert len(walked(game, n, 1)) - 1 <= game.max_steps()


def every_order(game: Risk, state: State) -> list[Order]:
    """Orders of every kind, legal or not, from a space that includes all legal ones."""
    size = range(len(game.settings.board.names))
    most = max(state.armies) + state.pending
    orders = [Order("end"), *(Order("pick", target=t) for t in size)]
    orders += [Order("move", number=count) for count in range(most + 2)]
    orders += [Order("reinforce", target=t, number=count) for t in size for count in range(state.pending + 2)]
    orders += [Order("attack", a, b, dice) for a in size for b in size for dice in range(5)]
    orders += [Order("fortify", a, b, count) for a in size for b in size for count in range(most + 1)]
    hand = state.hands[state.player]
    three = [(a, b, c) for a in hand for b in hand for c in hand if a < b < c]
    return orders + [Order("trade", target=t, cards=cards) for cards in three for t in range(-1, len(size))]


@pytest.mark.parametrize(("blitz", "amounts"), [(True, "any"), (False, "any"), (True, "few")])
def test_the_list_of_legal_orders_is_exactly_what_check_lets_pass(blitz: bool, amounts: Any) -> None:
    kinds: Counter[str] = Counter()
    game = Risk(map="small", blitz=blitz, placement="picked", max_turns=8, amounts=amounts)
    for state in walked(game, 3, 4)[::17]:
        if not game.to_act(state):
            continue
        seat = game.to_act(state)[0]
        legal = game.legal(state, seat)
        assert legal is not None
        passing = set()
        for order in every_order(game, state):
            try:
                game.check(state, seat, order)
            except Illegal:
                continue
            passing.add(order)
        assert passing == set(legal) and len(passing) == len(legal)
        kinds.update(order.kind for order in legal if isinstance(order, Order))
    assert set(kinds) >= {"pick", "reinforce", "attack", "fortify", "end"}


def test_lists_of_orders_are_legal_when_sampled_and_played_at_random() -> None:
    game = Risk(map="small", orders="phase", max_turns=10)
    states = walked(game, 4, 3)
    lengths: Counter[int] = Counter()
    for i, state in enumerate(states[:-1]):
        (seat,) = game.to_act(state)
        action = game.sample(state, seat, Chance.from_seed(i))
        assert isinstance(action, Orders)
        game.check(state, seat, action)
        lengths[len(action.orders)] += 1
    assert max(lengths) > 1


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_many_random_games(n: int) -> None:
    for options in MODES:
        game = make_game("risk", options)
        assert isinstance(game, Risk)
        for seed in range(40):
            states = walked(game, n, seed)
            ledger = Ledger(states[0])
            for log in states[-1].log:
                ledger.read(log, game.blitz)
            assert tuple(ledger.owners) == states[-1].owners
            assert sum(ledger.armies) == sum(states[-1].armies)
