"""Providers with an API of their own, through the direct requests of the package `pydantic-ai-slim`.

The package and the provider's own one come with extras (``pip install 'ludometer[anthropic]'``) and are imported by
the first model that needs them. Retries are ours: the provider package's are switched off where it lets us.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ludometer.core.errors import ConfigurationError, ProviderError
from ludometer.core.exchange import (
    Completion,
    FinishReason,
    ImagePart,
    Json,
    Message,
    Request,
    Usage,
)

from .answers import bounded, is_transient
from .limits import shared_limits
from .pricing import cost_of
from .protocol import Capabilities, OnDelta
from .redact import read_key, redact
from .retries import RetryPolicy, TryFailed, retry_after, with_retries
from .settings import ModelSettings
from .wire import closed

if TYPE_CHECKING:
    import pydantic_ai.messages as pai
    from pydantic_ai.models import Model as DirectModel
    from pydantic_ai.models import ModelRequestParameters

__all__ = ["PydanticAI", "through_pydantic_ai"]


class _Provider(NamedTuple):
    """What a provider needs.

    Attributes:
        extra: of our own package.
        key_variables: one of them must be set; none where there are other ways to log in.
        prices: its id in the price tables.
        thinking_budget: the setting that takes a budget of reasoning tokens, and its value's form.
    """

    extra: str
    key_variables: tuple[str, ...]
    prices: str
    thinking_budget: str | None = None


_PROVIDERS = {
    "anthropic": _Provider("anthropic", ("ANTHROPIC_API_KEY",), "anthropic", "anthropic_thinking"),
    "google": _Provider("google", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "google", "google_thinking_config"),
    "google-cloud": _Provider("google", (), "google", "google_thinking_config"),
    "bedrock": _Provider("bedrock", (), "aws"),
    "azure": _Provider("providers", ("AZURE_OPENAI_API_KEY",), "azure"),
    "cohere": _Provider("providers", ("CO_API_KEY",), "cohere"),
}

KEY_VARIABLES = {name: provider.key_variables for name, provider in _PROVIDERS.items() if provider.key_variables}
"""The environment variables that may hold the key, by provider."""

_FINISH: dict[str | None, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_call": "tool",
}


def through_pydantic_ai(
    provider: str, model: str, settings: ModelSettings, *, jitter: random.Random | None = None
) -> PydanticAI:
    """A model of a provider that pydantic-ai knows.

    Raises:
        ConfigurationError: the extra is not installed, or the key's environment variable is not set.
    """
    needs = _PROVIDERS[provider]
    if provider == "bedrock":
        os.environ.setdefault("AWS_MAX_ATTEMPTS", "1")  # its package takes the number of tries from nowhere else
    keys = [read_key(variable) for variable in needs.key_variables]
    if keys and not any(keys):
        raise ConfigurationError(
            f"{provider}/{model} needs a key: set the environment variable {needs.key_variables[0]}"
        )
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError:
        raise ConfigurationError(_install(provider, needs.extra)) from None
    try:
        direct = infer_model(f"{provider}:{model}")
    except ImportError:
        raise ConfigurationError(_install(provider, needs.extra)) from None
    except UserError as error:
        raise ConfigurationError(redact(f"{provider}/{model}: {error}")) from None
    return PydanticAI(f"{provider}/{model}", direct, settings, jitter=jitter)


class PydanticAI:
    """A pydantic-ai model behind our protocol.

    Args:
        name: ``provider/model``.
        direct: the model that pydantic-ai made.
    """

    def __init__(
        self,
        name: str,
        direct: DirectModel,
        settings: ModelSettings,
        *,
        jitter: random.Random | None = None,
    ) -> None:
        self.name = name
        provider, _, self._model = name.partition("/")
        self._needs = _PROVIDERS.get(provider)
        self._direct = direct
        self._asked = settings
        self._sent = _sent_settings(name, settings, self._needs)
        ignored = direct.unsupported_settings
        if unsent := sorted(ignored & set(self._sent)):
            # It would be left out with a mere warning, and the record would claim what never was.
            raise ConfigurationError(f"{name} does not take {', '.join(unsent)}: leave it out")
        own = {"max_retries": 0, "timeout": settings.total_timeout}
        self._own = {field: value for field, value in own.items() if field not in ignored}
        self._policy = RetryPolicy(settings.retries, settings.max_retry_wait, jitter or random.Random())
        profile = direct.profile
        self.capabilities = Capabilities(
            sees_images=profile.get("supports_image_input"),
            enforces_schema=bool(profile.get("supports_json_schema_output", False)),
            calls_tools=bool(profile.get("supports_tools", True)),
        )

    @property
    def settings(self) -> Mapping[str, Json]:
        """What is sent besides the messages, by pydantic-ai's names."""
        return {"model": self._model, **self._sent}

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        """Ask the model; see `ludometer.models.protocol.Model.complete`.

        ``Request.json_object`` only has an effect through the prompt: these providers have no common mode for it.
        """
        limits = shared_limits(("pydantic-ai", self.name))
        limits.tighten(self._asked)
        messages = _messages(request.messages)
        parameters = _parameters(request)

        async def one_try() -> Completion:
            expected = limits.expected_tokens(request)
            async with limits.slot(expected):
                started = time.perf_counter()
                try:
                    response = await self._ask(messages, parameters, on_delta)
                except ProviderError as error:
                    raise _timed(error, time.perf_counter() - started) from None
                seconds = time.perf_counter() - started
            completion = self._completion(response)
            limits.settle(expected, completion.usage)
            return replace(completion, latency=seconds)

        return await with_retries(one_try, self._policy, cool_down=limits.cool_down)

    async def close(self) -> None:
        """Nothing to give back: pydantic-ai keeps its own connections."""

    async def _ask(
        self,
        messages: list[pai.ModelMessage],
        parameters: ModelRequestParameters,
        on_delta: OnDelta | None,
    ) -> pai.ModelResponse:
        from pydantic_ai.direct import model_request, model_request_stream
        from pydantic_ai.exceptions import UserError

        settings: Any = {**self._sent, **self._own}
        streamed = self._asked.stream if self._asked.stream is not None else on_delta is not None
        try:
            async with asyncio.timeout(self._asked.total_timeout):
                if not streamed:
                    response = await model_request(
                        self._direct,
                        messages,
                        model_settings=settings,
                        model_request_parameters=parameters,
                        instrument=False,
                    )
                    if on_delta is not None and response.text:
                        on_delta(response.text)
                    return response
                async with model_request_stream(
                    self._direct,
                    messages,
                    model_settings=settings,
                    model_request_parameters=parameters,
                    instrument=False,
                ) as stream:
                    async for event in stream:
                        _report(event, on_delta)
                    return stream.get()
        except UserError as error:
            raise ConfigurationError(redact(f"{self.name}: {error}")) from None
        except TimeoutError:
            raise ProviderError(f"{self.name}: no answer within {self._asked.total_timeout:g} s") from None
        except Exception as error:
            raise _provider_error(self.name, error) from None

    def _completion(self, response: pai.ModelResponse) -> Completion:
        import pydantic_ai.messages as pai
        from pydantic_core import to_json

        parts = response.parts
        texts = [part.content for part in parts if isinstance(part, pai.TextPart)]
        thoughts = [part.content for part in parts if isinstance(part, pai.ThinkingPart) and part.content]
        calls = [part.args_as_json_str() for part in parts if isinstance(part, pai.ToolCallPart)]
        usage = _usage(response)
        return Completion(
            text="".join(texts) if texts else None,
            finish_reason=_FINISH.get(response.finish_reason, "unknown"),
            reasoning="\n".join(thoughts) or None,
            tool_arguments=calls[0] if calls else None,
            model=response.model_name,
            usage=usage,
            cost=cost_of(
                usage,
                provider=self._needs.prices if self._needs else None,
                model=self._model,
                override=self._asked.price,
            ),
            raw=bounded(redact(to_json(response, fallback=repr, inf_nan_mode="null").decode())),
        )


