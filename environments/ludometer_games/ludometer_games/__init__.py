"""Every game of Ludometer as an environment for evaluating and training language models.

verifiers finds the classes in ``__all__``. They are loaded when asked for, so that rows and report can be used where
verifiers is not installed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludometer_games.environment import GamesEnv, GamesTaskset
    from ludometer_games.harness import InProcessHarness

__all__ = ["GamesEnv", "GamesTaskset", "InProcessHarness"]

_HOMES = {"InProcessHarness": "harness", "GamesEnv": "environment", "GamesTaskset": "environment"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
