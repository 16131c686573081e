"""`create_app`: the viewer as an ASGI application over folders of runs.

``app.state`` has ``runs`` (a `RunsFolder`), ``can_run`` and ``reach``. Routers are one per module; those that act
(events, new runs, play) may use what they need of it and give back what they hold in a ``lifespan`` of their router.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response

from ludometer._version import __version__
from ludometer.web import (
    calls,
    catalogue,
    events,
    matches,
    new_runs,
    play_routes,
    replay,
    report_page,
    same,
    session,
    tables,
    values,
)
from ludometer.web.problems import say_problems
from ludometer.web.runs import RunsFolder
from ludometer.web.security import Guard, content_policy
from ludometer.web.shapes import Head

__all__ = ["create_app", "viewer_page"]

_MODULES = (
    session,
    tables,
    report_page,
    matches,
    replay,
    calls,
    values,
    same,
    events,
    catalogue,
    new_runs,
    play_routes,
)

_ERRORS: dict[int | str, dict[str, Any]] = {status: {"model": Head} for status in (401, 403, 404, 409, 422)}


def create_app(
    runs: RunsFolder,
    *,
    token: str | None = None,
    hosts: Sequence[str] = (),
    can_run: bool = True,
    reach: str | None = None,
) -> FastAPI:
    """The application.

    Args:
        runs: what is shown.
        token: a secret that every request must bring; None where only this machine can ask.
        hosts: further names by which the server may be asked for.
        can_run: whether runs can be started and games be played from the page.
        reach: the address at which other devices find the page, for the links that people are sent.
    """
    page = viewer_page()

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            runs.close()

    app = FastAPI(
        title="Ludometer viewer",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=_operation,
        responses=_ERRORS,
    )
    app.state.runs = runs
    app.state.can_run = can_run
    app.state.reach = reach
    say_problems(app)
    for module in _MODULES:
        app.include_router(module.router)

    @app.get("/", include_in_schema=False)
    async def _page() -> Response:
        return HTMLResponse(page)

    app.add_middleware(
        Guard,
        token=token,
        hosts=hosts,
        policy=content_policy(page, served=True),
        admits=play_routes.admits,
    )
    return app


def _operation(route: APIRoute) -> str:
    """Names a route in the API's description: ``get_runs_run_matches``."""
    method = min(route.methods or {"GET"}).lower()
    return "_".join([method, *re.findall(r"\w+", route.path_format.removeprefix("/api"))])


@cache
def viewer_page() -> str:
    """The built page. A checkout in which it was never built has a sentence instead."""
    built = resources.files("ludometer.web") / "viewer.html"
    if built.is_file():
        return built.read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Ludometer</title></head><body>'
        "<p>The page was not built here: run <code>npm ci</code> and <code>npm run build</code> in "
        "<code>viewer/</code>.</p></body></html>"
    )
