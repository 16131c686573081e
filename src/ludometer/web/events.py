"""GET live and events of a run: the wall of boards, and the stream that keeps it up to date."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Header, Request
from starlette.responses import Response

from ludometer.web.acting import acting
from ludometer.web.live import Watch
from ludometer.web.problems import answer
from ludometer.web.runs import runs_of
from ludometer.web.session import run_entry
from ludometer.web.shapes import Wall
from ludometer.web.streams import EVENTS, cursor_of, stream

__all__ = ["router"]


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await acting(app).close()


router = APIRouter(lifespan=_lifespan)


@router.get("/api/runs/{run}/live", response_model=Wall, tags=["live"])
async def live(request: Request, run: str) -> Response:
    """The matches at play and the latest finished ones."""
    watch = await _watch(request, run)
    entry, boards, public_only = await watch.wall()
    return answer(Wall(entry=entry, matches=boards, public_only=public_only))


@router.get("/api/runs/{run}/events", responses=EVENTS, response_class=Response, tags=["live"])
async def events(request: Request, run: str, last_event_id: Annotated[str | None, Header()] = None) -> Response:
    """Server-sent events of a run: ``counts``, ``attempt``, ``match``, ``run``, ``ping``. Last-Event-ID resumes."""
    watch = await _watch(request, run)
    listener = await watch.listen(cursor_of(last_event_id))
    return stream(listener.next, lambda: watch.leave(listener))


async def _watch(request: Request, run: str) -> Watch:
    runs, here = runs_of(request), acting(request.app)
    address = await to_thread.run_sync(runs.address, run)
    return await here.watches.of(
        address,
        lambda: runs.opened(run),
        lambda: run_entry(runs.opened(run), started_here=here.started(address)),
    )
