"""Runs on a Ray cluster give what they give here, and lose nothing when workers, machines or the runner die."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import ludometer
from ludometer.analysis.quality_values import analyze_moves
from ludometer.core import ConfigurationError
from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import resume, start, verify
from ludometer.tournaments.on_ray.cluster import Cluster
from ludometer.tournaments.on_ray.compute import ClusterComputer
from ludometer.tournaments.on_ray.executor import on_ray

pytestmark = pytest.mark.slow
NODES = Path(__file__).with_name("ray_nodes.py")
KEY = "marker-7d31e0b2-key"
CONCURRENCY = 6


@pytest.fixture(scope="module")
def cluster():
    """One cluster for all tests that need no other; executors of this process use it, since it is joined already."""
    if find_spec("ray") is None:
        pytest.skip("needs Ray: pip install 'ludometer[scale]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))  # functions are found by the name of their module
        joined = Cluster(processors=2)
        yield joined
        joined.close()


@pytest.fixture
def ray_installed():
    if find_spec("ray") is None:
        pytest.skip("needs Ray: pip install 'ludometer[scale]'")


def table(kit, url, repeats, **more):
    players = ["fake/a", {"player": "fake/a", "name": "ä ✨", "view": "list"}, "random", "mcts:simulations=10"]
    prompt = {"strategy": "vote", "max_retry_wait": 0.02, "concurrency": 4}
    settings = {"players": players, "schedule": {"repeats": repeats}, "prompt": prompt, "concurrency": CONCURRENCY}
    return kit.table_for(url, **{**settings, **more})


def check_log(run):
    """Every attempt once, in an unbroken order."""
    with RunStore.open(run) as store:
        for row in store.matches():
            attempts = store.rows(schema.attempts, row.id)
            assert [attempt["ordinal"] for attempt in attempts] == list(range(len(attempts)))
            assert len(attempts) == row.attempts


def test_same_results_as_here_and_limits_hold_for_all_workers(kit, tmp_path, cluster):
    with in_thread(FakeProvider("tictactoe", latency=0.02)) as provider:
        config = kit.config_for(**table(kit, provider.url, 2))
        here = kit.run(start(config, tmp_path / "here"))
        before = provider.stats.calls
        there = kit.run(start(config, tmp_path / "there", executor=on_ray()), 120)
        assert there.complete and there.totals.calls == here.totals.calls == provider.stats.calls - before
        assert there.totals.tokens == here.totals.tokens
        assert provider.stats.most_in_flight == 4, "the slots are those of all workers together, and all are used"
    assert kit.results(tmp_path / "there") == kit.results(tmp_path / "here")
    assert kit.run(verify(tmp_path / "there")).passed
    check_log(tmp_path / "there")


def test_from_python(kit, tmp_path, cluster):
    config = {"game": "tictactoe", "players": ["random", "perfect"]}
    run = ludometer.run(config, dir=tmp_path / "run", executor="ray")
    assert run.summary.complete and run.summary.total == 2
    assert run.extend(repeats=3, executor="ray").finished == 6
    assert run.resume(executor="ray").complete
    kit.run(start(kit.config_for(**config, schedule={"repeats": 3}), tmp_path / "here"))
    assert kit.results(tmp_path / "run") == kit.results(tmp_path / "here")


def test_a_budget_is_that_of_all_workers_and_resume_asks_nothing_twice(kit, tmp_path, cluster):
    run = tmp_path / "run"
    with in_thread(FakeProvider("tictactoe", latency=0.01)) as provider:
        config = kit.config_for(**table(kit, provider.url, 1, budget_tokens=20_000))
        first = kit.run(start(config, run, executor=on_ray()), 120)
        assert "the budget of 20000 tokens is used up" in first.stopped
        assert provider.stats.calls == kit.recorded_calls(run) == first.totals.calls
        used = first.totals.tokens
        assert 20_000 <= used <= 20_000 + CONCURRENCY * 3 * 400
        second = kit.run(resume(run, budget_tokens="unlimited", executor=on_ray()), 120)
        assert second.complete and provider.stats.calls == kit.recorded_calls(run)
        kit.run(start(kit.config_for(**table(kit, provider.url, 1)), tmp_path / "here"))
    assert kit.results(run) == kit.results(tmp_path / "here")
    check_log(run)


def children(pid):
    """Process ids of all that descend from a process."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    found, more = {}, {str(pid)}
    while more:
        own = {row[0]: (row[2] if len(row) > 2 else "") for row in rows if row[1] in more and row[0] not in found}
        found |= own
        more = set(own)
    return {int(pid): args for pid, args in found.items()}


