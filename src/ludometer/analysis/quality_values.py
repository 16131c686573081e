"""Judging the moves of a run: what every legal action was worth, from an evaluator, into the run's database.

A table of its own takes one row per legal move and evaluator. What is there is not computed again, so that an
interrupted analysis goes on where it stopped, and a run that grew is brought up to date.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ludometer.core import AnyGame, ConfigurationError, Seat, make_game
from ludometer.matches import MatchPolicy
from ludometer.solvers.estimates import ActionValue, best_evaluator, estimates_of
from ludometer.solvers.protocol import Evaluator
from ludometer.solvers.workers import run_in_worker, worker_count
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.replay import new_match
from ludometer.store.writer import Write

__all__ = ["AnalysisProgress", "analyze_moves", "judged_move"]

_BLOCK = 16
"""Moves judged in one go: what an interruption can cost."""

_EQUAL = 1e-9
_Z = 1.96
"""Estimates that differ by less than this many standard errors of their difference count as equal."""

_TOLERANCE = 0.02
"""Estimates without a known error count as equal within this: some 20 centipawns where a chess game is even."""

Place = tuple[int, str, int]
"""Step, seat and attempt."""


@dataclass(slots=True)
class AnalysisProgress:
    """How far an analysis is.

    Attributes:
        total, before, judged: moves to judge in all, judged by earlier sessions, and by this one.
        open: matches that are not finished; without_moves: finished ones that were imported without moves.
        missing: for each game without an evaluator, the sentence that says so.
        evaluators: the evaluator's name by game.
    """

    total: int = 0
    before: int = 0
    judged: int = 0
    open: int = 0
    without_moves: int = 0
    missing: dict[str, str] = field(default_factory=dict)
    evaluators: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float | None:
        """None while nothing can be said."""
        if not self.judged:
            return None
        return (self.total - self.before - self.judged) * (time.monotonic() - self.started) / self.judged


class _Block(NamedTuple):
    """Moves of one match, and who judges them."""

    row: MatchRow
    places: tuple[Place, ...]
    evaluator: str


async def analyze_moves(
    store: RunStore,
    *,
    evaluator: str | None = None,
    workers: int | None = None,
    on_start: Callable[[AnalysisProgress], None] | None = None,
) -> AnalysisProgress:
    """Judges the moves of all finished matches that were not judged yet, on several processors.

    Args:
        store: the run, opened for writing.
        evaluator: its name; by default the best for each game (see `ludometer.solvers.estimates.best_evaluator`).
        workers: moves of how many matches are judged at the same time; by default as many as there are processors.
        on_start: given the progress, which is kept up to date.

    Raises:
        ConfigurationError: no game of the run can be judged.
        MachineError: the database cannot be written.
    """
    schema.move_values.create(store.engine, checkfirst=True)
    progress = AnalysisProgress()
    if on_start is not None:
        on_start(progress)
    blocks = deque(await _planned(store, evaluator, progress))
    if progress.missing and not progress.evaluators:
        raise ConfigurationError("; ".join(progress.missing.values()))
    lanes = min(workers or worker_count(), max(1, len(blocks)))
    tasks = [asyncio.ensure_future(_work(store, blocks, progress)) for _ in range(lanes)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return progress


async def _work(store: RunStore, blocks: deque[_Block], progress: AnalysisProgress) -> None:
    insert = sa.insert(schema.move_values)
    while blocks:
        block = blocks.popleft()
        rows = await run_in_worker(_judged, block)
        await store.writer.write(Write(insert, rows))
        progress.judged += len(block.places)


# -------------------------------------------------------------------- planning


async def _planned(store: RunStore, name: str | None, progress: AnalysisProgress) -> list[_Block]:
    chosen: dict[str, Evaluator | None] = {}
    moves = _moves(store)
    known = _known(store)
    blocks: list[_Block] = []
    for row in store.matches():
        if row.status != "finished":
            progress.open += 1
            continue
        if row.notation is None:
            progress.without_moves += 1
            continue
        variant = row.game + json.dumps(row.options, sort_keys=True)
        if variant not in chosen:
            chosen[variant] = await _evaluator(row, name, progress)
        evaluator = chosen[variant]
        if evaluator is None:
            continue
        # A legal answer need not have been played: the clock may have run out over it.
        played = len(row.notation.splitlines())
        places = [place for place in moves.get(row.id, []) if place[0] < played]
        left = [place for place in places if (row.id, *place, evaluator.name) not in known]
        progress.total += len(places)
        progress.before += len(places) - len(left)
        blocks += [_Block(row, tuple(left[i : i + _BLOCK]), evaluator.name) for i in range(0, len(left), _BLOCK)]
    return blocks


async def _evaluator(row: MatchRow, name: str | None, progress: AnalysisProgress) -> Evaluator | None:
    try:
        game = make_game(row.game, row.options)
        evaluator = best_evaluator(game, name)
    except ConfigurationError as error:
        progress.missing[row.game] = str(error)
        return None
    await evaluator.prepare(game)
    progress.evaluators[row.game] = evaluator.name
    return evaluator


def _moves(store: RunStore) -> dict[str, list[Place]]:
    """Legal moves by match; resignations are no moves."""
    a = schema.attempts.c
    query = sa.select(a.match, a.step, a.seat, a.attempt).where(a.status == "legal", a.action.is_not(None))
    found: dict[str, list[Place]] = {}
    with store.engine.connect() as connection:
        for match, step, seat, attempt in connection.execute(query.order_by(a.match, a.ordinal)):
            found.setdefault(match, []).append((step, seat, attempt))
    return found


def _known(store: RunStore) -> set[tuple[Any, ...]]:
    v = schema.move_values.c
    with store.engine.connect() as connection:
        rows = connection.execute(sa.select(v.match, v.step, v.seat, v.attempt, v.evaluator))
        return {tuple(row) for row in rows}


# ------------------------------------------------------------- in the workers


@lru_cache(maxsize=8)
def _prepared(name: str, game: AnyGame) -> Evaluator:
    evaluator = best_evaluator(game, name)
    asyncio.run(evaluator.prepare(game))
    return evaluator


@lru_cache(maxsize=20_000)
def _values(name: str, game: AnyGame, dumped: str, seat: Seat) -> Mapping[Any, ActionValue]:
    """Values of a position. Many matches begin alike, so positions are remembered."""
    return estimates_of(_prepared(name, game), game, game.load(json.loads(dumped)), seat)


def _judged(block: _Block) -> list[dict[str, Any]]:
    """The rows of a block's moves. Steps are followed in the notation of the moves in effect."""
    row, places, name = block
    wanted = {(step, seat): attempt for step, seat, attempt in places}
    match = new_match(row, MatchPolicy())
    game, state = match.game, match.state
    left = deque((row.notation or "").splitlines())
    rows: list[dict[str, Any]] = []
    step = 0
    while len(rows) < len(places):
        actions = {seat: game.parse(state, seat, left.popleft()) for seat in game.to_act(state)}
        for seat, action in actions.items():
            if (step, seat) in wanted:
                values = _values(name, game, json.dumps(game.dump(state), sort_keys=True), seat)
                written = {game.format(state, other): value for other, value in values.items()}
                place = {"match": row.id, "step": step, "seat": seat, "attempt": wanted[step, seat]}
                rows.append({**place, "evaluator": name, **judged_move(written, game.format(state, action))})
        state = game.apply(state, actions)
        step += 1
    return rows


