"""The rows of the environment: which game each one is, and the match that plays it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ludometer.core import Chance, ConfigurationError
from ludometer.core.observation import Watcher
from ludometer.games.tictactoe import TicTacToe
from ludometer.matches import Match, MatchPolicy
from tic_tac_toe import protocol

__all__ = ["Row", "Rules", "first_message", "make_rows", "new_match", "picture"]


class Rules(BaseModel):
    """What all rows of a run share.

    Attributes:
        opponent: ``minimax``, ``random``, ``mixture(P)`` (minimax with probability P in every move, else random),
            ``mcts``, or any player of Ludometer.
        rows, columns, line: the board, and how many in a line win.
        retries: further attempts per turn after an illegal move; 0: the first one ends the game.
    """

    model_config = ConfigDict(frozen=True)

    opponent: str = "minimax"
    rows: int = Field(3, ge=1, le=26)
    columns: int = Field(3, ge=1, le=26)
    line: int = Field(3, ge=2, le=26)
    retries: int = Field(0, ge=0, le=20)


class Row(BaseModel):
    """One game: everything that is not the model's doing follows from it.

    Attributes:
        seed: names all luck of the game.
        symbol: the model's mark.
        opened: the cell in which the opponent opened the game; None: the model goes first.
    """

    model_config = ConfigDict(frozen=True)

    seed: str
    symbol: protocol.Symbol
    opened: int | None = None
    rules: Rules = Rules()

    @property
    def seat(self) -> Literal["X", "O"]:
        """The model's seat. Seat X moves first, whatever mark its player has on the board that is shown."""
        return "X" if self.opened is None else "O"


def make_rows(count: int, rules: Rules, seed: int = 0) -> Iterator[Row]:
    """The first ``count`` rows of a seed: the model's mark, who goes first, and where an opponent that does begins are
    drawn at random for each, independently."""
    root = Chance.from_seed(seed).named("tic-tac-toe")
    for i in range(count):
        luck = root.named("row", i)
        symbol: protocol.Symbol = "X" if luck.named("symbol").below(2)[0] == 0 else "O"
        first = luck.named("first").below(2)[0] == 0
        opened = None if first else luck.named("opening").below(rules.rows * rules.columns)[0] + 1
        yield Row(seed=f"{seed}:{i}", symbol=symbol, opened=opened, rules=rules)


def new_match(row: Row) -> Match:
    """The match of a row, with the opponent's opening already made.

    Raises:
        ConfigurationError: the line does not fit on the board.
    """
    rules = row.rules
    try:
        game = TicTacToe(rules.rows, rules.columns, rules.line)
    except ValueError as error:
        raise ConfigurationError(f"tic-tac-toe: {error}") from None
    cell = (
        ()
        if row.opened is None
        else (f"{(row.opened - 1) // rules.columns + 1},{(row.opened - 1) % rules.columns + 1}",)
    )
    policy = MatchPolicy(attempts=1 + rules.retries, feedback="explain", on_exhausted="forfeit", resignation=False)
    return Match(game, luck=row.seed, seed=row.seed, policy=policy, opening=cell, id=row.seed)


def picture(row: Row, match: Match) -> str:
    """The board with the marks as the model sees them."""
    observed = match.game.observe(match.state, Watcher.PUBLIC)
    cells = "".join(observed.data["board"])
    if row.symbol != row.seat:
        cells = cells.translate(str.maketrans("XO", "OX"))
    return protocol.board(cells, row.rules.columns)


def first_message(row: Row) -> str:
    """The message that opens the game of a row."""
    return protocol.opening(row.symbol, picture(row, new_match(row)), row.opened)
