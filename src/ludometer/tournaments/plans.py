"""One match of a schedule: what it is made of, and what its key, luck and seed follow from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b

from ludometer.core import AnyGame, Json
from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.openings import Opening
from ludometer.tournaments.seating import Table

__all__ = ["identity", "match_plan"]


def identity(match: MatchPlan | MatchRow) -> str:
    """What the schedule decides about a match."""
    drawn = [match.group, match.luck, match.seed, match.seats, list(match.opening or ())]
    return _canonical([match.game, match.options, match.condition, *drawn])


def match_plan(
    config: RunConfig,
    game: AnyGame,
    start: Opening,
    condition: Mapping[str, Json],
    names: Table,
    repeat: int,
) -> MatchPlan:
    """A match of the ``repeat``-th meeting at a table, ``names`` by seat.

    Its key, luck and seed depend on names and ordinals, never on positions or time.
    """
    options = {**game.options, **start.options}
    label = f"{game.name}{_canonical(options)}" + (f" after {' '.join(start.moves)}" if start.moves else "")
    # The table without its order: all seatings of a repeat share their luck, and so do the conditions compared.
    luck = _digest([config.seed, label, [] if config.schedule.shared_luck else sorted(names), repeat])
    key = _canonical([label, condition, names, repeat])
    seats = game.contestants(len(names))
    return MatchPlan(
        key=key,
        game=game.name,
        options=options,
        condition=dict(condition),
        group=luck,
        luck=luck,
        seed=_digest([config.seed, key]),
        seats=dict(zip(seats, names, strict=True)),
        opening=start.moves,
    )


def _digest(value: Json) -> str:
    return blake2b(_canonical(value).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=dict)
