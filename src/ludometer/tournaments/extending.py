"""The configuration of a run after an extension: the old one with more players, and more to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.core import ConfigurationError, Json
from ludometer.players import Entrant
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.growing import GrowingSchedule
from ludometer.tournaments.schedule_config import ScheduleConfig

__all__ = ["extended"]

_OWNERS = {"games": "adaptive", "rounds": "swiss"}
"""The kinds of schedule that alone have a number."""


def extended(
    config: RunConfig,
    players: Sequence[str | Mapping[str, Json]] = (),
    *,
    repeats: int | None = None,
    games: int | None = None,
    rounds: int | None = None,
    planned: int = 0,
) -> RunConfig:
    """The configuration with more players, or with one of its numbers raised; each is the number in all.

    In a schedule that grows, what was planned so far stays as it is, and is finished first. New players of a gauntlet
    whose two sides are named are challengers. The present numbers again change nothing, so that an extension that was
    interrupted may be asked for once more.

    Args:
        repeats: of any schedule; games: matches of an adaptive one; rounds: of a Swiss tournament.
        planned: how many matches the run has.

    Raises:
        ConfigurationError: a number below the present one, or one that the schedule does not have, or nothing would be
            added.
    """
    schedule = config.schedule
    raised = {key: value for key, value in {"repeats": repeats, "games": games, "rounds": rounds}.items() if value}
    for key, value in raised.items():
        before = _present(config, key)
        if before is None:
            own = next((name for name, kind in _OWNERS.items() if kind == schedule.kind), "repeats")
            raise ConfigurationError(
                f"the run has no number of {key}, since its schedule is {schedule.kind!r}; raise its {own} (--{own} N)"
            )
        if value < before:
            raise ConfigurationError(f"the run has {before} {key} already; give their number in all, at least that")
    if not players and all(value == _present(config, key) for key, value in raised.items()):
        return config
    table = config.resolved()
    table["players"] = [*table["players"], *(p if isinstance(p, str) else dict(p) for p in players)]
    table["schedule"].update(raised)
    if schedule.grows and planned:
        table["schedule"]["stages"].append(_stage(config, planned))
    if schedule.pool and schedule.challengers:  # whom neither side names would meet nobody
        table["schedule"]["challengers"] += [Entrant.of(player).name for player in players]
    found = load_config(table)
    if found.schedule.grows:
        _check_growth(config, found, planned)
    return found


def _present(config: RunConfig, key: str) -> int | None:
    if _OWNERS.get(key, config.schedule.kind) != config.schedule.kind:
        return None
    if key == "rounds":
        return GrowingSchedule(config).rounds
    return int(getattr(config.schedule, key))


def _stage(config: RunConfig, planned: int) -> dict[str, Any]:
    schedule: ScheduleConfig = config.schedule
    own = {key: getattr(schedule, key) for key in ("repeats", "games", "batch")}
    return {**own, "players": len(config.players), "matches": planned, "rounds": _present(config, "rounds")}


def _check_growth(old: RunConfig, new: RunConfig, planned: int) -> None:
    """A schedule that grows must have something to add, and an adaptive one room for new players to meet everybody."""
    growing = GrowingSchedule(new)
    if growing.rounds is not None:
        if (rounds := GrowingSchedule(old).planned_rounds(planned)) >= growing.rounds:
            raise ConfigurationError(
                f"all {rounds} rounds of this Swiss tournament are planned, and nothing would be added: give --rounds "
                f"{rounds + 1} or more; new players and other repeats count from the next round on"
            )
        return
    before, after = len(old.players), len(new.players)
    missing = (after * (after - 1) - before * (before - 1)) // 2 * new.schedule.repeats * growing.per_meeting
    room = (new.schedule.games or 0) - planned
    if room < missing:
        raise ConfigurationError(
            f"new players first meet everybody, which takes {missing} matches: give --games {planned + missing} or "
            "more, the number of matches in all"
        )
    if room < growing.per_meeting:
        raise ConfigurationError(
            f"{planned} of {new.schedule.games} matches are planned, and nothing would be added: give --games "
            f"{planned + growing.per_meeting} or more, the number of matches in all"
        )
