"""Schedules: which matches a run consists of. A schedule is a pure function of the configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b

from ludometer.core import AnyGame, ConfigurationError, Json
from ludometer.players import Entrant
from ludometer.store import MatchPlan
from ludometer.tournaments.config import RunConfig

__all__ = ["schedule"]


def schedule(config: RunConfig) -> Iterator[MatchPlan]:
    """Every match of the run, a whole round at a time, so that a run that stops early is balanced.

    Keys and seeds depend on names, not on positions: an extended configuration gives the same matches and more.
    """
    entrants = config.entrants()
    if len(entrants) < (1 if config.schedule.self_play else 2):
        raise ConfigurationError("a run needs at least two players (or schedule.self_play = true)")
    games = config.make_games()
    for repeat in range(config.schedule.repeats):
        for game in games:
            for first, second in _pairs(entrants, config.schedule.self_play):
                for condition in config.conditions():
                    yield _plan(config, game, condition, (first.name, second.name), repeat)


def _pairs(entrants: list[Entrant], self_play: bool) -> Iterator[tuple[Entrant, Entrant]]:
    """Ordered pairs, the two orders of a pair one after the other."""
    for i, first in enumerate(entrants):
        if self_play:
            yield first, first
        for second in entrants[i + 1 :]:
            yield first, second
            yield second, first


def _plan(
    config: RunConfig, game: AnyGame, condition: Mapping[str, Json], names: tuple[str, str], repeat: int
) -> MatchPlan:
    label = f"{game.name}{_canonical(game.options)}"
    # The pair without its order: both orders of a repeat share their luck, and so do the conditions compared.
    luck = _digest([config.seed, label, sorted(names), repeat])
    key = _canonical([label, condition, names, repeat])
    seats = game.contestants(2)
    return MatchPlan(
        key=key,
        game=game.name,
        options=dict(game.options),
        condition=dict(condition),
        group=luck,
        luck=luck,
        seed=_digest([config.seed, key]),
        seats=dict(zip(seats, names, strict=True)),
    )


def _digest(value: Json) -> str:
    return blake2b(_canonical(value).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=dict)
