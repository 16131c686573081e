"""A turn by hand: cards, battles, conquests, eliminations, fortifications, the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games.risk import Order, Risk, State
from ludometer.games.risk.battle import fight, losses, roll
from ludometer.games.risk.board import load_map
from ludometer.games.risk.cards import is_set, series_value, set_value

GAME = Risk()
SINGLE = Risk(blitz=False)


def do(state: State, *texts: str, game: Risk = GAME) -> State:
    """The state after orders, each checked and carried out for whoever is to act."""
    for text in texts:
        (seat,) = game.to_act(state)
        action = game.parse(state, seat, text)
        game.check(state, seat, action)
        state = game.apply(state, {seat: action})
    return state


def refused(state: State, text: str, game: Risk = GAME) -> str:
    (seat,) = game.to_act(state)
    with pytest.raises(Illegal) as error:
        game.check(state, seat, game.parse(state, seat, text))
    return error.value.kind


def armies(state: State, name: str) -> tuple[int, int]:
    number = GAME.settings.board.names.index(name)
    return state.owners[number], state.armies[number]


# ----------------------------------------------------------------------- cards


def test_sets_are_three_alike_or_three_different_and_wild_cards_stand_for_any() -> None:
    board = load_map("classic")
    # Infantry, cavalry and artillery in turn; 42 and 43 are wild.
    for a, b, c in combinations((0, 3, 6, 1, 4, 7, 2, 5, 8, 42, 43), 3):
        kinds = [card % 3 for card in (a, b, c) if card < 42]
        completed = [kinds + list(more) for more in product(range(3), repeat=3 - len(kinds))]
        assert is_set(board, (a, b, c)) == any(len(set(three)) in (1, 3) for three in completed)
    assert not is_set(board, (0, 3)) and not is_set(board, (0, 3, 6, 9))


def test_any_five_cards_hold_a_set() -> None:
    board = load_map("classic")
    for five in combinations((0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 42, 43), 5):
        assert any(is_set(board, three) for three in combinations(five, 3))


def test_the_rising_series() -> None:
    assert [series_value(i) for i in range(10)] == [4, 6, 8, 10, 12, 15, 20, 25, 30, 35]


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        *(((0, 3, 6), 4), ((1, 4, 7), 6), ((2, 5, 8), 8), ((0, 1, 2), 10), ((0, 3, 42), 4)),
        *(((1, 4, 42), 6), ((2, 5, 43), 8), ((0, 1, 42), 10), ((0, 42, 43), 10)),
    ],
)
def test_the_fixed_series(cards: tuple[int, ...], value: int) -> None:
    board = load_map("classic")
    assert set_value(board, cards, "fixed", 7) == value
    assert set_value(board, cards, "rising", 7) == 25


def with_cards(at: Callable[..., State], *hand: int, **fields: Any) -> State:
    """Player 1 at the beginning of a turn, owner of Alaska, Alberta and Ontario (cards 1, 4 and 5)."""
    own = dict.fromkeys(("Alaska", "Alberta", "Ontario"), (0, 3))
    given = {"phase": "reinforce", "pending": 3, "hands": (hand, (), ()), **fields}
    return at(own, **given)


def test_trading_a_set(at: Callable[..., State]) -> None:
    state = with_cards(at, 9, 12, 15, 20)
    after = do(state, "trade 10 13 16")
    assert (after.pending, after.trades, after.hands[0], after.discards) == (3 + 4, 1, (20,), (9, 12, 15))
    assert after.armies == state.armies, "none of the cards shows an own territory"
    again = do(with_cards(at, 9, 12, 15, trades=6), "trade 10 13 16")
    assert again.pending == 3 + 20


def test_a_traded_card_of_an_own_territory_brings_two_armies_once_a_turn(at: Callable[..., State]) -> None:
    state = with_cards(at, 0, 3, 6, 9, 12)
    after = do(state, "trade 1 7 10")
    assert armies(after, "Alaska") == (0, 5) and after.bonus_used
    assert after.pending == 3 + 4
    second = with_cards(at, 3, 6, 9, bonus_used=True)
    assert armies(do(second, "trade 4 7 10"), "Alberta") == (0, 3)
    # Of two own territories the player chooses; unsaid, it is the first card's.
    assert armies(do(state, "trade 1 4 7"), "Alaska") == (0, 5)
    assert armies(do(state, "trade 4 1 7"), "Alberta") == (0, 5)
    assert armies(do(state, "trade 1 4 7 for Alberta"), "Alberta") == (0, 5)
    assert refused(state, "trade 1 4 7 for Ontario") == "bad_bonus"
    assert refused(second, "trade 4 7 10 for Alberta") == "bad_bonus"


def test_five_cards_must_be_traded_and_four_need_not(at: Callable[..., State]) -> None:
    five = with_cards(at, 0, 3, 6, 9, 13)
    assert refused(five, "reinforce Alaska 1") == "must_trade"
    assert {order.kind for order in GAME.legal(five, "1") or ()} == {"trade"}
    after = do(five, "trade 1 4 7 for Alaska", "reinforce Alaska 1")
    assert after.pending == 3 + 4 - 1
    four = with_cards(at, 0, 3, 6, 9)
    assert {order.kind for order in GAME.legal(four, "1") or ()} == {"trade", "reinforce"}
    assert do(four, "reinforce Alaska 3").phase == "attack", "the chance to trade is over"
    six = with_cards(at, 0, 3, 6, 9, 12, 15, 18, 21)
    twice = do(six, "trade 10 13 16")
    assert refused(twice, "reinforce Alaska 1") == "must_trade"
    assert do(twice, "trade 19 22 7").pending == 3 + 4 + 6


def test_bad_trades(at: Callable[..., State]) -> None:
    state = with_cards(at, 0, 3, 1, 9)
    assert refused(state, "trade 1 4 2") == "bad_set"
    assert refused(state, "trade 1 1 4") == "bad_set"
    assert refused(state, "trade 1 4 7") == "card_not_held"
    assert refused(state, "trade 1 4 45") == "no_such_card"
    assert refused(do(state, "reinforce Alaska 3"), "trade 1 4 10") == "wrong_phase"


def test_a_conquest_earns_one_card_and_no_conquest_none(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 99), "Peru": (0, 1)})
    top, second = state.deck[-1], state.deck[-2]
    after = do(state, "attack Alaska > Kamchatka", "move 80", "attack Kamchatka > Japan", "move 40", "end")
    assert after.hands[0] == (top,) and after.deck[-1] == second
    assert after.player == 1 and not after.conquered
    assert do(state, "end").hands[0] == ()


def test_the_deck_is_made_of_the_discards_when_it_is_empty(at: Callable[..., State]) -> None:
    discards = tuple(range(44))
    state = at({"Alaska": (0, 3), "Kamchatka": (0, 1)}, deck=(), discards=discards, conquered=True)
    after = do(state, "end")
    assert len(after.hands[0]) == 1 and len(after.deck) == 43 and after.discards == () and after.shuffles == 1
    assert sorted((*after.hands[0], *after.deck)) == list(range(44))
    assert after.deck != tuple(sorted(after.deck))
    nothing = at({"Alaska": (0, 3)}, deck=(), discards=(), conquered=True)
    assert do(nothing, "end").hands[0] == ()


# ---------------------------------------------------------------------- battle


def test_losses_by_hand() -> None:
    assert losses((6, 5, 3, 6, 2)) == (1, 1), "a tie goes to the defender"
    assert losses((6, 6, 6, 5, 5)) == (0, 2)
    assert losses((3, 3, 3, 3, 3)) == (2, 0)
    assert losses((6, 0, 0, 5, 4)) == (0, 1), "one die each is compared"
    assert losses((4, 3, 1, 6, 0)) == (1, 0)
    assert losses((5, 3, 0, 4, 4)) == (1, 1)


def test_rolls_are_fair_dice() -> None:
    rolls = [roll(Chance.from_seed("fair").named(i), 3, 2) for i in range(12_000)]
    faces = Counter(die for dice in rolls for die in dice)
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    expected = len(rolls) * 5 / 6
    assert sum((count - expected) ** 2 / expected for count in faces.values()) < 25  # 5 degrees of freedom
    assert all(a >= b >= c and d >= e for a, b, c, d, e in rolls)
    lost = Counter(losses(dice)[0] for dice in rolls)
    for own, share in ((0, 2890), (1, 2611), (2, 2275)):
        assert abs(lost[own] / len(rolls) - share / 7776) < 0.02


def test_fewer_dice_are_part_of_the_same_luck() -> None:
    chance = Chance.from_seed("shared")
    for i in range(200):
        full = roll(chance.named(i), 3, 2)
        for attackers, defenders in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1)):
            less = roll(chance.named(i), attackers, defenders)
            assert [bool(die) for die in less] == [i < attackers for i in range(3)] + [i < defenders for i in range(2)]
            assert not Counter(die for die in less[:3] if die) - Counter(full[:3])
            assert not Counter(die for die in less[3:] if die) - Counter(full[3:])


def test_the_luck_of_a_roll_depends_on_turn_player_and_number_only(at: Callable[..., State]) -> None:
    one = at({"Alaska": (0, 20), "Peru": (0, 20)}, others=(1, 9))
    rolled = do(one, "attack Alaska > Kamchatka 3", game=SINGLE).log[-1].rolls
    assert do(one, "attack Peru > Brazil 3", game=SINGLE).log[-1].rolls == rolled, "another battle"
    assert do(one._replace(player=0, trades=4), "attack Peru > Brazil 3", game=SINGLE).log[-1].rolls == rolled
    second = do(one, "attack Alaska > Kamchatka 3", "attack Peru > Brazil 3", game=SINGLE).log[-1].rolls
    assert second != rolled, "another roll of the turn"
    assert do(one._replace(round=2), "attack Alaska > Kamchatka 3", game=SINGLE).log[-1].rolls != rolled
    blitz = do(one, "attack Alaska > Kamchatka").log
    assert next(entry for entry in blitz if entry.trait == "attack").rolls[:2] == (*rolled, *second)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (4, 3), (12, 12), (1, 9), (30, 1)])
def test_a_fight_to_the_end(attackers: int, defenders: int) -> None:
    for i in range(60):
        fought = fight(Chance.from_seed(i), 5, attackers, defenders, 0)
        own = other = 0
        for dice in fought.rolls:
            assert sum(die > 0 for die in dice[:3]) == min(3, attackers - own)
            assert sum(die > 0 for die in dice[3:]) == min(2, defenders - other)
            pairs = list(zip(sorted(dice[:3], reverse=True), sorted(dice[3:], reverse=True), strict=False))
            for attack, defence in pairs:
                if attack and defence:
                    own += attack <= defence
                    other += attack > defence
        assert (own, other) == (fought.attacker_lost, fought.defender_lost)
        assert (own == attackers) != (other == defenders), "one side is gone, and only one"


def test_one_roll_at_a_time_and_the_choice_of_dice(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 4)}, others=(1, 6))
    for dice in (1, 2, 3):
        entry = do(state, f"attack Alaska > Kamchatka {dice}", game=SINGLE).log[-1]
        assert len(entry.rolls) == 1
        assert sum(die > 0 for die in entry.rolls[0][:3]) == dice
        assert sum(die > 0 for die in entry.rolls[0][3:]) == 2
    assert do(state, "attack Alaska > Kamchatka", game=SINGLE) == do(state, "attack Alaska > Kamchatka 3", game=SINGLE)
    assert refused(state, "attack Alaska > Kamchatka 4", game=SINGLE) == "too_many_dice"
    assert refused(at({"Alaska": (0, 3)}), "attack Alaska > Kamchatka 3", game=SINGLE) == "too_many_dice"
    assert refused(state, "attack Alaska > Kamchatka 0", game=SINGLE) == "too_few_dice"


def won(at: Callable[..., State]) -> State:
    """A turn in which the first attack, with three dice, conquers."""
    for number in range(1, 200):
        after = do(at({"Alaska": (0, 6)}, round=number), "attack Alaska > Kamchatka 3", game=SINGLE)
        if after.phase == "move":
            return after
    raise AssertionError("three dice never won against one")


def test_at_least_as_many_armies_move_in_as_dice_were_rolled(at: Callable[..., State]) -> None:
    state = won(at)
    assert (state.moving and state.moving.least, armies(state, "Kamchatka"), armies(state, "Alaska")) == (
        3,
        (0, 3),
        (0, 3),
    )
    assert [order.number for order in SINGLE.legal(state, "1") or ()] == [3, 4, 5]
    assert refused(state, "move 2", game=SINGLE) == "too_few_armies"
    assert refused(state, "move 6", game=SINGLE) == "too_many_armies"
    assert refused(state, "end", game=SINGLE) == "wrong_phase"
    after = do(state, "move 4", game=SINGLE)
    assert (armies(after, "Kamchatka"), armies(after, "Alaska"), after.phase) == ((0, 4), (0, 2), "attack")


def test_armies_move_in_by_themselves_where_there_is_no_choice(at: Callable[..., State]) -> None:
    for number in range(1, 200):
        state = at({"Alaska": (0, 4), "Peru": (0, 3)}, round=number)
        after = do(state, "attack Alaska > Kamchatka 3", game=SINGLE)
        if after.conquered:
            assert (armies(after, "Kamchatka"), armies(after, "Alaska"), after.phase) == ((0, 3), (0, 1), "attack")
            return
    raise AssertionError


def test_the_turn_ends_by_itself_when_nothing_can_be_done(at: Callable[..., State]) -> None:
    for number in range(1, 200):
        state = at({"Alaska": (0, 2)}, others=(1, 3), round=number)
        after = do(state, "attack Alaska > Kamchatka 1", game=SINGLE)
        if armies(after, "Alaska") == (0, 1):
            assert (after.player, after.phase) == (1, "reinforce")
            return
    raise AssertionError


# ----------------------------------------------------------------- elimination


def eliminates(at: Callable[..., State], own: tuple[int, ...], lost: tuple[int, ...], **fields: Any) -> State:
    """Player 1 takes Kamchatka, the last territory of player 3, with all its cards."""
    return do(
        at({"Alaska": (0, 60), "Kamchatka": (2, 1)}, others=(1, 1), hands=(own, (), lost), **fields),
        "attack Alaska > Kamchatka",
    )


def test_elimination_takes_the_cards(at: Callable[..., State]) -> None:
    state = eliminates(at, (0, 1), (2, 5, 9))
    assert state.out == (2,) and state.hands == ((0, 1, 2, 5, 9), (), ()) and state.phase == "move"
    after = do(state, "move 30")
    assert after.phase == "attack", "five cards wait for the next turn"
    assert do(after, "end").player == 1
    later = do(do(after, "end")._replace(phase="attack", pending=0), "end")
    assert later.player == 0, "the eliminated player is passed over"
    assert later.round == after.round + 1


def test_six_cards_are_traded_down_to_four_at_once(at: Callable[..., State]) -> None:
    state = do(eliminates(at, (9, 12, 15), (2, 5, 8, 20)), "move 30")
    assert (state.phase, state.midturn, state.pending, len(state.hands[0])) == ("reinforce", True, 0, 7)
    assert refused(state, "end") == "wrong_phase"
    assert refused(state, "reinforce Alaska 1") == "must_trade"
    after = do(state, "trade 10 13 16")
    assert len(after.hands[0]) == 4 and after.pending == 4
    assert refused(after, "trade 3 6 9") == "wrong_phase", "with four cards it must stop, though it has a set"
    assert {order.kind for order in GAME.legal(after, "1") or ()} == {"reinforce"}
    done = do(after, "reinforce Kamchatka 4")
    assert (done.phase, done.midturn, done.player) == ("attack", False, 0), "the attacks go on"


def test_eight_cards_need_two_trades(at: Callable[..., State]) -> None:
    state = do(eliminates(at, (9, 12, 15, 18), (2, 5, 8, 21)), "move 30", "trade 10 13 16")
    assert len(state.hands[0]) == 5
    assert refused(state, "reinforce Alaska 1") == "must_trade"
    assert len(do(state, "trade 3 6 9").hands[0]) == 2


def test_the_last_player_wins(at: Callable[..., State]) -> None:
    state = at({"Kamchatka": (2, 1)}, others=(0, 9), out=(1,), hands=((), (), (4, 5, 6, 7, 8, 9)))
    state = state._replace(hands=((1, 2), (), (4, 5, 6, 7, 8, 9)))
    after = do(state, "attack Alaska > Kamchatka")
    assert after.phase == "over" and GAME.to_act(after) == () and after.out == (1, 2)
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.scores == {"1": pytest.approx(2 / 3), "2": 0, "3": pytest.approx(1 / 3)}
    assert outcome.payoffs == {"1": 42, "2": 0, "3": 0}
    assert outcome.reason == "Player 1 eliminated everybody else"


def test_two_players_need_not_beat_the_neutral_army(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 60), "Kamchatka": (1, 1)}, others=(2, 5), n=2)
    after = do(state, "attack Alaska > Kamchatka")
    outcome = GAME.outcome(after)
    assert outcome is not None and outcome.scores == {"1": 1, "2": 0}


def test_the_neutral_army_defends_and_does_nothing_else(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 9), "Peru": (1, 5)}, others=(2, 4), n=2)
    entry = do(state, "attack Alaska > Kamchatka 3", game=SINGLE).log[-1]
    assert entry.numbers[2] == 2 and sum(die > 0 for die in entry.rolls[0][3:]) == 2
    after = do(state, "end")
    assert (after.player, after.pending) == (1, 3)
    again = do(after._replace(phase="attack"), "end")
    assert (again.player, again.round) == (0, state.round + 1)
    assert [o for o in again.owners if o == 2] == [o for o in state.owners if o == 2]
    # Its last territory is no elimination, and brings no cards.
    last = at({"Alaska": (0, 60), "Kamchatka": (2, 1)}, others=(1, 1), n=2)
    taken = do(last, "attack Alaska > Kamchatka", "move 30")
    assert taken.out == () and taken.phase == "attack"


# ------------------------------------------------------------------------- end


def test_fortifying_through_own_territory_ends_the_turn(at: Callable[..., State]) -> None:
    chain = {"Alaska": (0, 5), "Alberta": (0, 1), "Ontario": (0, 1), "Peru": (0, 4)}
    state = at(chain)
    after = do(state, "fortify Alaska > Ontario 4")
    assert armies(after, "Alaska") == (0, 1) and armies(after, "Ontario") == (0, 5) and after.player == 1
    assert refused(state, "fortify Alaska > Peru 1") == "no_path"
    assert refused(state, "fortify Alaska > Ontario 5") == "too_few_armies"
    assert refused(state, "fortify Alaska > Ontario 0") == "too_few_armies"
    assert refused(state, "fortify Alberta > Ontario 1") == "too_few_armies"
    assert refused(state, "fortify Alaska > Kamchatka 1") == "not_yours"
    assert refused(state, "fortify Kamchatka > Alaska 1") == "not_yours"
    assert refused(state, "fortify Alaska > Alaska 1") == "same_territory"


def test_few_amounts(at: Callable[..., State]) -> None:
    game = Risk(amounts="few")
    state = at({"Alaska": (0, 9), "Alberta": (0, 1)}, phase="reinforce", pending=6)
    texts = [game.format(state, order) for order in game.legal(state, "1") or ()]
    assert texts == [f"reinforce {name} {n}" for name in ("Alaska", "Alberta") for n in (1, 4, 6)]
    assert refused(state, "reinforce Alaska 2", game=game) == "amount_not_offered"
    assert refused(state, "reinforce Alaska 7", game=game) == "too_many_armies"
    ready = do(state, "reinforce Alaska 6", game=game)
    forts = [
        order.number for order in game.legal(ready, "1") or () if isinstance(order, Order) and order.kind == "fortify"
    ]
    assert forts == [1, 8, 14]
    assert refused(ready, "fortify Alaska > Alberta 5", game=game) == "amount_not_offered"
    listed = Risk(amounts="few", orders="phase")
    big = at({"Alaska": (0, 60)})
    moved = do(big, "attack Alaska > Kamchatka; move 8", game=listed)
    assert armies(moved, "Kamchatka") == (0, 3), "the nearest amount that is offered"


def test_after_the_last_turn_territories_decide_then_armies(at: Callable[..., State]) -> None:
    game = Risk(max_turns=3)
    own = {"Alaska": (0, 9), "Alberta": (0, 1), "Peru": (2, 30), "Brazil": (2, 1)}
    state = at(own, n=4, others=(3, 1), round=3, player=3, out=(1,))
    after = do(state, "end", game=game)
    assert after.phase == "over"
    outcome = game.outcome(after)
    assert outcome is not None and outcome.reason == "3 turns of each player are over"
    # Player 4 has most territories; players 1 and 3 have two each, player 3 more armies; player 2 is out.
    assert outcome.scores == {"4": 3 / 6, "3": 2 / 6, "1": 1 / 6, "2": 0}
    assert outcome.payoffs == {"1": 2, "2": 0, "3": 2, "4": 38}
    even = do(state._replace(armies=tuple(1 for _ in state.armies)), "end", game=game)
    tied = game.outcome(even)
    assert tied is not None and tied.scores["1"] == tied.scores["3"] == 1.5 / 6
    earlier = do(state._replace(round=2), "end", game=game)
    assert earlier.phase == "reinforce" and earlier.round == 3


def test_the_later_elimination_ranks_higher(at: Callable[..., State]) -> None:
    state = at({}, others=(0, 9), n=4, out=(3, 1))
    state = state._replace(owners=(2, *state.owners[1:]), armies=(1, *state.armies[1:]))
    after = do(state, "attack Kamchatka > Alaska")
    outcome = GAME.outcome(after)
    assert outcome is not None and outcome.scores == {"1": 3 / 6, "3": 2 / 6, "2": 1 / 6, "4": 0}


# ----------------------------------------------------------------- judged orders


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("attack Peru > Brazil", "not_yours"),
        ("attack Alaska > Alberta", "own_territory"),
        ("attack Alaska > Greenland", "not_adjacent"),
        ("attack Alberta > Western United States", "too_few_armies"),
        ("attack Alaska > Atlantis", "unknown_territory"),
        ("attack Atlantis > Alaska", "unknown_territory"),
        ("reinforce Alaska 1", "wrong_phase"),
        ("move 3", "wrong_phase"),
        ("trade 1 2 3", "wrong_phase"),
        ("pick Alaska", "wrong_phase"),
    ],
)
def test_illegal_orders_of_the_attack_phase(at: Callable[..., State], text: str, kind: str) -> None:
    state = at({"Alaska": (0, 5), "Alberta": (0, 1)})
    if kind == "unknown_territory":
        with pytest.raises(Illegal) as error:
            GAME.parse(state, "1", text)
        assert error.value.kind == kind
    else:
        assert refused(state, text) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("reinforce Peru 1", "not_yours"),
        ("reinforce Alaska 4", "too_many_armies"),
        ("reinforce Alaska 0", "too_few_armies"),
        ("reinforce Alaska -2", "too_few_armies"),
        ("attack Alaska > Kamchatka", "wrong_phase"),
        ("end", "wrong_phase"),
    ],
)
def test_illegal_orders_of_the_reinforcement(at: Callable[..., State], text: str, kind: str) -> None:
    state = at({"Alaska": (0, 5)}, phase="reinforce", pending=3)
    assert refused(state, text) == kind


def test_picking_a_territory_that_is_taken() -> None:
    game = Risk(placement="picked")
    state = do(game.new(3, Chance.from_seed(0)), "pick Alaska", game=game)
    assert refused(state, "pick Alaska", game=game) == "already_picked"


def test_reasons_name_what_is_possible(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 3)})
    reasons = []
    for text, game in (
        ("attack Alaska > Greenland", GAME),
        ("attack Alaska > Kamchatka 3", SINGLE),
        ("reinforce Alaska 1", GAME),
    ):
        with pytest.raises(Illegal) as error:
            game.check(state, "1", game.parse(state, "1", text))
        reasons.append(error.value.reason)
    assert reasons[0] == "Alaska does not border on Greenland, only on Northwest Territory, Alberta, Kamchatka"
    assert reasons[1] == "Alaska has 3 armies, so it may roll at most 2 dice"
    assert reasons[2] == "reinforce is not possible now: attack, fortify or end the turn"


def test_an_order_where_a_list_is_asked_for_and_the_other_way_round(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 3)})
    with pytest.raises(Illegal, match="a list of orders"):
        Risk(orders="phase").check(state, "1", Order("end"))
    listed = Risk(orders="phase").parse(state, "1", "end")
    with pytest.raises(Illegal, match="a single order"):
        GAME.check(state, "1", listed)
