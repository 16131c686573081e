"""Chess engines as players: against stand-ins that misbehave, and, where it is installed, Stockfish itself."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import ConfigurationError, Illegal, PlayerError, make_game
from ludometer.games.chess import Chess
from ludometer.games.tictactoe import TicTacToe
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players import PLAYERS, Entrant
from ludometer.players.random import RandomPlayer
from ludometer.players.uci import UciPlayer
from ludometer.solvers.uci_engine import EngineSetup, UciEngine, find_engine, position_command
from ludometer.testing import check_player

try:
    find_engine()
    HERE = True
except ConfigurationError:
    HERE = False
needs_stockfish = pytest.mark.skipif(not HERE, reason="needs Stockfish (Debian and Ubuntu: apt-get install stockfish)")

ENGINE = '''#!{python}
"""Speaks UCI as it is told to."""
import os, sys, time
log = open({log!r}, "a", buffering=1)
log.write(f"pid {{os.getpid()}}\\n")
answers = {answers!r}
for line in sys.stdin:
    log.write("> " + line)
    answer = answers.get(line.split()[0], "")
    if answer == "mute":
        time.sleep(600)
    if answer == "die":
        os._exit(3)
    if answer == "chatter":
        while True:
            print("info string " + "x" * 1000, flush=True)
    if answer:
        print(answer, flush=True)
'''
GOOD = {
    "uci": "id name Stand-in\noption name Threads type spin default 1 min 1 max 4\n"
    "option name Hash type spin default 16 min 1 max 1024\noption name Skill Level type spin "
    "default 20 min 0 max 20\nuciok",
    "isready": "readyok",
    "go": "info depth 1 score cp 20\nbestmove e2e4 ponder e7e5",
}


class StandIn:
    """An engine that gives fixed answers and writes down what it is asked."""

    def __init__(self, folder: Path, answers: dict[str, str]) -> None:
        self.path, self.log = folder / "engine", folder / "log"
        self.path.write_text(ENGINE.format(python=sys.executable, log=str(self.log), answers={**GOOD, **answers}))
        self.path.chmod(0o755)

    def player(self, **options: Any) -> UciPlayer:
        return UciPlayer(path=str(self.path), **options)

    def heard(self) -> list[str]:
        return [line[2:] for line in self.log.read_text().splitlines() if line.startswith("> ")]

    def alive(self) -> list[int]:
        """The processes of this engine that have not ended and been reaped."""
        pids = [int(line[4:]) for line in self.log.read_text().splitlines() if line.startswith("pid ")]
        assert pids
        return [pid for pid in pids if _exists(pid)]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def first_move(player: UciPlayer, policy: MatchPolicy | None = None, game: Chess | None = None) -> Match:
    """A match in which White is asked once and then stopped."""

    async def run() -> Match:
        match = Match(game or Chess(), policy=policy or MatchPolicy(attempts=1, max_moves=1))
        await play(match, {"white": player, "black": RandomPlayer()})
        return match

    return asyncio.run(run())


def test_the_move_of_the_engine_is_played(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {})
    player = engine.player(skill=3, nodes=500, depth=4, movetime=0.25)
    match = first_move(player)
    assert match.notation == ["e4"]
    assert match.attempts[0].decision.text == "e2e4"
    assert engine.heard() == [
        "uci",
        "setoption name Threads value 1",
        "setoption name Hash value 16",
        "setoption name Skill Level value 3",
        "isready",
        "ucinewgame",
        f"position fen {Chess().fen}",
        "isready",
        "go nodes 500 movetime 250 depth 4",
    ]
    asyncio.run(player.close())
    assert engine.alive() == []


def test_the_whole_game_is_sent_for_every_move(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {"go": "bestmove g1f3"})
    game = Chess("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1")
    player = engine.player()

    async def run() -> None:
        match = Match(game, seed=5)
        match.submit("white", await player.act(match.turns()[0]))
        match.submit("black", await RandomPlayer().act(match.turns()[0]))
        with pytest.raises(Illegal):  # the knight is no longer there
            await player.act(match.turns()[0])
        await player.close()

    asyncio.run(run())
    positions = [line for line in engine.heard() if line.startswith("position")]
    assert positions[0] == f"position fen {game.fen}"
    assert positions[1].startswith(f"position fen {game.fen} moves g1f3 e8")
    assert engine.heard().count("ucinewgame") == 2


@pytest.mark.parametrize("silent", ["uci", "isready", "go"])
def test_a_mute_engine_is_killed_at_its_deadline(tmp_path: Path, silent: str) -> None:
    engine = StandIn(tmp_path, {silent: "mute"})
    match = first_move(engine.player(deadline=0.7))
    assert match.attempts[0].verdict.status == "timeout"
    assert "0.7 s" in match.attempts[0].verdict.reason
    assert engine.alive() == []


def test_the_deadline_of_the_match_kills_it_too(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {"go": "mute"})
    match = first_move(engine.player(), MatchPolicy(attempts=1, max_moves=1, decision_deadline=0.7))
    assert match.attempts[0].verdict.status == "timeout"
    for _ in range(50):
        if not engine.alive():
            break
        time.sleep(0.1)
    assert engine.alive() == []


def test_an_engine_that_talks_without_end_is_killed(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {"go": "chatter"})
    match = first_move(engine.player(deadline=0.7))
    assert match.attempts[0].verdict.status == "timeout"
    assert engine.alive() == []


@pytest.mark.parametrize("word", ["uci", "isready", "go"])
def test_an_engine_that_dies_is_the_players_error(tmp_path: Path, word: str) -> None:
    engine = StandIn(tmp_path, {word: "die"})
    match = first_move(engine.player())
    verdict = match.attempts[0].verdict
    assert verdict.status == "player_error"
    assert "exit code 3" in verdict.reason
    assert engine.alive() == []
    with pytest.raises(PlayerError, match="ended"):
        asyncio.run(engine.player().act(Match(Chess()).turns()[0]))


def test_the_next_question_gets_a_new_engine(tmp_path: Path) -> None:
    broken = StandIn(tmp_path, {"go": "die"})
    player = broken.player()
    assert first_move(player).attempts[0].verdict.status == "player_error"
    StandIn(tmp_path, {})
    assert first_move(player).notation == ["e4"]
    asyncio.run(player.close())
    assert broken.alive() == []


@pytest.mark.parametrize(
    ("answer", "status", "kind"),
    [
        ("bestmove e2e5", "illegal", "cannot_move_there"),
        ("bestmove e7e5", "illegal", "wrong_side"),
        ("bestmove (none)", "invalid_format", "invalid_format"),
        ("bestmove 0000", "invalid_format", "invalid_format"),
        ("bestmove", "invalid_format", "invalid_format"),
        ("bestmove \x1b[31m\u202e", "invalid_format", "invalid_format"),
    ],
)
def test_a_bad_move_is_judged_like_anybody_elses(tmp_path: Path, answer: str, status: str, kind: str) -> None:
    player = StandIn(tmp_path, {"go": answer}).player()
    verdict = first_move(player).attempts[0].verdict
    assert (verdict.status, verdict.kind) == (status, kind)
    asyncio.run(player.close())


def test_an_engine_without_the_option_is_a_configuration_error(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {})
    with pytest.raises(ConfigurationError, match="no option 'UCI_LimitStrength'"):
        first_move(engine.player(elo=1500))
    assert engine.alive() == []


def test_an_option_out_of_range_is_a_configuration_error(tmp_path: Path) -> None:
    uci = "option name Threads type spin default 1 min 1 max 4\noption name Hash type spin default 4 min 1 max 8\nuciok"
    with pytest.raises(ConfigurationError, match="Hash from 1 to 8, not 16"):
        first_move(StandIn(tmp_path, {"uci": uci}).player())


def test_what_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("not a program")
    (tmp_path / "engine").chmod(0o755)
    with pytest.raises(ConfigurationError, match="cannot be run as a chess engine"):
        first_move(UciPlayer(path=str(tmp_path / "engine")))


def test_an_engine_that_is_not_installed_is_said_early() -> None:
    with pytest.raises(ConfigurationError, match="apt-get install stockfish"):
        UciPlayer(path="no-such-engine-here").supports(Chess())


def test_other_games_are_refused_early(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="chess only, not Tic-tac-toe"):
        StandIn(tmp_path, {}).player().supports(TicTacToe())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"skill": 21}, "skill must be between 0 and 20"),
        ({"skill": 3, "elo": 1500}, "skill or elo, not both"),
        ({"nodes": 0}, "nodes must be a positive number"),
        ({"movetime": -1}, "movetime must be a positive number"),
        ({"movetime": 1000}, "movetime is in seconds"),
        ({"depth": "x"}, "depth"),
    ],
)
def test_wrong_options_are_configuration_errors(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        Entrant.of({"player": "uci", **options}).make_player()


def test_it_is_found_by_its_name() -> None:
    player = Entrant.of("uci:skill=5,nodes=2000,deadline=3").make_player()
    assert isinstance(player, UciPlayer) and PLAYERS.get("uci") is UciPlayer
    assert (player.skill, player.nodes, player.deadline) == (5, 2000, 3.0)


def test_concurrent_questions_share_few_engines(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {})
    player = engine.player()

    async def run() -> None:
        turns = [Match(Chess(), seed=i).turns()[0] for i in range(12)]
        await asyncio.gather(*(player.act(turn) for turn in turns))
        await player.close()

    asyncio.run(run())
    assert engine.heard().count("uci") <= (os.cpu_count() or 1)
    assert len([line for line in engine.heard() if line.startswith("go")]) == 12
    assert engine.alive() == []


def test_a_forgotten_player_takes_its_engines_along(tmp_path: Path) -> None:
    engine = StandIn(tmp_path, {})
    player = engine.player()
    first_move(player)
    assert engine.alive()
    del player
    gc.collect()
    assert engine.alive() == []


def test_killing_an_engine_that_never_started_or_twice_is_harmless(tmp_path: Path) -> None:
    engine = UciEngine(EngineSetup(str(StandIn(tmp_path, {}).path)))
    engine.kill()
    engine.kill()
    with pytest.raises(PlayerError):
        engine.think(position_command(Chess().fen, []), "go depth 1", 5.0)


# -------------------------------------------------------------------- Stockfish


def children() -> set[str]:
    """Process ids of this process's own children."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if parent == str(os.getpid()):
            found.add(folder.name)
    return found


