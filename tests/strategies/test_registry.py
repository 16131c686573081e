"""Strategies by name, with options."""

from __future__ import annotations

import asyncio
import inspect
from types import SimpleNamespace

import pytest

from ludometer.cli.commands.list_ import _strategies
from ludometer.core import ConfigurationError
from ludometer.core.spec import Spec, parse_spec
from ludometer.strategies import Answer, load_strategy, registry, strategies


async def several(conversation, turn, k: int = 3, *, temper: float = 0.5, label: str = "x") -> Answer:
    return Answer(text=f"{k} {temper} {label}")


async def needy(conversation, turn, path: str) -> Answer:
    return Answer(text=path)


def broken():
    raise ImportError("no module named tensorbore")


@pytest.fixture(autouse=True)
def plugins(monkeypatch):
    """Strategies as other packages would install them."""
    made = {
        "several": lambda: SimpleNamespace(strategy=several),
        "needy": lambda: needy,
        "broken": broken,
        "empty": SimpleNamespace,
        "plain": lambda: needy,
    }
    points = [SimpleNamespace(name=name, load=load) for name, load in made.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)


def test_all_of_them():
    assert {"plain", "several", "needy", "broken"} <= set(strategies())
    assert not {"conversation", "registry"} & set(strategies())


@pytest.mark.parametrize("name", strategies())
def test_own_strategies_load_without_options(name):
    program = load_strategy(Spec(name))
    assert inspect.iscoroutinefunction(program.func)
    assert program.func.__module__ == f"ludometer.strategies.{name}", "a plug-in of the same name does not replace it"


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("plian", "there is no strategy 'plian'; did you mean 'plain'"),
        ("plain:k=3", "strategy plain has no option 'k'"),
        ("several:temperr=1", "strategy several has no option 'temperr'; did you mean 'temper'"),
        ("several:k=many", "strategy several: option k = 'many' is not valid"),
        ("needy", "strategy needy needs the option 'path'"),
        ("empty", "strategy empty cannot be loaded: it is no async function"),
        ("broken", "strategy broken cannot be loaded: ImportError: no module named tensorbore"),
    ],
)
def test_mistakes_are_named(spec, sentence):
    with pytest.raises(ConfigurationError) as error:
        load_strategy(parse_spec(spec))
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("spec", "text"),
    [("several", "3 0.5 x"), ("several:k=5,temper=1,label=top", "5 1.0 top"), ("needy:path=a/b", "a/b")],
)
def test_options_reach_the_program(spec, text):
    assert asyncio.run(load_strategy(parse_spec(spec))(None, None)).text == text


def test_one_that_cannot_be_loaded_is_left_out_of_the_list():
    with pytest.warns(UserWarning, match="cannot be loaded"):
        names = {row["name"] for row in _strategies()}
    assert names >= {"plain", "vote", "several", "needy"}
    assert not names & {"broken", "empty"}
