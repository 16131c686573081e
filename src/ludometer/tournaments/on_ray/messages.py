"""What the runner and a worker of the cluster say to each other. Plain values; none of them ever holds a key."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ludometer.core import Attempt, CallKey, Completion, Json, Request
from ludometer.store import MatchRow
from ludometer.store.replay import MatchLog
from ludometer.tournaments.executor import Played

__all__ = ["Abandoned", "Answered", "Asked", "Attempted", "Done", "Event", "Order", "PlayMatch", "Reply"]


class PlayMatch(NamedTuple):
    """To a worker: bring a match to its end. ``log`` is None where nothing is recorded of it yet."""

    row: MatchRow
    log: MatchLog | None


class Reply(NamedTuple):
    """To a worker that asked about a call: go on.

    Attributes:
        completion: what is recorded, now or since an earlier session; None: the call is to be made.
        error: what the journal raised instead.
    """

    call: int
    completion: Completion | None = None
    error: BaseException | None = None


class Asked(NamedTuple):
    """From a worker: a call is about to be made. ``call`` is its number there."""

    call: int
    key: CallKey
    request: Request
    fingerprint: str


class Answered(NamedTuple):
    """From a worker: how a call went."""

    call: int
    completion: Completion | None = None
    error: BaseException | None = None


class Abandoned(NamedTuple):
    """From a worker: nobody waits for a call any more, since a deadline passed."""

    call: int


class Attempted(NamedTuple):
    """From a worker: an attempt was judged. It comes without its action and its exchanges, which are given apart."""

    match: str
    attempt: Attempt
    notation: str | None
    action: Json


class Done(NamedTuple):
    """From a worker: how far a match came."""

    match: str
    played: Played | None
    error: BaseException | None = None


Order: TypeAlias = PlayMatch | Reply
Event: TypeAlias = Asked | Answered | Abandoned | Attempted | Done
