"""Exact values of m,n,k games (tic-tac-toe and its family) on boards of up to 16 cells.

A table is computed once by `ludometer.solvers.retrograde`, kept on disk (43 MB for 4 by 4) and memory-mapped.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ludometer.core import AnyGame, ConfigurationError, InternalError, Seat
from ludometer.games.tictactoe import Cell, Position, TicTacToe
from ludometer.solvers.compute import run_killable
from ludometer.solvers.retrograde import UNREACHED, Mnk, Values, index_of, solve_values
from ludometer.solvers.tables import read_table, write_table

__all__ = ["LARGEST", "MnkEvaluator", "Table", "action_values", "solve", "solve_off_loop"]

LARGEST = 16
"""Largest number of cells that is solved."""

_INLINE = 12
"""Boards of up to this many cells are solved in well under a second: no child process is started for them."""


@dataclass(frozen=True, slots=True)
class Table:
    """The values of every reachable position. ``values``: int8, shape ``(3**cells,)``, -2 where unreachable."""

    options: Mnk
    values: Values

    def value(self, board: str) -> int:
        """The value of a position for the player to move: 1 won, 0 drawn, -1 lost with best play by both.

        Args:
            board: one character per cell, row by row: ``X``, ``O`` or ``.``; X moves when the counts are equal.

        Raises:
            ValueError: the board has another size, or no game reaches it.
        """
        if len(board) != self.options.cells or set(board) - set(".XO"):
            raise ValueError(f"{board!r} is no board of {self.options.rows} by {self.options.columns} cells")
        value = int(self.values[index_of(board)])
        if value == UNREACHED:
            raise ValueError(f"no game reaches the board {board!r}")
        return value


def options_of(game: TicTacToe) -> Mnk:
    """The options of a game that decide its values."""
    return Mnk(game.rows, game.columns, game.line, game.overline, game.misere)


def action_values(game: TicTacToe, state: Position) -> dict[Cell, float]:
    """What each legal action is worth to the player to move: its expected score with best play, 0, 0.5 or 1.

    Actions come in board order; there are none when the game is over.

    Raises:
        ConfigurationError: the board has more than 16 cells.
        ValueError: no game reaches the position.
    """
    table = solve(*options_of(game))
    values = {}
    for seat in game.to_act(state):
        for cell in game.legal(state, seat):
            after = game.apply(state, {seat: cell})
            values[cell] = (1 - table.value(after.board)) / 2
    return values


class MnkEvaluator:
    """The exact evaluator of the tic-tac-toe family (see `ludometer.solvers.protocol.Evaluator`)."""

    name: ClassVar[str] = "mnk"
    exact: ClassVar[bool] = True
    covers: ClassVar[str] = f"tictactoe on boards of up to {LARGEST} cells"

    def supports(self, game: AnyGame) -> bool:
        return isinstance(game, TicTacToe) and game.rows * game.columns <= LARGEST

    async def prepare(self, game: AnyGame) -> None:
        """Solves the game where that was not done before, off the event loop."""
        await solve_off_loop(options_of(self._own(game)))

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, float]:
        if game.to_act(state) != (seat,):
            raise InternalError(f"seat {seat} is not to move in this position")
        return dict(action_values(self._own(game), state))

    def _own(self, game: AnyGame) -> TicTacToe:
        if not isinstance(game, TicTacToe):
            raise ConfigurationError(f"there are no exact values for {game.title}; there are for {self.covers}")
        return game


# -------------------------------------------------------------------- getting

_tables: dict[Mnk, Table] = {}
_builds: dict[tuple[asyncio.AbstractEventLoop, Mnk], asyncio.Task[Table]] = {}


def solve(
    rows: int = 3,
    columns: int = 3,
    line: int = 3,
    overline: Literal["win", "no_win"] = "win",
    misere: bool = False,
) -> Table:
    """The table of a game: from memory, from the cache folder, or computed (seconds for 4 by 4) and put there.

    Raises:
        ConfigurationError: the board has more than 16 cells, or the line does not fit on it.
    """
    options = _checked(Mnk(rows, columns, line, overline, misere))
    found = _load(options)
    if found is None:
        values = solve_values(options)
        write_table(_file_name(options), values)
        found = _keep(options, values)
    return found


async def solve_off_loop(options: Mnk) -> Table:
    """`solve` that does not hold up the event loop: a table that is not in the cache is built in a child process.

    Players that need the same table wait for one child, which goes on where one of them stops waiting.
    """
    options = _checked(options)
    if options.cells <= _INLINE:
        return solve(*options)
    if options in _tables:
        return _tables[options]
    key = (asyncio.get_running_loop(), options)
    if key not in _builds:
        _builds[key] = asyncio.create_task(_build(options))
        _builds[key].add_done_callback(lambda _: _builds.pop(key))
    return await asyncio.shield(_builds[key])


async def _build(options: Mnk) -> Table:
    found = await asyncio.to_thread(_load, options)
    if found is not None:
        return found
    unwritten = await run_killable(_solve_to_disk, options)
    if unwritten is not None:
        return _keep(options, np.frombuffer(unwritten, dtype=np.int8))
    return await asyncio.to_thread(solve, *options)


def _solve_to_disk(options: Mnk) -> bytes | None:
    """Runs in the child: fills the cache, and returns the table only where the cache cannot be written."""
    values = solve_values(options)
    return None if write_table(_file_name(options), values) else values.tobytes()


def _checked(options: Mnk) -> Mnk:
    rows, columns, line = options[:3]
    if rows < 1 or columns < 1 or not 1 <= line <= max(rows, columns):
        raise ConfigurationError(f"line = {line} does not fit on a {rows}x{columns} board")
    if options.cells > LARGEST:
        raise ConfigurationError(
            f"a {rows}x{columns} board has {options.cells} cells; exact values are known for up to {LARGEST} cells"
        )
    return options.canonical()


def _load(options: Mnk) -> Table | None:
    if options not in _tables:
        values = read_table(_file_name(options), 3**options.cells)
        return None if values is None else _keep(options, values)
    return _tables[options]


def _keep(options: Mnk, values: Values) -> Table:
    return _tables.setdefault(options, Table(options, values))


def _file_name(options: Mnk) -> str:
    rule = "misere" if options.misere else "normal"
    return f"mnk-{options.rows}x{options.columns}-{options.line}-{options.overline}-{rule}.v1.table"
