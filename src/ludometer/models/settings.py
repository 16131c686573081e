"""How a model is asked: what the user writes in a configuration, validated."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

__all__ = ["CustomProvider", "ModelSettings", "Price"]

_Seconds = Annotated[float, Field(gt=0, le=86_400)]
_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Price(_Frozen):
    """US dollars per million tokens. ``cached_input`` is what ``input`` costs where it is left out. 0 is a price."""

    input: _Dollars
    cached_input: _Dollars | None = None
    output: _Dollars


class ModelSettings(_Frozen):
    """Everything about a call but the messages and the address. A setting that is None is not sent.

    Attributes:
        temperature, top_p, max_tokens, seed, stop: sampling, by the names of the OpenAI API.
        reasoning_effort: how hard a reasoning model thinks, in the provider's own words (``low``, ``high``, ...).
        reasoning_tokens: budget of reasoning tokens, where the provider has one.
        extra_body: further fields of the request's body, sent as they are.
        price: overrides the known price.
        concurrency: calls in flight at once, over all entrants with the same model; for ``local/`` models also
            the number of slots.
        requests_per_minute, tokens_per_minute: rate limits, kept over all entrants with the same model.
        connect_timeout: seconds to reach the provider.
        idle_timeout: seconds of silence after which a started answer is given up.
        total_timeout: seconds that one try may take.
        retries: tries after the first one.
        max_retry_wait: the longest wait between tries, in seconds; a provider that asks for more ends the call.
        stream: ask for the answer piece by piece (None: only where somebody watches).
        max_tokens_field: the name under which the provider wants ``max_tokens`` (None: the provider's usual one).
        context_tokens: tokens of context per slot of a ``local/`` model.
    """

    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    seed: int | None = None
    stop: tuple[str, ...] | None = None
    reasoning_effort: str | None = None
    reasoning_tokens: Annotated[int, Field(ge=0)] | None = None
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    price: Price | None = None
    concurrency: Annotated[int, Field(gt=0)] | None = None
    requests_per_minute: Annotated[float, Field(gt=0)] | None = None
    tokens_per_minute: Annotated[float, Field(gt=0)] | None = None
    connect_timeout: _Seconds = 60.0
    idle_timeout: _Seconds = 300.0
    total_timeout: _Seconds = 1800.0
    retries: Annotated[int, Field(ge=0, le=100)] = 6
    max_retry_wait: Annotated[float, Field(ge=0, le=86_400)] = 120.0
    stream: bool | None = None
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    context_tokens: Annotated[int, Field(ge=256)] = 4096


class CustomProvider(_Frozen):
    """An OpenAI-compatible address of the user's own.

    Attributes:
        base_url: what comes before ``/chat/completions``, for example ``http://localhost:8000/v1``.
        api_key_env: the environment variable that holds the key; None for an address that needs none.
        sees_images, enforces_schema, calls_tools: what its models can do, where known.
        max_tokens_field: the name under which it wants the limit on answer tokens.
        seed_field: the name under which it wants the sampling seed.
        named_tool_choice: it takes the name of the tool to call; otherwise ``required`` is sent.
        stream_usage: it understands ``stream_options.include_usage``.
    """

    base_url: str
    api_key_env: str | None = None
    sees_images: bool | None = None
    enforces_schema: bool | None = None
    calls_tools: bool | None = None
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed_field: str = "seed"
    named_tool_choice: bool = True
    stream_usage: bool = True

    @model_validator(mode="after")
    def _plain_address(self) -> CustomProvider:
        scheme, separator, rest = self.base_url.partition("://")
        if not separator or scheme not in ("http", "https") or not rest.strip("/"):
            raise ValueError("base_url must start with http:// or https:// and name a host")
        if "@" in rest.partition("/")[0] or "?" in rest:
            raise ValueError("base_url must hold no key: name an environment variable in api_key_env")
        return self
