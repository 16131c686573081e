"""How a match ended. The four kinds are kept apart in every table."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import Seat

__all__ = ["Ending", "EndingKind"]

EndingKind: TypeAlias = Literal["completed", "forfeit", "canceled", "void"]


class Ending(NamedTuple):
    """
    Attributes:
        kind: ``completed`` (by the rules, or resigned), ``forfeit`` (a seat ran out of attempts or time),
            ``canceled`` (stopped by the policy), or ``void`` (provider, sandbox or an official failed: never scored,
            taken up again).
        why: what ended it, in a few words; always present.
        offender: the seat at fault: who forfeited; in a canceled match, who made more bad attempts, None if equal or
            unknown; in a void match, whose provider failed.
    """

    kind: EndingKind
    why: str
    offender: Seat | None = None