def judged_move(values: Mapping[str, ActionValue], chosen: str) -> dict[str, Any]:
    """The columns of ``move_values`` that say how good a move was.

    A move is optimal when no action is better, and a choice trivial when no action is worse than the best; estimates
    count as equal unless they differ by more than 1.96 standard errors of their difference, or by more than 0.02 where
    the evaluator knows no error.

    Args:
        values: of all legal actions, by notation.
        chosen: the notation of the one that was played.
    """
    best = max(values.values(), key=lambda one: one.value)
    worst = min(values.values(), key=lambda one: one.value)
    own = values[chosen]
    return {
        "action": chosen,
        "value": own.value,
        "best": best.value,
        "error": _error(own, best),
        "exact": all(one.exact for one in values.values()),
        "optimal": _equal(own, best),
        "trivial": _equal(worst, best),
        "rank": 1 + sum(one.value > own.value + _EQUAL for one in values.values()),
        "actions": len(values),
        "best_actions": sum(_equal(one, best) for one in values.values()),
        "values": json.dumps({action: _compact(one) for action, one in values.items()}),
    }


def _equal(one: ActionValue, best: ActionValue) -> bool:
    difference = best.value - one.value
    if one.exact and best.exact:
        return difference <= _EQUAL
    error = _error(one, best)
    return difference <= (_TOLERANCE if error is None else _Z * error)


def _error(one: ActionValue, other: ActionValue) -> float | None:
    """Standard error of a difference; None where both are proven, or an error is not known."""
    if one is other:
        return None if one.exact else 0.0
    known = [value.error for value in (one, other) if not value.exact]
    if not known or any(error is None for error in known):
        return None
    return math.sqrt(sum(error * error for error in known if error is not None))


def _compact(one: ActionValue) -> list[Any]:
    return [round(one.value, 6), one.exact, None if one.error is None else round(one.error, 6)]
