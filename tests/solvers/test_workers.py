from __future__ import annotations

import asyncio
import os
import time

import pytest

from ludometer.core import Chance, Illegal, InternalError
from ludometer.games.tictactoe import Cell, TicTacToe
from ludometer.solvers.workers import run_in_worker, worker_count


def test_a_worker_computes_in_another_process_that_stays() -> None:
    async def ask() -> list[int]:
        return [await run_in_worker(os.getpid) for _ in range(3 * worker_count())]

    first, second = set(asyncio.run(ask())), set(asyncio.run(ask()))  # two event loops: the processes outlive them
    assert os.getpid() not in first
    assert len(first | second) <= worker_count()
    assert first & second


def test_what_the_function_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_in_worker(divmod, 1, 0))
    with pytest.raises(InternalError, match="cannot be sent back"):
        asyncio.run(run_in_worker(os.scandir, "."))


def test_errors_keep_their_class() -> None:
    # A game's own method, bound to the game: both travel to the worker and the error comes back.
    game = TicTacToe()
    state = game.apply(game.new(2, Chance(0)), {"X": Cell(1, 1)})
    with pytest.raises(Illegal) as caught:
        asyncio.run(run_in_worker(game.check, state, "O", Cell(1, 1)))
    assert caught.value.kind == "already_taken"


def test_a_deadline_kills_the_computation_and_the_next_call_works() -> None:
    async def ask() -> int:
        for _ in range(2 * worker_count()):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await run_in_worker(time.sleep, 60)
        return await asyncio.wait_for(run_in_worker(abs, -3), 30)

    assert asyncio.run(ask()) == 3


def test_a_call_that_still_waits_can_be_canceled() -> None:
    async def ask() -> int:
        busy = [asyncio.ensure_future(run_in_worker(time.sleep, 0.5)) for _ in range(worker_count())]
        waiting = asyncio.ensure_future(run_in_worker(time.sleep, 60))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(*busy)
        return await run_in_worker(abs, -4)

    assert asyncio.run(ask()) == 4


def test_a_process_that_dies_is_replaced() -> None:
    with pytest.raises(InternalError, match="without an answer"):
        asyncio.run(run_in_worker(os._exit, 3))
    assert asyncio.run(run_in_worker(abs, -5)) == 5


def test_many_calls_at_once() -> None:
    async def ask() -> list[int]:
        return await asyncio.gather(*(run_in_worker(abs, -i) for i in range(50)))

    assert asyncio.run(ask()) == list(range(50))
