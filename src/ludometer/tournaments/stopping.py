"""``stop_when``: a run ends once its results say what it was to find out.

A rule sees the matches in the order of the schedule, so that what is decided, and after which match, follows from the
configuration and the results alone. For who is better, and who is the best, the decisions are those of
`ludometer.ratings.pair_tests`; they are wrong with a probability of at most 5%, however many matches have been looked
at, whichever pairs were played more often because of earlier results, and over all pairs and conditions together.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludometer.core import ConfigurationError
from ludometer.ratings import ResultRow, count_results, rate
from ludometer.ratings.pair_tests import ERROR, PairTest, Top, Verdict, decided_pairs, decided_top
from ludometer.ratings.sequential import points_of_score, side_level
from ludometer.store import MatchRow
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.deciding import Decided, decided_by
from ludometer.tournaments.pair_scores import Pair, PairScores, seat_at_fault
from ludometer.tournaments.seating import seats_of, sides
from ludometer.tournaments.sources import StoppingRule
from ludometer.tournaments.stop_rule import StopRule, parse_stop_rule

__all__ = ["PairRow", "check_stopping", "decision_departures", "decision_of", "pair_rows", "stopping_rule"]

_GROWTH = 1.05
"""An interval is looked at again after this many times as many matches: ratings are fitted anew each time."""

_NAMES = 5
"""Names that a sentence lists at most."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """What a run says of a pair at any moment.

    Attributes:
        condition: the factors of its matches.
        groups: duplicate groups of matches that count for the decision, and ``score``, the mean of ``one`` in them.
        verdict: who is better with the error of the whole run.
        points: the difference (``one`` minus ``other``) that the score stands for; ``low``, ``high``: its bounds. All
            bounds of the run hold at all times together with a probability of 95%; infinite where nothing is known.
    """

    condition: Mapping[str, Any]
    one: str
    other: str
    groups: int
    score: float | None
    points: float | None
    low: float
    high: float
    verdict: Verdict


def stopping_rule(config: RunConfig) -> StoppingRule | None:
    """The rule of a run; None where all of its schedule is wanted.

    Raises:
        ConfigurationError: as `check_stopping`.
    """
    if config.stop_when is None:
        return None
    check_stopping(config)
    rule = parse_stop_rule(config.stop_when)
    return _UntilNarrow(config, rule) if rule.kind == "interval" else _UntilDecided(config, rule)


def check_stopping(config: RunConfig) -> None:
    """Raises `ConfigurationError` where a schedule cannot decide what ``stop_when`` asks for."""
    if config.stop_when is None:
        return
    rule = parse_stop_rule(config.stop_when)
    where = f'stop_when = "{rule}"'
    schedule = config.schedule
    if len(config.players) < 2:
        raise ConfigurationError(f"{where} compares players; give two or more")
    for game in config.make_games():
        if seats_of(schedule, game) != 2:
            raise ConfigurationError(f"{where} is for games of two; {game.title} has more seats or fewer")
    if schedule.seating == "fixed":
        raise ConfigurationError(f'{where} needs players who change seats; remove schedule.seating = "fixed"')
    if schedule.kind == "gauntlet" and rule.kind == "top":
        raise ConfigurationError(f'{where} needs every pair to meet; in a gauntlet use "all pairs decided"')
    if str(schedule.kind) == "swiss" and rule.kind != "interval":
        raise ConfigurationError(f'{where} needs every pair to meet, often; in a Swiss schedule use "interval <= N"')


def decision_of(config: RunConfig, rows: Iterable[MatchRow]) -> Decided | None:
    """Whether the results of a run decide it, after which match, and why. A run without a rule is never decided."""
    rule = stopping_rule(config)
    return None if rule is None else decided_by(rule, rows)


def decision_departures(config: RunConfig, rows: Iterable[MatchRow], recorded: Mapping[str, Any] | None) -> list[str]:
    """How a recorded decision (``why``, ``matches``) differs from what the results say, as sentences."""
    if recorded is None:
        return []
    found = decision_of(config, rows)
    if found is None:
        return [f"the run is recorded as decided ({recorded.get('why')}), which its results do not say"]
    if (found.why, found.matches) != (recorded.get("why"), recorded.get("matches")):
        return [
            f"the run is recorded as decided after {recorded.get('matches')} matches ({recorded.get('why')}), "
            f"and is decided after {found.matches} ({found.why})"
        ]
    return []


def pair_rows(config: RunConfig, rows: Iterable[MatchRow]) -> list[PairRow]:
    """Every pair with its interval by the confidence sequence, from the matches in the order of the schedule up to the
    first open one."""
    tested = _Tests(config)
    for row in rows:
        if row.status != "finished" and not row.voids:
            break
        tested.see(row)
    verdicts = decided_pairs(tested.tests)
    level = side_level(ERROR, len(tested.tests), 0)
    return [_pair_row(pair, test, verdicts[pair], level) for pair, test in tested.tests.items()]


def _pair_row(pair: Pair, test: PairTest, verdict: Verdict, level: float) -> PairRow:
    low, high = test.points(level)
    score = sum(test.scores) / len(test.scores) if test.scores else None
    points = None if score is None else points_of_score(score)
    return PairRow(
        json.loads(pair.condition), pair.one, pair.other, len(test.scores), score, points, low, high, verdict
    )


# ------------------------------------------------------------------ who is better


class _Tests:
    """A test for every pair that the schedule lets meet, in every condition."""

    def __init__(self, config: RunConfig) -> None:
        self.names = sorted(_playing(config))
        self.conditions = [json.dumps(condition, sort_keys=True) for condition in config.conditions()]
        pool = _pool(config)
        self.tests = {
            Pair(condition, *pair): PairTest(config.stop_margin)
            for condition in self.conditions
            for pair in itertools.combinations(self.names, 2)
            if pool is None or len(pool.intersection(pair)) == 1
        }
        self._scores = _scores_of(config)

    def see(self, row: MatchRow) -> bool:
        """Takes in the next match; tells whether it made a difference."""
        found = [score for score in self._scores.see(row) if score.pair in self.tests]
        for score in found:
            self.tests[score.pair].add(score.value)
        return bool(found)


def _playing(config: RunConfig) -> set[str]:
    """Entrants that the schedule lets play: a gauntlet whose two sides are named leaves the others out."""
    names = [entrant.name for entrant in config.entrants()]
    return {name for side in sides(config.schedule, names) for name in side} if _is_gauntlet(config) else set(names)


def _pool(config: RunConfig) -> frozenset[str] | None:
    """The pool of a gauntlet, whose pairs have one side in it; None of any other schedule."""
    names = [entrant.name for entrant in config.entrants()]
    return frozenset(sides(config.schedule, names)[1]) if _is_gauntlet(config) else None


def _is_gauntlet(config: RunConfig) -> bool:
    return config.schedule.kind == "gauntlet"


class _UntilDecided:
    """Until the best is known, or the order of all pairs."""

    def __init__(self, config: RunConfig, rule: StopRule) -> None:
        self._margin = config.stop_margin
        self._tests = _Tests(config)
        self._decide = self._top if rule.kind == "top" else self._pairs

    def see(self, result: MatchRow) -> str | None:
        return self._decide() if self._tests.see(result) else None

    def _top(self) -> str | None:
        tests, tops = self._tests.tests, {}
        for condition in self._tests.conditions:
            board = {(pair.one, pair.other): test for pair, test in tests.items() if pair.condition == condition}
            top = decided_top(self._tests.names, board, len(self._tests.conditions))
            if top is None:
                return None
            tops[condition] = top
        said = [_labelled(condition, _top_sentence(top, self._margin)) for condition, top in tops.items()]
        return f"top-1 decided: {'; '.join(said)}"

    def _pairs(self) -> str | None:
        found = decided_pairs(self._tests.tests)
        if "open" in found.values():
            return None
        alike = [pair for pair, verdict in found.items() if verdict == "alike"]
        if len(found) == 1:
            (pair,) = found
            who = f"{pair.one} and {pair.other}"
            one, other = (pair.one, pair.other) if found[pair] == "first" else (pair.other, pair.one)
            said = f"{one} is better than {other}" if not alike else _alike(who, self._margin)
            return f"all pairs decided: {said}"
        told = f"all pairs decided: {len(found) - len(alike)} of {len(found)} told apart"
        if not alike:
            return told
        listed = _listed([_labelled(pair.condition, f"{pair.one} and {pair.other}", "in") for pair in alike])
        return f"{told}, and at most {self._margin:g} Elo between {listed}"


def _top_sentence(top: Top, margin: float) -> str:
    if not top.alike:
        others = "the other one" if len(top.beaten) == 1 else f"each of the {len(top.beaten)} others"
        return f"{top.name} is better than {others}"
    told = f"nobody is better than {top.name} by more than {margin:g} Elo"
    return f"{told}; not told apart from it: {_listed(top.alike)}"


def _alike(who: str, margin: float) -> str:
    return f"{who} are not told apart, the difference is at most {margin:g} Elo"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


def _labelled(condition: str, sentence: str, link: str = "with") -> str:
    """A sentence with the condition that it is about, where the run has several."""
    factors = json.loads(condition)
    if not factors:
        return sentence
    label = ", ".join(f"{k} = {v if isinstance(v, str) else json.dumps(v)}" for k, v in sorted(factors.items()))
    return f"{sentence} ({link} {label})" if link == "in" else f"{link} {label}, {sentence}"


# ---------------------------------------------------------------------- intervals


class _UntilNarrow:
    """Until the ratings of every condition are known well enough."""

    def __init__(self, config: RunConfig, rule: StopRule) -> None:
        assert rule.points is not None
        self._points = rule.points
        self._names = _playing(config)
        self._conditions = [json.dumps(condition, sort_keys=True) for condition in config.conditions()]
        self._scores = _scores_of(config)
        self._rows: dict[str, list[ResultRow]] = defaultdict(list)
        self._seen = 0
        self._next = 2 * len(self._names) * len(self._conditions)

    def see(self, result: MatchRow) -> str | None:
        for score in self._scores.see(result):
            self._rows[score.pair.condition] += map(_result_row, score.matches)
            self._seen += len(score.matches)
        if self._seen < self._next:
            return None
        self._next = int(self._seen * _GROWTH) + 1
        widest = max(map(self._widest, self._conditions))
        if widest > self._points:
            return None
        return f"interval <= {self._points:g}: the widest 95% interval is ± {widest:.1f} Elo"

    def _widest(self, condition: str) -> float:
        """The largest half-width of a rating's interval, as leaderboards show it; infinite while somebody has none."""
        try:
            games, counts = count_results(self._rows[condition])
            table = rate(games, counts=counts, ties="davidson")
        except ConfigurationError:
            return float("inf")
        if {row.name for row in table.rows} != self._names or len(table.components) > 1:
            return float("inf")
        return max((row.high - row.low) / 2.0 for row in table.rows)


def _result_row(row: MatchRow) -> Any:
    seats = list(row.seats)
    score = None if row.scores is None else row.scores[seats[0]]
    at_fault = seat_at_fault(row)
    offender = None if at_fault is None else seats.index(at_fault) + 1
    one, other = row.seats.values()
    return ResultRow(one, other, row.ending, score, offender, row.group, row.game)  # type: ignore[arg-type]


def _scores_of(config: RunConfig) -> PairScores:
    starts = ("fen",) if config.openings.fens else ()
    return PairScores(len(config.games), starts)
