"""Several runners on one run in a PostgreSQL database: every match once, whoever dies, sleeps or comes later."""

from __future__ import annotations

import asyncio
import random
import signal
import time

import pytest

from ludometer.core import MachineError
from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import extend, resume, start, verify

CONCURRENCY = 4


def table(kit, url, repeats):
    players = ["fake/a", {"player": "fake/a", "name": "ä ✨", "view": "list"}, "random"]
    return kit.table_for(url, players=players, schedule={"repeats": repeats}, concurrency=CONCURRENCY)


def played_alone(kit, folder, url, repeats):
    """What the same run gives in a folder, with one runner that nobody disturbs."""
    done = kit.Session(folder, table(kit, url, repeats)).finish()
    assert done.code == 0, done.err
    return kit.results(folder)


def check(kit, run, expected):
    """The run is complete, and equal to the other one; every attempt and call is there once."""
    assert kit.results(run) == expected
    with RunStore.open(run) as store:
        assert store.claims.standing() == (0, 0, 0)
        for row in store.matches():
            attempts = store.rows(schema.attempts, row.id)
            assert [attempt["ordinal"] for attempt in attempts] == list(range(len(attempts)))
            assert len(attempts) == row.attempts
    assert kit.run(verify(run)).passed


def kill_again_and_again(kit, run, config, kills, luck):
    """A runner that is killed, started again, killed ...; ends when the run does."""
    done = 0
    while done < kills:
        session = kit.Session(run, config)
        session.until_playing()
        time.sleep(luck.uniform(0.0, 0.5))
        if not session.kill():
            break
        done += 1
    return done


@pytest.mark.parametrize(
    ("repeats", "kills"), [(8, 2), pytest.param(30, 8, marks=pytest.mark.slow)], ids=["two kills", "eight kills"]
)
def test_three_runners_one_of_them_killed(kit, tmp_path, in_database, repeats, kills):
    run = in_database("killed")
    with kit.provider() as provider:
        expected = played_alone(kit, tmp_path / "alone", provider.url, repeats)
    with kit.provider(latency=0.5, port=provider.port) as provider:  # so that there is something left to kill
        config = table(kit, provider.url, repeats)
        steady = [kit.Session(run, config)]
        assert steady[0].until_playing()
        steady.append(kit.Session(run, config))
        killed = kill_again_and_again(kit, run, config, kills, random.Random(repeats))
        ends = [session.finish() for session in steady]
        assert [end.code for end in ends] == [0, 0], [end.err for end in ends]
        assert killed == kills, "the run was over before enough kills: give it more matches"
        recorded, asked = kit.recorded_calls(run), provider.stats()["calls"]
    assert recorded <= asked <= recorded + killed * CONCURRENCY, "only calls on their way at a kill are asked again"
    assert all(end.summary["finished"] == end.summary["total"] == 6 * repeats for end in ends)
    check(kit, run, expected)


@pytest.mark.slow
def test_a_runner_that_slept_writes_nothing(kit, tmp_path, in_database):
    """Stopped for longer than its lease and woken again, while another runner has taken its matches over."""
    run = in_database("slept")
    with kit.provider(latency=0.05) as provider:
        expected = played_alone(kit, tmp_path / "alone", provider.url, 4)
    with kit.provider(latency=0.05, port=provider.port) as provider:
        config = table(kit, provider.url, 4)
        sleeper = kit.Session(run, config, LUDOMETER_LEASE="1.5")
        assert sleeper.until_playing()
        time.sleep(0.3)
        sleeper.process.send_signal(signal.SIGSTOP)
        other = kit.Session(run, config, LUDOMETER_LEASE="1.5").finish()
        assert other.code == 0, other.err
        assert other.summary["finished"] == other.summary["total"] == 24
        before = kit.results(run), kit.recorded_calls(run)
        sleeper.process.send_signal(signal.SIGCONT)
        woken = sleeper.finish()
        assert woken.code == 0, woken.err
        assert (kit.results(run), kit.recorded_calls(run)) == before
        assert any("another runner has taken over match" in note for note in woken.summary["notes"])
        with RunStore.open(run) as store:
            lost = [row["error"] for row in store.rows(schema.failures)]
        # What was paid twice is known: the answers that came while it slept.
        assert provider.stats()["calls"] == before[1] + len(lost)
        assert all("after another runner had taken the match over" in error for error in lost)
    check(kit, run, expected)


