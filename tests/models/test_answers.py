"""Answers of odd shapes: nothing a provider sends may be an unforeseen error."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core.errors import ProviderError
from ludometer.core.exchange import Completion, Usage
from ludometer.models.answers import (
    RAW_LIMIT,
    StreamedAnswer,
    completion_of,
    parse_json,
    reported_cost,
    usage_of,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def answer(message, finish="stop", **more):
    return {"choices": [{"message": message, "finish_reason": finish}], **more}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a1", "a1"),
        ("", ""),
        (None, None),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "1"}], "a1"),
        (["a", "1"], "a1"),
        ([{"type": "image_url"}, {"text": 5}], ""),
        (7, None),
    ],
)
def test_content(content, text):
    assert completion_of(answer({"content": content}), "").text == text


def test_a_message_may_be_missing():
    assert completion_of({"choices": [{}]}, "") == Completion(None, "unknown", raw="")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(field):
    completion = completion_of(answer({"content": "a1", field: "hmm b2"}), "")
    assert (completion.text, completion.reasoning) == ("a1", "hmm b2")


def test_refusal():
    assert completion_of(answer({"content": None, "refusal": "I will not"}), "").refusal == "I will not"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("stop", "stop"),
        ("eos", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("tool_calls", "tool"),
        ("function_call", "tool"),
        ("content_filter", "content_filter"),
        ("new_thing", "unknown"),
        (None, "unknown"),
        (3, "unknown"),
    ],
)
def test_finish_reasons(theirs, ours):
    assert completion_of(answer({"content": ""}, theirs), "").finish_reason == ours


@pytest.mark.parametrize("arguments", ['{"a": 1}', {"a": 1}])
def test_tool_arguments_as_text_or_object(arguments):
    call = {"function": {"name": "play", "arguments": arguments}}
    assert completion_of(answer({"tool_calls": [call]}), "").tool_arguments == '{"a": 1}'
    assert completion_of(answer({"function_call": call["function"]}), "").tool_arguments == '{"a": 1}'


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (None, Usage()),
        ([], Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 7}, Usage(5, None, 7, None)),
        ({"prompt_tokens": "5", "completion_tokens": 7.0}, Usage(5, None, 7, None)),
        ({"input_tokens": 5, "output_tokens": 7}, Usage(5, None, 7, None)),
        ({"prompt_tokens": True, "completion_tokens": -3}, Usage()),
        ({"prompt_tokens": math.nan, "completion_tokens": math.inf}, Usage()),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}, Usage(9, 4)),
        ({"prompt_tokens": 9, "prompt_tokens_details": None, "prompt_cache_hit_tokens": 3}, Usage(9, 3)),
        (
            {"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": "6"}},
            Usage(output=9, reasoning=6),
        ),
        # Reasoning counted beside the output, as the total shows: it is made part of it.
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 115,
                "completion_tokens_details": {"reasoning_tokens": 100},
            },
            Usage(10, None, 105, 100),
        ),
        # Reasoning inside the output, as OpenAI counts: left alone.
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 105,
                "total_tokens": 115,
                "completion_tokens_details": {"reasoning_tokens": 100},
            },
            Usage(10, None, 105, 100),
        ),
    ],
)
def test_usage(theirs, ours):
    assert usage_of(theirs) == ours


@given(JSON)
def test_usage_of_anything_is_no_error(value):
    for usage in (value, {"prompt_tokens": value, "completion_tokens_details": value, "cost": value}):
        counted = usage_of(usage)
        assert all(count is None or count >= 0 for count in (counted.input, counted.output, counted.reasoning))
        cost = reported_cost(usage)
        assert cost is None or cost >= 0


@given(JSON)
def test_an_answer_of_any_shape_is_a_completion_or_a_provider_error(value):
    for body in (value, {"choices": value}, answer(value), answer({"content": value, "tool_calls": value})):
        try:
            completion = completion_of(body, "")
        except ProviderError:
            continue
        assert completion.text is None or completion.text.encode("utf-8") is not None


@given(st.lists(JSON, max_size=4), st.booleans())
def test_events_of_any_shape_are_an_answer_or_a_provider_error(values, done):
    stream = StreamedAnswer()
    try:
        for value in values:
            for event in (value, {"choices": [{"delta": value}]}, {"choices": value}):
                stream.feed(b"data: " + json.dumps(event).encode())
        if done:
            stream.feed(b"data: [DONE]")
        completion = stream.completion("")
    except ProviderError:
        return
    assert isinstance(completion, Completion)


def test_a_stream_takes_comments_tool_pieces_and_late_usage():
    stream = StreamedAnswer()
    for line in (
        b": keep-alive",
        b"event: message",
        b"",
        b'data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"play","arguments":"{\\"a\\""}}]}}]}',
        b'data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":": 1}"}}]}}]}',
        b'data:{"choices":[{"delta":{"reasoning":"hm"},"finish_reason":"tool_calls"}],"model":"m"}',
        b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}',
    ):
        stream.feed(line)
    completion = stream.completion("raw")
    assert completion.tool_arguments == '{"a": 1}'
    assert completion.text is None
    assert (completion.reasoning, completion.finish_reason, completion.model) == ("hm", "tool", "m")
    assert completion.usage == Usage(3, None, 2, None)


def test_half_a_surrogate_pair_does_not_get_through():
    body = json.loads('{"choices": [{"message": {"content": "a\\ud800b\\ud83d\\ude00"}}]}')
    assert completion_of(body, "").text == "a\ufffdb😀"


def test_the_kept_answer_is_bounded():
    raw = completion_of(answer({"content": ""}), "x" * (RAW_LIMIT * 2)).raw
    assert raw is not None
    assert RAW_LIMIT < len(raw) < RAW_LIMIT + 100


@pytest.mark.parametrize("text", ["", "<html>", "[" * 100_000, '{"a": ' + "9" * 10_000 + "}", b"\xff\xfe\x00"])
def test_what_is_no_json_is_none(text):
    assert parse_json(text) is None


@pytest.mark.parametrize(
    ("code", "transient"), [(429, True), (503, True), (400, False), ("rate_limited", True), (None, True)]
)
def test_an_error_with_status_200(code, transient):
    with pytest.raises(ProviderError, match="out of luck") as caught:
        completion_of({"error": {"message": "out of luck", "code": code}}, "")
    assert caught.value.transient is transient


def test_a_stream_that_ends_early_is_no_answer():
    stream = StreamedAnswer()
    stream.feed(b'data: {"choices":[{"delta":{"content":"I pl"}}]}')
    with pytest.raises(ProviderError, match="broke off"):
        stream.completion("")
    with pytest.raises(ProviderError, match="without an answer"):
        StreamedAnswer().completion("")
