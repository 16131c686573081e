"""Schedules that grow: the next batch of matches as a pure function of the configuration and of the results so far.

The unit is the *meeting*: two entrants play every game of the run once, from the next of its openings, with the same
luck in both orders of the seats and under every condition. Meetings are planned and finished whole.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ludometer.core import AnyGame, Chance, ConfigurationError
from ludometer.ratings import Games
from ludometer.ratings.allocation import pair_numbers
from ludometer.store import MatchPlan, MatchRow
from ludometer.tournaments.adaptive import batch_size, next_meetings
from ludometer.tournaments.config import RunConfig, StageConfig
from ludometer.tournaments.openings import Opening, openings
from ludometer.tournaments.pair_scores import seat_at_fault
from ludometer.tournaments.plans import match_plan
from ludometer.tournaments.seating import Table, seats_of
from ludometer.tournaments.swiss import Standing, next_round

__all__ = ["GrowingSchedule", "headline_score"]


class _Meeting(NamedTuple):
    """A meeting that was played: the entrants' numbers in the seats of its first match, and its rows."""

    one: int
    other: int
    rows: Sequence[MatchRow]


class GrowingSchedule:
    """Plans a Swiss or an adaptive schedule, a batch at a time.

    Args:
        config: of the run.

    Attributes:
        expected: matches in all, as far as it can be said.
        per_meeting: matches of a meeting.
        rounds: of a Swiss tournament; None of an adaptive schedule.

    Raises:
        ConfigurationError: the schedule cannot be made of these games, players and numbers.
    """

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._names = [entrant.name for entrant in config.entrants()]
        self._number = {name: number for number, name in enumerate(self._names)}
        self._games = [(game, _openings(config, game)) for game in config.make_games()]
        self._conditions = config.conditions()
        seatings = 1 if config.schedule.seating == "balanced" else 2
        self.per_meeting = len(self._games) * len(self._conditions) * seatings
        self._stages = [*config.schedule.stages, self._last_stage()]
        self.rounds = self._stages[-1].rounds
        self.expected = self._expected()

    def plan(self, results: Sequence[MatchRow]) -> list[MatchPlan]:
        """The next batch; empty where the schedule is complete.

        Args:
            results: all matches planned so far, in schedule order, every one finished.
        """
        meetings = list(self._meetings(results))
        stage = next((stage for stage in self._stages[:-1] if len(results) < stage.matches), self._stages[-1])
        next_pairs = self._swiss if self._config.schedule.kind == "swiss" else self._adaptive
        return self._matches(next_pairs(stage, meetings), meetings)

    def planned_rounds(self, matches: int) -> int:
        """How many rounds of a Swiss tournament its first matches are."""
        return sum(1 for _ in self._rounds(matches // self.per_meeting))

    # ------------------------------------------------------------------ adaptive

    def _adaptive(self, stage: StageConfig, meetings: Sequence[_Meeting]) -> list[tuple[int, int]]:
        room = (stage.games or 0) // self.per_meeting - len(meetings)
        if room <= 0:
            return []
        one, other = pair_numbers(stage.players)
        times = Counter(frozenset((m.one, m.other)) for m in meetings)
        pairs = list(zip(one.tolist(), other.tolist(), strict=True))
        count = batch_size(len(meetings), stage.players)
        if stage.batch is not None:
            count = max(1, stage.batch // self.per_meeting)
        often = next_meetings(
            self._results(meetings, stage.players),
            np.array([times[frozenset(pair)] for pair in pairs], np.int64),
            min(count, room),
            first=stage.repeats,
            per_meeting=self.per_meeting,
            chance=Chance.from_seed(self._config.seed).named("adaptive", len(meetings)),
        )
        # A round of meetings at a time, so that a batch that is cut short is balanced too.
        return [pair for turn in range(int(often.max())) for pair, n in zip(pairs, often, strict=True) if n > turn]

    def _results(self, meetings: Sequence[_Meeting], players: int) -> Games:
        """What counts of the meetings, for the fit that decides on the next ones."""
        found = []
        per_game = self.per_meeting // len(self._games)
        for meeting in meetings:
            for place, row in enumerate(meeting.rows):
                score = headline_score(row)
                if score is not None:
                    first, second = (self._number[name] for name in row.seats.values())
                    found.append((first, second, score, place // per_game))
        columns: list[Any] = list(zip(*found, strict=True)) if found else [()] * 4
        titles = [str(number) for number in range(len(self._games))]
        return Games.from_arrays(self._names[:players], *columns[:3], titles=titles, game=columns[3])

    # --------------------------------------------------------------------- Swiss

    def _swiss(self, stage: StageConfig, meetings: Sequence[_Meeting]) -> list[tuple[int, int]]:
        table = _Crosstable([Chance.from_seed(self._config.seed).named("lot", name).key for name in self._names])
        for players, played in self._rounds(len(meetings)):
            table.add(players, meetings[played])
        if table.rounds >= (stage.rounds or 0):
            return []
        found = next_round(table.standings(stage.players), table.met, table.rounds)
        both = [pair if turn % 2 == 0 else pair[::-1] for turn in range(stage.repeats) for pair in found.pairs]
        return both if self._config.schedule.seating == "balanced" else [*found.pairs] * stage.repeats

    def _rounds(self, meetings: int) -> Iterator[tuple[int, slice]]:
        """The rounds that so many meetings are: how many entrants there were, and which meetings."""
        done = 0
        for stage in self._stages:
            last = stage is self._stages[-1]
            size = stage.players // 2 * stage.repeats
            while done < meetings and (last or done * self.per_meeting < stage.matches):
                yield stage.players, slice(done, done + size)
                done += size

    # ------------------------------------------------------------------- matches

    def _meetings(self, results: Sequence[MatchRow]) -> Iterator[_Meeting]:
        for start in range(0, len(results), self.per_meeting):
            rows = results[start : start + self.per_meeting]
            one, other = (self._number[name] for name in rows[0].seats.values())
            yield _Meeting(one, other, rows)

    def _matches(self, pairs: Sequence[tuple[int, int]], meetings: Sequence[_Meeting]) -> list[MatchPlan]:
        times = Counter(frozenset((m.one, m.other)) for m in meetings)
        plans: list[MatchPlan] = []
        for pair in pairs:
            ordinal = times[frozenset(pair)]
            times[frozenset(pair)] += 1
            plans += self._meeting(pair, ordinal)
        return plans

    def _meeting(self, pair: tuple[int, int], ordinal: int) -> Iterator[MatchPlan]:
        """The matches of the ``ordinal``-th meeting of two entrants, which comes from the next opening."""
        names: Table = tuple(self._names[number] for number in pair)
        tables = [names] if self._config.schedule.seating == "balanced" else [names, names[::-1]]
        for game, starts in self._games:
            repeat, place = divmod(ordinal, len(starts))
            for table in tables:
                for condition in self._conditions:
                    yield match_plan(self._config, game, starts[place], condition, table, repeat)

    # -------------------------------------------------------------------- checks

    def _last_stage(self) -> StageConfig:
        schedule, players = self._config.schedule, len(self._names)
        if players < 2:
            raise ConfigurationError("a run needs at least two players")
        if any(stage.players > players for stage in schedule.stages):
            raise ConfigurationError("schedule.stages are written by ludometer extend, not by hand; leave them out")
        if schedule.kind == "swiss":
            rounds = schedule.rounds or math.ceil(math.log2(players))
            return StageConfig(players=players, matches=1, repeats=schedule.repeats, rounds=rounds)
        whole = players * (players - 1) // 2 * schedule.repeats * self.per_meeting
        if not schedule.stages and (schedule.games or 0) < whole:
            round_robin = "a round robin" if schedule.repeats == 1 else f"{schedule.repeats} round robins"
            raise ConfigurationError(
                f"schedule.games: an adaptive schedule begins with {round_robin}, which for {players} players takes "
                f"{whole} matches, not {schedule.games}; give more, or use kind = 'swiss'"
            )
        return StageConfig(
            players=players, matches=1, repeats=schedule.repeats, games=schedule.games, batch=schedule.batch
        )

    def _expected(self) -> int:
        last = self._stages[-1]
        if self._config.schedule.kind == "swiss":
            return (last.rounds or 0) * (last.players // 2) * last.repeats * self.per_meeting
        return (last.games or 0) // self.per_meeting * self.per_meeting


class _Crosstable:
    """A Swiss tournament as far as it was played.

    Attributes:
        rounds: how many there were.
        met: how often two met.
    """

    def __init__(self, lots: Sequence[int]) -> None:
        self.rounds = 0
        self.met: Counter[frozenset[int]] = Counter()
        self._lots = lots
        self._points = [0.0] * len(lots)
        self._firsts = [0] * len(lots)
        self._byes = [0] * len(lots)

    def add(self, players: int, meetings: Sequence[_Meeting]) -> None:
        """A round: per pair one point, shared by the mean of its scores; a bye is worth a whole one."""
        self.rounds += 1
        scores: dict[frozenset[int], list[float]] = {}
        for meeting in meetings:
            pair = frozenset((meeting.one, meeting.other))
            if pair not in scores:
                self.met[pair] += 1
            scores.setdefault(pair, []).append(_mean_score(meeting, min(pair)))
            self._firsts[meeting.one] += 1
            self._firsts[meeting.other] -= 1
        for pair, values in scores.items():
            # Rounded, so that equal points are equal whatever they were added up from.
            share = round(sum(values) / len(values), 9)
            self._points[min(pair)] += share
            self._points[max(pair)] += 1.0 - share
        for absent in set(range(players)).difference(*scores):
            self._points[absent] += 1.0
            self._byes[absent] += 1

    def standings(self, players: int) -> list[Standing]:
        rows = zip(self._points, self._firsts, self._byes, self._lots, strict=True)
        return [Standing(round(points, 6), firsts, byes, lot) for points, firsts, byes, lot in rows][:players]


def headline_score(row: MatchRow) -> float | None:
    """Score of the first seat of a finished match of two, as the rule ``headline`` counts it; None where it does not
    count (see `ludometer.ratings.counting`)."""
    first = next(iter(row.seats))
    if row.ending == "completed" and row.scores is not None:
        return min(1.0, max(0.0, row.scores[first]))
    at_fault = seat_at_fault(row) if row.ending in ("forfeit", "canceled") else None
    return None if at_fault is None else float(at_fault != first)


def _mean_score(meeting: _Meeting, entrant: int) -> float:
    """Of the entrant with this number, over the matches that count; one half where none does."""
    leading = next(iter(meeting.rows[0].seats.values()))
    seen = []
    for row in meeting.rows:
        score = headline_score(row)
        if score is not None:
            seen.append(score if next(iter(row.seats.values())) == leading else 1.0 - score)
    mean = sum(seen) / len(seen) if seen else 0.5
    return mean if entrant == meeting.one else 1.0 - mean


def _openings(config: RunConfig, game: AnyGame) -> list[Opening]:
    seats = seats_of(config.schedule, game)
    if seats != 2:
        raise ConfigurationError(
            f"schedule.kind: {config.schedule.kind} schedules pair two, and {game.title} has {seats} at a table here; "
            "use round_robin, series or gauntlet"
        )
    return openings(config.openings, game, seats)
