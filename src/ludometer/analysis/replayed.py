"""Matches played again from their notation, for analyses that need the states and not only the results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludometer.core import Illegal
from ludometer.matches import MatchPolicy
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import new_match

__all__ = ["last_states"]


def last_states(store: RunStore, game: str) -> Iterator[tuple[MatchRow, Any]]:
    """The finished matches of a game where one seat acts at a time, each with its last state.

    A match whose moves today's rules do not take is left out.
    """
    for row in store.matches(status=("finished",)):
        if row.game != game or row.notation is None:
            continue
        match = new_match(row, MatchPolicy())
        state = match.state
        try:
            for text in row.notation.split("\n") if row.notation else ():
                (seat,) = match.game.to_act(state)
                action = match.game.parse(state, seat, text)
                match.game.check(state, seat, action)
                state = match.game.apply(state, {seat: action})
        except (Illegal, ValueError):
            continue
        yield row, state
