"""Who sits down together, and in which seats: the tables of a round."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ludometer.core import AnyGame, ConfigurationError
from ludometer.core.registry import nearest
from ludometer.tournaments.config import ScheduleConfig

__all__ = ["Table", "rounds", "seats_of"]

Table = tuple[str, ...]
"""Entrants in the order of the seats."""


def seats_of(config: ScheduleConfig, game: AnyGame) -> int:
    """How many sit down to a game: ``schedule.seats``, else two, or the fewest there can be.

    Raises:
        ConfigurationError: the game is not for that many.
    """
    fewest, most = game.players
    if config.seats is None:
        return max(2, fewest) if most >= 2 else fewest
    if not fewest <= config.seats <= most:
        wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise ConfigurationError(f"schedule.seats: {game.title} is for {wanted} players, not {config.seats}")
    return config.seats


def rounds(config: ScheduleConfig, names: Sequence[str], seats: int) -> Iterator[tuple[int, list[Table]]]:
    """Every round: the number of its luck, and its tables. A run that stops between rounds is balanced.

    Tables depend on the order of the names, which only ever grows at its end: what was scheduled stays so.

    Raises:
        ConfigurationError: the entrants do not make a table.
    """
    if config.kind == "series":
        yield from _series(config, names, seats)
        return
    if config.kind == "gauntlet":
        tables = _gauntlet(config, names, seats)
    else:
        tables = _round_robin(config, names, seats)
    for number in range(config.repeats):
        yield number, tables


def _series(config: ScheduleConfig, names: Sequence[str], seats: int) -> Iterator[tuple[int, list[Table]]]:
    if len(names) != seats:
        who = "two players" if seats == 2 else f"{seats} players (schedule.seats)"
        raise ConfigurationError(f"a series is between {who}, not {len(names)}")
    arranged = _arrangements(tuple(names), config)
    for number in range(config.repeats):
        # Games with the seats permuted have the luck in common: one duplicate group.
        yield number // len(arranged), [arranged[number % len(arranged)]]


def _round_robin(config: ScheduleConfig, names: Sequence[str], seats: int) -> list[Table]:
    """Every choice of entrants, all its arrangements one after the other."""
    if len(names) < seats and not (config.self_play and names):
        if seats == 2:
            raise ConfigurationError("a run needs at least two players (or schedule.self_play = true)")
        raise ConfigurationError(f"a table of {seats} needs at least {seats} players, not {len(names)}")
    tables: list[Table] = []
    for i, first in enumerate(names):
        if config.self_play:
            tables.append((first,) * seats)
        for others in itertools.combinations(names[i + 1 :], seats - 1):
            tables += _arrangements((first, *others), config)
    return tables


def _gauntlet(config: ScheduleConfig, names: Sequence[str], seats: int) -> list[Table]:
    """Every challenger with every choice of opponents from the pool, which take turns where they are too few."""
    challengers, pool = sides(config, names)
    others = seats - 1
    choices = (
        list(itertools.combinations(pool, others))
        if len(pool) >= others
        else [tuple(itertools.islice(itertools.cycle(pool), others))]
    )
    place = {name: i for i, name in enumerate(names)}
    tables: list[Table] = []
    for challenger in challengers:
        for opponents in choices:
            table: Table = (challenger, *opponents)
            if config.seating == "fixed":
                table = tuple(sorted(table, key=place.__getitem__))
            tables += _arrangements(table, config)
    return tables


def sides(config: ScheduleConfig, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The challengers of a gauntlet, and the pool: where one of the two is not named, it is everybody else.

    Raises:
        ConfigurationError: a name that is no player, or on both sides; or one of the sides is empty.
    """
    for key, listed in (("pool", config.pool), ("challengers", config.challengers)):
        for name in listed:
            if name not in names:
                raise ConfigurationError(f"schedule.{key} names {name!r}, which is no player{nearest(name, names)}")
        if len(set(listed)) < len(listed):
            raise ConfigurationError(f"schedule.{key} names a player twice; write every name once")
    both = [name for name in config.challengers if name in config.pool]
    if both:
        raise ConfigurationError(f"{both[0]!r} is in schedule.pool and in schedule.challengers; remove it from one")
    challengers = config.challengers or [name for name in names if config.pool and name not in config.pool]
    pool = config.pool or [name for name in names if challengers and name not in challengers]
    if not pool or not challengers:
        raise ConfigurationError("a gauntlet needs schedule.pool or schedule.challengers, and a player on either side")
    return challengers, pool


def _arrangements(table: Table, config: ScheduleConfig) -> list[Table]:
    """The orders in which a choice of entrants takes its seats, each once."""
    if config.seating == "fixed":
        return [table]
    if config.seating == "permuted":
        orders: list[Table] = list(itertools.permutations(table))
    else:
        orders = [table[i:] + table[:i] for i in range(len(table))]
    return list(dict.fromkeys(orders))
