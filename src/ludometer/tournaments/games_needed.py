"""How many games a run needs for an interval that is wished for, from what was played of it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludometer.core import ConfigurationError
from ludometer.ratings import ResultRow, count_results, rate
from ludometer.store import MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.pair_scores import seat_at_fault
from ludometer.tournaments.prediction import Design, Precision, design_of, half_width

__all__ = ["GamesNeeded", "games_needed"]


@dataclass(frozen=True, slots=True)
class GamesNeeded:
    """How many matches the run would need for an interval.

    Attributes:
        half_width: what was wished for, in points: every rating known to that much, at 95%.
        matches: of the whole run. repeats: of the schedule, where it has any.
        as_scheduled: the half-width to expect from the schedule as it is.
        design: what this is from.
    """

    half_width: float
    matches: Precision
    repeats: Precision | None
    as_scheduled: Precision
    design: Design


def games_needed(config: RunConfig, rows: Sequence[MatchRow], half: float) -> tuple[GamesNeeded | None, str | None]:
    """How many matches the run needs, or None and the sentence that says why that is not known.

    Args:
        half: half-width of the 95% interval of every rating, in points.
    """
    if any(len(row.seats) != 2 for row in rows):
        return None, "how many games an interval takes is estimated for games of two only"
    conditions = {_written(row.condition) for row in rows}
    condition = _written(rows[0].condition)
    games: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        one, other = sorted(row.seats.values())
        if one != other and _written(row.condition) == condition:
            games[one, other] += 1
    if not games:
        return None, "no two entrants meet: no rating can be told from another"
    design, strengths = _from_results(rows, {name for pair in games for name in pair})
    expected = [
        half_width(strengths, games, draws, duplicates)
        for draws, duplicates in zip(design.draws, design.duplicates, strict=True)
    ]
    factors = [(width / half) ** 2 for width in expected]
    total = sum(games.values()) * len(conditions)
    matches = Precision(*(float(round(total * factor)) for factor in factors))
    fixed = not config.schedule.grows
    repeats = Precision(*(max(1.0, _up(config.schedule.repeats * factor)) for factor in factors)) if fixed else None
    return GamesNeeded(half, matches, repeats, Precision(*expected), design), None


def _up(value: float) -> float:
    return float(-(-value // 1))


def _from_results(rows: Sequence[MatchRow], names: set[str]) -> tuple[Design, dict[str, float]]:
    """Draws, duplicates and strengths, as far as results tell."""
    results, groups = [], defaultdict(list)
    for row in rows:
        if row.status != "finished" or len(set(row.seats.values())) != 2:
            continue
        seats = list(row.seats)
        at_fault = seat_at_fault(row)
        offender = None if at_fault is None else seats.index(at_fault) + 1
        score = None if row.scores is None else row.scores[seats[0]]
        one, other = row.seats.values()
        results.append(ResultRow(one, other, row.ending, score, offender, row.group, row.game))  # type: ignore[arg-type]
        if row.ending == "completed" and score is not None:
            key = (row.game, row.group, _written(row.condition), *sorted((one, other)))
            groups[key].append(score if one < other else 1.0 - score)
    strengths = dict.fromkeys(sorted(names), 1500.0)
    try:
        table = rate(count_results(results)[0], ties="davidson")
        strengths |= {row.name: row.rating for row in table.rows if row.name in names}
    except ConfigurationError:
        pass  # nothing between two entrants counts yet: they are taken for equals
    return design_of(list(groups.values())), strengths


def _written(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True)
