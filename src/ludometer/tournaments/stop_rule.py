"""What ``stop_when`` may say."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

__all__ = ["StopRule", "parse_stop_rule"]

_INTERVAL = re.compile(r"interval\s*<=\s*(\d+(?:\.\d+)?)")
_LEAST, _MOST = 1, 1000
"""Half-widths in points of Elo. To know ratings to a point takes a hundred thousand games of each entrant."""
_FORMS = '"top-1 decided", "all pairs decided" or "interval <= 30" (Elo)'


class StopRule(NamedTuple):
    """When a run has told what it was to tell.

    Attributes:
        kind: ``top``: somebody is the best, or nobody is told to be better by more than the margin; ``pairs``: of every
            pair it is known who is better, or that the difference is within the margin; ``interval``: all ratings are
            known to ``points``.
        points: the half-width of the 95% interval of every rating, in points of Elo; None for the other kinds.
    """

    kind: Literal["top", "pairs", "interval"]
    points: float | None = None

    def __str__(self) -> str:
        if self.points is not None:
            return f"interval <= {self.points:g}"
        return "top-1 decided" if self.kind == "top" else "all pairs decided"


def parse_stop_rule(text: str) -> StopRule:
    """A rule as it is written in a configuration. Raises `ValueError` with a sentence for anything else."""
    words = " ".join(text.split())
    if words == "top-1 decided":
        return StopRule("top")
    if words == "all pairs decided":
        return StopRule("pairs")
    found = _INTERVAL.fullmatch(words)
    if found is None:
        raise ValueError(f"{text!r} is no rule for stopping; write {_FORMS}")
    points = float(found[1])
    if not _LEAST <= points <= _MOST:
        raise ValueError(f"an interval of ± {found[1]} Elo tells nothing, or takes forever; write {_LEAST} to {_MOST}")
    return StopRule("interval", points)
