"""How liar's dice is shown: as text, as JSON and as a picture, from the observation alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from ludometer.core import Asked, Json, Observation, View
from ludometer.games._boards import label, picture
from ludometer.games._liars_dice_reading import spelled

__all__ = ["VIEWS", "asked_for", "dice_svg", "rules_text"]

_SHOWN: Final = 12
"""Bids of one round that the table view lists: the prompt must not grow with the game."""
_FACES: Final = 6


def rules_text(dice: int, ones_wild: bool, *, single: bool) -> str:
    """The rules in plain words, with these options."""
    each = "one die" if dice == 1 else f"{dice} dice"
    wild = (
        "Ones are wild: a one counts for the face of every bid. A bid on ones counts only ones."
        if ones_wild
        else "No face is wild: only dice that show the face of a bid count for it."
    )
    end = (
        "There is a single round, and its loser loses the game."
        if single
        else "The loser of a round loses one die, and a player without dice is out. All dice left are then rolled "
        "anew, and the loser begins the next round, or the next player in order where the loser is out. The last "
        "player with dice wins."
    )
    return (
        f"You are playing liar's dice. Each player rolls {each} in secret; everybody sees only their own. The players "
        f"take turns in the order of their numbers. A bid names a quantity and a face, and claims that at least that "
        f"many of all dice in play, everybody's together, show that face: 3x5 claims three or more fives. {wild} The "
        f"first player of a round must bid. After that, each player in turn either makes a higher bid or calls the "
        f"last bid. A bid is higher if its quantity is higher, whatever the face, or if the quantity is the same and "
        f"the face is higher: 2x6 is higher than 2x5, and 3x1 is higher than 2x6. No bid may name more dice than are "
        f"in play. A call ends the round: all dice are shown; if the last bid holds, the caller loses the round, "
        f'otherwise the player who made it does. {end} A move is therefore either the action "bid" with a quantity '
        f'and a face, or the action "call" alone.'
    )


def table_text(observation: Observation) -> str:
    """The default view: bounded whatever the length of the game."""
    data = observation.data
    lines = []
    if data["last_round"] is not None:
        lines.append(_last_round(data["round"] if data["over"] else data["round"] - 1, data["last_round"]))
    if data["over"]:
        return "\n".join([*lines, "The game is over."])
    dice = data["dice"]
    counts = ", ".join(f"Player {seat}: {n or 'out'}" for seat, n in dice.items())
    lines.append(f"Round {data['round']}. Dice in play: {sum(dice.values())} ({counts}).")
    for seat, hand in data["hands"].items():
        if hand:
            whose = "Your dice" if observation.viewer == seat else f"Dice of Player {seat}"
            lines.append(f"{whose}: {' '.join(map(str, hand))}")
    lines += _bids(data["bids"])
    lines.append(_choice(data["bids"], sum(dice.values())))
    return "\n".join(lines)


def _last_round(number: int, ended: dict[str, Any]) -> str:
    quantity, face = ended["bid"]
    hands = "; ".join(f"Player {seat}: {' '.join(map(str, hand))}" for seat, hand in ended["hands"].items() if hand)
    lost = " a die" if ended["loses"] == "die" else ""
    return (
        f"Round {number} ended: Player {ended['bidder']} had bid {_bid(quantity, face)}, Player {ended['caller']} "
        f"called. The dice were: {hands}. Matching dice: {ended['count']}. Player {ended['loser']} lost{lost}."
    )


def _bids(bids: Sequence[Sequence[Any]]) -> list[str]:
    if not bids:
        return ["Bids of this round: none yet."]
    left = len(bids) - _SHOWN
    head = f"Bids of this round ({left} earlier ones left out):" if left > 0 else "Bids of this round:"
    return [head, *(f"  Player {seat}: {_bid(quantity, face)}" for seat, quantity, face in bids[-_SHOWN:])]


def _choice(bids: Sequence[Sequence[Any]], dice: int) -> str:
    highest = f"{dice}x{_FACES}"
    if not bids:
        return f"The round must be opened with a bid, from 1x1 to {highest}; there is nothing to call yet."
    _, quantity, face = bids[-1]
    last = f"{quantity}x{face}"
    if last == highest:
        return f"The last bid {last} is the highest there is: it can only be called."
    lowest = f"{quantity}x{face + 1}" if face < _FACES else f"{quantity + 1}x1"
    return f"Possible now: call the last bid {last}, or bid from {lowest} to {highest}."


def asked_for(observation: Observation, usual: Asked) -> Asked:
    """The question that ends a prompt. Its example is ``usual``'s bid, whatever was bid, so that it is no advice; where
    nothing else is possible it is a call."""
    bids, dice = observation.data["bids"], sum(observation.data["dice"].values())
    if not bids:
        return usual._replace(question="What do you bid?")
    _, quantity, face = bids[-1]
    last = f"{quantity}x{face}"
    if (quantity, face) == (dice, _FACES):
        call = {"action": "call", "quantity": None, "face": None}
        return usual._replace(question=f"You can only call the last bid {last}.", answer=call, text="call")
    return usual._replace(question=f"Do you call the last bid {last}, or make a higher bid?")


def _bid(quantity: int, face: int) -> str:
    return f"{quantity}x{face} ({spelled(quantity, face)})"


def log_text(observation: Observation) -> str:
    """Everything this viewer witnessed."""
    return "\n".join(f"player {e.seat}: {e.what}" if e.seat else e.what for e in observation.events) or "None"


def json_text(observation: Observation) -> str:
    data: dict[str, Json] = {key: value for key, value in observation.data.items() if key != "over"}
    data["bids"] = data["bids"][-_SHOWN:]
    if data["last_round"] is not None:
        data["last_round"] = {key: value for key, value in data["last_round"].items() if key not in ("bids", "loses")}
    return json.dumps(data)


# -------------------------------------------------------------------- picture

_SIDE: Final = 40
_STEP: Final = 48
_ROW: Final = 58
_EDGE: Final = 116
_PIPS: Final = {
    1: (4,),
    2: (0, 8),
    3: (0, 4, 8),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}
"""Which of the nine places of a die's face, row by row, carry a pip."""


