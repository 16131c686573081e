"""Runs from the page: processes of their own, that a server may start, pause, resume and stop, and that outlive it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import MachineError
from ludometer.store import RunStore
from ludometer.tournaments import load_config
from ludometer.web import children
from ludometer.web.children import Children
from ludometer.web.new_runs import new_folder
from ludometer.web.runs import RunsFolder, at_work

from .acting_server import Server, eventually, serving

QUICK: dict[str, Any] = {"name": "quick", "game": "tictactoe", "players": ["random", "greedy"]}
SLOW: dict[str, Any] = {
    "name": "slow",
    "game": "connect4",
    "players": ["random", "mcts:simulations=4000"],
    "schedule": {"repeats": 200},
    "concurrency": 1,
}


@pytest.fixture(autouse=True)
def _none_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends what a test started, also when it fails: these processes outlive their server on purpose."""
    started: list[subprocess.Popen[bytes]] = []
    spawn = children._spawn

    def spawning(folder: Path, command: list[str]) -> subprocess.Popen[bytes]:
        started.append(spawn(folder, command))
        return started[-1]

    monkeypatch.setattr(children, "_spawn", spawning)
    yield
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def begin(server: Server, config: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    answer = server.client.post("/api/runs", json={"config": config, "name": name})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def control(server: Server, run: str, action: str) -> Any:
    return server.client.post(f"/api/runs/{run}/control", json={"action": action})


def entry_of(server: Server) -> Any:
    return server.client.get("/api/runs/slow").json()["entry"]


def counts(folder: Path) -> dict[str, int]:
    with RunStore.open(folder) as store:
        return store.status_counts()


@pytest.mark.slow
def test_a_run_is_what_the_command_line_would_make(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as server:
        made = begin(server, QUICK)
        assert made["problem"] is None
        folder = tmp_path / "runs" / "quick"
        eventually(lambda: counts(folder) == {"finished": 2})
        assert server.client.get("/api/runs").json()["runs"][0]["id"] == made["run"] == "quick"
    file = Path(made["file"])
    assert file == folder / "run.toml"
    assert load_config(tomllib.loads(file.read_text(encoding="utf-8"))) == load_config(QUICK)
    # The same command in another folder plays the same games.
    again = tmp_path / "again"
    command = [sys.executable, "-m", "ludometer", "run", str(file), "--dir", str(again)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    with RunStore.open(folder) as one, RunStore.open(again) as other:
        assert [row.notation for row in one.matches()] == [row.notation for row in other.matches()]
        assert one.config == other.config


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/passwd", "..", "a/b\\c", "\u202e\u0000", "con " * 60, "Ünï", "-rf", "$(touch x)"]
)
def test_a_hostile_name_stays_in_the_folder(tmp_path: Path, name: str) -> None:
    home = tmp_path / "deep" / "runs"
    folder = new_folder(RunsFolder([home]), name)
    assert folder.parent == home
    assert folder.is_dir()
    assert not folder.name.startswith(("-", "."))
    assert len(folder.name) <= 60
    assert folder.name.isascii()
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_the_same_name_again_gets_a_number(tmp_path: Path) -> None:
    runs = RunsFolder([tmp_path])
    assert [new_folder(runs, "A run").name for _ in range(3)] == ["a-run", "a-run-2", "a-run-3"]


def test_what_cannot_start_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving(tmp_path) as server:
        answer = begin(server, {**QUICK, "players": ["random", "openai/gpt-5-mini"]})
        assert answer["run"] is None
        assert "OPENAI_API_KEY" in answer["problem"]
        wrong = server.client.post("/api/runs", json={"config": {"game": "tictactoo"}})
        assert wrong.status_code == 422
        assert "tictactoe" in wrong.json()["detail"]
        assert server.client.post("/api/runs", json={"config": [], "x": 1}).status_code == 422
    assert list(tmp_path.iterdir()) == []


def test_nothing_starts_where_nothing_may(tmp_path: Path) -> None:
    with serving(tmp_path, can_run=False) as server:
        for path in ("/api/draft", "/api/runs"):
            assert server.client.post(path, json={"config": QUICK}).status_code == 403
        play = server.client.post("/api/play", json={"game": "nim", "seats": ["human", "random"]})
        assert play.status_code == 403
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_pause_resume_stop_and_a_server_that_dies(tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    with serving(tmp_path) as server:
        begin(server, SLOW)
        eventually(lambda: entry_of(server)["playing"])
        assert entry_of(server)["started_here"]
        assert control(server, "slow", "resume").status_code == 409

        assert control(server, "slow", "pause").status_code == 200
        eventually(lambda: not entry_of(server)["started_here"])
        assert "Go on with: ludometer resume" in (folder / "run.log").read_text(encoding="utf-8")
        paused = control(server, "slow", "pause")
        assert paused.status_code == 409
        assert "not at play" in paused.json()["detail"]

        resumed = control(server, "slow", "resume").json()
        assert resumed["playing"] and resumed["started_here"]
        (process,) = server.acting.children._processes.values()
        assert process.args[-3:] == ["ludometer", "resume", str(folder)]

        assert control(server, "slow", "stop").json()["playing"] is False
        eventually(lambda: not server.acting.children._processes)
        with pytest.raises(ChildProcessError):  # it was waited for: no zombie is left of it
            os.waitpid(process.pid, os.WNOHANG)

        assert control(server, "slow", "resume").json()["playing"] is True
        (process,) = server.acting.children._processes.values()
    # The server is gone, the run goes on.
    time.sleep(0.3)
    assert at_work(folder)
    with serving(tmp_path) as server:
        assert entry_of(server)["playing"]
        assert not entry_of(server)["started_here"]
        refused = control(server, "slow", "stop")
        assert refused.status_code == 409
        assert "not started from this page" in refused.json()["detail"]
    os.killpg(process.pid, signal.SIGKILL)
    eventually(lambda: not at_work(folder))
    done = subprocess.run([sys.executable, "-m", "ludometer", "verify", str(folder)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_finished_run_is_not_resumed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        begin(server, QUICK)
        eventually(lambda: counts(tmp_path / "quick") == {"finished": 2} and not at_work(tmp_path / "quick"))
        answer = control(server, "quick", "resume")
        assert answer.status_code == 409
        assert "finished" in answer.json()["detail"]
        assert control(server, "nothing", "stop").status_code == 404


@pytest.mark.slow
def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="there is no file"):
        Children().start(tmp_path, ["run", "/no/such/file.toml", "--dir", str(tmp_path)])
