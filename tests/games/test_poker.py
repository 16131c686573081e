"""Hold'em's rules on hands computed by hand."""

from __future__ import annotations

import pytest

from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games._poker_engine import play_out
from ludometer.games._poker_hand import Hand, dealt_order, positions
from ludometer.games.poker import Poker

from .poker_tables import Dealt, deck_of

DRY = "2c7d9hJsQd"
"""A board without flush or straight draws that matter for the pairs below."""


# ------------------------------------------------------------------------ pots


def test_a_short_all_in_wins_the_main_pot_and_the_better_of_the_rest_the_other() -> None:
    table = Dealt((50, 450, 450), ("AsAh", "KsKh", "8s8h"), DRY).play("all-in", "all-in", "call")
    assert table.hand.won == (150, 800, 0)
    assert table.hand.after == (150, 800, 0)


def test_three_stacks_make_three_pots() -> None:
    # 100 each from four, 100 more from three, 300 more from two; the rest goes back.
    table = Dealt((100, 200, 500, 900), ("AsAh", "KsKh", "8s8h", "3s3h"), DRY, button=3)
    table.play("all-in", "all-in", "call", "call")
    assert table.hand.won == (400, 300, 600, 0)
    assert table.hand.after == (400, 300, 600, 400)


def test_side_pots_are_shown_while_the_hand_goes_on() -> None:
    table = Dealt((60, 500, 500), ("AsAh", "KsKh", "8s8h"), DRY).play("all-in", "raise to 200", "call")
    assert [(pot.amount, set(pot.seats)) for pot in table.table.pots] == [(180, {0, 1, 2}), (280, {1, 2})]
    text = table.game.views()["table"].render(table.game.observe(table.state, "2"))
    assert "main pot: 180" in text and "side pot 1: 280, between Player 2, Player 3" in text


def test_equal_hands_split_and_the_odd_chip_goes_left_of_the_button() -> None:
    # 10 from the button, 5 from the small blind who folds, 10 from the big blind: 25, and the board plays.
    table = Dealt((100, 100, 100), ("2c3d", "4c4d", "2h3s"), "AsKsQhJdTc", blinds=(5, 10)).play("call", "fold", "check")
    table.play(*["check"] * 6)
    assert table.hand.won == (12, 0, 13)


def test_the_odd_chip_of_a_three_way_split_goes_to_the_small_blind() -> None:
    # Antes of 1 from four players, one of whom folds: 64 chips, three ways.
    table = Dealt((100,) * 4, ("2c3d", "4c4d", "2h3s", "5c5d"), "AsKsQhJdTc", button=2, ante=1)
    table.play("fold", "call", "call", "check", *["check"] * 9)
    assert table.hand.won == (21, 0, 21, 22), "seat 3 is left of the button"


def test_a_bet_that_nobody_calls_goes_back() -> None:
    table = Dealt((1000, 1000), ("AsAh", "8s8h"), DRY).play("raise to 300", "fold")
    assert table.hand.after == (1020, 980)
    assert table.hand.won == (40, 0)


def test_a_tie_pays_all_who_tie() -> None:
    table = Dealt((300, 300, 300), ("AsKd", "AhKc", "8s8h"), "AcKs9h4d2c").play("all-in", "call", "call")
    assert table.hand.won == (450, 450, 0)


# ---------------------------------------------------------------- order of play


def test_heads_up_the_button_posts_the_small_blind_acts_first_and_then_last() -> None:
    table = Dealt((1000, 1000), button=1)
    assert table.table.bets == (20, 10)
    assert table.actor == 1
    table.play("call", "check")
    for _ in range(3):
        assert table.actor == 0
        table.play("check")
        assert table.actor == 1
        table.play("check")
    assert table.actor is None


def test_the_big_blind_has_an_option() -> None:
    table = Dealt((1000, 1000, 1000)).play("call", "call")
    assert table.actor == 2 and table.table.to_call == 0
    assert table.table.raises_to == (40, 1000)
    table.play("raise to 60")
    assert table.actor == 0 and not table.hand.board


def test_before_the_flop_the_blinds_act_last_and_after_it_first() -> None:
    table = Dealt((1000,) * 4, button=1)
    order = []
    while table.actor is not None:
        order.append(table.actor)
        table.play("call" if table.table.to_call else "check")
    assert order == [0, 1, 2, 3] + [2, 3, 0, 1] * 3


