"""Schedules: which matches a run consists of. A schedule is a pure function of the configuration, and of the results so
far where it grows with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.growing import GrowingSchedule
from ludometer.tournaments.openings import openings
from ludometer.tournaments.plans import identity, match_plan
from ludometer.tournaments.seating import rounds, seats_of

__all__ = ["departures", "outlook", "schedule", "to_come"]


def schedule(config: RunConfig) -> Iterator[MatchPlan]:
    """Every match of the run, a whole round at a time, so that a run that stops early is balanced; of a schedule that
    grows, the first batch.

    Keys and seeds depend on names, not on positions: an extended configuration gives the same matches and more.
    """
    if config.schedule.grows:
        yield from GrowingSchedule(config).plan(())
        return
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
                        yield match_plan(config, game, start, condition, table, repeat)


def outlook(config: RunConfig) -> Iterator[MatchPlan]:
    """Every match of the run; of a schedule that grows, as it would be if every match were drawn. For estimates."""
    if not config.schedule.grows:
        yield from schedule(config)
        return
    for plans, _ in _foreseen(config, ()):
        yield from plans


def to_come(config: RunConfig, rows: Sequence[MatchRow]) -> Iterator[MatchRow]:
    """Matches that a schedule which grows will plan behind those of a run, as if every open one were drawn. For
    estimates; none of a schedule that is known beforehand."""
    if config.schedule.grows:
        for _, drawn in _foreseen(config, rows):
            yield from (row._replace(**_OPEN) for row in drawn)


def _foreseen(config: RunConfig, rows: Sequence[MatchRow]) -> Iterator[tuple[Sequence[MatchPlan], Sequence[MatchRow]]]:
    """Every further batch of a schedule that grows, with how it comes out if whatever is open is drawn."""
    growing = GrowingSchedule(config)
    done = [row if row.status == "finished" else row._replace(scores=_halves(row.seats), **_COMPLETED) for row in rows]
    while plans := growing.plan(done):
        drawn = [_drawn(plan, number) for number, plan in enumerate(plans, start=len(done) + 1)]
        yield plans, drawn
        done += drawn


def departures(config: RunConfig, rows: Sequence[MatchRow]) -> list[str]:
    """How the matches of a run differ from its schedule, one sentence each; none where nothing was planned yet."""
    if not rows:
        return []
    if config.schedule.grows:
        return list(_strays(config, rows))
    planned = {plan.key: plan for plan in schedule(config)}
    found = []
    for row in rows:
        plan = planned.pop(row.key, None)
        if plan is None:
            found.append(f"match {row.id} is not in the schedule of the run's configuration")
        elif identity(row) != identity(plan):
            found.append(f"match {row.id} differs from the schedule in its game, seats, luck, seed or condition")
    if planned:
        found.append(f"{len(planned)} matches of the schedule are missing")
    return found


def _strays(config: RunConfig, rows: Sequence[MatchRow]) -> Iterator[str]:
    """The departures of a schedule that grows. Behind the first one nothing can be said: it follows from all before."""
    growing, done = GrowingSchedule(config), 0
    while done < len(rows):
        if any(row.status != "finished" for row in rows[:done]):
            yield f"match {rows[done].id} was planned before the matches that decide about it were finished"
            return
        plans = growing.plan(rows[:done])
        if not plans:
            yield f"match {rows[done].id} is not in the schedule of the run's configuration"
            return
        for plan, row in zip(plans, rows[done:], strict=False):
            if row.key != plan.key or identity(row) != identity(plan):
                yield f"match {row.id} differs from the schedule that follows from the results before it"
                return
        done += len(plans)
    if done > len(rows):
        yield f"{done - len(rows)} matches of the schedule are missing"


def _drawn(plan: MatchPlan, number: int) -> MatchRow:
    """A match that was planned, as if it had ended in a draw."""
    blank: dict[str, Any] = dict.fromkeys(MatchRow._fields)
    same = {name: getattr(plan, name) for name in ("key", "game", "group", "luck", "seed")}
    seats = dict(plan.seats)
    own = {"options": dict(plan.options), "condition": dict(plan.condition), "seats": seats, "scores": _halves(seats)}
    return MatchRow(**{**blank, **same, **own, "id": f"m{number:06d}", "number": number, "voids": 0, **_COMPLETED})


def _halves(seats: Mapping[str, str]) -> dict[str, float]:
    return dict.fromkeys(seats, 1.0 / len(seats))


_COMPLETED: Any = {"status": "finished", "ending": "completed"}
_OPEN: Any = {"status": "scheduled", "ending": None, "scores": None}
