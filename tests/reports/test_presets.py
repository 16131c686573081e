"""Every preset loads, and plans the matches it promises."""

from __future__ import annotations

from collections import Counter

import pytest

from ludometer.tournaments.config import load_config, presets
from ludometer.tournaments.schedule import schedule


@pytest.mark.parametrize("name", sorted(presets()))
def test_every_preset_loads_and_plans(name: str) -> None:
    config = load_config(name)
    assert config.description
    assert len(list(schedule(config))) > 0
    for condition in config.conditions():
        config.policy_of(condition)
        for entrant in config.entrants():
            config.entrant_under(entrant, condition)


def test_the_study() -> None:
    config = load_config("topsakal-2024")
    plans = list(schedule(config))
    assert len(plans) == 980
    assert Counter(str(plan.condition["view"]) for plan in plans) == {"list": 490, "illustration": 490}
    cells = Counter((plan.seats["X"], plan.seats["O"], plan.condition["view"]) for plan in plans)
    assert len(cells) == 98 and set(cells.values()) == {10}
    policy = config.policy_of({"view": "list"})
    assert (policy.attempts, policy.feedback, policy.max_moves) == (None, "repeat", 21)
    assert policy.draw_on_max_moves is False
    llama = next(entrant for entrant in config.entrants() if entrant.name == "Llama2-70")
    assert "suffix" in llama.spec.options
    for entrant in config.entrants():
        assert not {"temperature", "top_p", "max_tokens"} & entrant.spec.options.keys()


def test_the_study_with_other_players() -> None:
    config = load_config("topsakal-2024", ['players=["random", "perfect"]', "schedule.repeats=3"])
    assert [entrant.name for entrant in config.entrants()] == ["random", "perfect"]
    assert len(list(schedule(config))) == 4 * 3 * 2


def test_quickstart() -> None:
    config = load_config("quickstart")
    assert len(list(schedule(config))) == 12
    models = [entrant for entrant in config.entrants() if entrant.is_model]
    assert [(m.spec.options["answer"], m.spec.options.get("legal_only", False)) for m in models] == [
        ("json", False),
        ("json_schema", True),
    ]
    assert all(m.spec.options["max_tokens"] <= 48 and "temperature" not in m.spec.options for m in models)
