"""``ludometer view`` as a user starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludometer.core import ConfigurationError, MachineError
from ludometer.web.runs import RunsFolder
from ludometer.web.serving import _bound, named_runs, serve

ENTRY = [sys.executable, "-c", "from ludometer.cli.main import main; main()", "view"]


@contextmanager
def viewing(folder: Path, *arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([*ENTRY, *arguments], cwd=folder, env=environment, **pipes)
    try:
        said = process.stdout.readline()
        yield re.match(r"open (\S+)", said)[1], process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


@pytest.mark.slow
def test_it_serves_the_folder_runs_on_the_next_free_port_until_it_is_interrupted(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with viewing(folder.parent, "--port", str(port), "--no-browser") as (url, process):
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url) and f":{port}/" not in url
            with urllib.request.urlopen(f"{url}api/runs") as answer:
                assert {run["id"] for run in json.load(answer)["runs"]} >= {"study", "damaged"}
            with urllib.request.urlopen(url) as answer:
                assert answer.headers["server"] is None or "uvicorn" not in answer.headers["server"]
                assert b"<!doctype html>" in answer.read(200).lower()
    assert process.returncode == 0


@pytest.mark.slow
def test_another_host_demands_the_token_that_it_tells(folder):
    with viewing(folder.parent, "runs/study", "--host", "0.0.0.0", "--port", "0") as (url, _):
        token = re.search(r"token=([\w-]{43})$", url)[1]
        port = re.search(r":(\d+)/", url)[1]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/session")
        assert refused.value.code == 401
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/session")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["run"] == "study"


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(ConfigurationError, match="no run and no folder of runs in"):
        named_runs([tmp_path / "nothing"])
    with pytest.raises(ConfigurationError, match="at least 16 characters"):
        serve(RunsFolder([tmp_path]), token="short", browser=False)
    with pytest.raises(ConfigurationError, match="is no address of this machine"):
        _bound("no such host!", 8000)
    with pytest.raises(MachineError, match=r"no port from 8000 on can be used on 203\.0\.113\.1"):
        _bound("203.0.113.1", 8000)
    assert named_runs([]).home == Path("runs")
