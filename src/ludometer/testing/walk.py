"""Random games, for tests: states one after another, and the joint moves between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ludometer.core import AnyGame, Chance, Json, Seat

__all__ = ["LONGEST", "Step", "canonical", "require", "require_owned", "walk"]

LONGEST = 10_000
"""Joint moves after which a game without a bound of its own is taken never to end."""


class Step(NamedTuple):
    """A state and what was played in it. ``moves`` is empty in the last state."""

    number: int
    state: Any
    moves: Mapping[Seat, Any]


def require(condition: object, message: str) -> None:
    """Like ``assert``, but not taken out by ``python -O``."""
    if not condition:
        raise AssertionError(message)


def canonical(value: Json) -> str:
    """JSON text that is equal for equal values. Raises `AssertionError` where the value is not JSON."""
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"not JSON: {error}: {value!r:.200}") from error


def require_owned(make: Callable[[], Json], what: str) -> None:
    """What is handed out belongs to whoever gets it: emptying it must not change what the next one gets."""
    given = make()
    before = canonical(given)
    _empty(given)
    require(canonical(make()) == before, f"{what} is shared: changing it changes what is handed out next")


def _empty(value: Json) -> None:
    if isinstance(value, dict):
        for part in value.values():
            _empty(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            _empty(part)
        value.clear()


def walk(game: AnyGame, n: int, chance: Chance) -> Iterator[Step]:
    """A game in which everybody plays at random, ended by its rules.

    Raises:
        AssertionError: it does not end within its own bound, or within ``LONGEST`` joint moves.
    """
    state = game.new(n, chance.named("game"))
    bound = game.max_steps() or LONGEST
    decisions = number = 0
    while seats := game.to_act(state):
        require(decisions < bound, f"{game!r} has not ended after {bound} decisions")
        moves = {seat: game.sample(state, seat, chance.named("move", number, seat)) for seat in seats}
        yield Step(number, state, moves)
        state = game.apply(state, moves)
        decisions += len(moves)
        number += 1
    yield Step(number, state, {})
