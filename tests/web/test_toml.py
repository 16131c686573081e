"""Configurations as TOML: what is written reads back the same."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import ConfigurationError
from ludometer.web.toml import toml_text, without_nulls

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_plain = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), _text)
_value = st.recursive(
    _plain,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_text, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(_text, _value, max_size=6))
def test_what_is_written_reads_back_the_same(table: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(table)) == table


def test_it_is_written_as_a_person_would() -> None:
    table = {
        "schedule": {"repeats": 2},
        "players": ["random", {"player": "random", "name": "b"}],
        "game": {"name": "hex", "size": 5},
        "name": "a run",
    }
    assert toml_text(table) == (
        'name = "a run"\nplayers = [\n    "random",\n    {player = "random", name = "b"},\n]\n'
        '\n[game]\nname = "hex"\nsize = 5\n\n[schedule]\nrepeats = 2\n'
    )


def test_several_tables_are_sections() -> None:
    assert (
        toml_text({"games": [{"name": "nim"}, {"name": "hex"}]})
        == '[[games]]\nname = "nim"\n\n[[games]]\nname = "hex"\n'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", object(), None])
def test_what_toml_cannot_hold_is_refused_in_words(value: object) -> None:
    with pytest.raises(ConfigurationError):
        toml_text({"x": value})


def test_null_is_no_limit_in_conditions_of_play_and_left_out_elsewhere() -> None:
    table = {
        "budget_usd": None,
        "policy": {"attempts": None},
        "factors": {"max_moves": [None, 5]},
        "players": [{"player": "random", "family": None}, None],
        "games": [{"name": "nim", "policy": {"max_moves": None}}],
    }
    assert without_nulls(table) == {
        "policy": {"attempts": "unlimited"},
        "factors": {"max_moves": ["unlimited", 5]},
        "players": [{"player": "random"}],
        "games": [{"name": "nim", "policy": {"max_moves": "unlimited"}}],
    }
