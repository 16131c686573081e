"""Games as numbers: a tensor of what a seat sees, an index for every action, a mask of the legal ones.

An encoding is an optional capability. A game may bring its own (a method ``encoding(n)`` that returns an `Encoding`);
the m,n,k games, games on OpenSpiel's rules and UNO have one here; every other game with listable actions gets `Listed`:
the text a model would read, byte by byte, and the legal actions by their place in the list.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pyspiel

from ludometer.core import AnyGame, Chance, ConfigurationError, Illegal, Seat
from ludometer.games._openspiel import Move, OpenSpielGame
from ludometer.games.tictactoe import SEATS, Cell, TicTacToe
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import TYPES
from ludometer.games.uno.state import Action as UnoAction
from ludometer.players import _uno_seen as seen
from ludometer.players.dqn import action_number, row_of

__all__ = ["BYTES", "PLACES", "Encoding", "Listed", "encoding_of"]

Floats: TypeAlias = "npt.NDArray[np.float32]"
Mask: TypeAlias = "npt.NDArray[np.int8]"

BYTES: Final = 4096
"""How much of a text `Listed` keeps: its end, which has what is new."""
PLACES: Final = 4096
"""How many legal actions `Listed` can number in one state. Risk has had 3,121."""


class Encoding(Protocol):
    """Numbers for one game, bound to its options and its number of players.

    Attributes:
        shape: of a tensor.
        low, high: bounds of its values.
        size: how many action indices there are.
        stable: whether an index means the same action in every state.
    """

    shape: tuple[int, ...]
    low: float
    high: float
    size: int
    stable: bool

    def tensor(self, state: Any, seat: Seat) -> Floats:
        """What ``seat`` may know of a state, shape ``shape``. States that a seat cannot tell apart look the same."""
        ...

    def index(self, state: Any, seat: Seat, action: Any) -> int:
        """The number of an action of a seat that is to act. Raises `Illegal` for one that has none."""
        ...

    def action(self, state: Any, seat: Seat, index: int) -> Any:
        """The action with this number, legal or not. Raises `Illegal` where the number stands for none here."""
        ...

    def mask(self, state: Any, seat: Seat) -> Mask:
        """1 for every legal action's number, shape ``(size,)``; all 0 for a seat that is not to act."""
        ...


def encoding_of(game: AnyGame, n: int | None = None) -> Encoding:
    """The encoding of a game for ``n`` players (its fewest by default).

    Raises:
        ConfigurationError: the game's actions cannot be listed, or some seats only judge or compute.
    """
    n = game.players[0] if n is None else n
    own = getattr(game, "encoding", None)
    if own is not None:
        found: Encoding = own(n)
        return found
    if any(role.kind == "official" or role.of is not None for role in game.roles(n)):
        raise ConfigurationError(f"{game.title} has seats that judge or compute, and no encoding; train on its texts")
    if isinstance(game, TicTacToe):
        return _Board(game)
    if isinstance(game, Uno):
        return _Uno(game)
    if isinstance(game, OpenSpielGame) and not game.multi_step:
        return _Spiel(game)
    return Listed(game, n)


def _masked(encoding: Encoding, game: AnyGame, state: Any, seat: Seat) -> Mask:
    mask = np.zeros(encoding.size, dtype=np.int8)
    if seat in game.to_act(state):
        for action in game.legal(state, seat) or ():
            mask[encoding.index(state, seat, action)] = 1
    return mask


def _no_action(index: int) -> Illegal:
    return Illegal("out_of_range", f"there is no action number {index} here")


class _Board:
    """The m,n,k games: planes of the seat's own marks, the other's, and empty cells; actions are cells, row by row."""

    low, high, stable = 0.0, 1.0, True

    def __init__(self, game: TicTacToe) -> None:
        self.game = game
        self.shape: tuple[int, ...] = (3, game.rows, game.columns)
        self.size = game.rows * game.columns

    def tensor(self, state: Any, seat: Seat) -> Floats:
        board = np.array(list(state.board)).reshape(self.shape[1:])
        other = SEATS[1 - SEATS.index(seat)]
        return np.stack([board == seat, board == other, board == "."]).astype(np.float32)

    def index(self, state: Any, seat: Seat, action: Any) -> int:
        if not (1 <= action.row <= self.game.rows and 1 <= action.column <= self.game.columns):
            raise Illegal("out_of_bounds", "that cell is off the board")
        return int((action.row - 1) * self.game.columns + action.column - 1)

    def action(self, state: Any, seat: Seat, index: int) -> Cell:
        if not 0 <= index < self.size:
            raise _no_action(index)
        row, column = divmod(int(index), self.game.columns)
        return Cell(row + 1, column + 1)

    def mask(self, state: Any, seat: Seat) -> Mask:
        return _masked(self, self.game, state, seat)


