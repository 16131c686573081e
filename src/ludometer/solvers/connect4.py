"""What moves are worth in Connect Four on its usual board: proven where the search gets to the end.

From about the twelfth stone on every position is proven within moments (from the eighth on mostly so); before that the
search stops at a number of positions, says how many moves ahead it saw, and proves only what is decided within those.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from ludometer.core import AnyGame, ConfigurationError, InternalError, Seat
from ludometer.games._openspiel import Move
from ludometer.games.connect4 import ConnectFour
from ludometer.solvers.connect4_search import CELLS, COLUMNS, COMPILED, empty_table, play, search, wins_at_once
from ludometer.solvers.estimates import ActionValue

__all__ = ["Connect4Evaluator", "Judgement", "judge"]

BUDGET: Final = 4_000_000 if COMPILED else 150_000
"""Positions that are searched for one decision: about a second, compiled or not."""

_TABLE_BITS: Final = 22 if COMPILED else 16
_EVERYTHING: Final = CELLS


class Judgement(NamedTuple):
    """The columns (from 0) that are not full, each with its result for the player to move.

    Attributes:
        results: 1 won, 0 drawn, -1 lost, None where it is not known.
        depth: how many moves ahead everything was searched; None where every result is proven.
        positions: how many were searched.
    """

    results: dict[int, int | None]
    depth: int | None
    positions: int


def judge(columns: tuple[int, ...], *, budget: int = BUDGET) -> Judgement:
    """Judges a position of the usual 7-by-6 board.

    The same arguments always give the same judgement: the search counts positions, not time.

    Args:
        columns: the moves so far, counted from 0; nobody has won and the board is not full.
        budget: positions to search at most, 0 for no bound. Half goes into a proof, the rest into looking ahead
            as far as it reaches.
    """
    results, spent = _attempt(columns, _EVERYTHING, budget // 2)
    if results is not None:
        return Judgement(dict(results), None, spent)
    ahead: dict[int, int | None] = dict.fromkeys(_open(columns))
    seen = 0
    for depth in range(2, CELLS, 2):
        found, more = _attempt(columns, depth, max(1, budget - spent), provisional=True)
        spent += more
        if found is None:
            break
        # 0 at a limited depth is "undecided so far"; wins and losses are proven.
        ahead, seen = {column: result or None for column, result in found.items()}, depth + 1
    return Judgement(ahead, seen, spent)


def _open(columns: tuple[int, ...]) -> list[int]:
    return [column for column in range(COLUMNS) if columns.count(column) < CELLS // COLUMNS]


def _attempt(
    columns: tuple[int, ...], depth: int, budget: int, *, provisional: bool = False
) -> tuple[dict[int, int] | None, int]:
    """Results of all moves with a search of ``depth`` moves after each, and the positions searched.

    None for the results where the budget ran out, or where the depth cut something off and that is not allowed.
    """
    keys, known = empty_table(_TABLE_BITS)
    counters = np.array([0, budget or np.iinfo(np.int64).max, 0], np.int64)
    results = {}
    for column in _open(columns):
        results[column] = _result((*columns, column), depth, keys, known, counters)
        if counters[0] > counters[1]:
            return None, int(counters[0])
    cut = bool(counters[2]) and not provisional
    return None if cut else results, int(counters[0])


def _result(columns: tuple[int, ...], depth: int, keys: Any, known: Any, counters: Any) -> int:
    """The result of the last of these moves for the player who made it."""
    own, mask = play(columns[:-1])
    if wins_at_once(own, mask) >> (7 * columns[-1]) & 63:
        return 1
    own, mask = play(columns)
    if len(columns) == CELLS:
        return 0
    if wins_at_once(own, mask):
        return -1
    return -int(search(own, mask, len(columns), -1, 1, depth, keys, known, counters))


class Connect4Evaluator:
    """Proven values late in the game, and as far as the search sees before (see `ludometer.solvers.estimates`).

    A result that is not known counts as 0.5, an estimate without a known error: so a move that is proven to lose,
    where another is not, has a regret of 0.5, whatever the other turns out to be worth.
    """

    name: ClassVar[str] = "connect4"
    exact: ClassVar[bool] = False
    covers: ClassVar[str] = "connect4 on its usual board, proven from about the twelfth stone on"

    def __init__(self, budget: int = BUDGET // 2) -> None:
        """``budget``: positions that are searched for one decision."""
        self.budget = budget

    def supports(self, game: AnyGame) -> bool:
        return isinstance(game, ConnectFour) and (game.rows, game.columns, game.line) == (6, 7, 4)

    async def prepare(self, game: AnyGame) -> None:
        """Nothing is needed beforehand."""

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, float]:
        return {action: found.value for action, found in self.estimates(game, state, seat).items()}

    def estimates(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, ActionValue]:
        if not self.supports(game):
            raise ConfigurationError(f"there are no such values for {game!r}; there are for {self.covers}")
        if game.to_act(state) != (seat,):
            raise InternalError(f"seat {seat} is not to move in this position")
        results = judge(tuple(state.history), budget=self.budget).results
        return {
            Move((column,)): ActionValue(0.5, False) if result is None else ActionValue((result + 1) / 2, True)
            for column, result in results.items()
        }
