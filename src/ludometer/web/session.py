"""What the page can do, the list of runs, and one run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Request
from starlette.responses import Response

from ludometer._version import __version__
from ludometer.analysis.methods import methods_text
from ludometer.core import LudometerError
from ludometer.store import Address, RunStore, schema
from ludometer.store.spared import is_decided
from ludometer.store.types import read_json
from ludometer.web.facets import facets
from ludometer.web.problems import answer
from ludometer.web.runs import UNFINISHED, Opened, OpenRun, RunsFolder, run_title, runs_of
from ludometer.web.shapes import Counts, RunDetail, RunEntry, RunList, RunPlace, Session

__all__ = ["router", "run_detail", "run_entry", "run_name", "unreadable"]

router = APIRouter(prefix="/api", tags=["runs"])

_UNNAMED = "run"
"""The name of a configuration that has none."""


@router.get("/session", response_model=Session)
def session(request: Request) -> Response:
    """What this page can do."""
    runs = runs_of(request)
    state = request.app.state
    can = {"live": True, "can_run": bool(state.can_run), "reach": state.reach}
    return answer(Session(version=__version__, run=runs.single, folder=runs.name, **can))


@router.get("/runs", response_model=RunList)
def list_runs(request: Request) -> Response:
    """All runs, the latest first."""
    runs = runs_of(request)
    entries = [_entry(request, runs, name, address) for name, address in runs.ids().items()]
    entries.sort(key=lambda entry: (entry.last or entry.created or 0.0, entry.id), reverse=True)
    places = [RunPlace(name=name, problem=problem) for name, problem in runs.places().items()]
    return answer(RunList(runs=entries, folder=runs.name, places=places))


@router.get("/runs/{run}", response_model=RunDetail)
def get_run(request: Request, run: Opened) -> Response:
    """One run: what it was made of, and what it can be filtered by."""
    return answer(run_detail(run, started_here=_started_here(request, run.id)))


def _entry(request: Request, runs: RunsFolder, name: str, address: Address) -> RunEntry:
    try:
        run = runs.opened(name)
        return run_entry(run, started_here=_started_here(request, name))
    except LudometerError as error:
        return unreadable(name, run_title(address), runs.place_of(address), str(error))


def _started_here(request: Request, name: str) -> bool:
    """Whether this server plays the run: whoever starts runs says so in ``app.state.started_here``."""
    known = getattr(request.app.state, "started_here", None)
    return bool(known(name)) if callable(known) else False


# --------------------------------------------------------------------- entries


def run_entry(run: OpenRun, *, started_here: bool = False) -> RunEntry:
    """A run in the list."""
    at_work = run.at_work
    known = run.cached("entry", lambda: _known(run), version=run.resting(at_work), patient=True)
    playing = known["counts"].unfinished + known["counts"].void > 0 and at_work
    return RunEntry(id=run.id, place=run.place, playing=playing, started_here=started_here, problem=None, **known)


def unreadable(name: str, title: str, place: str, why: str) -> RunEntry:
    """The entry of a run that cannot be read."""
    counts = Counts(total=0, completed=0, forfeit=0, canceled=0, void=0, unfinished=0, not_needed=0)
    return RunEntry(
        id=name,
        name=title,
        place=place,
        description="",
        games=[],
        entrants=0,
        counts=counts,
        playing=False,
        started_here=False,
        created=None,
        last=None,
        calls=0,
        cost=None,
        problem=why,
    )


def _known(run: OpenRun) -> dict[str, Any]:
    store, config = run.store, run.store.config
    m, x, a = schema.matches.c, schema.exchanges.c, schema.attempts.c
    # One pass over the matches: there may be very many.
    query = sa.select(m.game, m.status, m.ending, sa.func.count(), sa.func.max(m.finished), m.options)
    with store.engine.connect() as connection:
        groups = connection.execute(query.group_by(m.game, m.options, m.status, m.ending)).all()
        entrants = connection.execute(sa.select(sa.func.count()).select_from(schema.entrants)).scalar_one()
        calls, cost = connection.execute(sa.select(sa.func.count(), sa.func.sum(x.cost))).one()
        begun = sa.select(m.id).where(m.status.in_(UNFINISHED))
        last = connection.execute(sa.select(sa.func.max(a.at)).where(a.match.in_(begun))).scalar()
    created = store.meta("created")
    times = [time for time in (last, *(group[4] for group in groups)) if time is not None]
    return {
        "name": run_name(run),
        "description": str(config.get("description") or ""),
        "games": sorted({_game(group[0], group[5]) for group in groups}),
        "entrants": entrants,
        "counts": _counted(((group[1], group[2], group[3]) for group in groups), is_decided(store)),
        "created": created if isinstance(created, int | float) else None,
        "last": max(times, default=None),
        "calls": calls,
        "cost": cost,
    }


def _game(name: str, options: str) -> str:
    """What is played, as it is written on a command line: one name may stand for all games of another library."""
    which = read_json(options, "a match", dict).get("game")
    return f"{name}:{which}" if isinstance(which, str) else name


def run_name(run: OpenRun) -> str:
    """What a person calls the run: as its configuration does, or its folder where that says nothing."""
    name = str(run.store.config.get("name") or _UNNAMED)
    return run.store.name if name == _UNNAMED else name


def _counted(groups: Iterable[tuple[str, str | None, int]], decided: bool) -> Counts:
    """Matches by what became of them, from their numbers by status and ending."""
    counts = {"total": 0, "completed": 0, "forfeit": 0, "canceled": 0, "void": 0, "unfinished": 0, "not_needed": 0}
    for status, ending, number in groups:
        rest = "not_needed" if decided else "unfinished"
        kind = ending if status == "finished" else "void" if status == "void" else rest
        counts[kind if kind in counts else "unfinished"] += number
        counts["total"] += number
    return Counts(**counts)


# ---------------------------------------------------------------------- detail


def run_detail(run: OpenRun, *, started_here: bool = False) -> RunDetail:
    """One run. Nothing that gives away what is hidden in a game that a person plays now: the seed would."""
    secret = run.public_only
    store = run.store
    has = run.cached("has", lambda: _has(store))
    return RunDetail(
        entry=run_entry(run, started_here=started_here),
        facets=facets(run),
        config={} if secret else dict(store.config),
        methods="" if secret else run.cached("methods", lambda: methods_text(store), patient=True),
        notes=[str(note) for note in store.imported("notes") or ()],
        has_values=has[0] and not secret,
        has_moves=has[1],
    )


def _has(store: RunStore) -> tuple[bool, bool]:
    """Whether moves were judged, and whether there are any."""
    values, m, a = schema.move_values, schema.matches.c, schema.attempts
    with store.engine.connect() as connection:
        judged = sa.inspect(connection).has_table(values.name) and _any(connection, sa.select(values.c.match))
        moves = _any(connection, sa.select(a.c.match)) or _any(connection, sa.select(m.id).where(m.notation != ""))
    return judged, moves


def _any(connection: sa.Connection, query: sa.Select[Any]) -> bool:
    return connection.execute(query.limit(1)).first() is not None
