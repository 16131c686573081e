"""The poker table as a picture: felt, board and pot in the middle, players around it, the viewer at the bottom."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ludometer.core import Observation
from ludometer.games._boards import label
from ludometer.games._boards import picture as framed

__all__ = ["picture"]

_WIDTH, _HEIGHT = 900, 640
_MIDDLE = (450, 318)
_SUITS = {
    "c": "M0 -9a4.6 4.6 0 0 1 4 7a4.8 4.8 0 1 1 -2.6 7.4l1.6 4.6h-6l1.6 -4.6a4.8 4.8 0 1 1 -2.6 -7.4"
    "a4.6 4.6 0 0 1 4 -7z",
    "d": "M0 -10L7 0L0 10L-7 0z",
    "h": "M0 9C-13 -2 -8 -10 -3.5 -9C-1.5 -8.6 0 -7 0 -5C0 -7 1.5 -8.6 3.5 -9C8 -10 13 -2 0 9z",
    "s": "M0 -10C3 -5 9 -2 9 3C9 7 4 8 1.2 5L3 10h-6L-1.2 5C-4 8 -9 7 -9 3C-9 -2 -3 -5 0 -10z",
}
_RED = "#c0272d"
_BLACK = "#1a1a1a"


def picture(observation: Observation) -> str:
    """SVG source of an observation."""
    data = observation.data
    felt = (
        f'<ellipse cx="{_MIDDLE[0]}" cy="{_MIDDLE[1]}" rx="330" ry="180" fill="#2f6f4f" stroke="#5b3a1e" '
        'stroke-width="14"/>'
    )
    parts = [felt, *_centre(data), *(part for i in range(len(data["seats"])) for part in _seat(data, i))]
    return framed(_WIDTH, _HEIGHT, "poker table", parts)


def _centre(data: Mapping[str, Any]) -> Iterator[str]:
    for i in range(5):
        x, y = _MIDDLE[0] - 110 + 55 * i, _MIDDLE[1] - 20
        if i < len(data["board"]):
            yield _card(x, y, data["board"][i])
        else:
            yield (
                f'<rect x="{x - 23}" y="{y - 32}" width="46" height="64" rx="6" fill="none" stroke="#5f9a7c" '
                'stroke-width="2"/>'
            )
    said = "match over" if data["over"] else f"pot {data['pot']}"
    yield label(_MIDDLE[0], _MIDDLE[1] + 36, said, 22, "#ffffff")
    if len(data["pots"]) > 1:
        pots = " + ".join(str(pot["amount"]) for pot in data["pots"])
        yield label(_MIDDLE[0], _MIDDLE[1] + 62, f"pots {pots}", 16, "#dfeee6")
    hands = "" if data["hands"] == "one_left" else f" of {data['hands']}"
    title = f"hand {data['hand']}{hands}, blinds {data['blinds'][0]}/{data['blinds'][1]}"
    yield label(_MIDDLE[0], _MIDDLE[1] - 74, title + (f", ante {data['ante']}" if data["ante"] else ""), 16, "#dfeee6")


def _seat(data: Mapping[str, Any], index: int) -> Iterator[str]:
    seats = data["seats"]
    seat, n = seats[index], len(seats)
    own = next((i for i, one in enumerate(seats) if one["seat"] == data["you"]), 0)
    angle = math.pi / 2 + 2 * math.pi * (index - own) / n
    x, y = round(_MIDDLE[0] + 370 * math.cos(angle)), round(_MIDDLE[1] + 232 * math.sin(angle))
    acting = data["turn"] is not None and data["turn"]["seat"] == seat["seat"]
    gone = seat["state"] in ("out", "folded")
    fill, edge = ("#dddddd" if gone else "#ffffff"), ("#e08a00" if acting else "#777777")
    if seat["state"] in ("in", "all-in") or seat["cards"]:
        cards = seat["cards"] or [None, None]
        for k, card in enumerate(cards):
            yield _card(x - 25 + 50 * k, y - 38, card)
    yield (
        f'<rect x="{x - 74}" y="{y - 8}" width="148" height="54" rx="9" fill="{fill}" stroke="{edge}" '
        f'stroke-width="{5 if acting else 2}"/>'
    )
    place = f" {seat['position']}" if seat["position"] else ""
    yield label(x, y + 7, f"Player {seat['seat']}{place}", 16, "#333333")
    chips = str(seat["stack"]) if seat["state"] == "in" else f"{seat['stack']} {seat['state']}"
    yield label(x, y + 30, "out" if seat["state"] == "out" else chips, 17, "#111111")
    if seat["bet"]:
        near_x, near_y = round(_MIDDLE[0] + 235 * math.cos(angle)), round(_MIDDLE[1] + 118 * math.sin(angle))
        yield f'<circle cx="{near_x}" cy="{near_y}" r="8" fill="#f2c14e" stroke="#7a5c12" stroke-width="2"/>'
        yield label(near_x, near_y + 20, str(seat["bet"]), 17, "#ffffff")


def _card(x: int, y: int, card: str | None) -> str:
    """A card around a point; None for its back."""
    if card is None:
        return (
            f'<rect x="{x - 23}" y="{y - 32}" width="46" height="64" rx="6" fill="#34558b" stroke="#ffffff" '
            f'stroke-width="3"/><rect x="{x - 16}" y="{y - 25}" width="32" height="50" rx="3" fill="none" '
            'stroke="#9db5dc" stroke-width="2"/>'
        )
    colour = _RED if card[1] in "dh" else _BLACK
    rank = "10" if card[0] == "T" else card[0]
    return (
        f'<rect x="{x - 23}" y="{y - 32}" width="46" height="64" rx="6" fill="#ffffff" stroke="#555555" '
        f'stroke-width="1.5"/>{label(x - 8, y - 17, rank, 24 if len(rank) == 1 else 20, colour)}'
        f'<path transform="translate({x + 13} {y - 16}) scale(0.7)" d="{_SUITS[card[1]]}" fill="{colour}"/>'
        f'<path transform="translate({x + 2} {y + 12}) scale(1.3)" d="{_SUITS[card[1]]}" fill="{colour}"/>'
    )
