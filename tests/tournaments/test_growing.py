"""Schedules that grow with their results: what they plan, and that it follows from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, ConfigurationError
from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.extending import extended
from ludometer.tournaments.growing import GrowingSchedule, headline_score
from ludometer.tournaments.schedule import departures, outlook, schedule

Result = Callable[[MatchPlan], dict[str, Any]]


def named(names: str) -> list[dict[str, str]]:
    return [{"player": "random", "name": name} for name in names]


def config_of(names: str = "abcde", kind: str = "adaptive", **settings: Any) -> RunConfig:
    own = {key: settings.pop(key) for key in ("games", "rounds", "batch", "repeats", "seating") if key in settings}
    table = {"game": "tictactoe", "players": named(names), "schedule": {"kind": kind, **own}, **settings}
    return load_config(table)


def by_luck(plan: MatchPlan) -> dict[str, Any]:
    """Entrants early in the alphabet are stronger; the rest is luck that the match's seed decides."""
    first, second = plan.seats.values()
    edge = 0.15 * (ord(second[0]) - ord(first[0]))
    drawn, _ = Chance.from_seed(plan.seed).unit()
    score = 1.0 if drawn < 0.4 + edge else 0.5 if drawn < 0.6 + edge else 0.0
    return {"ending": "completed", "scores": dict(zip(plan.seats, (score, 1.0 - score), strict=True))}


def finished(plans: Sequence[MatchPlan], start: int = 0, result: Result = by_luck) -> list[MatchRow]:
    blank = dict.fromkeys(MatchRow._fields)
    rows = []
    for number, plan in enumerate(plans, start=start + 1):
        own = {name: getattr(plan, name) for name in MatchPlan.__slots__} | {"opening": list(plan.opening) or None}
        row = {**blank, **own, "id": f"m{number:06d}", "number": number, "status": "finished", "voids": 0}
        rows.append(MatchRow(**{**row, **result(plan)}))
    return rows


def played(config: RunConfig, result: Result = by_luck, rows: Sequence[MatchRow] = ()) -> list[list[MatchRow]]:
    """The batches of a whole run, or what follows ``rows``."""
    batches, so_far = [], list(rows)
    # A new object every time, as after every resume.
    while plans := GrowingSchedule(config).plan(so_far):
        batches.append(finished(plans, len(so_far), result))
        so_far += batches[-1]
    return batches


def flat(batches: Sequence[Sequence[MatchRow]]) -> list[MatchRow]:
    return [row for batch in batches for row in batch]


def pair(row: MatchRow | MatchPlan) -> frozenset[str]:
    return frozenset(row.seats.values())


# -------------------------------------------------------------------------- adaptive


def test_an_adaptive_schedule_begins_with_a_round_robin() -> None:
    first, *later = played(config_of(games=120))
    everybody = load_config({"game": "tictactoe", "players": named("abcde")})
    assert {row.key for row in first} == {plan.key for plan in schedule(everybody)}
    assert [row.key for row in first] == [plan.key for plan in schedule(config_of(games=120))]
    assert len(flat([first, *later])) == 120 and len(later) > 3


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 7),
    st.integers(0, 90),
    st.sampled_from([None, 1, 7, 40]),
    st.integers(1, 2),
    st.integers(0, 10**6),
)
def test_meetings_are_whole_and_none_is_lost(
    entrants: int, more: int, batch: int | None, repeats: int, seed: int
) -> None:
    names = "abcdefg"[:entrants]
    least = entrants * (entrants - 1) * repeats
    config = config_of(names, games=least + more, batch=batch, repeats=repeats, seed=seed)
    batches = played(config)
    rows = flat(batches)
    assert len(rows) == (least + more) // 2 * 2 == GrowingSchedule(config).expected
    assert len({row.key for row in rows}) == len(rows)
    assert min(Counter(pair(row) for row in rows).values()) >= 2 * repeats, "everybody meets everybody"
    for both in zip(rows[::2], rows[1::2], strict=True):
        one, other = both
        assert one.luck == other.luck == one.group and list(one.seats.values()) == list(other.seats.values())[::-1]
    assert Counter(row.group for row in rows) == dict.fromkeys({row.group for row in rows}, 2)
    if batch is not None:
        assert all(len(planned) <= max(2, batch) for planned in batches[1:])
    assert departures(config, rows) == []


def test_the_next_batch_follows_from_the_results() -> None:
    config = config_of(games=200)
    one, again = played(config), played(config)
    assert one == again
    other = played(
        config, lambda plan: by_luck(plan) if "e" not in pair(plan) else {**by_luck(plan), "scores": lost(plan)}
    )
    assert [row.key for row in one[0]] == [row.key for row in other[0]]
    assert [row.key for row in flat(one)] != [row.key for row in flat(other)]


