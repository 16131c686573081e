"""The table as a picture: own hand below, the others' backs around, the piles in the middle."""

from __future__ import annotations

from typing import Any, Final

from ludometer.core import Observation
from ludometer.games._boards import picture
from ludometer.games._places import Place
from ludometer.games.uno.cards import COLOURS

__all__ = ["card_places", "drawn_table"]

_WIDTH: Final = 720
_FELT: Final = "#1f5f4a"
_INK: Final = {"Red": "#d1312b", "Yellow": "#f2b90f", "Green": "#2f9440", "Blue": "#2169b8"}
_ON_LIGHT: Final = {**_INK, "Yellow": "#a87b00"}
_BLACK: Final = "#222"
_CARD: Final = (56, 84)
_SIGNS: Final = {"Draw Two": "+2", "Wild Draw Four": "+4", "Wild": "W"}
_LIGHT: Final = "#fff"
_FAINT: Final = "#d8e5df"
_FONT: Final = "DejaVu Sans, Arial, Helvetica, sans-serif"


def drawn_table(observation: Observation) -> str:
    """SVG source of what the viewer may know: the others around the piles and the own hand below; or, for who sees all
    hands, the piles on the left and the hands on the right."""
    data = observation.data
    shown = [seat for seat, cards in data["hands"].items() if cards is not None]
    everything = len(shown) == len(data["hands"])
    left, y = (340, 8.0) if everything else (0, 404.0)
    parts = _middle(data, 170, 110) if everything else [*_middle(data, _WIDTH / 2, 220), *_others(observation)]
    for seat in shown:
        lines = _rows(data["hands"][seat])
        parts += _hand(observation, seat, lines, left, y)
        y += 34 + len(lines) * 92
    # What most elements have in common is said once: a report holds many of these pictures.
    styled = [f'<g fill="{_LIGHT}" text-anchor="middle" font-family="{_FONT}">', *parts, "</g>"]
    return picture(left + _WIDTH, max(y + 8, 260), "UNO table", styled, background=_FELT)


def card_places(observation: Observation) -> list[Place]:
    """The cards of the viewer's own hand, and the draw pile."""
    data, own = observation.data, str(observation.viewer)
    cards = data["hands"].get(own)
    if cards is None or all(hand is not None for hand in data["hands"].values()):
        return []
    found = [Place("draw", _WIDTH / 2 - 86, 174, *_CARD, "the pile")]
    for i, line in enumerate(_rows(cards)):
        left = (_WIDTH - 58 * len(line)) / 2
        found += [Place(card, left + 58 * k + 1, 434 + 92 * i, *_CARD, "") for k, card in enumerate(line)]
    return found


def _label(x: float, y: float, text: str, size: float, fill: str = _LIGHT) -> str:
    """Text centred on a point."""
    own = "" if fill == _LIGHT else f' fill="{fill}"'
    return f'<text x="{x:g}" y="{y + size * 0.36:.4g}" font-size="{size:g}"{own}>{text}</text>'


def _rows(cards: list[str], per_row: int = 12) -> list[list[str]]:
    """A hand in lines; hands are sorted, so colours stay together."""
    return [cards[i : i + per_row] for i in range(0, len(cards), per_row)] or [[]]


def _hand(observation: Observation, seat: str, lines: list[list[str]], x: float, y: float) -> list[str]:
    data = observation.data
    mine = seat == observation.viewer
    title = "Your hand" if mine else f"Hand of Player {seat}"
    turn = " - to act" if seat == data["player"] else " - won" if seat in data["winners"] else ""
    parts = [_label(x + _WIDTH / 2, y + 12, f"{title} ({data['hand_sizes'][seat]}){turn}", 16)]
    for i, cards in enumerate(lines):
        left = x + (_WIDTH - 58 * len(cards)) / 2
        parts += [_face(left + 58 * k + 1, y + 30 + 92 * i, card) for k, card in enumerate(cards)]
    return parts


def _face(x: float, y: float, name: str, colour: str | None = None) -> str:
    """A card, face up; ``colour`` rims a wild card with the one chosen for it."""
    width, height = _CARD
    wild = name in ("Wild", "Wild Draw Four")
    own, _, rank = name.partition(" ")
    fill = _BLACK if wild else _INK[own]
    rim = _INK[colour] if colour else _LIGHT
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="7" fill="{fill}" stroke="{rim}" '
        f'stroke-width="{5 if colour else 3}"/>'
    ]
    middle_x, middle_y = x + width / 2, y + height / 2
    if wild:
        parts += _quarters(middle_x, y + 33)
        parts.append(_label(middle_x, y + 69, "Wild +4" if name != "Wild" else "Wild", 12))
        return "".join(parts)
    parts.append(f'<ellipse cx="{middle_x:g}" cy="{middle_y - 6:g}" rx="20" ry="26"/>')
    parts.append(_sign(middle_x, middle_y - 6, rank, _ON_LIGHT[own]))
    word = {"Draw Two": "Draw 2"}.get(rank, rank if not rank.isdigit() else own)
    parts.append(_label(middle_x, y + 73, word, 11, _BLACK if own == "Yellow" else _LIGHT))
    return "".join(parts)


def _quarters(x: float, y: float) -> list[str]:
    corners = ((-1, -1), (1, -1), (-1, 1), (1, 1))
    return [
        f'<rect x="{x + (dx - 1) * 9:g}" y="{y + (dy - 1) * 9:g}" width="17" height="17" fill="{_INK[colour]}"/>'
        for colour, (dx, dy) in zip(COLOURS, corners, strict=True)
    ]


