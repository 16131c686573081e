"""A run as it is played, read from its database: whatever process plays it, its matches are followed move by move."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from ludometer.core import LudometerError
from ludometer.matches import Match
from ludometer.store import MatchRow, schema
from ludometer.store.replay import new_match, recorded_decision
from ludometer.tournaments import RunConfig, load_config
from ludometer.web.attempt_shapes import attempt_shapes
from ludometer.web.runs import OpenRun
from ludometer.web.seats import seats_of
from ludometer.web.shapes import AttemptShape, LiveMatch
from ludometer.web.showing import live_match

__all__ = ["Follower", "News"]

_AT_PLAY, _FINISHED = 12, 8
"""Boards on the wall: matches at play, and the latest finished ones."""
_LOOKED_BACK = 4000
"""Latest attempts in which matches at play are looked for: far more than a run has matches at once."""
_BATCH = 400
"""Attempts that are told one by one; where more arrive at once, only the boards are."""

_LAG = 3_000_000
"""Microseconds in which rows of several runners of one database may appear after later ones."""

Place = tuple[str, int, str, int]
"""Match, step, seat, attempt."""


class News(NamedTuple):
    """What happened since the last look.

    Attributes:
        cursor: of the latest attempt; an event's id, good for any later process too.
        attempts: cursor, match, step and attempt; only of matches on the wall.
        matches: boards that changed.
        changed: whether anything was written at all.
    """

    cursor: int
    attempts: Sequence[tuple[int, str, int, AttemptShape]]
    matches: Sequence[LiveMatch]
    changed: bool


class _Followed:
    """A match that is brought on, attempt by attempt."""

    def __init__(self, row: MatchRow, match: Match | None) -> None:
        self.row = row
        self.match = match  # None where the game, as it is installed now, does not take the log
        self.seen = 0
        self.last: Mapping[str, Any] | None = None

    def advance(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            if row["ordinal"] < self.seen:
                continue
            self.seen = row["ordinal"] + 1
            self.last = row
            if self.match is None:
                continue
            try:
                self.match.resubmit(row["seat"], recorded_decision(self.match, row, ()))
            except (LudometerError, KeyError, ValueError):
                self.match = None


class Follower:
    """Follows one run. All its calls block; they may come from any thread.

    Args:
        opened: the run as other requests read it: who is at play in it, and who its officials are.

    A cursor tells how far the attempts were read: their number in the order of writing; in a database that several
    runners share, when they were made, in microseconds.

    Raises `ConfigurationError` and `MachineError` as `RunStore.open` does.
    """

    def __init__(self, opened: Callable[[], OpenRun]) -> None:
        self._opened = opened
        self._lock = threading.Lock()
        self.public_only = False
        self._take(opened())

    def _take(self, run: OpenRun) -> None:
        """Begins anew: the run was not followed before, or another one is in its place now."""
        self._run = run
        self._store = run.store
        try:
            self._config: RunConfig | None = load_config(self._store.config)
        except LudometerError:
            self._config = None
        shared = self._store.engine.dialect.name != "sqlite"
        self._lag = _LAG if shared else 0
        made: sa.ColumnElement[int] = sa.cast(schema.attempts.c.at * 1_000_000, sa.BigInteger)
        written: sa.ColumnElement[int] = sa.literal_column("attempts.rowid", sa.Integer)
        self._place = made if shared else written
        self._recent: dict[Place, int] = {}
        self._version: Hashable = None
        self._cursor = 0
        self._begun = False
        self._wall: OrderedDict[str, _Followed] = OrderedDict()

    @property
    def cursor(self) -> int:
        return self._cursor

    def news(self) -> News:
        """Looks what was written since the last call. The first one gathers the wall."""
        with self._lock:
            run = self._opened()
            if run is not self._run:
                self._take(run)
            version = run.version
            if self._begun and version == self._version:
                return News(self._cursor, (), (), False)
            self._version = version
            self.public_only = run.public_only
            if not self._begun:
                self._begin()
                return News(self._cursor, (), self._boards(self._wall), True)
            return self._read_on()

    def wall(self) -> list[LiveMatch]:
        """The boards: matches at play first, then the latest finished ones."""
        with self._lock:
            boards = self._boards(self._wall)
        return [b for b in boards if not b.finished] + [b for b in reversed(boards) if b.finished]

    def missed(self, after: int) -> list[tuple[int, str, int, AttemptShape]]:
        """Attempts after a cursor, oldest first; the latest ones where they are many."""
        with self._lock:
            rows = self._attempts_after(after, newest=True)
            return self._told(rows)

    # ------------------------------------------------------------------ reading

    def _begin(self) -> None:
        self._begun = True
        a = schema.attempts.c
        order = self._place.desc()
        latest = sa.select(a.match, self._place.label("place")).order_by(order).limit(_LOOKED_BACK).subquery()
        query = sa.select(latest.c.match, sa.func.max(latest.c.place)).group_by(latest.c.match)
        with self._store.engine.connect() as connection:
            found = sorted(connection.execute(query.order_by(sa.func.max(latest.c.place))).all(), key=lambda r: r[1])
        self._cursor = found[-1][1] if found else 0
        rows = {row.id: row for row in self._rows([match for match, _ in found])}
        finished = [m for m, _ in found if m in rows and rows[m].status == "finished"][-_FINISHED:]
        playing = [m for m, _ in found if m in rows and rows[m].status != "finished"][-_AT_PLAY:]
        for match_id in (*finished, *playing):
            self._follow(rows[match_id])
        if self._lag:
            self._unseen(self._attempts_after(self._cursor - self._lag))

    def _read_on(self) -> News:
        rows = self._unseen(self._attempts_after(self._cursor - self._lag))
        touched = list(dict.fromkeys(row["match"] for row in rows))
        if rows:
            self._cursor = max(self._cursor, rows[-1]["place"])
        # A match that was at play may have been finished without a further attempt.
        open_ones = [key for key, one in self._wall.items() if one.row.status != "finished"]
        changed = []
        by_match: dict[str, list[Mapping[str, Any]]] = {}
        for attempt in rows:
            by_match.setdefault(attempt["match"], []).append(attempt)
        for row in self._rows(list(dict.fromkeys([*open_ones, *touched]))):
            if self._bring_on(row, by_match.get(row.id, [])):
                changed.append(row.id)
        told = self._told([row for row in rows if row["match"] in self._wall][-_BATCH:])
        self._make_room()
        return News(self._cursor, told, self._boards(key for key in changed if key in self._wall), True)

    def _bring_on(self, row: MatchRow, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Whether the match is on the wall and something of it changed."""
        known = self._wall.get(row.id)
        if known is None:
            playing = sum(one.row.status != "finished" for one in self._wall.values())
            if row.status != "finished" and playing >= _AT_PLAY:
                return False
            self._follow(row)
            return True
        before, known.row = known.row, row
        known.advance(rows)
        if row.status == "finished":
            self._wall.move_to_end(row.id)
        return bool(rows) or before.status != row.status

    def _make_room(self) -> None:
        finished = [key for key, one in self._wall.items() if one.row.status == "finished"]
        for key in finished[:-_FINISHED]:
            del self._wall[key]

    def _follow(self, row: MatchRow) -> None:
        match = None
        if self._config is not None:
            try:
                match = new_match(row, self._config.policy_of(row.condition, row.game, row.options))
            except LudometerError:
                match = None
        followed = _Followed(row, match)
        followed.advance(self._store.rows(schema.attempts, row.id))
        self._wall[row.id] = followed

    def _rows(self, ids: Sequence[str]) -> list[MatchRow]:
        found = (self._store.match(match_id) for match_id in ids)
        return [row for row in found if row is not None]

    def _attempts_after(self, cursor: int, *, newest: bool = False) -> list[dict[str, Any]]:
        place = self._place
        query = sa.select(schema.attempts, place.label("place")).where(place > cursor)
        query = query.order_by(place.desc()).limit(_BATCH) if newest else query.order_by(place)
        with self._store.engine.connect() as connection:
            rows = [dict(row) for row in connection.execute(query).mappings()]
        return rows[::-1] if newest else rows

    def _unseen(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows that were not read before: where some may come late, the latest ones are read again each time."""
        if not self._lag:
            return rows
        new = []
        for row in rows:
            key = (row["match"], row["step"], row["seat"], row["attempt"])
            if key not in self._recent:
                new.append(row)
                self._recent[key] = row["place"]
        oldest = self._cursor - self._lag
        self._recent = {key: place for key, place in self._recent.items() if place > oldest}
        return new

    # ------------------------------------------------------------------ showing

    def _told(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[int, str, int, AttemptShape]]:
        shapes = self._shapes(rows)
        return [(row["place"], row["match"], row["step"], s) for row, s in zip(rows, shapes, strict=True)]

    def _boards(self, keys: Iterable[str]) -> list[LiveMatch]:
        boards = []
        for key in list(keys):
            one = self._wall[key]
            shapes = self._shapes([one.last] if one.last else [])
            seats = seats_of(self._run, one.row)
            boards.append(live_match(one.row, one.match, seats, shapes[0] if shapes else None, self.public_only))
        return boards

    def _shapes(self, rows: Sequence[Mapping[str, Any]]) -> list[AttemptShape]:
        return attempt_shapes(self._store, rows, hidden=self.public_only, open_move=self._open_move)

    def _open_move(self, row: Mapping[str, Any]) -> bool:
        """Whether a move is known to everybody: what some have decided and others have not is nobody's to know."""
        one = self._wall.get(row["match"])
        return (
            one is not None
            and one.match is not None
            and one.match.game.perfect_information
            and (row["step"] < one.match.step or one.match.ending is not None)
        )
