"""``kill -9`` at any moment loses no finished match and asks no recorded answer again."""

from __future__ import annotations

import random
import time

import pytest

from ludometer.store import RunStore, schema

CONCURRENCY = 6


def table(kit, url, strategy, repeats):
    return kit.table_for(
        url,
        players=["fake/a", {"player": "fake/a", "name": "ä ✨", "view": "list"}, "random"],
        schedule={"repeats": repeats},
        prompt={"strategy": strategy, "max_retry_wait": 0.02},
        concurrency=CONCURRENCY,
    )


def play_with_kills(kit, folder, config, provider, kills, longest, calls_at_once):
    """Sessions that are killed, then one that finishes. Checks after every kill what it cost."""
    luck = random.Random(20_26)
    asked = recorded = lost = hits = 0
    while hits < kills:
        session = kit.Session(folder, config)
        # Some die while they still open the run, the others while they play.
        if luck.random() < 0.2:
            time.sleep(luck.uniform(0.3, 0.8))
        else:
            session.until_playing()
            time.sleep(luck.uniform(0, longest))
        assert session.kill(), "the run was over before enough kills: give it more matches"
        hits += 1
        time.sleep(0.05)  # the provider notices
        calls, kept = provider.stats()["calls"], kit.recorded_calls(folder)
        at_stake = (calls - asked) - (kept - recorded)
        assert 0 <= at_stake <= CONCURRENCY * calls_at_once, "only calls that were on their way are asked again"
        lost += at_stake
        asked, recorded = calls, kept
    final = kit.Session(folder, config).finish()
    assert final.code == 0, final.err
    assert final.summary["finished"] == final.summary["total"]
    assert provider.stats()["calls"] == kit.recorded_calls(folder) + lost, "no recorded answer was asked again"
    return final.summary


def check_kills(kit, tmp_path, strategy, kills, repeats, longest, calls_at_once):
    with kit.provider(latency=0.03) as provider:
        whole, killed = tmp_path / "whole", tmp_path / "killed"
        config = table(kit, provider.url, strategy, repeats)
        uninterrupted = kit.Session(whole, config).finish()
        assert uninterrupted.code == 0, uninterrupted.err
    with kit.provider(latency=0.03, port=provider.port) as provider:
        summary = play_with_kills(kit, killed, config, provider, kills, longest, calls_at_once)
        assert kit.recorded_calls(killed) == kit.recorded_calls(whole) == uninterrupted.summary["calls"]
    assert summary["total"] == 6 * repeats
    assert kit.results(killed) == kit.results(whole)
    check_log(killed)


def check_log(folder):
    """Every attempt once, in an unbroken order."""
    with RunStore.open(folder) as store:
        for row in store.matches():
            attempts = store.rows(schema.attempts, row.id)
            assert [attempt["ordinal"] for attempt in attempts] == list(range(len(attempts)))
            assert len(attempts) == row.attempts


def test_three_kills(kit, tmp_path):
    check_kills(kit, tmp_path, "plain", kills=3, repeats=3, longest=0.1, calls_at_once=1)


@pytest.mark.slow
def test_twenty_kills(kit, tmp_path):
    check_kills(kit, tmp_path, "plain", kills=20, repeats=25, longest=0.25, calls_at_once=1)


def test_killed_inside_a_turn_of_three_calls(kit, tmp_path):
    check_kills(kit, tmp_path, "three_calls", kills=1, repeats=1, longest=0.2, calls_at_once=2)


@pytest.mark.slow
def test_twenty_kills_inside_turns_of_three_calls(kit, tmp_path):
    check_kills(kit, tmp_path, "three_calls", kills=20, repeats=16, longest=0.3, calls_at_once=2)
