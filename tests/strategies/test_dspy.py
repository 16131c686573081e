"""DSPy programs as players: what is asked, recorded, refused and replayed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.core import Completion, ConfigurationError, Decision, Json, ProviderError, Request, make_game
from ludometer.core.spec import parse_spec
from ludometer.matches import Match, MatchPolicy, play
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer
from ludometer.store import RunStore, schema
from ludometer.strategies.registry import strategy_files
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, resume, start, verify

pytest.importorskip("dspy", reason="needs DSPy: pip install 'ludometer[dspy]'")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def local_only(self: socket.socket, address: Any) -> None:
        assert isinstance(address, tuple) and address[0] == "127.0.0.1", f"{address} was to be reached"
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", local_only)


class Scripted:
    """A model whose answer is a function of the request and of how many calls came before."""

    name = "fake/scripted"
    capabilities = Capabilities()

    def __init__(self, answer: Callable[[Request, int], Any], **settings: Json) -> None:
        self.answer = answer
        self.settings: Mapping[str, Json] = settings
        self.requests: list[Request] = []

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        self.requests.append(request)
        found = self.answer(request, len(self.requests) - 1)
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, Completion) else Completion(found, latency=0.25)

    async def close(self) -> None:
        return None


def saying(*texts: Any, **settings: Json) -> Scripted:
    return Scripted(lambda request, n: texts[n], **settings)


def decide(model: Scripted, **options: Any) -> Decision:
    match = Match(make_game("tictactoe"))
    player = LlmPlayer(model, **{"strategy": "dspy", **options})
    player.supports(match.game)
    return asyncio.run(player.act(replace(match.turns()[0])))


def place(decision: Decision) -> tuple[int, int]:
    return decision.action.row, decision.action.column


# --------------------------------------------------------------------- asking


def test_predict_is_one_call_that_tells_the_game_and_says_how_to_answer() -> None:
    model = saying('{"move": "2,3"}')
    decision = decide(model, system="Be brave.", suffix="Hurry.")
    assert place(decision) == (2, 3) and decision.text == '{"move": "2,3"}' and decision.seconds == 0.25
    assert [exchange.key.n for exchange in decision.exchanges] == ["0"]
    (request,) = model.requests
    assert [message.role for message in request.messages] == ["system", "user"]
    system, user = (message.text for message in request.messages)
    assert system.startswith("Be brave.\n\n") and "`move`" in system
    assert "grid of 3 rows" in user and "The moves so far" in user and "You are player X" in user
    assert "row,column" in user and "Hurry." in user
    assert request.schema is None and request.tool is None


def test_chain_of_thought_reasons_in_the_same_call() -> None:
    model = saying('{"reasoning": "the centre is best", "move": "2,2"}')
    decision = decide(model, strategy="dspy:module=chain_of_thought")
    assert place(decision) == (2, 2) and decision.rationale == "the centre is best"
    system = model.requests[0].messages[0].text
    assert system.index("`reasoning`") < system.index("`move`")


def test_the_answer_format_is_that_of_the_player() -> None:
    marked = "[[ ## move ## ]]\nI take 1,3.\n\n[[ ## completed ## ]]"
    assert place(decide(saying(marked), answer="text")) == (1, 3)
    model = saying('{"move": "1,2"}')
    assert place(decide(model, answer="json_schema", legal_only=True)) == (1, 2)
    schema_sent = model.requests[0].schema
    assert schema_sent is not None and schema_sent["required"] == ["move"]
    assert schema_sent["properties"]["move"]["enum"] == [f"{r},{c}" for r in (1, 2, 3) for c in (1, 2, 3)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"answer": "tool"}, "answer = 'tool' is not possible"),
        ({"rationale": True}, "use module=chain_of_thought"),
        ({"context": "conversation"}, "choose 'fresh'"),
        ({"view": "image"}, "choose another view than 'image'"),
        ({"strategy": "dspy:refine=-1"}, "at least 0"),
        ({"strategy": "dspy:module=predicct"}, "no module 'predicct'; known: predict, chain_of_thought"),
        ({"strategy": "dspy:module=nowhere.py:X"}, "there is no file nowhere.py"),
        ({"strategy": "dspy:program=nowhere.json"}, "nowhere.json cannot be read"),
        ({"strategy": "dspy:program=nowhere.pkl"}, "a pickle could run anything"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        decide(saying("{}"), **options)


def test_dspy_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.strategies.dspy.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=re.escape("pip install 'ludometer[dspy]'")):
        decide(saying("{}"))


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        (["no object"] * 2, "invalid_format"),
        (['{"move": "nowhere"}'], "invalid_format"),
        (['{"move": ""}'], "empty"),
        ([Completion("", finish_reason="stop")] * 2, "empty"),
        ([Completion("", refusal="I will not", finish_reason="content_filter")] * 2, "refused"),
        ([Completion("[[ ## mo", finish_reason="length")] * 2, "truncated"),
    ],
)
def test_answers_that_name_no_move_are_faults(answers: list[Any], status: str) -> None:
    decision = decide(saying(*answers))
    assert decision.action is None and decision.fault is not None and decision.fault.status == status
    assert len(decision.exchanges) >= 1


@pytest.mark.parametrize("answer", ["json", "text"])
@pytest.mark.parametrize(
    "text",
    ["[" * 60_000, "{" * 60_000, '{"a":' * 20_000, "{move: a " * 10_000, "x{" * 30_000, '{"move": 1e999}', "<think>"],
    ids=["brackets", "braces", "depth", "words", "objects", "number", "thought"],
)
def test_hostile_answers_are_answers_that_cannot_be_read(text: str, answer: str) -> None:
    decision = decide(Scripted(lambda request, n: text), answer=answer)
    assert decision.action is None and decision.fault is not None
    assert decision.fault.status in ("invalid_format", "truncated", "illegal")


def test_reasoning_in_tags_is_not_read_and_objects_are_found_in_prose() -> None:
    said = '<think>{"move": "1,1"} or {"move": "3,3"}?</think>I play ```json\n{move: "2,1",}\n```'
    assert place(decide(saying(said))) == (2, 1)
    assert place(decide(saying("<think>[[ ## move ## ]] 1,1</think>[[ ## move ## ]] 2,3"), answer="text")) == (2, 3)


def test_long_reasoning_is_read(own: Path) -> None:
    long = "so " * 5_000
    said = f'{{"reasoning": "{long}", "move": "2,2"}}'
    assert place(decide(saying(said), strategy="dspy:module=chain_of_thought")) == (2, 2)


def test_nothing_is_answered_from_a_cache() -> None:
    model = Scripted(lambda request, n: f'{{"move": "1,{n + 1}"}}')
    first, again = decide(model), decide(model)
    assert (place(first), place(again)) == ((1, 1), (1, 2))
    assert model.requests[0] == model.requests[1]


def test_litellm_is_not_even_imported(tmp_path: Path) -> None:
    code = """
        import asyncio, sys
        from ludometer.core import Completion, make_game
        from ludometer.matches import Match
        from ludometer.models.protocol import Capabilities
        from ludometer.players.llm import LlmPlayer
        class Model:
            name, settings, capabilities = "fake/x", {"temperature": 1.0}, Capabilities()
            async def complete(self, request, *, on_delta=None):
                return Completion('{"reasoning": "", "move": "9,9", "discussion": "", "advice": {}}')
        turn = Match(make_game("tictactoe")).turns()[0]
        player = LlmPlayer(Model(), strategy="dspy:module=chain_of_thought,refine=2")
        print(len(asyncio.run(player.act(turn)).exchanges), sorted({"litellm", "openai"} & set(sys.modules)))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path), "PATH": ""},
    )
    assert done.stdout.split("\n")[0] == "3 []"
    assert list(tmp_path.iterdir()) == [], "DSPy leaves no cache behind"


