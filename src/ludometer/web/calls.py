"""The calls to models behind an attempt: the exact messages, the raw answer, the reasoning."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path
from starlette.responses import Response

from ludometer.core import ImagePart, Message
from ludometer.store import schema
from ludometer.store.replay import recorded_request
from ludometer.strategies.conversation import issue_order
from ludometer.web.problems import Problem, answer
from ludometer.web.replay import MatchId
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.shapes import ExchangeShape, MessageShape
from ludometer.web.walks import match_row_of

__all__ = ["calls_of", "router"]

router = APIRouter(prefix="/api", tags=["replay"])

Number = Annotated[int, Path(ge=0, le=10**7)]


@router.get("/runs/{run}/matches/{match}/calls/{step}/{seat}/{attempt}", response_model=list[ExchangeShape])
def list_calls(run: Opened, match: MatchId, step: Number, seat: str, attempt: Number) -> Response:
    """The calls of one attempt, in the order of asking."""
    return answer(calls_of(run, match_row_of(run, match).id, step, seat, attempt))


def calls_of(run: OpenRun, match: str, step: int, seat: str, attempt: int) -> list[ExchangeShape]:
    """The calls of one attempt.

    Raises:
        Problem: 403 while a person is at play.
    """
    if run.public_only:
        raise Problem(403, "what models were asked and answered is not shown while a person plays in this run")
    x, f = schema.exchanges.c, schema.failures.c
    here = (x.match == match, x.step == step, x.seat == seat, x.attempt == attempt)
    there = (f.match == match, f.step == step, f.seat == seat, f.attempt == attempt)
    with run.store.engine.connect() as connection:
        rows = [dict(row) for row in connection.execute(sa.select(schema.exchanges).where(*here)).mappings()]
        failed = connection.execute(sa.select(f.n, f.error, f.status).where(*there).order_by(f.id)).all()
    errors: dict[str, list[str]] = {}
    for n, error, status in failed:
        errors.setdefault(n, []).append(error if status is None else f"{error} (HTTP {status})")
    rows.sort(key=lambda row: issue_order(row["n"]))
    contents: dict[str, tuple[str, bytes]] = {}
    return [_call(run, row, errors.get(row["n"], []), contents) for row in rows]


def _call(
    run: OpenRun, row: dict[str, Any], failures: Sequence[str], contents: dict[str, tuple[str, bytes]]
) -> ExchangeShape:
    request = recorded_request(run.store, row["request"], contents)
    raw = None if row["raw"] is None else run.store.content(row["raw"])
    asked: Any = request.schema if request.tool is None else dict(request.tool.schema)
    return ExchangeShape(
        n=row["n"],
        messages=[_message(message) for message in request.messages],
        output_schema=asked,
        answer=row["answer"],
        reasoning=row["reasoning"],
        tool_arguments=row["tool_arguments"],
        refusal=row["refusal"],
        finish_reason=row["finish_reason"],
        model=row["model"],
        input_tokens=row["input_tokens"],
        cached_input_tokens=row["cached_input_tokens"],
        output_tokens=row["output_tokens"],
        reasoning_tokens=row["reasoning_tokens"],
        cost=row["cost"],
        latency=row["latency"],
        raw=None if raw is None else raw[1].decode("utf-8", "replace"),
        failures=list(failures),
    )


def _message(message: Message) -> MessageShape:
    if isinstance(message.content, str):
        return MessageShape(role=message.role, text=message.content, images=[])
    images = [_data_url(part.media_type, part.data) for part in message.content if isinstance(part, ImagePart)]
    return MessageShape(role=message.role, text=message.text, images=images)


def _data_url(media_type: str, body: bytes) -> str:
    """A picture that is part of the page."""
    kind = media_type if media_type.startswith("image/") else "image/png"
    return f"data:{kind};base64,{base64.b64encode(body).decode('ascii')}"
