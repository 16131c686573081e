"""Recorded matches as sequences of states."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from ludometer.core import AnyGame, Illegal, LudometerError, ReplayMismatch, Seat
from ludometer.matches import Match, MatchPolicy
from ludometer.store import MatchRow, schema
from ludometer.store.replay import new_match, recorded_decision
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.web.problems import Problem
from ludometer.web.runs import OpenRun
from ludometer.web.seats import game_of

__all__ = ["Walk", "match_row_of", "policy_of", "walk"]

_MOST_WALKS = 12


class Walk(NamedTuple):
    """A match as a sequence of states.

    Attributes:
        game: None where it is not installed here.
        states: the start (after a forced opening), and the state after every step.
        moves: the moves that led to each state but the first, in the game's notation, by seat.
        first: number of the first step in the log; the moves of an opening count as steps.
        whole: whether all recorded moves could be followed.
    """

    game: AnyGame | None
    states: Sequence[Any]
    moves: Sequence[Mapping[Seat, str]]
    first: int
    whole: bool


class _Walks:
    """The latest walks, since a page asks for one position after the other."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Walk] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Walk | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def keep(self, key: Hashable, walk: Walk) -> Walk:
        with self._lock:
            self._found[key] = walk
            while len(self._found) > _MOST_WALKS:
                self._found.popitem(last=False)
        return walk


_WALKS = _Walks()


def match_row_of(run: OpenRun, match: str) -> MatchRow:
    """A match by its id. Raises `Problem` 404."""
    try:
        row = run.store.match(match)
    except UnicodeEncodeError:
        row = None
    if row is None:
        raise Problem(404, f"there is no match {match[:100]!r} in this run")
    return row


def walk(run: OpenRun, row: MatchRow) -> Walk:
    """The states of a match: along its recorded moves where it is finished, else along its log so far."""
    finished = row.status == "finished"
    key = (run.store.engine, row.id, finished, row.finished if finished else run.version)
    found = _WALKS.get(key)
    if found is not None:
        return found
    game = game_of(row)
    if game is None:
        return _WALKS.keep(key, Walk(None, (), _moves_of_unknown(row), len(row.opening or ()), False))
    made = _along_notation(row) if finished else _along_log(run, row)
    return _WALKS.keep(key, made)


def _moves_of_unknown(row: MatchRow) -> list[Mapping[Seat, str]]:
    """Where nobody knows whose moves they are, they are shown one by one, without a seat."""
    return [{"": move} for move in (row.notation or "").splitlines()]


def _along_notation(row: MatchRow) -> Walk:
    match: Match = new_match(row, MatchPolicy())  # any policy: only the first state is taken from it
    game, state = match.game, match.state
    states, moves = [state], []
    left = (row.notation or "").split("\n") if row.notation else []
    while left:
        seats = game.to_act(state)
        if not seats or len(left) < len(seats):
            break
        written = dict(zip(seats, left, strict=False))
        try:
            actions = {seat: game.parse(state, seat, text) for seat, text in written.items()}
            for seat, action in actions.items():
                game.check(state, seat, action)
            state = game.apply(state, actions)
        except (Illegal, LudometerError):
            break
        del left[: len(seats)]
        states.append(state)
        moves.append(written)
    return Walk(game, states, moves, match.step, not left)


def _along_log(run: OpenRun, row: MatchRow) -> Walk:
    """Drives the referee with the recorded attempts, so that moves which the policy substituted are made too."""
    match: Match = new_match(row, policy_of(run, row))
    states, moves, first = [match.state], [], match.step
    whole = True
    for attempt in run.store.rows(schema.attempts, row.id):
        before, made = match.step, len(match.moves)
        try:
            _resubmit(match, attempt)
        except (LudometerError, KeyError, ValueError, TypeError):
            whole = False
            break
        if match.step > before:
            new = zip(match.moves[made:], match.notation[made:], strict=True)
            moves.append({move.seat: text for move, text in new})
            states.append(match.state)
    return Walk(match.game, states, moves, first, whole)


def _resubmit(match: Match, row: Mapping[str, Any]) -> None:
    judged = match.resubmit(row["seat"], recorded_decision(match, row, ()))
    if judged.verdict.status != row["status"]:
        raise ReplayMismatch(f"match {match.id} is judged in another way than it was")


def policy_of(run: OpenRun, row: MatchRow) -> MatchPolicy:
    """The conditions of play of a match."""

    def loaded() -> RunConfig | None:
        try:
            return load_config(run.store.config)
        except LudometerError:
            return None

    config = run.cached("config", loaded, version=1)
    if config is None:
        return MatchPolicy()
    return config.policy_of(row.condition, row.game, row.options)
