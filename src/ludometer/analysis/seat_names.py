"""What the seats of a game for two are called: ``player 1`` says little where one teaches and the other learns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludometer.analysis.run import RunTables
from ludometer.core import ConfigurationError, Role, make_game

__all__ = ["named_roles", "named_seats", "seat_titles", "titles_of"]


def named_seats(game: str) -> tuple[str, ...]:
    """The names of the two seats of the game of that name, in the order in which results count them; empty for games
    that are unknown here, are for more than two, or number their seats."""
    return tuple(role.name for role in named_roles(game))


def seat_titles(games: Iterable[str]) -> tuple[str, ...]:
    """What tables call the two seats: the games' own titles, in the order in which results count them.

    Titles are written without what a game adds in brackets: ``the teacher``, ``player X``.
    ``games`` may be labels, as `ludometer.analysis.frames.game_labels` writes them.

    Returns:
        Empty where a game has no names for its seats (see `named_seats`), or where the games differ in theirs.
    """
    found = {tuple(map(_short_title, named_roles(game))) for game in games}
    return found.pop() if len(found) == 1 else ()


def titles_of(tables: RunTables) -> tuple[str, ...]:
    """The `seat_titles` of the games in a run's tables; empty where more than two play, or where seats have other names
    than the games give them as they are by default."""
    matches = tables.matches
    if matches.empty or matches["seats"].max() > 2:
        return ()
    played = matches[["game", "seat_1", "seat_2"]].drop_duplicates().itertuples(index=False)
    if any(named_seats(game) != (one, two) for game, one, two in played):
        return ()
    return seat_titles(matches["game"].unique())


def named_roles(game: str) -> tuple[Role, ...]:
    """The roles of the two seats, as `named_seats` has their names."""
    # A label may end in the options that tell two variants apart; a game may also have a colon in its own name.
    for name in dict.fromkeys((game, game.rpartition(":")[0])):
        try:
            made = make_game(name)
            roles = {role.name: role for role in made.roles(2)} if made.players == (2, 2) else {}
            held = tuple(roles[seat] for seat in made.contestants(2)) if roles else ()
        except ConfigurationError:
            continue
        return () if any(role.name.isdecimal() for role in held) else held
    return ()


def _short_title(role: Role) -> str:
    return re.sub(r"\s*\(.*\)$", "", role.title) or role.name
