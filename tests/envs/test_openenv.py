"""The OpenEnv server: one seed is one game, sessions are apart, and rewards are the referee's."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

pytest.importorskip("openenv", reason="needs OpenEnv: pip install 'ludometer[openenv]'")

from starlette.testclient import TestClient

from ludometer.core import ConfigurationError
from ludometer.envs.openenv import Answer, Asked, LudometerEnvironment, create_app
from ludometer.matches import MatchPolicy
from ludometer.prompts import PromptStyle

LINE = [f"{row},{column}" for row in (1, 2, 3) for column in (1, 2, 3)]


def played(env: LudometerEnvironment, seed: int) -> list[Asked]:
    """Answers with the first cell that is free, found by trying: bad attempts are asked again."""
    seen = [env.reset(seed=seed)]
    cells = iter(LINE)
    while not seen[-1].done:
        seen.append(env.step(Answer(text=f"I play {next(cells)}")))
    return seen


def clumsy() -> LudometerEnvironment:
    return LudometerEnvironment("tictactoe", policy=MatchPolicy(attempts=9))


def test_six_resets_with_one_seed_are_one_game() -> None:
    env, other = clumsy(), clumsy()
    first = played(env, 11)
    for seed in range(5):
        played(other, seed)
        assert played(env, 11) == first
    assert len({played(env, seed)[0].prompt + played(env, seed)[1].prompt for seed in range(8)}) > 1
    assert env.reset().seat in ("X", "O")
    env.close()
    other.close()


def test_a_second_environment_never_disturbs_the_first() -> None:
    alone = played(clumsy(), 3)
    env, other = clumsy(), clumsy()
    seen = [env.reset(seed=3)]
    cells = iter(LINE)
    while not seen[-1].done:
        played(other, 4)
        seen.append(env.step(Answer(text=f"I play {next(cells)}")))
    assert seen == alone


def test_prompts_only_say_what_is_new_and_the_reward_is_the_score() -> None:
    for seed in range(6):
        seen = played(clumsy(), seed)
        assert "tic-tac-toe" in seen[0].prompt
        assert all("It is your turn again" in asked.prompt for asked in seen[1:-1])
        assert seen[-1].prompt == "" and seen[-1].ending == "completed"
        assert seen[-1].scores is not None and seen[-1].reward == seen[-1].scores[seen[-1].seat]
        assert all(asked.reward == 0.0 for asked in seen[:-1])
        assert {asked.verdict for asked in seen[1:]} <= {"legal", "already_taken"}


def test_an_answer_without_a_move_forfeits_by_default() -> None:
    env = LudometerEnvironment()
    env.reset(seed=1)
    last = env.step(Answer(text="I do not know"))
    assert (last.done, last.reward, last.ending, last.verdict) == (True, 0.0, "forfeit", "invalid_format")
    assert last.reason
    with pytest.raises(ConfigurationError, match="not asked"):
        env.step(Answer(text="1,1"))


def test_officials_sit_at_their_places_and_hidden_moves_stay_hidden() -> None:
    env = LudometerEnvironment("uno", ["random", "random"], seat="2")
    env.reset(seed=0)
    assert env.state.seat == "2" and env.state.moves == []
    asked = LudometerEnvironment("mathquiz", ["random"]).reset(seed=0)
    assert asked.prompt and not asked.done


def test_the_server(recwarn: Any) -> None:
    """Two sessions over WebSockets, mixed; the answers are those of the environment itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client = TestClient(create_app("tictactoe", policy=MatchPolicy(attempts=9)))

        def said(socket: Any, kind: str, data: dict[str, Any]) -> dict[str, Any]:
            socket.send_text(json.dumps({"type": kind, "data": data}))
            answer: dict[str, Any] = json.loads(socket.receive_text())
            assert answer["type"] == "observation", answer
            return answer["data"]

        with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
            seen = [said(one, "reset", {"seed": 7})]
            said(two, "reset", {"seed": 8})
            for cell in LINE:
                if seen[-1]["done"]:
                    break
                seen.append(said(one, "step", {"text": f"I play {cell}"}))
                said(two, "reset", {"seed": 9})
    expected = played(clumsy(), 7)
    assert [(o["observation"]["prompt"], o["reward"], o["done"]) for o in seen] == [
        (o.prompt, o.reward, o.done) for o in expected
    ]


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="no picture"):
        LudometerEnvironment("tictactoe", style=PromptStyle(view="image"))
    with pytest.raises(ConfigurationError, match="for 2 players, not 3"):
        LudometerEnvironment("tictactoe", ["random", "random"])
    with pytest.raises(ConfigurationError, match="reset"):
        LudometerEnvironment().step(Answer(text="1,1"))
    with pytest.raises(ConfigurationError, match="no game"):
        create_app("tictacto")
