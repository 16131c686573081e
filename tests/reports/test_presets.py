"""Every preset loads, and plans the matches it promises."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from ludometer.analysis import factor_effects, matches_frame, performance
from ludometer.store import RunStore
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import start
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
    assert policy.on_max_moves == "cancel"
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


# ------------------------------------------------------------- the three of many games

BUILT_IN = 'players=["random", "greedy", {player="random", name="third"}]'


def cells(name: str, *overrides: str) -> Counter[tuple[str, frozenset[str], str]]:
    """Matches by game, pair and condition."""
    plans = schedule(load_config(name, overrides))
    return Counter((p.game, frozenset(p.seats.values()), str(p.condition)) for p in plans)


def test_llm_games_plans_every_model_against_the_pool_in_every_game() -> None:
    found = cells("llm-games-2025")
    assert Counter(found.values()) == {20: 4 * 3 * 2}  # ten in each order of the seats
    assert {game for game, _, _ in found} == {"tictactoe", "connect4", "checkers", "go"}
    assert all(len(pair & {"random", "greedy"}) == 1 for _, pair, _ in found)
    assert {p.options["size"] for p in schedule(load_config("llm-games-2025")) if p.game == "go"} == {9}


def test_structured_outputs_plans_every_answer_format() -> None:
    found = cells("structured-outputs")
    assert Counter(found.values()) == {20: 2 * 2 * 4}
    assert len({condition for _, _, condition in found}) == 4


def test_reasoning_effort_plans_every_effort() -> None:
    found = cells("reasoning-effort")
    assert Counter(found.values()) == {20: 2 * 2 * 2 * 3}
    assert {condition for _, _, condition in found} == {
        f"{{'reasoning_effort': '{effort}'}}" for effort in ("low", "medium", "high")
    }


@pytest.mark.parametrize("name", ["reasoning-effort", "structured-outputs"])
def test_conditions_of_a_match_share_their_luck(name: str) -> None:
    groups: dict[str, Counter[tuple[str, ...]]] = {}
    for plan in schedule(load_config(name)):
        groups.setdefault(plan.group, Counter())[tuple(plan.seats.values())] += 1
    conditions = len(load_config(name).conditions())
    for seatings in groups.values():
        assert len(seatings) == 2 and set(seatings.values()) == {conditions}


def played(name: str, folder: Path, *overrides: str) -> RunStore:
    summary = asyncio.run(start(load_config(name, ["schedule.repeats=1", *overrides]), folder))
    assert (summary.finished, summary.void) == (summary.total, 0)
    return RunStore.open(folder)


@pytest.mark.slow
def test_llm_games_runs_with_built_in_players(tmp_path: Path) -> None:
    with played("llm-games-2025", tmp_path / "run", BUILT_IN) as store:
        found = performance(store)
        assert (found["games"] == 4).all() and len(found) == 4  # the third player in four games, against two, twice
        assert set(found["entrant"]) == {"third"}


@pytest.mark.parametrize(
    ("name", "matches"), [("reasoning-effort", 2 * 2 * 2 * 2 * 3), ("structured-outputs", 2 * 2 * 2 * 4)]
)
def test_presets_run_against_a_provider(name: str, matches: int, tmp_path: Path) -> None:
    with in_thread(FakeProvider("any")) as provider:
        pool = load_config(name).schedule.pool
        players = f"players={json.dumps([*pool, 'fake/one', 'fake/two'])}"
        models = f'models={{fake={{base_url="{provider.url}"}}}}'
        with played(name, tmp_path / "run", players, models) as store:
            assert len(matches_frame(store)) == matches
            effects = factor_effects(store)
            assert set(effects["unpaired"]) == {0} and set(effects[effects["entrant"] != "all"]["pairs"]) == {
                matches // 2 // len(load_config(name).conditions())
            }
        (factor,) = load_config(name).factors
        asked = [request.get(factor) for request in provider.requests]
    if factor == "reasoning_effort":
        assert set(asked) == {"low", "medium", "high"}
    else:
        enforced = {key for request in provider.requests for key in ("response_format", "tools") if request.get(key)}
        assert enforced == {"response_format", "tools"}
