"""Performance by game, effort, and results by opening."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from ludometer.analysis import (
    RunTables,
    effort_points,
    load_tables,
    matches_frame,
    performance,
    pool_of,
    ratings_of,
    results_by_opening,
)
from ludometer.store import MatchPlan, RunStore, schema


def row(frame: Any, **where: Any) -> Any:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def mean_score(store: RunStore, game: str, name: str) -> tuple[float, int]:
    found = []
    for match in store.rows(schema.matches):
        if match["game"] == game and match["status"] == "finished":
            seats, scores = json.loads(match["seats"]), json.loads(match["scores"])
            found += [scores[seat] for seat, holder in seats.items() if holder == name]
    return mean(found), len(found)


def test_performance_is_against_the_pool(planted: RunStore) -> None:
    frame = performance(planted)
    assert pool_of(planted) == ["random", "greedy"]
    assert [tuple(r) for r in frame[["game", "entrant"]].itertuples(index=False)] == [
        ("tictactoe", "lab/ann"),
        ("tictactoe", "lab/ben"),
        ("connect4", "lab/ann"),
        ("connect4", "lab/ben"),
    ]  # the members of the pool are the yardstick, and not measured
    for found in frame.to_dict("records"):
        value, n = mean_score(planted, found["game"], found["entrant"])
        assert (found["score"], found["games"]) == (pytest.approx(value), n)
        assert found["low"] < value < found["high"]
        assert found["opponents"] == ["random", "greedy"]


def test_games_outside_the_pool_do_not_count(planted: RunStore) -> None:
    tables = load_tables(planted)
    smaller = {**tables.config, "schedule": {"kind": "gauntlet", "pool": ["random"]}}
    frame = performance(RunTables(tables.entrants, smaller, tables.matches, tables.attempts, tables.exchanges))
    ann = row(frame, game="connect4", entrant="lab/ann")
    assert (ann["games"], ann["opponents"]) == (72, ["random"])
    assert set(row(frame, game="connect4", entrant="greedy")["opponents"]) == set()


def test_without_a_pool_everybody_counts_but_oneself(tables: RunTables) -> None:
    frame = performance(tables)
    ann = row(frame, entrant="ann")
    # Won 1, 2, 4 (forfeited to it) and 5 (canceled by bob), drew 3, lost 9; not: 6, void, self-play, unfinished.
    assert (ann["games"], ann["score"], ann["opponents"]) == (6, 4.5 / 6, ["bob"])
    idle = row(frame, entrant="idle")
    assert idle["games"] == 0 and math.isnan(idle["score"])


def test_effort_has_a_point_per_model_and_setting(planted: RunStore) -> None:
    frame = effort_points(planted)
    settings = [f"reasoning_effort = {level}" for level in ("low", "high", "extreme")]
    assert frame["setting"].tolist() == settings * 2
    assert frame["kind"].tolist() == ["reasoning"] * 3 + ["output"] * 3  # ben's provider reports no reasoning tokens
    finished = {m["id"]: json.loads(m["condition"]) for m in planted.rows(schema.matches) if m["status"] == "finished"}
    calls = [call for call in planted.rows(schema.exchanges) if call["match"] in finished]
    high = [call for call in calls if finished[call["match"]]["reasoning_effort"] == "high"]
    spent = [call["reasoning_tokens"] for call in high if call["reasoning_tokens"] is not None]
    turns = {(call["match"], call["step"]) for call in high if call["reasoning_tokens"] is not None}
    ann = row(frame, entrant="lab/ann", setting=settings[1])
    assert (ann["moves"], ann["tokens"]) == (len(turns), pytest.approx(sum(spent) / len(turns)))
    assert ann["tokens_low"] < ann["tokens"] < ann["tokens_high"]
    assert ann["games"] == 95
    assert ann["score_low"] < ann["score"] < ann["score_high"]


def test_effort_as_entrants_set_it(planted: RunStore) -> None:
    """Where nothing is varied, the entrants' own settings and labels are the efforts."""
    tables = load_tables(planted)
    entrants = [dict(entrant) for entrant in tables.entrants]
    entrants[2] |= {"options": {"strategy": "vote:k=3"}, "thinking": "slow"}
    pieces = [
        frame.drop(columns=["condition.view", "condition.reasoning_effort"])
        for frame in (tables.matches, tables.attempts, tables.exchanges)
    ]
    silent = pieces[2].assign(reasoning_tokens=0)
    config = {**tables.config, "prompt": {"reasoning_effort": "medium"}}
    frame = effort_points(RunTables(tuple(entrants), config, *pieces[:2], silent))
    assert frame["setting"].tolist() == [
        "slow, reasoning_effort = medium, strategy = vote:k=3",
        "reasoning_effort = medium",
    ]
    assert frame["kind"].tolist() == ["output", "output"]  # none but zeros are no reasoning tokens
    nothing = effort_points(RunTables(tuple(entrants), config, *pieces[:2], silent.iloc[:0]))
    assert nothing["kind"].isna().all() and nothing["tokens"].isna().all() and (nothing["games"] > 0).all()


# -------------------------------------------------------------------- openings


def plans(starts: list[tuple[Mapping[str, Any], tuple[str, ...]]]) -> list[MatchPlan]:
    return [
        MatchPlan(f"{i}{j}", "chess", options, {}, f"g{i}", "l", f"s{i}{j}", dict(zip("XO", pair, strict=True)), moves)
        for i, (options, moves) in enumerate(starts)
        for j, pair in enumerate([("a", "b"), ("b", "a")])
    ]


def finish(store: RunStore, scores: list[float]) -> None:
    with store.engine.begin() as connection:
        for number, score in enumerate(scores, start=1):
            written = json.dumps({"X": score, "O": 1 - score})
            values = {"status": "finished", "ending": "completed", "scores": written}
            connection.execute(schema.matches.update().where(schema.matches.c.number == number).values(**values))


def test_results_by_opening(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches(plans([({}, ("e4", "e5")), ({}, ()), ({}, ("d4",))]))
        finish(store, [1.0, 0.5, 0.0, 0.0])
        frame = results_by_opening(store)
    assert frame["opening"].tolist() == ["e4 e5", "", "d4"]
    assert frame["score"].tolist()[:2] == [0.75, 0.0] and math.isnan(frame["score"][2])
    assert frame["drawn"].tolist() == [1, 0, 0]
    assert frame["matches"].tolist() == [2, 2, 2] and frame["games"].tolist() == [2, 2, 0]


def test_start_positions_are_openings_of_one_game(tmp_path: Path) -> None:
    fens = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K2k4 w - - 0 1"]
    with RunStore.create(tmp_path / "run", {"openings": {"fens": fens}}) as store:
        store.add_entrants([{"name": n, "player": n, "options": {}, "family": None, "thinking": None} for n in "ab"])
        store.add_matches(plans([({"fen": fen}, ()) for fen in fens]))
        finish(store, [1.0, 0.5, 0.0, 1.0])
        assert set(matches_frame(store)["game"]) == {"chess"}
        assert results_by_opening(store)["opening"].tolist() == fens
        assert len(ratings_of(store).seats) == 1  # one game, and what its first seat is worth
    with RunStore.create(tmp_path / "variants", {}) as store:  # without openings two positions are two games
        store.add_matches(plans([({"fen": fen}, ()) for fen in fens]))
        assert len(set(matches_frame(store)["game"])) == 2


def test_no_openings_no_table(planted: RunStore) -> None:
    assert results_by_opening(planted).empty
