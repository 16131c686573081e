"""Gymnasium's own check, and that the opponents are the players of tournaments."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs Gymnasium: pip install 'ludometer[envs]'")

from gymnasium.utils.env_checker import check_env

from ludometer.core import ConfigurationError, Decision, Turn
from ludometer.envs.gymnasium import LudometerEnv
from ludometer.matches import MatchPolicy


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "uno", "liars_dice", "openspiel:matrix_rps"])
def test_the_library_s_own_check_passes(name: str) -> None:
    env = LudometerEnv(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it doubts bounds that are infinite, as OpenSpiel's are
        check_env(env, skip_render_check=True)
    env.close()


def played(env: LudometerEnv, seed: int) -> list[Any]:
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    seen: list[Any] = [(observation["observation"].tobytes(), info["seat"])]
    over = stopped = env.match is not None and env.match.ending is not None
    while not (over or stopped):
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, over, stopped, info = env.step(action)
        seen.append((observation["observation"].tobytes(), reward, over, stopped, info["verdict"]))
    return seen


def test_one_seed_is_one_game_and_environments_are_apart() -> None:
    env, other = LudometerEnv("uno", n=3), LudometerEnv("uno", n=3)
    first = played(env, 4)
    played(other, 8)
    assert all(played(env, 4) == first for _ in range(3))
    assert played(other, 4) == first != played(other, 5)
    env.close()
    other.close()


def test_nobody_beats_perfect_and_the_seat_is_drawn() -> None:
    env = LudometerEnv("tictactoe", "perfect")
    games = [played(env, seed) for seed in range(12)]
    assert {game[0][1] for game in games} == {"X", "O"}
    assert {game[-1][1] for game in games} <= {0.0, 0.5}
    assert all(step[1] == 0.0 for game in games for step in game[1:-1])
    env.close()


class Watching:
    """Plays the first legal move, and remembers in which seats it sat."""

    def __init__(self) -> None:
        self.seats: set[str] = set()

    async def act(self, turn: Turn) -> Decision:
        await asyncio.sleep(0)
        self.seats.add(turn.seat)
        assert turn.legal is not None
        return Decision(turn.legal[0])


def test_opponents_keep_their_order_around_the_learner() -> None:
    first, second = Watching(), Watching()
    env = LudometerEnv("uno", [first, second], n=3)
    for seat, seats in (("1", "23"), ("2", "13"), ("3", "12")):
        first.seats.clear()
        second.seats.clear()
        observation, _ = env.reset(seed=1, options={"seat": seat})
        over = False
        while not over:
            action = int(np.flatnonzero(observation["action_mask"])[0])
            observation, _, over, _, _ = env.step(action)
        assert (first.seats, second.seats) == ({seats[0]}, {seats[1]})
    env.close()


def test_an_illegal_action_is_the_policy_s_business() -> None:
    env = LudometerEnv("tictactoe", seat="X")
    env.reset(seed=0)
    assert env.match is not None
    env.step(4)
    _, reward, over, stopped, info = env.step(4)
    assert (reward, over, stopped, info["verdict"], info["ending"]) == (0.0, True, False, "already_taken", "forfeit")
    with pytest.raises(ConfigurationError, match="reset"):
        env.step(0)
    env = LudometerEnv("tictactoe", seat="X", policy=MatchPolicy(attempts=2), render_mode="ansi")
    env.reset(seed=0)
    env.step(4)
    before = env.render()
    assert env.step(4)[2] is False and env.render() == before
    env.close()


def test_inside_a_running_loop() -> None:
    """As in a notebook, where one runs already."""

    async def notebook() -> list[Any]:
        env = LudometerEnv("connect4", Watching())
        try:
            return played(env, 3)
        finally:
            env.close()

    env = LudometerEnv("connect4", Watching())
    assert asyncio.run(notebook()) == played(env, 3)
    env.close()


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="2 opponents are needed, not 1"):
        LudometerEnv("uno", ["random"], n=3)
    with pytest.raises(ConfigurationError, match="no seat 'Z'; there are X, O"):
        LudometerEnv("tictactoe", seat="Z")
    with pytest.raises(ConfigurationError, match="dqn plays uno"):
        LudometerEnv("tictactoe", "dqn")
    with pytest.raises(ConfigurationError, match="no player 'perfct'"):
        LudometerEnv("tictactoe", "perfct")
