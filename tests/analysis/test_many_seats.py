"""Matches for three, and one for two among them; every number counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from ludometer.analysis import (
    RunTables,
    counted_games,
    duplicates,
    effort_points,
    elo_of,
    factor_effects,
    game_matrix,
    leaderboard,
    load_tables,
    moves_per_result,
    opponent_matrix,
    payoff_differences,
    payoffs,
    performance,
    ratings_of,
    results_by_opening,
    results_by_seat,
    score_rates,
    seat_advantage,
)
from ludometer.core import ConfigurationError
from ludometer.store import RunStore

THIRD = 1 / 3
WHOLE = (
    # seats, scores, group, payoffs
    ("abc", (2 / 3, THIRD, 0.0), "g1", (10.0, 0.0, -10.0)),
    ("bca", (0.0, THIRD, 2 / 3), "g1", (-5.0, 0.0, 5.0)),
    ("cab", (0.5, 0.5, 0.0), "g1", (4.0, 4.0, -8.0)),
)


def row(frame: pd.DataFrame, **where: Any) -> Any:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def match(number: int, seats: str, scores: tuple[float, ...] | None, group: str, **columns: Any) -> dict[str, Any]:
    """A finished match of ``table``, a game that is not installed; the entrants' names are letters."""

    def by_seat(values: Any) -> str | None:
        return None if values is None else json.dumps({str(i): value for i, value in enumerate(values, start=1)})

    values: dict[str, Any] = {
        "id": f"m{number}",
        "number": number,
        "key": str(number),
        "game": "table",
        "options": "{}",
        "condition": "{}",
        "group": group,
        "luck": "l",
        "seed": "s",
        "seats": by_seat(seats),
        "status": "finished",
        "ending": "completed",
        "why": "because",
        "offender": None,
        "scores": by_seat(scores),
        "payoffs": by_seat(columns.pop("payoffs", None)),
        "moves": 9,
        "attempts": 10 + number,
        "bad_attempts": 0,
        "substituted": 0,
        "notation": None,
        "started": 1000.0 + number,
        "finished": 2000.0 + number,
        "seconds": 1.0,
        "voids": 0,
    }
    return values | columns


MATCHES = [
    *(match(i, seats, scores, group, payoffs=gain) for i, (seats, scores, group, gain) in enumerate(WHOLE, start=1)),
    match(4, "abc", (0.5, 0.0, 0.5), "g2", ending="forfeit", offender="2"),
    match(5, "cba", None, "g2", ending="canceled", offender="1"),
    match(6, "cba", None, "g2", ending="canceled"),
    match(7, "abc", None, "g3", status="void", ending="void", finished=None),
    match(8, "ab", (1.0, 0.0), "g4", game="duel"),
    match(9, "aab", (2 / 3, THIRD, 0.0), "g5", payoffs=(6.0, 0.0, -6.0)),
    match(10, "ccc", (2 / 3, THIRD, 0.0), "g6", payoffs=(3.0, 0.0, -3.0)),
]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunTables]:
    with RunStore.create(tmp_path_factory.mktemp("three") / "run", {"name": "three"}) as store:
        store.add_entrants([{"name": name, "player": "random", "options": {}} for name in "abc"])
        store.insert_finished(MATCHES)
        yield load_tables(store)


def test_ratings_count_matches_and_leave_nothing_out_silently(three: RunTables) -> None:
    _, counts = counted_games(three)
    assert (counts.total, counts.counted, counts.rated) == (10, 8, 7)
    assert counts.left_out == {"canceled, offender unknown": 1, "void": 1, "self-play": 1}
    table = ratings_of(three)
    found = {r.name: (r.games, r.wins, r.draws, r.losses) for r in table.rows}
    assert found == {"a": (7, 4, 3, 0), "b": (7, 0, 1, 6), "c": (5, 0, 2, 3)}
    assert [r.name for r in table.rows] == ["a", "c", "b"]
    assert ratings_of(three, counting="played").fit.games == 5


def test_scores_stand_beside_what_equals_would_have(three: RunTables) -> None:
    a = row(score_rates(three), entrant="a")
    # 2/3, 2/3 and 1/2 in the first group, 1/2 twice by others' faults, 1 for two, and the two seats of match 9.
    assert a["score_games"] == 8
    assert a["score"] == pytest.approx((2 / 3 + 2 / 3 + 0.5 + 0.5 + 0.5 + 1 + 2 / 3 + THIRD) / 8)
    assert a["score_expected"] == pytest.approx((7 * THIRD + 0.5) / 8)
    assert a["score_low"] < a["score"] < a["score_high"]
    played = row(score_rates(three, counting="played"), entrant="c")
    assert (played["score_games"], played["score"]) == (3, pytest.approx((0 + THIRD + 0.5) / 3))


def test_a_win_is_the_best_score_alone_and_a_draw_the_best_score_shared(three: RunTables) -> None:
    frame = results_by_seat(three)
    first = row(frame, entrant="a", seat_number=1)
    assert [first[name] for name in ("matches", "wins", "draws", "losses", "forfeited_to", "void")] == [
        5,
        3,
        0,
        0,
        1,
        1,
    ]
    second = row(frame, entrant="a", seat_number=2)
    assert [second[name] for name in ("wins", "draws", "losses")] == [0, 1, 1]
    assert row(frame, entrant="b", seat_number=2)["forfeits"] == 1
    board = leaderboard(three)
    assert list(board["entrant"]) == ["a", "c", "b"]
    assert row(board, entrant="a")["wins_3"] == 1


