"""Configurations: what is accepted, and what is said about mistakes."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest

from ludometer.core import ConfigurationError
from ludometer.matches import MatchPolicy
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.launch import prepare
from ludometer.tournaments.schedule_config import ScheduleConfig

BASE = {"game": "tictactoe", "players": ["random", "perfect"]}
LLM = {"models": {"fake": {"base_url": "http://localhost:1/v1"}}, "players": ["fake/a", "random"]}

TOML = """
name = "täst"
seed = 7
players = ["random", {player = "fake/m", name = "M", temperature = 0}]

[game]
name = "tictactoe"
rows = 4

[schedule]
repeats = 3

[policy]
attempts = "unlimited"
max_moves = 20
decision_deadline = 2

[factors]
view = ["list", "illustration"]

[models.fake]
base_url = "http://localhost:1/v1"
"""


def test_a_file(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text(TOML, encoding="utf-8")
    config = load_config(path, ["seed=8", "schedule.repeats=1", "game.rows=5", "name=plain text"])
    assert (config.name, config.seed, config.schedule.repeats) == ("plain text", 8, 1)
    assert [game.options["rows"] for game in config.make_games()] == [5]
    assert [entrant.name for entrant in config.entrants()] == ["random", "M"]
    assert config.conditions() == [{"view": "list"}, {"view": "illustration"}]
    assert config.policy_of({}) == MatchPolicy(attempts=None, max_moves=20, decision_deadline=2.0)


def test_the_resolved_configuration_is_complete_and_the_same_again(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text(TOML, encoding="utf-8")
    config = load_config(path)
    assert load_config(json.loads(json.dumps(config.resolved()))) == config


def test_a_game_can_be_written_in_three_ways():
    for written in ({"game": "tictactoe"}, {"game": {"name": "tictactoe"}}, {"games": ["tictactoe"]}):
        assert [game.name for game in load_config(written).games] == ["tictactoe"]


def test_factors_reach_models_and_the_policy():
    config = load_config({**BASE, **LLM, "factors": {"view": ["list"], "attempts": [1, 5]}})
    one, two = config.conditions()
    assert (config.policy_of(one).attempts, config.policy_of(two).attempts) == (1, 5)
    model, other = config.entrants()
    assert config.entrant_under(model, one).spec.options == {"view": "list"}
    assert config.entrant_under(other, one) == other


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "tictacto"}, "there is no game 'tictacto'; did you mean 'tictactoe'"),
        ({"game": {"name": "tictactoe", "row": 4}}, "game tictactoe has no option 'row'; did you mean 'rows'"),
        ({"game": {"name": "tictactoe", "rows": 0}}, "game tictactoe: the board must be between"),
        ({"players": ["random", "random"]}, "two players are called 'random'"),
        ({"plyers": []}, "there is no key 'plyers'; did you mean 'players'"),
        ({"schedule": {"repeat": 2}}, "there is no key 'schedule.repeat'; did you mean 'repeats'"),
        ({"schedule": {"repeats": 0}}, "schedule.repeats: write 1 or more, not 0"),
        ({"concurrency": "many"}, 'concurrency: write a whole number, not "many"'),
        ({"policy": {"atempts": 2}}, "policy has no setting 'atempts'; did you mean 'attempts'"),
        ({"policy": {"attempts": 0}}, "policy: attempts = 0 must be positive"),
        ({"policy": {"feedback": "loud"}}, 'policy: feedback: there is no "loud"; known: explain, none, repeat'),
        ({"factors": {"view": []}}, "factor 'view' has no values"),
        ({**LLM, "factors": {"vew": ["list"]}}, "fake/a has no option 'vew'; did you mean 'view'"),
        ({**LLM, "prompt": {"view": "lst"}}, "has no view 'lst'; did you mean 'list'"),
        ({**LLM, "players": ["fake/a:view=list"], "factors": {"view": ["list"]}}, "sets view, which the run varies"),
        ({**LLM, "models": {"fake": {"base_url": "localhost"}}}, "base_url must start with http"),
        ({**LLM, "models": {"fake": {"base_ulr": "http://x"}}}, "there is no key 'models.fake.base_ulr'"),
        ({"stop_margin": 500}, "stop_margin: write 400 or less, not 500"),
        ({"seed": [1]}, "seed: write a whole number or a text, not a list"),
        ({"players": [1]}, "players.0: write a text or a table, not 1"),
        ({"schedule": {"kind": "swis"}}, "schedule.kind: there is no \"swis\"; did you mean 'swiss'"),
        ({"schedule": {"seating": 1}}, 'schedule.seating: write "rotated" or "permuted" or'),
        ({"games": [1]}, "write the name of a game, or a table with its name and options"),
        ({"budget_usd": 0}, "budget_usd: write a number above 0, not 0"),
    ],
)
def test_mistakes_are_one_sentence(changes, sentence):
    with pytest.raises(ConfigurationError) as error:
        prepare(load_config({**BASE, **changes}))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


WRONG = [0, -1, 1.5, True, "x", "5", [], [1], ["a"], {}, {"a": 1}, float("nan"), float("inf"), 10**20, date(2024, 1, 1)]


@pytest.mark.parametrize("key", [*RunConfig.model_fields, *(f"schedule.{key}" for key in ScheduleConfig.model_fields)])
def test_mistakes_are_said_in_our_own_words(key):
    """Whatever stands in a place: understood, or refused in words that are not those of the library that checks it."""
    for value in WRONG:
        name, _, part = key.partition(".")
        try:
            prepare(load_config({**BASE, name: {part: value} if part else value}))
        except ConfigurationError as error:
            said = str(error)
            assert not re.search(
                r"[Ii]nput (should|was)|valid (integer|number|dictionary|list|string)|List should", said
            )
            assert "\n" not in said


def test_a_key_in_a_wrong_place_is_not_repeated():
    key = "sk-" + "a1B2" * 10
    for changes in ({"models": {"fake": key}}, {"schedule": {"kind": key}}, {"concurrency": key}, {"budget_usd": key}):
        with pytest.raises(ConfigurationError) as error:
            load_config({**BASE, **changes})
        assert key not in str(error.value) and key[:20] not in str(error.value)


def test_a_budget_may_be_unlimited():
    config = load_config({**BASE, "budget_usd": "unlimited", "budget_tokens": "unlimited"})
    assert (config.budget_usd, config.budget_tokens) == (None, None)


@pytest.mark.parametrize(
    ("override", "sentence"),
    [("seed", "write key=value"), ("=1", "write key=value"), ("name.x=1", "name is not a table"), ("sed=1", "'sed'")],
)
def test_overrides_that_cannot_be(override, sentence):
    with pytest.raises(ConfigurationError, match=sentence):
        load_config({**BASE, "name": "x"}, [override])


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigurationError, match="there is no file"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("players = [")
    with pytest.raises(ConfigurationError, match="is not valid TOML"):
        load_config(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_config(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_text("seed = 1")
    with pytest.raises(ConfigurationError, match=r"bad\.toml: the key 'game' is missing"):
        load_config(tmp_path / "bad.toml")
