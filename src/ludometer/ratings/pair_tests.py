"""Who is better in every pair, and who is the best: decisions that hold however often one looks.

Each pair has four e-processes (`ludometer.ratings.sequential`): that the one is better than the other, that it is not
worse by more than a margin, and both the other way round. They are the four values of a confidence sequence that matter
for a decision, so that a pair has one way per side to be wrong, whatever is said of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.sequential import (
    EProcess,
    bounds,
    points_of_score,
    score_of_points,
    side_level,
    top_level,
)

__all__ = ["ERROR", "PairTest", "Top", "Verdict", "decided_pairs", "decided_top"]

ERROR: Final = 0.05
"""The probability that a decision holds anything wrong, over all its pairs and all times."""

Key = TypeVar("Key", bound=Hashable)

Verdict = Literal["first", "second", "alike", "open"]
"""Who of two is better; ``alike``: the difference is within the margin; ``open``: not told yet."""


class PairTest:
    """What the scores of a pair say so far.

    Args:
        margin: points; a difference within it need not be told.

    Attributes:
        scores: of the first of the two, in [0, 1].
    """

    def __init__(self, margin: float) -> None:
        if not margin > 0:
            raise ConfigurationError("A margin within which entrants count as alike must be above 0 Elo.")
        self.scores: list[float] = []
        near = 1.0 - score_of_points(margin)
        self._sides = tuple((EProcess(0.5), EProcess(near)) for _ in range(2))

    def add(self, score: float) -> None:
        """Takes in the next score. Raises `ConfigurationError` for one outside 0 to 1."""
        for side, value in zip(self._sides, (score, 1.0 - score), strict=True):
            for process in side:
                process.add(value)
        self.scores.append(score)

    def verdict(self, level: float) -> Verdict:
        """What is known with ``level`` of error on each side."""
        (better, not_worse), (worse, not_better) = self._sides
        if better.rejected(level) or worse.rejected(level):
            return "first" if better.log_peak >= worse.log_peak else "second"
        return "alike" if not_worse.rejected(level) and not_better.rejected(level) else "open"

    def points(self, level: float) -> tuple[float, float]:
        """The difference in points between its bounds, with ``level`` of error on each side."""
        found = bounds(self.scores, 2.0 * level)
        return points_of_score(found.low), points_of_score(found.high)


def decided_pairs(tests: Mapping[Key, PairTest], error: float = ERROR) -> dict[Key, Verdict]:
    """The verdicts on all pairs of all boards, any of which is wrong with probability ``error`` at most.

    Holm's procedure: every direction that is told makes the test of the others a little less strict.
    """
    verdicts: dict[Key, Verdict] = dict.fromkeys(tests, "open")
    directed = -1
    while (found := sum(verdict in ("first", "second") for verdict in verdicts.values())) > directed:
        directed = found
        level = side_level(error, len(tests), directed)
        verdicts = {pair: test.verdict(level) for pair, test in tests.items()}
    return verdicts


@dataclass(frozen=True, slots=True)
class Top:
    """Who is at the top of a board.

    Attributes:
        name: nobody is better by more than the margin.
        beaten: those it is better than. alike: those of whom that is not told, and who are within the margin.
    """

    name: str
    beaten: tuple[str, ...]
    alike: tuple[str, ...]


def decided_top(
    names: Sequence[str], tests: Mapping[tuple[str, str], PairTest], boards: int = 1, error: float = ERROR
) -> Top | None:
    """The top of a board, wrong with probability ``error`` at most over all boards; None while it is open.

    Args:
        names: of all entrants. tests: by pair; each of two names once, in any order.
    """
    level = top_level(error, len(names), boards)
    found = []
    for name in names:
        seen = {other: _seen_by(name, other, tests, level) for other in names if other != name}
        if all(verdict in ("first", "alike") for verdict in seen.values()):
            beaten = tuple(other for other, verdict in seen.items() if verdict == "first")
            found.append(Top(name, beaten, tuple(other for other in seen if other not in beaten)))
    return max(found, key=lambda top: len(top.beaten), default=None)


def _seen_by(name: str, other: str, tests: Mapping[tuple[str, str], PairTest], level: float) -> Verdict:
    if (name, other) in tests:
        return tests[name, other].verdict(level)
    if (other, name) not in tests:
        return "open"
    turned: dict[Verdict, Verdict] = {"first": "second", "second": "first", "alike": "alike", "open": "open"}
    return turned[tests[other, name].verdict(level)]
