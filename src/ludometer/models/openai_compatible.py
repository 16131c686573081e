"""Models behind an OpenAI-compatible chat completions address: the provider family that most calls go to."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import aiohttp

from ludometer.core.errors import ConfigurationError, ProviderError
from ludometer.core.exchange import Completion, Json, Request

from .answers import StreamedAnswer, completion_of, excerpt, is_transient, parse_json, reported_cost
from .limits import CallLimits, shared_limits
from .pricing import cost_of
from .protocol import Capabilities, OnDelta
from .providers import Endpoint
from .redact import cleaned, read_key, redact
from .retries import RetryPolicy, TryFailed, retry_after, with_retries
from .settings import ModelSettings
from .transport import Post, body_of, lines_of, post, release_session
from .wire import request_body, sent_settings

__all__ = ["OpenAICompatible"]

_ERROR_BODY_LIMIT = 1 << 20
_END_SECONDS = 0.5


class OpenAICompatible:
    """A model behind one OpenAI-compatible address.

    Args:
        provider, model: the two parts of the name; the second is sent as the model's id.
        endpoint: the address and its ways.
        settings: how to ask.
        jitter: spreads retries; seeded by the system where left out.

    Raises:
        ConfigurationError: the key's environment variable is not set, or a setting cannot be sent.
    """

    def __init__(
        self,
        provider: str,
        model: str,
        endpoint: Endpoint,
        settings: ModelSettings,
        *,
        jitter: random.Random | None = None,
    ) -> None:
        self.name = f"{provider}/{model}"
        self.capabilities: Capabilities = endpoint.capabilities
        self._endpoint = endpoint
        self._asked = settings
        self._model = model
        self._key = _key_of(endpoint, f"{provider}/{model}")
        self._sent = sent_settings(model, settings, endpoint)
        _refuse_keys(self._sent)
        self._target = self._post_target(endpoint.base_url)
        self._policy = RetryPolicy(settings.retries, settings.max_retry_wait, jitter or random.Random())
        self._account = (endpoint.base_url, endpoint.key_variable or "", model)

    @property
    def settings(self) -> Mapping[str, Json]:
        """What is sent besides the messages, by the names in which it is sent."""
        return self._sent

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        """Ask the model; see `ludometer.models.protocol.Model.complete`."""
        streamed = self._asked.stream if self._asked.stream is not None else on_delta is not None
        body = json.dumps(request_body(request, self._sent, self._endpoint, stream=streamed)).encode()
        limits = shared_limits(self._account)
        limits.tighten(self._asked)

        async def one_try() -> Completion:
            return await self._one_try(request, body, limits, on_delta, streamed)

        return await with_retries(one_try, self._policy, cool_down=limits.cool_down)

    async def close(self) -> None:
        """Give back the connections of the running event loop."""
        await release_session(id(self))

    async def _one_try(
        self, request: Request, body: bytes, limits: CallLimits, on_delta: OnDelta | None, streamed: bool
    ) -> Completion:
        expected = limits.expected_tokens(request)
        async with limits.slot(expected):
            started = time.perf_counter()
            try:
                completion = await self._exchange(body, on_delta, streamed)
            except ProviderError as error:
                raise TryFailed(
                    redact(f"{self.name}: {error}"),
                    status=error.status,
                    transient=error.transient,
                    wait=error.wait if isinstance(error, TryFailed) else None,
                    seconds=time.perf_counter() - started,
                ) from None
            seconds = time.perf_counter() - started
        limits.settle(expected, completion.usage)
        return replace(completion, latency=seconds)

    async def _exchange(self, body: bytes, on_delta: OnDelta | None, streamed: bool) -> Completion:
        async with post(self._target, body, user=id(self), streamed=streamed) as response:
            if response.status != 200:
                raise await self._refusal(response)
            if streamed and "json" not in response.content_type:
                return await self._read_stream(response, on_delta)
            raw = await body_of(response, self._target.idle)
        answer = parse_json(raw)
        completion = completion_of(answer, raw.decode("utf-8", "replace"))
        completion = self._finished(completion, answer.get("usage"))
        if on_delta is not None and completion.text:
            on_delta(completion.text)
        return completion

    async def _read_stream(self, response: aiohttp.ClientResponse, on_delta: OnDelta | None) -> Completion:
        answer = StreamedAnswer(on_delta)
        kept: list[bytes] = []
        async for line in lines_of(response, self._target.idle):
            kept.append(line)
            answer.feed(line)
            if answer.finished:
                break
        completion = answer.completion(b"\n".join(kept).decode("utf-8", "replace"))
        # Reading to the very end keeps the connection; a server that never ends it must not spoil the answer.
        with suppress(ProviderError):
            await body_of(response, _END_SECONDS)
        return self._finished(completion, answer.usage)

    async def _refusal(self, response: aiohttp.ClientResponse) -> ProviderError:
        """The error in a response with another status than 200."""
        try:
            body = await body_of(response, min(self._target.idle, 30.0), _ERROR_BODY_LIMIT)
        except ProviderError:
            body = b""
        text = excerpt(_message_in(body))
        detail = f": {text}" if text else ""
        return TryFailed(
            f"the provider answered {response.status}{detail}",
            status=response.status,
            transient=is_transient(response.status),
            wait=retry_after(response.headers),
        )

    def _finished(self, completion: Completion, usage: Any) -> Completion:
        """The completion with its cost, and free of the key."""
        cost = cost_of(
            completion.usage,
            provider=self._endpoint.prices,
            model=self._model,
            override=self._asked.price,
            reported=reported_cost(usage) if self._endpoint.reports_cost else None,
        )
        completion = cleaned(completion, self._key)
        return completion if cost is None else replace(completion, cost=cost)

    def _post_target(self, base_url: str) -> Post:
        headers = {"Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        return Post(
            f"{base_url.rstrip('/')}/chat/completions",
            headers,
            connect=self._asked.connect_timeout,
            idle=self._asked.idle_timeout,
            total=self._asked.total_timeout,
        )


def _key_of(endpoint: Endpoint, name: str) -> str | None:
    if endpoint.key_variable is None:
        return None
    key = read_key(endpoint.key_variable)
    if key is None and endpoint.key_needed:
        raise ConfigurationError(f"{name} needs a key: set the environment variable {endpoint.key_variable}")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise ConfigurationError(f"the environment variable {endpoint.key_variable} holds no usable key")
    return key


def _refuse_keys(sent: Mapping[str, Json]) -> None:
    """The sent settings are recorded, so a key in ``extra_body`` would reach the disk."""
    text = json.dumps(sent)
    if redact(text) != text:
        raise ConfigurationError("extra_body holds a key: keys are read from environment variables only")


def _message_in(body: bytes) -> str:
    """The provider's own words in an error's body, or the whole of it."""
    answer = parse_json(body)
    error = answer.get("error") if isinstance(answer, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message else body.decode("utf-8", "replace")
