"""Several orders in one answer: what is judged at once, and what the dice may make impossible."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludometer.core import Decision, Illegal
from ludometer.games.risk import Orders, Risk, State
from ludometer.matches import Match

GAME = Risk(orders="phase")
ROLLS = Risk(orders="phase", blitz=False)


def refused(state: State, text: str, game: Risk = GAME) -> Illegal:
    (seat,) = game.to_act(state)
    with pytest.raises(Illegal) as error:
        game.check(state, seat, game.parse(state, seat, text))
    return error.value


def do(state: State, text: str, game: Risk = GAME) -> State:
    (seat,) = game.to_act(state)
    action = game.parse(state, seat, text)
    game.check(state, seat, action)
    return game.apply(state, {seat: action})


def begin(at: Callable[..., State], **own: tuple[int, int]) -> State:
    given = {name.replace("_", " "): value for name, value in own.items()}
    return at({"Alaska": (0, 3), "Peru": (0, 2), **given}, phase="reinforce", pending=5)


def test_a_whole_turn_in_one_answer(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 90), "Alberta": (0, 1)}, phase="reinforce", pending=3)
    text = "reinforce Alberta 1; reinforce Alaska 2; attack Alaska > Kamchatka; move 20; fortify Alaska > Alberta 5"
    after = do(state, text)
    assert (after.player, after.phase) == (1, "reinforce")
    kinds = [entry.trait for entry in after.log[len(state.log) :]]
    assert kinds == ["reinforce", "reinforce", "attack", "move", "fortify", "drew", "end", "turn"]
    names = GAME.settings.board.names
    assert after.armies[names.index("Kamchatka")] == 20
    assert after.armies[names.index("Alberta")] == 2 + 5


def test_the_first_illegal_order_makes_the_answer_illegal_with_its_own_kind(at: Callable[..., State]) -> None:
    state = begin(at)
    for text, place, kind in (
        ("reinforce Alaska 2; reinforce Brazil 1; reinforce Peru 9", 2, "not_yours"),
        ("reinforce Alaska 2; reinforce Peru 4", 2, "too_many_armies"),
        ("reinforce Alaska 5; reinforce Peru 1", 2, "wrong_phase"),
        ("reinforce Alaska 2; attack Alaska > Kamchatka", 2, "wrong_phase"),
        ("reinforce Alaska 5; attack Alaska > Greenland", 2, "not_adjacent"),
        ("reinforce Alaska 5; end; attack Alaska > Kamchatka", 3, "wrong_phase"),
        ("end", 1, "wrong_phase"),
    ):
        error = refused(state, text)
        count = text.count(";") + 1
        assert error.kind == kind, text
        assert error.reason.startswith(f"order {place} of {count} ("), error.reason
        assert error.reason.endswith("none of the orders was carried out")


def test_orders_behind_an_attack_are_faults_only_where_no_dice_could_make_them_legal(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 9), "Alberta": (0, 1)})
    head = "attack Alaska > Kamchatka; "
    for text, kind in (
        ("attack Japan > Mongolia", "not_yours"),
        ("attack Kamchatka > Alaska", "own_territory"),
        ("attack Kamchatka > China", "not_adjacent"),
        ("fortify Alaska > Peru 1", "not_yours"),
        ("fortify Alaska > Alaska 1", "same_territory"),
        ("fortify Alaska > Alberta 0", "too_few_armies"),
        ("reinforce Alaska 1", "wrong_phase"),
        ("trade 1 2 3", "wrong_phase"),
        ("pick Peru", "wrong_phase"),
        ("move 2; move 2", "wrong_phase"),
        ("move 0", "too_few_armies"),
        ("end; end", "wrong_phase"),
        ("fortify Alaska > Alberta 1; fortify Alaska > Alberta 1", "wrong_phase"),
        ("fortify Alaska > Alberta 1; end; end", "wrong_phase"),
    ):
        assert refused(state, head + text).kind == kind, text
    assert refused(state, "attack Alaska > Kamchatka 3; attack Alaska > Kamchatka 4", ROLLS).kind == "too_many_dice"
    # Possible if the first attack succeeds: never a fault.
    for text in (
        "attack Kamchatka > Japan; move 3",
        "move 3; attack Kamchatka > Mongolia",
        "fortify Kamchatka > Alberta 3",
    ):
        GAME.check(state, "1", GAME.parse(state, "1", head + text))


def test_what_the_dice_made_impossible_is_left_out_and_said(at: Callable[..., State]) -> None:
    # 2 against 40: the attack fails, and so does everything that was to follow from Kamchatka.
    state = at({"Alaska": (0, 2), "Peru": (0, 4), "Kamchatka": (1, 40)})
    after = do(state, "attack Alaska > Kamchatka; move 1; attack Kamchatka > Japan; fortify Peru > Kamchatka 1; end")
    assert after.player == 1
    log = after.log[len(state.log) :]
    assert [(entry.trait, entry.numbers, entry.note) for entry in log if entry.trait == "skipped"] == [
        ("skipped", (3,), "not_yours"),
        ("skipped", (4,), "not_yours"),
    ]
    events = [event.what for event in GAME.observe(after, "1").events]
    assert "order 3 of the list had become impossible (not_yours) and was left out" in events


def test_end_behind_a_fortification_is_harmless(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 9), "Alberta": (0, 1)})
    assert do(state, "fortify Alaska > Alberta 4; end") == do(state, "fortify Alaska > Alberta 4")


def test_a_list_may_stop_where_the_player_wants_to_see_the_dice(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 40)})
    after = do(state, "attack Alaska > Kamchatka")
    assert (after.player, after.phase) == (0, "attack")
    assert after.armies[GAME.settings.board.names.index("Alaska")] == 1, "without move, all that may do move in"


def test_moves_behind_an_attack_are_brought_into_the_range_that_the_dice_allow(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 40)})
    names = GAME.settings.board.names
    few = do(state, "attack Alaska > Kamchatka; move 1")
    assert few.armies[names.index("Kamchatka")] == 3
    many = do(state, "attack Alaska > Kamchatka; move 999")
    assert many.armies[names.index("Alaska")] == 1 and many.armies[names.index("Kamchatka")] > 30


def test_a_forced_trade_in_the_middle_of_a_list_stops_the_attacks(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 60), "Kamchatka": (2, 1)}, hands=((9, 12, 15), (), (2, 5, 8, 20)))
    after = do(state, "attack Alaska > Kamchatka; move 30; attack Kamchatka > Japan; end")
    assert (after.player, after.phase, after.midturn) == (0, "reinforce", True)
    assert [entry.note for entry in after.log if entry.trait == "skipped"] == ["wrong_phase", "wrong_phase"]
    done = do(after, "trade 10 13 16; reinforce Kamchatka 4; attack Kamchatka > Japan; end")
    assert done.player == 1


def test_dice_that_are_not_named_are_as_many_as_possible_when_their_turn_comes(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 1), "Peru": (0, 1)}, others=(1, 5), phase="reinforce", pending=30)
    text = "reinforce Alaska 30; attack Alaska > Kamchatka; attack Alaska > Kamchatka; end"
    action = ROLLS.parse(state, "1", text)
    assert ROLLS.format(state, action) == text
    assert ROLLS.decode(state, "1", ROLLS.encode(state, action)) == action
    after = do(state, text, ROLLS)
    rolls = [dice for entry in after.log if entry.trait == "attack" for dice in entry.rolls]
    assert len(rolls) == 2 and all(0 not in dice for dice in rolls)
    # From a territory that is conquered on the way.
    for number in range(1, 60):
        begin_turn = at({"Alaska": (0, 9), "Kamchatka": (1, 1)}, others=(1, 5), round=number)
        after = do(begin_turn, "attack Alaska > Kamchatka; move 8; attack Kamchatka > Japan; end", ROLLS)
        attacks = [entry for entry in after.log if entry.trait == "attack"]
        if len(attacks) == 2:
            assert 0 not in attacks[1].rolls[0]
            return
    raise AssertionError


def test_two_trades_in_one_list_have_one_bonus(at: Callable[..., State]) -> None:
    state = at(
        dict.fromkeys(("Alaska", "Alberta"), (0, 3)),
        phase="reinforce",
        pending=3,
        hands=((0, 3, 6, 9, 12, 15), (), ()),
    )
    after = do(state, "trade 1 7 10; trade 4 13 16; reinforce Alaska 13; end")
    assert [entry.numbers[1] for entry in after.log if entry.trait == "trade"] == [0, -1]
    text = GAME.format(state, GAME.parse(state, "1", "trade 1 7 10; trade 4 13 16"))
    assert text == "trade 1 7 10 for Alaska; trade 4 13 16"


def test_lists_may_be_neither_empty_nor_endless(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 9)}, phase="reinforce", pending=200)
    assert refused(state, " ; ").kind == "no_orders"
    action = GAME.parse(state, "1", "; ".join(["reinforce Alaska 1"] * 150))
    with pytest.raises(Illegal) as error:
        GAME.check(state, "1", action)
    assert error.value.kind == "too_many_orders"


def test_structured_lists(at: Callable[..., State]) -> None:
    state = begin(at)
    answer = {
        "orders": [
            {"order": "reinforce", "territory": "alaska", "armies": 5},
            {"order": "attack", "from": "Alaska", "to": "Kamchatka"},
            "move 3",
            {"move": "end"},
        ]
    }
    action = GAME.decode(state, "1", answer)
    assert GAME.format(state, action) == "reinforce Alaska 5; attack Alaska > Kamchatka; move 3; end"
    assert GAME.decode(state, "1", GAME.encode(state, action)) == action
    assert GAME.decode(state, "1", {"orders": GAME.format(state, action)}) == action
    assert GAME.decode(state, "1", {"order": "reinforce", "territory": "Peru", "armies": 1}) == GAME.parse(
        state, "1", "reinforce Peru 1"
    )
    with pytest.raises(Illegal) as error:
        GAME.decode(
            state, "1", {"orders": [{"order": "reinforce", "territory": "Peru", "armies": 1}, {"order": "jump"}]}
        )
    assert error.value.reason.startswith("order 2 of 2: ")


def test_each_order_is_judged_with_its_kind_by_the_referee() -> None:
    match = Match(Risk(orders="phase"), 3, luck="a")
    turn = match.turns()[0]
    own = match.state.owners.index(0)
    name = match.game.settings.board.names[own]
    foreign = match.game.settings.board.names[match.state.owners.index(1)]
    action = turn.parse(f"reinforce {name} 1; reinforce {foreign} 1")
    verdict = match.submit("1", Decision(action)).verdict
    assert (verdict.status, verdict.kind) == ("illegal", "not_yours")
    assert match.state.pending == turn.observation.data["to_place"], "nothing was carried out"
    assert isinstance(action, Orders)
