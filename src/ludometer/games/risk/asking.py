"""How each decision is asked for: in its own words, with an example of the order it calls for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludometer.core import Asked, Json, Observation
from ludometer.games.risk.notation import encode_order, written
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.state import Order

__all__ = ["asked_for", "hint"]


def asked_for(settings: Settings, observation: Observation) -> Asked:
    """The question that ends a prompt. The territories and cards of its example are always the same ones, whoever
    holds them: it shows the form of an answer, and is no advice."""
    data = observation.data
    orders = _examples(settings, data)
    question, board = _question(data), settings.board
    answers: list[Json] = [encode_order(board, order) for order in orders]
    text = "; ".join(written(board, order) for order in orders)
    if settings.listed:
        return Asked(f"{question} What are your orders?", hint(settings), {"orders": answers}, text)
    return Asked(f"{question} What is your order?", hint(settings), answers[0], text)


def hint(settings: Settings) -> str:
    """How a free-text answer names the move, completing "Name your move ...\"."""
    if settings.listed:
        return "as a list of orders in the form given above, separated by semicolons"
    return "as one order in the form given above"


def _question(data: Mapping[str, Any]) -> str:
    phase = data["phase"]
    if phase == "pick":
        return "Pick a free territory."
    if phase == "move":
        moving = data["moving"]
        return f"Say how many armies move into {moving['to']} ({moving['least']} to {moving['most']})."
    if phase == "attack":
        return "Attack, fortify or end your turn."
    if data["must_trade"]:
        return "You must trade in a set of cards."
    count = data["to_place"]
    placed = f"You have {count} {'army' if count == 1 else 'armies'} to place"
    return f"{placed}, and may trade in a set of cards." if data.get("may_trade") else f"{placed}."


def _examples(settings: Settings, data: Mapping[str, Any]) -> list[Order]:
    """One order of the kind that is asked for; where lists are, what may follow it as well."""
    first, other = settings.board.around[0], settings.board.around[1]
    attack = [Order("attack", first, other, 0 if settings.blitz else 1)]
    phase = data["phase"]
    if phase == "pick":
        return [Order("pick", target=first)]
    if phase == "move":
        return [Order("move", number=data["moving"]["least"])]
    if settings.listed and phase in ("reinforce", "attack"):
        attack += [Order("move", number=3), Order("end")]
    if phase == "attack":
        return attack
    if data["must_trade"]:
        return [Order("trade", cards=(0, 1, 2))]
    placed = [Order("reinforce", target=first, number=max(1, data["to_place"]))]
    return [*placed, *attack] if settings.listed and phase == "reinforce" else placed
