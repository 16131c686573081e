"""One thread that writes. It commits in groups: whatever arrived while the last group was being written."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.sql.dml import UpdateBase

from ludometer.core import InternalError, LudometerError, MachineError, Suspended
from ludometer.store.transactions import repeated, transaction

__all__ = ["Claim", "ClaimLost", "Held", "Write", "Writer", "explain"]

_GROUP = 500
"""Writes per commit at most, so that nobody waits long for a commit."""


class Claim(NamedTuple):
    """What a runner says when it writes about a match of a run that others work on too: that it is its own.

    Attributes:
        claim: the how many-th claim on this match it is.
    """

    match: str
    runner: str
    claim: int


class ClaimLost(Suspended):
    """Another runner has taken a match over. What was to be written about it has not been written."""


Held: TypeAlias = Callable[[sa.Connection, Collection[Claim]], set[Claim]]
"""Which claims hold, until the transaction ends."""


class Write(NamedTuple):
    """Rows for one statement."""

    statement: UpdateBase
    rows: Sequence[dict[str, Any]]


class _Order(NamedTuple):
    """Writes, the claim they are made under, and who waits for them: nobody, where ``loop`` and ``done`` are None."""

    writes: tuple[Write, ...]
    claim: Claim | None = None
    loop: asyncio.AbstractEventLoop | None = None
    done: asyncio.Future[None] | None = None


class Writer:
    """Writes from any event loop; a write is durable when its future resolves.

    After the first failure every further write fails too: a database that may lack a row must not get later ones.

    Args:
        held: tells which claims hold; needed where writes are made under claims.
    """

    def __init__(self, engine: Engine, held: Held | None = None) -> None:
        self._engine = engine
        self._held = held
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ludometer-writer", daemon=True)
        self._failure: LudometerError | None = None
        self._thread.start()

    async def write(self, *writes: Write, claim: Claim | None = None) -> None:
        """Returns once the rows are committed.

        Raises:
            ClaimLost: the claim does not hold; nothing was written.
            MachineError: they cannot be written.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._orders.put(_Order(writes, claim, loop, done))
        # Shielded: a cancelled task must not take back a write that others may build on.
        await asyncio.shield(done)

    def post(self, *writes: Write, claim: Claim | None = None) -> None:
        """Hands over rows without waiting: they are durable before any that are handed over later, or not written where
        the claim does not hold.

        Raises `MachineError` after an earlier failure; a failure of these rows shows at the next `write`.
        """
        if self._failure is not None:
            raise type(self._failure)(str(self._failure))
        self._orders.put(_Order(writes, claim))

    def close(self) -> None:
        """Writes what is waiting and ends the thread."""
        self._orders.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._orders.get()
            if first is None:
                return
            group = [first]
            last = False
            while len(group) < _GROUP and not self._orders.empty():
                order = self._orders.get()
                if order is None:
                    last = True
                    break
                group.append(order)
            self._commit(group)
            if last:
                return

    def _commit(self, group: list[_Order]) -> None:
        lost: set[Claim] = set()
        if self._failure is None:
            try:
                lost = repeated(lambda: self._written(group))
            except Exception as error:  # whatever it is, nobody may wait for ever for a thread that died of it
                self._failure = explain(error)
        by_loop: dict[asyncio.AbstractEventLoop, list[_Order]] = {}
        for order in group:
            if order.loop is not None:
                by_loop.setdefault(order.loop, []).append(order)
        for loop, orders in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, orders, self._failure, lost)

    def _written(self, group: list[_Order]) -> set[Claim]:
        """Writes a group in one transaction, and returns the claims that do not hold."""
        lost: set[Claim] = set()
        with transaction(self._engine) as connection:
            claims = {order.claim for order in group if order.claim is not None}
            if claims and self._held is not None:
                lost = claims - self._held(connection, claims)
            for statement, rows in _merged([order for order in group if order.claim not in lost]):
                connection.execute(statement, rows)
        return lost


def _merged(group: list[_Order]) -> list[tuple[UpdateBase, list[dict[str, Any]]]]:
    """Rows of the same statement together, in order, so that one ``executemany`` writes them.

    All are in one transaction and no statement needs the rows of another, so that the order of the statements is free.
    """
    merged: dict[int, tuple[UpdateBase, list[dict[str, Any]]]] = {}
    for order in group:
        for statement, rows in order.writes:
            merged.setdefault(id(statement), (statement, []))[1].extend(rows)
    for _, rows in merged.values():
        if rows and "hash" in rows[0]:
            # Contents are the rows that several writers may add at once: in one order, or they wait in a circle.
            rows.sort(key=lambda row: str(row["hash"]))
    return list(merged.values())


def _resolve(orders: list[_Order], failure: LudometerError | None, lost: set[Claim]) -> None:
    for order in orders:
        if order.done is None or order.done.done():
            continue
        if failure is not None:
            order.done.set_exception(type(failure)(str(failure)))
        elif order.claim in lost:
            order.done.set_exception(ClaimLost(f"another runner has taken over match {order.claim.match}"))
        else:
            order.done.set_result(None)


def explain(error: BaseException, where: str = "the run database") -> LudometerError:
    """A database error as a sentence for a person; SQL and parameters left out."""
    if isinstance(error, LudometerError):
        return error
    cause = (str(getattr(error, "orig", None) or error).strip() or type(error).__name__).splitlines()[0]
    # The exact types: their subclasses (a constraint, a statement) are mistakes of ours.
    if not isinstance(error, OSError) and type(error) not in _OF_THE_MACHINE:
        return InternalError(f"{where} refused what was to be written ({type(error).__name__}: {cause})")
    advice = next((advice for words, advice in _ADVICE if any(w in cause.casefold() for w in words)), _ADVICE_ELSE)
    return MachineError(f"{where} cannot be used ({cause}): {advice}. What was written before is safe.")


_OF_THE_MACHINE = (sa.exc.OperationalError, sa.exc.DatabaseError, sqlite3.OperationalError, sqlite3.DatabaseError)

_ADVICE = (
    (("no password supplied",), "give the password in the address, in PGPASSWORD or in a password file"),
    (("authentication failed", "does not exist"), "check the user, the password and the name of the database"),
    (("permission denied for",), "let the user of the address create schemas in the database, or write to this one"),
    (("connection", "server closed", "terminating", "timeout expired"), "check that the database can be reached"),
    (("full", "no space", "too large"), "the disk is full; free some space and resume"),
    (
        ("readonly", "read-only", "unable to open", "permission"),
        "the folder is not writable; make it writable or choose another one",
    ),
    (("locked",), "another program keeps it locked; close that program and resume"),
    (("malformed", "not a database", "no such table", "no such column"), "the file is damaged or no run database"),
)
_ADVICE_ELSE = "check the disk and resume"
