"""Players by name."""

from __future__ import annotations

import inspect

from ludometer.core.registry import Registry
from ludometer.core.turn import Player

__all__ = ["PLAYERS"]


def _is_player(cls: type) -> bool:
    return isinstance(getattr(cls, "name", None), str) and inspect.iscoroutinefunction(getattr(cls, "act", None))


PLAYERS: Registry[Player] = Registry("player", "ludometer.players", _is_player)