def test_every_street_has_betting_also_after_a_fold() -> None:
    table = Dealt((1000, 1000, 1000)).play("call", "fold", "check")
    assert [len(table.hand.board), table.actor] == [3, 2]
    table.play("bet 20", "call", "bet 40", "call", "bet 80", "call")
    assert [act.street for act in table.hand.acts] == [0, 0, 0, 1, 1, 2, 2, 3, 3]
    assert len(table.hand.board) == 5 and table.hand.after


def test_an_all_in_must_be_answered_before_cards_come() -> None:
    table = Dealt((1000, 1000), ("AsAh", "8s8h"), DRY).play("all-in")
    assert table.actor == 1 and table.hand.board == ()
    assert table.table.to_call == 980
    table.play("call")
    assert len(table.hand.board) == 5 and table.hand.after == (2000, 0)


def test_an_all_in_that_is_folded_to_turns_no_cards() -> None:
    table = Dealt((1000, 1000)).play("all-in", "fold")
    assert table.hand.board == () and table.hand.after == (1020, 980)


def test_when_one_player_can_act_the_board_runs_out() -> None:
    table = Dealt((50, 450), ("AsAh", "8s8h"), DRY).play("all-in", "call")
    assert table.actor is None and len(table.hand.board) == 5
    assert len(table.hand.acts) == 2


def test_a_stack_under_the_call_may_call_all_in() -> None:
    table = Dealt((1000, 1000, 35), ("8s8h", "3s3h", "AsAh"), DRY).play("raise to 100", "call")
    assert table.actor == 2 and table.table.to_call == 15
    assert table.refusal("raise to 200") == "no_raise"
    table.play("call")
    assert table.table.pots[0].amount == 105 and table.actor == 1


# ------------------------------------------------------------------ reopening


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    # Blinds 1/2; UTG all-in 16, the button calls, the small blind all-in 19, the big blind calls.
    table = Dealt((19, 200, 16, 200), button=3, blinds=(1, 2)).play("all-in", "call", "all-in", "call")
    assert table.actor == 3
    assert table.table.to_call == 3 and table.table.raises_to is None
    error = table.error("raise to 40")
    assert error.kind == "no_raise" and "call 3 or fold" in error.reason
    assert table.refusal("all-in") == "no_raise"
    table.play("call")
    assert table.actor == 1, "the flop is bet between the two with chips"
    assert (
        Dealt((19, 200, 16, 200), button=3, blinds=(1, 2)).play("all-in", "call", "all-in", "call", "fold").hand.after
    )


def test_an_all_in_just_above_the_big_blind_does_not_reopen_either() -> None:
    table = Dealt((1000, 1000, 25, 1000), button=1).play("call", "call", "all-in", "call")
    assert table.actor == 0 and table.table.to_call == 5 and table.table.raises_to is None
    assert table.refusal("raise to 100") == "no_raise"


def test_an_all_in_bet_under_the_minimum_does_not_reopen_either() -> None:
    table = Dealt((1000, 1000, 25), button=1, blinds=(10, 20)).play("call", "call", "check")
    assert table.actor == 2
    # The short stack bets its last 5 after a check; who checked may only call or fold.
    table = Dealt((1000, 25, 1000), button=1, blinds=(10, 20)).play("call", "call", "check")
    assert table.actor == 2
    table.play("check", "check", "bet 5")
    assert table.actor == 2
    assert table.table.to_call == 5 and table.table.raises_to is None
    table.play("call")
    assert table.actor == 0 and table.table.raises_to is None


def test_who_has_not_acted_may_raise_over_a_short_all_in() -> None:
    table = Dealt((1000, 1000, 1000, 25), button=0).play("all-in")
    assert table.actor == 0
    assert table.table.raises_to == (45, 1000), "a full raise is still the big blind"
    table.play("call", "call")
    assert table.actor == 2 and table.table.raises_to == (45, 1000)


def test_short_all_ins_that_add_up_to_a_full_raise_reopen() -> None:
    # UTG raises to 100 (by 80); all-ins to 150 and 190 add 90 together.
    table = Dealt((1000, 1000, 1000, 150, 190), button=4).play("raise to 100", "all-in", "all-in", "call", "fold")
    assert table.actor == 2
    assert table.table.to_call == 90 and table.table.raises_to == (270, 1000)
    # Three in a row: no two neighbours make a full raise, but all three together do.
    table = Dealt((220, 1000, 1000, 140, 180), button=4).play("raise to 100", "all-in", "all-in", "all-in", "call")
    assert table.actor == 2 and table.table.raises_to == (300, 1000)
    table.play("raise to 300")
    assert table.actor == 1 and table.table.to_call == 80


