"""The fake provider itself: the other tests lean on it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import aiohttp
import pytest

from ludometer.core.chance import Chance
from ludometer.core.exchange import ToolSpec
from ludometer.games.tictactoe import TicTacToe
from ludometer.testing.behaviours import behaviour, fingerprint, schema_of
from ludometer.testing.fake_provider import FakeProvider, Fault, in_thread, main


def asked(text, **more):
    return {"messages": [{"role": "user", "content": text}], **more}


def with_schema(schema):
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}}


def test_the_first_or_any_of_an_enumeration():
    schema = {"type": "object", "properties": {"move": {"enum": ["a", "b", "c"]}}, "required": ["move"]}
    assert behaviour("first")(asked("?", **with_schema(schema))) == '{"move": "a"}'
    answers = {behaviour("any", seed)(asked(str(i), **with_schema(schema))) for seed in range(3) for i in range(9)}
    assert answers == {'{"move": "a"}', '{"move": "b"}', '{"move": "c"}'}


def test_the_moves_that_a_prompt_lists():
    assert behaviour("first")(asked("The move must be one of: e4; d4; O-O.\nYou are White.")) == "e4"
    assert behaviour("first")(asked("Answer with JSON. The move must be one of: e4; d4.")) == '{"move": "e4"}'
    assert "cannot tell" in behaviour("any")(asked("What now?"))


def test_the_same_request_has_the_same_answer():
    request = asked("The move must be one of: a; b; c; d; e; f; g.")
    assert behaviour("any", 1)(request) == behaviour("any", 1)(request)
    assert len({behaviour("any", seed)(request) for seed in range(30)}) > 3


def test_values_for_schemas():
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 3, "maximum": 3},
            "b": {"type": "array", "items": {"const": 1}, "minItems": 2},
            "c": {"anyOf": [{"type": "null"}]},
            "d": {"type": "string"},
            "e": {"type": ["boolean", "null"]},
        },
    }
    value = json.loads(behaviour("any")(asked("?", **with_schema(schema))))
    assert value == {"a": 3, "b": [1, 1], "c": None, "d": "because", "e": False}


@pytest.mark.parametrize("view", sorted(set(TicTacToe().views()) - {"image"}))
def test_tictactoe_plays_legally_from_what_it_is_shown(view):
    """A whole game, through the game's own view, parser and referee."""
    game = TicTacToe()
    shown = game.views()[view]
    state = game.new(2, Chance(1))
    while seats := game.to_act(state):
        prompt = f"{game.rules()}\n\n{shown.render(game.observe(state, seats[0]))}\n\nName your move."
        action = game.parse(state, seats[0], behaviour("tictactoe", 5)(asked(prompt)))
        game.check(state, seats[0], action)
        state = game.apply(state, {seats[0]: action})
    assert game.outcome(state) is not None


def test_an_unknown_behaviour():
    with pytest.raises(ValueError, match="known are first, any"):
        behaviour("perfect")
    with pytest.raises(SystemExit):
        main(["--behaviour", "perfect"])
    with pytest.raises(SystemExit):
        main(["--fault-kinds", "flood"])
    with pytest.raises(SystemExit):
        main(["--mix", "429,flood"])


def test_counts_calls_in_flight_and_by_question(kit):
    async def go():
        async with FakeProvider("echo", latency=0.05, faults={1: Fault("error")}) as provider:
            model = kit.model_for(provider)
            first = await model.complete(kit.question("a"))
            await asyncio.gather(*(model.complete(kit.question(text)) for text in "bcb"))
            await model.close()
            return provider, first

    provider, first = kit.run(go())
    assert first.text == "a"
    assert provider.stats.calls == 5
    assert provider.stats.most_in_flight == 3
    assert provider.stats.in_flight == 0
    assert provider.stats.answers[fingerprint(asked("a"))] == 1
    assert provider.stats.answers[fingerprint(asked("b"))] == 2
    assert sum(provider.stats.asked.values()) == 5
    assert provider.stats.faults == {"error": 1}


def test_a_whole_answer_may_be_given(kit):
    answer = {"choices": [{"message": {"content": "x"}, "finish_reason": "length"}], "model": "other"}
    completion = kit.run(kit.ask(FakeProvider(lambda request: answer)))
    assert (completion.text, completion.finish_reason, completion.model) == ("x", "length", "other")


def test_random_faults_depend_on_the_seed_alone():
    def plan(seed):
        mix = FakeProvider(fault_rate=0.3, seed=seed).mix
        return [fault.kind if (fault := mix.at(i)) else None for i in range(200)]

    assert plan(1) == plan(1)
    assert plan(1) != plan(2)
    assert 30 < sum(kind is not None for kind in plan(1)) < 90


def test_tools_of_a_request():
    tool = ToolSpec("play", "", {"type": "object"})
    request = asked("?", tools=[{"type": "function", "function": {"name": tool.name, "parameters": tool.schema}}])
    assert schema_of(request) == {"type": "object"}
    assert schema_of(asked("?")) is None


def test_in_a_thread_and_in_a_process(kit):
    async def once(url):
        model = kit.model_for(FakeProvider(port=int(url.split(":")[2].split("/")[0])))
        completion = await model.complete(kit.question("hello"))
        await model.close()
        return completion.text

    with in_thread(FakeProvider("echo")) as provider:
        assert kit.run(once(provider.url)) == "hello"
    assert provider.stats.answered == 1
    command = [sys.executable, "-m", "ludometer.testing.fake_provider", "--behaviour", "fixed:hi there"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert kit.run(once(process.stdout.readline().strip())) == "hi there"
        finally:
            process.terminate()


def test_the_counts_can_be_read_over_http(kit):
    """Also after calls: the counts per question are a Counter, which does not survive every way of copying."""

    async def go():
        async with FakeProvider(answer="fixed:hello") as provider, aiohttp.ClientSession() as session:
            body = {"model": "fake", "messages": [{"role": "user", "content": "hi"}]}
            async with session.post(f"{provider.url}/chat/completions", json=body) as response:
                assert response.status == 200
            root = provider.url.removesuffix("/v1")
            async with session.get(f"{root}/stats") as response:
                assert response.status == 200
                return await response.json()

    stats = kit.run(go())
    assert sum(stats["answers"].values()) == 1
