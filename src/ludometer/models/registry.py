"""From a name to a model: ``provider/model``, where the model's own name may hold slashes."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ludometer.core.errors import ConfigurationError
from ludometer.core.registry import nearest

from .protocol import Model
from .settings import CustomProvider, ModelSettings

__all__ = ["known_providers", "make_model"]

_ELSEWHERE = ("anthropic", "azure", "bedrock", "cohere", "google", "google-cloud")
_LOCAL = "local"


def known_providers(custom: Mapping[str, CustomProvider] | None = None) -> tuple[str, ...]:
    """Every provider that a name may begin with, in alphabetical order."""
    from .providers import ENDPOINTS

    return tuple(sorted({*ENDPOINTS, *_ELSEWHERE, _LOCAL, *(custom or {})}))


def make_model(
    name: str,
    settings: ModelSettings | None = None,
    custom: Mapping[str, CustomProvider] | None = None,
    *,
    jitter: random.Random | None = None,
) -> Model:
    """The model of that name. Nothing is sent yet, but everything that must be set up is checked.

    Args:
        name: ``provider/model``, for example ``openai/gpt-5-mini`` or ``openrouter/qwen/qwen3-32b``.
        custom: the user's own providers; one of them may replace a known one.

    Raises:
        ConfigurationError: an unknown provider, a missing key, a missing package or model file.
    """
    provider, separator, model = name.partition("/")
    if not separator or not provider or not model:
        raise ConfigurationError(f"a model is named provider/model, for example openai/gpt-5-mini, not {name!r}")
    settings = settings or ModelSettings()
    custom = custom or {}
    if provider in custom or provider not in (*_ELSEWHERE, _LOCAL):
        return _over_http(provider, model, settings, custom, jitter)
    if provider == _LOCAL:
        from .local import LocalModel

        return LocalModel(model, settings, jitter=jitter)
    from .pydantic_ai import through_pydantic_ai

    return through_pydantic_ai(provider, model, settings, jitter=jitter)


def _over_http(
    provider: str,
    model: str,
    settings: ModelSettings,
    custom: Mapping[str, CustomProvider],
    jitter: random.Random | None,
) -> Model:
    from .openai_compatible import OpenAICompatible
    from .providers import ENDPOINTS, custom_endpoint, endpoint_of

    if provider in custom:
        endpoint = custom_endpoint(custom[provider])
    elif provider in ENDPOINTS:
        endpoint = endpoint_of(provider)
    else:
        raise ConfigurationError(f"unknown provider {provider!r}{nearest(provider, known_providers(custom))}")
    return OpenAICompatible(provider, model, endpoint, settings, jitter=jitter)
