"""The OpenAI-compatible providers that are known by name, and where each departs from the common form."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from pydantic import ValidationError

from ludometer.core.errors import ConfigurationError

from .protocol import Capabilities
from .settings import CustomProvider

__all__ = ["ENDPOINTS", "Endpoint", "custom_endpoint", "endpoint_of"]


_UNKNOWN = Capabilities()
_ENFORCING = Capabilities(enforces_schema=True, calls_tools=True)
_SELF_HOSTED = Capabilities(enforces_schema=True)
_TOOLS = Capabilities(calls_tools=True)
_NO_SCHEMA = Capabilities(enforces_schema=False, calls_tools=True)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that speaks the OpenAI chat completions API.

    Attributes:
        key_variable: the environment variable with the key; ``key_needed`` is False where it may be missing.
        prices: the provider's id in the price tables.
        max_tokens_field: OpenAI's reasoning models refuse ``max_tokens`` and all its models take
            ``max_completion_tokens``; elsewhere ``max_tokens`` is the name that always works.
        seed_field: Mistral calls the seed ``random_seed``.
        named_tool_choice: llama.cpp, Ollama and LM Studio know ``required`` but no tool's name.
        strict_tools: takes ``strict`` in a function's definition.
        stream_usage: takes ``stream_options`` (Mistral refuses it and sends usage anyway).
        reasoning_object: OpenRouter's ``reasoning: {effort, max_tokens}`` instead of ``reasoning_effort``.
        reports_cost: ``usage.cost`` is the charge in US dollars.
    """

    base_url: str
    key_variable: str | None = None
    key_needed: bool = True
    prices: str | None = None
    capabilities: Capabilities = _UNKNOWN
    max_tokens_field: str = "max_tokens"
    seed_field: str = "seed"
    named_tool_choice: bool = True
    strict_tools: bool = False
    stream_usage: bool = True
    reasoning_object: bool = False
    reports_cost: bool = False


ENDPOINTS: dict[str, Endpoint] = {
    "openai": Endpoint(
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        prices="openai",
        capabilities=_ENFORCING,
        max_tokens_field="max_completion_tokens",
        strict_tools=True,
    ),
    "openrouter": Endpoint(
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        prices="openrouter",
        reasoning_object=True,
        reports_cost=True,
    ),
    "deepseek": Endpoint("https://api.deepseek.com", "DEEPSEEK_API_KEY", prices="deepseek", capabilities=_NO_SCHEMA),
    "xai": Endpoint("https://api.x.ai/v1", "XAI_API_KEY", prices="x-ai", capabilities=_ENFORCING),
    "groq": Endpoint("https://api.groq.com/openai/v1", "GROQ_API_KEY", prices="groq", capabilities=_TOOLS),
    "together": Endpoint("https://api.together.xyz/v1", "TOGETHER_API_KEY", prices="together"),
    "fireworks": Endpoint("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", prices="fireworks"),
    "mistral": Endpoint(
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        prices="mistral",
        capabilities=_ENFORCING,
        seed_field="random_seed",
        stream_usage=False,
    ),
    "vllm": Endpoint("http://localhost:8000/v1", "VLLM_API_KEY", False, capabilities=_SELF_HOSTED),
    "ollama": Endpoint(
        "http://localhost:11434/v1",
        "OLLAMA_API_KEY",
        False,
        capabilities=_SELF_HOSTED,
        named_tool_choice=False,
    ),
    "lmstudio": Endpoint(
        "http://localhost:1234/v1",
        "LMSTUDIO_API_KEY",
        False,
        capabilities=_SELF_HOSTED,
        named_tool_choice=False,
    ),
    "llamacpp": Endpoint(
        "http://localhost:8080/v1",
        "LLAMACPP_API_KEY",
        False,
        capabilities=_SELF_HOSTED,
        named_tool_choice=False,
    ),
}


def endpoint_of(provider: str) -> Endpoint:
    """A known provider's address; the environment variable ``PROVIDER_BASE_URL`` moves it."""
    endpoint = ENDPOINTS[provider]
    moved = os.environ.get(f"{provider.upper()}_BASE_URL", "").strip()
    if not moved:
        return endpoint
    try:
        return replace(endpoint, base_url=CustomProvider(base_url=moved).base_url)
    except ValidationError:
        raise ConfigurationError(
            f"the environment variable {provider.upper()}_BASE_URL is no address; write it as https://host/v1"
        ) from None


def custom_endpoint(custom: CustomProvider) -> Endpoint:
    """The address that the user described."""
    return Endpoint(
        base_url=custom.base_url,
        key_variable=custom.api_key_env,
        capabilities=Capabilities(custom.sees_images, custom.enforces_schema, custom.calls_tools),
        max_tokens_field=custom.max_tokens_field,
        seed_field=custom.seed_field,
        named_tool_choice=custom.named_tool_choice,
        stream_usage=custom.stream_usage,
    )
