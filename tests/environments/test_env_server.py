"""Both environments behind verifiers' environment server, which is how trainers run them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ludometer.testing.fake_provider import in_thread

vf = pytest.importorskip("verifiers.v1", reason="needs verifiers: pip install 'ludometer[verifiers]'")
pytestmark = pytest.mark.slow


async def served(config: dict[str, Any], url: str, tasks: int) -> list[Any]:
    """The episodes of the first tasks, run by a server that knows only what comes over the wire."""
    from verifiers.v1.serve.client import EnvClient
    from verifiers.v1.serve.server import EnvServer

    resolved = vf.resolve_env_config(config)
    taskset = vf.load_taskset(resolved.taskset)
    server = EnvServer(resolved, address="tcp://127.0.0.1:0")
    running = asyncio.create_task(server.run())
    client = EnvClient(server.address)
    try:
        await client.wait_for_server_startup(60)
        endpoint = vf.EvalClientConfig(base_url=url, api_key_var="VF_KEY")
        dumped = [task.data.model_dump(mode="json") for task in taskset.take(tasks)]
        runs = [client.run(endpoint, "fake", vf.SamplingConfig(max_tokens=9), data) for data in dumped]
        return list(await asyncio.wait_for(asyncio.gather(*runs), 120))
    finally:
        await client.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize(
    ("taskset", "traces"),
    [
        ({"id": "tic-tac-toe", "opponent": "random"}, 1),
        ({"id": "ludometer-games", "view": "numbered", "seats": "self"}, 2),
        ({"id": "ludometer-games", "view": "numbered", "opponent": "perfect"}, 1),
    ],
)
def test_episodes_come_over_the_wire_whole(provider, monkeypatch, taskset, traces):
    monkeypatch.setenv("VF_KEY", "a-key-for-nobody")
    with in_thread(provider("tictactoe")) as fake:
        episodes = asyncio.run(served({"taskset": taskset}, fake.url, 6))
    assert len(episodes) == 6
    for episode in episodes:
        assert episode.ok, episode.errors
        assert len(episode.traces) == traces
        for trace in episode.traces:
            assert trace.reward == trace.info["score"]
            assert len(trace.branches) == 1
            assert trace.num_turns == len(trace.assistant_messages) >= 2
        if traces == 2:
            assert sum(trace.reward for trace in episode.traces) == 1
    games = {json.dumps([message.content for message in episode.traces[0].messages]) for episode in episodes}
    if traces == 2:
        assert len(games) == 1  # a deterministic model against itself plays one game
    else:
        assert len(games) > 2