@needs_stockfish
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc, which only Linux has")
def test_twenty_matches_leave_no_process() -> None:
    before = children()

    async def run() -> list[float]:
        player = UciPlayer(nodes=200)
        matches = [Match(Chess(), seed=i) for i in range(20)]
        await asyncio.gather(*(play(m, {"white": player, "black": RandomPlayer()}) for m in matches))
        assert children() - before
        await player.close()
        return [(match.scores() or {})["white"] for match in matches]

    scores = asyncio.run(run())
    assert children() <= before
    assert sum(scores) >= 18  # even with two hundred nodes it beats random play


@needs_stockfish
def test_stockfish_holds_to_the_protocol_and_repeats_itself() -> None:
    player = UciPlayer(nodes=300)
    check_player(player, "chess", matches=2)
    asyncio.run(player.close())


@needs_stockfish
def test_it_finds_mate() -> None:
    game = make_game("chess", {"fen": "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"})
    assert isinstance(game, Chess)
    player = UciPlayer(nodes=2000)
    assert first_move(player, game=game).notation == ["Re8#"]
    asyncio.run(player.close())


@needs_stockfish
def test_skill_makes_a_difference() -> None:
    async def run() -> list[float]:
        strong, weak = UciPlayer(nodes=2000), UciPlayer(nodes=2000, skill=0)
        scores = []
        for i in range(4):
            match = Match(Chess(), policy=MatchPolicy(max_moves=300), seed=i)
            seats = {"white": strong, "black": weak} if i % 2 == 0 else {"white": weak, "black": strong}
            await play(match, seats)
            scores.append((match.scores() or {"white": 0.5, "black": 0.5})["white" if i % 2 == 0 else "black"])
        await strong.close()
        await weak.close()
        return scores

    assert sum(asyncio.run(run())) >= 3.0


@needs_stockfish
def test_elo_is_taken_and_its_range_is_told() -> None:
    player = UciPlayer(nodes=500, elo=1500)
    assert len(first_move(player).notation) == 1
    asyncio.run(player.close())
    with pytest.raises(ConfigurationError, match="UCI_Elo from"):
        first_move(UciPlayer(nodes=500, elo=100))
