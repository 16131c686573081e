"""What is sent to an OpenAI-compatible provider, and what is made of its answers."""

from __future__ import annotations

import base64
import json

import pytest

from ludometer.core.errors import ConfigurationError
from ludometer.core.exchange import ImagePart, Message, Request, TextPart, ToolSpec, Usage
from ludometer.models import ModelSettings, Price, make_model
from ludometer.models.openai_compatible import OpenAICompatible
from ludometer.models.providers import ENDPOINTS
from ludometer.testing.fake_provider import FakeProvider

SCHEMA = {
    "type": "object",
    "properties": {"move": {"type": "string", "enum": ["a1", "b2"]}},
    "required": ["move"],
}
CLOSED = {**SCHEMA, "additionalProperties": False}


def sent(kit, request=None, **settings):
    provider = FakeProvider("fixed:ok")
    kit.run(kit.ask(provider, request, **settings))
    return provider.requests[0]


def test_unset_settings_are_not_sent(kit):
    assert sent(kit) == {"model": "model-1", "messages": [{"role": "user", "content": "Your move?"}]}


def test_set_settings_are_sent_by_the_providers_names(kit):
    body = sent(
        kit,
        temperature=0,
        top_p=0.5,
        max_tokens=7,
        seed=3,
        stop=("\n",),
        reasoning_effort="low",
        extra_body={"top_k": 4, "nested": {"a": [1]}},
    )
    body.pop("messages")
    assert body == {
        "model": "model-1",
        "temperature": 0,
        "top_p": 0.5,
        "max_tokens": 7,
        "seed": 3,
        "stop": ["\n"],
        "reasoning_effort": "low",
        "top_k": 4,
        "nested": {"a": [1]},
    }


def test_the_limit_on_tokens_has_the_name_that_the_provider_wants(kit, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "marker-key-123")
    settings = ModelSettings(max_tokens=9)
    assert make_model("openai/gpt-5-mini", settings).settings["max_completion_tokens"] == 9
    assert "max_tokens" not in make_model("openai/gpt-5-mini", settings).settings
    other = ModelSettings(max_tokens=9, max_tokens_field="max_tokens")
    assert make_model("openai/gpt-5-mini", other).settings["max_tokens"] == 9
    assert sent(kit, max_tokens=9, max_tokens_field="max_completion_tokens")["max_completion_tokens"] == 9


def test_openrouter_takes_reasoning_as_an_object(monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "marker-key-123")
    model = make_model("openrouter/a/b", ModelSettings(reasoning_effort="high", reasoning_tokens=500))
    assert model.name == "openrouter/a/b"
    assert model.settings == {
        "model": "a/b",
        "reasoning": {"effort": "high", "max_tokens": 500},
        "usage": {"include": True},
    }


def test_a_reasoning_budget_is_refused_where_the_provider_has_no_field_for_it(monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "marker-key-123")
    with pytest.raises(ConfigurationError, match="extra_body"):
        make_model("groq/llama", ModelSettings(reasoning_tokens=5))


def test_messages_keep_their_roles_and_pictures_become_data_addresses(kit):
    picture = b"\x89PNG not really"
    messages = (
        Message("system", "rules"),
        Message("user", (TextPart("look"), ImagePart(picture, "image/webp"))),
        Message("assistant", "a1"),
        Message("user", "again"),
    )
    body = sent(kit, Request(messages))
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    text, image = body["messages"][1]["content"]
    assert text == {"type": "text", "text": "look"}
    head, _, data = image["image_url"]["url"].partition(",")
    assert head == "data:image/webp;base64"
    assert base64.b64decode(data) == picture


