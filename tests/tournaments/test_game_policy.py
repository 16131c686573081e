"""Conditions of play that hold for one game of a run: planned, resumed and verified alike."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ludometer.analysis import repair_rates
from ludometer.core import ConfigurationError
from ludometer.store import RunStore
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, resume, start
from ludometer.tournaments.estimate import estimate
from ludometer.tournaments.launch import prepare, verify

GAMES: list[dict[str, Any]] = [
    {"name": "tictactoe", "policy": {"attempts": 2}},
    {"name": "tictactoe", "rows": 4, "policy": {"attempts": 4, "feedback": "repeat"}},
    {"name": "connect4"},
]


def table(url: str = "http://127.0.0.1:9/v1", **more: Any) -> dict[str, Any]:
    return {
        "games": GAMES,
        "players": ["fake/m", "random"],
        "policy": {"attempts": 3},
        "models": {"fake": {"base_url": url}},
        **more,
    }


def test_a_game_comes_before_the_run():
    config = load_config(table())
    options = [game.options for game in config.make_games()]
    found = [config.policy_of({}, game["name"], o) for game, o in zip(GAMES, options, strict=True)]
    assert [(policy.attempts, policy.feedback) for policy in found] == [(2, "explain"), (4, "repeat"), (3, "explain")]
    assert config.policy_of({}).attempts == 3
    assert load_config(json.loads(json.dumps(config.resolved()))) == config


def test_what_a_game_sets_is_no_option_of_it():
    config = load_config(table())
    assert [game.options for game in config.games] == [{}, {"rows": 4}, {}]


def test_a_start_position_is_the_same_game():
    games = [{"name": "chess", "policy": {"attempts": 1}}, {"name": "nim"}]
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    config = load_config({"games": games[:1], "players": ["random", "greedy"], "openings": {"fens": [fen]}})
    (made,) = config.make_games()
    assert config.policy_of({}, "chess", {**made.options, "fen": fen}).attempts == 1


def test_what_is_varied_cannot_be_set_by_a_game():
    config = load_config(table(factors={"attempts": [1, 2]}))
    with pytest.raises(ConfigurationError, match="game tictactoe sets attempts, which the run varies"):
        prepare(config)
    assert config.policy_of({"attempts": 1}, "connect4", {}).attempts == 1


def test_mistakes_are_named():
    wrong = {"name": "nim", "policy": {"attemps": 3}}
    with pytest.raises(ConfigurationError, match="no setting 'attemps'; did you mean 'attempts'"):
        prepare(load_config({"game": wrong, "players": ["random", "greedy"]}))
    with pytest.raises(ConfigurationError, match="not in the configuration with these options"):
        load_config(table()).policy_of({}, "tictactoe", {"rows": 7})


def test_estimates_count_the_games_own_attempts():
    each = []
    for attempts in (1, 6):
        game = {"name": "tictactoe", "policy": {"attempts": attempts}}
        each.append(estimate(load_config(table(games=[game]))).models[0].calls)
    assert each[1].high == pytest.approx(6 * each[0].high)
    assert each[1].low == each[0].low


def test_matches_are_played_resumed_and_verified_under_it(tmp_path: Path):
    with in_thread(FakeProvider("fixed:no idea")) as provider:
        config = load_config(table(provider.url, budget_tokens=1))
        first = asyncio.run(start(config, tmp_path / "run"))
        assert not first.complete
        assert asyncio.run(resume(tmp_path / "run", budget_tokens="unlimited")).complete
    with RunStore.open(tmp_path / "run") as store:
        bad = {(row.game, row.options.get("rows")): row.bad_attempts for row in store.matches()}
        feedback = repair_rates(store).query("entrant == 'fake/m'").set_index("feedback")["asked_again"]
    assert bad == {("tictactoe", 3): 2, ("tictactoe", 4): 4, ("connect4", 6): 3}
    assert feedback.sum() == 2 * ((2 - 1) + (4 - 1) + (3 - 1))
    result = asyncio.run(verify(tmp_path / "run"))
    assert (result.problems, result.matches) == ([], 6)


def test_a_changed_policy_is_found_by_verify(tmp_path: Path):
    with in_thread(FakeProvider("fixed:no idea")) as provider:
        asyncio.run(start(load_config(table(provider.url)), tmp_path / "run"))
    with RunStore.open(tmp_path / "run", write=True) as store:
        changed = {**store.config, "games": [{**game, "policy": {"attempts": 9}} for game in store.config["games"]]}
        store.set_meta(config=changed)
    result = asyncio.run(verify(tmp_path / "run"))
    assert len(result.problems) == 6


def test_an_expected_order_names_players():
    with pytest.raises(ConfigurationError, match="expected_order names 'randm', which is no player; did you mean"):
        prepare(load_config({"game": "nim", "players": ["random", "greedy"], "expected_order": [["randm", "greedy"]]}))
    with pytest.raises(ConfigurationError, match="names 'random' twice"):
        prepare(load_config({"game": "nim", "players": ["random", "greedy"], "expected_order": [["random", "random"]]}))
    with pytest.raises(ConfigurationError, match="names 'random' twice"):
        estimate(
            load_config({"game": "nim", "players": ["random", "greedy"], "expected_order": [["random", "random"]]})
        )
    with pytest.raises(ConfigurationError, match="expected_order"):
        load_config({"game": "nim", "players": ["random", "greedy"], "expected_order": [["random"]]})
