"""Which matches a run consists of, and what they have in common."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import ConfigurationError
from ludometer.tournaments import load_config
from ludometer.tournaments.schedule import schedule


def plans(**settings):
    table = {"game": "tictactoe", "players": ["random", "perfect"], **settings}
    return list(schedule(load_config(table)))


def named(*names):
    return [{"player": "random", "name": name} for name in names]


def pairings(found):
    return Counter((plan.seats["X"], plan.seats["O"]) for plan in found)


def test_every_ordered_pair_as_often_as_asked():
    found = plans(players=named("a", "b", "c"), schedule={"repeats": 3})
    assert pairings(found) == dict.fromkeys(itertools.permutations("abc", 2), 3)
    found = plans(players=named("a", "b"), schedule={"repeats": 2, "self_play": True})
    assert pairings(found) == dict.fromkeys(itertools.product("ab", repeat=2), 2)


def test_an_early_stop_leaves_whole_rounds():
    found = plans(players=named("a", "b", "c"), schedule={"repeats": 4})
    for played in range(0, len(found), 6):
        assert set(pairings(found[:played]).values()) <= {played // 6}


def test_the_two_orders_of_a_pair_share_their_luck_and_nothing_else_does():
    found = plans(players=named("a", "b", "c"), schedule={"repeats": 2, "self_play": True})
    by_luck = {}
    for plan in found:
        assert plan.group == plan.luck
        by_luck.setdefault(plan.luck, []).append(frozenset(plan.seats.values()))
    assert all(len(set(sets)) == 1 for sets in by_luck.values())
    # Two repeats of three mixed pairs, in both orders; and of three pairs of a player with itself.
    assert Counter(len(sets) for sets in by_luck.values()) == {2: 2 * 3, 1: 2 * 3}
    assert len({plan.seed for plan in found}) == len(found), "every match has luck of its own for its players"


def test_conditions_are_compared_under_the_same_luck():
    found = plans(
        players=["fake/a", "random"],
        models={"fake": {"base_url": "http://localhost:1/v1"}},
        factors={"view": ["list", "illustration"], "feedback": ["none", "explain"]},
    )
    assert len(found) == 8
    assert len({plan.luck for plan in found}) == 1
    assert len({plan.seed for plan in found}) == 8
    assert {tuple(plan.condition.items()) for plan in found} == {
        (("view", view), ("feedback", mode)) for view in ("list", "illustration") for mode in ("none", "explain")
    }


def test_games_with_other_options_are_other_games():
    found = plans(games=["tictactoe", {"name": "tictactoe", "rows": 4, "columns": 4}])
    assert len({plan.luck for plan in found[1:]}) == 2
    assert {tuple(sorted(plan.options.items())) for plan in found} >= {
        tuple(sorted({"rows": 4, "columns": 4, "line": 3, "overline": "win", "misere": False}.items()))
    }


def essence(found):
    return {plan.key: plan for plan in found}


def test_the_order_of_players_and_a_name_of_the_run_change_no_match():
    one = plans(players=named("a", "b", "c"), schedule={"repeats": 2}, name="one", concurrency=3)
    two = plans(players=named("c", "a", "b"), schedule={"repeats": 2}, name="two", description="...")
    assert essence(one) == essence(two)


def test_an_extended_schedule_holds_the_old_one():
    one = essence(plans(players=named("a", "b"), schedule={"repeats": 2}))
    two = essence(plans(players=named("new", "a", "b"), schedule={"repeats": 3}))
    assert one.items() <= two.items()
    assert len(two) == 18


def test_the_seed_changes_all_luck():
    one, two = (plans(players=named("a", "b"), seed=seed) for seed in (1, 2))
    assert not {plan.luck for plan in one} & {plan.luck for plan in two}
    assert not {plan.seed for plan in one} & {plan.seed for plan in two}
    assert plans(seed=1)[0].luck != plans(seed="1")[0].luck


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=5, unique=True))
def test_no_two_matches_have_the_same_key_whatever_the_names(names):
    found = plans(players=named(*names), schedule={"repeats": 2, "self_play": True})
    assert len({plan.key for plan in found}) == len(found) == 2 * len(names) ** 2


@pytest.mark.parametrize(
    "names", [["gpt_4", "gpt-4", "GPT_4"], ["a", "a b", "b"], ["1", "1.0", "01"], ['"', "\\", "']"]]
)
def test_names_that_look_alike(names):
    assert len({plan.luck for plan in plans(players=named(*names))}) == 3


def test_a_run_needs_players():
    with pytest.raises(ConfigurationError, match="at least two players"):
        plans(players=["random"])
    assert len(plans(players=["random"], schedule={"self_play": True})) == 1


# ------------------------------------------------------------- more than two seats


def tables(found):
    return [tuple(plan.seats.values()) for plan in found]


def at_three(**schedule):
    players = named(*schedule.pop("players", "abc"))
    return plans(game="openspiel:kuhn_poker(players=3)", players=players, schedule={"seats": 3, **schedule})


def test_a_table_is_played_in_all_rotations_of_its_seats_with_the_same_luck():
    found = at_three(repeats=2)
    assert tables(found) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")] * 2
    assert [found.index(next(p for p in found if p.luck == plan.luck)) for plan in found] == [0, 0, 0, 3, 3, 3]
    assert len({plan.seed for plan in found}) == 6


def test_other_seatings():
    assert set(tables(at_three(seating="permuted"))) == set(itertools.permutations("abc"))
    assert tables(at_three(seating="fixed", repeats=2)) == [("a", "b", "c")] * 2
    assert tables(plans(players=named("a", "b"), schedule={"seating": "fixed"})) == [("a", "b")]


def test_every_choice_of_entrants_sits_down_together():
    found = at_three(players="abcd")
    assert {frozenset(table) for table in tables(found)} == set(map(frozenset, itertools.combinations("abcd", 3)))
    assert Counter(name for table in tables(found) for name in table) == dict.fromkeys("abcd", 9)
    for seat in range(3):
        assert Counter(table[seat] for table in tables(found)) == dict.fromkeys("abcd", 3), "everybody sits everywhere"
    alone = at_three(players="ab", self_play=True)
    assert tables(alone) == [("a",) * 3, ("b",) * 3]


def test_an_extended_schedule_of_tables_holds_the_old_one():
    one = essence(at_three(players="abc", repeats=2))
    two = essence(at_three(players="abcd", repeats=3))
    assert one.items() <= two.items()


def test_a_gauntlet_fills_the_table_from_its_pool():
    found = at_three(players="abx", kind="gauntlet", pool=["x"])
    assert tables(found)[:3] == [("a", "x", "x"), ("x", "x", "a"), ("x", "a", "x")]
    assert {frozenset(table) for table in tables(found)} == {frozenset("ax"), frozenset("bx")}
    wide = at_three(players="awxy", kind="gauntlet", pool=["w", "x", "y"], seating="fixed")
    assert tables(wide) == [("a", "w", "x"), ("a", "w", "y"), ("a", "x", "y")]


def test_a_fixed_gauntlet_keeps_the_order_of_the_players():
    found = plans(
        players=named("pool", "a", "b"),
        schedule={"kind": "gauntlet", "pool": ["pool"], "seating": "fixed", "shared_luck": True, "repeats": 2},
    )
    assert tables(found) == [("pool", "a"), ("pool", "b")] * 2
    assert [plan.luck == found[0].luck for plan in found] == [True, True, False, False]


def test_a_series_of_three_rotates():
    assert tables(at_three(kind="series", repeats=4)) == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]
    lucks = [plan.luck for plan in at_three(kind="series", repeats=4)]
    assert len(set(lucks[:3])) == 1 and lucks[3] != lucks[0]


def test_games_for_different_numbers_of_players_in_one_run():
    players = named("a", "b")
    games = ["openspiel:kuhn_poker(players=3)"]
    found = plans(games=games, players=[*players, *named("c")], schedule={"repeats": 2})
    assert [len(plan.seats) for plan in found] == ([2] * 6 + [3] * 3) * 2


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"schedule": {"seats": 3}}, "is for 2 players, not 3"),
        ({"game": "openspiel:kuhn_poker(players=3)"}, "a table of 3 needs at least 3 players, not 2"),
        ({"game": "openspiel:kuhn_poker(players=3)", "schedule": {"kind": "series"}}, "a series is between 3 players"),
        ({"game": "openspiel:leduc_poker", "openings": {"random_plies": 1}}, "begins with luck"),
    ],
)
def test_tables_that_cannot_be_made(settings, match):
    with pytest.raises(ConfigurationError, match=match):
        plans(**settings)
