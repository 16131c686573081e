"""One match: its steps with every attempt, its positions as any viewer may see them, and the calls to models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from ludometer.core import AnyGame, Seat, Viewer, Watcher
from ludometer.store import MatchRow, schema
from ludometer.store.walk import drawn_text
from ludometer.web.boards import board_of
from ludometer.web.clickable import located
from ludometer.web.headlines import headline
from ludometer.web.matches import match_entry, neighbours
from ludometer.web.problems import Problem, answer
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.seats import game_of, roles_of
from ludometer.web.shapes import AttemptShape, MatchDetail, Position, Step
from ludometer.web.walks import Walk, match_row_of, policy_of, walk

__all__ = ["MatchId", "attempt_shape", "attempts_of", "match_detail", "position", "router", "shown_position"]

router = APIRouter(prefix="/api", tags=["replay"])

MatchId = Annotated[str, Path(description="id of a match", max_length=200)]

# ---------------------------------------------------------------------- routes


@router.get("/runs/{run}/matches/{match}", response_model=MatchDetail)
def get_match(run: Opened, match: MatchId) -> Response:
    """A match with all its attempts."""
    return answer(match_detail(run, match_row_of(run, match)))


@router.get("/runs/{run}/matches/{match}/positions/{ply}", response_model=Position)
def get_position(
    run: Opened,
    match: MatchId,
    ply: Annotated[int, Path(ge=0, le=10**7)],
    viewer: Annotated[str, Query(max_length=100)] = "public",
) -> Response:
    """A state as a viewer sees it: ``public``, ``full``, or a seat."""
    return answer(position(run, match_row_of(run, match), ply, viewer))


# -------------------------------------------------------------------- positions


def viewers_of(run: OpenRun, row: MatchRow) -> list[str]:
    """Who may be looked through now."""
    if run.public_only:
        return ["public"]
    seats = [role.name for role in roles_of(row) if game_of(row) is not None and _has_eyes(row, role.name)]
    return ["public", "full", *seats]


def _has_eyes(row: MatchRow, seat: Seat) -> bool:
    """Whether the game shows anything to a seat; an adjudicator's is none of the game's."""
    game = game_of(row)
    return game is not None and any(role.name == seat for role in game.roles(len(row.seats)))


def position(run: OpenRun, row: MatchRow, ply: int, viewer: str) -> Position:
    """A state of a match as a viewer sees it.

    Raises:
        Problem: 404 for a ply or a viewer that there is not, 403 for one that may not be shown now.
    """
    if viewer != "public" and run.public_only:
        raise Problem(403, "only what is public is shown while a person plays in this run")
    if viewer not in viewers_of(run, row):
        raise Problem(404, f"nobody is called {viewer[:60]!r} in this match")
    walked = walk(run, row)
    if walked.game is None:
        raise Problem(404, f"the game {row.game!r} is not installed here, so that its positions cannot be shown")
    if ply >= len(walked.states):
        raise Problem(404, f"the match has positions 0 to {len(walked.states) - 1}")
    last = walked.moves[ply - 1] if ply else {}
    return shown_position(
        walked.game, walked.states[ply], ply, viewer, last if _may_show_moves(run, walked.game) else {}
    )


def shown_position(game: AnyGame, state: Any, ply: int, viewer: str, last: Mapping[Seat, str]) -> Position:
    """A state as a viewer (``public``, ``full``, or a seat) sees it."""
    watchers: dict[str, Viewer] = {"public": Watcher.PUBLIC, "full": Watcher.FULL}
    observation = game.observe(state, watchers.get(viewer, viewer))
    return Position(
        ply=ply,
        viewer=viewer,
        svg=located(game.svg(observation), game, observation),
        text=drawn_text(game, observation),
        board=board_of(game, observation),
        to_act=list(game.to_act(state)),
        last=dict(last),
    )


def _may_show_moves(run: OpenRun, game: AnyGame) -> bool:
    """Moves of a game with hidden information may hold what is hidden; the public view shows what is not."""
    return game.perfect_information or not run.public_only


# ----------------------------------------------------------------------- detail


def match_detail(run: OpenRun, row: MatchRow) -> MatchDetail:
    """A match with every attempt in its step."""
    walked = walk(run, row)
    game = walked.game
    return MatchDetail(
        entry=match_entry(run, row),
        rules="" if game is None else game.rules(),
        policy=dict(policy_of(run, row).to_dict()),
        opening=list(row.opening or ()),
        steps=_steps(run, row, walked),
        plies=max(len(walked.states) - 1, 0) if game is not None else 0,
        viewers=viewers_of(run, row) if game is not None else [],
        headline=headline(row),
        public_only=run.public_only,
        views=[] if game is None else list(game.views()),
        links=neighbours(run.store, row.number),
    )


def _steps(run: OpenRun, row: MatchRow, walked: Walk) -> list[Step]:
    secret = run.public_only
    shown = walked.game is None or _may_show_moves(run, walked.game)
    attempts: dict[int, list[AttemptShape]] = {}
    decided: set[tuple[int, Seat]] = set()
    for step, shape in attempts_of(run, row, hidden=secret, moves=shown):
        attempts.setdefault(step, []).append(shape)
        if shape.status == "legal" and not shape.resign and shape.draw != "accept":
            decided.add((step, shape.seat))
    moves = {walked.first + i: made for i, made in enumerate(walked.moves)}
    numbers = sorted({*attempts, *moves})
    if secret:  # what some have decided and others have not is nobody's to know
        numbers = [number for number in numbers if number in moves or row.status == "finished"]
    return [
        Step(
            step=number,
            ply=number - walked.first + 1,
            attempts=attempts.get(number, []),
            moves=dict(moves.get(number, {})) if shown else dict.fromkeys(moves.get(number, {}), ""),
            substituted=[seat for seat in moves.get(number, {}) if seat and (number, seat) not in decided],
        )
        for number in numbers
    ]


def attempts_of(run: OpenRun, row: MatchRow, *, hidden: bool, moves: bool = True) -> Iterator[tuple[int, AttemptShape]]:
    """Every attempt of a match with its step, in the order of the log."""
    x = schema.exchanges.c
    place = (x.step, x.seat, x.attempt)
    sums = (sa.func.sum(c) for c in (x.input_tokens, x.output_tokens, x.reasoning_tokens, x.cost))
    query = sa.select(*place, sa.func.count(), *sums).where(x.match == row.id).group_by(*place)
    with run.store.engine.connect() as connection:
        used = {tuple(found[:3]): tuple(found[3:]) for found in connection.execute(query)}
    for attempt in run.store.rows(schema.attempts, row.id):
        key = (attempt["step"], attempt["seat"], attempt["attempt"])
        yield attempt["step"], attempt_shape(attempt, used.get(key, _NOTHING), hidden=hidden, moves=moves)


_NOTHING = (0, None, None, None, None)


def attempt_shape(row: Mapping[str, Any], used: Sequence[Any], *, hidden: bool, moves: bool = True) -> AttemptShape:
    """A row of the ``attempts`` table.

    Args:
        used: calls, input, output and reasoning tokens, cost.
        hidden: leave out texts, and what is wrong with an answer: a reason may name a card that nobody else sees.
        moves: whether moves may be shown.
    """
    return AttemptShape(
        seat=row["seat"],
        attempt=row["attempt"],
        status=row["status"],
        kind=row["status"] if hidden else row["kind"],
        reason="" if hidden else row["reason"],
        notation=row["notation"] if moves and not (hidden and row["status"] != "legal") else None,
        text="" if hidden else row["text"],
        rationale="" if hidden else row["rationale"],
        resign=bool(row["resign"]),
        draw=row["draw"],
        seconds=row["seconds"],
        at=row["at"],
        calls=used[0],
        input_tokens=used[1],
        output_tokens=used[2],
        reasoning_tokens=used[3],
        cost=used[4],
        hidden=hidden,
    )
