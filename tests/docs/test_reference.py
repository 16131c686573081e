"""The reference pages name everything that the code has, and nothing that it has not."""

from __future__ import annotations

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from ludometer.cli.main import main
from ludometer.core.registry import describe_options
from ludometer.core.spec import parse_spec
from ludometer.matches import MatchPolicy
from ludometer.models import CustomProvider, ModelSettings
from ludometer.models.answers import RAW_LIMIT
from ludometer.models.files import _PACKAGED
from ludometer.models.limits import DEFAULT_CONCURRENCY
from ludometer.models.providers import ENDPOINTS
from ludometer.models.pydantic_ai import _PROVIDERS
from ludometer.models.registry import known_providers
from ludometer.parsers.objects import MAX_ANSWER
from ludometer.players.entrant import _LABELS
from ludometer.players.llm import LlmPlayer
from ludometer.ratings.bradley_terry import DEFAULT_PRIOR, WEAK_PRIOR
from ludometer.ratings.intervals import FEW_GAMES
from ludometer.ratings.read_csv import COLUMNS
from ludometer.store import schema
from ludometer.strategies import load_strategy
from ludometer.strategies.registry import strategies
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.config import GameConfig, OpeningsConfig, ScheduleConfig, presets
from ludometer.tournaments.launch import prepare
from ludometer.tournaments.schedule import schedule


def _names(table: list[list[str]]) -> list[str]:
    """Every name in code in the first column."""
    return [name for row in table for name in re.findall(r"`([^`]+)`", row[0])]


# -------------------------------------------------------------------- models.md


def test_providers(pages: Any) -> None:
    own, elsewhere = pages["docs/models.md"].section("Providers").tables()[:2]
    documented = {
        row[0].strip("`"): (
            re.findall(r"`([^`]+)`", row[1]),
            "(optional)" not in row[1],
            row[2].strip("`"),
        )
        for row in own
    }
    assert documented == {
        name: ([endpoint.key_variable], endpoint.key_needed, endpoint.base_url) for name, endpoint in ENDPOINTS.items()
    }
    assert {row[0].strip("`"): tuple(re.findall(r"`([A-Z_]+)`", row[1])) for row in elsewhere} == {
        name: needs.key_variables for name, needs in _PROVIDERS.items()
    }
    extras = {row[0].strip("`"): re.findall(r"\[(\w+)\]", row[2]) for row in elsewhere}
    assert extras == {name: [needs.extra] for name, needs in _PROVIDERS.items()}
    assert {*documented, *extras, "local"} == set(known_providers())


