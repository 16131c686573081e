"""Optimizing DSPy programs on recorded games, with a model that is only good where it sees examples."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ludometer.analysis.quality_values import analyze_moves
from ludometer.cli.main import cli
from ludometer.core import ConfigurationError, LudometerError
from ludometer.models import CustomProvider
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.prompts import PromptStyle
from ludometer.store import RunStore
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, start, verify
from ludometer.training.dspy_program import optimize
from ludometer.training.recorded_decisions import recorded_decisions, split

pytest.importorskip("dspy", reason="needs DSPy: pip install 'ludometer[dspy]'")

_TAKEN = re.compile(r"^Player [XO][^:\n]*: (.*)$", re.MULTILINE)
_CELLS = [f"{row},{column}" for row in (1, 2, 3) for column in (1, 2, 3)]


def answer(request: dict[str, Any]) -> str:
    """With examples before the question the first free cell, without any a cell that does not exist."""
    prompt = request["messages"][-1]["content"]
    taken = {move for moves in _TAKEN.findall(prompt) for move in re.findall(r"\d,\d", moves)}
    free = [cell for cell in _CELLS if cell not in taken]
    move = free[0] if len(request["messages"]) > 2 else "9,9"
    schema = ((request.get("response_format") or {}).get("json_schema") or {}).get("schema")
    if schema is not None:
        assert schema["properties"]["move"]["enum"] == free
    return json.dumps({"reasoning": "it is free", "move": move})


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    with in_thread(FakeProvider(answer)) as serving:
        yield serving


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, provider: FakeProvider) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "run"
    config = {
        "game": "tictactoe",
        "players": ["random", "greedy"],
        "schedule": {"repeats": 8},
        "models": {"fake": {"base_url": provider.url}},
    }
    asyncio.run(start(load_config(config), folder))
    return folder


def ludometer(*arguments: object) -> tuple[dict[str, Any], str]:
    """Runs a command with ``--json``. Raises what the command line would print as one sentence."""
    done = CliRunner().invoke(cli, [*map(str, arguments), "--json"])
    if isinstance(done.exception, LudometerError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), done.stderr


def test_decisions_are_unique_legal_and_not_those_of_losers(run: Path) -> None:
    with RunStore.open(run) as store:
        decisions = recorded_decisions([store, store], PromptStyle(), metric="legal")
        won = {row.id: {s for s, score in (row.scores or {}).items() if score > 0} for row in store.matches()}
    assert len({tuple(one.inputs.values()) for one in decisions}) == len(decisions) > 20
    for one in decisions:
        assert one.score(one.move, "legal") == 1.0 and len(one.turn.legal or ()) > 1
        assert one.turn.seat in won[one.turn.match]
        assert one.score("9,9", "legal") == one.score("", "legal") == one.score("I pass", "legal") == 0.0


def test_what_is_tested_is_of_other_groups(run: Path) -> None:
    with RunStore.open(run) as store:
        decisions = recorded_decisions([store], PromptStyle(), metric="legal")
    learn, test = split(decisions, 12, 8, "seed")
    assert (len(learn), len(test)) == (12, 8)
    assert not {one.group for one in learn} & {one.group for one in test}
    assert split(decisions, 12, 8, "seed") == (learn, test)
    assert split(decisions, 12, 8, "other")[0] != learn
    assert split(decisions, 12, 0, "seed")[1] == []
    alone = [one for one in decisions if one.group == decisions[0].group]
    with pytest.raises(ConfigurationError, match="--test 0"):
        split(alone, 5, 5, 0)


def test_a_program_is_optimized_saved_and_played(run: Path, provider: FakeProvider, tmp_path: Path) -> None:
    path, before = tmp_path / "program.json", provider.stats.answered
    told = ludometer(
        *("optimize", path, "--run", run, "--model", "fake/x", "--module", "chain_of_thought"),
        *("--learn", 20, "--test", 6, "--demos", 2),
    )
    made, progress = told
    assert made["before"]["value"] == 0.0 and made["after"]["value"] == 1.0 and made["gain"]["value"] == 1.0
    assert made["before"]["n"] == 6 and made["before"]["high"] > 0.0, "an interval of shares has a width"
    assert made["calls"] == provider.stats.answered - before > 12
    assert made["unpriced"] == made["calls"] and made["cost_usd"] is None and made["output_tokens"] > 0
    assert made["demonstrations"] == 4 or made["demonstrations"] == 2
    assert "optimizing with 20 decisions" in progress
    state = json.loads(path.read_text())
    assert state["ludometer"]["module"] == "chain_of_thought" and state["ludometer"]["game"] == "tictactoe"
    (demos,) = (part["demos"] for name, part in state.items() if name.startswith("decide"))
    assert any(demo.get("reasoning") == "it is free" and demo.get("augmented") for demo in demos)
    assert all(demo["move"] in _CELLS for demo in demos)

    config = {
        "game": "tictactoe",
        "players": [{"player": "fake/x", "strategy": f"dspy:program={path}"}, "random"],
        "models": {"fake": {"base_url": provider.url}},
    }
    asyncio.run(start(load_config(config), tmp_path / "played"))
    with RunStore.open(tmp_path / "played") as store:
        assert sum(row.bad_attempts or 0 for row in store.matches()) == 0, "with its examples it plays legally"
    assert asyncio.run(verify(tmp_path / "played")).passed
    with pytest.raises(ConfigurationError, match="exists already"):
        ludometer("optimize", path, "--run", run, "--model", "fake/x")


def test_labels_cost_no_call(run: Path, tmp_path: Path) -> None:
    made, _ = ludometer(
        *("optimize", tmp_path / "p.json", "--run", run, "--model", "fake/x", "--optimizer", "labeled"),
        *("--test", 0, "--demos", 3),
    )
    assert made["calls"] == 0 and made["demonstrations"] == 3 and made["after"] is None


def test_legal_moves_are_enforced_while_optimizing_too(run: Path, tmp_path: Path) -> None:
    made, _ = ludometer(
        *("optimize", tmp_path / "p.json", "--run", run, "--learn", 6, "--test", 2, "--demos", 1),
        *("--model", "fake/x:answer=json_schema,legal_only=true"),
    )
    assert made["after"]["value"] == 1.0  # and the provider has seen the schema of every position


@pytest.mark.slow
def test_regret_takes_the_values_of_the_analysis(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="ludometer analyze RUN"):
        ludometer("optimize", tmp_path / "p.json", "--run", run, "--model", "fake/x", "--metric", "regret")
    with RunStore.open(run, write=True) as store:
        asyncio.run(analyze_moves(store, workers=1))
    with RunStore.open(run) as store:
        decisions = recorded_decisions([store], PromptStyle(), metric="regret")
    assert len(decisions) > 10
    for one in decisions:
        assert one.score(one.move, "regret") == 1.0, "an example is a best move"
        worst = min(one.values, key=one.values.__getitem__)
        lost = max(one.values.values()) - min(one.values.values())
        assert lost > 0 and one.score(worst, "regret") == pytest.approx(1.0 - lost)
        assert one.score("9,9", "regret") == 0.0
    made, _ = ludometer(
        *("optimize", tmp_path / "p.json", "--run", run, "--model", "fake/x", "--metric", "regret"),
        *("--learn", 10, "--test", 5),
    )
    assert 0.0 < made["after"]["value"] <= 1.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "random"], "only a language model"),
        (["--model", "fake/x:answer=tool"], "answer = 'tool'"),
        (["--model", "fake/x", "--game", "nim"], "no decision to learn from"),
        (["--model", "fake/x", "--module", "nothing"], "no module 'nothing'"),
        (["--model", "fake/x", "--budget-usd", "0", "--learn", "5"], "no price is known for fake/x"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_saved(
    run: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    path = tmp_path / "p.json"
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        ludometer("optimize", path, "--run", run, *arguments)
    assert not path.exists()


def test_it_is_saved_as_json(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"program\.json"):
        ludometer("optimize", tmp_path / "program.pkl", "--run", run, "--model", "fake/x")


def test_a_budget_ends_it(run: Path, provider: FakeProvider, tmp_path: Path) -> None:
    price = {"input": 1000.0, "output": 1000.0}
    custom = {"fake": CustomProvider(base_url=provider.url)}
    player = Entrant.of({"player": "fake/x", "price": price}).make_player(custom)
    assert isinstance(player, LlmPlayer)
    with RunStore.open(run) as store:
        learn, test = split(recorded_decisions([store], player.style, metric="legal"), 10, 10, 0)
    asked = provider.stats.answered
    with pytest.raises(ConfigurationError, match=r"the budget of 0\.5 US dollars is used up; nothing was saved"):
        optimize(tmp_path / "p.json", player, learn, test, metric="legal", budget_usd=0.5)
    assert not (tmp_path / "p.json").exists() and provider.stats.answered - asked < 5
