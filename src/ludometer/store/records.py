"""Rows as values: a planned match, and a match as it stands in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ludometer.core import Json, Seat
from ludometer.matches import Match
from ludometer.store.types import read_json

__all__ = ["MatchPlan", "MatchRow", "counts", "match_row"]


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match of a schedule.

    Attributes:
        key: what the schedule calls it; unique in a run, the same whenever the schedule is made again.
        condition: the factors of this match (view, feedback, ...), empty where nothing is varied.
        group: the duplicate group: matches with the same luck and the seats permuted.
        luck, seed: of the game and of the players.
        seats: entrant by seat, in seat order.
        opening: moves made before anybody is asked, in the game's notation.
    """

    key: str
    game: str
    options: Mapping[str, Json]
    condition: Mapping[str, Json]
    group: str
    luck: str
    seed: str
    seats: Mapping[Seat, str]
    opening: tuple[str, ...] = ()


class MatchRow(NamedTuple):
    """A match as the database has it. Times are seconds since 1970."""

    id: str
    number: int
    key: str
    game: str
    options: dict[str, Json]
    condition: dict[str, Json]
    group: str
    luck: str
    seed: str
    seats: dict[Seat, str]
    opening: list[str] | None
    status: str
    ending: str | None
    why: str | None
    offender: Seat | None
    scores: dict[Seat, float] | None
    payoffs: dict[Seat, float] | None
    moves: int | None
    attempts: int | None
    bad_attempts: int | None
    substituted: int | None
    notation: str | None
    started: float | None
    finished: float | None
    seconds: float | None
    voids: int

    @property
    def winner(self) -> Seat | None:
        """The seat that alone has the highest score; None for draws and where there are no scores."""
        if not self.scores:
            return None
        best = max(self.scores.values())
        holders = [seat for seat, score in self.scores.items() if score == best]
        return holders[0] if len(holders) == 1 else None


_REPEATED = ("options", "condition", "seats")
_JSON_COLUMNS: dict[str, type] = {"opening": list, "scores": dict, "payoffs": dict}


@lru_cache(maxsize=4096)
def _repeated(written: str) -> Any:
    """What many matches have in common, made once for all of them: it is half of what a row takes. Never changed."""
    return read_json(written, "a match", dict)


def match_row(row: Mapping[str, Any]) -> MatchRow:
    """A `MatchRow` from a database row."""
    values = dict(row)
    for column in _REPEATED:
        values[column] = _repeated(values[column])
    for column in _JSON_COLUMNS:
        if values[column] is not None:
            values[column] = read_json(values[column], f"{column} of match {values['id']}", _JSON_COLUMNS[column])
    return MatchRow(**values)


def counts(match: Match) -> dict[str, Any]:
    """What the row of a finished match says of its moves, by column."""
    return {
        "moves": len(match.moves),
        "attempts": len(match.attempts),
        "bad_attempts": sum(not attempt.verdict.is_legal for attempt in match.attempts),
        "substituted": sum(move.substituted for move in match.moves),
        "notation": "\n".join(match.notation),
    }
