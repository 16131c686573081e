"""configs/rl/: what trainers read names environments, and options, that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

CONFIGS = Path(__file__).parents[2] / "configs" / "rl"


def test_the_legacy_shape():
    config = tomllib.loads((CONFIGS / "tic-tac-toe-legacy.toml").read_text(encoding="utf-8"))
    assert config == {
        "model": "Qwen/Qwen3-4B-Instruct-2507",
        "max_steps": 100,
        "batch_size": 128,
        "rollouts_per_example": 16,
        "sampling": {"max_tokens": 64},
        "env": [{"id": "tic-tac-toe"}],
    }


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect4-self-play"])
def test_the_current_shape(name):
    text = (CONFIGS / f"{name}.toml").read_text(encoding="utf-8")
    config = tomllib.loads(text)
    assert config["orchestrator"]["batch_size"] % config["orchestrator"]["group_size"] == 0
    loaders = pytest.importorskip("verifiers.v1", reason="needs verifiers: pip install 'ludometer[verifiers]'")
    (source,) = config["orchestrator"]["train"]["source"]
    env = loaders.resolve_env_config(source["env"])
    assert type(env.taskset).__module__.split(".")[0] == source["env"]["taskset"]["id"].replace("-", "_")
    for key, value in source["env"]["taskset"].items():
        if not isinstance(value, dict):
            assert getattr(env.taskset, key) == value
    next(iter(loaders.load_environment(env).taskset))
    (install,) = re.findall(r"\./environments/\w+", text)
    assert (CONFIGS.parents[1] / install / "pyproject.toml").is_file()