def test_what_each_seat_scores(three: RunTables) -> None:
    first = row(seat_advantage(three), game="table", seat_number=1)
    # Self-play says something about the seat, and so do forfeits.
    assert (first["matches"], first["wins"], first["draws"]) == (7, 3, 1)
    assert first["score"] == pytest.approx((2 / 3 + 0 + 0.5 + 0.5 + 0 + 2 / 3 + 2 / 3) / 7)
    assert first["expected"] == pytest.approx(THIRD)
    assert row(seat_advantage(three), game="duel", seat_number=1)["expected"] == 0.5


def test_who_came_out_ahead_of_whom(three: RunTables) -> None:
    frame = opponent_matrix(three)
    assert set(frame["game"]) == {"table"}
    a_b = row(frame, entrant="a", opponent="b")
    # Not compared where c was at fault; twice in the match where a holds two seats.
    assert (a_b["matches"], a_b["compared"], a_b["share"]) == (5, 6, 1.0)
    c_a = row(frame, entrant="c", opponent="a")
    assert (c_a["matches"], c_a["share"]) == (4, pytest.approx(0.5 / 4))
    assert row(frame, entrant="a", opponent="c")["share"] == pytest.approx(1 - 0.5 / 4)
    assert game_matrix(three).index.get_level_values("game").tolist() == ["duel"]


def test_equal_scores_are_no_comparison_where_the_rules_leave_no_order(three: RunTables) -> None:
    unordered = replace(three, matches=three.matches.assign(equals_tie=False))
    c_a = row(opponent_matrix(unordered), entrant="c", opponent="a")
    assert (c_a["matches"], c_a["share"]) == (3, 0.0)


def test_payoffs_per_match(three: RunTables) -> None:
    frame = payoffs(three)
    a = row(frame, entrant="a")
    assert (a["matches"], a["groups"], a["payoff"]) == (4, 2, pytest.approx((10 + 5 + 4 + 6 + 0) / 5))
    assert a["expected"] == 0 and bool(a["says_more"])
    b = row(frame, entrant="b")
    assert b["payoff"] == pytest.approx((0 - 5 - 8 - 6) / 4)
    # Two groups: sums of deviations from -4.75 are 1.25 and -1.25.
    error = (2 * (1.25**2 + 1.25**2)) ** 0.5 / 4
    assert b["low"] == pytest.approx(-4.75 - 12.7062047 * error, abs=1e-5)


def test_payoffs_are_compared_in_the_same_seat_of_the_same_group(three: RunTables) -> None:
    frame = payoff_differences(three)
    a_b = row(frame, entrant="a", other="b")
    # Seat 1: 10 and -5; seat 2: 4 and 0; seat 3: 5 and -8. In the last group they never sat in the same seat.
    assert (a_b["groups"], a_b["seats"], a_b["difference"]) == (1, 3, pytest.approx((15 + 4 + 13) / 3))
    assert pd.isna(a_b["low"])
    assert row(frame, entrant="b", other="c")["difference"] == pytest.approx(((-5 - 4) + (0 - 0) + (-8 + 10)) / 3)


def test_luck_cancels_in_the_differences() -> None:
    """Ten groups whose luck by seat is a hundred times the difference in skill."""
    rows = []
    for group in range(10):
        luck = [1000.0 * group, -700.0, 300.0 - 1000.0 * group]
        for turn in range(3):
            seats = "abc"[turn:] + "abc"[:turn]
            gains = [luck[i] + {"a": 10, "b": 0, "c": -10}[name] + 0.1 * group for i, name in enumerate(seats)]
            rows.append({"group": str(group), "seats": 3, "self_play": False, "status": "finished", "condition": ""})
            rows[-1] |= {"match": f"{group}/{turn}", "game": "table", "ending": "completed"}
            for i, name in enumerate(seats, start=1):
                rows[-1] |= {f"player_{i}": name, f"score_{i}": 0.0, f"payoff_{i}": gains[i - 1]}
    names = tuple({"name": name, "player": "random", "options": {}} for name in "abc")
    # A match is missing, so that means over whole matches differ by luck.
    tables = RunTables(names, {}, pd.DataFrame(rows[1:]), pd.DataFrame(), pd.DataFrame())
    found = row(payoff_differences(tables), entrant="a", other="c")
    assert (found["groups"], found["seats"], found["difference"]) == (10, 28, pytest.approx(20))
    means = payoffs(tables)
    assert abs(row(means, entrant="a")["payoff"] - row(means, entrant="c")["payoff"] - 20) > 5


def test_every_other_table_takes_any_number_of_seats(three: RunTables) -> None:
    lengths = moves_per_result(three)
    assert row(lengths, entrant="a", result="won")["matches"] == 4
    assert row(lengths, entrant="all", result="drawn")["matches"] == 1
    table = row(performance(three), game="table", entrant="a")
    assert (table["games"], table["opponents"], table["expected"]) == (7, ["b", "c"], pytest.approx(THIRD))
    assert duplicates(three).empty and effort_points(three).empty and factor_effects(three).empty
    opened = replace(three, matches=three.matches.assign(opening="x"))
    assert row(results_by_opening(opened), game="table")["drawn"] == 1
    with pytest.raises(ConfigurationError, match="two seats"):
        elo_of(three)


def test_a_gauntlet_counts_only_matches_against_the_pool_alone(three: RunTables) -> None:
    pooled = replace(three, config={"schedule": {"kind": "gauntlet", "pool": ["b", "c"]}})
    assert row(performance(pooled), game="table", entrant="a")["games"] == 5  # not where a sits twice
    half = replace(three, config={"schedule": {"kind": "gauntlet", "pool": ["b"]}})
    assert row(performance(half), game="table", entrant="a")["games"] == 0
