"""POST draft, runs and control: a run from the page, played by a process of its own as from the command line."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import Response

from ludometer.core import LudometerError, MachineError
from ludometer.store.database import DATABASE
from ludometer.web.acting import acting
from ludometer.web.drafts import check_ready, count_matches, draft_answer, draft_config
from ludometer.web.problems import Problem, answer
from ludometer.web.runs import RunsFolder, at_work, runs_of
from ludometer.web.session import run_entry
from ludometer.web.shapes import ControlRequest, Draft, DraftAnswer, RunEntry

__all__ = ["CONFIGURATION", "new_folder", "router"]

router = APIRouter(tags=["new run"])

CONFIGURATION = "run.toml"
"""The configuration of a run that was started from the page, beside its database."""
_PATIENCE = 3.0
"""Seconds for which the answer to a control waits for the process to do as asked."""


@router.post("/api/draft", response_model=DraftAnswer)
async def draft(request: Request, body: Draft) -> Response:
    """What a configuration would take, its TOML, or the one thing that is wrong with it."""
    _may_run(request)
    return answer(await draft_answer(body.config))


@router.post("/api/runs", response_model=DraftAnswer)
async def start(request: Request, body: Draft) -> Response:
    """Writes the configuration beside the run, and starts ``ludometer run`` on it."""
    _may_run(request)
    return answer(await to_thread.run_sync(_start, request, body))


@router.post("/api/runs/{run}/control", response_model=RunEntry)
async def control(request: Request, run: str, body: ControlRequest) -> Response:
    """Pauses, resumes or stops a run."""
    _may_run(request)
    return answer(await to_thread.run_sync(_control, request, run, body.action))


def _may_run(request: Request) -> None:
    if not request.app.state.can_run:
        raise Problem(403, "nothing can be started from this page")


# ------------------------------------------------------------------ starting


def new_folder(runs: RunsFolder, name: str) -> Path:
    """A new folder for a run, called as nearly as possible like its name. Raises `MachineError`.

    The name may hold anything: only letters, digits, hyphens and underscores of it remain, and a number is added where
    the folder is there already.
    """
    base = re.sub(r"[^a-z0-9_-]+", "-", name.casefold()).strip("-_")[:60] or "run"
    try:
        runs.home.mkdir(parents=True, exist_ok=True)
        for number in range(1, 10_000):
            folder = runs.home / (base if number == 1 else f"{base}-{number}")
            with contextlib.suppress(FileExistsError):
                folder.mkdir()
                return folder
    except OSError as error:
        raise MachineError(f"the folder {runs.name} cannot be written: {error.strerror}") from None
    raise MachineError(f"there are too many runs called {base}; give this one another name")


def _start(request: Request, body: Draft) -> DraftAnswer:
    checked = draft_config(body.config)
    count_matches(checked.config)
    problem = check_ready(checked.config)
    if problem is not None:
        return DraftAnswer(toml=checked.toml, estimate=None, problem=problem, run=None)
    runs = runs_of(request)
    folder = new_folder(runs, body.name or checked.config.name)
    file = folder / CONFIGURATION
    command = ["run", str(file), "--dir", str(folder)]
    try:
        file.write_text(checked.toml, encoding="utf-8")
        acting(request.app).children.start(folder, command)
    except (OSError, LudometerError) as error:
        _remove(folder)
        said = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        return DraftAnswer(toml=checked.toml, estimate=None, problem=said, run=None)
    return DraftAnswer(
        toml=checked.toml,
        estimate=None,
        problem=None,
        run=runs.id_of(folder),
        file=str(file),
        command=f"ludometer {shlex.join(command)}",
    )


def _remove(folder: Path) -> None:
    """A folder in which no run came about."""
    if (folder / DATABASE).exists():
        return
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


# ------------------------------------------------------------------ controlling


def _control(request: Request, name: str, action: str) -> RunEntry:
    runs = runs_of(request)
    folder = runs.folder(name)
    here = acting(request.app)
    if here.has_people(folder):
        raise Problem(409, "people play this match; it ends with them")
    if action == "resume":
        _resume(request, name, folder)
    elif not here.children.has(folder):
        where = "it was not started from this page" if at_work(folder) else "it is not at play"
        raise Problem(409, f"the run cannot be {'paused' if action == 'pause' else 'stopped'}: {where}")
    elif action == "pause":
        here.children.interrupt(folder)
        here.children.wait(folder, _PATIENCE)
    else:
        here.children.end(folder)
    return run_entry(runs.opened(name), started_here=here.started(folder))


def _resume(request: Request, name: str, folder: Path) -> None:
    if at_work(folder):
        raise Problem(409, "a process is at work on the run already")
    run = runs_of(request).opened(name)
    if not run.store.pending() and run.store.status_counts():
        raise Problem(409, "the run is finished")
    if run.public_only:
        raise Problem(409, "a person plays in this run; it goes on from the link that was given for it")
    acting(request.app).children.start(folder, ["resume", str(folder)])
