"""A player that picks uniformly among the legal actions."""

from __future__ import annotations

from typing import ClassVar

from ludometer.core import Decision, Turn


class RandomPlayer:
    """Uniform over the legal actions; where they cannot be listed, a sample of the game's own."""

    name: ClassVar[str] = "random"
    description: ClassVar[str] = "plays a random legal move"

    async def act(self, turn: Turn) -> Decision:
        return Decision(turn.sample(turn.chance))
