"""Starting, resuming and extending runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from ludometer.core import Json
from ludometer.models import prices_version
from ludometer.store import MatchPlan, RunStore, Where
from ludometer.store.verify import Verification, verify_run
from ludometer.strategies.registry import changed_files
from ludometer.tournaments.claimed import ClaimedMatches
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.executor import LocalExecutor
from ludometer.tournaments.extending import extended
from ludometer.tournaments.growing import GrowingSchedule
from ludometer.tournaments.openings import written_out
from ludometer.tournaments.pilot_runs import is_pilot_of
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.roster import RecordedRoster, Roster
from ludometer.tournaments.runner import ExecutorMaker, Runner
from ludometer.tournaments.schedule import departures, schedule
from ludometer.tournaments.sources import Planner, QueuedMatches, StoppingRule
from ludometer.tournaments.stopping import check_stopping, decision_departures, stopping_rule

__all__ = ["extend", "plan_run", "prepare", "resume", "start", "verify"]

OnStart = Callable[[Runner], None]
"""Called with the runner before it plays, for displays and for stopping it."""


def prepare(config: RunConfig) -> Roster:
    """The players of a configuration, checked against every game and condition. Raises `ConfigurationError`."""
    roster = Roster(config, config.entrants())
    roster.check()
    check_stopping(config)
    return roster


async def start(
    config: RunConfig, where: Where, *, on_start: OnStart | None = None, executor: ExecutorMaker = LocalExecutor
) -> RunSummary:
    """Makes a run in a folder or database and plays it.

    Args:
        executor: where its matches are played; by default here.

    Raises:
        ConfigurationError: a mistake in the configuration, before anything is written, or a run that exists already,
            unless it is the pilot of the same configuration (`ludometer.tournaments.pilot`), which is gone on with.
        MachineError: the folder cannot be written; what was written before is safe.
    """
    config = config.model_copy(update={"openings": written_out(config.openings)})
    if is_pilot_of(config, where):
        return await resume(where, on_start=on_start, executor=executor)
    roster = prepare(config)
    plans = schedule(config)
    first = next(plans, None)  # mistakes show here, before anything is written
    with RunStore.create(where, config.resolved()) as store:
        store.set_meta(prices_version=prices_version())
        plan_run(store, config, roster, () if first is None else chain((first,), plans))
        return await _play(store, config, roster, on_start, executor)


async def resume(
    where: Where,
    *,
    budget_usd: float | str | None = None,
    budget_tokens: int | str | None = None,
    stop_when: str | None = None,
    on_start: OnStart | None = None,
    executor: ExecutorMaker = LocalExecutor,
) -> RunSummary:
    """Goes on with a run where it stopped.

    Args:
        budget_usd, budget_tokens: take the place of the run's budget, over all its sessions; ``"unlimited"`` for none.
        stop_when: takes the place of the run's rule; ``"never"`` for none, so that the whole schedule is played.
        executor: where its matches are played; by default here.
    """
    with RunStore.open(where, write=True) as store:
        config = load_config(store.config)
        given = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "stop_when": stop_when}
        changes = {key: value for key, value in given.items() if value is not None}
        if changes:
            new = {key: None if value in ("unlimited", "never") else value for key, value in changes.items()}
            config = load_config({**config.resolved(), **new})
        roster = prepare(config)
        if changes:
            _reopen(store)
            store.set_meta(config=config.resolved())
        if not store.status_counts():  # stopped before its matches were planned
            plan_run(store, config, roster, schedule(config))
        return await _play(store, config, roster, on_start, executor)


async def extend(
    where: Where,
    *,
    players: Sequence[str | Mapping[str, Json]] = (),
    repeats: int | None = None,
    games: int | None = None,
    rounds: int | None = None,
    on_start: OnStart | None = None,
    executor: ExecutorMaker = LocalExecutor,
) -> RunSummary:
    """Adds players to a run, or raises one of its numbers (see `extended`), and plays what is new."""
    with RunStore.open(where, write=True) as store:
        planned = sum(store.status_counts().values())
        old = load_config(store.config)
        config = extended(old, players, repeats=repeats, games=games, rounds=rounds, planned=planned)
        roster = prepare(config)
        _reopen(store)
        plan_run(store, config, roster, schedule(config))
        return await _play(store, config, roster, on_start, executor)


def plan_run(store: RunStore, config: RunConfig, roster: Roster, plans: Iterable[MatchPlan]) -> None:
    """Writes who plays whom, all or nothing."""
    entrants = [entrant.to_dict() for entrant in config.entrants()]
    # What a file was when the run first took it up stays: matches of then are compared with it.
    files = {**roster.strategy_files(), **(store.meta("strategy_files") or {})}
    settings = roster.sent_settings()
    store.plan(entrants, plans, config=config.resolved(), sent_settings=settings, strategy_files=files)


async def verify(where: Where) -> Verification:
    """Judges every finished match of a run again from its log, and compares all matches with the schedule; nobody is
    asked, and no key is needed."""
    with RunStore.open(where) as store:
        config = load_config(store.config)
        roster = RecordedRoster(config, store.meta("sent_settings") or {})
        result = await verify_run(store, roster.player, config.policy_of, roster.official)
        if store.imported("source") is None:
            result.problems += departures(config, list(store.matches()))
        result.changed_files = changed_files(store.meta("strategy_files") or {})
        recorded = store.meta("decision")
        result.problems += decision_departures(config, store.matches(), recorded)
        result.decided = None if recorded is None else recorded["why"]
        return result


def planner_of(config: RunConfig) -> Planner | None:
    """What plans the rest of a schedule that grows with its results; None for one that is known beforehand."""
    return GrowingSchedule(config) if config.schedule.grows else None


def rule_of(config: RunConfig) -> StoppingRule | None:
    """When the run is decided before its schedule is played; None where all of it is wanted."""
    return stopping_rule(config)


def _reopen(store: RunStore) -> None:
    """What decided a run says nothing about other players or another rule, for which its matches are open."""
    if store.meta("decision") is not None:
        store.set_meta(decision=None)


async def _play(
    store: RunStore, config: RunConfig, roster: Roster, on_start: OnStart | None, executor: ExecutorMaker
) -> RunSummary:
    source = (ClaimedMatches if store.shared else QueuedMatches)(store, planner_of(config))
    runner = Runner(store, config, roster, Progress(), source=source, rule=rule_of(config), executor=executor)
    if on_start is not None:
        on_start(runner)
    summary = await runner.run()
    decided = runner.decided
    if decided is not None or store.meta("decision") is not None:  # another rule, or more players, may leave it open
        store.set_meta(decision=None if decided is None else decided._asdict())
    return summary