def _sign(x: float, y: float, rank: str, fill: str) -> str:
    """The number, or a drawn sign for a function: fonts differ in the characters that they have."""
    if rank == "Skip":
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="13" fill="none" stroke="{fill}" stroke-width="4"/>'
            f'<path d="M{x - 9:g} {y + 9:g}L{x + 9:g} {y - 9:g}" stroke="{fill}" stroke-width="4"/>'
        )
    if rank == "Reverse":
        return "".join(_arrow(x + dx, y, 26 * up, fill) for dx, up in ((-7, 1), (7, -1)))
    return _label(x, y, _SIGNS.get(rank, rank), 28 if rank.isdigit() else 22, fill)


def _arrow(x: float, y: float, length: float, fill: str) -> str:
    """An upright arrow of a length (downwards where it is negative)."""
    end, start, head = y - length / 2, y + length / 2, 7 if length > 0 else -7
    return (
        f'<path d="M{x:g} {start:g}V{end + head:g}M{x - 6:g} {end + head:g}L{x:g} {end:g}L{x + 6:g} {end + head:g}" '
        f'fill="none" stroke="{fill}" stroke-width="4"/>'
    )


def _back(x: float, y: float, width: float = 30, height: float = 45) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" fill="{_BLACK}" stroke="{_LIGHT}" '
        f'stroke-width="2"/><ellipse cx="{x + width / 2:g}" cy="{y + height / 2:g}" rx="{width * 0.3:g}" '
        f'ry="{height * 0.34:g}" fill="#b3332e"/>'
    )


def _middle(data: Any, x: float, y: float) -> list[str]:
    """Discard pile, colour in force, draw pile, direction, around a point."""
    colour = data["colour"]
    wild = data["top"] in ("Wild", "Wild Draw Four")
    asked = data["phase"] in ("colour", "challenge")
    chosen = None if data["phase"] == "colour" else colour
    words = "Colour: to be chosen" if chosen is None else f"Colour: {colour}"
    return [
        _back(x - 86, y - 46, *_CARD),
        _label(x - 58, y + 54, f"pile: {data['pile']}", 14),
        _face(x + 30, y - 46, data["top"], chosen if wild else None),
        f'<rect x="{x - 84:g}" y="{y + 74:g}" width="168" height="26" rx="13" '
        f'fill="{_INK[colour] if chosen else _BLACK}" stroke="{_LIGHT}" stroke-width="2"/>',
        _label(x, y + 87, words, 14, _BLACK if chosen == "Yellow" else _LIGHT),
        *(_before(data, x, y + 118) if asked else []),
        *_direction(x, y - 78, clockwise=data["direction"] == "clockwise"),
    ]


def _before(data: Any, x: float, y: float) -> list[str]:
    who = data["previous"] if data["phase"] == "challenge" else data["player"]
    return [
        _label(x, y, f"Player {who} played {data['top']};", 14),
        _label(x, y + 20, f"the colour was {data['before']}", 14),
    ]


def _direction(x: float, y: float, *, clockwise: bool) -> list[str]:
    word = "clockwise" if clockwise else "counterclockwise"
    side = 1 if clockwise else -1
    end = x + side * 84
    return [
        f'<path d="M{x - side * 84:g} {y + 10:g}Q{x:g} {y - 16:g} {end:g} {y + 10:g}" fill="none" stroke="{_FAINT}" '
        f'stroke-width="3"/>',
        f'<path d="M{end - side * 13:g} {y - 3:g}L{end:g} {y + 10:g}L{end - side * 17:g} {y + 11:g}" fill="none" '
        f'stroke="{_FAINT}" stroke-width="3"/>',
        _label(x, y + 14, word, 13, _FAINT),
    ]


def _others(observation: Observation) -> list[str]:
    """Everybody but the viewer, clockwise from the viewer's left; watchers see all the seats so."""
    data = observation.data
    seats = list(data["hand_sizes"])
    first = seats.index(str(observation.viewer)) + 1 if observation.viewer in seats else 0
    others = [seat for seat in seats[first:] + seats[:first] if seat != observation.viewer]
    return [part for seat, (x, y) in zip(others, _chairs(len(others)), strict=True) for part in _seat(data, seat, x, y)]


def _chairs(count: int) -> list[tuple[float, float]]:
    """Places up the left side, along the top and down the right side."""
    side = min(3, count // 3)
    top = count - 2 * side
    heights = [150 + 92 * i for i in range(side)]
    middles = [_WIDTH * (2 * i + 1) / (2 * top) for i in range(top)]
    left = [(88.0, float(y)) for y in reversed(heights)]
    return left + [(x, 44.0) for x in middles] + [(_WIDTH - 88.0, float(y)) for y in heights]


def _seat(data: Any, seat: str, x: float, y: float) -> list[str]:
    size = data["hand_sizes"][seat]
    backs = min(size, 7)
    step = 11
    left = x - (30 + step * (backs - 1)) / 2
    below = "".join(f"M{left + step * k:g} {y - 22:g}h{step}v45h-{step}z" for k in range(backs - 1))
    parts = [f'<path d="{below}" fill="{_BLACK}" stroke="{_LIGHT}" stroke-width="2"/>'] if below else []
    parts += [_back(left + step * (backs - 1), y - 22)] if backs else []
    marks = ", to act" if seat == data["player"] else ", next" if seat == data["next"] else ""
    if data["player"] is None:
        marks = ", won" if seat in data["winners"] else ""
    parts.append(_label(x, y + 36, f"Player {seat}: {size}{marks}", 14))
    if marks == ", to act":
        parts.append(
            f'<rect x="{x - 74:g}" y="{y - 30:g}" width="148" height="80" rx="10" fill="none" stroke="#f2b90f" '
            f'stroke-width="2.5"/>'
        )
    return parts