def test_extras_exist(pages: Any) -> None:
    project = tomllib.loads((pages.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for page in pages.all():
        for extra in re.findall(r"ludometer\[(\w+)\]", page.text):
            assert extra in project["optional-dependencies"], f"{page.name}: {extra}"


def test_model_settings(pages: Any) -> None:
    (table,) = pages["docs/models.md"].section("Settings").tables()
    assert _names(table) == list(ModelSettings.model_fields)
    for row in table:
        default = ModelSettings.model_fields[row[0].strip("`")].default
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert float(row[1]) == default, row[0]


def test_custom_provider(pages: Any) -> None:
    (table,) = pages["docs/models.md"].section("An address of your own").tables()
    assert _names(table)[: len(CustomProvider.model_fields)] != []
    assert {name for name in _names(table) if name in CustomProvider.model_fields} == set(CustomProvider.model_fields)


def test_facts_about_models(pages: Any) -> None:
    text = pages["docs/models.md"].text
    assert f"| `concurrency` | {DEFAULT_CONCURRENCY} |" in text
    assert f"(its first {RAW_LIMIT:,} characters)" in text
    assert f"(the last {MAX_ANSWER:,} characters are looked at)" in pages["docs/answers.md"].text
    for name in _PACKAGED:
        assert name in text


# ------------------------------------------------------------- configuration.md


@pytest.mark.parametrize(
    ("section", "known"),
    [
        ("Keys", {*RunConfig.model_fields, "game"}),
        ("Schedule", set(ScheduleConfig.model_fields)),
        ("Openings", set(OpeningsConfig.model_fields)),
        ("Policy", {field.name for field in fields(MatchPolicy)}),
        ("Language models", set(describe_options(LlmPlayer)) - {"model"}),
        ("Players", {"player", *_LABELS}),
    ],
)
def test_every_key_is_described(pages: Any, section: str, known: set[str]) -> None:
    table = pages["docs/configuration.md"].section(section).tables()[0]
    assert set(_names(table)) == known


@pytest.mark.parametrize(
    ("section", "defaults"),
    [
        (
            "Schedule",
            {name: field.get_default(call_default_factory=True) for name, field in ScheduleConfig.model_fields.items()},
        ),
        (
            "Openings",
            {name: field.get_default(call_default_factory=True) for name, field in OpeningsConfig.model_fields.items()},
        ),
        ("Policy", {field.name: field.default for field in fields(MatchPolicy)}),
        (
            "Language models",
            {n: p.default for n, p in inspect.signature(LlmPlayer.__init__).parameters.items() if n not in ("self",)},
        ),
    ],
)
def test_defaults_are_those_of_the_code(pages: Any, section: str, defaults: dict[str, Any]) -> None:
    for name, written, *_ in pages["docs/configuration.md"].section(section).tables()[0]:
        default = defaults[name.strip("`")]
        if default is None:
            assert written in ("none", "the game's first")
        else:
            assert tomllib.loads(f"x = {written.strip('`')}")["x"] == default, name


def test_the_complete_example_is_complete_and_loads(pages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key-but-long-enough")
    monkeypatch.setenv("LAB_API_KEY", "not-a-key-but-long-enough")
    smallest, complete = pages["docs/configuration.md"].blocks("toml")[:2]
    load_config(tomllib.loads(smallest.text))
    config = load_config(tomllib.loads(complete.text))
    prepare(config)
    assert len(list(schedule(config))) == 10 * 2 * 2 * 4 * 5 * 4, "repeats, games, openings, conditions, pairs"
    written = tomllib.loads(complete.text)
    officials = {"officials"}  # the games of the example have none
    assert set(written) | officials == set(RunConfig.model_fields), "the complete example shows every key"
    of_other_kinds = {"pool", "challengers", "games", "batch", "rounds", "stages"}
    assert set(written["schedule"]) | of_other_kinds == set(ScheduleConfig.model_fields)


def test_overrides_of_the_page_are_overrides(pages: Any) -> None:
    text = pages["docs/configuration.md"].section("`--set`").text
    overrides = [b or c for b, c in re.findall(r"--set (?:'([^']+)'|([^\s`]+))", text) if (b or c) != "key=value"]
    assert len(overrides) >= 3
    base = {"game": "tictactoe", "players": ["random", "perfect"], "policy": {"max_moves": 9}}
    config = load_config(base, overrides)
    assert config.schedule.repeats == 5
    assert config.policy_of({}).attempts is None
    assert config.factors == {"view": ["list"]}


def test_presets_and_strategies(pages: Any) -> None:
    page = pages["docs/configuration.md"]
    assert _names(page.section("Presets").tables()[0]) == sorted(presets())
    table = page.section("Language models").tables()[1]
    assert sorted(name.split(":")[0] for name in _names(table)) == list(strategies())
    for name in _names(table):
        load_strategy(parse_spec(name))


def test_games_may_have_options_of_their_own() -> None:
    assert GameConfig.model_validate({"name": "tictactoe", "rows": 4}).options == {"rows": 4}


# ------------------------------------------------------------------- ratings.md


def test_csv_columns(pages: Any) -> None:
    table = pages["docs/ratings.md"].section("Games that were played elsewhere").tables()[0]
    assert sorted(_names(table)) == sorted(COLUMNS)


@pytest.mark.parametrize(("number", "words"), [(0, "6 of 6 games rated"), (1, "4 of 4 games rated")])
def test_the_csv_examples_are_rated(
    pages: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    words: str,
) -> None:
    block = pages["docs/ratings.md"].blocks("csv")[number]
    (tmp_path / "games.csv").write_text(block.text, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["ludometer", "rate", str(tmp_path / "games.csv")])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert words in capsys.readouterr().out


def test_numbers_about_ratings(pages: Any) -> None:
    text = " ".join(pages["docs/ratings.md"].text.split())
    assert f"standard deviation of {DEFAULT_PRIOR:g} points" in text
    assert f"{WEAK_PRIOR:g} points are used" in text
    assert f"fewer than {FEW_GAMES} games" in text


# ---------------------------------------------------------------------- runs.md


def test_tables_of_the_database(pages: Any) -> None:
    text = pages["docs/runs.md"].text
    paragraph = next(part for part in text.split("\n\n") if part.startswith("The tables of the database are"))
    assert set(re.findall(r"`(\w+)`", paragraph)) == set(schema.metadata.tables)
