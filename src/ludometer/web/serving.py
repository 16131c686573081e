"""Serving the viewer: the socket, the token, and the address that a person opens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import uvicorn

from ludometer.core import ConfigurationError, MachineError
from ludometer.store import Address
from ludometer.store.database import DATABASE
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder
from ludometer.web.security import is_local, new_token

__all__ = ["Served", "named_runs", "serve"]

_PORTS = 50
"""Ports that are tried, from the given one on."""
_LEAST_TOKEN = 16


class Served(NamedTuple):
    """Where the server is. ``url`` has the token in it; it is told once."""

    url: str
    token: str | None
    port: int


def named_runs(paths: Sequence[Address]) -> RunsFolder:
    """The runs of a command line: runs in folders or databases, or folders of runs; ``runs`` where nothing is named.

    Raises:
        ConfigurationError: a path that is neither.
    """
    for path in paths:
        if isinstance(path, Path) and not path.is_dir() and not (path.name == DATABASE and path.is_file()):
            raise ConfigurationError(f"there is no run and no folder of runs in {path}")
    return RunsFolder(paths or [Path("runs")])


def serve(
    runs: RunsFolder,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    browser: bool = True,
    told: Callable[[Served], None] = lambda _: None,
) -> None:
    """Serves until it is interrupted.

    Args:
        host: where it can be reached; anything but this machine demands a token.
        port: the first one that is tried.
        token: a secret; one is made where it is needed and not given.
        browser: open a browser, where there is a desktop.
        told: called with the address once it can be opened.

    Raises:
        ConfigurationError: a token that is too short, or a host that is none.
        MachineError: no port is free.
    """
    if token is not None and len(token) < _LEAST_TOKEN:
        raise ConfigurationError(f"a token has at least {_LEAST_TOKEN} characters, or it could be guessed")
    if token is None and not is_local(host):
        token = new_token()
    bound = _bound(host, port)
    served = Served(_url(host, bound.getsockname()[1], token), token, bound.getsockname()[1])
    app = create_app(runs, token=token, hosts=_names(host))
    config = uvicorn.Config(
        app,
        access_log=False,  # addresses hold the secrets of people's seats
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=2,  # event streams never end by themselves
    )
    server = uvicorn.Server(config)

    async def session() -> None:
        task = asyncio.ensure_future(server.serve(sockets=[bound]))
        while not server.started and not task.done():
            await asyncio.sleep(0.02)
        if not task.done():
            told(served)
            if browser and _has_desktop():
                await asyncio.to_thread(webbrowser.open, served.url)
        await task

    with contextlib.suppress(KeyboardInterrupt):  # how a person ends it
        asyncio.run(session())


def _bound(host: str, port: int) -> socket.socket:
    """A socket on the first free port."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"{host!r} is no address of this machine: {error}") from None
    last: OSError | None = None
    for one in range(port, min(port + _PORTS, 65536)) if port else (0,):
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((address[0], one, *address[2:]))
            bound.listen(128)
        except OSError as error:
            bound.close()
            last = error
            continue
        return bound
    why = "" if last is None else f" ({last.strerror or last})"
    raise MachineError(f"no port from {port} on can be used on {host}{why}; name another one with --port")


def _names(host: str) -> list[str]:
    """Names by which a server on ``host`` is asked for."""
    names = [host, f"[{host}]" if ":" in host else host]
    return (
        names
        if is_local(host)
        else [*names, socket.gethostname().casefold(), f"{socket.gethostname().casefold()}.local"]
    )


def _url(host: str, port: int, token: str | None) -> str:
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    name = f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def _has_desktop() -> bool:
    """Whether a browser would open in a window, and not take over the terminal."""
    if not sys.stdout.isatty():
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
