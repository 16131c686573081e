"""Entrants: from what a person writes to a rated identity and its player."""

from __future__ import annotations

import json

import pytest

from ludometer.core import ConfigurationError
from ludometer.models import CustomProvider
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer

CUSTOM = {"fake": CustomProvider(base_url="http://127.0.0.1:9/v1")}


def test_a_player_by_name():
    entrant = Entrant.of("random")
    assert (entrant.name, entrant.is_model, entrant.family) == ("random", False, None)
    assert isinstance(entrant.make_player(), RandomPlayer)


def test_a_model_with_settings():
    entrant = Entrant.of("fake/some/model:view=numbered,answer=tool,legal_only=true,temperature=0,max_tokens=50")
    player = entrant.make_player(CUSTOM)
    assert isinstance(player, LlmPlayer)
    assert entrant.is_model
    assert entrant.family == "fake"
    assert player.model.name == "fake/some/model"
    assert dict(player.model.settings) == {"model": "some/model", "temperature": 0, "max_tokens": 50}
    assert player.style.view == "numbered"
    assert player.style.answer.legal_only


def test_a_table():
    entrant = Entrant.of(
        {"player": "fake/m:temperature=1", "name": "Mina ✨", "family": "m", "thinking": "high", "temperature": 0.5}
    )
    assert (entrant.name, entrant.family, entrant.thinking) == ("Mina ✨", "m", "high")
    assert entrant.spec.options == {"temperature": 0.5}, "the table's own keys win"


@pytest.mark.parametrize(
    "written", ["random", "fake/a:view=list", {"player": "fake/a", "name": "x", "thinking": "low", "top_p": 0.5}]
)
def test_json_and_back(written):
    entrant = Entrant.of(written)
    assert Entrant.from_dict(json.loads(json.dumps(entrant.to_dict()))) == entrant


def test_the_name_alone_says_which_settings():
    specs = ["fake/a", "fake/a:temperature=0", "fake/a:temperature=1", "fake/b", "fake/gpt_4", "fake/gpt-4"]
    assert len({Entrant.of(spec).name for spec in specs}) == len(specs)


def test_defaults_fill_what_a_model_leaves_open_and_nothing_else():
    own = Entrant.of("fake/a:view=list")
    assert own.with_defaults({"view": "image", "answer": "tool"}).spec.options == {"view": "list", "answer": "tool"}
    assert own.with_defaults({"view": "image"}).name == own.name
    assert Entrant.of("random").with_defaults({"view": "image"}) == Entrant.of("random")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("rnadom", "there is no player 'rnadom'; did you mean 'random'"),
        ("fake/a:temprature=0", "fake/a has no option 'temprature'; did you mean 'temperature'"),
        ("fake/a:temperature=hot", "fake/a: temperature is not valid"),
        ("fake/a:answer=xml", "fake/a: option answer = 'xml' is not valid"),
        ("fake/a:legal_only=true", "legal_only = true needs answer"),
        ("fake/a:strategy=plian", "there is no strategy 'plian'; did you mean 'plain'"),
        ("fkae/a", "unknown provider 'fkae'; did you mean 'fake'"),
        ("fake/", "a model is named provider/model"),
        ("random:depth=3", "player random has no option 'depth'"),
        ({"name": "x"}, "every entry of players needs a player"),
        ({"player": 7}, "every entry of players needs a player"),
        ("", "a name is empty"),
    ],
)
def test_mistakes_are_named(written, sentence):
    with pytest.raises(ConfigurationError) as error:
        Entrant.of(written).make_player(CUSTOM)
    assert sentence in str(error.value)
