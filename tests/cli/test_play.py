"""``ludometer play``: players, people, and results for programs."""

from __future__ import annotations

import json
import os
import pty
import runpy
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.testing.fake_provider import FakeProvider, Fault, in_thread

Cli = Callable[..., Any]

TWO = ("-p", "random", "-p", "random")


def test_the_board_and_the_result_are_printed(cli: Cli) -> None:
    result = cli("play", "tictactoe", *TWO, "--seed", 3)
    assert result.code == 0
    boards = [block for block in result.out.split("\n\n") if len(block.splitlines()) == 4]
    assert 5 <= len(boards) <= 9
    marks = [sum(character in "XO" for line in block.splitlines()[1:] for character in line) for block in boards]
    assert marks == list(range(1, len(boards) + 1)), "each move adds one mark"
    last = result.out.strip().splitlines()[-1]
    assert last.startswith(("X (random) wins", "O (random (2)) wins", "Draw"))


def test_the_same_seed_plays_the_same_game(cli: Cli) -> None:
    one, again, other = (cli("play", "tictactoe", *TWO, "--seed", seed, "--json").json for seed in ("a", "a", "b"))
    assert one == again
    assert one["games"][0]["moves"] != other["games"][0]["moves"]


def test_json_is_all_there_is_on_standard_output(cli: Cli) -> None:
    result = cli("play", "tictactoe", "-p", "random", "-p", "perfect", "--games", 4, "--json")
    games = result.json["games"]
    assert result.err == ""
    assert result.json["complete"] is True
    assert [list(game["seats"].values()) for game in games] == [["random", "perfect"], ["perfect", "random"]] * 2
    assert all(game["scores"][seat] >= 0.5 for game in games for seat, who in game["seats"].items() if who == "perfect")


def test_several_games_are_a_table(cli: Cli) -> None:
    lines = cli("play", "tictactoe", "-p", "random", "-p", "perfect", "--games", 2).out.splitlines()
    assert lines[0].split() == ["game", "players", "score", "ending", "why", "moves"]
    assert len(lines) == 3


def test_a_game_that_is_not_kept_leaves_nothing(cli: Cli, tmp_path: Path) -> None:
    cli("play", "tictactoe", *TWO)
    assert not [path for path in tmp_path.iterdir() if path.name != "cache"]


def test_options_reach_the_game(cli: Cli) -> None:
    result = cli("play", "tictactoe", *TWO, "-o", "rows=1", "-o", "columns=1", "-o", "line=1", "--json")
    assert result.json["games"][0]["moves"] == ["1,1"]


def test_a_person_plays_through_a_pipe(cli: Cli) -> None:
    result = cli("play", "tictactoe", "-p", "human", "-p", "random", stdin="9,9\nhello\n1,1\nresign\n")
    assert result.code == 0
    assert "Not possible: row 9, column 9 is outside" in result.out
    assert "player X (first player): 1,1" in result.out
    assert result.out.strip().splitlines()[-1] == "O (random) wins: X resigned"


def test_a_person_sees_the_view_that_was_asked_for(cli: Cli) -> None:
    result = cli("play", "tictactoe", "-p", "human", "-p", "random", "--view", "numbered", stdin="5\nresign\n")
    assert "1 | 2 | 3\n4 | 5 | 6" in result.out
    assert "as the number of an empty cell" in result.out
    assert "4 | X | 6" in result.out or "| X |" in result.out


