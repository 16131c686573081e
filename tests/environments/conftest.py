"""What the tests of the installable environments share: the packages on the path, and a fake provider."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.testing.behaviours import behaviour, fingerprint, prompt_of
from ludometer.testing.fake_provider import FakeProvider

ENVIRONMENTS = Path(__file__).parents[2] / "environments"
PACKAGES = [ENVIRONMENTS / name for name in ("tic_tac_toe", "ludometer_games")]

sys.path[:0] = [str(path) for path in PACKAGES if str(path) not in sys.path]


@pytest.fixture
def packages() -> list[Path]:
    """The folders that hold the packages."""
    return PACKAGES


@pytest.fixture
def provider() -> Callable[..., FakeProvider]:
    """Makes a provider whose answers have every field that the official client insists on.

    ``answer``: a behaviour's name, or a function from the request to the message's content or to the whole message.
    """

    def make(answer: Any = "tictactoe", **options: Any) -> FakeProvider:
        act = behaviour(answer) if isinstance(answer, str) else answer

        def body(request: dict[str, Any]) -> dict[str, Any]:
            said = act(request)
            message = said if isinstance(said, dict) else {"role": "assistant", "content": said}
            return {
                "id": f"fake-{fingerprint(request)[:12]}",
                "object": "chat.completion",
                "created": 0,
                "model": request.get("model", "fake"),
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": len(prompt_of(request)) // 4, "completion_tokens": 1, "total_tokens": 2},
            }

        return FakeProvider(body, **options)

    return make


class Evaluated:
    """What `vf-eval` left on disk: the results folder and its episodes, in the order of their rows."""

    def __init__(self, place: Path, output: str) -> None:
        self.place, self.output = place, output
        lines = (place / "traces.jsonl").read_text(encoding="utf-8").splitlines()
        episodes = [json.loads(line) for line in lines]  # in the order in which they ended
        self.episodes: list[dict[str, Any]] = sorted(episodes, key=lambda one: one["task"]["data"]["idx"])

    @property
    def traces(self) -> list[dict[str, Any]]:
        return [trace for episode in self.episodes for trace in episode["traces"]]


@pytest.fixture
def vf_eval(tmp_path: Path) -> Callable[..., Evaluated]:
    """Runs `vf-eval` as a user does, in a process of its own, and reads its results."""
    pytest.importorskip("verifiers.v1", reason="needs verifiers: pip install 'ludometer[verifiers]'")

    def run(environment: str, url: str, *options: str, games: int = 20) -> Evaluated:
        words = [environment, "-m", "fake", "-n", str(games), "-r", "1", "-c", "8"]
        words += ["--client.base-url", url, "--client.api-key-var", "VF_KEY", "--no-push", "--no-rich"]
        words += [
            "-o",
            str(tmp_path / "outputs"),
            "--run.name",
            f"run{len(list(tmp_path.glob('outputs/*')))}",
            *options,
        ]
        path = os.pathsep.join([*map(str, PACKAGES), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [str(Path(sys.executable).with_name("vf-eval")), *words],
            env={**os.environ, "PYTHONPATH": path, "VF_KEY": "a-key-for-nobody"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return Evaluated(max((tmp_path / "outputs").iterdir(), key=lambda place: place.name), done.stdout + done.stderr)

    return run
