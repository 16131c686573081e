"""Claims: which runner has which open match of a run that several of them share.

A runner renews its lease as long as it lives. When it does not, whoever looks for work next frees what it had. Each
claim has a number, and every write about a match is made under it: a runner that was taken for dead and wakes up again
finds that its numbers are no longer those of the database, and writes nothing.
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from ludometer.core import LudometerError
from ludometer.store.transactions import repeated, transaction
from ludometer.store.writer import Claim

__all__ = ["LEASE", "Claim", "Claims", "Standing", "held", "lease_seconds"]

LEASE = 30.0
"""Seconds after which a runner that says nothing is taken to be dead."""


def lease_seconds() -> float:
    """`LEASE`, or what LUDOMETER_LEASE says instead."""
    return float(os.environ.get("LUDOMETER_LEASE") or LEASE)


_NOW = "extract(epoch FROM clock_timestamp())"

_JOIN = sa.text(f"""
    INSERT INTO runners (id, machine, process, joined, until) VALUES (:me, :machine, :process, {_NOW}, {_NOW} + :lease)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
""")
_RENEW = sa.text(f"UPDATE runners SET until = {_NOW} + :lease WHERE id = :me")
_DEAD = sa.text(f"SELECT id FROM runners WHERE until < {_NOW} OR id = ANY(:known) ORDER BY id FOR UPDATE SKIP LOCKED")
_NEIGHBOURS = sa.text("SELECT id, process FROM runners WHERE machine = :machine AND id <> :me")
# Rows are locked in the order of their matches by everyone, or not waited for: nobody can wait in a circle.
_FREE = sa.text("""
    WITH theirs AS (SELECT match FROM claims WHERE runner = ANY(:ids) ORDER BY match FOR UPDATE)
    UPDATE claims SET runner = NULL FROM theirs WHERE claims.match = theirs.match
""")
_FORGIVE = sa.text("""
    WITH theirs AS (SELECT match FROM claims WHERE position(:marks IN given_up) > 0 FOR UPDATE SKIP LOCKED)
    UPDATE claims SET given_up = replace(given_up, :marks, '') FROM theirs WHERE claims.match = theirs.match
