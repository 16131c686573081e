"""What players that search share: the search runs in a worker process, on imagined states only."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ludometer.core import AnyGame, Json, Seat, Turn
from ludometer.solvers.workers import run_in_worker

__all__ = ["think", "worlds_of"]

R = TypeVar("R")


def worlds_of(turn: Turn, count: int) -> list[Any]:
    """States that this seat cannot tell from the true one: one where there is nothing to imagine, else ``count``."""
    game = turn.game
    known = game.perfect_information and not game.has_luck
    return [turn.imagine(turn.chance.named("world", i)) for i in range(1 if known else count)]


async def think(turn: Turn, function: Callable[..., R], worlds: Sequence[Any], *args: object) -> tuple[R, float]:
    """``function(game, worlds, seat, *args)`` in a worker process, which is killed when the caller is canceled.

    Args:
        function: importable by its module's name.

    Returns:
        What the function returned, and the seconds it took, without those spent waiting for a free process.
    """
    dumped = [turn.game.dump(world) for world in worlds]
    return await run_in_worker(_loaded, function, turn.game, dumped, turn.seat, *args)


def _loaded(
    function: Callable[..., R], game: AnyGame, dumped: Sequence[Json], seat: Seat, *args: object
) -> tuple[R, float]:
    started = time.monotonic()
    result = function(game, [game.load(data) for data in dumped], seat, *args)
    return result, max(time.monotonic() - started, 1e-6)