def test_killed_workers_cost_only_the_calls_on_their_way(kit, tmp_path, cluster):
    run, killed = tmp_path / "run", []

    async def killing(runner):
        for share in (0.1, 0.4):
            while runner.progress.finished < share * runner.progress.total:
                await asyncio.sleep(0.01)
            workers = [pid for pid, args in children(os.getpid()).items() if args.startswith("ray::Worker")]
            assert workers
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])

    async def both(config):
        tasks = []
        summary = await start(
            config, run, on_start=lambda r: tasks.append(asyncio.create_task(killing(r))), executor=on_ray()
        )
        await tasks[0]
        return summary

    with in_thread(FakeProvider("tictactoe", latency=0.03)) as provider:
        config = kit.config_for(**table(kit, provider.url, 3))
        summary = kit.run(both(config), 150)
        assert len(killed) == 2 and summary.complete and not summary.notes
        recorded, asked = kit.recorded_calls(run), provider.stats.calls
        assert summary.totals.calls == recorded <= asked <= recorded + 2 * 4, "4 calls are on their way at most"
        kit.run(start(config, tmp_path / "here"))
    assert kit.results(run) == kit.results(tmp_path / "here")
    assert kit.run(verify(run)).passed
    check_log(run)


def test_computations(kit, tmp_path, cluster):
    ray_tasks = import_module("ray_tasks")
    computer = ClusterComputer(cluster)

    async def compute():
        squares = await asyncio.gather(*(computer.run(ray_tasks.square, x) for x in range(5)))
        with pytest.raises(ConfigurationError, match="not like this"):
            await computer.run(ray_tasks.refuse)
        return squares, await computer.run(ray_tasks.die_once, str(tmp_path / "marker"))

    assert kit.run(compute(), 90) == ([0, 1, 4, 9, 16], "answered")


def test_moves_are_judged_as_here(kit, tmp_path, cluster):
    here, there = tmp_path / "here", tmp_path / "there"
    kit.run(start(kit.config_for(game="connect4", players=["random", "greedy"]), here))
    shutil.copytree(here, there)

    def judged(run, computer):
        with RunStore.open(run, write=True) as store:
            progress = kit.run(analyze_moves(store, evaluator="mcts:simulations=50", computer=computer), 90)
            rows = [dict(row) for row in store.rows(schema.move_values)]
        return progress.judged, sorted(json.dumps(row, sort_keys=True, default=str) for row in rows)

    assert judged(there, ClusterComputer(cluster)) == judged(here, None)


# ------------------------------------------------------- sessions with clusters of their own


def command_line(pid):
    # Not its environment: Ray's processes write their titles over it.
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()


def alive(pid, args):
    """Whether a process is still there: its number may have gone to another one, and a worker changes its title."""
    try:
        now = command_line(pid)
    except OSError:
        return False
    return now == args or now.startswith("ray::")


def until_gone(processes, seconds):
    """Waits until none of some processes is left; returns those that stay."""
    end = time.monotonic() + seconds
    while (left := {pid: args for pid, args in processes.items() if alive(pid, args)}) and time.monotonic() < end:
        time.sleep(0.2)
    return left


def family(session):
    """The command lines of a session and all its descendants, by process id."""
    found = {}
    for pid in (session.pid, *children(session.pid)):
        with suppress(OSError):
            found[pid] = command_line(pid)
    assert any("raylet" in args for args in found.values()) and any("ray::Worker" in args for args in found.values())
    return found


