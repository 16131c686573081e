"""What the adapters share: matches with a seed, numbered actions as decisions, and opponents that are asked here."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

from ludometer.core import AnyGame, ConfigurationError, Decision, Fault, Illegal, Json, Player, Turn, make_game
from ludometer.envs.encoding import Encoding
from ludometer.matches import Ending, Match, MatchPolicy
from ludometer.players import Entrant
from ludometer.players.entrant import check_contestant, release

__all__ = ["ONE_TRY", "Opponent", "Opponents", "decision_of", "player_of", "rules_of", "truncated"]

T = TypeVar("T")

Opponent: TypeAlias = str | Mapping[str, Json] | Player
"""A player as a configuration writes it (``mcts:simulations=100``), or an object."""

ONE_TRY = MatchPolicy(attempts=1, feedback="none")
"""An illegal action forfeits, which is how training environments are played by default."""


def rules_of(game: str | AnyGame, options: Mapping[str, Json] | None = None) -> AnyGame:
    """The game by name, with options. Raises `ConfigurationError`."""
    if not isinstance(game, str):
        if options:
            raise ConfigurationError("options belong to a game that is given by name")
        return game
    return make_game(game, options)


def decision_of(match: Match, turn: Turn, encoding: Encoding, index: int) -> Decision:
    """The action with a number, as an answer to a turn; a number that stands for none is an illegal answer."""
    try:
        return Decision(encoding.action(match.state, turn.seat, int(index)), text=str(index))
    except Illegal as error:
        return Decision(fault=Fault("illegal", error.reason, error.kind), text=str(index))


def truncated(ending: Ending | None) -> bool:
    """Whether a match was stopped and not decided."""
    return ending is not None and ending.kind in ("canceled", "void")


def player_of(opponent: Opponent, game: AnyGame) -> Player:
    """The player of an opponent. Raises `ConfigurationError` for one that is unknown or cannot play the game."""
    if not isinstance(opponent, str | Mapping):
        return opponent
    entrant = Entrant.of(opponent)
    player = entrant.make_player()
    check_contestant(entrant.name, player)
    entrant.check_game(player, game)
    return player


class Opponents:
    """Players that are asked from code that is not asynchronous, also where an event loop runs already (a notebook).

    Close it when done.

    Args:
        given: opponents by any names.
    """

    def __init__(self, game: AnyGame, given: Mapping[str, Opponent]) -> None:
        self.players = {name: player_of(opponent, game) for name, opponent in given.items()}
        self._runner: asyncio.Runner | None = None
        self._thread: ThreadPoolExecutor | None = None

    def answer(self, turn: Turn, name: str) -> Decision:
        """The decision of the player with this name. What it raises is raised."""
        return self.wait(self.players[name].act(turn))

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine to its end."""
        if self._runner is None:
            # One loop for all calls: what a player keeps open belongs to the loop it was opened in.
            self._runner = asyncio.Runner()
            weakref.finalize(self, self._runner.close)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            if self._thread is None:
                return self._runner.run(work)
        self._thread = self._thread or ThreadPoolExecutor(1, "ludometer-opponents")
        return self._thread.submit(self._runner.run, work).result()

    def close(self) -> None:
        """Gives back what the players hold."""
        if self._runner is None:
            return
        for player in self.players.values():
            self.wait(release(player))
        runner, self._runner = self._runner, None
        if self._thread is not None:
            self._thread.submit(runner.close).result()
            self._thread.shutdown()
            self._thread = None
        else:
            runner.close()
