"""Players that search: contract, strength and refusals."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from ludometer import play
from ludometer.core import ConfigurationError, make_game
from ludometer.games.connect4 import ConnectFour
from ludometer.games.nim import Nim
from ludometer.games.tictactoe import TicTacToe
from ludometer.matches import Match, MatchPolicy
from ludometer.matches import play as play_match
from ludometer.players.alphabeta import AlphaBetaPlayer
from ludometer.players.greedy import GreedyPlayer
from ludometer.players.mcts import MctsPlayer
from ludometer.players.perfect import PerfectPlayer
from ludometer.players.random import RandomPlayer
from ludometer.players.solver import SolverPlayer, best_columns
from ludometer.solvers.connect4 import Judgement
from ludometer.solvers.workers import worker_count
from ludometer.testing import check_player


@pytest.mark.parametrize("make", [lambda: MctsPlayer(simulations=30), lambda: AlphaBetaPlayer(depth=2), GreedyPlayer])
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers"])
def test_searchers_hold_to_the_contract(make: Any, game: str) -> None:
    check_player(make, game, matches=1)


def test_the_solver_holds_to_the_contract() -> None:
    check_player(lambda: SolverPlayer(positions=2000), "connect4", matches=1)


@pytest.mark.parametrize("misere", [True, False])
def test_perfect_nim_wins_every_won_game(misere: bool) -> None:
    # 1, 3, 5, 7 is lost for who begins in both kinds; 1, 3, 5, 6 is won.
    for i in range(5):
        won = play("nim", ["perfect", "random"], options={"piles": "1,3,5,6", "misere": misere}, seed=i)
        lost = play("nim", ["perfect", "perfect"], options={"piles": "1,3,5,7", "misere": misere}, seed=i)
        assert won.scores() == {"first": 1.0, "second": 0.0}
        assert lost.scores() == {"first": 0.0, "second": 1.0}
    PerfectPlayer.supports(Nim())


def test_greedy_wins_at_once_and_stops_what_would_win() -> None:
    for seed in range(4):
        match = play("tictactoe", ["greedy", "random"], seed=seed)
        scores = match.scores()
        assert scores is not None
        assert scores["X"] >= 0.5  # random alone never makes the two threats at once that beat it here


def test_searchers_beat_random_at_connect_four() -> None:
    for seed in range(2):
        for player in ("mcts:simulations=150", "alphabeta:depth=4", "solver:positions=3000"):
            assert play("connect4", [player, "random"], seed=seed).scores() == {"Red": 1.0, "Yellow": 0.0}
            assert play("connect4", ["random", player], seed=seed).scores() == {"Red": 0.0, "Yellow": 1.0}


def test_the_log_says_how_far_the_solver_saw() -> None:
    match = play("connect4", ["solver:positions=4000", "greedy"], seed=3)
    said = [attempt.decision.rationale for attempt in match.attempts if attempt.seat == "Red"]
    assert "moves ahead" in said[0]
    assert "proven to the end" in said[-1] or "won" in said[-1]


def test_waiting_for_a_free_process_is_not_charged() -> None:
    async def games() -> list[Match]:
        matches = [Match(make_game("connect4"), seed=i) for i in range(12)]
        seats = {"Red": MctsPlayer(simulations=40), "Yellow": RandomPlayer()}
        await asyncio.gather(*(play_match(match, seats) for match in matches))
        return matches

    started = time.monotonic()
    matches = asyncio.run(games())
    taken = time.monotonic() - started
    charged = [a.decision.seconds for match in matches for a in match.attempts if a.seat == "Red"]
    assert all(charged)
    assert sum(charged) <= taken * worker_count()  # waiting would be charged to all twelve at once


def test_the_solver_prefers_what_is_not_lost() -> None:
    assert best_columns(Judgement({0: -1, 1: 0, 2: None, 3: -1}, 9, 1)) == [1, 2]
    assert best_columns(Judgement({0: -1, 1: 1, 2: None}, 9, 1)) == [1]
    assert best_columns(Judgement({0: -1, 3: -1}, None, 1)) == [0, 3]


@pytest.mark.parametrize(
    ("player", "game", "words"),
    [
        (SolverPlayer(), TicTacToe(), "solver plays connect4"),
        (SolverPlayer(), ConnectFour(rows=5), "usual board"),
        (PerfectPlayer(), ConnectFour(), "no exact values"),
        (AlphaBetaPlayer(), type("Hidden", (TicTacToe,), {"perfect_information": False})(), "try mcts"),
        (MctsPlayer(), type("Hidden", (TicTacToe,), {"perfect_information": False})(), "cannot be searched"),
    ],
)
def test_games_that_do_not_fit_are_refused(player: Any, game: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        player.supports(game)


@pytest.mark.parametrize("make", [lambda: MctsPlayer(0), lambda: AlphaBetaPlayer(0), lambda: SolverPlayer(1)])
def test_senseless_options_are_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="at least"):
        make()


def test_a_deadline_ends_a_search() -> None:
    match = Match(make_game("connect4"), policy=MatchPolicy(decision_deadline=0.3, attempts=1))
    players = {"Red": MctsPlayer(simulations=10_000_000), "Yellow": RandomPlayer()}
    ending = asyncio.run(asyncio.wait_for(play_match(match, players), 60))
    assert (ending.kind, ending.offender) == ("forfeit", "Red")
    assert match.attempts[0].verdict.status == "timeout"


@pytest.mark.slow
def test_perfect_never_loses_two_thousand_games() -> None:
    players = [PerfectPlayer(), RandomPlayer()]

    async def games() -> list[float]:
        scores = []
        for i in range(2000):
            match = Match(TicTacToe(), luck=i, seed=i)
            own = "XO"[i % 2]
            await play_match(match, {seat: players[seat != own] for seat in "XO"})
            found = match.scores()
            assert found is not None
            scores.append(found[own])
        return scores

    scores = asyncio.run(games())
    assert min(scores) >= 0.5
    assert sum(scores) > 1700
