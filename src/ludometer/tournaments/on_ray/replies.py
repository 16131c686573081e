"""Waiting for what a cluster answers, on one of its machines or through its client server."""

from __future__ import annotations

import asyncio
from typing import Any

from ludometer.models.redact import redact

__all__ = ["connection_errors", "reply", "what_lacks"]


def connection_errors() -> tuple[type[Exception], ...]:
    """What Ray raises where a worker, or the cluster, is gone or out of reach."""
    from ray.exceptions import RayError

    # Through a client server it is an error of the connection.
    return RayError, ConnectionError


def what_lacks(error: Exception) -> str | None:
    """What the processes of a cluster lack, where an error says that they cannot even begin."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    # Through a client server an error of an import comes as it is.
    if not isinstance(error, ImportError) and not getattr(error, "actor_init_failed", False):
        return None
    return f"{redact(lines[-1].strip())[:300]} (the same Ludometer and the same plug-ins must be installed there)"


async def reply(reference: Any) -> Any:
    """What a call to a cluster returns; what it raises is raised here.

    Where the caller is canceled the call is left alone: Ray's client cannot bear to see its futures canceled.
    """
    waiting = asyncio.ensure_future(_waited(reference))
    waiting.add_done_callback(_seen)
    return await asyncio.shield(waiting)


async def _waited(reference: Any) -> Any:
    return await reference


def _seen(waiting: asyncio.Task[Any]) -> None:
    """Takes note of an error that nobody waits for any more, which asyncio would complain about."""
    if not waiting.cancelled():
        waiting.exception()
