"""Liar's dice: rules against a count by hand and a second implementation, luck, hidden dice, endings."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance, ConfigurationError, Illegal, Watcher, make_game
from ludometer.games.liars_dice import (
    CALL,
    LiarsDice,
    Move,
    Table,
    bid_probability,
    bid_rank,
    higher_bids,
)
from ludometer.prompts.picture import png
from ludometer.testing import check_game


def played(game: LiarsDice, state: Table, *moves: str) -> Table:
    for text in moves:
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    return state


def table(*hands: Sequence[int]) -> Table:
    sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
    return Table(tuple(map(len, hands)), sorted_hands, (), 0, (), Chance(5))


@pytest.mark.parametrize(
    "options",
    [
        {"dice": 1},
        {"dice": 2, "ones_wild": True},
        {"dice": 2, "rounds": "last_standing"},
        {"dice": 1, "rounds": "last_standing"},
        {"dice": 10},
    ],
    ids=str,
)
def test_every_option_holds_to_the_contract(options: dict[str, Any]) -> None:
    check_game(make_game("liars_dice", options), matches=3)


@pytest.mark.parametrize("options", [{"dice": 0}, {"dice": 11}, {"rounds": "twice"}, {"faces": 8}])
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        make_game("liars_dice", options)


# ------------------------------------------------------------------ the order


def test_there_is_one_strict_order_of_bids() -> None:
    """Written out by hand for two dice; bids go round in circles nowhere: ranks are distinct and given once."""
    written = ["1x1", "1x2", "1x3", "1x4", "1x5", "1x6", "2x1", "2x2", "2x3", "2x4", "2x5", "2x6"]
    assert [f"{bid.quantity}x{bid.face}" for bid in higher_bids(None, 2)] == written
    ranks = [bid_rank(q, f) for q, f in product(range(1, 61), range(1, 7))]
    assert ranks == list(range(360))
    assert bid_rank(5, 2) > bid_rank(2, 1) > bid_rank(1, 6)


@given(st.tuples(st.integers(1, 4), st.integers(1, 6)), st.tuples(st.integers(1, 4), st.integers(1, 6)))
def test_the_check_the_list_and_the_words_follow_that_order(last: tuple[int, int], bid: tuple[int, int]) -> None:
    game = LiarsDice(dice=2)
    state = table((1, 2), (3, 4))._replace(bids=((0, *last),), turn=1)
    # As the rules text says it, without ranks.
    higher = bid[0] > last[0] or (bid[0] == last[0] and bid[1] > last[1])
    assert (Move("bid", *bid) in game.legal(state, "2")) == higher
    if higher:
        game.check(state, "2", Move("bid", *bid))
    else:
        with pytest.raises(Illegal) as caught:
            game.check(state, "2", Move("bid", *bid))
        assert caught.value.kind == "bid_too_low"


def test_bidding_always_ends() -> None:
    game = LiarsDice(dice=1)
    state = game.new(2, Chance(0))
    for bid in higher_bids(None, 2):
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: bid})
    (seat,) = game.to_act(state)
    assert list(game.legal(state, seat)) == [CALL]
    assert "can only be called" in game.views()["table"].render(game.observe(state, seat))
    assert game.to_act(game.apply(state, {seat: CALL})) == ()


@pytest.mark.parametrize(
    ("bids", "text", "kind"),
    [
        ([], "call", "no_bid_yet"),
        ([], "99x3", "impossible_bid"),
        ([], "11x3", "impossible_bid"),
        ([], "0x3", "impossible_bid"),
        ([], "-3x3", "impossible_bid"),
        ([], "3x7", "impossible_bid"),
        ([], "3x0", "impossible_bid"),
        (["5x2"], "1x6", "bid_too_low"),
        (["5x2"], "5x2", "bid_too_low"),
        (["5x2"], "5x1", "bid_too_low"),
        (["10x6"], "10x6", "bid_too_low"),
        ([], "pass", "invalid_format"),
        ([], "3", "invalid_format"),
        ([], "3 5", "invalid_format"),
    ],
)
def test_bids_that_cannot_be_made(bids: list[str], text: str, kind: str) -> None:
    game = LiarsDice()
    state = played(game, game.new(2, Chance(0)), *bids)
    (seat,) = game.to_act(state)
    with pytest.raises(Illegal) as caught:
        game.parse(state, seat, text)
    assert caught.value.kind == kind


def test_a_refusal_says_what_can_be_bid() -> None:
    game = LiarsDice()
    state = played(game, game.new(2, Chance(0)), "2x6")
    with pytest.raises(Illegal, match="the lowest bid you can make is 3x1, or you call"):
        game.parse(state, "2", "2x3")
    with pytest.raises(Illegal, match="there are 10 dice in play"):
        game.parse(state, "2", "11x1")


# ---------------------------------------------------------------------- rounds


@pytest.mark.parametrize(
    ("wild", "bid", "loser"),
    [
        (False, "2x3", "2"),  # the dice have 3 3: it holds, and the caller loses
        (False, "3x3", "1"),
        (True, "4x3", "2"),  # with the two ones four threes
        (True, "5x3", "1"),
        (True, "2x1", "2"),  # a bid on ones counts ones only
        (True, "3x1", "1"),
        (False, "2x1", "2"),
    ],
)
def test_who_loses_a_round(wild: bool, bid: str, loser: str) -> None:
    game = LiarsDice(dice=3, ones_wild=wild)
    outcome = game.outcome(played(game, table((1, 3, 6), (1, 3, 5)), bid, "call"))
    assert outcome is not None and outcome.payoffs is not None
    assert outcome.scores == {"1": float(loser != "1"), "2": float(loser != "2")}
    assert outcome.payoffs[loser] == -1 and sum(outcome.payoffs.values()) == 0


def test_a_single_round_of_four_has_one_loser() -> None:
    game = LiarsDice(dice=1)
    outcome = game.outcome(played(game, table((1,), (2,), (3,), (4,)), "1x6", "2x6", "call"))
    assert outcome is not None
    assert dict(outcome.scores) == pytest.approx({"1": 1 / 3, "2": 0, "3": 1 / 3, "4": 1 / 3})
    assert not game.compares_equals


def test_the_loser_drops_a_die_and_begins_and_who_is_out_is_passed_over() -> None:
    game = LiarsDice(dice=2, rounds="last_standing")
    state = table((1, 1), (2, 2), (3, 3))
    state = played(game, state, "3x1", "call")  # player 1 bid too much
    assert state.dice == (1, 2, 2) and game.to_act(state) == ("1",)
    state = played(game, state, "5x1", "call") if state.hands[0] != (1,) else played(game, state, "5x2", "call")
    assert state.dice == (0, 2, 2) and game.to_act(state) == ("2",)
    state = played(game, state, "1x1", "1x2", "1x3")  # 2, 3, then 2 again: nobody asks player 1
    assert game.to_act(state) == ("3",)
    assert [bid[0] for bid in state.bids] == [1, 2, 1]


def test_places_follow_who_lasted_longer() -> None:
    game = LiarsDice(dice=1, rounds="last_standing")
    state = played(game, table((1,), (2,), (3,)), "1x6", "2x6", "call")  # player 2 is out first
    assert state.dice == (1, 0, 1) and game.to_act(state) == ("3",)
    face = next(f for f in range(1, 7) if all(f not in hand for hand in state.hands))
    outcome = game.outcome(played(game, state, f"2x{face}", "call"))  # then player 3
    assert outcome is not None
    assert outcome.scores == {"1": pytest.approx(2 / 3), "3": pytest.approx(1 / 3), "2": 0.0}
    assert outcome.payoffs == {"1": 2.0, "2": 0.0, "3": 1.0}
    assert outcome.reason == "player 1 is the only one with dice left"


def _lost(hands: list[list[int]], bids: list[tuple[int, int, int]], caller: int, wild: bool) -> int:
    """A second implementation of a call."""
    who, quantity, face = bids[-1]
    dice = [die for hand in hands for die in hand]
    count = dice.count(face) + (dice.count(1) if wild and face != 1 else 0)
    return who if count < quantity else caller


@pytest.mark.parametrize("wild", [False, True])
def test_random_games_agree_with_a_second_implementation(wild: bool) -> None:
    game = LiarsDice(dice=3, ones_wild=wild, rounds="last_standing")
    luck = random.Random(7)
    for seed in range(30):
        n = 2 + seed % 5
        state = game.new(n, Chance.from_seed(seed))
        left, turn = [3] * n, 0
        while game.to_act(state):
            hands, bids = [list(hand) for hand in state.hands], []
            assert [len(hand) for hand in hands] == left and state.turn == turn
            while True:
                assert game.to_act(state) == (str(turn + 1),)
                legal = list(game.legal(state, str(turn + 1)))
                move = CALL if CALL in legal and luck.random() < 0.4 else luck.choice(legal[:8])
                state = game.apply(state, {str(turn + 1): move})
                if move == CALL:
                    break
                bids.append((turn, move.quantity, move.face))
                turn = next(i % n for i in range(turn + 1, turn + n + 1) if left[i % n])
            turn = _lost(hands, bids, turn, wild)
            left[turn] -= 1
            if not left[turn]:
                turn = next(i % n for i in range(turn + 1, turn + n + 1) if left[i % n])
        assert sum(1 for dice in left if dice) == 1 and state.dice == tuple(left)
        outcome = game.outcome(state)
        assert outcome is not None and max(outcome.scores, key=outcome.scores.__getitem__) == str(
            next(i for i, dice in enumerate(left) if dice) + 1
        )


def test_the_bound_on_the_length_is_reached_and_never_passed() -> None:
    game = LiarsDice(dice=1)
    assert game.max_steps() == 6 * 6 + 1
    state, steps = game.new(6, Chance(0)), 0
    while seats := game.to_act(state):
        state, steps = game.apply(state, {seats[0]: game.legal(state, seats[0])[0]}), steps + 1
    assert steps == game.max_steps()


# ------------------------------------------------------------------------ luck


def test_dice_depend_on_the_round_and_the_seat_alone() -> None:
    game = LiarsDice(dice=3, rounds="last_standing")
    first = game.new(3, Chance.from_seed("luck"))
    one = played(game, first, "9x1", "call")
    other = played(game, first, "1x1", "1x2", "9x3", "call")
    assert one.dice == (2, 3, 3) and other.dice == (3, 3, 2)
    assert one.hands[1] == other.hands[1] != first.hands[1]
    fewer = Chance.from_seed("luck").named("dice", 2, "1")
    assert one.hands[0] == tuple(sorted(_drawn(fewer, 2)))


def _drawn(chance: Chance, count: int) -> list[int]:
    dice = []
    for _ in range(count):
        die, chance = chance.below(6)
        dice.append(die + 1)
    return dice


def test_deals_are_every_roll_with_its_probability() -> None:
    for dice in (1, 2):
        deals = list(LiarsDice(dice=dice).deals(2))
        assert len({state.hands for _, state in deals}) == len(deals) == math.comb(5 + dice, dice) ** 2
        assert math.fsum(odds for odds, _ in deals) == pytest.approx(1)
        counted = dict.fromkeys((state.hands for _, state in deals), 0)
        for rolls in product(range(1, 7), repeat=2 * dice):
            counted[tuple(sorted(rolls[:dice])), tuple(sorted(rolls[dice:]))] += 1
        assert all(odds == pytest.approx(counted[s.hands] / 6 ** (2 * dice)) for odds, s in deals)


@pytest.mark.parametrize("wild", [False, True])
def test_the_probability_of_a_bid_is_that_of_all_rolls(wild: bool) -> None:
    own = (1, 3, 3)
    for quantity, face in product(range(1, 7), range(1, 7)):
        rolls = list(product(range(1, 7), repeat=3))
        held = 0
        for roll in rolls:
            dice = [*own, *roll]
            held += dice.count(face) + (dice.count(1) if wild and face != 1 else 0) >= quantity
        assert bid_probability(own, 3, quantity, face, wild) == pytest.approx(held / len(rolls))


# ------------------------------------------------------------------ hidden dice


@pytest.mark.parametrize("rounds", ["single", "last_standing"])
def test_nobody_sees_the_others_dice_before_the_call(rounds: Any) -> None:
    game = LiarsDice(rounds=rounds)
    state = played(game, table((2,) * 5, (6,) * 5, (4,) * 5), "2x2", "3x4")
    for seat, own in (("1", 2), ("2", 6), ("3", 4)):
        seen = game.observe(state, seat)
        assert seen.data["hands"] == {s: [own] * 5 if s == seat else None for s in "123"}
        for view in game.views().values():
            if view.kind == "text":
                assert "6 6" not in view.render(seen) or seat == "2"
        assert all("6 6" not in event.what for event in seen.events) or seat == "2"
    public = game.observe(state, Watcher.PUBLIC)
    assert set(public.data["hands"].values()) == {None}
    assert game.observe(state, Watcher.FULL).data["hands"]["2"] == [6] * 5
    after = game.observe(played(game, state, "call"), "1")
    assert after.data["last_round"]["hands"] == {"1": [2] * 5, "2": [6] * 5, "3": [4] * 5}


def test_imagined_dice_are_drawn_anew_and_so_is_the_future() -> None:
    game = LiarsDice(dice=2, rounds="last_standing")
    state = game.new(2, Chance.from_seed(1))
    imagined = [game.determinize(state, "1", Chance.from_seed("i").named(i)) for i in range(200)]
    assert {other.hands[0] for other in imagined} == {state.hands[0]}
    assert len({other.hands[1] for other in imagined}) == 21
    assert all(other.chance != state.chance for other in imagined)


def test_the_prompt_does_not_grow_with_the_game() -> None:
    game = LiarsDice(dice=5, rounds="last_standing")
    state = game.new(6, Chance(3))
    longest, steps = 0, 0
    while seats := game.to_act(state):
        legal = list(game.legal(state, seats[0]))
        if steps % 40 == 0 or len(legal) == 1:
            seen = game.observe(state, seats[0])
            longest = max(longest, *(len(game.views()[name].render(seen)) for name in ("table", "json")))
        state, steps = game.apply(state, {seats[0]: legal[0]}), steps + 1
    assert len(state.past) > 25 and longest < 1300


def test_events_are_told_to_those_who_witnessed_them() -> None:
    game = LiarsDice(dice=1, rounds="last_standing")
    state = played(game, table((1,), (5,), (3,)), "2x1", "call")
    told = [event.what for event in game.observe(state, "2").events]
    assert told[:3] == ["round 1: your dice are 5", "2x1", "call"]
    assert told[3] == "shown: player 1 has 1; player 2 has 5; player 3 has 3"
    assert told[4] == "the bid 2x1 met 1 matching dice: player 1 loses"
    assert [e.what for e in game.observe(state, "1").events][-1] == "round 2: the dice are rolled"  # it is out


def test_the_rules_say_what_is_played() -> None:
    assert "No face is wild" in LiarsDice().rules() and "Ones are wild" in LiarsDice(ones_wild=True).rules()
    assert "single round" in LiarsDice().rules() and "loses one die" in LiarsDice(rounds="last_standing").rules()
    for low, high in pairwise(["2x5", "2x6", "3x1"]):
        assert f"{high} is higher than {low}" in LiarsDice().rules()
        assert bid_rank(*map(int, high.split("x"))) > bid_rank(*map(int, low.split("x")))


def test_the_picture_renders_hidden_and_shown_dice() -> None:
    game = LiarsDice(dice=3)
    state = played(game, table((1, 2, 3), (4, 5, 6)), "2x2")
    hidden, shown = game.svg(game.observe(state, "1")), game.svg(game.observe(state, Watcher.FULL))
    assert hidden.count("<circle") == 6 + 2 and shown.count("<circle") == 6 + 15 + 2
    assert png(hidden).data[:4] == b"\x89PNG"
    assert "no bid yet" in game.svg(game.observe(game.new(2, Chance(0)), "1"))