def test_all_in_over_all_other_stacks_is_a_call_where_it_can_be_nothing_else() -> None:
    table = Dealt((1000, 200)).play("raise to 60", "all-in")
    assert table.table.raises_to is None and table.refusal("raise to 500") == "no_raise"
    assert table.play("all-in").hand.after and table.hand.acts[-1].kind == "call"


def test_the_smallest_raise_is_the_one_before_it() -> None:
    table = Dealt((1000, 1000, 1000)).play("raise to 70")
    assert table.table.raises_to == (120, 1000)
    table.play("raise to 200")
    assert table.table.raises_to == (330, 1000)
    assert table.error("raise to 329").reason == "329 is too little: raise to N, with N from 330 to 1000 (all-in)"
    assert table.refusal("raise to 1001") == "raise_too_large"
    assert table.refusal("raise to 1") == "raise_too_small"
    assert table.play("fold", "call").table.raises_to == (20, 800), "after the flop from the big blind on"


# ----------------------------------------------------------------- short blinds


def test_blinds_and_antes_never_push_a_stack_below_zero() -> None:
    table = Dealt((1000, 4, 7, 1000), button=0, ante=5)
    assert table.table.stacks == (995, 0, 0, 995)
    assert table.table.pot == 5 + 4 + 7 + 5
    table.play("call", "raise to 200", "fold")
    assert min(table.hand.after) >= 0 and sum(table.hand.after) == 2011


def test_a_big_blind_without_the_chips_posts_what_it_has_heads_up() -> None:
    table = Dealt((1000, 15), ("8s8h", "AsAh"), DRY)
    assert table.table.bets == (10, 15) and table.actor == 0
    table.play("call")
    assert table.hand.after == (985, 30)


def test_a_small_blind_that_covers_a_short_big_blind_has_no_decision() -> None:
    hand = Hand(0, 0, (10, 20), 0, (1000, 5), (("8s", "8h"), ("As", "Ah")))
    played, _ = play_out(hand, deck_of(("8s8h", "AsAh"), DRY))
    assert played.after == (995, 10) and not played.acts


# ------------------------------------------------------------------ the match


def test_a_broke_player_is_dealt_no_more_hands_and_wins_nothing() -> None:
    game = Poker(hands=30)
    for seed in range(6):
        state = game.new(4, Chance.from_seed(seed))
        step = 0
        while seats := game.to_act(state):
            state = game.apply(state, {seats[0]: game.sample(state, seats[0], Chance.from_seed(step))})
            step += 1
        gone: set[int] = set()
        for hand in state.past:
            for seat in gone:
                assert hand.holes[seat] == () and hand.won[seat] == 0 and hand.stacks[seat] == 0
                assert seat not in dealt_order(hand) and seat not in {act.seat for act in hand.acts}
            gone |= {seat for seat, chips in enumerate(hand.after) if not chips}
        if gone:
            return
    raise AssertionError("nobody went broke")


def test_the_button_moves_on_past_the_broke() -> None:
    game = Poker(hands=3)
    state = game.new(3, Chance.from_seed(1))
    buttons = []
    while seats := game.to_act(state):
        assert state.hand is not None
        buttons.append(state.hand.button)
        table = state.table
        assert table is not None
        state = game.apply(state, {seats[0]: game.parse(state, seats[0], "fold" if table.to_call else "check")})
    assert list(dict.fromkeys(buttons)) == [0, 1, 2]
    last = Hand(4, 0, (10, 20), 0, (500, 0, 500), (("As", "Ah"), (), ("Ks", "Kh")), after=(600, 0, 400))
    after = game._next(Chance(1), (last,))
    assert after.hand is not None and after.hand.button == 2


def test_positions() -> None:
    def named(n: int) -> list[str]:
        found = positions(Hand(0, n - 1, (1, 2), 0, (9,) * n, ((),) * n))
        return [found[seat] for seat in range(n)]

    assert named(2) == ["BB", "BTN/SB"]
    assert named(3) == ["SB", "BB", "BTN"]
    assert named(6) == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
    for n in range(2, 11):
        assert len(set(named(n))) == n


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"hands": 0}, "hands must be"),
        ({"hands": "one_left", "blinds_double_every": 0}, "need not end"),
        ({"hands": "one_left", "mode": "cash"}, "tournament"),
        ({"small_blind": 30}, "small_blind"),
        ({"starting_chips": 10}, "starting_chips"),
        ({"ante": 21}, "ante"),
        ({"blinds_double_every": -1}, "blinds_double_every"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], part: str) -> None:
    with pytest.raises(ConfigurationError, match=part):
        make_game("poker", options)
