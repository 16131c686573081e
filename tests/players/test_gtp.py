"""GNU Go as a player: against stand-ins that misbehave, and, where it is installed, the program itself."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import ConfigurationError, PlayerError, make_game
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players import PLAYERS, Entrant
from ludometer.players.gtp import GtpPlayer
from ludometer.players.random import RandomPlayer
from ludometer.testing import check_player

HERE = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games:/opt/homebrew/bin")
needs_gnugo = pytest.mark.skipif(HERE is None, reason="needs GNU Go (Debian and Ubuntu: apt-get install gnugo)")
GO = make_game("go", {"size": 5})

ENGINE = '''#!{python}
"""Answers to GTP as it is told to."""
import os, sys, time
open({log!r}, "a").write(f"{{os.getpid()}} {{' '.join(sys.argv[1:])}}\\n")
answers = {answers!r}
for line in sys.stdin:
    open({log!r}, "a").write("> " + line)
    number, command, *rest = line.split()
    answer = answers.get(command, "=")
    if answer == "mute":
        if os.fork() == 0:
            open({log!r}, "a").write(f"{{os.getpid()}} child\\n")
        time.sleep(600)
    if answer == "die":
        os._exit(3)
    print(answer[0] + number + " " + answer[1:] + "\\n", flush=True)
'''
GOOD = {
    "name": "=GNU Go",
    "query_boardsize": "=5",
    "get_komi": "= 7.5",
    "printsgf": "=(;GM[1]\nRU[Chinese]\n)",
    "genmove": "=C3",
}


class StandIn:
    """An engine that gives fixed answers and writes down what it is asked."""

    def __init__(self, folder: Path, answers: dict[str, str]) -> None:
        self.path, self.log = folder / "engine", folder / "log"
        self.path.write_text(ENGINE.format(python=sys.executable, log=str(self.log), answers={**GOOD, **answers}))
        self.path.chmod(0o755)

    def player(self, **options: Any) -> GtpPlayer:
        return GtpPlayer(path=str(self.path), **options)

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()

    def alive(self) -> list[int]:
        """Of the processes it ever was, those that still exist."""
        pids = [int(line.split()[0]) for line in self.lines() if line[0].isdigit()]
        assert pids
        return [pid for pid in pids if exists(pid)]

    def gone(self, seconds: float = 10.0) -> bool:
        """Whether all of them end soon: after a cancelation nobody waits for the killing."""
        end = time.monotonic() + seconds
        while self.alive() and time.monotonic() < end:
            time.sleep(0.05)
        return not self.alive()


def exists(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self").exists():  # an orphan may wait for init to collect it: it is dead all the same
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def one_match(player: Any, game: Any = GO, *, policy: MatchPolicy | None = None, seed: str = "1") -> Match:
    match = Match(game, 2, luck=seed, seed=seed, id=seed, policy=policy or MatchPolicy(max_moves=6))
    asyncio.run(play(match, {"Black": player, "White": RandomPlayer()}))
    return match


def test_it_is_found_by_name() -> None:
    assert PLAYERS.get("gtp") is GtpPlayer
    player = Entrant.of("gtp:level=3,path=/opt/gnugo,deadline=5").make_player()
    assert isinstance(player, GtpPlayer)
    assert (player.level, player.path, player.deadline) == (3, "/opt/gnugo", 5.0)


@pytest.mark.parametrize("options", [{"level": 0}, {"level": 11}, {"deadline": 0}, {"deadline": float("nan")}])
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        GtpPlayer(**options)


def test_it_tells_the_engine_the_whole_game_every_time(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {})
    player = engine.player(level=4)
    player.supports(GO)
    engine.log.unlink()
    match = one_match(player)
    first, second = [i for i, line in enumerate(engine.lines()) if line[0].isdigit()][:2]
    assert " --level 4 " in engine.lines()[first] and "--chinese-rules" in engine.lines()[first]
    asked = [line.split(maxsplit=2)[2] for line in engine.lines()[first + 1 : second]]
    assert asked[:3] == ["boardsize 5", "clear_board", "komi 7.5"] and asked[-2:] == ["genmove Black", "quit"]
    asked = [line.split(maxsplit=2)[2] for line in engine.lines()[second + 1 :]]
    white = GO.format(match.state, match.attempts[1].decision.action)
    assert asked[7:10] == ["play Black C3", f"play White {white}", "genmove Black"]
    assert match.attempts[2].verdict.kind == "occupied"  # it says C3 again, and is held to the rules like anybody
    assert not engine.alive()


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"get_komi": "=0.5"}, "did not take the game's board size, komi and rules"),
        ({"get_komi": "=much"}, "did not take"),
        ({"query_boardsize": "=19"}, "did not take"),
        ({"printsgf": "=(;RU[Japanese])"}, "'Japanese'"),
        ({"printsgf": "?unknown command"}, "did not take"),
        ({"name": "=Other"}, "calls itself 'Other', not GNU Go"),
        ({"name": "die"}, "calls itself 'nothing'"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, answers: dict[str, str], said: str) -> None:
    engine = StandIn(tmp_path, answers)
    with pytest.raises(ConfigurationError, match=said):
        engine.player().supports(GO)
    with pytest.raises(ConfigurationError, match=said):
        one_match(engine.player())
    assert not engine.alive()


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({"genmove": "?cannot"}, "player_error"),
        ({"genmove": "die"}, "player_error"),
        ({"genmove": "=K11"}, "out_of_bounds"),
        ({"genmove": "=what"}, "invalid_format"),
        ({"genmove": "="}, "invalid_format"),
    ],
)
def test_a_failing_engine_is_the_player_s_fault(tmp_path: Path, answers: dict[str, str], kind: str) -> None:
    engine = StandIn(tmp_path, answers)
    match = one_match(engine.player())
    assert match.attempts[0].verdict.kind == kind
    assert not engine.alive()


def test_a_refused_move_is_reported(tmp_path: Path) -> None:
    match = one_match(StandIn(tmp_path, {"play": "?illegal move"}).player())
    assert match.attempts[2].verdict.kind == "player_error"
    assert "answered 'illegal move' to 'play Black C3'" in match.attempts[2].verdict.reason
    assert PlayerError.blames == "the player's code"


def test_resigning(tmp_path: Path) -> None:
    match = one_match(StandIn(tmp_path, {"genmove": "=resign"}).player(), policy=MatchPolicy(resignation=True))
    assert match.attempts[0].decision.resign


def test_a_mute_engine_is_killed_at_its_deadline(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {"genmove": "mute"})
    match = one_match(engine.player(deadline=1.0), policy=MatchPolicy(max_moves=1))
    assert match.attempts[0].verdict.status == "timeout"
    assert "no move within 1 s" in match.attempts[0].verdict.reason
    assert sum(line.endswith("child") for line in engine.lines()) == 1
    assert engine.gone()  # its child is killed with it, but only init waits for a child


def test_the_referee_s_deadline_kills_it_too(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {"genmove": "mute"})
    match = one_match(engine.player(), policy=MatchPolicy(max_moves=1, decision_deadline=1.0))
    assert match.attempts[0].verdict.status == "timeout"
    assert engine.gone()


def test_a_program_that_is_none() -> None:
    with pytest.raises(ConfigurationError, match="apt-get install gnugo"):
        GtpPlayer(path="no-such-gnugo").supports(GO)
    with pytest.raises(ConfigurationError, match="apt-get install gnugo"):
        one_match(GtpPlayer(path="no-such-gnugo"))
    with pytest.raises(ConfigurationError, match="not GNU Go"):
        GtpPlayer(path="true").supports(GO)


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF but not really")
    broken.chmod(0o755)
    with pytest.raises(ConfigurationError, match="cannot be run as GNU Go"):
        GtpPlayer(path=str(broken)).supports(GO)
    with pytest.raises(ConfigurationError, match="cannot be run as GNU Go"):
        one_match(GtpPlayer(path=str(broken)))


def test_it_plays_go_only() -> None:
    with pytest.raises(ConfigurationError, match="plays Go only, not Tic-tac-toe"):
        GtpPlayer().supports(make_game("tictactoe"))


# ------------------------------------------------------------- the program itself


@needs_gnugo
def test_gnu_go_holds_to_the_contract() -> None:
    check_player(lambda: GtpPlayer(level=1), make_game("go", {"size": 5, "komi": 0.5}), matches=2)


@needs_gnugo
def test_gnu_go_beats_a_random_player_by_the_game_s_own_scoring() -> None:
    game = make_game("go", {"size": 7})
    match = Match(game, 2, luck="1", seed="1", id="1")
    ending = asyncio.run(play(match, {"Black": GtpPlayer(level=1), "White": RandomPlayer()}))
    assert ending.kind == "completed"
    # Every stone of White's is off the board: the engine captures what is dead, because nothing else removes it.
    assert match.outcome is not None and match.outcome.payoffs == {"Black": 49, "White": 7.5}
    assert all(attempt.verdict.is_legal for attempt in match.attempts)


def children() -> set[str]:
    """Process ids of this process's own children: other tests may have left workers that are kept for reuse."""
    return {pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


@needs_gnugo
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc (Linux)")
def test_twenty_games_leave_no_process() -> None:
    game, player = make_game("go", {"size": 5}), GtpPlayer(level=1)
    before = children()

    async def all_games() -> None:
        matches = [Match(game, 2, luck=str(i), seed=str(i), id=str(i)) for i in range(20)]
        await asyncio.gather(*(play(m, {"Black": player, "White": player}) for m in matches[:10]))
        for match in matches[10:]:
            await play(match, {"Black": player, "White": player})
        assert all(match.outcome is not None for match in matches)

    asyncio.run(all_games())
    time.sleep(0.1)
    assert children() <= before
