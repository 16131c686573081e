"""Ludometer: measure what language models can do by letting them play games.

>>> import ludometer
>>> match = ludometer.play("tictactoe", ["perfect", "perfect"], seed=1)
>>> match.scores()
{'X': 0.5, 'O': 0.5}
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ludometer._version import __version__

if TYPE_CHECKING:
    from ludometer.api import Run, load, play, run
    from ludometer.core import Game, LudometerError, Player, make_game
    from ludometer.matches import Match, MatchPolicy

_HOMES = {
    "Game": "core",
    "LudometerError": "core",
    "Match": "matches",
    "MatchPolicy": "matches",
    "Player": "core",
    "Run": "api",
    "load": "api",
    "make_game": "core",
    "play": "api",
    "run": "api",
}

__all__ = [
    "Game",
    "LudometerError",
    "Match",
    "MatchPolicy",
    "Player",
    "Run",
    "__version__",
    "load",
    "make_game",
    "play",
    "run",
]


def __getattr__(name: str) -> Any:
    """Imports what is asked for, so that ``import ludometer`` costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"ludometer.{_HOMES[name]}"), name)
