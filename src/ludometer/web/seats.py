"""The seats of a match as a page shows them: contestants, further seats of theirs, and officials."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ludometer.core import AnyGame, LudometerError, Role, make_game
from ludometer.matches import ADJUDICATOR
from ludometer.matches.adjudication import ADJUDICATOR_ROLE
from ludometer.store import MatchRow
from ludometer.web.runs import OpenRun
from ludometer.web.shapes import SeatShape

__all__ = ["game_of", "roles_of", "seats_of"]


@lru_cache(maxsize=256)
def _game(name: str, options: str) -> AnyGame | None:
    try:
        return make_game(name, json.loads(options))
    except LudometerError:
        return None


def game_of(row: MatchRow) -> AnyGame | None:
    """The game with its options; None where it is not installed here."""
    return _game(row.game, json.dumps(row.options))


@lru_cache(maxsize=256)
def _roles(game: AnyGame, n: int) -> tuple[Role, ...]:
    try:
        return tuple(game.roles(n))
    except LudometerError:
        return ()


def roles_of(row: MatchRow) -> tuple[Role, ...]:
    """The seats' roles, an adjudicator's included where there was one; without titles where the game is not known."""
    game = game_of(row)
    roles = () if game is None else _roles(game, len(row.seats))
    known = {role.name for role in roles}
    roles = (*roles, *(Role(seat) for seat in row.seats if seat not in known))
    if row.offender == ADJUDICATOR or (row.why or "").startswith("adjudicated"):
        roles = (*roles, ADJUDICATOR_ROLE)
    return roles


def seats_of(run: OpenRun, row: MatchRow) -> list[SeatShape]:
    """Every seat with who holds it, contestants first."""
    officials = run.cached("officials", lambda: _officials(run), patient=True)
    shapes = [_seat(row, role, officials) for role in roles_of(row)]
    return sorted(shapes, key=lambda shape: shape.kind == "official")


def _seat(row: MatchRow, role: Role, officials: Mapping[str, str]) -> SeatShape:
    contestant = role.name in row.seats
    holder = row.seats.get(role.of or role.name) or officials.get(role.official) or role.by or role.name
    return SeatShape(
        seat=role.name,
        title=titled(role),
        entrant=holder,
        kind="contestant" if contestant else "official",
        score=(row.scores or {}).get(role.name),
        payoff=(row.payoffs or {}).get(role.name),
    )


def titled(role: Role) -> str:
    """What a page calls a seat: "White", "Player 2", a teacher without the article, X without its place."""
    title = role.title.removeprefix("the ").partition(" (")[0]
    if not title:
        return f"Player {role.name}" if role.name.isdecimal() else role.name
    return title[:1].upper() + title[1:]


def _officials(run: OpenRun) -> dict[str, str]:
    found: dict[str, str] = {}
    given: Any = run.store.config.get("officials") or {}
    for name, written in given.items():
        found[str(name)] = written if isinstance(written, str) else str(written.get("player", name))
    return found
