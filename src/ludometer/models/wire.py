"""Requests as the OpenAI chat completions API wants them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ludometer.core.errors import ConfigurationError
from ludometer.core.exchange import ImagePart, Json, Message, Request, TextPart, ToolSpec

from .providers import Endpoint
from .settings import ModelSettings

__all__ = ["closed", "request_body", "sent_settings"]


def request_body(
    request: Request, settings: Mapping[str, Json], endpoint: Endpoint, *, stream: bool
) -> dict[str, Json]:
    """The JSON body of one call: ``settings`` as made by `sent_settings`, the messages and the answer format."""
    body = dict(settings)
    body["messages"] = [_message(message) for message in request.messages]
    if request.tool is not None:
        body["tools"] = [{"type": "function", "function": _function(request.tool, endpoint)}]
        body["tool_choice"] = (
            {"type": "function", "function": {"name": request.tool.name}} if endpoint.named_tool_choice else "required"
        )
    if request.schema is not None:
        schema = {"name": request.schema_name, "strict": True, "schema": closed(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.json_object:
        body["response_format"] = {"type": "json_object"}
    if stream:
        body["stream"] = True
        if endpoint.stream_usage:
            body["stream_options"] = {"include_usage": True}
    return body


def sent_settings(model: str, settings: ModelSettings, endpoint: Endpoint) -> dict[str, Json]:
    """What is sent besides the messages: the model's id and each setting that is set, by the endpoint's names.

    Raises:
        ConfigurationError: a budget of reasoning tokens where the provider's API has no common field for it.
    """
    named: dict[str, Json] = {
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        settings.max_tokens_field or endpoint.max_tokens_field: settings.max_tokens,
        endpoint.seed_field: settings.seed,
        "stop": None if settings.stop is None else list(settings.stop),
    }
    if endpoint.reasoning_object:
        parts = {"effort": settings.reasoning_effort, "max_tokens": settings.reasoning_tokens}
        named["reasoning"] = {name: value for name, value in parts.items() if value is not None} or None
    elif settings.reasoning_tokens is not None:
        raise ConfigurationError(
            f"the provider of {model} has no common setting for reasoning_tokens: "
            "write the provider's own field into extra_body"
        )
    else:
        named["reasoning_effort"] = settings.reasoning_effort
    sent: dict[str, Json] = {"model": model}
    sent.update((name, value) for name, value in named.items() if value is not None)
    if endpoint.reports_cost:
        sent["usage"] = {"include": True}
    sent.update(settings.extra_body)
    return sent


def closed(schema: Json) -> Json:
    """The schema with ``additionalProperties: false`` in every object that does not say otherwise.

    Strict modes refuse a schema without it, and llama.cpp's grammar would go on after the object.
    """
    if isinstance(schema, Mapping):
        inner = {name: closed(value) for name, value in schema.items()}
        if inner.get("type") == "object" and isinstance(inner.get("properties"), dict):
            inner.setdefault("additionalProperties", False)
        return inner
    if isinstance(schema, list | tuple):
        return [closed(value) for value in schema]
    return schema


def _message(message: Message) -> dict[str, Any]:
    if isinstance(message.content, str):
        return {"role": message.role, "content": message.content}
    return {"role": message.role, "content": [_part(part) for part in message.content]}


def _part(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}


def _function(tool: ToolSpec, endpoint: Endpoint) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": closed(tool.schema)}
    if endpoint.strict_tools:
        function["strict"] = True
    return function
