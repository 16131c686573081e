"""Moves that are made before anybody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ludometer.core import ConfigurationError, Game, Illegal

__all__ = ["opened"]

S = TypeVar("S")
A = TypeVar("A")


def opened(game: Game[S, A], state: S, opening: Sequence[str]) -> S:
    """The state after the moves of an opening, each by the one seat that is to act.

    Raises:
        ConfigurationError: a move that cannot be played, or a game over before the opening is.
    """
    for number, text in enumerate(opening, start=1):
        seats = game.to_act(state)
        if len(seats) != 1:
            raise ConfigurationError(
                f"opening move {number} ({text!r}): it is not for one player of {game.title} to move"
            )
        try:
            action = game.parse(state, seats[0], text)
            game.check(state, seats[0], action)
        except Illegal as error:
            raise ConfigurationError(f"opening move {number} ({text!r}) cannot be played: {error.reason}") from None
        state = game.apply(state, {seats[0]: action})
    return state