""")
_REMOVE = sa.text("DELETE FROM runners WHERE id = ANY(:ids)")
_TAKE = sa.text("""
    WITH free AS (
        SELECT match FROM claims WHERE runner IS NULL AND position(:marks IN given_up) = 0
        ORDER BY number LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    UPDATE claims SET runner = :me, claim = claim + 1 FROM free WHERE claims.match = free.match
    RETURNING claims.number, claims.match, claims.claim
""")
_GIVE_BACK = sa.text("""
    UPDATE claims SET runner = NULL, given_up = given_up || :marks
    WHERE match = :match AND runner = :me AND claim = :claim
""")
_STANDING = sa.text("""
    SELECT count(*),
           count(*) FILTER (WHERE runner IS NULL AND position(:marks IN given_up) = 0),
           count(*) FILTER (WHERE runner <> :me)
    FROM claims
""")
_HELD = sa.text("""
    SELECT match, runner, claim FROM claims JOIN unnest(:matches, :runners, :numbers) AS mine (m, r, c)
        ON match = m AND runner = r AND claim = c
    ORDER BY match FOR UPDATE OF claims
""").bindparams(
    sa.bindparam("matches", type_=sa.ARRAY(sa.Text)),
    sa.bindparam("runners", type_=sa.ARRAY(sa.Text)),
    sa.bindparam("numbers", type_=sa.ARRAY(sa.BigInteger)),
)


class Standing(NamedTuple):
    """The open matches of a run, as one runner sees them.

    Attributes:
        open: all of them.
        free: it could take these now.
        elsewhere: other runners have these.
    """

    open: int
    free: int
    elsewhere: int


class Claims:
    """What one runner has claimed. Every method waits for the database; none touches the event loop.

    Args:
        lease: seconds after which this runner is taken to be dead when it says nothing.
    """

    def __init__(self, engine: sa.Engine, lease: float | None = None) -> None:
        self.runner = secrets.token_hex(8)
        self._engine = engine
        self._lease = lease or lease_seconds()
        self._machine = _machine()
        self._left = threading.Event()
        self._heart: threading.Thread | None = None

    def join(self) -> None:
        """Makes this runner known, and keeps it so until it leaves or dies."""
        with self._engine.begin() as connection:
            self._enter(connection)
        self._heart = threading.Thread(target=self._beat, name="ludometer-lease", daemon=True)
        self._heart.start()

    def leave(self) -> None:
        """Frees everything that this runner has."""
        self._left.set()
        if self._heart is None:
            return
        self._heart.join()
        self._heart = None
        with suppress(LudometerError), self._engine.begin() as connection:  # they come free with the lease, too
            _bury(connection, [self.runner])

    def take(self, limit: int) -> list[Claim]:
        """Claims up to ``limit`` free matches, the first ones of the schedule, and frees those of the dead before."""
        rows = repeated(lambda: self._taken(limit))
        return [Claim(match, self.runner, claim) for _, match, claim in sorted(rows)]

    def _taken(self, limit: int) -> list[tuple[int, str, int]]:
        with transaction(self._engine) as connection:
            _bury(connection, self._dead(connection))
            given = {"me": self.runner, "marks": self._marks, "limit": limit}
            return [tuple(row) for row in connection.execute(_TAKE, given)]

    def give_back(self, claim: Claim) -> None:
        """Lets other runners have a match that this one cannot play now; it is not offered to this one again."""
        repeated(lambda: self._given_back(claim))

    def _given_back(self, claim: Claim) -> None:
        with transaction(self._engine) as connection:
            given = {"match": claim.match, "me": claim.runner, "claim": claim.claim, "marks": self._marks}
            connection.execute(_GIVE_BACK, given)

    def standing(self) -> Standing:
        with self._engine.connect() as connection:
            return Standing(*connection.execute(_STANDING, {"me": self.runner, "marks": self._marks}).one())

    @property
    def _marks(self) -> str:
        return f"{self.runner} "

    def _enter(self, connection: sa.Connection) -> None:
        given = {"me": self.runner, "machine": self._machine, "process": os.getpid(), "lease": self._lease}
        connection.execute(_JOIN, given)

    def _beat(self) -> None:
        while not self._left.wait(self._lease / 4):
            # A database that cannot be reached now may be so later; if not, the runner finds out when it writes.
            with suppress(LudometerError), self._engine.begin() as connection:
                renewed = connection.execute(_RENEW, {"me": self.runner, "lease": self._lease}).rowcount
                if not renewed:  # taken for dead: what it had is no longer its own, and it begins anew
                    self._enter(connection)

    def _dead(self, connection: sa.Connection) -> list[str]:
        """Runners whose lease has run out, and those of this machine whose process is gone."""
        gone = []
        if self._machine:
            neighbours = connection.execute(_NEIGHBOURS, {"machine": self._machine, "me": self.runner}).all()
            gone = [runner for runner, process in neighbours if not _lives(process)]
        return list(connection.execute(_DEAD, {"known": gone}).scalars())


def held(connection: sa.Connection, claims: Collection[Claim]) -> set[Claim]:
    """Those of the claims that still hold. They hold until the transaction ends."""
    matches, runners, numbers = zip(*claims, strict=True)
    given = {"matches": list(matches), "runners": list(runners), "numbers": list(numbers)}
    return {Claim(*row) for row in connection.execute(_HELD, given)}


def _bury(connection: sa.Connection, ids: list[str]) -> None:
    if ids:
        connection.execute(_FREE, {"ids": ids})
        for runner in ids:
            connection.execute(_FORGIVE, {"marks": f"{runner} "})
        connection.execute(_REMOVE, {"ids": ids})


def _machine() -> str:
    """What tells apart machines, and containers that count their processes each for themselves; empty: not known."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{platform.node()} {boot} {Path('/proc/self/ns/pid').readlink()}"
    return ""


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another user's
    return True
