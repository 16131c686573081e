"""Every number counted by hand from the matches in conftest."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ludometer.analysis import (
    RunTables,
    counted_games,
    duplicates,
    elo_of,
    endings,
    game_matrix,
    invalid_responses,
    leaderboard,
    moves_per_result,
    ratings_of,
    repair_rates,
    results_by_seat,
    run_counts,
    score_rates,
    usage,
    validity,
    validity_by_setting,
)
from ludometer.core import ConfigurationError
from ludometer.store import MatchPlan, RunStore


def row(frame: pd.DataFrame, **where: Any) -> Any:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's interval from the roots of (p - q)^2 = z^2 q (1 - q) / n."""
    z2, p = 1.959963984540054**2, successes / trials
    a, b, c = 1 + z2 / trials, -(2 * p + z2 / trials), p * p
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_counts_add_up(tables: RunTables) -> None:
    counts = run_counts(tables)
    assert counts == {"total": 10, "completed": 5, "forfeit": 1, "canceled": 2, "void": 1, "unfinished": 1}
    assert endings(tables)["matches"].sum() == 10


def test_matrix_has_every_match_in_one_column(tables: RunTables) -> None:
    matrix = game_matrix(tables)
    assert matrix["games"].sum() == 10
    cell = matrix.loc[("tictactoe", "view = list", "ann", "bob")]
    assert cell.to_dict() == {"X": 1, "O": 0, "D": 1, "C": 1, "F": 0, "void": 1, "unfinished": 0, "games": 4}
    assert matrix.loc[("tictactoe", "view = list", "bob", "ann"), ["O", "F", "C"]].tolist() == [1, 1, 1]
    assert matrix.loc[("tictactoe", "view = image", "ann", "bob"), "unfinished"] == 1


def test_results_by_seat(tables: RunTables) -> None:
    ann = row(results_by_seat(tables), entrant="ann", seat_number=1)
    expected = {"matches": 6, "wins": 2, "draws": 1, "losses": 0, "canceled": 1, "void": 1, "unfinished": 1}
    assert {key: ann[key] for key in expected} == expected
    assert ann["self_play"] == 1
    assert (ann["played"], ann["win_rate"]) == (4, 0.5)
    assert (ann["low"], ann["high"]) == pytest.approx(wilson(2, 4))
    bob = row(results_by_seat(tables), entrant="bob", seat_number=1)
    assert (bob["forfeits"], bob["forfeited_to"], bob["losses"], bob["wins"]) == (1, 0, 1, 1)
    assert row(results_by_seat(tables), entrant="ann", seat_number=2)["forfeited_to"] == 1


def test_moves_per_result_count_bad_attempts_and_say_no_wins_with_nothing(tables: RunTables) -> None:
    frame = moves_per_result(tables)
    ann = row(frame, entrant="ann", result="won as player 1")
    assert (ann["matches"], ann["mean"]) == (2, 6.5)  # 7 attempts with two bad ones, and self-play in 6
    assert row(frame, entrant="bob", result="won as player 1")["mean"] == 11
    assert pd.isna(row(frame, entrant="bob", result="won as player 1")["low"])  # one match says nothing about spread
    none = row(frame, entrant="bob", result="won as player 2")
    assert none["matches"] == 0 and pd.isna(none["mean"])
    assert row(frame, entrant="all", result="drawn")["matches"] == 1


def test_counting_rules(tables: RunTables) -> None:
    _, headline = counted_games(tables)
    assert (headline.total, headline.counted, headline.rated) == (9, 7, 6)  # the unfinished match is not among them
    assert headline.left_out == {"canceled, offender unknown": 1, "void": 1, "self-play": 1}
    _, played = counted_games(tables, counting="played")
    assert (played.counted, played.rated) == (5, 4)


def test_games_are_in_the_order_in_which_they_ended(tables: RunTables) -> None:
    # Match n ended at 2000 - n: the rating of the last match comes first.
    elo = elo_of(tables.only(condition="view = list"))
    numbers, points = elo.trajectory("ann")
    assert numbers[1] == 1 and points[1] == 1500  # match 8, self-play, changes nothing
    assert points[2] == pytest.approx(1516)  # match 5, canceled by bob
    assert points[-1] > points[-2]  # match 1


def test_ratings_pool_or_take_a_part(tables: RunTables) -> None:
    assert ratings_of(tables).fit.games == 6
    assert ratings_of(tables, condition={"view": "image"}).fit.games == 1
    anchored = ratings_of(tables, anchor=("bob", 1000.0))
    assert anchored["bob"].rating == pytest.approx(1000)
    assert anchored["ann"].rating > 1000


