"""PettingZoo's own tests, and that an agent's world is the match."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs PettingZoo: pip install 'ludometer[envs]'")

from pettingzoo.test import api_test, seed_test

from ludometer.core import ConfigurationError
from ludometer.envs.pettingzoo import LudometerAEC, env
from ludometer.matches import MatchPolicy

GAMES = ["tictactoe", "connect4", "uno", "liars_dice", "openspiel:matrix_rps", "checkers"]


@pytest.mark.parametrize("name", GAMES)
def test_the_library_s_own_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they recommend other names for agents
        api_test(LudometerAEC(name), num_cycles=100)
        seed_test(lambda: LudometerAEC(name), num_cycles=50)
    assert "Passed" in capsys.readouterr().out


def played(world: LudometerAEC, luck: int) -> list[Any]:
    """Plays legal actions at random; what every agent saw and got."""
    world.reset(seed=luck)
    for agent in world.agents:
        world.action_space(agent).seed(luck)
    seen: list[Any] = []
    for agent in world.agent_iter():
        observation, reward, terminated, truncated, info = world.last()
        seen.append((agent, observation["observation"].tobytes(), reward, terminated, truncated, info))
        over = terminated or truncated
        world.step(None if over else world.action_space(agent).sample(observation["action_mask"]))
    return seen


def test_rewards_are_the_scores() -> None:
    world = env("uno", 4)
    for luck in range(3):
        got: dict[str, float] = dict.fromkeys(world.possible_agents, 0.0)
        for agent, _, reward, *_ in played(world, luck):
            got[agent] += reward
        assert world.match is not None and got == world.match.scores() and sum(got.values()) == pytest.approx(1)
        assert all(attempt.verdict.is_legal for attempt in world.match.attempts)


def test_two_environments_do_not_disturb_each_other() -> None:
    alone = played(LudometerAEC("uno"), 5)
    one, other = LudometerAEC("uno"), LudometerAEC("uno")
    played(other, 9)
    one.reset(seed=5)
    played(other, 3)
    assert played(one, 5) == alone
    one.reset()
    first = one.match
    one.reset()
    assert first is not None and one.match is not None and first.state != one.match.state


def test_an_illegal_action_forfeits_or_is_asked_again() -> None:
    world = LudometerAEC("tictactoe")
    world.reset(seed=1)
    world.step(4)
    world.step(4)
    assert world.rewards == {"X": 1.0, "O": 0.0} and all(world.terminations.values())
    assert world.infos["O"]["verdict"] == "already_taken" and world.infos["X"]["ending"] == "forfeit"
    world = LudometerAEC("tictactoe", policy=MatchPolicy(attempts=2))
    world.reset(seed=1)
    world.step(4)
    world.step(4)
    assert world.agent_selection == "O" and not any(world.terminations.values())


def test_a_canceled_match_is_truncated() -> None:
    world = LudometerAEC("tictactoe", policy=MatchPolicy(attempts=1, max_moves=2), render_mode="ansi")
    world.reset(seed=1)
    world.step(0)
    world.step(1)
    assert all(world.truncations.values()) and not any(world.terminations.values())
    assert set(world.rewards.values()) == {0.0} and "X" in (world.render() or "")


def test_nobody_sees_what_is_chosen_at_the_same_time() -> None:
    world = LudometerAEC("openspiel:matrix_rps")
    seen = []
    for action in range(3):
        world.reset(seed=0)
        world.step(action)
        observation = world.observe("P1")
        assert world.agent_selection == "P1" and observation["action_mask"].all()
        assert not world.observe("P0")["action_mask"].any()
        seen.append(observation["observation"])
    assert np.array_equal(seen[0], seen[1]) and np.array_equal(seen[1], seen[2])


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="reset"):
        LudometerAEC("tictactoe").step(0)
    with pytest.raises(ConfigurationError, match="no game 'tictacto'"):
        LudometerAEC("tictacto")
    world = LudometerAEC("tictactoe")
    world.reset()
    with pytest.raises(ConfigurationError, match="not None"):
        world.step(None)
