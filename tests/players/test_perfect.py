from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, Seat, Turn
from ludometer.games.tictactoe import Cell, Position, TicTacToe
from ludometer.matches import Match, play
from ludometer.players.perfect import PerfectPlayer
from ludometer.players.random import RandomPlayer
from ludometer.solvers.mnk import action_values
from ludometer.testing import check_player


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOMETER_CACHE", str(folder))
        yield


def worst(game: TicTacToe, state: Position, seat: Seat, seen: set[str]) -> float:
    """The worst score of ``seat`` when it plays any of its best moves and its opponent plays everything."""
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.scores[seat]
    if state.board in seen:
        return 1.0  # looked at already; the worst of the whole tree is what counts
    seen.add(state.board)
    (mover,) = game.to_act(state)
    moves = game.legal(state, mover)
    if mover == seat:
        values = action_values(game, state)
        moves = [cell for cell in moves if values[cell] == max(values.values())]
    return min(worst(game, game.apply(state, {mover: cell}), seat, seen) for cell in moves)


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("seat", ["X", "O"])
def test_it_never_does_worse_than_the_value_of_the_game(seat: Seat, misere: bool) -> None:
    """Every opponent reply, and every one of several best moves. 3x3 is a draw both ways."""
    game = TicTacToe(misere=misere)
    assert worst(game, game.new(2, Chance(0)), seat, set()) == 0.5


def turn_of(game: TicTacToe, state: Position, seed: int) -> Turn:
    match = Match(game, seed=seed)
    match.state = state
    (turn,) = match.turns()
    return turn


def test_it_plays_exactly_the_best_moves_and_each_of_them() -> None:
    """The player itself, at every position of a tree: what `worst` assumes it plays is what it plays."""
    game = TicTacToe()
    boards = {
        "": 9,
        "1,2": 4,
        "1,2 2,2": 6,  # the cell opposite loses, the others draw
        "1,1 2,1 1,2 2,2": 1,  # one move wins, others draw
        "1,1 1,2 2,2 2,1 3,1": 4,  # every move loses
    }
    for moves, choices in boards.items():
        state = game.new(2, Chance(0))
        for move in moves.split():
            (seat,) = game.to_act(state)
            state = game.apply(state, {seat: game.parse(state, seat, move)})
        values = action_values(game, state)
        best = {cell for cell, value in values.items() if value == max(values.values())}
        played = Counter(
            asyncio.run(PerfectPlayer().act(turn_of(game, state, seed))).action for seed in range(25 * len(best))
        )
        assert set(played) == best
        assert len(best) == choices


def test_it_never_loses_to_random() -> None:
    assert losses(TicTacToe(), 60) == 0


@pytest.mark.slow
def test_it_never_loses_to_random_in_2000_matches() -> None:
    assert losses(TicTacToe(), 2000) == 0


@pytest.mark.slow
def test_it_never_loses_on_four_by_four() -> None:
    assert losses(TicTacToe(4, 4, line=4), 40) == 0


@pytest.mark.slow
def test_it_wins_every_won_game() -> None:
    assert scores(TicTacToe(4, 4, line=3), 20, seats=("X",)) == [1.0] * 20
    assert scores(TicTacToe(3, 4, line=3), 20, seats=("X",)) == [1.0] * 20


def losses(game: TicTacToe, matches: int) -> int:
    return scores(game, matches).count(0.0)


def scores(game: TicTacToe, matches: int, seats: tuple[Seat, ...] = ("X", "O")) -> list[float]:
    async def one(i: int) -> float:
        own = seats[i % len(seats)]
        match = Match(game, seed=i)
        players = {seat: PerfectPlayer() if seat == own else RandomPlayer() for seat in ("X", "O")}
        await play(match, players)
        result = match.scores()
        assert result is not None and match.outcome is not None
        return result[own]

    async def all_of_them() -> list[float]:
        return [await one(i) for i in range(matches)]

    return asyncio.run(all_of_them())


def test_it_holds_to_the_protocol() -> None:
    check_player(PerfectPlayer)
    check_player(PerfectPlayer(), TicTacToe(misere=True))


def test_it_says_early_what_it_cannot_play() -> None:
    PerfectPlayer.supports(TicTacToe(4, 4, line=4))
    with pytest.raises(ConfigurationError, match="up to 16 cells"):
        PerfectPlayer.supports(TicTacToe(5, 5, line=4))


def test_it_refuses_at_the_board_too() -> None:
    match = Match(TicTacToe(5, 5, line=4))
    with pytest.raises(ConfigurationError, match="up to 16 cells"):
        asyncio.run(play(match, {"X": PerfectPlayer(), "O": RandomPlayer()}))


class Veiled(TicTacToe):
    """Shows the player another state than the true one: what it plays must come from what it was shown."""

    def determinize(self, state: Position, seat: Seat, chance: Chance) -> Position:
        return Position("XX.OO....", (Cell(1, 1), Cell(2, 1), Cell(1, 2), Cell(2, 2)))


def test_it_sees_only_what_it_may_imagine() -> None:
    (turn,) = Match(Veiled()).turns()
    assert asyncio.run(PerfectPlayer().act(turn)).action == Cell(1, 3)
    with pytest.raises(Illegal):
        turn.decode({"nothing": 1})