def test_a_person_who_is_not_there(cli: Cli) -> None:
    result = cli("play", "tictactoe", "-p", "human", "-p", "random", stdin="")
    assert result.code == 2
    assert "needs a terminal" in result.sentence


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, entry: list[str], *arguments: object) -> None:
        self.shown = ""
        self.process, self.end = pty.fork()
        if self.process == 0:  # pragma: no cover (the child becomes the command)
            os.execv(entry[0], [*entry, *map(str, arguments)])

    def wait_for(self, text: str) -> None:
        """Reads until ``text`` was shown; everything shown before it is forgotten."""
        while text not in self.shown:
            ready, _, _ = select.select([self.end], [], [], 60)
            assert ready, f"{text!r} was not shown: {self.shown}"
            self.shown += os.read(self.end, 4096).decode()
        self.shown = self.shown.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def finish(self) -> int:
        """Reads to the end and returns the exit code."""
        try:
            while data := os.read(self.end, 4096):
                self.shown += data.decode()
        except OSError:
            pass  # how Linux says that the other end was closed
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def test_a_person_at_a_terminal(entry: list[str]) -> None:
    terminal = Terminal(entry, "play", "tictactoe", "-p", "human", "-p", "random")
    terminal.wait_for("or write resign: ")
    terminal.type("2,2\n")
    terminal.wait_for("player X (first player): 2,2")
    terminal.wait_for("or write resign: ")
    terminal.type("resign\n")
    assert terminal.finish() == 0
    assert "O (random) wins: X resigned" in terminal.shown


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_a_game_at_a_terminal(entry: list[str], key: str, code: int) -> None:
    terminal = Terminal(entry, "play", "tictactoe", "-p", "human", "-p", "random")
    terminal.wait_for("or write resign: ")
    terminal.type(key)
    assert terminal.finish() == code
    assert ("interrupted" if code else "X resigned") in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeProvider], None]:
    """Puts a fake provider where ``vllm/...`` is looked for."""
    return lambda provider: monkeypatch.setenv("VLLM_BASE_URL", provider.url)


def test_a_model_plays(cli: Cli, vllm: Callable[[FakeProvider], None]) -> None:
    with in_thread(FakeProvider("tictactoe")) as provider:
        vllm(provider)
        result = cli("play", "tictactoe", "-p", "vllm/m", "-p", "random", "--answer", "json_schema")
    assert result.code == 0
    assert result.out.count("player X (first player): ") >= 3


def test_a_provider_that_is_down_ends_a_game_that_is_not_kept(cli: Cli, vllm: Callable[[FakeProvider], None]) -> None:
    with in_thread(FakeProvider(fault_rate=1.0, fault_kinds=("error",))) as provider:
        vllm(provider)
        result = cli("play", "tictactoe", "-p", "vllm/m:retries=0", "-p", "random")
    assert result.code == 1
    sentence = result.sentence
    assert "500" in sentence
    assert "resume" not in sentence, "what was not kept cannot be resumed"


def test_a_provider_that_is_down_leaves_a_kept_game_resumable(cli: Cli, vllm: Callable[[FakeProvider], None]) -> None:
    with in_thread(FakeProvider("tictactoe", faults={0: Fault("error", status=401)})) as provider:
        vllm(provider)
        result = cli("play", "tictactoe", "-p", "vllm/m:retries=0", "-p", "random", "--dir", "kept")
        assert result.code == 1
        assert "ludometer resume kept" in result.sentence
        assert cli("resume", "kept").code == 0
    assert cli("verify", "kept").code == 0


def test_what_a_model_says_cannot_move_the_cursor(cli: Cli, vllm: Callable[[FakeProvider], None]) -> None:
    with in_thread(FakeProvider("fixed:\x1b[2J\x9b31m\u202egnp")) as provider:
        vllm(provider)
        drawn = cli("play", "tictactoe", "-p", "vllm/m", "-p", "random")
    assert "not accepted" in drawn.out
    assert not set("\x1b\x9b\u202e") & set(drawn.out + drawn.err)