def lost(plan: MatchPlan) -> dict[str, float]:
    return {seat: float(name != "e") for seat, name in plan.seats.items()}


def test_who_is_hard_to_order_meets_more_often() -> None:
    """b and c are equals, a is far above them and d far below."""

    def result(plan: MatchPlan) -> dict[str, Any]:
        ranks = {"a": 0, "b": 1, "c": 1, "d": 2}
        first, second = (ranks[name] for name in plan.seats.values())
        drawn, _ = Chance.from_seed(plan.seed).unit()
        score = float(drawn < 0.5 + 0.47 * (second - first) / max(1, abs(second - first)))
        return {"ending": "completed", "scores": dict(zip(plan.seats, (score, 1 - score), strict=True))}

    often = Counter(pair(row) for row in flat(played(config_of("abcd", games=400), result)))
    assert often.most_common(1)[0][0] == frozenset("bc")
    assert often[frozenset("bc")] > 1.5 * often[frozenset("ad")] > 0


def test_games_openings_and_conditions_belong_to_a_meeting() -> None:
    config = load_config(
        {
            "games": ["tictactoe", {"name": "connect4", "policy": {}}],
            "players": named("abc"),
            "schedule": {"kind": "adaptive", "games": 60},
            "openings": {"random_plies": 1, "count": 2},
            "factors": {"attempts": [1, 2]},
        }
    )
    growing = GrowingSchedule(config)
    assert growing.per_meeting == 8
    rows = flat(played(config))
    assert len(rows) == growing.expected == 56
    for start in range(0, len(rows), 8):
        meeting = rows[start : start + 8]
        assert len({pair(row) for row in meeting}) == 1
        assert Counter(row.game for row in meeting) == {"tictactoe": 4, "connect4": 4}
        assert Counter(row.condition["attempts"] for row in meeting) == {1: 4, 2: 4}
        for game in ("tictactoe", "connect4"):
            assert len({(row.luck, tuple(row.opening or ())) for row in meeting if row.game == game}) == 1
    of_pair = [tuple(row.opening or ()) for row in rows if pair(row) == {"a", "b"} and row.game == "tictactoe"][::4]
    assert of_pair[0] != of_pair[1] and of_pair[::2] == [of_pair[0]] * len(of_pair[::2]), "openings take turns"
    assert departures(config, rows) == []


def test_what_does_not_count_decides_nothing() -> None:
    config = config_of("abc", games=120)
    nobody = played(config, lambda plan: {"ending": "canceled"})
    assert len(flat(nobody)) == 120
    often = Counter(pair(row) for row in flat(nobody))
    assert max(often.values()) <= 1.5 * min(often.values()), "nothing is known, so nobody is preferred"


def test_scores_count_by_the_headline_rule() -> None:
    (plan, _), seats = list(schedule(config_of("ab", games=2))), ("X", "O")
    assert tuple(plan.seats) == seats

    def score(**result: Any) -> float | None:
        return headline_score(finished([plan], result=lambda _: result)[0])

    assert score(ending="completed", scores={"X": 0.5, "O": 0.5}) == 0.5
    assert score(ending="forfeit", offender="X") == 0.0 and score(ending="forfeit", offender="O") == 1.0
    assert score(ending="canceled", offender="O") == 1.0
    assert score(ending="canceled") is None


