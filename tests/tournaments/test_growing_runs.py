"""Runs whose schedule grows: interrupted anywhere, extended, verified."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import ConfigurationError
from ludometer.store import RunStore
from ludometer.tournaments import RunSummary, extend, load_config, resume, start, verify

ADAPTIVE = {"kind": "adaptive", "games": 26}
SWISS = {"kind": "swiss", "rounds": 4, "repeats": 2}


def table(schedule: dict[str, Any], **settings: Any) -> dict[str, Any]:
    players = ["random", "greedy", {"player": "random", "name": "ä ✨"}]
    return {"game": "tictactoe", "players": players, "schedule": schedule, **settings}


def order(folder: Path) -> list[str]:
    with RunStore.open(folder) as store:
        return [row.key for row in store.matches()]


@pytest.mark.parametrize("schedule", [ADAPTIVE, SWISS], ids=["adaptive", "swiss"])
@pytest.mark.parametrize("concurrency", [1, 7])
def test_stopped_after_every_match_or_two_it_is_the_same_run(
    kit: Any, tmp_path: Path, schedule: dict[str, Any], concurrency: int
) -> None:
    config = load_config(table(schedule, concurrency=concurrency))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    first: RunSummary = kit.run(start(config, whole))
    assert first.complete and first.total == len(order(whole))

    def stopping(runner: Any) -> None:
        # Players of our own end the match that is at play; no other one is begun.
        runner.on_attempt = lambda match, attempt: runner.stop("for the test")

    summary = kit.run(start(config, parts, on_start=stopping))
    sessions = 1
    while not summary.complete:
        done, summary = summary.finished, kit.run(resume(parts, on_start=stopping))
        sessions += 1
        assert summary.finished > done or summary.complete
    assert sessions > 3 and summary.total == first.total
    assert order(parts) == order(whole) and kit.results(parts) == kit.results(whole)
    assert kit.run(verify(parts)).problems == []


@pytest.mark.parametrize("schedule", [ADAPTIVE, SWISS], ids=["adaptive", "swiss"])
def test_stopped_at_its_last_match_it_is_complete(kit: Any, tmp_path: Path, schedule: dict[str, Any]) -> None:
    config = load_config(table(schedule, concurrency=1))
    whole = kit.run(start(config, tmp_path / "whole")).total

    def stop_in(number: int) -> Any:
        def stopping(runner: Any) -> None:
            def look(match: Any, attempt: Any) -> None:
                if runner.progress.finished == number - 1:
                    runner.stop("for the test")

            runner.on_attempt = look

        return stopping

    last = kit.run(start(config, tmp_path / "last", on_start=stop_in(whole)))
    assert last.complete and last.finished == last.total == whole
    before = kit.run(start(config, tmp_path / "before", on_start=stop_in(whole - 1)))
    assert not before.complete and before.finished == whole - 1 and before.stopped == "for the test"


@pytest.mark.slow
@pytest.mark.parametrize("schedule", [ADAPTIVE, SWISS], ids=["adaptive", "swiss"])
def test_killed_it_goes_on_exactly(kit: Any, tmp_path: Path, schedule: dict[str, Any]) -> None:
    with kit.provider(latency=0.02) as provider:
        config = kit.table_for(
            provider.url,
            players=["fake/a", {"player": "fake/a", "name": "b", "view": "list"}, "random"],
            schedule=schedule,
            concurrency=6,
        )
        whole, killed = tmp_path / "whole", tmp_path / "killed"
        uninterrupted = kit.Session(whole, config).finish()
        assert uninterrupted.code == 0, uninterrupted.err
        luck, hits = random.Random(8), 0
        while hits < 3:
            session = kit.Session(killed, config)
            session.until_playing()
            time.sleep(luck.uniform(0.0, 0.25))
            hits += session.kill()
            if kit.recorded_calls(killed) >= uninterrupted.summary["calls"]:
                break  # a fast machine had nothing left to kill
        final = kit.Session(killed, config).finish()
    assert final.code == 0, final.err
    assert hits and final.summary["finished"] == final.summary["total"] == uninterrupted.summary["total"]
    assert order(killed) == order(whole) and kit.results(killed) == kit.results(whole)
    assert kit.recorded_calls(killed) == kit.recorded_calls(whole)


def test_extended_runs_verify(kit: Any, tmp_path: Path) -> None:
    for name, schedule, more in (("adaptive", ADAPTIVE, {"games": 40}), ("swiss", SWISS, {"rounds": 6})):
        folder = tmp_path / name
        kit.run(start(load_config(table(schedule)), folder))
        before = order(folder)
        summary = kit.run(extend(folder, players=["perfect"], **more))
        assert summary.complete and order(folder)[: len(before)] == before
        if name == "adaptive":
            assert summary.total == 40
        with RunStore.open(folder) as store:
            assert "perfect" in {holder for row in store.matches() for holder in row.seats.values()}
        assert kit.run(verify(folder)).problems == []


ROUNDS = "all 2 rounds of this Swiss tournament are planned, and nothing would be added: give --rounds 3 or more"


@pytest.mark.parametrize(
    ("schedule", "more", "sentence"),
    [
        ({"kind": "swiss", "rounds": 2}, {"repeats": 2}, ROUNDS),
        ({"kind": "swiss", "rounds": 2}, {"players": ["perfect"]}, ROUNDS),
        ({"kind": "swiss", "rounds": 2}, {"rounds": 2, "repeats": 3}, ROUNDS),
        ({"kind": "swiss", "rounds": 2}, {"games": 90}, r"raise its rounds \(--rounds N\)"),
        ({"kind": "adaptive", "games": 14}, {"repeats": 2}, "14 of 14 matches are planned.*give --games 16 or more"),
        ({"kind": "adaptive", "games": 14}, {"games": 15}, "14 of 15 matches are planned.*give --games 16 or more"),
        ({"kind": "adaptive", "games": 14}, {"players": ["perfect"]}, "takes 8 matches: give --games 22 or more"),
        ({"kind": "adaptive", "games": 14}, {"rounds": 9}, r"raise its games \(--games N\)"),
        ({"repeats": 1}, {"games": 90}, r"raise its repeats \(--repeats N\)"),
    ],
)
def test_an_extension_that_would_add_nothing_says_so(
    kit: Any, tmp_path: Path, schedule: dict[str, Any], more: dict[str, Any], sentence: str
) -> None:
    config = load_config({"game": "tictactoe", "players": twins(), "schedule": schedule})
    kit.run(start(config, tmp_path / "run"))
    before = kit.results(tmp_path / "run")
    with pytest.raises(ConfigurationError, match=sentence):
        kit.run(extend(tmp_path / "run", **more))
    with RunStore.open(tmp_path / "run") as store:
        assert load_config(store.config) == config
    assert kit.results(tmp_path / "run") == before


@pytest.mark.parametrize(
    ("schedule", "numbers", "total"),
    [
        ({"kind": "swiss", "rounds": 2}, {"rounds": 3, "repeats": 2}, 2 * 4 + 8),
        ({"kind": "adaptive", "games": 14}, {"games": 20}, 20),
        ({"repeats": 1}, {"repeats": 2}, 24),
    ],
)
def test_an_extension_may_be_asked_for_again(
    kit: Any, tmp_path: Path, schedule: dict[str, Any], numbers: dict[str, int], total: int
) -> None:
    """As after an interruption: the same numbers go on with it, and change nothing once it is done."""
    config = load_config({"game": "tictactoe", "players": twins(), "schedule": schedule, "concurrency": 1})
    kit.run(start(config, tmp_path / "run"))

    def stopping(runner: Any) -> None:
        runner.on_attempt = lambda match, attempt: runner.stop("for the test")

    cut = kit.run(extend(tmp_path / "run", **numbers, on_start=stopping))
    assert not cut.complete
    with RunStore.open(tmp_path / "run") as store:
        kept = store.config
    whole = kit.run(extend(tmp_path / "run", **numbers))
    assert whole.complete and whole.finished == total
    assert kit.run(extend(tmp_path / "run", **numbers)).finished == total
    with RunStore.open(tmp_path / "run") as store:
        assert store.config == kept
    assert kit.run(verify(tmp_path / "run")).problems == []


def test_a_new_player_of_a_gauntlet_with_two_sides_is_a_challenger(kit: Any, tmp_path: Path) -> None:
    schedule = {"kind": "gauntlet", "pool": ["a"], "challengers": ["b"]}
    kit.run(start(load_config({"game": "tictactoe", "players": twins(), "schedule": schedule}), tmp_path / "run"))
    summary = kit.run(extend(tmp_path / "run", players=["greedy"]))
    assert summary.complete and summary.finished == 4
    with RunStore.open(tmp_path / "run") as store:
        assert {frozenset(row.seats.values()) for row in store.matches()} == {
            frozenset({"a", "b"}),
            frozenset({"a", "greedy"}),
        }
    assert kit.run(verify(tmp_path / "run")).problems == []


def twins() -> list[dict[str, str]]:
    return [{"player": "random", "name": name} for name in "abcd"]


def test_verify_finds_matches_that_do_not_follow(kit: Any, tmp_path: Path) -> None:
    kit.run(start(load_config(table(ADAPTIVE)), tmp_path))
    with RunStore.open(tmp_path, write=True) as store:
        config = load_config(store.config)
        changed = config.model_copy(update={"seed": 1}).resolved()
        store.set_meta(config=changed)
    (problem,) = kit.run(verify(tmp_path)).problems
    assert "match m000001 differs from the schedule" in problem
