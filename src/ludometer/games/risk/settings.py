"""The options of a game of Risk, as its rules need them."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import Seat
from ludometer.games.risk.board import RiskMap
from ludometer.games.risk.cards import CardSeries

__all__ = ["Amounts", "Placement", "Settings", "party", "seat_of"]

Amounts: TypeAlias = Literal["any", "few"]
Placement: TypeAlias = Literal["dealt", "placed", "picked"]


class Settings(NamedTuple):
    """See `ludometer.games.risk.Risk` for what the options mean."""

    board: RiskMap
    placement: Placement
    at_a_time: int
    cards: CardSeries
    blitz: bool
    listed: bool
    max_turns: int
    amounts: Amounts


def seat_of(player: int) -> Seat:
    """The seat of a player's number."""
    return str(player + 1)


def party(player: int, n: int) -> str:
    """How texts call the owner of a territory."""
    if player < 0:
        return "nobody"
    return "Neutral" if player >= n else f"Player {player + 1}"