# --------------------------------------------------------------------- Refine

ADVICE = '{"discussion": "that is off the board", "advice": {"decide": "stay between 1 and 3"}}'


def test_refine_asks_for_advice_and_tries_again_and_every_call_is_recorded() -> None:
    model = saying('{"move": "9,9"}', ADVICE, '{"move": "1,1"}', temperature=1.0)
    decision = decide(model, strategy="dspy:refine=3")
    assert place(decision) == (1, 1) and decision.text == '{"move": "1,1"}'
    assert [exchange.key.n for exchange in decision.exchanges] == ["0", "1", "2"]
    assert "stay between 1 and 3" in model.requests[2].messages[-1].text


def test_refine_stops_at_once_where_the_move_is_legal_and_keeps_the_last_resort() -> None:
    assert len(decide(saying('{"move": "3,3"}', temperature=1.0), strategy="dspy:refine=3").exchanges) == 1
    bad = decide(saying('{"move": "9,9"}', ADVICE, '{"move": "8,8"}', temperature=1.0), strategy="dspy:refine=2")
    assert bad.fault is None and place(bad) == (9, 9), "the referee judges it"
    assert bad.text == '{"move": "9,9"}'


def test_refine_where_nothing_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    decision = decide(Scripted(lambda request, n: "hm", temperature=1.0), strategy="dspy:refine=3")
    assert decision.fault is not None and decision.fault.status == "invalid_format"
    assert capsys.readouterr().out == ""


