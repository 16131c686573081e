"""The flat Monte Carlo player: contract, strength, and that it sees nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer import play
from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games.tictactoe import TicTacToe
from ludometer.games.uno import Uno
from ludometer.games.uno.kernel import COMPILED
from ludometer.players.monte_carlo import MonteCarloPlayer, best_action
from ludometer.solvers.flat_monte_carlo import flat_values
from ludometer.testing import check_player

needs_numba = pytest.mark.skipif(not COMPILED, reason="numba is not installed: pip install 'ludometer[fast]'")


@pytest.mark.parametrize("game", ["uno", "tictactoe", "connect4"])
def test_it_holds_to_the_contract(game: str) -> None:
    check_player(lambda: MonteCarloPlayer(rollouts=15, worlds=3), game, matches=1)


def test_it_decides_alike_in_states_it_cannot_tell_apart() -> None:
    game = Uno()
    pairs = [(a, b, seat) for a, b, seat in game.swap_hidden() if game.to_act(a) == (seat,) == game.to_act(b)]
    assert pairs
    for i, (one, other, seat) in enumerate(pairs):
        luck = Chance.from_seed(i)
        found = [
            flat_values(game, [game.determinize(state, seat, luck.named("world"))], seat, 40, luck.named("playouts"))
            for state in (one, other)
        ]
        assert found[0] == found[1]


def test_its_values_in_uno_do_not_depend_on_what_was_imagined() -> None:
    game = Uno()
    state = game.new(3, Chance.from_seed("imagined"))
    (seat,) = game.to_act(state)
    worlds = [game.determinize(state, seat, Chance.from_seed(i)) for i in range(3)]
    assert len({world.hands for world in worlds}) == 3
    found = [flat_values(game, [world], seat, 30, Chance.from_seed("luck")) for world in worlds]
    assert found[0] == found[1] == found[2]


def test_it_takes_a_win_and_knows_how_sure_it_is() -> None:
    game = TicTacToe()
    state = game.new(2, Chance(0))
    for text in ("1,1", "2,1", "1,2", "2,2"):
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    values = flat_values(game, [state], "X", 200, Chance.from_seed(1))
    assert list(values) == list(game.legal(state, "X"))
    action, value, error = best_action(game, [state], "X", 200, Chance.from_seed(1))
    assert (game.format(state, action), value) == (game.format(state, game.parse(state, "X", "1,3")), 1.0)
    assert 0 < error < 0.01
    others = [one for other, one in values.items() if other != action]
    assert all(0.01 < (one.error or 0) < 0.04 and one.value < 0.9 for one in others)


def test_all_actions_of_a_position_meet_the_same_luck() -> None:
    game = make_game("connect4")
    state = game.new(2, Chance(0))
    (seat,) = game.to_act(state)
    one, other = (flat_values(game, [state], seat, 25, Chance.from_seed(i)) for i in (1, 2))
    assert one == flat_values(game, [state], seat, 25, Chance.from_seed(1))
    assert one != other


def test_the_log_says_what_it_thought() -> None:
    match = play("uno", ["monte_carlo:rollouts=20", "random"], seed=2)
    said = [attempt.decision.rationale for attempt in match.attempts if attempt.seat == "1"]
    assert any("20 playouts of each action" in one for one in said)


@pytest.mark.parametrize("options", [{"rollouts": 0}, {"worlds": 0}])
def test_senseless_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        MonteCarloPlayer(**options)


def test_games_that_do_not_fit_are_refused() -> None:
    hidden = type("Hidden", (TicTacToe,), {"perfect_information": False})()
    with pytest.raises(ConfigurationError, match="cannot be searched"):
        MonteCarloPlayer().supports(hidden)


def score_against_random(decks: int, rollouts: int) -> float:
    """Mean score in games for two in which random moves first, as the player decides but without its processes."""
    game = Uno()
    total = 0.0
    for deck in range(decks):
        chance = Chance.from_seed(deck)
        state, step = game.new(2, chance), 0
        while to_act := game.to_act(state):
            (seat,) = to_act
            luck = chance.named("step", step)
            actions = game.legal(state, seat)
            if seat == "1" or len(actions) == 1:
                action = luck.choice(actions)[0]
            else:
                world = game.determinize(state, seat, luck.named("world"))
                action, _, _ = best_action(game, [world], seat, rollouts, luck.named("playouts"))
            state = game.apply(state, {seat: action})
            step += 1
        outcome = game.outcome(state)
        assert outcome is not None
        total += outcome.scores["2"]
    return total / decks


@needs_numba
def test_it_beats_random_at_uno() -> None:
    assert score_against_random(60, 100) > 0.6


@needs_numba
@pytest.mark.slow
def test_it_wins_seventy_percent_against_random_moving_first() -> None:
    assert score_against_random(500, 1000) >= 0.7