def test_score_rate_is_clustered_on_the_group(tables: RunTables) -> None:
    ann = row(score_rates(tables), entrant="ann")
    assert (ann["score_games"], ann["score"]) == (6, pytest.approx(4.5 / 6))
    # Matches 1 and 2 share a group: five clusters, deviations 0.5 (two games), -0.25, 0.25, 0.25, -0.75 from 0.75.
    error = math.sqrt((0.5**2 + 0.25**2 + 0.25**2 + 0.25**2 + 0.75**2) * 5 / 4) / 6
    assert ann["score_low"] == pytest.approx(4.5 / 6 - 2.7764451 * error, abs=1e-6)
    idle = row(score_rates(tables), entrant="idle")
    assert idle["score_games"] == 0 and pd.isna(idle["score"])


def test_validity_and_kinds(tables: RunTables) -> None:
    ann = row(validity(tables), entrant="ann")
    assert (ann["attempts"], ann["legal"]) == (5, 2)
    assert (ann["low"], ann["high"]) == pytest.approx(wilson(2, 5))
    frame = invalid_responses(tables)
    total = frame[frame["seat_number"].isna()]
    assert row(total, entrant="ann", kind="already_taken")["count"] == 2
    assert row(total, entrant="ann", kind="invalid_format")["count"] == 1
    assert row(total, entrant="bob", kind="already_taken")["count"] == 0
    assert frame[frame["seat_number"] == 1]["count"].sum() == 3


def test_validity_by_answer_setting(tables: RunTables) -> None:
    frame = validity_by_setting(tables)
    assert list(frame["entrant"]) == ["ann", "bob"]  # the random player has no answer setting
    assert list(frame["answer"]) == ["json", "json_schema"]
    assert frame["kinds"].iloc[0] == {"already_taken": 2, "invalid_format": 1}
    assert (frame["attempts"] - frame["legal"]).tolist() == [3, 0]


def test_repair(tables: RunTables) -> None:
    frame = repair_rates(tables)
    ann = row(frame, entrant="ann")
    assert (ann["feedback"], ann["bad"], ann["asked_again"], ann["not_asked"], ann["repaired"]) == (
        "explain",
        3,
        2,
        1,
        1,
    )
    assert (ann["low"], ann["high"]) == pytest.approx(wilson(1, 2))
    assert row(frame, entrant="all")["bad"] == 3


def test_repair_follows_the_feedback_of_the_condition(tables: RunTables) -> None:
    attempts = tables.attempts.assign(**{"condition.feedback": "none"})
    varied = RunTables(tables.entrants, tables.config, tables.matches, attempts, tables.exchanges)
    assert set(repair_rates(varied)["feedback"]) == {"none"}


def test_usage_keeps_unknown_apart_from_zero(tables: RunTables) -> None:
    (ann,) = usage(tables).to_dict("records")
    assert (ann["entrant"], ann["calls"], ann["input_tokens"], ann["no_usage"]) == ("ann", 2, 10, 1)
    assert (ann["cost"], ann["unpriced"], ann["latency_median"]) == (0.5, 1, 2.0)
    assert ann["latency_p95"] == pytest.approx(2.9)
    assert pd.isna(ann["reasoning_tokens"])


def test_duplicates_keep_self_play_apart(tables: RunTables) -> None:
    frame = duplicates(tables)
    assert row(frame, players="all", self_play=False)[["games", "distinct"]].tolist() == [4, 3]
    assert row(frame, players="all", self_play=True)["games"] == 1
    assert row(frame, players="bob - ann", self_play=False)["distinct"] == 2  # the condition tells them apart


def test_the_leaderboard_leaves_nobody_out(tables: RunTables) -> None:
    frame = leaderboard(tables)
    assert list(frame["entrant"]) == ["ann", "bob", "idle"]
    ann = row(frame, entrant="ann")
    assert ann["games"] == 6
    assert (ann["wins_1"], ann["forfeited_to_2"], ann["void"], ann["unfinished"]) == (2, 1, 1, 1)
    assert (ann["repaired"], ann["asked_again"]) == (1, 2)
    assert (ann["rank_best"], ann["rank_worst"]) == (1, 2)
    idle = row(frame, entrant="idle")
    assert pd.isna(idle["rating"]) and pd.isna(idle["repair"])


def test_a_run_without_a_result_has_a_leaderboard_all_the_same(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_entrants([{"name": name, "player": name, "options": {}} for name in "ab"])
        store.add_matches([MatchPlan("k", "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"})])
        frame = leaderboard(store)
        assert list(frame["entrant"]) == ["a", "b"]
        assert frame["rating"].isna().all()
        assert frame["unfinished"].tolist() == [1, 1]
        with pytest.raises(ConfigurationError):
            ratings_of(store)