@pytest.mark.parametrize("name", ["\x1b[2Jevil", "\x9b31mevil", "\u202elive", "a\x07b"])
def test_names_cannot_move_the_cursor(cli: Cli, name: str) -> None:
    odd = {character for character in name if not character.isprintable()}
    toml = f'game = "tictactoe"\nplayers = ["random", {{player = "perfect", name = {_toml(name)}}}]\n'
    Path("odd.toml").write_text(toml, encoding="utf-8")
    results = [cli("run", "odd.toml", "--dir", "odd")]
    results += [cli("leaderboard", "odd"), cli("leaderboard", "odd", "--json"), cli("verify", "odd")]
    results += [
        cli("leaderboard", "odd", "--game", name),
        cli("play", name, *TWO),
        cli("play", "tictactoe", "-p", name),
    ]
    assert [result.code for result in results] == [0, 0, 0, 0, 2, 2, 2]
    for result in results:
        assert not odd & set(result.out + result.err)
    rows = results[2].json["boards"][0]["headline"]["rows"]
    assert name in [row["entrant"] for row in rows], "programs get the name as it is"


def _toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(character):08x}" for character in text) + '"'


def test_an_interrupted_run_exits_130_and_goes_on(launch: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with in_thread(FakeProvider("tictactoe", latency=0.1)) as provider:
        monkeypatch.setenv("VLLM_BASE_URL", provider.url)
        settings = ("-p", "vllm/m", "-p", "random", "--games", 40, "--dir", "slow")
        process = launch("play", "tictactoe", *settings)
        while provider.stats.calls < 8:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        asked = provider.stats.calls
        assert process.returncode == 130
        assert "ludometer resume slow" in err
        assert "Traceback" not in err
        resumed = launch("resume", "slow", "--json")
        out, err = resumed.communicate(timeout=120)
        assert resumed.returncode == 0, err
    verified = launch("verify", "slow", "--json")
    out, err = verified.communicate(timeout=60)
    assert verified.returncode == 0, out + err
    assert json.loads(out)["matches"] == 40
    assert json.loads(out)["calls"] == provider.stats.calls, "no answer was asked for twice"
    assert asked < provider.stats.calls, "the run was interrupted in the middle"


def test_seats_that_decide_together_are_drawn_together(capsys: pytest.CaptureFixture[str]) -> None:
    from ludometer.cli.commands.play import _Drawing
    from ludometer.core import Decision, Fault
    from ludometer.matches import Match, MatchPolicy

    script = Path(__file__).parents[2] / "examples" / "own_game.py"
    game = runpy.run_path(str(script))["EvenOdd"]()
    match = Match(game, policy=MatchPolicy(attempts=1, on_exhausted="random"))
    drawing = _Drawing(None)
    drawing(match, match.submit("even", Decision(2)))
    assert capsys.readouterr().out == "", "nothing is shown before both have decided"
    drawing(match, match.submit("odd", Decision(fault=Fault("empty", "the answer is empty"))))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "player odd: not accepted (empty): the answer is empty"
    assert lines[1] == "player even: 2"
    assert lines[2].startswith("player odd (played for it): ")
    assert lines[3].startswith("2 and ")


def test_a_table_for_more_than_two_is_summed_up_seat_by_seat(cli: Cli) -> None:
    result = cli("play", "poker", "-p", "random", "-p", "always_call", "-p", "random", "-o", "hands=2")
    assert result.code == 0
    sentence, standings = result.out.strip().splitlines()[-2:]
    assert "Player " in sentence and ("wins: " in sentence or "share the best score: " in sentence)
    rows = standings.split("; ")
    assert {row.split(")")[0] for row in rows} == {"Player 1 (random", "Player 2 (always_call", "Player 3 (random (2"}
    scores = [float(row.rpartition("score ")[2].split(",")[0]) for row in rows]
    assert scores == sorted(scores, reverse=True) and abs(sum(scores) - 1) < 0.01
    assert sum(float(row.rpartition("payoff ")[2]) for row in rows) == 0


def test_a_shared_best_score_is_no_win(cli: Cli) -> None:
    result = cli("play", "liars_dice", "-p", "random", "-p", "random", "-p", "random")
    assert result.code == 0
    sentence, standings = result.out.strip().splitlines()[-2:]
    assert "share the best score: " in sentence and " wins" not in sentence
    assert standings.count("score 0.5, payoff +0.5") == 2
