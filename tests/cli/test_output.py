"""What programs read is JSON and nothing else, and what ``new`` writes works."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.testing import check_game, check_player

Cli = Callable[..., Any]


@pytest.mark.parametrize("what", ["games", "players", "models", "presets", "strategies"])
def test_lists(cli: Cli, what: str) -> None:
    rows = cli("list", what, "--json").json
    shown = cli("list", what)
    assert shown.code == 0 and shown.err == ""
    names = [row.get("name", row.get("provider")) for row in rows]
    assert names == sorted(names)
    assert all(name in shown.out for name in names)


def test_json_of_the_commands_that_look(cli: Cli) -> None:
    cli("play", "tictactoe", "-p", "random", "-p", "perfect", "--games", 2, "--dir", "kept")
    verified = cli("verify", "kept", "--json")
    assert (verified.json["passed"], verified.json["matches"], verified.err) == (True, 2, "")
    assert isinstance(cli("doctor", "--json").json, list)
    assert cli("models", "list", "--json").json == []
    resumed = cli("resume", "kept", "--json")
    assert resumed.json["complete"] is True and resumed.err == ""
    board = cli("leaderboard", "kept", "--json")
    assert [row["entrant"] for row in board.json["boards"][0]["headline"]["rows"]] == ["perfect", "random"]


def test_a_dry_run_calls_nothing_and_writes_nothing(cli: Cli) -> None:
    Path("mine.toml").write_text(
        'game = "tictactoe"\nplayers = ["random", "vllm/some-model"]\n[schedule]\nrepeats = 3\n', encoding="utf-8"
    )
    before = sorted(Path().rglob("*"))
    expected = cli("run", "mine.toml", "--dry-run", "--json")
    assert expected.json["matches"] == 6
    planned = [(row["game"], row["seatings"], row["matches"]) for row in expected.json["schedule"]]
    assert planned == [("tictactoe", 2, 6)]
    assert expected.err == ""
    shown = cli("run", "mine.toml", "--dry-run")
    assert "6 matches, 6 of them with a language model" in shown.out
    assert "no price is known for vllm/some-model" in shown.out
    assert sorted(Path().rglob("*")) == before


def test_a_dry_run_shows_what_is_played_under_which_condition(cli: Cli) -> None:
    Path("mine.toml").write_text(
        'game = { name = "tictactoe", rows = 4 }\nplayers = ["random", "perfect"]\n'
        '[schedule]\nrepeats = 3\nself_play = true\n[factors]\nfeedback = ["repeat", "explain"]\n',
        encoding="utf-8",
    )
    shown = cli("run", "mine.toml", "--dry-run").out
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert any(line.startswith("tictactoe (") and line.endswith("feedback = repeat 4 12") for line in lines)
    assert any(line.startswith("tictactoe (") and line.endswith("feedback = explain 4 12") for line in lines)
    assert "rows = 4" in shown
    assert "US dollars" not in shown, "no model plays"


def test_a_call_without_a_price_costs_nothing_known(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    with in_thread(FakeProvider("tictactoe")) as provider:
        monkeypatch.setenv("VLLM_BASE_URL", provider.url)
        Path("mine.toml").write_text('game = "tictactoe"\nplayers = ["random", "vllm/m"]\n', encoding="utf-8")
        unpriced = cli("run", "mine.toml", "--dir", "unpriced", "--json").json
        priced = cli(
            "run",
            "mine.toml",
            "--set",
            'players=["random", {player="vllm/m", price={input=1, output=2}}]',
            "--dir",
            "priced",
            "--json",
        ).json
    assert unpriced["cost_usd"] is None
    assert unpriced["calls_without_a_price"] == unpriced["calls"] > 0
    assert priced["cost_usd"] > 0


def test_a_paused_run_exits_1_and_says_how_to_go_on(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9/v1")
    Path("mine.toml").write_text(
        'game = "tictactoe"\nplayers = ["random", "vllm/m:retries=0"]\n[schedule]\nrepeats = 4\n', encoding="utf-8"
    )
    result = cli("run", "mine.toml", "--dir", "down", "--json")
    assert result.code == 1
    assert result.json["complete"] is False
    assert result.json["finished"] == 0
    plain = cli("resume", "down")
    assert plain.code == 1
    assert "Go on with: ludometer resume down" in plain.err


def test_a_budget_pauses_a_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    with in_thread(FakeProvider("tictactoe")) as provider:
        monkeypatch.setenv("VLLM_BASE_URL", provider.url)
        Path("mine.toml").write_text(
            'game = "tictactoe"\nplayers = ["random", "vllm/m"]\nconcurrency = 1\nbudget_tokens = 1000\n'
            "[schedule]\nrepeats = 10\n",
            encoding="utf-8",
        )
        result = cli("run", "mine.toml", "--dir", "thrifty")
    assert result.code == 1
    assert "the budget of 1000 tokens is used up" in result.err


def test_rate(cli: Cli) -> None:
    Path("games.csv").write_text("player_1,player_2,result\na,b,1-0\nb,a,draw\na,b,1-0\n", encoding="utf-8")
    shown = cli("rate", "games.csv")
    assert "moving first is worth" in shown.out
    rows = cli("rate", "games.csv", "--json").json["rows"]
    assert [row["name"] for row in rows] == ["a", "b"]
    anchored = cli("rate", "games.csv", "--json", "--anchor", "b=1000").json["rows"]
    assert next(row for row in anchored if row["name"] == "b")["rating"] == 1000


def test_an_imported_study_is_rated_and_exported(cli: Cli) -> None:
    assert cli("import", "topsakal", "--dir", "study").code == 0
    boards = cli("leaderboard", "study", "--json").json["boards"]
    assert sum(board["matches"]["total"] for board in boards) == 980
    # Every game that is left out is counted with its reason.
    words = cli("leaderboard", "study").out
    assert words.count("No canceled or forfeited game has a known offender") == len(boards)
    assert "400 points per factor of ten in the odds" in words
    for board in boards:
        counts = board["headline"]["ratings"]["counts"]
        assert counts["canceled"] + counts["canceled_unknown"] == board["matches"]["canceled"] > 0
        assert f"{counts['canceled_unknown']} canceled, offender unknown" in words
    assert cli("export", "study", "--format", "csv", "--out", "files").code == 0
    assert any(path.suffix == ".csv" for path in Path("files").iterdir())
    assert cli("verify", "study").code == 0


def test_what_forfeits_do_to_the_ratings_is_seen(cli: Cli) -> None:
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    with in_thread(FakeProvider("fixed:I stay low.")) as provider:
        Path("run.toml").write_text(
            'game = "tictactoe"\nplayers = ["random", "perfect", "fake/mute"]\n'
            f'[models.fake]\nbase_url = "{provider.url}"\n'
        )
        assert cli("run", "run.toml", "--dir", "run").code == 0
    words = cli("leaderboard", "run").out
    first, beside = words.split("The same without canceled and forfeited games")
    assert "forfeits" in first and "fake/mute" in first and "4 forfeit" in first
    assert "2 of 6 games rated (played); left out: 4 forfeit" in beside
    assert "not rated there, for want of a completed game: fake/mute" in beside
    rows = {row["entrant"]: row for row in cli("leaderboard", "run", "--json").json["boards"][0]["headline"]["rows"]}
    assert {name: row["forfeited_to_1"] + row["forfeited_to_2"] for name, row in rows.items()} == {
        "random": 2,
        "perfect": 2,
        "fake/mute": 0,
    }


def test_equal_games_are_reported(cli: Cli) -> None:
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    with in_thread(FakeProvider("first")) as provider:
        Path("run.toml").write_text(
            'game = "tictactoe"\nplayers = ["fake/a", "fake/b"]\nschedule = { repeats = 3 }\n'
            'prompt = { answer = "json_schema", legal_only = true }\n'
            f'[models.fake]\nbase_url = "{provider.url}"\n'
        )
        assert cli("run", "run.toml", "--dir", "run").code == 0
    assert "only 2 of 6 completed games are different; repeats are no new evidence" in cli("leaderboard", "run").out


def _loaded(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def test_a_new_game_passes_every_check_and_plays(cli: Cli) -> None:
    assert "wrote stones.py" in cli("new", "game", "stones").out
    game = _loaded(Path("stones.py"), "Stones")
    check_game(game())

    import asyncio

    from ludometer.matches import Match, play
    from ludometer.players.random import RandomPlayer

    match = Match(game())
    asyncio.run(play(match, {"first": RandomPlayer(), "second": RandomPlayer()}))
    assert match.ending is not None and match.ending.kind == "completed"


def test_a_new_player_keeps_the_protocol(cli: Cli) -> None:
    assert "wrote mine/big_eager.py" in cli("new", "player", "big_eager", "--dir", "mine").out
    check_player(_loaded(Path("mine/big_eager.py"), "BigEager")())


def test_a_new_file_never_replaces_one(cli: Cli) -> None:
    Path("stones.py").write_text("mine", encoding="utf-8")
    assert cli("new", "game", "stones").code == 2
    assert Path("stones.py").read_text(encoding="utf-8") == "mine"


def test_what_new_writes_is_well_formatted(cli: Cli) -> None:
    cli("new", "game", "stones")
    cli("new", "player", "eager")
    ruff = [sys.executable, "-m", "ruff"]
    for check in (["format", "--check", "--line-length", "120"], ["check", "--line-length", "120"]):
        done = subprocess.run([*ruff, *check, "--isolated", "."], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_a_condition_may_be_written_with_or_without_spaces(cli: Cli) -> None:
    Path("mine.toml").write_text(
        'game = "tictactoe"\nplayers = ["random", "perfect"]\n[factors]\nattempts = [1, 2]\n', encoding="utf-8"
    )
    assert cli("run", "mine.toml", "--dir", "varied").code == 0
    boards = [
        cli("leaderboard", "varied", "--condition", written, "--json").json["boards"]
        for written in ("attempts=2", "attempts = 2")
    ]
    assert boards[0] == boards[1]
    assert len(boards[0]) == 1
    wrong = cli("leaderboard", "varied", "--condition", "attempts=3")
    assert wrong.code == 2
    assert "attempts = 1, attempts = 2" in wrong.sentence


def test_a_strategy_that_needs_options_does_not_hide_the_others(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("list", "strategies", "--json").json}
    assert rows["plain"]["options"] == {}
    assert rows["vote"]["options"] == {"k": "int = 5"}
    assert all(row["description"] for row in rows.values())


@pytest.mark.parametrize("width", [200, 100, 80, 40])
def test_a_table_loses_nothing_however_narrow_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludometer.cli import output

    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    rows = [[1, "a-name-that-is-rather-long", "12 to 34 (n=56)", "unknown"], [20, "b", None, 0.5]]
    output.print_table("A title", ["rank", "entrant", "an interval", "US dollars"], rows, ["a note"])
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert all(len(line) <= width for line in lines)
    # Column by column, since a cell may go on below itself.
    starts = [lines[1].index("rank") if width > 40 else 0]
    assert starts == [0]
    for text in ("unknown", "US", "dollars", "a note", "A title", "0.5", "20"):
        assert text in shown
    if width == 200:
        assert "a-name-that-is-rather-long" in shown and "12 to 34 (n=56)" in shown


def test_a_wide_leaderboard_becomes_two_tables(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludometer.cli import output

    cli("play", "tictactoe", "-p", "random", "-p", "perfect", "--games", 4, "--dir", "kept")
    one = cli("leaderboard", "kept").out
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "90")
    two = cli("leaderboard", "kept").out
    heads = [line for line in two.splitlines() if "entrant" in line.split()]
    assert len([line for line in one.splitlines() if "entrant" in line.split()]) == 1
    assert len(heads) == 2
    assert "95% interval" in heads[0] and "valid answers" in heads[1]


def test_a_seat_that_an_entrant_never_had_is_a_dash(cli: Cli) -> None:
    """With fixed seats, as where one player always moves first."""
    players = 'players = ["random", { player = "random", name = "second" }]'
    Path("fixed.toml").write_text(f'game = "nim"\n{players}\n[schedule]\nseating = "fixed"\n', encoding="utf-8")
    assert cli("run", "fixed.toml", "--dir", "fixed").code == 0
    board = cli("leaderboard", "fixed").out
    assert "as the first player W/D/L" in board and "nan" not in board
