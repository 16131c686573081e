"""Matches of Risk from a run, played over: every state, every battle, and what positions were worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import pandas as pd

from ludometer.core import Chance, Illegal, LudometerError, Seat
from ludometer.games.risk import Risk, State
from ludometer.games.risk.settings import seat_of
from ludometer.games.risk.state import Log
from ludometer.matches import MatchPolicy
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import new_match

__all__ = ["Replayed", "battles", "replayed", "timeline", "win_timeline"]

_WIN_COLUMNS = ["match", "round", "entrant", "seat", "first", "score", "rollouts"]
_ROLLOUTS: Final = 40


class Replayed(NamedTuple):
    """One match of Risk, played over: every state, the first and the last included. ``entrants`` are by player."""

    row: MatchRow
    game: Risk
    states: Sequence[State]
    entrants: Sequence[str]


def replayed(store: RunStore) -> Iterator[Replayed]:
    """Every finished match of Risk in a run, in schedule order. A match that the game, as it is installed now, does not
    take any more is left out."""
    for row in store.matches():
        if row.game == "risk" and row.status == "finished" and row.notation is not None:
            states = _states(row)
            if states is not None:
                yield Replayed(row, states[0], states[1], list(row.seats.values()))


def _states(row: MatchRow) -> tuple[Risk, list[State]] | None:
    try:
        match = new_match(row, MatchPolicy())
    except LudometerError:
        return None
    game, state = match.game, match.state
    assert isinstance(game, Risk)
    states = [state]
    for text in (row.notation or "").splitlines():
        (seat,) = game.to_act(state)
        try:
            action = game.parse(state, seat, text)
            game.check(state, seat, action)
        except Illegal:
            return None
        state = game.apply(state, {seat: action})
        states.append(state)
    return game, states


def battles(match: Replayed) -> Iterator[tuple[Log, int, int, int]]:
    """Every attack with its round, the armies that could attack and those that defended. One answer may hold several
    attacks: the armies are carried along from the state before it."""
    for before, after in zip(match.states, match.states[1:], strict=False):
        armies = list(before.armies)
        for log in after.log[len(before.log) :]:
            numbers = log.numbers
            if log.trait == "reinforce":
                armies[numbers[0]] += numbers[1]
            elif log.trait == "trade" and numbers[1] >= 0:
                armies[numbers[1]] += 2
            elif log.trait in ("move", "fortify"):
                armies[numbers[0]] -= numbers[2]
                armies[numbers[1]] += numbers[2]
            elif log.trait == "attack":
                source, target, _, own, other, _ = numbers
                yield log, before.round, armies[source] - 1, armies[target]
                armies[source] -= own
                armies[target] -= other


def timeline(match: Replayed) -> list[tuple[int, State]]:
    """The first state of each round with its number, and the last state of the match as the round after."""
    first: dict[int, State] = {}
    for state in match.states:
        if state.round > 0:
            first.setdefault(state.round, state)
    last = match.states[-1]
    return [*((number, state) for number, state in first.items() if state is not last), (last.round + 1, last)]


def win_timeline(match: Replayed, *, rollouts: int = _ROLLOUTS, seed: int = 0) -> pd.DataFrame:
    """How likely each player comes ``first``, and its expected ``score``, at the beginning of each round.

    Estimated by ``rollouts`` games played at random from there on with fresh luck: a measure of the position, not of
    how good the players are; the standard error of ``first`` is at most 0.5 / sqrt(rollouts). The last round is the
    result.
    """
    rows = []
    for number, state in timeline(match):
        luck = Chance.from_seed(seed).named(number)
        games = 1 if state.phase == "over" else rollouts
        scores = [_scores(match.game, state, luck.named(i)) for i in range(games)]
        for player, entrant in enumerate(match.entrants):
            seat = seat_of(player)
            first = [(one[seat] == max(one.values())) / _shared(one) for one in scores]
            rows.append(
                {
                    "match": match.row.id,
                    "round": number,
                    "entrant": entrant,
                    "seat": seat,
                    "first": sum(first) / len(first),
                    "score": sum(one[seat] for one in scores) / len(scores),
                    "rollouts": len(scores),
                }
            )
    return pd.DataFrame(rows, columns=_WIN_COLUMNS)


def _shared(scores: dict[Seat, float]) -> int:
    return sum(score == max(scores.values()) for score in scores.values())


def _scores(game: Risk, state: State, chance: Chance) -> dict[Seat, float]:
    """The scores of one random game from a state on, with dice and deck shuffled anew."""
    deck, _ = chance.named("deck").shuffled(state.deck)
    state = state._replace(deck=deck, chance=chance.named("luck"))
    step = 0
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.sample(state, seat, Chance(chance.key, 64 * step))})
        step += 1
    return dict(outcome.scores)
