"""From messages to a completion: one module per provider family, and what they share (limits, prices, retries).

Importing this package costs nothing: the HTTP client, provider packages and llama.cpp are imported by the first
model that needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .files import local_models, path_of, pull
    from .pricing import prices_version
    from .protocol import CallFailed, Capabilities, Model
    from .registry import known_providers, make_model
    from .settings import CustomProvider, ModelSettings, Price

__all__ = [
    "CallFailed",
    "Capabilities",
    "CustomProvider",
    "Model",
    "ModelSettings",
    "Price",
    "known_providers",
    "local_models",
    "make_model",
    "path_of",
    "prices_version",
    "pull",
]

_HOMES = {
    "CallFailed": "protocol",
    "Capabilities": "protocol",
    "CustomProvider": "settings",
    "Model": "protocol",
    "ModelSettings": "settings",
    "Price": "settings",
    "known_providers": "registry",
    "local_models": "files",
    "make_model": "registry",
    "path_of": "files",
    "prices_version": "pricing",
    "pull": "files",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
