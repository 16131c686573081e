"""A player that sees one move ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, Chance, ConfigurationError, Decision, Seat, Turn
from ludometer.players._thinking import think, worlds_of
from ludometer.solvers.mcts import check_searchable


class GreedyPlayer:
    """Wins at once where it can; otherwise avoids what loses at once; otherwise plays at random."""

    name: ClassVar[str] = "greedy"
    description: ClassVar[str] = "wins at once where it can, avoids losing at once, else plays at random"

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game that is not for two, or cannot be searched."""
        if game.players != (2, 2):
            raise ConfigurationError(f"greedy plays games for two, not {game.title}")
        check_searchable(game)

    async def act(self, turn: Turn) -> Decision:
        # With luck or hidden information it trusts the one state it imagines.
        action, seconds = await think(turn, _chosen, worlds_of(turn, 1), turn.chance.named("choice"))
        return Decision(action, seconds=seconds)


def _chosen(game: AnyGame, worlds: Sequence[Any], seat: Seat, chance: Chance) -> Any:
    state = worlds[0]
    legal = list(game.legal(state, seat) or ())
    after = {action: game.apply(state, {seat: action}) for action in legal}
    wins = [action for action in legal if _won(game, after[action], seat)]
    if wins:
        return chance.choice(wins)[0]
    safe = [action for action in legal if not _loses_at_once(game, after[action], seat)]
    return chance.choice(safe or legal)[0]


def _won(game: AnyGame, state: Any, seat: Seat) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.scores[seat] == max(outcome.scores.values()) > 0.5


def _loses_at_once(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Whether the game is lost, or the other side can win with its next move."""
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.scores[seat] < 0.5
    (mover,) = game.to_act(state)
    if mover == seat:
        return False
    return any(_won(game, game.apply(state, {mover: reply}), mover) for reply in game.legal(state, mover) or ())
