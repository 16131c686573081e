"""Runs put together on the page: the TOML says the same, and a page may not name files, programs or addresses."""

from __future__ import annotations

import asyncio
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import ConfigurationError, LudometerError
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.config import presets
from ludometer.tournaments.estimate import estimate
from ludometer.tournaments.schedule import outlook, schedule
from ludometer.web import drafts
from ludometer.web.drafts import draft_config
from ludometer.web.shapes import DraftAnswer


def draft_answer(table: dict[str, Any]) -> DraftAnswer:
    return asyncio.run(drafts.draft_answer(table))


BASE: dict[str, Any] = {"game": "tictactoe", "players": ["random", "greedy"]}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"game": {"name": "tictactoe", "rows": 4, "line": 4}},
        {"game": {"name": "nim", "options": {"misere": False}, "policy": {"attempts": 2}}},
        {"games": ["nim", {"name": "tictactoe", "misere": True}]},
        {"games": [{"name": "nim"}, {"name": "hex", "options": {"size": 4}}], "game": "chess"},
        {"policy": {"attempts": None, "max_moves": 9}, "budget_usd": 0.5, "budget_tokens": 10, "seed": "x"},
        {"factors": {"feedback": ["none", "explain"], "clock_seconds": [None, 5]}},
        {"players": ["random", {"player": "random", "name": 'ö "quoted" \\ \u202e </script>'}], "name": "a\nb\u0000"},
        {
            "schedule": {"kind": "gauntlet", "pool": ["random"], "repeats": 3},
            "players": ["random", "greedy", "perfect"],
        },
        {"openings": {"moves": ["1,1 2,2"]}, "expected_order": [["random", "greedy"]]},
    ],
)
def test_the_toml_is_the_same_configuration(more: dict[str, Any]) -> None:
    draft = draft_config({**BASE, **more})
    assert load_config(tomllib.loads(draft.toml)) == draft.config
    given = {**BASE, **more}
    if "games" in more and "game" not in more:
        given.pop("game")
    if "policy" not in more and "factors" not in more:
        assert draft.config == load_config({**BASE, **more})


def test_every_preset_can_be_a_draft_as_far_as_it_names_no_files() -> None:
    written = 0
    for path in presets().values():
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        try:
            draft = draft_config(table)
        except ConfigurationError as error:
            assert "configuration files" in str(error)
            continue
        written += 1
        assert load_config(tomllib.loads(draft.toml)) == load_config(table)
    assert written >= 3


def test_the_estimate_is_that_of_the_command_line() -> None:
    table = {**BASE, "schedule": {"repeats": 5}}
    answer = draft_answer(table)
    assert answer.problem is None
    assert answer.estimate is not None
    expected = estimate(load_config(table))
    assert answer.estimate.matches == expected.matches == 10
    assert answer.estimate.model_matches == 0


