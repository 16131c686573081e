"""Which results count, and what is left out: nothing is dropped without being counted.

A game ends *completed*, *forfeit* (an entrant used up its attempts, or its time), *canceled* (stopped without a
result) or *void* (a provider, sandbox or official failed). Two counting rules turn endings into scores:

``headline``
    Completed games count as scored. Canceled and forfeited games count as a loss of the offender where one is
    known and are left out otherwise.
``played``
    Only completed games count.

Void games never count: they say nothing about either entrant.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.games import DEFAULT_GAME, Games

__all__ = ["ENDINGS", "Counts", "Ending", "ResultRow", "Rule", "count_results"]

Rule = Literal["headline", "played"]
Ending = Literal["completed", "forfeit", "canceled", "void"]
ENDINGS: Final[tuple[Ending, ...]] = get_args(Ending)


class ResultRow(NamedTuple):
    """One game as it was recorded.

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


@dataclass(frozen=True, slots=True)
class Counts:
    """How many games of each kind there were, and how many count under ``rule``.

    ``counted`` includes ``self_play``, the counted games of an entrant against itself, which rating fits leave out.
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

    @property
    def rated(self) -> int:
        """Games that inform ratings: counted, and between two different entrants."""
        return self.counted - self.self_play

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
        }
        return {reason: count for reason, count in reasons.items() if count}


def count_results(rows: Iterable[ResultRow | tuple[Any, ...]], rule: Rule = "headline") -> tuple[Games, Counts]:
    """Turn recorded results into games under a counting rule.

    Args:
        rows: :class:`ResultRow` or plain tuples with its fields, in order of play.
        rule: ``headline`` or ``played``; see the module.

    Returns:
        The games that count (self-play included) and the counts of everything.

    Raises:
        ConfigurationError: an unknown rule or ending, a completed game without score, or an offender not 1 or 2.
    """
    if rule not in get_args(Rule):
        raise ConfigurationError(f"There is no counting rule {rule!r}; use 'headline' or 'played'.")
    seen = dict.fromkeys(("completed", "forfeit", "canceled", "void", "forfeit?", "canceled?"), 0)
    kept: dict[str, list[Any]] = {name: [] for name in ("player_1", "player_2", "score_1", "group", "game")}
    for number, values in enumerate(rows, start=1):
        row = ResultRow(*values)
        kind, score = _classify(number, row)
        seen[kind] += 1
        if score is None or (rule == "played" and kind != "completed"):
            continue
        game = DEFAULT_GAME if row.game is None else row.game
        for column, value in zip(kept.values(), (row.player_1, row.player_2, score, row.group, game), strict=True):
            column.append(value)
    games = Games.from_columns(kept)
    counts = Counts(
        rule=rule,
        total=sum(seen.values()),
        completed=seen["completed"],
        forfeit=seen["forfeit"],
        forfeit_unknown=seen["forfeit?"],
        canceled=seen["canceled"],
        canceled_unknown=seen["canceled?"],
        void=seen["void"],
        counted=len(games),
        self_play=int(games.self_play.sum()),
    )
    return games, counts


def _classify(number: int, row: ResultRow) -> tuple[str, float | None]:
    """The kind of a row ('?' marks an unknown offender) and the score of seat 1, None where it never counts."""
    if row.ending not in ENDINGS:
        raise ConfigurationError(f"Result {number} has the ending {row.ending!r}; use one of {', '.join(ENDINGS)}.")
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
