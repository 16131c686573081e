"""``ludometer train``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None, reason="learning needs torch; install it with: pip install 'ludometer[rl]'"
)


def test_without_torch_it_says_how_to_get_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = cli("train", "dqn-uno", "--dir", "training")
    assert result.code == 2
    assert result.sentence == "training needs torch; install it with: pip install 'ludometer[rl]'"
    assert not Path("training").exists()


@needs_torch
def test_there_must_be_something_to_resume(cli: Cli) -> None:
    result = cli("train", "dqn-uno", "--dir", "training", "--resume")
    assert result.code == 2
    assert "leave out --resume" in result.sentence


@needs_torch
@pytest.mark.slow
def test_killed_and_resumed_it_ends_as_if_nothing_had_happened(
    cli: Cli, launch: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    given = ("--games", "320", "--seed", "5", "--every", "1")
    whole = cli("train", "dqn-uno", "--dir", "whole", *given, "--json")
    assert whole.code == 0
    assert len(whole.err.splitlines()) == 5  # a line for every point of the curve
    child = launch("train", "dqn-uno", "--dir", "killed", *given)
    deadline = time.monotonic() + 120
    while not (tmp_path / "killed" / "curve.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    kept = (tmp_path / "killed" / "curve.csv").read_text(encoding="utf-8").splitlines()
    assert 2 <= len(kept) < 6
    resumed = cli("train", "dqn-uno", "--dir", "killed", "--every", "1", "--resume", "--json")
    assert resumed.json["strength"] == whole.json["strength"]
    for name in ("weights.npz", "curve.csv", "result.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    played = cli("play", "uno", "-p", "random", "-p", f"dqn:weights={resumed.json['weights']}")
    assert played.code == 0
