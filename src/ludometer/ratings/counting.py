"""Which results count, and what is left out: nothing is dropped without being counted.

A game ends *completed*, *forfeit* (an entrant used up its attempts, or its time), *canceled* (stopped without a
result) or *void* (a provider, sandbox or official failed). Two counting rules turn endings into scores:

``headline``
    Completed games count as scored. Canceled and forfeited games count as a loss of the offender where one is
    known and are left out otherwise.
``played``
    Only completed games count.

Void games never count: they say nothing about either entrant.

With more than two seats, an offender lost to every other seat, and nothing is said about the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.games import Games
from ludometer.ratings.placements import SeatedMatch

__all__ = ["ENDINGS", "Counts", "Ending", "MatchResult", "ResultRow", "Rule", "count_results"]

Rule = Literal["headline", "played"]
Ending = Literal["completed", "forfeit", "canceled", "void"]
ENDINGS: Final[tuple[Ending, ...]] = get_args(Ending)


class ResultRow(NamedTuple):
    """One game of two seats as it was recorded.

    Attributes:
        player_1, player_2: names of the entrants in seat 1 and seat 2.
        ending: how the game ended.
        score_1: score of seat 1, needed for completed games only.
        offender: 1 or 2, the seat that caused a forfeit or cancelation; None where unknown. A forfeit without one
            that is scored 1 or 0 is its loser's.
        group: the duplicate group; None for a game with luck of its own.
        game: the name of the game; None where there is only one.
    """

    player_1: str
    player_2: str
    ending: Ending = "completed"
    score_1: float | None = None
    offender: int | None = None
    group: Hashable | None = None
    game: str | None = None


class MatchResult(NamedTuple):
    """One match of any number of seats but two as it was recorded.

    Attributes:
        players: names of the entrants by seat.
        ending: how the match ended.
        scores: by seat, needed for completed matches only; more is better, and only the order matters.
        offender: the number of the seat, from 1, that caused a forfeit or cancelation; None where unknown.
        group, game: as in :class:`ResultRow`.
        equals_tie: whether equal scores are a tie, or leave the two seats without an order.
    """

    players: tuple[str, ...]
    ending: Ending = "completed"
    scores: tuple[float, ...] | None = None
    offender: int | None = None
    group: Hashable | None = None
    game: str | None = None
    equals_tie: bool = True


@dataclass(frozen=True, slots=True)
class Counts:
    """How many games of each kind there were, and how many count under ``rule``.

    ``counted`` includes ``self_play``, the counted games of an entrant against itself, and ``unordered``, those that
    put no two entrants in an order; rating fits leave out both.
    """

    rule: Rule
    total: int
    completed: int
    forfeit: int
    forfeit_unknown: int
    canceled: int
    canceled_unknown: int
    void: int
    counted: int
    self_play: int
    unordered: int = 0

    @property
    def rated(self) -> int:
        """Games that inform ratings: counted, and comparing two different entrants."""
        return self.counted - self.self_play - self.unordered

    @property
    def left_out(self) -> dict[str, int]:
        """Games that do not inform ratings, by reason; together with ``rated`` they add up to ``total``."""
        played = self.rule == "played"
        reasons = {
            "forfeit": self.forfeit if played else 0,
            "forfeit, offender unknown": self.forfeit_unknown,
            "canceled": self.canceled if played else 0,
            "canceled, offender unknown": self.canceled_unknown,
            "void": self.void,
            "self-play": self.self_play,
            "nobody ahead of anybody": self.unordered,
        }
        return {reason: count for reason, count in reasons.items() if count}


def count_results(
    rows: Iterable[ResultRow | MatchResult | tuple[Any, ...]], rule: Rule = "headline"
) -> tuple[Games, Counts]:
    """Turn recorded results into games under a counting rule.

    Args:
        rows: :class:`ResultRow` or plain tuples with its fields, and :class:`MatchResult`, in order of play.
        rule: ``headline`` or ``played``; see the module.

    Returns:
        The games that count (self-play included) and the counts of everything.

    Raises:
        ConfigurationError: an unknown rule or ending, a completed game without score, or an offender that is no seat.
    """
    if rule not in get_args(Rule):
        raise ConfigurationError(f"There is no counting rule {rule!r}; use 'headline' or 'played'.")
    seen = dict.fromkeys(("completed", "forfeit", "canceled", "void", "forfeit?", "canceled?"), 0)
    kept: list[SeatedMatch] = []
    for number, values in enumerate(rows, start=1):
        row = values if isinstance(values, MatchResult) else ResultRow(*values)
        kind, match = _classify_many(number, row) if isinstance(row, MatchResult) else _classify(number, row)
        seen[kind] += 1
        if match is not None and (rule != "played" or kind == "completed"):
            kept.append(match)
    self_play = sum(match.players.count(match.players[0]) == len(match.players) for match in kept)
    counts = Counts(
        rule=rule,
        total=sum(seen.values()),
        completed=seen["completed"],
        forfeit=seen["forfeit"],
        forfeit_unknown=seen["forfeit?"],
        canceled=seen["canceled"],
        canceled_unknown=seen["canceled?"],
        void=seen["void"],
        counted=len(kept),
        self_play=self_play,
        unordered=sum(map(_is_unordered, kept)),
    )
    return Games.from_matches(kept), counts


def _is_unordered(match: SeatedMatch) -> bool:
    """Whether a match between several entrants compares no two of them."""
    if match.equals_tie or len(match.players) == 2:
        return False
    return len(set(match.players)) > 1 and len(set(match.scores)) == 1


def _check_ending(number: int, ending: str) -> None:
    if ending not in ENDINGS:
        raise ConfigurationError(f"Result {number} has the ending {ending!r}; use one of {', '.join(ENDINGS)}.")


def _classify(number: int, row: ResultRow) -> tuple[str, SeatedMatch | None]:
    """The kind of a row ('?' marks an unknown offender) and the match as it counts, None where it never does."""
    kind, score = _first_score(number, row)
    if score is None:
        return kind, None
    players = row.player_1, row.player_2
    return kind, SeatedMatch(players, (score, 1.0 - score), group=row.group, game=row.game)


def _first_score(number: int, row: ResultRow) -> tuple[str, float | None]:
    """The kind of a row and the score of seat 1."""
    _check_ending(number, row.ending)
    if row.offender not in (None, 1, 2):
        raise ConfigurationError(f"Result {number} names the offender {row.offender!r}; give the seat, 1 or 2.")
    if row.ending == "void":
        return "void", None
    if row.ending == "completed":
        if row.score_1 is None:
            raise ConfigurationError(f"Result {number} is completed but has no score; give the score of player_1.")
        return "completed", row.score_1
    offender = row.offender
    if offender is None and row.ending == "forfeit" and row.score_1 in (0, 1):
        offender = 2 if row.score_1 == 1 else 1
    if offender is None:
        return f"{row.ending}?", None
    return row.ending, 1.0 if offender == 2 else 0.0


def _classify_many(number: int, row: MatchResult) -> tuple[str, SeatedMatch | None]:
    """The same for more than two seats."""
    seats = len(row.players)
    _check_ending(number, row.ending)
    if row.offender is not None and not 1 <= row.offender <= seats:
        raise ConfigurationError(f"Result {number} names the offender {row.offender!r}; give the seat, 1 to {seats}.")
    if row.ending == "void":
        return "void", None
    match = SeatedMatch(row.players, (), row.equals_tie, row.group, row.game)
    if row.ending == "completed":
        if row.scores is None or len(row.scores) != seats:
            raise ConfigurationError(f"Result {number} is completed but lacks scores; give one per player.")
        return "completed", match._replace(scores=tuple(row.scores))
    if row.offender is None:
        return f"{row.ending}?", None
    scores = tuple(0.0 if seat == row.offender else 1.0 for seat in range(1, seats + 1))
    return row.ending, match._replace(scores=scores, equals_tie=False)
