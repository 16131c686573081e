"""Chess engines over UCI: Stockfish, or any other."""

from __future__ import annotations

import os
from typing import ClassVar

from ludometer.core import AnyGame, ConfigurationError, Decision, Fault, Turn
from ludometer.games.chess import Chess, ChessState
from ludometer.solvers.uci_engine import EnginePool, EngineSetup, find_engine, position_command

__all__ = ["UciPlayer"]

_NODES = 100_000
_HASH_MIB = 16
_LONGEST = 600
"""Seconds a move: nobody who writes more means seconds."""


class UciPlayer:
    """A chess engine.

    With ``nodes`` or ``depth`` and at full strength the same position always gets the same move: one thread, a hash
    table of fixed size, ``ucinewgame`` and the whole game before every move. With ``movetime`` it depends on the
    machine, and with ``skill`` below 20 or ``elo`` on the engine's own dice, which UCI gives no way to seed.

    Args:
        path: the program, by name or place.
        skill: Stockfish's ``Skill Level``, from 0 to 20 (full strength).
        elo: the strength to play at, where the engine has ``UCI_LimitStrength`` and ``UCI_Elo``.
        nodes: positions to search per move; 100,000 where no other limit is given.
        movetime: seconds to think per move, at most 600.
        depth: halfmoves to search.
        deadline: seconds after which a decision is given up and the engine is killed; ``movetime`` comes on top.
    """

    name: ClassVar[str] = "uci"
    description: ClassVar[str] = "a chess engine, such as Stockfish, at a strength of your choice (movetime: seconds)"

    def __init__(
        self,
        path: str = "stockfish",
        skill: int | None = None,
        elo: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        depth: int | None = None,
        deadline: float = 60.0,
    ) -> None:
        if skill is not None and not 0 <= skill <= 20:
            raise ValueError(f"skill must be between 0 and 20, not {skill}")
        if skill is not None and elo is not None:
            raise ValueError("give skill or elo, not both")
        limits = {"elo": elo, "nodes": nodes, "movetime": movetime, "depth": depth, "deadline": deadline}
        for name, value in limits.items():
            if value is not None and not 0 < value < 1e9:
                raise ValueError(f"{name} must be a positive number, not {value}")
        if movetime is not None and movetime > _LONGEST:
            raise ValueError(f"movetime is in seconds, not in milliseconds, and at most {_LONGEST}, not {movetime:g}")
        self.path, self.skill, self.elo = path, skill, elo
        self.nodes, self.movetime, self.depth = nodes, movetime, depth
        if nodes is None and movetime is None and depth is None:
            self.nodes = _NODES
        self.deadline = deadline
        self._pool = EnginePool(os.cpu_count() or 1)

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for any game but chess, and where the engine is not installed."""
        if not isinstance(game, Chess):
            raise self._refuses(game)
        find_engine(self.path)

    async def act(self, turn: Turn) -> Decision:
        """Raises `ConfigurationError` as ``supports`` does, and `PlayerError` where the engine fails."""
        game = turn.game
        if not isinstance(game, Chess):
            raise self._refuses(game)
        state: ChessState = turn.imagine(turn.chance)
        position = position_command(game.fen, state.lans)
        limit = self.deadline + (self.movetime or 0.0)
        try:
            thought = await self._pool.think(self._setup(), position, self._go(), limit)
        except TimeoutError as error:
            return Decision(fault=Fault("timeout", str(error)), seconds=limit)
        return Decision(turn.parse(thought.move), text=thought.move, seconds=thought.seconds)

    def _refuses(self, game: AnyGame) -> ConfigurationError:
        return ConfigurationError(f"the player uci plays chess only, not {game.title}")

    async def close(self) -> None:
        """Ends the engines. The player can go on afterwards, with new ones."""
        await self._pool.close()

    def _setup(self) -> EngineSetup:
        options = [("Threads", "1"), ("Hash", str(_HASH_MIB))]
        if self.skill is not None:
            options.append(("Skill Level", str(self.skill)))
        if self.elo is not None:
            options += [("UCI_LimitStrength", "true"), ("UCI_Elo", str(self.elo))]
        return EngineSetup(find_engine(self.path), tuple(options))

    def _go(self) -> str:
        parts = [
            f"nodes {self.nodes}" if self.nodes is not None else "",
            f"movetime {max(1, round(1000 * self.movetime))}" if self.movetime is not None else "",
            f"depth {self.depth}" if self.depth is not None else "",
        ]
        return " ".join(["go", *filter(None, parts)])