def test_runners_share_the_work(kit, in_database):
    """Three runners in one process, which is enough to see that no match is played by two of them."""
    run = in_database("shared")

    async def together(config):
        await start(config, run, on_start=lambda runner: runner.stop("planned"))
        return await asyncio.gather(*(resume(run) for _ in range(3)))

    with in_thread(FakeProvider("tictactoe", latency=0.01)) as provider:
        ends = kit.run(together(kit.config_for(**table(kit, provider.url, 4))))
        calls = [end.totals.calls for end in ends]
        assert sum(calls) == provider.stats.calls == kit.recorded_calls(run)
    assert all(calls), "everyone played something"
    assert all(end.complete and end.finished == 24 for end in ends)
    assert kit.run(verify(run)).passed


def finished(run):
    with RunStore.open(run) as store:
        rows = [(row.number, row.key, row.scores, row.notation) for row in store.matches(status=["finished"])]
        return rows, store.meta("decision")


@pytest.mark.parametrize(
    "settings",
    [
        {"schedule": {"kind": "adaptive", "games": 60}},
        {"schedule": {"kind": "swiss", "rounds": 3}},
        {"schedule": {"repeats": 60}, "stop_when": "top-1 decided"},
    ],
    ids=["adaptive", "swiss", "decided"],
)
def test_what_follows_from_results_is_the_same_with_several_runners(kit, tmp_path, in_database, settings):
    run, alone = in_database("growing"), tmp_path / "alone"
    players = [*({"player": "random", "name": f"r{i}"} for i in range(3)), "perfect"]
    config = kit.config_for(players=players, seed=3, **settings)

    async def together():
        await start(config, run, on_start=lambda runner: runner.stop("planned"))
        return await asyncio.gather(*(resume(run) for _ in range(3)))

    ends = kit.run(together())
    assert all(end.complete for end in ends)
    one = kit.run(start(config, alone))
    (rows, decision), (expected, expected_decision) = finished(run), finished(alone)
    assert decision == expected_decision
    # Matches that were at play when a run was decided may be finished or not.
    known = len(rows) if decision is None else decision["matches"]
    assert rows[:known] == expected[:known]
    assert {end.decided for end in ends} == {one.decided}
    assert kit.run(verify(run)).problems == []


def test_a_runner_leaves_to_others_whom_it_does_not_know(kit, in_database):
    """The run is extended while it is at play: its first runner goes on, and does not stumble over the newcomer."""
    run = in_database("extended")

    async def both(config):
        begun = asyncio.Event()
        first = asyncio.create_task(start(config, run, on_start=lambda runner: begun.set()))
        await begun.wait()
        await asyncio.sleep(0.2)
        return await asyncio.gather(first, extend(run, players=["perfect"]))

    with in_thread(FakeProvider("tictactoe", latency=0.05)) as provider:
        first, second = kit.run(both(kit.config_for(**table(kit, provider.url, 3))))
    assert second.complete
    assert second.total == 4 * 3 * 3
    assert not [note for note in (*first.notes, *second.notes) if "void" in note]
    assert kit.run(verify(run)).passed


def test_a_lost_connection_is_said_in_one_sentence_and_costs_nothing(kit, tmp_path, in_database):
    run = in_database("cut")

    async def cut(config):
        begun = asyncio.Event()
        playing = asyncio.create_task(start(config, run, on_start=lambda runner: begun.set()))
        await begun.wait()
        await asyncio.sleep(0.3)
        with RunStore.open(run) as store, store.engine.connect() as connection:
            me = "application_name = 'ludometer' AND pid <> pg_backend_pid()"
            connection.exec_driver_sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {me}")
        return await playing

    with in_thread(FakeProvider("tictactoe", latency=0.03)) as provider:
        config = kit.config_for(**table(kit, provider.url, 4))
        expected = kit.run(start(config, tmp_path / "alone"))
        with pytest.raises(
            MachineError, match=r"check that the database can be reached. What was written before is safe"
        ):
            kit.run(cut(config))
        assert kit.run(resume(run)).complete
        assert provider.stats.calls <= 2 * expected.totals.calls + CONCURRENCY
    assert kit.results(run) == kit.results(tmp_path / "alone")