def dice_svg(observation: Observation) -> str:
    """One row of dice for each player, and the last bid below."""
    data = observation.data
    hands = data["last_round"]["hands"] if data["over"] else data["hands"]
    bids = data["last_round"]["bids"] if data["over"] else data["bids"]
    counts = {seat: len(hand) for seat, hand in hands.items()} if data["over"] else data["dice"]
    parts = []
    for row, (seat, count) in enumerate(counts.items()):
        y = 12 + row * _ROW
        parts.append(label(_EDGE / 2, y + _SIDE / 2, f"Player {seat}", 20))
        if not count:
            parts.append(label(_EDGE + 22, y + _SIDE / 2, "out", 18, "#777777"))
        for i in range(count):
            parts.append(_die(_EDGE + i * _STEP, y, hands[seat][i] if hands[seat] else None))
    y = 12 + len(counts) * _ROW
    parts.append(f'<path d="M12 {y - 4}H{_width(counts) - 12}" stroke="#bbbbbb"/>')
    parts += _last_bid(bids, y + 8)
    return picture(_width(counts), y + _ROW + 6, "dice and last bid", parts, "#f4f1e8")


def _width(counts: dict[str, int]) -> int:
    return _EDGE + max(*counts.values(), 5) * _STEP + 8


def _last_bid(bids: Sequence[Sequence[Any]], y: float) -> list[str]:
    if not bids:
        return [label(_EDGE / 2, y + _SIDE / 2, "no bid yet", 18, "#777777")]
    seat, quantity, face = bids[-1]
    words = label(_EDGE / 2 + 24, y + _SIDE / 2, f"Player {seat} bids", 18)
    return [words, label(_EDGE + 78, y + _SIDE / 2, f"{quantity} x", 24), _die(_EDGE + 112, y, face)]


def _die(x: float, y: float, face: int | None) -> str:
    """A die, or a cup over one that this viewer cannot see."""
    if face is None:
        body = f'<path d="M{x + 8} {y + 3}H{x + 32}L{x + 38} {y + 38}H{x + 2}Z" fill="#8a5a33" stroke="#5a3818"/>'
        return body + f'<path d="M{x + 5} {y + 26}H{x + 35}" stroke="#5a3818" stroke-width="2"/>'
    third = _SIDE / 4
    pips = "".join(
        f'<circle cx="{x + third * (1 + place % 3):g}" cy="{y + third * (1 + place // 3):g}" r="4" fill="#222222"/>'
        for place in _PIPS[face]
    )
    square = f'<rect x="{x:g}" y="{y:g}" width="{_SIDE}" height="{_SIDE}" rx="7" fill="#ffffff" stroke="#444444"/>'
    return square + pips


# ---------------------------------------------------------------------- views

_TABLE_WORDS = (
    "You are shown the dice in play, your own dice, how the round before ended if there was one, the bids of this "
    "round (the latest of them in a long round), and what you may do. A bid is written as quantity, x, face: 3x5 is "
    "three fives. The game now stands like this:"
)
_LOG_WORDS = (
    "Everything that you have seen is listed in the order it happened. A bid is written as quantity, x, face: 3x5 is "
    "three fives. What you have seen so far:"
)
_JSON_WORDS = (
    "The game is given as JSON. dice says how many dice each player has, by the player's number; hands shows what they "
    "show, null where you cannot see it; bids lists the latest bids of this round, each with the player's number, the "
    "quantity and the face; last_round tells how the round before ended, null in the first. The game now stands like "
    "this:"
)
_IMAGE_WORDS = (
    "The table is shown in the attached picture: one row for each player, with dice whose faces you can see and dice "
    "under a cup whose faces you cannot, and below them the last bid as a quantity, x, and a die. The game now stands "
    "like this:"
)

VIEWS: Final = {
    view.name: view
    for view in (
        View("table", lambda o: _TABLE_WORDS, table_text),
        View("log", lambda o: _LOG_WORDS, log_text),
        View("json", lambda o: _JSON_WORDS, json_text),
        View("image", lambda o: _IMAGE_WORDS, dice_svg, kind="image"),
    )
}
