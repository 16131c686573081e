"""How far a run is: a value that displays read, and the summary that is left at the end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ludometer.store import Totals

__all__ = ["Progress", "RunSummary"]


@dataclass(slots=True)
class Progress:
    """Counts of a session at play. Written by the runner, read by displays at any time.

    Attributes:
        total: matches of the run.
        before: matches finished before this session.
        finished, void: matches of this session, by how they came out; running: at play now.
    """

    total: int = 0
    before: int = 0
    finished: int = 0
    void: int = 0
    running: int = 0
    totals: Totals = field(default_factory=Totals)
    started: float = field(default_factory=time.monotonic)
    notes: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.before + self.finished

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def calls_per_second(self) -> float:
        return self.totals.calls / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None before the first match is finished."""
        if not self.finished:
            return None
        return (self.total - self.done) * self.seconds / self.finished


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a session left.

    Attributes:
        total, finished, void: matches of the run, by status. Void ones are taken up again on resume, unless the run is
            decided: then they stay what they are.
        stopped: why the session ended before the schedule did, one sentence; None when it is complete.
        notes: what went wrong on the way, one sentence each.
        totals: what this session asked and used.
        decided: why no further match is needed, one sentence, where a stopping rule said so.
    """

    total: int
    finished: int
    void: int
    stopped: str | None
    notes: tuple[str, ...]
    totals: Totals
    seconds: float
    decided: str | None = None

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to do."""
        return self.finished == self.total or self.decided is not None

    @property
    def not_needed(self) -> int:
        """Matches of the schedule that need not be played, since the run is decided; void ones are counted apart."""
        return 0 if self.decided is None else self.total - self.finished - self.void

    @property
    def open(self) -> int:
        """Matches that a resume would play."""
        return 0 if self.decided is not None else self.total - self.finished
