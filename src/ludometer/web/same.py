"""What others answered in the same position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Path
from starlette.responses import Response

from ludometer.core import AnyGame, Seat
from ludometer.store import MatchRow, schema
from ludometer.store.records import match_row
from ludometer.web.problems import Problem, answer
from ludometer.web.replay import MatchId, attempts_of
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.seats import seats_of
from ludometer.web.shapes import SamePosition
from ludometer.web.walks import match_row_of, walk

__all__ = ["router", "same_position"]

router = APIRouter(prefix="/api", tags=["replay"])

_MOST_LOOKED_AT = 2_000
"""Matches of the same game that are looked at, those with the same luck first."""
_MOST_SHOWN = 40
_MOST_WALKED = 60
"""Matches that are followed to the step, where moves alone do not tell that the position is the same."""


@router.get("/runs/{run}/matches/{match}/same/{step}/{seat}", response_model=list[SamePosition])
def list_same(run: Opened, match: MatchId, step: Annotated[int, Path(ge=0, le=10**7)], seat: str) -> Response:
    """What others answered in the same position, this match first."""
    return answer(same_position(run, match_row_of(run, match), step, seat))


def same_position(run: OpenRun, row: MatchRow, step: int, seat: Seat) -> list[SamePosition]:
    """What was answered in the same position: the same game, the same options, and the seat has the same view of it.

    Games without luck are compared by their moves so far; in games with luck also the luck must be the same, as it is
    in a duplicate group.

    Raises:
        Problem: 403 while a person is at play, 404 for a step at which this seat was not asked.
    """
    if run.public_only:
        raise Problem(403, "answers of others are not shown while a person plays in this run")
    own = _answers(run, row, step, seat)
    if own is None:
        raise Problem(404, f"seat {seat[:60]!r} was not asked at step {step}")
    found = [own]
    game = walk(run, row).game
    for other in _candidates(run, row, game, step):
        if (answers := _answers(run, other, step, seat)) is not None:
            found.append(answers)
            if len(found) == _MOST_SHOWN:
                break
    return found


def _answers(run: OpenRun, row: MatchRow, step: int, seat: Seat) -> SamePosition | None:
    attempts = [shape for at, shape in attempts_of(run, row, hidden=False) if (at, shape.seat) == (step, seat)]
    if not attempts:
        return None
    holders = {shape.seat: shape.entrant for shape in seats_of(run, row)}
    return SamePosition(match=row.id, entrant=holders.get(seat, seat), step=step, seat=seat, attempts=attempts)


def _candidates(run: OpenRun, row: MatchRow, game: AnyGame | None, step: int) -> Iterator[MatchRow]:
    """Other matches that had the same moves before the step."""
    one_by_one = all(len(made) == 1 for made in walk(run, row).moves)
    before = _moves_before(run, row, step, one_by_one=one_by_one)
    if before is None:
        return
    m = schema.matches.c
    here = [m.game == row.game, m.options == json.dumps(row.options), m.id != row.id, m.status != "scheduled"]
    if game is None or game.has_luck:
        here.append(m.luck == row.luck)
    # Finished matches have their moves in the row; the text is compared before anything is read as a match.
    text = "\n".join(before)
    own_opening = "" if row.opening is None else json.dumps(row.opening)
    here.append(sa.func.coalesce(m.opening, "") == own_opening)
    if text:
        beginning = sa.func.substr(m.notation, 1, len(text))
        here.append(sa.or_(m.notation.is_(None), beginning == text))
    query = sa.select(schema.matches).where(*here).order_by(m.group != row.group, m.number).limit(_MOST_LOOKED_AT)
    walked = 0
    with run.store.engine.connect() as connection:
        rows = [match_row(dict(found)) for found in connection.execute(query).mappings()]
    for other in rows:
        if other.notation is None or not one_by_one:
            walked += 1
            if walked > _MOST_WALKED:
                continue
        if _moves_before(run, other, step, one_by_one=one_by_one) == before:
            yield other


def _moves_before(run: OpenRun, row: MatchRow, step: int, *, one_by_one: bool) -> list[str] | None:
    """The moves made before a step of the log; None where the match did not come so far.

    Args:
        one_by_one: whether every step has one move, so that the lines of the notation are the steps. That holds for all
            matches with the same beginning, where it holds for one.
    """
    first = len(row.opening or ())
    if row.notation is not None and one_by_one:
        moves = row.notation.split("\n") if row.notation else []
        return moves[: step - first] if len(moves) >= step - first >= 0 else None
    walked = walk(run, row)
    if step < walked.first or step - walked.first > len(walked.moves):
        return None
    return [text for made in walked.moves[: step - walked.first] for text in made.values()]
