"""A run whose runner is outside of the cluster: it comes through the client server, and the cluster wants a token."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludometer.store import RunStore, schema
from ludometer.tournaments import start, verify

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("ray") is None or find_spec("grpc") is None,
        reason="needs Ray and its client: pip install 'ludometer[scale]'",
    ),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc: run it on Linux"),
]
TOKEN = "marker-93b1f7-token"
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # as Ludometer has its own clusters
GRACE = {"RAY_CLIENT_RECONNECT_GRACE_PERIOD": "2"}  # seconds until a client that is silent is given up


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [held.getsockname()[1] for held in sockets]
    for held in sockets:
        held.close()
    return ports


def members(folder):
    """The processes that were started for a cluster: Ray tells each where its sockets and logs are."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"RAY_TEST_CLUSTER={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
        except OSError:
            continue
    return found


@contextmanager
def head_node(**environment):
    """A cluster of one node with a client server; yields the address of that. Only its own processes are ended."""
    folder = tempfile.mkdtemp(prefix="ludometer-head-", dir="/tmp")  # short, since sockets are made in it
    port, client_port = free_ports(2)
    options = {
        "node-ip-address": "127.0.0.1",
        "port": port,
        "ray-client-server-port": client_port,
        "include-dashboard": "false",
        "num-cpus": 2,
        "object-store-memory": 100_000_000,
        "temp-dir": folder,
    }
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--disable-usage-stats"]
    process = subprocess.Popen(
        [*command, *(f"--{name}={value}" for name, value in options.items())],
        env={**os.environ, **LOOPBACK, **environment, "HOME": folder, "RAY_TEST_CLUSTER": folder},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: listens(client_port), "the cluster does not start")
        yield f"ray://127.0.0.1:{client_port}"
    finally:
        process.terminate()
        process.wait(30)
        for pid in members(folder):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def listens(port):
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def until(true, otherwise, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, otherwise
        time.sleep(0.1)


def playing(kit, run, table, given):
    """A session that plays. On a busy machine Ray's client server may not start a client's process in time, and ends
    it with a sentence: then it is begun again, as a person would."""
    for _ in range(3):
        session = kit.Session(run, table, **given)
        until(lambda s=session: kit.recorded_calls(run) >= 10 or s.process.poll() is not None, "it does not play", 150)
        if kit.recorded_calls(run) >= 10:
            return session
    raise AssertionError(session.process.communicate())


def finished(kit, run, table, given):
    """The end of a session, begun again where it could not begin (see `playing`)."""
    for _ in range(3):
        end = kit.Session(run, table, **given).finish()
        if end.summary is not None:
            break
    return end


def ludometer(*arguments, **environment):
    given = {**os.environ, **LOOPBACK, **environment}
    command = [sys.executable, "-m", "ludometer", *map(str, arguments)]
    return subprocess.run(command, env=given, capture_output=True, text=True, timeout=90, check=False)


def test_a_run_through_the_client_server(kit, tmp_path):
    run, here = tmp_path / "run", tmp_path / "here"
    with head_node(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=TOKEN) as address, kit.provider(latency=0.02) as provider:
        where = f"ray:{address}"
        players = ["fake/a", "random", "perfect"]
        table = kit.table_for(provider.url, players=players, schedule={"repeats": 10}, concurrency=4)

        refused = kit.Session(run, table, TEST_EXECUTOR=where, RAY_AUTH_TOKEN="wrong", **LOOPBACK).finish()
        assert refused.code == 1
        assert refused.err == (
            f"ConfigurationError: the Ray cluster {address} does not take the token that is given here: set "
            "RAY_AUTH_TOKEN to the one it was started with\n"
        )

        given = {"TEST_EXECUTOR": where, "RAY_AUTH_TOKEN": TOKEN, **LOOPBACK, **GRACE}
        session = playing(kit, run, table, given)
        assert session.kill()
        recorded, asked = kit.recorded_calls(run), provider.stats()["calls"]
        assert recorded <= asked <= recorded + 4

        resumed = finished(kit, run, table, given)
        assert resumed.summary["finished"] == resumed.summary["total"] == 60, resumed.err
        assert resumed.err == "", "nothing of Ray's is printed"
        assert provider.stats()["calls"] - asked == resumed.summary["calls"]

        judged = ludometer("analyze", run, "--evaluator", "mcts:simulations=20", "--executor", where, **given)
        assert judged.returncode == 0, judged.stderr
        assert "Traceback" not in judged.stderr
        kit.run(start(kit.config_for(**table), here))
    assert kit.results(run) == kit.results(here)
    assert kit.run(verify(run)).passed
    with RunStore.open(run) as store:
        assert store.rows(schema.move_values)
    assert TOKEN.encode() not in kit.contents_of([tmp_path])