def listening(pids):
    """The addresses at which processes listen (Linux)."""
    sockets = set()
    for pid in pids:
        try:
            links = [str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()]
        except OSError:
            continue
        sockets |= {match[1] for link in links if (match := re.match(r"socket:\[(\d+)\]", link))}
    rows = [line.split() for file in ("tcp", "tcp6") for line in Path(f"/proc/net/{file}").read_text().splitlines()[1:]]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in sockets}


LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}


def ray_folders():
    return set(Path("/tmp").glob("ludometer-ray-*"))


def written(run, url):
    """A configuration file against a provider that wants a key."""
    file = run.with_suffix(".toml")
    file.write_text(
        'game = "tictactoe"\nplayers = ["fake/a", "random"]\nconcurrency = 6\nschedule = { repeats = 60 }\n'
        f'[models.fake]\nbase_url = "{url}"\napi_key_env = "TEST_PROVIDER_CREDENTIAL"\n'
    )
    return file


def begun(command):
    """A session of the command line."""
    environment = {**os.environ, "TEST_PROVIDER_CREDENTIAL": KEY}
    return subprocess.Popen(
        [sys.executable, "-m", "ludometer", *command, "--executor", "ray"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until_calls(kit, run, more):
    end = time.monotonic() + 90
    before = kit.recorded_calls(run)
    while kit.recorded_calls(run) < before + more:
        assert time.monotonic() < end, "it does not play"
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc: run it on Linux")
def test_interrupts_and_kills_leave_nothing_behind(kit, tmp_path, ray_installed):
    run = tmp_path / "run"
    folders = ray_folders()
    with kit.provider(latency=0.05) as provider:
        session = begun(["run", str(written(run, provider.url)), "--dir", str(run)])
        until_calls(kit, run, 10)
        processes = family(session)
        assert listening(processes) and listening(processes) <= LOOPBACK
        assert not [args for args in processes.values() if KEY in args]
        shutil.copytree((ray_folders() - folders).pop(), tmp_path / "logs", ignore=shutil.ignore_patterns("sockets"))
        os.killpg(session.pid, signal.SIGINT)  # as a terminal does
        out, err = session.communicate(timeout=60)
        assert session.returncode == 130, err
        assert "interrupted. Go on with: ludometer resume" in err
        assert not [line for line in err.splitlines() if "ray" in line.lower() and "--executor" not in line], err
        assert not until_gone(processes, 10)
        assert ray_folders() == folders
        assert provider.stats()["calls"] == kit.recorded_calls(run)
        secret = kit.contents_of([tmp_path / "logs", run])
        assert b"SQLite format 3" in secret and b"raylet" in secret
        assert KEY.encode() not in secret and KEY not in out + err

        session = begun(["resume", str(run)])
        until_calls(kit, run, 10)
        processes = family(session)
        session.kill()
        session.communicate()
        assert not until_gone(processes, 90), "the cluster of a runner that was killed ends by itself"
        recorded, asked = kit.recorded_calls(run), provider.stats()["calls"]
        assert recorded <= asked <= recorded + 6
        here = kit.Session(run, {}, TEST_PROVIDER_CREDENTIAL=KEY).finish()
        assert here.summary["finished"] == here.summary["total"] == 120
        assert provider.stats()["calls"] - asked == here.summary["calls"]
    for folder in ray_folders() - folders:
        shutil.rmtree(folder, ignore_errors=True)
    assert kit.run(verify(run)).passed
    check_log(run)


def test_a_machine_that_dies(kit, tmp_path, ray_installed):
    run = tmp_path / "run"
    with kit.provider(latency=0.05) as provider:
        config = table(kit, provider.url, 3)
        done = subprocess.run(
            [sys.executable, str(NODES), str(run), json.dumps(config)],
            capture_output=True,
            text=True,
            timeout=180,
            env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        summary = json.loads([line for line in done.stdout.splitlines() if line.startswith('{"at"')][-1])
        assert summary["at"] < summary["finished"] == summary["total"] == 36
        recorded, asked = kit.recorded_calls(run), provider.stats()["calls"]
        assert recorded <= asked <= recorded + 4
        kit.run(start(kit.config_for(**config), tmp_path / "here"))
    assert kit.results(run) == kit.results(tmp_path / "here")
    check_log(run)
