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
from ludometer.store.address import Database
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


def named_runs(paths: Sequence[Address | Database]) -> RunsFolder:
    """The runs of a command line: runs in folders or databases, folders of runs, or databases with all their runs;
    ``runs`` where nothing is named.

    Raises:
        ConfigurationError: a path that is none of them, or the driver of databases is missing.
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
    taken = bound.getsockname()[1]
    url = f"http://{_reachable(host)}:{taken}/"
    served = Served(url + (f"?token={token}" if token else ""), token, taken)
    app = create_app(runs, token=token, hosts=_names(host), reach=None if is_local(host) else url)
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


def _reachable(host: str) -> str:
    """By what a server on ``host`` is reached, as part of an address: one for all addresses by that of this machine,
    which other devices find without knowing its name."""
    shown = (_own_address() or socket.gethostname()) if host in ("0.0.0.0", "::") else host
    return f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown


def _own_address() -> str | None:
    """This machine's address in the network where it reaches others; None where it reaches none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("203.0.113.1", 9))  # nothing is sent: the system only chooses the way
        found = str(asked.getsockname()[0])
        return None if found in ("0.0.0.0", "127.0.0.1") else found
    return None


def _has_desktop() -> bool:
    """Whether a browser would open in a window, and not take over the terminal."""
    if not sys.stdout.isatty():
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
