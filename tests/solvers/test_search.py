"""Monte Carlo search and alpha-beta, against exact values."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import AnyGame, Chance, ConfigurationError, make_game
from ludometer.games.tictactoe import Cell, Position, TicTacToe
from ludometer.solvers.alphabeta import MATERIAL, alpha_beta, depth_values
from ludometer.solvers.mcts import MctsEvaluator, check_searchable, preferred, search, search_worlds
from ludometer.solvers.mnk import action_values

LUCK = Chance.from_seed("search")


def played(game: AnyGame, *moves: str) -> Any:
    state = game.new(2, LUCK)
    for move in moves:
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, move)})
    return state


def best_of(values: dict[Any, float]) -> set[Any]:
    return {action for action, value in values.items() if value == max(values.values())}


@pytest.mark.parametrize("board", ["XX.OO....", "X...O...X", "XO..X...O", "X........"])
def test_search_over_the_game_finds_the_best_move(board: str) -> None:
    game = TicTacToe()
    marks = [[Cell(i // 3 + 1, i % 3 + 1) for i, c in enumerate(board) if c == mark] for mark in "XO"]
    order = [cell for pair in zip(*marks, strict=False) for cell in pair] + marks[0][len(marks[1]) :]
    state = game.new(2, LUCK)
    for cell in order:
        state = game.apply(state, {game.to_act(state)[0]: cell})
    assert isinstance(state, Position)
    assert state.board == board
    (seat,) = game.to_act(state)
    found = search(game, state, seat, simulations=1500, chance=LUCK)
    assert sum(one.visits for one in found) == 1500
    assert preferred(found).action in best_of(dict(action_values(game, state)))


@pytest.mark.parametrize("game", [TicTacToe(), make_game("connect4"), make_game("checkers")])
def test_the_same_luck_gives_the_same_search(game: AnyGame) -> None:
    state = game.new(2, LUCK)
    (seat,) = game.to_act(state)
    first, again, other = (
        search(game, state, seat, simulations=60, chance=luck) for luck in (LUCK, LUCK, LUCK.named("other"))
    )
    assert first == again
    assert first != other


def test_engine_search_proves_a_win_in_sight() -> None:
    game = make_game("connect4")
    state = played(game, "1", "1", "2", "2", "3", "3")
    best = preferred(search(game, state, "Red", simulations=200, chance=LUCK))
    assert (game.format(state, best.action), best.proven, best.score) == ("4", True, 1.0)
    assert best.error == 0.0


def test_moves_of_several_steps_are_searched_whole() -> None:
    game = make_game("checkers")
    chance = LUCK
    for i in range(40):  # random games until somebody can capture twice
        state, step = game.new(2, chance), 0
        while seats := game.to_act(state):
            legal = game.legal(state, seats[0])
            assert legal is not None
            if any(len(move.steps) > 1 for move in legal):
                found = search(game, state, seats[0], simulations=40, chance=chance)
                assert [one.action for one in found] == list(legal)
                assert all(0 <= one.score <= 1 for one in found)
                return
            state = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named(i, step))})
            step += 1
    pytest.fail("no game had a double capture")


def test_worlds_share_the_simulations() -> None:
    game = TicTacToe()
    state = game.new(2, LUCK)
    found = search_worlds(game, [state, state], "X", 200, LUCK, 1.0)
    assert sum(one.visits for one in found) == 200
    assert len(found) == 9


@pytest.mark.parametrize("name", ["openspiel:kuhn_poker", "openspiel:leduc_poker", "openspiel:backgammon", "connect4"])
def test_a_single_simulation_finds_an_action(name: str) -> None:
    game = make_game(name)
    state = game.new(2, Chance(3))
    (seat,) = game.to_act(state)
    worlds = [game.determinize(state, seat, Chance(i)) for i in range(3)]
    best = preferred(search_worlds(game, worlds, seat, simulations=1, chance=Chance(5), exploration=1.0))
    assert best.action in (game.legal(state, seat) or ())


def test_estimates_are_near_the_exact_values() -> None:
    game = TicTacToe()
    state = played(game, "1,1", "2,2", "1,2")
    exact = dict(action_values(game, state))
    found = MctsEvaluator(400).estimates(game, state, "O")
    assert list(found) == list(exact)
    assert max(found, key=lambda action: found[action].value) == Cell(1, 3)  # everything else loses at once
    for action, one in found.items():
        assert one.exact or (one.error is not None and 0 < one.error < 0.2)
        assert abs(one.value - exact[action]) < 0.35


def test_a_terminal_action_is_exact() -> None:
    game = TicTacToe()
    found = MctsEvaluator(20).estimates(game, played(game, "1,1", "2,1", "1,2", "2,2"), "X")
    assert found[Cell(1, 3)] == (1.0, True, None)


@pytest.mark.parametrize("moves", [(), ("1,1",), ("1,1", "2,2", "3,3"), ("2,2", "1,1", "3,3", "1,3")])
def test_alpha_beta_to_the_end_is_exact(moves: tuple[str, ...]) -> None:
    game = TicTacToe()
    state = played(game, *moves)
    exact = dict(action_values(game, state))
    (seat,) = game.to_act(state)
    found = depth_values(game, state, seat, 9)
    assert best_of(found) == best_of(exact)
    assert max(found.values()) == max(exact.values())
    assert all(found[action] >= value for action, value in exact.items())  # the others may be bounds from above


def test_alpha_beta_takes_material() -> None:
    game = make_game("chess", {"fen": "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"})
    state = game.new(2, LUCK)
    action, value = alpha_beta(game, state, "white", 2, LUCK)
    assert game.format(state, action) == "exd5"
    assert 0.9 < value < 1


@pytest.mark.parametrize("name", sorted(MATERIAL))
def test_material_is_even_at_the_start_and_its_sides_add_up(name: str) -> None:
    game = make_game(name)
    evaluate = MATERIAL[name]
    state = game.new(2, LUCK)
    assert evaluate(str(state.engine), True) == 0.5
    uneven = 0
    for step in range(30):
        if not (seats := game.to_act(state)):
            break
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], LUCK.named(name, step))})
        text = str(state.engine)
        assert evaluate(text, True) + evaluate(text, False) == pytest.approx(1)
        uneven += evaluate(text, True) != 0.5
    assert uneven


def test_material_favours_the_side_that_has_more() -> None:
    mancala = make_game("mancala")
    state = played(
        mancala, *[str(mancala.format(mancala.new(2, LUCK), mancala.legal(mancala.new(2, LUCK), "first")[2]))]
    )
    assert MATERIAL["mancala"](str(state.engine), True) > 0.5  # the third pit's four seeds end in the store
    chess = make_game("chess", {"fen": "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"})
    assert MATERIAL["chess"](str(chess.new(2, LUCK).engine), True) > 0.5


def test_what_cannot_be_searched_is_refused() -> None:
    check_searchable(TicTacToe())
    with pytest.raises(ConfigurationError, match="cannot be searched"):
        check_searchable(_Hidden())


class _Hidden(TicTacToe):
    perfect_information = False
    title = "Hidden tic-tac-toe"
