"""The older API, end to end: rewards recomputed from the transcripts, all ways a game can end.

It needs verifiers before 0.4, so it is run in a virtual environment of its own (see the README).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("verifiers.legacy", reason="needs verifiers before 0.4: pip install ./environments/tic_tac_toe_v0")

import verifiers as vf
from tic_tac_toe.game import play_row
from tic_tac_toe.rows import Row
from verifiers.types import ClientConfig

from ludometer.core import ConfigurationError
from ludometer.testing.behaviours import behaviour
from ludometer.testing.fake_provider import FakeProvider, Fault, in_thread

Answer = Callable[[dict[str, Any]], Any]


def evaluated(answer: Answer, games: int, monkeypatch: pytest.MonkeyPatch, faults: Any = None, **options: Any) -> Any:
    """The outputs of that many games against a model that answers so (its content, or the whole message)."""

    def body(request: dict[str, Any]) -> dict[str, Any]:
        said = answer(request)
        message = said if isinstance(said, dict) else {"role": "assistant", "content": said}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "f", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}

    monkeypatch.setenv("VF_KEY", "a-key-for-nobody")
    env = vf.load_environment("tic-tac-toe-v0", **options)
    with in_thread(FakeProvider(body, faults=faults or {})) as fake:
        client = ClientConfig(api_key_var="VF_KEY", api_base_url=fake.url, max_retries=0)
        run = env.evaluate(client, "m", num_examples=games, rollouts_per_example=1, max_concurrent=4)
        return asyncio.run(run)["outputs"]


def replayed(output: Any) -> Any:
    """The game of an output, played again from its transcript; messages must be those that were sent."""
    said = [message["content"] for message in output["completion"]]
    told, answers = said[1::2], iter(said[0::2])
    heard: list[str] = []

    async def say(message: str | None) -> str | None:
        heard.extend([] if message is None else [message])
        return next(answers)

    result = asyncio.run(play_row(Row.model_validate_json(output["info"]["row"]), say))
    assert told == [*heard, result.final_message]
    return result


def test_twenty_games(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = evaluated(behaviour("tictactoe"), 20, monkeypatch)
    assert len(outputs) == 20
    for output in outputs:
        result = replayed(output)
        shown = output["completion"][-1]["content"].rsplit("\n\n", 1)[-1]
        assert output["reward"] == result.score == {"You lose!": 0.0, "Draw!": 0.5}[shown]
        assert output["metrics"][result.outcome] == 1 and output["metrics"]["legal_moves"] == result.legal_moves


def test_illegal_and_further_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    for output in evaluated(lambda request: "no idea", 3, monkeypatch, illegal="retry(2)", illegal_move=-1.0):
        assert replayed(output).illegal_moves == 3
        assert output["reward"] == -1 and output["metrics"]["illegal"] == 1
        assert output["completion"][-1]["content"] == "Illegal move. Game over."


@pytest.mark.parametrize("reasoning", [{"reasoning_content": "I could play 5"}, {}])
def test_an_empty_answer_is_counted_apart(monkeypatch: pytest.MonkeyPatch, reasoning: dict[str, str]) -> None:
    for output in evaluated(lambda request: {"role": "assistant", "content": "", **reasoning}, 2, monkeypatch):
        metrics = output["metrics"]
        assert (metrics["empty"], metrics["illegal"], metrics["call_error"], output["reward"]) == (1, 0, 0, 0)


def test_a_call_that_fails_is_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = {0: Fault("error", status=400)}
    outputs = evaluated(behaviour("tictactoe"), 2, monkeypatch, faults)
    assert sorted(output["metrics"]["call_error"] for output in outputs) == [0, 1]
    assert sum(output["metrics"]["unfinished"] for output in outputs) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"illegal": "retry(x)"}, "retry"),
        ({"bonus": 1.0}, "no option 'bonus'"),
        ({"opponent": "mixture(2)"}, "from 0 to 1"),
    ],
)
def test_mistakes_get_one_sentence(options: dict[str, Any], says: str) -> None:
    from tic_tac_toe_v0 import load_environment

    with pytest.raises(ConfigurationError, match=says):
        load_environment(**options)
