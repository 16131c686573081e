"""Starting, resuming and extending runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from ludometer.core import Json
from ludometer.models import prices_version
from ludometer.store import RunStore
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.runner import Roster, Runner
from ludometer.tournaments.schedule import schedule

__all__ = ["extend", "prepare", "resume", "start"]

OnStart = Callable[[Runner], None]
"""Called with the runner before it plays, for displays and for stopping it."""


def prepare(config: RunConfig) -> Roster:
    """The players of a configuration, checked against every game and condition. Raises `ConfigurationError`."""
    roster = Roster(config, config.entrants())
    roster.check()
    return roster


async def start(config: RunConfig, folder: str | os.PathLike[str], *, on_start: OnStart | None = None) -> RunSummary:
    """Makes a run in ``folder`` and plays it.

    Raises:
        ConfigurationError: a mistake in the configuration, before anything is written, or a run that exists already.
        MachineError: the folder cannot be written; what was written before is safe.
    """
    roster = prepare(config)
    plans = list(schedule(config))
    with RunStore.create(folder, config.resolved()) as store:
        store.set_meta(prices_version=prices_version())
        store.add_entrants([entrant.to_dict() for entrant in config.entrants()])
        store.add_matches(plans)
        return await _play(store, config, roster, on_start)


async def resume(folder: str | os.PathLike[str], *, on_start: OnStart | None = None) -> RunSummary:
    """Goes on with a run where it stopped."""
    with RunStore.open(folder, write=True) as store:
        config = load_config(store.config)
        return await _play(store, config, prepare(config), on_start)


async def extend(
    folder: str | os.PathLike[str],
    *,
    players: Sequence[str | Mapping[str, Json]] = (),
    repeats: int | None = None,
    on_start: OnStart | None = None,
) -> RunSummary:
    """Adds players to a run, or raises its repeats to a number, and plays what is new."""
    with RunStore.open(folder, write=True) as store:
        config = _extended(load_config(store.config), players, repeats)
        roster = prepare(config)
        store.add_entrants([entrant.to_dict() for entrant in config.entrants()])
        store.add_matches(schedule(config))
        store.set_meta(config=config.resolved())
        return await _play(store, config, roster, on_start)


def _extended(config: RunConfig, players: Sequence[str | Mapping[str, Json]], repeats: int | None) -> RunConfig:
    table = config.resolved()
    table["players"] = [*table["players"], *(p if isinstance(p, str) else dict(p) for p in players)]
    if repeats is not None:
        table["schedule"]["repeats"] = max(repeats, config.schedule.repeats)
    return load_config(table)


async def _play(store: RunStore, config: RunConfig, roster: Roster, on_start: OnStart | None) -> RunSummary:
    runner = Runner(store, config, roster, Progress())
    if on_start is not None:
        on_start(runner)
    return await runner.run()
