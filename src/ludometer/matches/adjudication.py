"""Ending an unfinished match by the word of an evaluator. The evaluator is an official: its value is an action in the
log, so that a replay asks nobody."""

from __future__ import annotations

from typing import Any

from ludometer.core import Chance, Game, Illegal, Json, Outcome, Role, Seat, Turn, Watcher

__all__ = ["ADJUDICATOR", "ADJUDICATOR_ROLE", "adjudicated", "adjudicator_turn", "check_value", "decode_value"]

ADJUDICATOR: Seat = "adjudicator"
ADJUDICATOR_ROLE = Role(ADJUDICATOR, kind="official", title="the adjudicator")


def adjudicator_turn(game: Game[Any, Any], state: Any, match: str, step: int, attempt: int, chance: Chance) -> Turn:
    """The question what the position is worth for the seat to act: an expected score in [0, 1]."""
    seat = game.to_act(state)[0]
    return Turn(
        match=match,
        game=game,
        step=step,
        seat=ADJUDICATOR,
        attempt=attempt,
        observation=game.observe(state, Watcher.FULL),
        legal=None,
        chance=chance,
        imagine=lambda luck: game.determinize(state, seat, luck),
        sample=lambda luck: 0.5,
        parse=lambda text: decode_value({"value": text}),
        decode=decode_value,
        format=lambda value: f"{value:.4f}",
        encode=lambda value: {"value": value},
        schema=lambda notation: {
            "type": "object",
            "properties": {"value": {"type": "number", "minimum": 0, "maximum": 1}},
            "required": ["value"],
            "additionalProperties": False,
        },
        check=check_value,
        title=ADJUDICATOR_ROLE.title,
    )


def decode_value(answer: Json) -> float:
    """Reads ``{"value": 0.83}``. Raises `Illegal`."""
    try:
        return float(answer["value"])
    except (TypeError, KeyError, ValueError):
        raise Illegal("invalid_format", "the value must be a number") from None


def check_value(value: Any) -> None:
    """Raises `Illegal` for anything but a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Illegal("out_of_range", "the value must be an expected score from 0 to 1")


def adjudicated(game: Game[Any, Any], n: int, mover: Seat, value: float, margin: float) -> Outcome:
    """A win for the side that is ahead by at least ``margin`` of an expected score of one half; a draw in between."""
    seats = game.contestants(n)
    shown = f"adjudicated at an expected score of {value:.2f} for {mover}"
    if abs(value - 0.5) < margin:
        return Outcome(dict.fromkeys(seats, game.score_sum / len(seats)), shown)
    winner = mover if value > 0.5 else next(seat for seat in seats if seat != mover)
    return Outcome({seat: game.score_sum if seat == winner else 0.0 for seat in seats}, shown)