# ----------------------------------------------------------------------------- Swiss


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 9),
    st.integers(1, 6),
    st.integers(1, 3),
    st.sampled_from(["rotated", "balanced"]),
    st.integers(0, 10**6),
)
def test_swiss_rounds(entrants: int, rounds: int, repeats: int, seating: str, seed: int) -> None:
    config = config_of("abcdefghi"[:entrants], "swiss", rounds=rounds, repeats=repeats, seating=seating, seed=seed)
    batches = played(config)
    assert len(batches) == rounds and len({row.key for row in flat(batches)}) == len(flat(batches))
    games = repeats * (1 if seating == "balanced" else 2)
    for batch in batches:
        assert len(batch) == entrants // 2 * games
        met = Counter(pair(row) for row in batch)
        assert set(met.values()) == {games} and len(met) == entrants // 2
        assert len(frozenset().union(*met)) == entrants // 2 * 2, "everybody but one has one opponent"
    if rounds <= entrants // 2:
        assert len({pair(row) for row in flat(batches)}) == rounds * (entrants // 2), "nobody twice"
    firsts = Counter(next(iter(row.seats.values())) for row in flat(batches))
    seconds = Counter(list(row.seats.values())[1] for row in flat(batches))
    assert max(abs(firsts[name] - seconds[name]) for name in firsts | seconds) <= (3 if seating == "balanced" else 0)
    assert departures(config, flat(batches)) == []


def test_winners_meet_winners() -> None:
    batches = played(config_of("abcdefgh", "swiss", rounds=3), strong_win)
    (final,) = [pair(row) for row in batches[-1][::2] if "a" in pair(row)]
    assert len(flat(batches)) == 3 * 4 * 2
    beaten = {name for batch in batches[:2] for row in batch for name in [max(row.seats.values())]}
    assert not (final & beaten), "in the third round the two that have won everything"


def strong_win(plan: MatchPlan) -> dict[str, Any]:
    best = min(plan.seats.values())
    return {"ending": "completed", "scores": {seat: float(name == best) for seat, name in plan.seats.items()}}


def test_as_many_rounds_as_part_one_winner_by_default() -> None:
    for entrants, rounds in ((2, 1), (4, 2), (5, 3), (8, 3), (9, 4)):
        assert GrowingSchedule(config_of("abcdefghi"[:entrants], "swiss")).rounds == rounds


# ------------------------------------------------------------------ extending, verifying


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["adaptive", "swiss"]), st.integers(0, 100), st.integers(0, 10**6), st.booleans())
def test_an_extension_keeps_what_was_planned(kind: str, part: int, seed: int, newcomer: bool) -> None:
    numbers: dict[str, int] = {"games": 60} if kind == "adaptive" else {"rounds": 3}
    config = config_of("abcd", kind, seed=seed, **numbers)
    batches = played(config)
    rows = flat(batches[: 1 + part * (len(batches) - 1) // 100])  # stopped after some batch
    more = {"games": 100} if kind == "adaptive" else {"rounds": 5}
    wider = extended(config, named("e") if newcomer else (), planned=len(rows), **more)
    whole = [*rows, *flat(played(wider, rows=rows))]
    assert departures(wider, whole) == [] and departures(wider, rows) == []
    assert len(whole) == (100 if kind == "adaptive" else len(whole)) and len({row.key for row in whole}) == len(whole)
    met = {pair(row) for row in whole}
    if kind == "adaptive":
        assert met == set(map(frozenset, combinations("abcde" if newcomer else "abcd", 2)))
    elif newcomer:
        assert sum("e" in who for who in met) >= 1
    twice = extended(wider, planned=len(whole), **({"games": 120} if kind == "adaptive" else {"rounds": 6}))
    longest = [*whole, *flat(played(twice, rows=whole))]
    assert departures(twice, longest) == [] and len(longest) > len(whole)


@pytest.mark.parametrize("kind", ["adaptive", "swiss"])
def test_departures_are_found(kind: str) -> None:
    numbers = {"games": 60} if kind == "adaptive" else {"rounds": 4}
    config = config_of("abcd", kind, **numbers)
    batches = played(config)
    rows = flat(batches)
    assert departures(config, rows) == [] == departures(config, rows[: len(batches[0])])
    (missing,) = departures(config, rows[:-1])
    assert missing == "1 matches of the schedule are missing"
    (extra,) = departures(config, [*rows, rows[0]])
    assert "is not in the schedule" in extra
    foul = [row._replace(seed="0") if row.number == 5 else row for row in rows]
    assert "match m000005 differs" in departures(config, foul)[0]
    # With other results, other matches would have been planned.
    planned = GrowingSchedule(config).plan([])
    upset = finished(planned, result=lambda plan: {**by_luck(plan), "scores": reverse(by_luck(plan)["scores"])})
    assert any(
        "differs from the schedule that follows" in text for text in departures(config, [*upset, *flat(batches[1:])])
    )
    open_match = [row._replace(status="running") if row.number == 2 else row for row in rows]
    assert "before the matches that decide about it were finished" in departures(config, open_match)[0]


def reverse(scores: dict[str, float]) -> dict[str, float]:
    return dict(zip(scores, list(scores.values())[::-1], strict=True))


def test_an_outlook_has_as_many_matches_as_there_will_be() -> None:
    for config in (config_of(games=99), config_of(kind="swiss", rounds=4), config_of(kind="round_robin", repeats=2)):
        plans = list(outlook(config))
        assert len({plan.key for plan in plans}) == len(plans)
        grows = config.schedule.grows
        assert len(plans) == (GrowingSchedule(config).expected if grows else len(list(schedule(config))))


# -------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"kind": "adaptive"}, "needs games, the number of its matches in all"),
        ({"kind": "adaptive", "games": 19}, "begins with a round robin, which for 5 players takes 20 matches, not 19"),
        ({"kind": "adaptive", "games": 39, "repeats": 2}, "begins with 2 round robins, which for 5 players takes 40"),
        ({"kind": "adaptive", "games": 99, "self_play": True}, "self_play is for schedules that are known beforehand"),
        ({"kind": "swiss", "shared_luck": True}, "shared_luck is for schedules that are known beforehand"),
        ({"kind": "swiss", "seating": "fixed"}, "seating = 'fixed' is for schedules that are known"),
        ({"kind": "swiss", "games": 5}, "games belongs to kind = 'adaptive', and this schedule is 'swiss'"),
        ({"kind": "adaptive", "games": 99, "rounds": 5}, "rounds belongs to kind = 'swiss'"),
        ({"batch": 3}, "batch belongs to kind = 'adaptive'"),
        ({"challengers": ["a"]}, "challengers belongs to kind = 'gauntlet'"),
        ({"seating": "balanced"}, "seating = 'balanced' belongs to kind = 'swiss'"),
        ({"stages": [{"players": 2, "matches": 2}]}, "stages are written by ludometer extend"),
        ({"kind": "swiss", "stages": [{"players": 9, "matches": 2}]}, "stages are written by ludometer extend"),
        ({"kind": "swis"}, "did you mean 'swiss'. known: adaptive, gauntlet, round_robin, series, swiss"),
    ],
)
def test_schedules_that_make_no_sense(settings: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigurationError, match=match):
        list(schedule(load_config({"game": "tictactoe", "players": named("abcde"), "schedule": settings})))


