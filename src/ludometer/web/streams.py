"""Server-sent events: heartbeats, and the end of a stream when whoever listens is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ludometer.web.live import Happening

__all__ = ["EVENTS", "HEARTBEAT", "cursor_of", "stream"]

HEARTBEAT = 15.0
"""Seconds without any event after which a ``ping`` is sent: proxies close what is silent, and pages notice a loss."""
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "server-sent events", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
"""The answer of such a route, for the description of the API."""
_AGAIN = 1500
"""Milliseconds after which a page that lost its stream comes again."""


def stream(next_one: Callable[[float], Awaitable[Happening | None]], leave: Callable[[], None]) -> Response:
    """The response that sends what ``next_one(seconds)`` gives.

    Args:
        next_one: waits for the next event; None ends the stream, `TimeoutError` makes a heartbeat.
        leave: called once when the stream ends, however it ends.
    """
    return _Stream(_chunks(next_one), leave)


async def _chunks(next_one: Callable[[float], Awaitable[Happening | None]]) -> AsyncIterator[bytes]:
    last = "0"
    yield format_sse_event(retry=_AGAIN, comment="open")
    while True:
        try:
            happening = await next_one(HEARTBEAT)
        except TimeoutError:
            happening = Happening("ping", "{}", last)
        if happening is None:
            return
        last = happening.id
        yield format_sse_event(event=happening.event, data_str=happening.data, id=happening.id)


class _Stream(EventSourceResponse):
    """The response whose end is told, also when it was never sent."""

    def __init__(self, chunks: AsyncIterator[bytes], leave: Callable[[], None]) -> None:
        super().__init__(chunks, headers={"X-Accel-Buffering": "no"})
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


def cursor_of(last_event_id: str | None) -> int | None:
    """The cursor that a page came back with; None for a new page, or for anything that is no id of ours."""
    if last_event_id is None or not last_event_id.isascii() or not last_event_id.isdigit() or len(last_event_id) > 18:
        return None
    return int(last_event_id)
