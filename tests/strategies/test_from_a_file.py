"""Strategies from files of the user's own: found, checked, played, resumed and verified like every other."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
from ludometer.strategies.registry import changed_files
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import extend, load_config, start, verify

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


@contextmanager
def played(folder: Path, strategy: str) -> Iterator[None]:
    """A run with that strategy, and then the time in which its provider still answers."""
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = {
            "game": "tictactoe",
            "players": [{"player": "fake/x", "strategy": strategy}, "random"],
            "models": {"fake": {"base_url": provider.url}},
        }
        assert asyncio.run(start(load_config(config), folder)).complete
        yield


def test_verify_names_the_file_that_was_changed(code: Path, tmp_path: Path) -> None:
    """In a process of its own, since a file is run once per process."""
    with played(tmp_path / "run", f"{code}:careful"):
        pass
    with RunStore.open(tmp_path / "run") as store:
        assert store.meta("strategy_files") == {str(code): hashlib.sha256(CODE.encode()).hexdigest()}
        assert CODE not in json.dumps(store.meta("strategy_files")), "its digest, not its text"
    assert asyncio.run(verify(tmp_path / "run")).changed_files == []
    command = [sys.executable, "-m", "ludometer", "verify", str(tmp_path / "run")]

    code.write_text(CODE + "\n# a remark\n", encoding="utf-8")
    harmless = subprocess.run(command, capture_output=True, text=True, check=False)
    assert harmless.returncode == 0 and harmless.stdout.count("changed: ") == 1
    assert f"changed: {code} was changed since the run was planned" in harmless.stdout

    code.write_text(CODE.replace("sure?", "are you sure?"), encoding="utf-8")
    other = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    found = json.loads(other.stdout)
    assert other.returncode == 1 and "the request differs" in found["problems"][0]
    (sentence,) = found["changed_files"]
    assert sentence.startswith(f"{code} was changed")

    code.unlink()
    (sentence,) = asyncio.run(verify(tmp_path / "run")).changed_files
    assert sentence == f"{code} cannot be read from here, and the run was planned with it"


def test_an_extension_keeps_what_the_file_was_at_first(code: Path, tmp_path: Path) -> None:
    with played(tmp_path / "run", str(code)):
        code.write_text(CODE + "\n# a remark\n", encoding="utf-8")
        assert asyncio.run(extend(tmp_path / "run", players=["perfect"])).complete
    assert len(asyncio.run(verify(tmp_path / "run")).changed_files) == 1


@pytest.mark.parametrize("path", ["/dev/zero", "no\0path", "~nobody-of-this-name/x.py", ".", ""])
def test_what_a_run_of_somebody_else_names_is_not_read_without_end(path: str) -> None:
    assert changed_files({path: "0" * 64}) == [f"{path} cannot be read from here, and the run was planned with it"]


def test_a_home_that_does_not_exist_is_a_file_that_does_not(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"there is no file ~nobody-of-this-name/x\.py"):
        load_strategy(parse_spec("~nobody-of-this-name/x.py"))


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
