"""What `ludometer analyze` said of the moves of a match."""

from __future__ import annotations

import json

import sqlalchemy as sa
from fastapi import APIRouter
from starlette.responses import Response

from ludometer.store import MatchRow, schema
from ludometer.web.problems import Problem, answer
from ludometer.web.replay import MatchId
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.shapes import Analysis, MoveValue
from ludometer.web.walks import match_row_of

__all__ = ["analysis_of", "router"]

router = APIRouter(prefix="/api", tags=["replay"])


@router.get("/runs/{run}/matches/{match}/values", response_model=Analysis)
def get_values(run: Opened, match: MatchId) -> Response:
    """What every judged decision of a match was worth; empty where the run was not analyzed."""
    return answer(analysis_of(run, match_row_of(run, match)))


def analysis_of(run: OpenRun, row: MatchRow) -> Analysis:
    """What every judged decision of a match was worth.

    Raises:
        Problem: 403 while a person is at play.
    """
    if run.public_only:
        raise Problem(403, "what moves are worth is not shown while a person plays in this run")
    table = schema.move_values
    with run.store.engine.connect() as connection:
        if not sa.inspect(connection).has_table(table.name):
            return Analysis(evaluators=[], values=[])
        query = sa.select(table).where(table.c.match == row.id)
        query = query.order_by(table.c.step, table.c.seat, table.c.attempt, table.c.evaluator)
        found = [dict(one) for one in connection.execute(query).mappings()]
    first = len(row.opening or ())
    values = [
        MoveValue(
            step=one["step"],
            ply=one["step"] - first + 1,
            seat=one["seat"],
            attempt=one["attempt"],
            evaluator=one["evaluator"],
            action=one["action"],
            value=one["value"],
            best=one["best"],
            best_actions=best_actions(one["values"], one["best"], one["best_actions"]),
            regret=max(0.0, one["best"] - one["value"]),
            error=one["error"],
            exact=bool(one["exact"]),
            rank=one["rank"],
            actions=one["actions"],
            values={action: value[0] for action, value in json.loads(one["values"]).items()},
        )
        for one in found
    ]
    return Analysis(evaluators=list(dict.fromkeys(value.evaluator for value in values)), values=values)


def best_actions(written: str, best: float, number: int) -> list[str]:
    """The actions that are as good as the best, as far as the values tell: the ``number`` of those with the highest."""
    values = json.loads(written)
    order = sorted(values, key=lambda action: -values[action][0])
    return order[: max(number, 1)]
