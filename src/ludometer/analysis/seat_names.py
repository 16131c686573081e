"""What the seats of a game for two are called: ``player 1`` says little where one teaches and the other learns."""

from __future__ import annotations

from ludometer.core import ConfigurationError, make_game

__all__ = ["named_seats"]


def named_seats(game: str) -> tuple[str, ...]:
    """The names of the two seats of the game of that name, in the order in which results count them; empty for games
    that are unknown here, are for more than two, or number their seats."""
    try:
        made = make_game(game)
        names = tuple(made.contestants(2)) if made.players == (2, 2) else ()
    except ConfigurationError:
        return ()
    return () if any(name.isdecimal() for name in names) else names
