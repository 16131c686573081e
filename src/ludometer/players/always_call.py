"""A poker player that never folds and never raises."""

from __future__ import annotations

from typing import ClassVar

from ludometer.core import AnyGame, ConfigurationError, Decision, Turn
from ludometer.games._poker_notation import Action
from ludometer.games.poker import Poker


class AlwaysCallPlayer:
    """Checks where it can and calls where it must: the calling station every better player should beat."""

    name: ClassVar[str] = "always_call"
    description: ClassVar[str] = "poker: checks or calls, whatever its cards"

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but poker."""
        if not isinstance(game, Poker):
            raise ConfigurationError(f"always_call plays poker, not {game.title}")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        return Decision(Action("call" if turn.observation.data["turn"]["to_call"] else "check"))
