"""Alpha-beta to a fixed depth, for two players with perfect information, with plain evaluations.

Positions at the depth are judged by counting material, in games where that means something:

- chess: pawn 1, knight and bishop 3, rook 5, queen 9;
- checkers: man 1, king 1.5;
- breakthrough: every piece 1;
- othello: discs;
- mancala: the seeds in the stores;
- every other game: nothing, so that only what is decided within the depth counts.

The lead in material, as a share of all material on the board, is put between a loss (0) and a win (1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ludometer.core import AnyGame, Chance, InternalError, Seat

__all__ = ["MATERIAL", "alpha_beta", "depth_values"]

Evaluation = Callable[[str, bool], float]
"""From the engine's text of a position and whether the first player asks, to a value strictly between 0 and 1."""

_CLOSE: Final = 0.01
"""No evaluation is nearer than this to a proven win or loss."""


def _share(own: float, other: float) -> float:
    total = own + other
    lead = (own - other) / total if total else 0.0
    return 0.5 + (0.5 - _CLOSE) * lead


def _pieces(weights: Mapping[str, float], first: str, second: str) -> Evaluation:
    """Counts letters; ``first`` and ``second`` are the letters of each side, ``weights`` those that do not count 1."""

    def evaluate(text: str, asked_by_first: bool) -> float:
        one = sum(weights.get(letter, 1.0) * text.count(letter) for letter in first)
        two = sum(weights.get(letter, 1.0) * text.count(letter) for letter in second)
        return _share(one, two) if asked_by_first else _share(two, one)

    return evaluate


_CHESS: Final = {"N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0}
_chess_pieces = _pieces(_CHESS | {letter.lower(): value for letter, value in _CHESS.items()}, "PNBRQ", "pnbrq")


def _rows(counted: Evaluation) -> Evaluation:
    """Only the rows of the board, without their number, and without the words and letters around it."""

    def evaluate(text: str, asked_by_first: bool) -> float:
        rows = [line[1:] for line in text.splitlines() if line[:1].isdigit()]
        return counted("".join(rows), asked_by_first)

    return evaluate


def _stores(text: str, asked_by_first: bool) -> float:
    """Mancala: the engine draws the second player's store on the left and the first player's on the right."""
    left, right = (int(number) for number in re.findall(r"\d+", text.splitlines()[1]))
    return _share(right, left) if asked_by_first else _share(left, right)


MATERIAL: Final[Mapping[str, Evaluation]] = {
    "chess": lambda text, first: _chess_pieces(text.split()[0], first),
    "checkers": _rows(_pieces({"8": 1.5, "*": 1.5}, "o8", "+*")),
    "breakthrough": _rows(_pieces({}, "b", "w")),
    "othello": _rows(_pieces({}, "x", "o")),
    "mancala": _stores,
}
"""Evaluations by game."""

_UNDECIDED: Final = 0.5


def alpha_beta(game: AnyGame, state: Any, seat: Seat, depth: int, chance: Chance) -> tuple[Any, float]:
    """The action to play, chosen at random among the best, and its value for ``seat``, who is to act."""
    values = depth_values(game, state, seat, depth)
    best = max(values.values())
    return chance.choice([action for action, value in values.items() if value == best])[0], best


def depth_values(game: AnyGame, state: Any, seat: Seat, depth: int) -> dict[Any, float]:
    """What each legal action is worth within ``depth`` moves, the action itself counted.

    Values below the best may be upper bounds: alpha-beta does not tell how much worse a move is.
    """
    if game.to_act(state) != (seat,):
        raise InternalError(f"seat {seat} is not to move in this position")
    values: dict[Any, float] = {}
    best = 0.0
    for action in game.legal(state, seat) or ():
        # The window is open just below the best, so that equals are known to be equal.
        value = _value(game, game.apply(state, {seat: action}), seat, depth - 1, best - 1e-9, 1.0)
        values[action] = value
        best = max(best, value)
    return values


def _value(game: AnyGame, state: Any, asker: Seat, depth: int, alpha: float, beta: float) -> float:
    """The value for ``asker`` within the window, whoever is to act: a game may let a player move twice."""
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome.scores[asker]
    if depth <= 0:
        return _evaluated(game, state, asker)
    (mover,) = game.to_act(state)
    maximize = mover == asker
    best = 0.0 if maximize else 1.0
    for action in game.legal(state, mover) or ():
        value = _value(game, game.apply(state, {mover: action}), asker, depth - 1, alpha, beta)
        if maximize:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def _evaluated(game: AnyGame, state: Any, asker: Seat) -> float:
    evaluate = MATERIAL.get(game.name)
    if evaluate is None:
        return _UNDECIDED
    return evaluate(str(state.engine), asker == game.contestants(2)[0])
