"""Decisions of recorded matches, to learn from: what a player was asked, what it did, and what its moves were worth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import sqlalchemy as sa

from ludometer.core import Chance, ConfigurationError, Illegal, Turn
from ludometer.prompts import PromptStyle
from ludometer.store import RunStore, schema
from ludometer.store.records import MatchRow
from ludometer.store.replay import load_log, new_match, replayed
from ludometer.strategies.dspy import action_of, inputs_of
from ludometer.tournaments.config import RunConfig, load_config

__all__ = ["Metric", "RecordedDecision", "recorded_decisions", "split"]

Metric = Literal["legal", "regret"]
"""``legal``: 1 for a legal move, else 0. ``regret``: 1 less the expected score that the move gives away; 0 where it is
illegal."""

_NEARLY: Final = 1e-9


class RecordedDecision(NamedTuple):
    """One position in which a contestant was asked.

    Attributes:
        inputs: what a DSPy program is given (see `ludometer.strategies.dspy.inputs_of`).
        move: a good answer, in the game's notation: the best move by the analysis, else the one that was played.
        turn: the turn itself, for judging other answers.
        values: expected score by move, where the run was analyzed; else empty.
        group: duplicate group of the match.
    """

    inputs: Mapping[str, str]
    move: str
    turn: Turn
    values: Mapping[str, float]
    group: str

    def score(self, answer: object, metric: Metric) -> float:
        """What an answer is worth, in [0, 1]; with ``regret`` nothing where the analysis has no value for it."""
        try:
            action = action_of(self.turn, str(answer))
            self.turn.check(action)
        except Illegal:
            return 0.0
        if metric == "legal":
            return 1.0
        best, own = max(self.values.values()), self.values.get(self.turn.format(action))
        return 0.0 if own is None else 1.0 - max(0.0, best - own)


def recorded_decisions(
    stores: Sequence[RunStore], style: PromptStyle, *, metric: Metric, game: str | None = None
) -> list[RecordedDecision]:
    """Every position once, in the order of the matches: those in which there is something to decide (several legal
    moves or, for ``regret``, moves of different worth).

    Moves to imitate are those of players who did not lose, where nothing better is known.

    Args:
        style: how the state is shown.
        game: matches of this game only.

    Raises:
        ConfigurationError: the runs have several games and none is chosen, or nothing can be learned from them.
    """
    games = {row.game for store in stores for row in store.matches(status=["finished"])}
    if game is None and len(games) > 1:
        raise ConfigurationError(f"the runs have several games: choose one with --game ({', '.join(sorted(games))})")
    found: dict[tuple[str, ...], RecordedDecision] = {}
    for store in stores:
        config = load_config(store.config)
        values = _values(store) if metric == "regret" else {}
        for row in store.matches(status=["finished"]):
            if game in (None, row.game) and row.attempts is not None:
                for decision in _of_match(store, row, config, style, values, metric):
                    found.setdefault(tuple(decision.inputs.values()), decision)
    if not found:
        analyzed = "; judge their moves first with: ludometer analyze RUN" if metric == "regret" else ""
        raise ConfigurationError(f"the runs have no decision to learn from{analyzed}")
    return list(found.values())


def _of_match(
    store: RunStore,
    row: MatchRow,
    config: RunConfig,
    style: PromptStyle,
    values: Mapping[tuple[Any, ...], Mapping[str, float]],
    metric: Metric,
) -> Iterator[RecordedDecision]:
    match = new_match(row, config.policy_of(row.condition, row.game, row.options))
    for attempt, decision in replayed(match, load_log(store, row.id)):
        turn = next((turn for turn in match.turns() if turn.seat == attempt["seat"]), None)
        if turn is None or attempt["status"] != "legal" or decision.action is None or turn.attempt:
            continue
        if match.roles[turn.seat].kind == "official" or (turn.legal is not None and len(turn.legal) < 2):
            continue
        worth = values.get((row.id, turn.step, turn.seat, turn.attempt), {})
        move = turn.format(decision.action)
        if metric == "regret":
            if not worth or max(worth.values()) - min(worth.values()) < _NEARLY:
                continue
            move = move if worth.get(move, -1.0) >= max(worth.values()) - _NEARLY else max(worth, key=worth.__getitem__)
        elif _lost(row, turn.seat):
            continue
        yield RecordedDecision(inputs_of(turn, style), move, turn, worth, row.group)


def _lost(row: MatchRow, seat: str) -> bool:
    scores = [score for score in (row.scores or {}).values() if score is not None]
    own = (row.scores or {}).get(seat)
    return own is None or (bool(scores) and own < max(scores))


def _values(store: RunStore) -> dict[tuple[Any, ...], dict[str, float]]:
    """Expected scores of the moves of every judged decision, by match, step, seat and attempt; proven ones first."""
    table = schema.move_values
    if not sa.inspect(store.engine).has_table(table.name):
        return {}
    c = table.c
    query = sa.select(c.match, c.step, c.seat, c.attempt, c["values"]).order_by(c.exact, c.evaluator)
    with store.engine.connect() as connection:
        rows = connection.execute(query).fetchall()
    return {tuple(row[:4]): {move: float(value[0]) for move, value in json.loads(row[4]).items()} for row in rows}


def split(
    decisions: Sequence[RecordedDecision], learn: int, test: int, seed: int | str
) -> tuple[list[RecordedDecision], list[RecordedDecision]]:
    """Decisions to learn from and others to test with, of different duplicate groups, drawn at random.

    Args:
        learn, test: how many there may be at most.

    Raises:
        ConfigurationError: one duplicate group only, so that nothing is left to test with.
    """
    chance = Chance.from_seed(seed)
    groups = sorted({decision.group for decision in decisions})
    order, _ = chance.named("groups").shuffled(groups)
    if test and len(order) < 2:
        raise ConfigurationError("all matches of the runs are of one duplicate group: add runs, or use --test 0")
    held = max(1, round(len(order) * test / (learn + test))) if test else 0
    held = min(held, len(order) - 1)
    kept = set(order[:held])
    drawn, _ = chance.named("decisions").shuffled(decisions)
    testing = [decision for decision in drawn if decision.group in kept][:test]
    # A position of a held-out group may have been met in others too, but stands among the decisions only once.
    return [decision for decision in drawn if decision.group not in kept][:learn], testing
