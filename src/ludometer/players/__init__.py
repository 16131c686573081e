"""Who sits in a seat: one file per player. A file dropped here is found by its name."""

from ludometer.players.entrant import Entrant
from ludometer.players.registry import PLAYERS

__all__ = ["PLAYERS", "Entrant"]
