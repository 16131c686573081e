"""``ludometer estimate``, and what the other commands say of a run that was decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludometer.testing.fake_provider import FakeProvider, in_thread

Cli = Callable[..., Any]

STUDY = """
name = "study"
game = "tictactoe"
players = ["fake/a", "random", "perfect"]
[prompt]
max_retry_wait = 0.01
retries = 0
[schedule]
repeats = 5
[models.fake]
base_url = "{url}"
"""


def test_a_pilot_and_the_run_that_goes_on(cli: Cli, tmp_path: Path) -> None:
    with in_thread(FakeProvider("tictactoe")) as provider:
        (tmp_path / "study.toml").write_text(STUDY.format(url=provider.url), encoding="utf-8")
        found = cli("estimate", "study.toml", "--interval", 30, "--json")
        assert (found.code, found.err) == (0, "")
        data = found.json
        assert data["run"] == "runs/study" and data["matches"] == 30 and data["games"] == 4
        (model,) = data["models"]
        assert model["name"] == "fake/a" and model["games"] == 4 and model["calls"][0] < model["calls"][1]
        assert model["cost"] is None and data["needed"]["matches"][0] > 0
        shown = cli("estimate", "study.toml", "--games", 6)
        assert shown.code == 0 and "6 of 30 matches played" in shown.out and "fake/a" in shown.out
        assert cli("run", "study.toml").code == 0
        again = cli("run", "study.toml")
        assert again.code == 0 and "30 of 30 matches finished" in again.err


def test_without_a_pilot_it_is_a_dry_run(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.format(url="http://127.0.0.1:9/v1"), encoding="utf-8")
    assert cli("estimate", "study.toml", "--no-pilot").out == cli("run", "study.toml", "--dry-run").out
    assert not (tmp_path / "runs").exists()
    assert "needs the results of a pilot" in cli("estimate", "study.toml", "--no-pilot", "--interval", 30).sentence
    dead = cli("estimate", "study.toml", "--games", 1, "--json")
    assert dead.code == 2 and "nothing to estimate" in dead.err


def test_a_decided_run_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "stop.toml").write_text(
        'name = "stop"\ngame = "tictactoe"\nplayers = ["perfect", "random"]\nstop_when = "top-1 decided"\n'
        "[schedule]\nrepeats = 200\n",
        encoding="utf-8",
    )
    said = "top-1 decided: perfect is better than the other one"
    ran = cli("run", "stop.toml")
    assert ran.code == 0 and said in ran.err and "not needed" in ran.err
    board = cli("leaderboard", "runs/stop")
    assert said in board.out and "not needed" in board.out and "unfinished" not in board.out
    data = cli("leaderboard", "runs/stop", "--json").json
    assert data["decided"]["why"] == said and data["pairs"][0]["verdict"] == "first"
    assert data["boards"][0]["matches"]["unfinished"] == 0
    assert said in cli("verify", "runs/stop").out
    assert cli("verify", "runs/stop", "--json").json["decided"] == said
    assert cli("resume", "runs/stop").code == 0
    wrong = cli("run", "stop.toml", "--set", "stop_when=soon", "--dir", "other")
    assert wrong.code == 2 and "is no rule for stopping" in wrong.sentence
