"""Providers behind pydantic-ai, tried with its own models for tests."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai-slim is not installed")

from pydantic_ai.exceptions import ModelHTTPError, UserError
from pydantic_ai.messages import (
    BinaryContent,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from ludometer.core.errors import ConfigurationError
from ludometer.core.exchange import ImagePart, Message, Request, ToolSpec, Usage
from ludometer.core.exchange import TextPart as OurText
from ludometer.models import CallFailed, ModelSettings, Price
from ludometer.models.pydantic_ai import PydanticAI

SCHEMA = {
    "type": "object",
    "properties": {"move": {"type": "string", "enum": ["a1", "b2"]}},
    "required": ["move"],
}


def model_of(direct, name="test/model", **settings):
    settings.setdefault("max_retry_wait", 0.01)
    return PydanticAI(name, direct, ModelSettings(**settings))


def recorded(responses):
    """A model that gives these responses in turn (or raises them), and what it was sent."""
    seen = []

    def function(messages, info):
        seen.append((messages, info))
        response = responses[min(len(seen), len(responses)) - 1]
        if isinstance(response, Exception):
            raise response
        return response

    return FunctionModel(function, model_name="function-1"), seen


def response(**more):
    return ModelResponse(parts=[TextPart("a1")], finish_reason="stop", **more)


def test_messages_pass_in_order_with_roles_and_pictures(kit):
    direct, seen = recorded([response()])
    picture = ImagePart(b"png", "image/png")
    request = Request(
        (
            Message("system", "rules"),
            Message("user", "first"),
            Message("assistant", "b2"),
            Message("user", (OurText("look"), picture)),
        )
    )
    kit.run(model_of(direct).complete(request))
    first, second, third = seen[0][0]
    assert isinstance(first, ModelRequest)
    assert [type(part) for part in first.parts] == [SystemPromptPart, UserPromptPart]
    assert [part.content for part in first.parts] == ["rules", "first"]
    assert isinstance(second, ModelResponse)
    assert second.text == "b2"
    assert third.parts[0].content == ["look", BinaryContent(b"png", media_type="image/png")]


def test_the_answer_its_reasoning_usage_and_price(kit):
    usage = RequestUsage(input_tokens=100, cache_read_tokens=60, output_tokens=9, details={"reasoning_tokens": 5})
    parts = [ThinkingPart("hmm"), TextPart("a"), TextPart("1")]
    direct, _ = recorded([ModelResponse(parts=parts, usage=usage, finish_reason="length")])
    price = Price(input=1, cached_input=0, output=0)
    completion = kit.run(model_of(direct, price=price).complete(kit.question()))
    assert (completion.text, completion.reasoning, completion.finish_reason) == ("a1", "hmm", "length")
    assert completion.usage == Usage(100, 60, 9, 5)
    assert completion.cost == pytest.approx(40e-6)
    assert completion.model == "function-1"
    assert completion.latency > 0
    assert json.loads(completion.raw)["finish_reason"] == "length"


def test_the_price_comes_from_the_providers_table(kit):
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=0)
    direct, _ = recorded([response(usage=usage)])
    completion = kit.run(model_of(direct, name="anthropic/claude-3-5-haiku-latest").complete(kit.question()))
    assert completion.cost == pytest.approx(0.8)
    assert kit.run(model_of(direct, name="anthropic/no-such").complete(kit.question())).cost is None


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "content_filter"), (None, "unknown")],
)
def test_finish_reasons(kit, theirs, ours):
    direct, _ = recorded([ModelResponse(parts=[], finish_reason=theirs)])
    completion = kit.run(model_of(direct).complete(kit.question()))
    assert (completion.finish_reason, completion.text) == (ours, None)


def test_a_tool_is_offered_as_the_only_way_to_answer(kit):
    direct = TestModel(custom_output_args={"move": "b2"})
    tool = ToolSpec("play", "Make your move.", SCHEMA)
    completion = kit.run(model_of(direct).complete(kit.question(tool=tool)))
    parameters = direct.last_model_request_parameters
    assert [offered.name for offered in parameters.output_tools] == ["play"]
    assert parameters.output_tools[0].description == "Make your move."
    assert parameters.output_tools[0].parameters_json_schema == {**SCHEMA, "additionalProperties": False}
    assert parameters.allow_text_output is False
    assert json.loads(completion.tool_arguments) == {"move": "b2"}
    assert completion.text is None


def test_a_schema_is_passed_to_the_provider(kit):
    direct, seen = recorded([response()])
    kit.run(model_of(direct).complete(kit.question(schema=SCHEMA, schema_name="move")))
    parameters = seen[0][1].model_request_parameters
    assert parameters.output_mode == "native"
    assert parameters.output_object.name == "move"
    assert parameters.output_object.strict is True
    assert parameters.output_object.json_schema == {**SCHEMA, "additionalProperties": False}


def test_capabilities_come_from_the_profile():
    direct, _ = recorded([response()])
    assert model_of(direct).capabilities.enforces_schema is True
    assert model_of(TestModel()).capabilities.enforces_schema is False


def test_only_set_settings_are_sent_and_their_retries_are_off(kit):
    direct, seen = recorded([response()])
    model = model_of(direct, temperature=0, max_tokens=5, stop=("x",), seed=1)
    assert model.settings == {
        "model": "model",
        "temperature": 0,
        "max_tokens": 5,
        "stop_sequences": ["x"],
        "seed": 1,
    }
    kit.run(model.complete(kit.question()))
    sent = dict(seen[0][1].model_settings)
    assert sent.pop("max_retries") == 0
    assert sent.pop("timeout") == 1800
    assert {"model": "model", **sent} == model.settings


def test_a_setting_that_would_be_left_out_is_refused(kit):
    direct, seen = recorded([response()])
    direct.unsupported_settings = frozenset({"seed", "timeout", "max_retries"})
    with pytest.raises(ConfigurationError, match="test/model does not take seed"):
        model_of(direct, seed=1)
    kit.run(model_of(direct, temperature=0).complete(kit.question()))
    assert seen[0][1].model_settings == {"temperature": 0}


def test_budgets_of_reasoning_go_where_the_provider_has_them():
    direct = TestModel()
    sent = model_of(direct, name="anthropic/m", reasoning_tokens=2000).settings
    assert sent["anthropic_thinking"] == {"type": "enabled", "budget_tokens": 2000}
    sent = model_of(direct, name="google/m", reasoning_tokens=0).settings
    assert sent["google_thinking_config"] == {"thinking_budget": 0}
    assert model_of(direct, reasoning_effort="low").settings["thinking"] == "low"
    assert model_of(direct, reasoning_effort="none").settings["thinking"] is False
    with pytest.raises(ConfigurationError, match="reasoning_tokens"):
        model_of(direct, name="cohere/m", reasoning_tokens=5)


def test_failures_are_tried_again_by_our_rules(kit):
    busy = ModelHTTPError(429, "m", {"message": "busy"}, headers={"retry-after": "0"})
    direct, seen = recorded([busy, ModelHTTPError(500, "m"), RuntimeError("odd"), response()])
    completion = kit.run(model_of(direct).complete(kit.question()))
    assert completion.text == "a1"
    assert [failure.status for failure in completion.failures] == [429, 500, None]
    assert len(seen) == 4


@pytest.mark.parametrize(("error", "tries"), [(ModelHTTPError(400, "m"), 1), (ModelHTTPError(503, "m"), 3)])
def test_failures_that_stay(kit, error, tries):
    direct, seen = recorded([error])
    with pytest.raises(CallFailed) as caught:
        kit.run(model_of(direct, retries=2).complete(kit.question()))
    assert len(seen) == len(caught.value.failures) == tries
    assert caught.value.status == error.status_code


def test_keys_in_failures_are_hidden(kit, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "marker-key-0123")
    direct, _ = recorded([ModelHTTPError(401, "m", {"message": "wrong key marker-key-0123"})])
    with pytest.raises(CallFailed) as caught:
        kit.run(model_of(direct).complete(kit.question()))
    assert "401" in str(caught.value)
    assert "marker-key" not in str(caught.value) + str(caught.value.failures)


def test_what_the_package_calls_a_users_error_is_one(kit):
    direct, _ = recorded([UserError("this model takes no pictures")])
    with pytest.raises(ConfigurationError, match="takes no pictures"):
        kit.run(model_of(direct).complete(kit.question()))


def test_a_call_that_takes_too_long(kit):
    import asyncio

    async def slow(messages, info):
        await asyncio.sleep(30)

    with pytest.raises(CallFailed, match="no answer within") as caught:
        kit.run(model_of(FunctionModel(slow), total_timeout=0.05, retries=1).complete(kit.question()))
    assert len(caught.value.failures) == 2


def test_streaming(kit):
    async def pieces(messages, info):
        for piece in ("I play ", "a", "1"):
            yield piece

    heard: list[str] = []
    model = model_of(FunctionModel(stream_function=pieces))
    completion = kit.run(model.complete(kit.question(), on_delta=heard.append))
    assert completion.text == "I play a1"
    assert "".join(heard) == "I play a1"
    assert len(heard) > 1