class _Uno:
    """What the player `dqn` sees, as small whole numbers (`ludometer.players._uno_seen`), with its action numbers."""

    low, high, stable = 0.0, 255.0, True
    shape: tuple[int, ...] = (seen.WIDTH,)
    size = seen.ACTIONS

    def __init__(self, game: Uno) -> None:
        self.game = game

    def tensor(self, state: Any, seat: Seat) -> Floats:
        return row_of(self.game.observe(state, seat)).astype(np.float32)

    def index(self, state: Any, seat: Seat, action: Any) -> int:
        return action_number(action)

    def action(self, state: Any, seat: Seat, index: int) -> UnoAction:
        for action in self.game.legal(state, seat):
            if action_number(action) == index:
                return action
        if 0 <= index < TYPES:
            return UnoAction("card", int(index))
        raise _no_action(index)

    def mask(self, state: Any, seat: Seat) -> Mask:
        return _masked(self, self.game, state, seat)


class _Spiel:
    """OpenSpiel's own tensors and action numbers.

    With hidden information its information-state tensor where there is one (everything the seat ever saw), else its
    observation tensor; where OpenSpiel has neither, the text as in `Listed`.
    """

    stable = True

    def __init__(self, game: OpenSpielGame) -> None:
        self.game = game
        rules = game._rules
        kind = rules.get_type()
        hidden = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self._method: str | None = None
        if kind.provides_information_state_tensor and (hidden or not kind.provides_observation_tensor):
            self._method, shape = "information_state_tensor", rules.information_state_tensor_shape()
        elif kind.provides_observation_tensor:
            self._method, shape = "observation_tensor", rules.observation_tensor_shape()
        else:
            shape = [BYTES]
        self.shape: tuple[int, ...] = tuple(shape)
        self.low, self.high = (0.0, 255.0) if self._method is None else (-np.inf, np.inf)
        self.size = int(rules.num_distinct_actions())

    def tensor(self, state: Any, seat: Seat) -> Floats:
        if self._method is None:
            return _bytes_of(self.game, state, seat)
        values = getattr(state.engine, self._method)(self.game.seats.index(seat))
        return np.asarray(values, dtype=np.float32).reshape(self.shape)

    def index(self, state: Any, seat: Seat, action: Any) -> int:
        # Where all move together a move is (player, action), else (action,).
        return int(action.steps[-1])

    def action(self, state: Any, seat: Seat, index: int) -> Move:
        if not 0 <= index < self.size:
            raise _no_action(index)
        together = state.engine.is_simultaneous_node()
        return Move((self.game.seats.index(seat), int(index)) if together else (int(index),))

    def mask(self, state: Any, seat: Seat) -> Mask:
        return _masked(self, self.game, state, seat)


class Listed:
    """Any game that lists its legal actions.

    The tensor is the default text view as UTF-8 bytes (its last `BYTES`, zeros in front); an action's number is its
    place in the list of legal actions, so that it means something else in every state.
    """

    low, high, stable = 0.0, 255.0, False
    shape: tuple[int, ...] = (BYTES,)
    size = PLACES

    def __init__(self, game: AnyGame, n: int) -> None:
        self.game = game
        first = game.new(n, Chance.from_seed("encoding"))
        if any(game.legal(first, seat) is None for seat in game.to_act(first)):
            raise ConfigurationError(
                f"{game.title} has actions that cannot be listed, as its options are, so they cannot be numbered; "
                "train on its texts"
            )

    def tensor(self, state: Any, seat: Seat) -> Floats:
        return _bytes_of(self.game, state, seat)

    def _listed(self, state: Any, seat: Seat) -> list[Any]:
        legal = self.game.legal(state, seat)
        if legal is None or len(legal) > self.size:
            many = "cannot be listed" if legal is None else f"are {len(legal)}, more than {self.size}"
            raise ConfigurationError(f"{self.game.title}: the legal actions {many}; train on its texts")
        return list(legal)

    def index(self, state: Any, seat: Seat, action: Any) -> int:
        try:
            return self._listed(state, seat).index(action)
        except ValueError:
            raise Illegal("illegal_move", "only legal actions have numbers") from None

    def action(self, state: Any, seat: Seat, index: int) -> Any:
        legal = self._listed(state, seat)
        if not 0 <= index < len(legal):
            raise _no_action(index)
        return legal[index]

    def mask(self, state: Any, seat: Seat) -> Mask:
        mask = np.zeros(self.size, dtype=np.int8)
        if seat in self.game.to_act(state):
            mask[: len(self._listed(state, seat))] = 1
        return mask


def _bytes_of(game: AnyGame, state: Any, seat: Seat) -> Floats:
    view = next(view for view in game.views().values() if view.kind == "text")
    text = view.render(game.observe(state, seat)).encode("utf-8", "replace")[-BYTES:]
    tensor = np.zeros(BYTES, dtype=np.float32)
    if text:
        tensor[-len(text) :] = np.frombuffer(text, dtype=np.uint8)
    return tensor