@pytest.mark.parametrize("kind", ["adaptive", "swiss"])
def test_tables_for_more_than_two_are_refused(kind: str) -> None:
    own = {"games": 100} if kind == "adaptive" else {}
    table = {"game": "uno", "players": named("abcd"), "schedule": {"kind": kind, "seats": 3, **own}}
    with pytest.raises(ConfigurationError, match=f"{kind} schedules pair two, and UNO has 3 at a table here"):
        list(schedule(load_config(table)))


def test_extensions_that_make_no_sense() -> None:
    config = config_of("abcd", games=20)
    with pytest.raises(ConfigurationError, match="the run has 20 games already"):
        extended(config, games=10, planned=20)
    with pytest.raises(ConfigurationError, match="no number of rounds, since its schedule is 'adaptive'"):
        extended(config, rounds=10, planned=20)
    with pytest.raises(ConfigurationError, match="which takes 8 matches: give --games 28 or more"):
        extended(config, named("e"), planned=20)
    with pytest.raises(ConfigurationError, match="the run has 2 rounds already"):
        extended(config_of("abcd", "swiss"), rounds=1, planned=8)


def test_a_hyphen_will_do() -> None:
    found = load_config({"game": "nim", "players": named("ab"), "schedule": {"kind": "round-robin"}})
    assert found.schedule.kind == "round_robin"


# -------------------------------------------------------------------------- gauntlet


def gauntlet(names: str, **settings: Any) -> set[tuple[str, ...]]:
    table = {"game": "tictactoe", "players": named(names), "schedule": {"kind": "gauntlet", **settings}}
    return {tuple(plan.seats.values()) for plan in schedule(load_config(table))}


def test_challengers_meet_everybody_else() -> None:
    both = lambda pairs: {order for one in pairs for order in permutations(one)}  # noqa: E731
    assert gauntlet("abcd", challengers=["d"]) == both(["da", "db", "dc"])
    assert gauntlet("abcd", challengers=["c", "d"]) == both(["ca", "cb", "da", "db"])
    assert gauntlet("abcd", challengers=["d"], pool=["a"]) == both(["da"])
    assert gauntlet("abcd", pool=["a"]) == both(["ba", "ca", "da"])


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({}, "needs schedule.pool or schedule.challengers"),
        ({"challengers": ["a", "b"]}, "and a player on either side"),
        ({"challengers": ["x"]}, "schedule.challengers names 'x', which is no player"),
        ({"challengers": ["a"], "pool": ["a"]}, "'a' is in schedule.pool and in schedule.challengers"),
        ({"pool": ["a", "a"]}, "schedule.pool names a player twice"),
    ],
)
def test_gauntlets_that_make_no_sense(settings: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigurationError, match=match):
        gauntlet("ab", **settings)