def test_a_schema_is_named_strict_and_closed(kit):
    nested = {**SCHEMA, "properties": {"inner": {"type": "array", "items": SCHEMA}}}
    body = sent(kit, kit.question(schema=nested, schema_name="move"))
    form = body["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["name"] == "move"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["additionalProperties"] is False
    assert form["json_schema"]["schema"]["properties"]["inner"]["items"] == CLOSED
    assert "additionalProperties" not in nested, "the caller's schema was changed"


def test_json_object_mode(kit):
    assert sent(kit, kit.question(json_object=True))["response_format"] == {"type": "json_object"}


def test_a_tool_is_forced_by_name_and_its_arguments_come_back(kit):
    provider = FakeProvider("first")
    tool = ToolSpec("play", "Make your move.", SCHEMA)
    completion = kit.run(kit.ask(provider, kit.question(tool=tool)))
    body = provider.requests[0]
    assert body["tools"] == [
        {
            "type": "function",
            "function": {"name": "play", "description": "Make your move.", "parameters": CLOSED},
        }
    ]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "play"}}
    assert json.loads(completion.tool_arguments) == {"move": "a1"}
    assert (completion.text, completion.finish_reason) == (None, "tool")


def test_where_names_are_unknown_some_tool_is_required():
    assert not ENDPOINTS["ollama"].named_tool_choice
    model = make_model("ollama/qwen3", ModelSettings())
    assert isinstance(model, OpenAICompatible)
    from ludometer.models.wire import request_body

    request = Request((Message("user", "?"),), tool=ToolSpec("play", "", SCHEMA))
    assert request_body(request, {}, ENDPOINTS["ollama"], stream=False)["tool_choice"] == "required"


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_is_read_whole_and_in_pieces_alike(kit, stream):
    heard: list[str] = []
    provider = FakeProvider("fixed:I play 1,1 because it is free. ♟")
    completion = kit.run(kit.ask(provider, stream=stream, on_delta=heard.append))
    assert completion.text == "I play 1,1 because it is free. ♟"
    assert "".join(heard) == completion.text
    assert (len(heard) > 1) is stream
    assert completion.finish_reason == "stop"
    assert completion.model == "model-1"
    assert completion.usage == Usage(input=2, output=9)
    assert completion.latency > 0
    assert completion.raw
    assert completion.failures == ()
    assert provider.requests[0].get("stream", False) is stream


def test_somebody_who_watches_gets_a_stream_without_asking(kit):
    heard: list[str] = []
    provider = FakeProvider("fixed:a long enough answer")
    kit.run(kit.ask(provider, on_delta=heard.append))
    assert provider.requests[0]["stream"] is True
    assert provider.requests[0]["stream_options"] == {"include_usage": True}


def test_a_provider_that_ignores_stream_is_still_understood(kit):
    async def go():
        async with FakeProvider(lambda request: request.pop("stream") and "plain") as provider:
            model = kit.model_for(provider, stream=True)
            try:
                return await model.complete(kit.question())
            finally:
                await model.close()

    assert kit.run(go()).text == "plain"


def test_the_same_settings_give_the_same_fingerprint(kit):
    request = kit.question()

    def mark(**settings):
        return request.fingerprint(make_model("ollama/m", ModelSettings(**settings)).settings)

    assert mark(temperature=0) == mark(temperature=0, retries=1, concurrency=3, idle_timeout=5, stream=True)
    assert mark(temperature=0) != mark(temperature=1)
    json.dumps(dict(make_model("ollama/m", ModelSettings()).settings))


def test_the_users_price_makes_the_cost(kit):
    completion = kit.run(kit.ask(FakeProvider("fixed:ok"), price=Price(input=1e6, output=0)))
    assert completion.usage.input
    assert completion.cost == completion.usage.input
    assert kit.run(kit.ask(FakeProvider("fixed:ok"))).cost is None


def test_the_cost_that_openrouter_reports_is_the_cost(kit, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "marker-key-123")
    answer = {
        "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 5, "cost": 0.25},
    }

    async def go():
        async with FakeProvider(lambda _: answer) as provider:
            monkeypatch.setenv("OPENROUTER_BASE_URL", provider.url)
            model = make_model("openrouter/openai/gpt-5", ModelSettings())
            try:
                return await model.complete(kit.question())
            finally:
                await model.close()

    assert kit.run(go()).cost == 0.25


def test_a_model_works_again_after_close_and_in_another_loop(kit):
    provider = FakeProvider("fixed:ok")
    holder = []

    async def go():
        async with provider:
            model = holder[0] if holder else kit.model_for(provider)
            holder[:] = [model]
            await model.complete(kit.question())
            await model.close()
            await model.complete(kit.question())
            await model.close()

    kit.run(go())
    kit.run(go())
    assert provider.stats.answered == 4
