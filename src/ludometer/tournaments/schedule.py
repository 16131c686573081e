"""Schedules: which matches a run consists of. A schedule is a pure function of the configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from ludometer.core import AnyGame, Json
from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.openings import Opening, openings
from ludometer.tournaments.seating import Table, rounds, seats_of

__all__ = ["departures", "schedule"]


def schedule(config: RunConfig) -> Iterator[MatchPlan]:
    """Every match of the run, a whole round at a time, so that a run that stops early is balanced.

    Keys and seeds depend on names, not on positions: an extended configuration gives the same matches and more.
    """
    names = [entrant.name for entrant in config.entrants()]
    games = []
    for game in config.make_games():
        seats = seats_of(config.schedule, game)
        games.append((game, openings(config.openings, game, seats), rounds(config.schedule, names, seats)))
    conditions = config.conditions()
    # Games with equally many rounds, whatever their number of seats: a round of the run is a round of each.
    for round_of_each in zip(*(turns for _, _, turns in games), strict=True):
        for (game, starts, _), (repeat, tables) in zip(games, round_of_each, strict=True):
            for start in starts:
                for table in tables:
                    for condition in conditions:
                        yield _plan(config, game, start, condition, table, repeat)


def departures(config: RunConfig, rows: Sequence[MatchRow]) -> list[str]:
    """How the matches of a run differ from its schedule, one sentence each; none where nothing was planned yet."""
    if not rows:
        return []
    planned = {plan.key: plan for plan in schedule(config)}
    found = []
    for row in rows:
        plan = planned.pop(row.key, None)
        if plan is None:
            found.append(f"match {row.id} is not in the schedule of the run's configuration")
        elif _identity(row) != _identity(plan):
            found.append(f"match {row.id} differs from the schedule in its game, seats, luck, seed or condition")
    if planned:
        found.append(f"{len(planned)} matches of the schedule are missing")
    return found


def _identity(match: MatchPlan | MatchRow) -> str:
    """What the schedule decides about a match."""
    drawn = [match.group, match.luck, match.seed, match.seats, list(match.opening or ())]
    return _canonical([match.game, match.options, match.condition, *drawn])


def _plan(
    config: RunConfig,
    game: AnyGame,
    start: Opening,
    condition: Mapping[str, Json],
    names: Table,
    repeat: int,
) -> MatchPlan:
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