def _install(provider: str, extra: str) -> str:
    return f"models of {provider} need another package: pip install 'ludometer[{extra}]'"


def _sent_settings(name: str, settings: ModelSettings, needs: _Provider | None) -> dict[str, Json]:
    sent: dict[str, Json] = {
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "max_tokens": settings.max_tokens,
        "seed": settings.seed,
        "stop_sequences": None if settings.stop is None else list(settings.stop),
        "thinking": False if settings.reasoning_effort == "none" else settings.reasoning_effort,
        "extra_body": settings.extra_body or None,
    }
    if settings.reasoning_tokens is not None:
        field = needs.thinking_budget if needs else None
        if field is None:
            raise ConfigurationError(f"{name} has no setting for reasoning_tokens: leave it out")
        sent[field] = (
            {"type": "enabled", "budget_tokens": settings.reasoning_tokens}
            if field == "anthropic_thinking"
            else {"thinking_budget": settings.reasoning_tokens}
        )
    return {field: value for field, value in sent.items() if value is not None}


def _messages(messages: tuple[Message, ...]) -> list[pai.ModelMessage]:
    """Our chat as pydantic-ai's: neighbouring messages that go to the model share one request."""
    import pydantic_ai.messages as pai

    result: list[pai.ModelMessage] = []
    pending: list[pai.ModelRequestPart] = []
    for message in messages:
        if message.role == "assistant":
            if pending:
                result.append(pai.ModelRequest(parts=pending))
                pending = []
            result.append(pai.ModelResponse(parts=[pai.TextPart(content=message.text)]))
        elif message.role == "system":
            pending.append(pai.SystemPromptPart(content=message.text))
        else:
            pending.append(pai.UserPromptPart(content=_content(message)))
    if pending:
        result.append(pai.ModelRequest(parts=pending))
    return result


