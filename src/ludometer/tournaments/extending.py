"""The configuration of a run after an extension: the old one with more players, and more to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.core import ConfigurationError, Json
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.growing import GrowingSchedule
from ludometer.tournaments.schedule_config import ScheduleConfig

__all__ = ["extended"]


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

    In a schedule that grows, what was planned so far stays as it is, and is finished first.

    Args:
        repeats: of any schedule; games: matches of an adaptive one; rounds: of a Swiss tournament.
        planned: how many matches the run has.

    Raises:
        ConfigurationError: a number below the present one, or one that the schedule does not have.
    """
    schedule = config.schedule
    raised = {key: value for key, value in {"repeats": repeats, "games": games, "rounds": rounds}.items() if value}
    for key, value in raised.items():
        before = _present(config, key)
        if before is None:
            raise ConfigurationError(f"the run has no number of {key}, since its schedule is {schedule.kind!r}")
        if value < before:
            raise ConfigurationError(f"the run has {before} {key} already; give their number in all, at least that")
    table = config.resolved()
    table["players"] = [*table["players"], *(p if isinstance(p, str) else dict(p) for p in players)]
    table["schedule"].update(raised)
    if schedule.grows and planned:
        table["schedule"]["stages"].append(_stage(config, planned))
    found = load_config(table)
    if found.schedule.grows:
        _check_room(found, planned)
    return found


def _present(config: RunConfig, key: str) -> int | None:
    owners = {"games": "adaptive", "rounds": "swiss"}
    if owners.get(key, config.schedule.kind) != config.schedule.kind:
        return None
    if key == "rounds":
        return GrowingSchedule(config).rounds
    return int(getattr(config.schedule, key))


def _stage(config: RunConfig, planned: int) -> dict[str, Any]:
    schedule: ScheduleConfig = config.schedule
    own = {key: getattr(schedule, key) for key in ("repeats", "games", "batch")}
    return {**own, "players": len(config.players), "matches": planned, "rounds": _present(config, "rounds")}


def _check_room(config: RunConfig, planned: int) -> None:
    """An adaptive schedule must have room for the meetings of new players with everybody."""
    if config.schedule.kind != "adaptive":
        return
    growing = GrowingSchedule(config)
    before = config.schedule.stages[-1].players if config.schedule.stages else 0
    after, repeats = len(config.players), config.schedule.repeats
    missing = (after * (after - 1) - before * (before - 1)) // 2 * repeats * growing.per_meeting
    if planned + missing > (config.schedule.games or 0):
        raise ConfigurationError(
            f"new players first meet everybody, which takes {missing} matches: give --games {planned + missing} or "
            "more, the number of matches in all"
        )
