"""Transactions that are begun again: a process may be stopped in the middle of one, and must keep nobody waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import sqlalchemy as sa

from ludometer.core import MachineError

__all__ = ["ConnectionLost", "Overslept", "repeated", "transaction"]

Made = TypeVar("Made")
_TRIES = 3


class ConnectionLost(MachineError):
    """The database ended the connection."""


class Overslept(ConnectionLost):
    """It did so before the transaction was to be committed: nothing of that was written."""


@contextmanager
def transaction(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction that is committed in the end. Raises `Overslept` where the connection is lost before."""
    with engine.connect() as connection:
        begun = connection.begin()
        try:
            yield connection
        except ConnectionLost as error:
            raise Overslept(str(error)) from None
        begun.commit()


def repeated(work: Callable[[], Made]) -> Made:
    """What work in a `transaction` makes. It is done again where this process was stopped in the middle of it for so
    long that the database ended it.

    Raises what the work raises; `Overslept` where it happens again and again.
    """
    for _ in range(_TRIES - 1):
        with suppress(Overslept):
            return work()
    return work()