def _content(message: Message) -> Any:
    import pydantic_ai.messages as pai

    if isinstance(message.content, str):
        return message.content
    return [
        pai.BinaryContent(data=part.data, media_type=part.media_type) if isinstance(part, ImagePart) else part.text
        for part in message.content
    ]


def _parameters(request: Request) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if request.tool is not None:
        tool = ToolDefinition(
            name=request.tool.name,
            description=request.tool.description,
            parameters_json_schema=closed(request.tool.schema),
            kind="output",
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    if request.schema is not None:
        shape = OutputObjectDefinition(json_schema=closed(request.schema), name=request.schema_name, strict=True)
        return ModelRequestParameters(output_mode="native", output_object=shape)
    return ModelRequestParameters()


def _report(event: object, on_delta: OnDelta | None) -> None:
    import pydantic_ai.messages as pai

    if on_delta is None:
        return
    if isinstance(event, pai.PartStartEvent) and isinstance(event.part, pai.TextPart):
        text = event.part.content
    elif isinstance(event, pai.PartDeltaEvent) and isinstance(event.delta, pai.TextPartDelta):
        text = event.delta.content_delta
    else:
        return
    if text:
        on_delta(text)


def _usage(response: pai.ModelResponse) -> Usage:
    """pydantic-ai writes 0 where a provider said nothing."""
    usage = response.usage
    if not usage.has_values():
        return Usage()
    return Usage(
        input=usage.input_tokens,
        cached_input=usage.cache_read_tokens,
        output=usage.output_tokens,
        reasoning=usage.details.get("reasoning_tokens"),
    )


def _provider_error(name: str, error: Exception) -> ProviderError:
    """Our error for one of pydantic-ai's or of the provider's package. Anything that is not clearly the request's
    own fault may pass."""
    from pydantic_ai.exceptions import ModelHTTPError, ModelRequestRejectedError

    text = redact(f"{name}: {error or type(error).__name__}")[:600]
    if isinstance(error, ModelHTTPError):
        return TryFailed(
            text,
            status=error.status_code,
            transient=is_transient(error.status_code),
            wait=retry_after(error.headers or {}),
        )
    return TryFailed(text, transient=not isinstance(error, ModelRequestRejectedError | TypeError))


def _timed(error: ProviderError, seconds: float) -> TryFailed:
    return TryFailed(
        str(error),
        status=error.status,
        transient=error.transient,
        wait=error.wait if isinstance(error, TryFailed) else None,
        seconds=seconds,
    )
