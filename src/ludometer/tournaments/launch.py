"""Starting, resuming and extending runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from ludometer.core import ConfigurationError, Json
from ludometer.models import prices_version
from ludometer.store import MatchPlan, RunStore
from ludometer.store.verify import Verification, verify_run
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.openings import written_out
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.roster import RecordedRoster, Roster
from ludometer.tournaments.runner import Runner
from ludometer.tournaments.schedule import departures, schedule

__all__ = ["extend", "prepare", "resume", "start", "verify"]

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
    config = config.model_copy(update={"openings": written_out(config.openings)})
    roster = prepare(config)
    plans = list(schedule(config))
    with RunStore.create(folder, config.resolved()) as store:
        store.set_meta(prices_version=prices_version())
        _plan(store, config, roster, plans)
        return await _play(store, config, roster, on_start)


async def resume(
    folder: str | os.PathLike[str],
    *,
    budget_usd: float | str | None = None,
    budget_tokens: int | str | None = None,
    on_start: OnStart | None = None,
) -> RunSummary:
    """Goes on with a run where it stopped.

    Args:
        budget_usd, budget_tokens: take the place of the run's budget, over all its sessions; ``"unlimited"`` for none.
    """
    with RunStore.open(folder, write=True) as store:
        config = load_config(store.config)
        given = {"budget_usd": budget_usd, "budget_tokens": budget_tokens}
        budgets = {key: value for key, value in given.items() if value is not None}
        if budgets:
            new = {key: None if value == "unlimited" else value for key, value in budgets.items()}
            config = load_config({**config.resolved(), **new})
        roster = prepare(config)
        if budgets:
            store.set_meta(config=config.resolved())
        if not store.status_counts():  # stopped before its matches were planned
            _plan(store, config, roster, schedule(config))
        return await _play(store, config, roster, on_start)


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
        _plan(store, config, roster, schedule(config))
        return await _play(store, config, roster, on_start)


def _plan(store: RunStore, config: RunConfig, roster: Roster, plans: Iterable[MatchPlan]) -> None:
    """Writes who plays whom, all or nothing."""
    entrants = [entrant.to_dict() for entrant in config.entrants()]
    store.plan(entrants, plans, config=config.resolved(), sent_settings=roster.sent_settings())


def _extended(config: RunConfig, players: Sequence[str | Mapping[str, Json]], repeats: int | None) -> RunConfig:
    table = config.resolved()
    table["players"] = [*table["players"], *(p if isinstance(p, str) else dict(p) for p in players)]
    if repeats is not None:
        before = config.schedule.repeats
        if repeats < before:
            raise ConfigurationError(f"the run has {before} repeats already; give their number in all, at least that")
        table["schedule"]["repeats"] = repeats
    return load_config(table)


async def verify(folder: str | os.PathLike[str]) -> Verification:
    """Judges every finished match of a run again from its log, and compares all matches with the schedule; nobody is
    asked, and no key is needed."""
    with RunStore.open(folder) as store:
        config = load_config(store.config)
        roster = RecordedRoster(config, store.meta("sent_settings") or {})
        result = await verify_run(store, roster.player, config.policy_of, roster.official)
        if store.imported("source") is None:
            result.problems += departures(config, list(store.matches()))
        return result


async def _play(store: RunStore, config: RunConfig, roster: Roster, on_start: OnStart | None) -> RunSummary:
    runner = Runner(store, config, roster, Progress())
    if on_start is not None:
        on_start(runner)
    return await runner.run()
