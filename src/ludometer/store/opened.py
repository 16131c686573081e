"""What opening a run gives, whatever database holds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from ludometer.core import LudometerError
from ludometer.store.transactions import ConnectionLost, Overslept
from ludometer.store.writer import explain

__all__ = ["Opened", "explained"]

_STOOD_STILL = "25P03"
"""PostgreSQL's code for a transaction that it ended since nothing came any more, not even the wish to commit."""


@dataclass(slots=True)
class Opened:
    """An open run.

    Attributes:
        writable: opened for writing.
        shared: several processes may write at the same time.
        lock: run at the beginning of every transaction that changes what is planned; it excludes all others.
        lent: the engine's connections are others' too, who close them.
        release: gives back what keeps others out, after the connections are closed.
    """

    engine: sa.Engine
    writable: bool
    shared: bool = False
    lent: bool = False
    lock: Callable[[sa.Connection], None] = lambda connection: None
    release: Callable[[], None] = lambda: None


def explained(engine: sa.Engine, where: str) -> sa.Engine:
    """The engine, whose every error is said as one sentence for a person."""

    @sa.event.listens_for(engine, "handle_error")
    def _say(context: sa.engine.ExceptionContext) -> None:
        error = context.sqlalchemy_exception or context.original_exception
        if isinstance(error, Exception) and not isinstance(error, LudometerError):
            said = explain(error, where)
            if getattr(context.original_exception, "sqlstate", None) == _STOOD_STILL:
                raise Overslept(str(said)) from None
            raise ConnectionLost(str(said)) if context.is_disconnect else said from None

    return engine
