"""A real server on this machine, for streams and for games that outlive it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import uvicorn

from ludometer.web.acting import acting
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder
from ludometer.web.serving import _names, _reachable

T = TypeVar("T")


class Server:
    """A running server. ``client`` asks it; ``app`` is the application; ``address`` is where other devices find one
    that is for all of them."""

    def __init__(self, *places: Path | str, host: str = "127.0.0.1", **options: Any) -> None:
        self.runs = RunsFolder(places)
        bound = socket.socket()
        bound.bind((host, 0))
        if host != "127.0.0.1":
            self.address = f"http://{_reachable(host)}:{bound.getsockname()[1]}"
            options |= {"reach": f"{self.address}/", "hosts": _names(host)}
        self.app = create_app(self.runs, **options)
        self.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        config = uvicorn.Config(self.app, log_level="warning", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([bound],), daemon=True)
        self._thread.start()
        eventually(lambda: self._server.started)
        self.client = httpx.Client(base_url=self.url, timeout=90)

    @property
    def acting(self) -> Any:
        return acting(self.app)

    def stop(self) -> None:
        self.client.close()
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server does not end"


@contextlib.contextmanager
def serving(*places: Path | str, **options: Any) -> Iterator[Server]:
    server = Server(*places, **options)
    try:
        yield server
    finally:
        server.stop()


def eventually(what: Callable[[], T], seconds: float = 90) -> T:
    """What the function returns once that is true."""
    until = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.02)


class Events:
    """An event stream that is read in a thread. ``seen`` are (event, data as text, id)."""

    def __init__(self, server: Server, path: str, **options: Any) -> None:
        self.seen: list[tuple[str, str, str]] = []
        self.ended = False
        self._client = httpx.Client(base_url=server.url, timeout=None)
        self._context = self._client.stream("GET", path, **options)
        self._response = self._context.__enter__()
        assert self._response.status_code == 200, self._response.read()
        assert self._response.headers["content-type"].startswith("text/event-stream")
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        block: dict[str, str] = {}
        with contextlib.suppress(httpx.HTTPError, httpx.StreamError, OSError, ValueError):
            for line in self._response.iter_lines():
                if line:
                    key, _, value = line.partition(": ")
                    block[key] = value
                elif "event" in block:
                    self.seen.append((block["event"], block.get("data", ""), block.get("id", "")))
                    block = {}
                else:
                    block = {}
        self.ended = True

    def names(self) -> list[str]:
        return [event for event, _, _ in self.seen]

    def close(self) -> None:
        """Goes away as a browser does, in the middle of everything."""
        with contextlib.suppress(Exception):
            self._response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(Exception):
            self._client.close()
        self._thread.join(10)

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
