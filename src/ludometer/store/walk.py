"""Recorded moves as positions to be shown: the steps of a match, each with its board and what was rejected before.

For showing only: nothing is judged again. `ludometer.store.replay` is what resuming and verifying use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ludometer.core import Game, Illegal, LudometerError, Observation, Seat, Watcher
from ludometer.core.text import UNSEEN
from ludometer.matches import Match, MatchPolicy
from ludometer.store.records import MatchRow
from ludometer.store.replay import new_match

__all__ = ["DrawnStep", "drawn_steps", "drawn_text", "plain_text"]

_POLICY = MatchPolicy()
"""Any policy does: only the first position is taken from the match."""


def plain_text(text: str) -> str:
    """The text without characters that control a terminal, reorder or hide what is shown."""
    return UNSEEN.sub("", text)


class DrawnStep(NamedTuple):
    """One step of a match.

    Attributes:
        number: from 0, the moves of an opening counted.
        moves: the actions in effect, in the game's notation, by seat; empty after the last step, where only rejected
            attempts are left.
        rejected: rows of the ``attempts`` table that were refused in this step, in order.
        text: the position after the step in the game's text view; empty where it cannot be drawn.
        svg: the same as a picture, where the game has one.
    """

    number: int
    moves: Mapping[Seat, str]
    rejected: Sequence[Mapping[str, Any]]
    text: str
    svg: str | None


def drawn_steps(row: MatchRow, attempts: Sequence[Mapping[str, Any]]) -> Iterator[DrawnStep]:
    """The steps of a match from its first position on.

    Args:
        row: the match. Where it is finished its notation is followed, moves that the policy substituted included.
        attempts: its rows of the ``attempts`` table in order.

    Yields nothing for a match without recorded moves. The walk stops where the game, as it is installed now, no longer
    takes the recorded moves.
    """
    rejected: dict[int, list[Mapping[str, Any]]] = {}
    for attempt in attempts:
        if attempt["status"] != "legal":
            rejected.setdefault(attempt["step"], []).append(attempt)
    for number, moves, game, state in _walk(row, _moves(row, attempts)):
        observation = game.observe(state, Watcher.FULL)
        yield DrawnStep(number, moves, rejected.pop(number, ()), drawn_text(game, observation), game.svg(observation))
    for step in sorted(rejected):
        yield DrawnStep(step, {}, rejected[step], "", None)


def _moves(row: MatchRow, attempts: Sequence[Mapping[str, Any]]) -> list[str]:
    if row.notation is not None:
        return row.notation.splitlines()
    return [str(a["notation"]) for a in attempts if a["status"] == "legal" and a["notation"] is not None]


def _walk(row: MatchRow, moves: Sequence[str]) -> Iterator[tuple[int, dict[Seat, str], Game[Any, Any], Any]]:
    """Step, moves, game and the state after the step."""
    try:
        match: Match = new_match(row, _POLICY)
    except LudometerError:
        return  # a game that is not installed here
    game, state = match.game, match.state
    left = list(moves)
    number = match.step  # the moves of an opening are steps that nobody was asked for
    while left and (seats := game.to_act(state)) and len(left) >= len(seats):
        written = dict(zip(seats, left, strict=False))
        del left[: len(seats)]
        try:
            actions = {seat: game.parse(state, seat, text) for seat, text in written.items()}
            for seat, action in actions.items():
                game.check(state, seat, action)
        except Illegal:
            return
        state = game.apply(state, actions)
        yield number, written, game, state
        number += 1


def drawn_text(game: Game[Any, Any], observation: Observation) -> str:
    """The text view that draws the position best: the one called ``illustration``, else the first."""
    views = {name: view for name, view in game.views().items() if view.kind == "text"}
    view = views.get("illustration") or next(iter(views.values()), None)
    return "" if view is None else view.render(observation)
