"""Schedules: which matches a run consists of. A schedule is a pure function of the configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from ludometer.core import AnyGame, ConfigurationError, Json
from ludometer.core.registry import nearest
from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.openings import Opening, openings

__all__ = ["departures", "schedule"]


def schedule(config: RunConfig) -> Iterator[MatchPlan]:
    """Every match of the run, a whole round at a time, so that a run that stops early is balanced.

    Keys and seeds depend on names, not on positions: an extended configuration gives the same matches and more.
    """
    games = [(game, openings(config.openings, game)) for game in config.make_games()]
    conditions = config.conditions()
    for repeat, pairs in _rounds(config):
        for game, starts in games:
            for start in starts:
                for names in pairs:
                    for condition in conditions:
                        yield _plan(config, game, start, condition, names, repeat)


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


def _rounds(config: RunConfig) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Number and ordered pairs of every round."""
    names = [entrant.name for entrant in config.entrants()]
    if config.schedule.kind == "series":
        if len(names) != 2:
            raise ConfigurationError(f"a series is between two players, not {len(names)}")
        for number in range(config.schedule.repeats):
            # Games 2k and 2k + 1 have the seats swapped and the luck in common: one duplicate group.
            yield number // 2, [(names[0], names[1]) if number % 2 == 0 else (names[1], names[0])]
        return
    if config.schedule.kind == "gauntlet":
        for number in range(config.schedule.repeats):
            yield number, _gauntlet_pairs(names, config.schedule.pool)
        return
    if len(names) < (1 if config.schedule.self_play else 2):
        raise ConfigurationError("a run needs at least two players (or schedule.self_play = true)")
    pairs = _ordered_pairs(names, config.schedule.self_play)
    for number in range(config.schedule.repeats):
        yield number, pairs


def _ordered_pairs(names: list[str], self_play: bool) -> list[tuple[str, str]]:
    """All ordered pairs, the two orders of a pair one after the other."""
    pairs: list[tuple[str, str]] = []
    for i, first in enumerate(names):
        if self_play:
            pairs.append((first, first))
        for second in names[i + 1 :]:
            pairs += [(first, second), (second, first)]
    return pairs


def _gauntlet_pairs(names: list[str], pool: list[str]) -> list[tuple[str, str]]:
    """Both orders of every challenger with every member of the pool."""
    for name in pool:
        if name not in names:
            raise ConfigurationError(f"schedule.pool names {name!r}, which is no player{nearest(name, names)}")
    challengers = [name for name in names if name not in pool]
    if not pool or not challengers:
        raise ConfigurationError("a gauntlet needs schedule.pool, and at least one player outside of it")
    pairs: list[tuple[str, str]] = []
    for challenger in challengers:
        for opponent in pool:
            pairs += [(challenger, opponent), (opponent, challenger)]
    return pairs


def _plan(
    config: RunConfig,
    game: AnyGame,
    start: Opening,
    condition: Mapping[str, Json],
    names: tuple[str, str],
    repeat: int,
) -> MatchPlan:
    options = {**game.options, **start.options}
    label = f"{game.name}{_canonical(options)}" + (f" after {' '.join(start.moves)}" if start.moves else "")
    # The pair without its order: both orders of a repeat share their luck, and so do the conditions compared.
    luck = _digest([config.seed, label, sorted(names), repeat])
    key = _canonical([label, condition, names, repeat])
    seats = game.contestants(2)
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
