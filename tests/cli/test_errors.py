"""Every mistake gets one sentence that names what was meant, and an exit code that says whose it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


TWO = ("-p", "random", "-p", "random")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["plya"], ["'plya'", "did you mean 'play'?"]),
        (["play", "tictacto", *TWO], ["'tictacto'", "did you mean 'tictactoe'?"]),
        (["play", "tictactoe", "-p", "randm", "-p", "random"], ["'randm'", "did you mean 'random'?"]),
        (["play", "tictactoe", *TWO, "-o", "row=4"], ["'row'", "did you mean 'rows'?"]),
        (["play", "tictactoe", *TWO, "-o", "rows"], ["'rows'", "key=value"]),
        (["play", "tictactoe", *TWO, "-o", "rows=many"], ["rows", "'many'"]),
        (["play", "tictactoe", *TWO, "-o", "rows=99"], ["1x1 and 26x26"]),
        (["play", "tictactoe", *TWO, "--view", "ilustration"], ["did you mean 'illustration'?"]),
        (["play", "tictactoe", *TWO, "--strategy", "plain"], ["--strategy", "provider/model"]),
        (["play", "tictactoe", *TWO, "--answer", "json"], ["--answer", "provider/model"]),
        (["play", "tictactoe", "-p", "random"], ["-p twice"]),
        (["play", "tictactoe", "-p", "", "-p", "random"], ["empty"]),
        (["play", "tictactoe", "-p", "random", "-p", "human:veiw=list"], ["'veiw'", "did you mean 'view'?"]),
        (["play", "tictactoe", "-p", "random", "-p", "opnai/x"], ["'opnai'", "did you mean 'openai'?"]),
        (["play", "tictactoe", "-p", "random", "-p", "openai/"], ["provider/model"]),
        (["play", "tictactoe", "-p", "random", "-p", "openai/x"], ["OPENAI_API_KEY"]),
        (["play", "tictactoe", "-p", "random", "-p", "mistral/x"], ["MISTRAL_API_KEY"]),
        (["play", "tictactoe", "-p", "random", "-p", "vllm/x:temprature=1"], ["did you mean 'temperature'?"]),
        (["play", "tictactoe", "-p", "random", "-p", "vllm/x:temperature=99"], ["temperature"]),
        (["play", "tictactoe", "-p", "random", "-p", "vllm/x", "--strategy", "plan"], ["did you mean 'plain'?"]),
        (["play", "tictactoe", "-p", "random", "-p", "local/smollm2-135m"], ["models pull smollm2-135m"]),
        (["run", "no-such-preset"], ["no-such-preset"]),
        (["resume", "nothing"], ["no run in nothing"]),
        (["extend", "nothing", "--repeats", "2"], ["no run in nothing"]),
        (["extend", "nothing"], ["--add-player"]),
        (["verify", "nothing"], ["no run in nothing"]),
        (["leaderboard", "nothing"], ["no run in nothing"]),
        (["report", "nothing"], ["no run in nothing"]),
        (["export", "nothing", "--out", "there"], ["no run in nothing"]),
        (["rate", "nothing.csv"], ["nothing.csv"]),
        (["rate", "nothing.csv", "--prior", "-3"], ["--prior", "positive"]),
        (["models", "pull", "smollm"], ["smollm2-135m"]),
        (["new", "game", "Nim-x"], ["lower case"]),
        (["new", "player", "class"], ["'class'"]),
        (["playthrough", "tictacto"], ["did you mean 'tictactoe'?"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_one_sentence_and_exit_code_2(cli: Cli, arguments: list[str], named: list[str]) -> None:
    if arguments[0] == "rate" and len(arguments) > 2:
        Path(arguments[1]).write_text("player_1,player_2,result\na,b,1-0\n", encoding="utf-8")
    result = cli(*arguments)
    sentence = result.sentence
    assert result.code == 2
    assert result.out == ""
    for part in named:
        assert part in sentence


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "'game' is missing"),
        ('game = "tictactoe"\nplayrs = []', "did you mean 'players'?"),
        ('game = "tictactoe"\nplayers = ["random", "perfct"]', "did you mean 'perfect'?"),
        ('game = "tictactoe"\nplayers = ["random", "random"]', "two players are called 'random'"),
        ('game = "tictactoe"\nplayers = ["random"]', "at least two players"),
        ('game = "tictactoe"\nplayers = ["random", "perfect"]\n[policy]\natempts = 2', "did you mean 'attempts'?"),
        ('game = "tictactoe"\nplayers = ["random", "perfect"]\n[schedule]\nrepeat = 2', "did you mean 'repeats'?"),
        ('game = "tictactoe"\nplayers = ["random", "perfect"]\n[schedule]\nrepeats = 0', "schedule.repeats"),
        ('game = "tictactoe"\nplayers = ["random", "perfect"]\n[factors]\nview = []', "'view' has no values"),
        ("game = ", "not valid TOML"),
        ('game = "tictactoe"\n[models.mine]\nbase_url = "localhost"', "http"),
    ],
)
def test_mistakes_in_a_run_file(cli: Cli, text: str, named: str) -> None:
    Path("mine.toml").write_text(text, encoding="utf-8")
    result = cli("run", "mine.toml")
    assert named in result.sentence
    assert result.code == 2
    assert not Path("runs").exists(), "nothing is written for a configuration that cannot be played"


def test_a_setting_that_no_known_option_has(cli: Cli) -> None:
    result = cli("play", "tictactoe", *TWO, "--vieww", "list")
    assert result.code == 2
    assert "--view" in result.err
    assert "Traceback" not in result.err


def test_a_second_run_in_the_same_folder(cli: Cli) -> None:
    assert cli("play", "tictactoe", *TWO, "--dir", "kept").code == 0
    before = Path("kept/run.sqlite").stat().st_size
    result = cli("play", "tictactoe", *TWO, "--dir", "kept")
    assert result.code == 2
    assert "already holds a run" in result.sentence
    assert Path("kept/run.sqlite").stat().st_size == before


@pytest.mark.parametrize("command", ["play", "new", "playthrough"])
def test_a_folder_that_cannot_be_written(cli: Cli, tmp_path: Path, command: str) -> None:
    # For the superuser no folder is read-only: a file in its place is as good.
    if os.geteuid() == 0:
        (tmp_path / "locked").write_text("", encoding="utf-8")
    else:
        (tmp_path / "locked").mkdir(mode=0o500)
    arguments = {
        "play": ["play", "tictactoe", *TWO, "--dir", "locked/run"],
        "new": ["new", "game", "mine", "--dir", "locked/games"],
        "playthrough": ["playthrough", "tictactoe", "--write", "--dir", "locked/games"],
    }[command]
    result = cli(*arguments)
    assert result.code == 1
    assert "locked" in result.sentence


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["play", "tictactoe", *TWO, "--games", "0"], "--games"),
        (["run"], "'FILE'"),
        (["list", "gams"], "games"),
        (["--bogus"], "--bogus"),
        (["resume", "a", "b"], "(b)"),
    ],
)
def test_mistakes_in_the_words_of_a_command_are_one_sentence_too(cli: Cli, arguments: list[str], named: str) -> None:
    result = cli(*arguments)
    assert result.code == 2
    assert named in result.sentence and "--help)" in result.sentence


def test_a_file_that_is_no_run(cli: Cli) -> None:
    Path("odd").mkdir()
    Path("odd/run.sqlite").write_bytes(b"not a database, but long enough to look like one" * 100)
    result = cli("verify", "odd")
    assert result.code == 1
    assert "not" in result.sentence


def test_two_processes_in_one_run(cli: Cli) -> None:
    from ludometer.store import RunStore

    cli("play", "tictactoe", *TWO, "--dir", "kept")
    with RunStore.open("kept", write=True):
        result = cli("resume", "kept")
    assert result.code == 1
    assert "another process" in result.sentence
    assert cli("resume", "kept").code == 0


@pytest.mark.parametrize("lines", [0, 1, 3])
def test_a_reader_that_goes_away_is_no_error(launch: Callable[..., Any], lines: int) -> None:
    process = launch("play", "tictactoe", *TWO)
    for _ in range(lines):
        process.stdout.readline()
    process.stdout.close()
    complaint = process.stderr.read()
    assert process.wait(timeout=60) == 0
    assert complaint == ""