def test_a_missing_key_is_one_sentence_and_the_estimate_is_there_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    answer = draft_answer({**BASE, "players": ["random", "openai/gpt-5-mini"]})
    assert answer.problem is not None and "OPENAI_API_KEY" in answer.problem
    assert answer.estimate is not None and answer.estimate.model_matches == 2
    assert answer.toml


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "'game'"),
        ({"game": "tictactoo", "players": ["random", "greedy"]}, "tictactoe"),
        ({"game": "tictactoe", "players": ["random"]}, "two players"),
        ({"game": "tictactoe", "players": ["random", "random"]}, "two players are called"),
        ({**BASE, "playerz": []}, "playerz"),
        ({**BASE, "game": {"name": "tictactoe", "rows": "many"}}, "rows"),
        ({**BASE, "schedule": {"repeats": 10**9}}, "100000"),
        ({**BASE, "players": ["human", "random"]}, "Play"),
        (
            {**BASE, "models": {"mine": {"base_url": "http://elsewhere/v1", "api_key_env": "OPENAI_API_KEY"}}},
            "providers",
        ),
        ({"game": "chess", "players": ["random", "uci:path=/bin/sh"]}, "path"),
        ({"game": "chess", "players": ["random", {"player": "uci", "path": "/bin/sh"}]}, "path"),
        ({**BASE, "prompt": {"strategy": "/tmp/x.py"}}, "strategy"),
        ({**BASE, "players": ["random", "openai/m:strategy=../x.py"]}, "strategy"),
        ({**BASE, "players": ["random", "checkpoint:/etc/passwd"]}, "path"),
        ({**BASE, "factors": {"strategy": ["plain", "./x.py"]}}, "strategy"),
        ({"game": "uno", "players": ["random", "dqn:weights=/etc/passwd"]}, "weights"),
        ({**BASE, "officials": {"judge1": "openai/m:strategy=a/b.py"}}, "strategy"),
        ({**BASE, "openings": {"pgn": "/etc/passwd"}}, "openings"),
        ({**BASE, "description": "x" * 300_000}, "too long"),
        ({**BASE, "name": "\ud800"}, "name"),
        ({**BASE, "players": 5}, "players"),
        ({**BASE, "policy": {"attempts": 0}}, "attempts"),
        ({**BASE, "factors": {"attempts": []}}, "attempts"),
        ({"game": 7, "players": [[]]}, ""),
        ({"game": {"name": None, "options": None}, "players": []}, ""),
    ],
)
def test_what_is_wrong_is_one_sentence(table: dict[str, Any], said: str) -> None:
    answer = draft_answer(table)
    assert answer.problem
    assert said in answer.problem
    assert "Traceback" not in answer.problem and "\n" not in answer.problem


def test_an_estimate_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "_PATIENCE", 0.0)
    answer = draft_answer({**BASE, "seed": "an estimate that was never made"})
    assert answer.estimate is not None
    assert answer.estimate.matches == 2
    assert "--dry-run" in answer.estimate.notes[0]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"games": ["nim", "hex"], "factors": {"feedback": ["none", "explain"]}, "schedule": {"repeats": 3}},
        {"schedule": {"kind": "series", "repeats": 5}, "openings": {"moves": ["1,1 2,2", "3,3"]}},
        {"players": ["random", "greedy", "perfect"], "schedule": {"kind": "gauntlet", "pool": ["random"]}},
    ],
)
def test_matches_are_counted_without_being_made(more: dict[str, Any]) -> None:
    config = draft_config({**BASE, **more}).config
    assert drafts.count_matches(config) == sum(1 for _ in schedule(config))


_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 10**9), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)
_words = st.sampled_from(["tictactoe", "nim", "random", "greedy", "openai/m:strategy=a/b", "human", "uci:path=x", ":"])


@given(
    st.fixed_dictionaries(
        {},
        optional={
            key: st.one_of(_json, _words, st.lists(_words, max_size=3), st.dictionaries(_words, _json, max_size=2))
            for key in RunConfig.model_fields
        },
    )
)
def test_whatever_is_sent_is_a_configuration_or_one_sentence(table: dict[str, Any]) -> None:
    table.setdefault("game", "tictactoe")
    try:
        draft = drafts._readable(table)
    except LudometerError as error:
        assert str(error)
    else:
        assert load_config(tomllib.loads(draft.toml)) == draft.config


@pytest.mark.parametrize(
    "schedule_table", [{"kind": "adaptive", "games": 60}, {"kind": "swiss", "rounds": 3, "repeats": 2}]
)
def test_a_schedule_that_grows_is_counted_to_its_end(schedule_table: dict[str, Any]) -> None:
    players = ["random", "greedy", "perfect", {"player": "random", "name": "other"}]
    config = load_config({**BASE, "players": players, "schedule": schedule_table})
    assert drafts.count_matches(config) == sum(1 for _ in outlook(config)) > sum(1 for _ in schedule(config))
