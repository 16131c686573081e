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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar

import sqlalchemy as sa

from ludometer.core import AnyGame, ConfigurationError, Seat, make_game
from ludometer.matches import MatchPolicy
from ludometer.solvers.estimates import ActionValue, Judge, best_evaluator, estimates_of, evaluator_spec
from ludometer.solvers.protocol import Evaluator
from ludometer.solvers.workers import run_in_worker, worker_count
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.replay import new_match
from ludometer.store.writer import Write

__all__ = ["AnalysisProgress", "Computer", "analyze_moves", "judged_move"]

T = TypeVar("T")

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
        evaluators: by game, the evaluators with their options, separated by commas.
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


class Computer(Protocol):
    """Where functions are computed.

    Attributes:
        width: how many calls keep it busy.
    """

    @property
    def width(self) -> int: ...

    async def run(self, function: Callable[..., Any], *args: object) -> Any:
        """``function(*args)``; both can be pickled, and the function is importable by its module's name."""
        ...


class _Block(NamedTuple):
    """Moves of one match, and who judges them."""

    row: MatchRow
    places: tuple[Place, ...]
    evaluator: str


async def analyze_moves(
    store: RunStore,
    *,
    evaluator: str | Sequence[str] | None = None,
    workers: int | None = None,
    computer: Computer | None = None,
    on_start: Callable[[AnalysisProgress], None] | None = None,
) -> AnalysisProgress:
    """Judges the moves of all finished matches that were not judged yet, on several processors.

    Args:
        store: the run, opened for writing.
        evaluator: its name, with options where wanted (``mcts:simulations=1000``), or several of them, each of which
            judges; by default the best for each game (see `ludometer.solvers.estimates.best_evaluator`). Values are
            kept under the name with all options, and those of different evaluators side by side.
        workers: moves of how many matches are judged at the same time; by default as many as there are processors.
        computer: where they are judged; by default in processes of this machine.
        on_start: given the progress, which is kept up to date.

    Raises:
        ConfigurationError: no game of the run can be judged.
        MachineError: the database cannot be written.
    """
    schema.move_values.create(store.engine, checkfirst=True)
    progress = AnalysisProgress()
    if on_start is not None:
        on_start(progress)
    names = [evaluator] if isinstance(evaluator, str) or evaluator is None else list(evaluator)
    blocks = deque(await _planned(store, names, progress))
    if progress.missing and not progress.evaluators:
        raise ConfigurationError("; ".join(progress.missing.values()))
    compute, width = (run_in_worker, worker_count()) if computer is None else (computer.run, computer.width)
    lanes = min(workers or width, max(1, len(blocks)))
    tasks = [asyncio.ensure_future(_work(store, blocks, progress, compute)) for _ in range(lanes)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return progress


async def _work(
    store: RunStore, blocks: deque[_Block], progress: AnalysisProgress, compute: Callable[..., Awaitable[Any]]
) -> None:
    insert = sa.insert(schema.move_values)
    while blocks:
        block = blocks.popleft()
        rows = await compute(_judged, block)
        await store.writer.write(Write(insert, rows))
        progress.judged += len(block.places)


# -------------------------------------------------------------------- planning


async def _planned(store: RunStore, names: Sequence[str | None], progress: AnalysisProgress) -> list[_Block]:
    chosen: dict[str, list[str]] = {}
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
            chosen[variant] = await _evaluators(row, names, progress)
        # A legal answer need not have been played: the clock may have run out over it.
        played = len(row.opening or ()) + len(row.notation.splitlines())
        places = [place for place in moves.get(row.id, []) if place[0] < played]
        for spec in chosen[variant]:
            left = [place for place in places if (row.id, *place, spec) not in known]
            progress.total += len(places)
            progress.before += len(places) - len(left)
            blocks += [_Block(row, tuple(left[i : i + _BLOCK]), spec) for i in range(0, len(left), _BLOCK)]
    return blocks


async def _evaluators(row: MatchRow, names: Sequence[str | None], progress: AnalysisProgress) -> list[str]:
    """The evaluators of a match's game, by name and options; tables they need are made here, once."""
    specs: dict[str, None] = {}
    for name in names:
        try:
            game = make_game(row.game, row.options)
            evaluator = best_evaluator(game, name)
        except ConfigurationError as error:
            progress.missing[row.game] = str(error)
            continue
        await evaluator.prepare(game)
        specs[evaluator_spec(evaluator)] = None
    if specs:
        progress.evaluators[row.game] = ", ".join(specs)
    return list(specs)


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


class _Valued(NamedTuple):
    """The values of a position by action: see `ActionValue` and `ludometer.solvers.estimates.Judgement`. ``behind`` are
    the standard errors of the differences from the best action."""

    values: Mapping[Any, ActionValue]
    behind: Mapping[Any, float]
    rates: Mapping[Any, Sequence[float]]


@lru_cache(maxsize=20_000)
def _remembered(name: str, game: AnyGame, dumped: str, seat: Seat) -> _Valued:
    return _evaluated(name, game, game.load(json.loads(dumped)), seat)


def _valued(name: str, game: AnyGame, state: Any, seat: Seat) -> _Valued:
    if game.has_luck:  # the same position does not come up twice, and what was dealt takes room
        return _evaluated(name, game, state, seat)
    # Many matches begin alike.
    return _remembered(name, game, json.dumps(game.dump(state), sort_keys=True), seat)


def _evaluated(name: str, game: AnyGame, state: Any, seat: Seat) -> _Valued:
    evaluator = _prepared(name, game)
    if not isinstance(evaluator, Judge):
        return _Valued(estimates_of(evaluator, game, state, seat), {}, {})
    found = evaluator.judgement(game, state, seat)
    behind = found.difference_errors[:, found.values.argmax()].tolist()
    pairs = zip(found.actions, found.values.tolist(), found.errors.tolist(), strict=True)
    return _Valued(
        {action: ActionValue(value, False, error) for action, value, error in pairs},
        dict(zip(found.actions, behind, strict=True)),
        dict(zip(found.actions, found.rates.tolist(), strict=True)),
    )


def _judged(block: _Block) -> list[dict[str, Any]]:
    """The rows of a block's moves. Steps are followed in the notation of the moves in effect."""
    row, places, name = block
    wanted = {(step, seat): attempt for step, seat, attempt in places}
    match = new_match(row, MatchPolicy())
    game, state = match.game, match.state
    left = deque((row.notation or "").splitlines())
    rows: list[dict[str, Any]] = []
    step = match.step  # the moves of an opening are steps that nobody decided
    while len(rows) < len(places):
        actions = {seat: game.parse(state, seat, left.popleft()) for seat in game.to_act(state)}
        for seat, action in actions.items():
            if (step, seat) in wanted:
                found = _valued(name, game, state, seat)
                written = {other: game.format(state, other) for other in found.values}
                place = {"match": row.id, "step": step, "seat": seat, "attempt": wanted[step, seat]}
                judged = judged_move(
                    _by(written, found.values),
                    written[action],
                    behind=_by(written, found.behind),
                    rates=_by(written, found.rates),
                )
                rows.append({**place, "evaluator": name, **judged})
        state = game.apply(state, actions)
        step += 1
    return rows


def _by(written: Mapping[Any, str], values: Mapping[Any, T]) -> dict[str, T]:
    return {written[action]: value for action, value in values.items()}


def judged_move(
    values: Mapping[str, ActionValue],
    chosen: str,
    *,
    behind: Mapping[str, float] | None = None,
    rates: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """The columns of ``move_values`` that say how good a move was.

    A move is optimal when no action is better, and a choice trivial when no action is worse than the best; estimates
    count as equal unless they differ by more than 1.96 standard errors of their difference, or by more than 0.02 where
    the evaluator knows no error.

    Args:
        values: of all legal actions, by notation.
        chosen: the notation of the one that was played.
        behind: standard errors of the differences from the best action, where the evaluator knows them; without, they
            follow from the errors of the two values.
        rates: expected scores of all seats after each action, where the evaluator knows them.
    """
    best_action = max(values, key=lambda action: values[action].value)
    best = values[best_action]
    errors = {action: _error(action, best_action, values, behind or {}) for action in values}
    equal = {action: _equal(one, best, errors[action]) for action, one in values.items()}
    worst = min(values, key=lambda action: values[action].value)
    own = values[chosen]
    return {
        "action": chosen,
        "value": own.value,
        "best": best.value,
        "error": errors[chosen],
        "exact": all(one.exact for one in values.values()),
        "optimal": equal[chosen],
        "trivial": equal[worst],
        "rank": 1 + sum(one.value > own.value + _EQUAL for one in values.values()),
        "actions": len(values),
        "best_actions": sum(equal.values()),
        "values": json.dumps(
            {
                action: _compact(one, (behind or {}).get(action), (rates or {}).get(action))
                for action, one in values.items()
            }
        ),
    }


def _equal(one: ActionValue, best: ActionValue, error: float | None) -> bool:
    difference = best.value - one.value
    if one.exact and best.exact:
        return difference <= _EQUAL
    return difference <= (_TOLERANCE if error is None else _Z * error)


def _error(action: str, best: str, values: Mapping[str, ActionValue], behind: Mapping[str, float]) -> float | None:
    """Standard error of the difference from the best; None where both are proven, or an error is not known."""
    if action == best:
        return None if values[action].exact else 0.0
    if action in behind:
        return behind[action]
    known = [one.error for one in (values[action], values[best]) if not one.exact]
    if not known or any(error is None for error in known):
        return None
    return math.sqrt(sum(error * error for error in known if error is not None))


def _compact(one: ActionValue, behind: float | None, rates: Sequence[float] | None) -> list[Any]:
    """As short as it can be: without the error of the difference and the rates where there are none."""
    written: list[Any] = [_rounded(one.value), one.exact, _rounded(one.error)]
    return written if rates is None else [*written, _rounded(behind), [_rounded(rate) for rate in rates]]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
