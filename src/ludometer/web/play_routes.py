"""Play: a person against any player, or people against each other by links.

A link holds a secret for one seat. It comes as ``key`` in the query, since an event stream can bring no header of its
own; the lines of the access log about these paths are therefore left out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Query, Request
from starlette.responses import Response

from ludometer.core import LudometerError, Seat
from ludometer.web.acting import acting
from ludometer.web.live import Happening
from ludometer.web.new_runs import new_folder
from ludometer.web.play_folders import PlayConfig, links_of, make_links, plan, play_config, seat_of_key
from ludometer.web.play_sessions import PlaySession
from ludometer.web.play_view import play_of, recorded
from ludometer.web.problems import Problem, answer, written
from ludometer.web.runs import OpenRun, runs_of
from ludometer.web.shapes import Play, PlayMove, PlayRequest, PlayStarted
from ludometer.web.streams import EVENTS, stream
from ludometer.web.web_human import Refused

__all__ = ["admits", "router"]

_APPLIED = 2.0
"""Seconds for which the answer to a move waits for the match to take it."""
_PATHS = re.compile(r"/api/play/[^/]+(/events|/move|/resume)?")


class _WithoutSecrets(logging.Filter):
    """Drops what an access log would say of links."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "/api/play/" not in record.getMessage()


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    kept = _WithoutSecrets()
    log = logging.getLogger("uvicorn.access")
    log.addFilter(kept)
    try:
        yield
    finally:
        log.removeFilter(kept)


router = APIRouter(tags=["play"], lifespan=_lifespan)

Key = Annotated[str, Query(description="the secret of a seat", max_length=200)]


def admits(path: str, key: str) -> bool:
    """Whether a request may come without the server's token: the page itself, which holds no data, and requests of
    somebody with a link, whose secret the routes check."""
    return path == "/" or (bool(key) and _PATHS.fullmatch(path) is not None)


@router.post("/api/play", response_model=PlayStarted)
async def begin(request: Request, body: PlayRequest) -> Response:
    """Makes a game with people, and a link for each of them."""
    if not request.app.state.can_run:
        raise Problem(403, "nothing can be started from this page")
    return answer(await to_thread.run_sync(_begin, request, body))


@router.get("/api/play/{id}", response_model=Play)
async def look(request: Request, id: str, key: Key) -> Response:  # noqa: A002
    """The game as the seat of this link sees it. A game that the server does not know any more is taken up again."""
    run, session, seat = await to_thread.run_sync(_opened, request, id, key)
    return answer(await to_thread.run_sync(play_of, run, session, seat))


@router.post("/api/play/{id}/move", response_model=Play)
async def move(request: Request, id: str, key: Key, body: PlayMove) -> Response:  # noqa: A002
    """Hands in a move, a resignation, or a draw. What the game does not take is explained in ``refused``."""
    run, session, seat = await to_thread.run_sync(_opened, request, id, key)
    return answer(await to_thread.run_sync(_move, run, session, seat, body))


@router.post("/api/play/{id}/resume", response_model=Play)
async def resume(request: Request, id: str, key: Key) -> Response:  # noqa: A002
    """Goes on with a game that stands still, since a provider or an official failed."""
    run, session, seat = await to_thread.run_sync(_opened, request, id, key, True)
    return answer(await to_thread.run_sync(play_of, run, session, seat))


@router.get("/api/play/{id}/events", responses=EVENTS, response_class=Response)
async def events(request: Request, id: str, key: Key) -> Response:  # noqa: A002
    """Server-sent events: ``play`` with the whole game at every change, and ``ping``."""
    run, session, seat = await to_thread.run_sync(_opened, request, id, key)
    loop, woken = asyncio.get_running_loop(), asyncio.Event()
    seen = -1

    def changed() -> None:
        with contextlib.suppress(RuntimeError):  # the server ends
            loop.call_soon_threadsafe(woken.set)

    async def next_one(seconds: float) -> Happening | None:
        nonlocal seen
        async with asyncio.timeout(seconds):
            while session.version == seen:
                woken.clear()
                if session.version == seen:
                    await woken.wait()
        seen = session.version
        shown = await to_thread.run_sync(play_of, run, session, seat)
        return Happening("play", written(shown), str(seen))

    session.page_opened(seat, changed)
    return stream(next_one, lambda: session.page_closed(seat, changed))


# ------------------------------------------------------------------ blocking


def _begin(request: Request, body: PlayRequest) -> PlayStarted:
    play: PlayConfig = play_config(body)
    runs = runs_of(request)
    folder = new_folder(runs, f"play-{body.game}")
    plan(folder, play)
    try:
        links = make_links(folder, list(play.people))
        session = acting(request.app).play.of(folder)
    except LudometerError:
        shutil.rmtree(folder, ignore_errors=True)  # nobody has a link to it
        raise
    id_ = runs.id_of(folder)
    shown = session.shown
    return PlayStarted(id=id_, run=id_, match=shown.row.id, links=links, recorded=recorded(shown.game))


def _opened(request: Request, id_: str, key: str, again: bool = False) -> tuple[OpenRun, PlaySession, Seat]:
    """The run, its session and the seat that the secret opens.

    Raises:
        Problem: 403 for a wrong secret, whatever the game: nobody learns what games there are.
    """
    runs = runs_of(request)
    found = runs.ids().get(id_)
    folder = found if isinstance(found, Path) else None  # people do not play in databases
    seat = seat_of_key({} if folder is None else links_of(folder), key)
    if folder is None or seat is None:
        raise Problem(403, "this link opens no game here")
    session = acting(request.app).play.of(folder, again=again)
    return runs.opened(id_), session, seat


def _move(run: OpenRun, session: PlaySession, seat: Seat, body: PlayMove) -> Play:
    text = body.action if body.action is not None else body.text or ""
    may_resign = session.shown.policy.resignation
    try:
        if body.resign is False and body.draw != "accept" and not text.strip():
            raise Refused("write a move, or choose one")
        before = session.version
        session.people[seat].answer(text, resign=body.resign, draw=body.draw, may_resign=may_resign)
        session.refused.pop(seat, None)
        session.wait(before, _APPLIED)
    except Refused as error:
        session.refused[seat] = str(error)
        session.changed()
    return play_of(run, session, seat)