def test_a_providers_failure_is_no_attempt_of_refine() -> None:
    model = saying('{"move": "9,9"}', ProviderError("down"), temperature=1.0)
    with pytest.raises(ProviderError, match="down"):
        decide(model, strategy="dspy:refine=5")
    assert len(model.requests) == 2, "it is not asked again"


@pytest.mark.parametrize("settings", [{}, {"temperature": 0.2}])
def test_settings_are_the_players_and_a_program_that_wants_others_says_so(settings: dict[str, Json]) -> None:
    with pytest.raises(ConfigurationError, match=r"asks for temperature=1\.0, and the player has .*temperature=1\.0$"):
        decide(saying('{"move": "1,1"}', **settings), strategy="dspy:refine=2")


# ---------------------------------------------------------------- own modules

OWN = """
import dspy

class Twice(dspy.Module):
    \"\"\"Lists candidates, then decides.\"\"\"
    def __init__(self):
        super().__init__()
        self.list = dspy.Predict("rules, state, question -> candidates: list[str]")
        self.choose = dspy.Predict("state, question, candidates: list[str] -> move")
    def forward(self, rules, state, question):
        found = self.list(rules=rules, state=state, question=question).candidates
        return self.choose(state=state, question=question, candidates=found)

class Samples(dspy.Module):
    def __init__(self):
        super().__init__()
        self.decide = dspy.Predict("rules, state, question -> move", n=3)
    def forward(self, **inputs):
        moves = self.decide(**inputs).completions.move
        return dspy.Prediction(move=max(sorted(set(moves)), key=moves.count))

class Elsewhere(dspy.Module):
    def __init__(self):
        super().__init__()
        self.decide = dspy.Predict("rules, state, question -> move")
    def forward(self, **inputs):
        try:
            with dspy.context(lm=dspy.LM("openai/gpt-4o-mini", api_key="x")):
                return self.decide(**inputs)
        except Exception:
            return dspy.Prediction(move="1,1")

class AtOnce(dspy.Module):
    def __init__(self):
        super().__init__()
        self.decide = dspy.Predict("rules, state, question -> move")
    def forward(self, **inputs):
        pairs = [(self.decide, inputs)] * 4
        return dspy.Parallel(num_threads=4, disable_progress_bar=True)(pairs)[0]

class Moveless(dspy.Module):
    def __init__(self):
        super().__init__()
        self.decide = dspy.Predict("rules, state, question -> plan")
    def forward(self, **inputs):
        return self.decide(**inputs)

class NoModule:
    pass
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_module_of_ones_own(own: Path) -> None:
    model = saying('{"candidates": ["1,1", "2,2"]}', '{"move": "2,2"}')
    decision = decide(model, strategy=f"dspy:module={own}:Twice")
    assert place(decision) == (2, 2)
    assert [exchange.key.n for exchange in decision.exchanges] == ["0", "1"]
    assert '["1,1", "2,2"]' in model.requests[1].messages[-1].text


def test_several_samples_are_several_calls(own: Path) -> None:
    model = saying(*(f'{{"move": "{move}"}}' for move in ("1,1", "3,1", "3,1")), temperature=0.7)
    decision = decide(model, strategy=f"dspy:module={own}:Samples")
    assert place(decision) == (3, 1) and [e.key.n for e in decision.exchanges] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (":Elsewhere", "calls a model of its own (openai/gpt-4o-mini)"),
        (":Moveless", "predicts no field move"),
        (":NoModule", "is no dspy.Module"),
        (":Nothing", "has no 'Nothing'"),
        ("", "names no class"),
    ],
)
def test_modules_that_cannot_play_say_why(own: Path, name: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        decide(Scripted(lambda request, n: '{"move": "1,1", "plan": "x"}'), strategy=f"dspy:module={own}{name}")


def test_calls_at_the_same_time_are_refused(own: Path) -> None:
    class Slow(Scripted):
        async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
            await asyncio.sleep(0.3)
            return Completion('{"move": "1,1"}')

    with pytest.raises(ConfigurationError, match="at the same time"):
        decide(Slow(lambda request, n: ""), strategy=f"dspy:module={own}:AtOnce")


# ------------------------------------------------------------- saved programs


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    from ludometer.strategies._dspy_modules import make_program, save_program

    program = make_program("chain_of_thought", "")
    predictor = program.predictors()[0]
    predictor.demos = [{"state": "EXAMPLE STATE", "question": "?", "rules": "-", "reasoning": "so", "move": "7,7"}]
    predictor.signature = predictor.signature.with_instructions("Win in style.")
    path = tmp_path / "program.json"
    save_program(program, path, {"module": "chain_of_thought"})
    return path


def test_a_saved_program_brings_its_module_its_words_and_its_examples(saved: Path) -> None:
    model = saying('{"reasoning": "r", "move": "1,1"}')
    decision = decide(model, strategy=f"dspy:program={saved}")
    assert decision.rationale == "r"
    texts = [message.text for message in model.requests[0].messages]
    assert "Win in style." in texts[0] and "EXAMPLE STATE" in texts[1] and "7,7" in texts[2]
    assert [message.role for message in model.requests[0].messages] == ["system", "user", "assistant", "user"]


def test_dspy_reads_what_was_saved(saved: Path) -> None:
    from ludometer.strategies._dspy_modules import ChainOfThought

    program = ChainOfThought()
    program.load(saved)
    assert program.predictors()[0].signature.instructions == "Win in style."


def test_models_and_addresses_in_a_saved_file_are_ignored(saved: Path) -> None:
    state = json.loads(saved.read_text())
    (name,) = (key for key in state if key.startswith("decide"))
    state[name]["lm"] = {"model": "openai/gpt-4o", "api_base": "http://elsewhere.example", "model_type": "chat"}
    saved.write_text(json.dumps(state))
    assert place(decide(saying('{"reasoning": "", "move": "1,2"}'), strategy=f"dspy:program={saved}")) == (1, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no JSON file"),
        ("[]", "is no saved DSPy program"),
        ('{"other": {}}', "holds no program of the module predict"),
        ('{"decide": {"signature": 3, "lm": null}}', "holds no program of the module predict"),
    ],
)
def test_files_that_are_no_programs(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        decide(saying("{}"), strategy=f"dspy:program={path}")


# ----------------------------------------------------------- matches and runs


def test_a_deadline_ends_the_program(own: Path) -> None:
    class Stuck(Scripted):
        async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
            await asyncio.sleep(60)
            raise AssertionError

    match = Match(make_game("tictactoe"), policy=MatchPolicy(attempts=1, decision_deadline=0.4))
    player = LlmPlayer(Stuck(lambda request, n: ""), strategy="dspy:refine=0")
    asyncio.run(play(match, {"X": player, "O": RandomPlayer()}))
    assert match.attempts[0].verdict.status == "timeout"
    for thread in threading.enumerate():
        if thread.name == "dspy program":
            thread.join(5)
            assert not thread.is_alive()


_TAKEN = re.compile(r"^Player [XO][^:\n]*: (.*)$", re.MULTILINE)


def moving(request: dict[str, Any]) -> str:
    """The first free cell, in the form that the program asks for; every third time one that is taken."""
    prompt = request["messages"][-1]["content"]
    if "`advice`" in prompt:
        return '{"discussion": "it was taken", "advice": {"decide": "look again"}}'
    taken = {move for moves in _TAKEN.findall(prompt) for move in re.findall(r"\d,\d", moves)}
    cells = [f"{r},{c}" for r in (1, 2, 3) for c in (1, 2, 3)]
    free = [cell for cell in cells if cell not in taken]
    if len(taken) % 3 == 2 and "hint_" not in prompt:
        return json.dumps({"reasoning": "", "move": sorted(taken)[0]})
    return json.dumps({"reasoning": "free", "move": free[0]})


def config(url: str, strategy: str) -> Any:
    return load_config(
        {
            "game": "tictactoe",
            "players": [{"player": "fake/x", "temperature": 1.0, "strategy": strategy}, "random"],
            "schedule": {"repeats": 3},
            "models": {"fake": {"base_url": url}},
        }
    )


@pytest.mark.parametrize("strategy", ["dspy:module=chain_of_thought", "dspy:module=chain_of_thought,refine=2"])
def test_a_run_is_metered_resumed_and_verified(tmp_path: Path, strategy: str) -> None:
    folder = tmp_path / "run"
    with in_thread(FakeProvider(moving)) as provider:

        def stop_early(runner: Any) -> None:
            runner.on_attempt = lambda match, attempt: runner.stop("enough") if attempt.step > 3 else None

        before = asyncio.run(start(config(provider.url, strategy), folder, on_start=stop_early))
        assert before.stopped == "enough" and not before.complete
        after = asyncio.run(resume(folder))
        assert after.complete
        assert before.totals.calls + after.totals.calls == provider.stats.answered
    with RunStore.open(folder) as store:
        rows = store.rows(schema.exchanges)
        assert len(rows) == provider.stats.answered, "nothing was asked twice, and everything is in the log"
        assert all(row["output_tokens"] > 0 for row in rows)
        assert ("refine" in strategy) == any(row["n"] == "2" for row in rows)
    found = asyncio.run(verify(folder))
    assert found.passed, found.problems
    assert found.calls == len(rows)


def test_verify_sees_an_answer_that_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with in_thread(FakeProvider(moving)) as provider:
        asyncio.run(start(config(provider.url, "dspy:module=chain_of_thought"), folder))
    with RunStore.open(folder, write=True) as store, store.engine.begin() as connection:
        c = schema.exchanges.c
        first = sa.and_(c.step == 0, c.answer.contains("1,1"))
        connection.execute(sa.update(schema.exchanges).where(first).values(answer='{"reasoning": "", "move": "3,3"}'))
    found = asyncio.run(verify(folder))
    assert not found.passed and "read as" in found.problems[0]


def test_a_run_knows_the_files_of_a_program(tmp_path: Path) -> None:
    """Digests of the module and of the saved program."""
    own, saved = tmp_path / "own.py", tmp_path / "program.json"
    own.write_text("x = 1", encoding="utf-8")
    saved.write_text("{}", encoding="utf-8")
    found = strategy_files(parse_spec(f"dspy:module={own}:Class,program={saved}"))
    assert found == {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in (own, saved)}
    assert strategy_files(parse_spec("dspy:module=chain_of_thought")) == {} == strategy_files(parse_spec("vote:k=3"))
