"""Strategies from files of the user's own: found, checked, played, resumed and verified like every other."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludometer.core import Completion, ConfigurationError, Decision, Message, make_game
from ludometer.core.spec import parse_spec
from ludometer.matches import Match
from ludometer.models.protocol import Capabilities
from ludometer.players.llm import LlmPlayer
from ludometer.store import RunStore, schema
from ludometer.strategies import check_strategy, load_strategy
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, start, verify

CODE = '''
"""Asks in words of its own."""
from __future__ import annotations
from typing import TYPE_CHECKING
from ludometer.core import ConfigurationError, Message
from ludometer.strategies import Answer
if TYPE_CHECKING:
    from ludometer.core import Turn
    from ludometer.strategies import Conversation

async def strategy(conversation: Conversation, turn: Turn, shout: bool = False) -> Answer:
    asked = "PLAY NOW" if shout else "play now"
    completion = await conversation.send([Message("system", "short"), Message("user", asked)])
    return Answer(turn.parse(completion.text), text=completion.text)

async def careful(conversation, turn, times: int = 2) -> Answer:
    for _ in range(times):
        await conversation.send([Message("user", "sure?")], json_object=True)
    return conversation.read(await conversation.ask())

def supports(game, shout: bool = False):
    if game.name == "nim":
        raise ConfigurationError("not for Nim")

def no_coroutine(conversation, turn):
    pass

async def no_turn(conversation):
    pass
'''


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    return path


class Echo:
    name, settings, capabilities = "fake/echo", {}, Capabilities()

    def __init__(self, text: str) -> None:
        self.text, self.requests = text, []

    async def complete(self, request, *, on_delta=None):
        self.requests.append(request)
        return Completion(self.text)


def decide(model: Echo, strategy: str) -> Decision:
    return asyncio.run(LlmPlayer(model, strategy=strategy).act(replace(Match(make_game("tictactoe")).turns()[0])))


def test_a_file_is_a_strategy(code: Path) -> None:
    model = Echo("2,3")
    decision = decide(model, f"{code}:shout=true")
    assert (decision.action.row, decision.action.column) == (2, 3)
    assert model.requests[0].messages == (Message("system", "short"), Message("user", "PLAY NOW"))
    assert [exchange.key.n for exchange in decision.exchanges] == ["0"]


def test_a_function_of_a_file_is_one_too(code: Path) -> None:
    model = Echo('{"move": "1,1"}')
    decision = decide(model, f"{code}:careful:times=3")
    assert [exchange.key.n for exchange in decision.exchanges] == ["0", "1", "2", "3"]
    assert [request.json_object for request in model.requests] == [True, True, True, False]
    assert len(model.requests[-1].messages) == 1, "what was sent is not remembered"
    assert decision.action is not None


def test_the_module_says_which_games_it_is_for(code: Path) -> None:
    check_strategy(parse_spec(str(code)), make_game("tictactoe"))
    with pytest.raises(ConfigurationError, match="not for Nim"):
        check_strategy(parse_spec(str(code)), make_game("nim"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (":carefull", "has no 'carefull'; did you mean 'careful'?"),
        (":other", "known: careful, no_coroutine, no_turn, strategy, supports"),
        (":no_coroutine", "it is no async function"),
        (":no_turn", "it does not take (conversation, turn)"),
        (":careful:time=3", "has no option 'time'; did you mean 'times'?"),
        (":careful:times=often", "option times = 'often' is not valid"),
    ],
)
def test_mistakes_are_named(code: Path, name: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        load_strategy(parse_spec(f"{code}{name}"))


@pytest.mark.parametrize(
    ("text", "words"),
    [("import nothing_like_it", "ModuleNotFoundError: No module"), ("x = (", "SyntaxError"), ("", "no async function")],
)
def test_files_that_fail_say_so(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        load_strategy(parse_spec(str(path)))
    with pytest.raises(ConfigurationError, match=r"there is no file .*absent\.py"):
        load_strategy(parse_spec(str(tmp_path / "absent.py")))


def test_files_of_one_name_are_two_and_each_runs_once(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.py").write_text(
            f"open({str(tmp_path / 'log')!r}, 'a').write('{folder}')\nasync def strategy(conversation, turn): ...\n"
        )
    programs = [load_strategy(parse_spec(str(tmp_path / folder / "same.py"))) for folder in ("a", "b", "a")]
    assert (tmp_path / "log").read_text() == "ab"
    assert programs[0].func is programs[2].func is not programs[1].func


def test_a_path_counts_from_the_working_directory(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(code.parent)
    assert load_strategy(parse_spec("mine.py:careful")).func.__name__ == "careful"


def test_a_run_with_it_is_recorded_and_verified(code: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = load_config(
            {
                "game": "tictactoe",
                "players": [{"player": "fake/x", "strategy": f"{code}:careful"}, "random"],
                "models": {"fake": {"base_url": provider.url}},
            }
        )
        assert asyncio.run(start(config, folder)).complete
        answered = provider.stats.answered
    with RunStore.open(folder) as store:
        assert len(store.rows(schema.exchanges)) == answered > 0
    found = asyncio.run(verify(folder))
    assert found.passed and found.calls == answered


EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_langchain_example_plays_or_says_what_it_needs() -> None:
    model = Echo("The centre is best.\n2,2")
    if find_spec("langchain_core") is None:
        with pytest.raises(ConfigurationError, match="pip install langchain-core"):
            decide(model, str(EXAMPLES / "langchain_strategy.py"))
        return
    decision = decide(model, str(EXAMPLES / "langchain_strategy.py"))
    assert (decision.action.row, decision.action.column) == (2, 2) and decision.rationale == "The centre is best."
    assert [message.role for message in model.requests[0].messages] == ["system", "user"]
    assert [exchange.key.n for exchange in decision.exchanges] == ["0"]


def test_the_example_with_branches_asks_four_times() -> None:
    decision = decide(Echo('{"move": "2,2"}'), f"{EXAMPLES / 'own_strategy.py'}:strategy:second=the safest one")
    assert [exchange.key.n for exchange in decision.exchanges] == ["0/0.0", "0/1.0", "0", "1"]
    assert "the safest one" in decision.exchanges[1].request.messages[-1].text
