"""Multi-turn tic-tac-toe against minimax: an environment for evaluating and training language models.

verifiers finds the classes in ``__all__``. They are loaded when asked for, so that the protocol, the rows and the
report can be used where verifiers is not installed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tic_tac_toe.environment import TicTacToeEnv, TicTacToeTaskset
    from tic_tac_toe.harness import InProcessHarness

__all__ = ["InProcessHarness", "TicTacToeEnv", "TicTacToeTaskset"]

_HOMES = {"InProcessHarness": "harness", "TicTacToeEnv": "environment", "TicTacToeTaskset": "environment"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
