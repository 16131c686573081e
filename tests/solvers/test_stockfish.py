"""Stockfish as a judge of moves, and the accuracy formulas against figures that lichess publishes or must follow."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance, ConfigurationError, InternalError
from ludometer.games.chess import Chess, ChessState
from ludometer.games.tictactoe import TicTacToe
from ludometer.solvers import EVALUATORS
from ludometer.solvers.estimates import best_evaluator, estimates_of
from ludometer.solvers.stockfish import (
    Score,
    StockfishEvaluator,
    accuracies,
    game_accuracies,
    move_accuracy,
    read_scores,
    win_percent,
)

HERE = StockfishEvaluator().supports(Chess())
needs_stockfish = pytest.mark.skipif(not HERE, reason="needs Stockfish (Debian and Ubuntu: apt-get install stockfish)")


def positions(moves: str, game: Chess | None = None) -> tuple[Chess, list[ChessState]]:
    game = game or Chess()
    states = [game.new(2, Chance(0))]
    for text in moves.split():
        (seat,) = game.to_act(states[-1])
        states.append(game.apply(states[-1], {seat: game.parse(states[-1], seat, text)}))
    return game, states


def values(evaluator: StockfishEvaluator, fen: str) -> dict[str, float]:
    game, (state,) = positions("", Chess(fen))
    (seat,) = game.to_act(state)
    found = {game.format(state, move): value for move, value in evaluator.action_values(game, state, seat).items()}
    assert len(found) == len(game.legal(state, seat))
    return found


# --------------------------------------------------------------------- formulas


def test_chances_to_win() -> None:
    """50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1), worked out by hand for some values."""
    assert win_percent(0) == 50
    assert win_percent(100) == pytest.approx(59.1, abs=0.05)
    assert win_percent(-100) == pytest.approx(100 - win_percent(100))
    assert win_percent(300) == pytest.approx(75.1, abs=0.05)
    assert win_percent(1000) == win_percent(50_000) == pytest.approx(97.5, abs=0.05)


def test_accuracy_of_a_move() -> None:
    assert move_accuracy(50, 50) == move_accuracy(50, 60) == 100
    assert move_accuracy(60, 50) == pytest.approx(103.1668 * 0.64701 - 3.1669 + 1, abs=0.01)  # exp(-0.4354)
    assert move_accuracy(100, 0) == 0


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100))
def test_a_worse_move_is_never_more_accurate(before: float, one: float, other: float) -> None:
    better, worse = max(one, other), min(one, other)
    assert 0 <= move_accuracy(before, worse) <= move_accuracy(before, better) <= 100


def test_accuracy_of_a_game() -> None:
    """One move each by hand: both windows of two positions, so the weighted mean is the accuracy itself."""
    found = accuracies([50.0, 50.0, 60.0])
    assert found["white"] == 100
    assert found["black"] == pytest.approx(move_accuracy(50, 40))
    assert accuracies([50.0, 40.0], "black") == {"white": None, "black": 100.0}
    # (0 + harmonic mean of 0, taken as 1) / 2: a move that loses everything
    assert accuracies([100.0, 0.0])["white"] == pytest.approx(0.5)
    assert accuracies([50.0]) == {"white": None, "black": None}


def test_quiet_moves_weigh_less_than_those_that_swing_the_game() -> None:
    steady, swing = [50.0] * 21, [50.0] * 20 + [90.0]  # Black, who moves last, gives the game away
    quiet, lost = accuracies(steady), accuracies(swing)
    assert quiet == {"white": 100.0, "black": 100.0}
    assert lost["white"] == 100
    blunder = move_accuracy(50, 10)
    black = lost["black"]
    assert black is not None and black < (9 * 100 + blunder) / 10


@given(st.lists(st.floats(0, 100), min_size=2, max_size=60))
def test_accuracies_are_percentages_and_the_same_for_both_colours(percents: list[float]) -> None:
    found = accuracies(percents)
    mirrored = accuracies([100 - percent for percent in percents], "black")
    for seat, other in (("white", "black"), ("black", "white")):
        one, two = found[seat], mirrored[other]
        if one is None or two is None:
            assert one is two
        else:
            assert 0 <= one <= 100
            assert one == pytest.approx(two, abs=1e-6)


# ---------------------------------------------------------------------- reading


def test_what_the_engine_says_is_read() -> None:
    lines = [
        "info string NNUE evaluation",
        "info depth 1 multipv 1 score cp 30 nodes 20 pv e2e4",
        "info depth 2 multipv 1 score cp 17 wdl 60 900 40 nodes 90 pv d2d4 d7d5",
        "info depth 2 multipv 2 score cp 90 lowerbound nodes 99 pv e2e4",
        "info depth 2 multipv 2 score cp -5 nodes 99 pv e2e4 e7e5",
        "info depth 2 multipv 3 score mate -3 nodes 99 pv g2g4",
        "info depth 2 multipv 4 score mate 2 wdl 1000 0 0 pv a7a8q b8b7",
        "info depth 2 currmove e2e4",
    ]
    assert read_scores(lines) == {
        "d2d4": Score(17, wdl=(60, 900, 40)),
        "e2e4": Score(-5),
        "g2g4": Score(-1000, mate=True),
        "a7a8q": Score(1000, mate=True),
    }
    assert next(iter(read_scores(lines))) == "d2d4"


def test_scales() -> None:
    score = Score(100, wdl=(600, 300, 100))
    assert score.expected("wdl") == 0.75
    assert score.expected("lichess") == pytest.approx(win_percent(100) / 100)
    assert Score(100).expected("wdl") == pytest.approx(win_percent(100) / 100)
    assert (Score(1000, mate=True).expected("lichess"), Score(-1000, mate=True).expected("wdl")) == (1.0, 0.0)


# ------------------------------------------------------------------- the engine


def test_it_is_found_and_estimates() -> None:
    assert EVALUATORS.get("stockfish") is StockfishEvaluator
    assert not StockfishEvaluator.exact and "estimates" in StockfishEvaluator.error
    assert not StockfishEvaluator().supports(TicTacToe())


def test_without_the_engine() -> None:
    evaluator = StockfishEvaluator(path="no-such-engine-here")
    assert not evaluator.supports(Chess())
    with pytest.raises(ConfigurationError, match="apt-get install stockfish"):
        asyncio.run(evaluator.prepare(Chess()))
    with pytest.raises(ConfigurationError, match="chess only"):
        asyncio.run(evaluator.prepare(TicTacToe()))
    with pytest.raises(ValueError, match="at least 10000"):
        StockfishEvaluator(nodes=5)


@needs_stockfish
def test_mates_and_blunders_are_told_apart() -> None:
    evaluator = StockfishEvaluator(nodes=20_000)
    found = values(evaluator, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert found["Ra8#"] == 1.0 == max(found.values())
    hanging = values(evaluator, "4k3/8/8/3q4/8/3Q4/3PP3/4K3 w - - 0 1")
    assert max(hanging, key=hanging.__getitem__) == "Qxd5"
    assert hanging["Qxd5"] > 0.9 and hanging["Qa3"] < 0.7
    evaluator.close()


@needs_stockfish
def test_the_same_position_has_the_same_values_whatever_came_before() -> None:
    evaluator = StockfishEvaluator(nodes=20_000)
    game, states = positions("e4 e5 Nf3")
    first = evaluator.action_values(game, states[2], "white")
    evaluator.action_values(game, states[0], "white")
    evaluator.evaluate(game, states[3])
    assert evaluator.action_values(game, states[2], "white") == first
    twin = pickle.loads(pickle.dumps(evaluator))
    assert twin.action_values(game, states[2], "white") == first
    assert list(first) == list(game.legal(states[2], "white"))
    estimates = estimates_of(evaluator, game, states[2], "white")
    assert not any(estimate.exact for estimate in estimates.values())
    evaluator.close()
    twin.close()


@needs_stockfish
def test_it_is_the_best_judge_of_chess_and_knows_whose_turn_it_is() -> None:
    evaluator = best_evaluator(Chess())
    assert isinstance(evaluator, StockfishEvaluator)
    game, states = positions("e4")
    with pytest.raises(InternalError):
        evaluator.action_values(game, states[-1], "white")


@needs_stockfish
def test_the_engines_own_rates() -> None:
    evaluator = StockfishEvaluator(nodes=20_000, scale="wdl")
    found = values(evaluator, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1")
    assert max(found.values()) > 0.99
    evaluator.close()


@needs_stockfish
def test_the_loser_of_a_short_game_was_less_accurate() -> None:
    evaluator = StockfishEvaluator(nodes=20_000)
    game, states = positions("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#")
    found = game_accuracies(evaluator, game, states)
    white, black = found["white"], found["black"]
    assert white is not None and black is not None
    assert black < 60 < white
    assert evaluator.evaluate(game, states[-1]) == Score(-1000, mate=True)
    _, drawn = positions("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
    assert evaluator.evaluate(game, drawn[-1]) == Score(0)
    assert game_accuracies(evaluator, game, []) == {"white": None, "black": None}
    evaluator.close()
