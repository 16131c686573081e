"""Places of a picture that can be pointed at: squares, points, columns, cards, edges."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Place"]


class Place(NamedTuple):
    """A rectangle of a game's picture, in its units.

    A game that has them gives them with a method ``places(observation)``, in reading order. A place is named like the
    action that pointing at it means (``5``, ``e4``, ``h,0,1``), or like the part of an action that it stands for (the
    square that a piece leaves; see ``parts`` there).

    Attributes:
        name: in the game's notation.
        holds: what is there, in a word or two, for those who cannot see it.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    holds: str = "empty"
