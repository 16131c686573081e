from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from ludometer.analysis import RunTables, condition_label, matches_frame
from ludometer.store import MatchPlan, RunStore


def test_one_row_per_match_of_any_status(tables: RunTables) -> None:
    frame = tables.matches
    assert list(frame["number"]) == list(range(1, 11))
    assert list(frame["status"]).count("finished") == 8
    row = frame[frame["number"] == 4].iloc[0]
    assert (row["player_1"], row["player_2"], row["seat_1"], row["seat_2"]) == ("bob", "ann", "X", "O")
    assert (row["offender"], row["offender_seat"], row["score_1"], row["score_2"]) == ("bob", 1, 0.0, 1.0)
    assert row["condition.view"] == "list"
    assert row["started"] == pd.Timestamp(1004, unit="s", tz="UTC")
    assert bool(frame[frame["number"] == 8]["self_play"].iloc[0])


def test_what_is_not_known_is_missing_and_not_zero(tables: RunTables) -> None:
    void = tables.matches[tables.matches["number"] == 7].iloc[0]
    assert all(pd.isna(void[name]) for name in ("moves", "attempts", "score_1", "finished"))
    assert pd.isna(tables.exchanges["cost"].iloc[1])
    assert pd.isna(tables.exchanges["input_tokens"].iloc[1])


def test_attempts_know_their_entrant_and_condition(tables: RunTables) -> None:
    first = tables.attempts.iloc[0]
    assert (first["entrant"], first["opponent"], first["seat_number"], first["condition"]) == (
        "ann",
        "bob",
        1,
        "view = list",
    )
    assert list(tables.attempts["legal"]) == [False, True, True, False, False, True, True]


def test_any_number_of_seats(tmp_path: Path) -> None:
    seats = {"a": "ann", "b": "bob", "c": "cas"}
    plan = MatchPlan("k", "table", {}, {}, "g", "l", "s", seats)
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches([plan])
        frame = matches_frame(store)
    assert frame.loc[0, ["player_1", "player_2", "player_3"]].tolist() == ["ann", "bob", "cas"]
    assert frame.loc[0, "seats"] == 3


def test_variants_of_one_game_are_told_apart(tmp_path: Path) -> None:
    plans = [
        MatchPlan(str(n), "tictactoe", {"rows": n, "line": 3}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for n in (3, 4)
    ]
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches(plans)
        assert list(matches_frame(store)["game"]) == ["tictactoe:rows=3", "tictactoe:rows=4"]


def test_an_empty_run_has_frames(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {}) as store:
        assert matches_frame(store).empty


def test_condition_labels_are_the_same_in_any_order() -> None:
    assert condition_label({"b": 1, "a": "x"}) == condition_label(json.loads('{"a": "x", "b": 1}')) == "a = x, b = 1"
