"""The map as a picture: territories as discs in the colour of their owner, on continents, joined by their borders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ludometer.core import Json, Observation
from ludometer.games._boards import picture
from ludometer.games._places import Place
from ludometer.games.risk.board import RiskMap, load_map

__all__ = ["places", "svg"]

_COLOURS = ("#c0392b", "#1f5fa8", "#23813d", "#e0a100", "#7b3fa0", "#0f8b8d")
_NEUTRAL = "#8a8f94"
_FREE = "#ffffff"
_SEA, _LAND, _INK = "#e9f1f7", 78, "#22303a"
_RADIUS = 19
_FOOT = 106
_FONT = "DejaVu Sans, Arial, Helvetica, sans-serif"


def svg(observation: Observation) -> str:
    """The observation as SVG source."""
    data = observation.data
    board = load_map(data["map"])
    width, height = board.size
    parts = [_ground(board.name), *_discs(board, data), *_legend(data, width, height)]
    return picture(width, height + _FOOT, f"Risk, {board.name} map", parts, _SEA)


def places(observation: Observation) -> list[Place]:
    """The territories' discs."""
    board = load_map(observation.data["map"])
    found = []
    for name, (x, y) in zip(board.names, board.points, strict=True):
        one = observation.data["territories"][name]
        owner = one["owner"]
        whose = "free" if owner is None else "neutral" if owner == "neutral" else f"of Player {owner}"
        corner = (x - _RADIUS, y - _RADIUS)
        found.append(Place(name, *corner, 2 * _RADIUS, 2 * _RADIUS, f"{one['armies']} armies, {whose}"))
    return found


def _text(
    x: float, y: float, text: str, size: float, *, fill: str = _INK, anchor: str = "middle", bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{fill}"{weight} '
        f'font-family="{_FONT}">{text}</text>'
    )


@lru_cache(maxsize=8)
def _ground(map_name: str) -> str:
    """What is under the discs: the same for every position."""
    board = load_map(map_name)
    return "".join((*_continents(board), *_borders(board)))


def _continents(board: RiskMap) -> Iterator[str]:
    """Each continent as broad strokes along its inner borders, which run together into one shape; triangles of borders
    are filled."""
    for continent in board.continents:
        strokes = [f"M{board.points[t][0]} {board.points[t][1]}h0" for t in continent.members]
        fills = []
        for t in continent.members:
            near = [other for other in board.neighbours[t] if other > t and other in continent.members]
            strokes += [_path(board, t, other) for other in near]
            fills += [f"{_path(board, t, a, b)}Z" for a in near for b in near if a < b and b in board.neighbours[a]]
        yield (
            f'<g opacity="0.6"><path d="{"".join(strokes)}" stroke="{continent.colour}" stroke-width="{_LAND}" '
            f'stroke-linecap="round" stroke-linejoin="round" fill="none"/>'
            f'<path d="{"".join(fills)}" fill="{continent.colour}"/></g>'
        )


def _path(board: RiskMap, *territories: int) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in (board.points[t] for t in territories))


def _borders(board: RiskMap) -> Iterator[str]:
    lines = []
    for t, others in enumerate(board.neighbours):
        for other in others:
            if t < other and {t, other} != set(board.around):
                lines.append(_path(board, t, other))
    west, east = sorted(board.around, key=lambda t: board.points[t][0])
    (x, y), (u, v) = board.points[west], board.points[east]
    lines.append(f"M{x} {y}L0 {y - 12}M{u} {v}L{board.size[0]} {v - 12}")
    yield f'<path d="{"".join(lines)}" stroke="#5c6b76" stroke-width="2" stroke-dasharray="5 4" fill="none"/>'


def _colour(owner: str | None) -> str:
    if owner is None:
        return _FREE
    return _NEUTRAL if owner == "neutral" else _COLOURS[int(owner) - 1]


def _discs(board: RiskMap, data: Mapping[str, Json]) -> Iterator[str]:
    for name, (x, y) in zip(board.names, board.points, strict=True):
        one = data["territories"][name]
        fill = _colour(one["owner"])
        moving = data["moving"] is not None and name in (data["moving"]["from"], data["moving"]["to"])
        rim, stroke = ("#111111", 4) if moving else ("#ffffff", 2.5)
        yield f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{fill}" stroke="{rim}" stroke-width="{stroke}"/>'
        ink = _INK if one["owner"] is None else "#ffffff"
        yield _text(x, y + 6.5, str(one["armies"]), 18, fill=ink, bold=True)
        first, second = _lines(name)
        yield _name(x, y + _RADIUS + 13, first)
        if second:
            yield _name(x, y + _RADIUS + 25, second)


def _name(x: float, y: float, text: str) -> str:
    """Text with a light rim, so that it can be read on top of lines."""
    return _text(x, y, text, 11.5).replace(
        "<text ", '<text stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke" ', 1
    )


def _lines(name: str) -> tuple[str, str]:
    """A long name on two lines."""
    first, _, last = name.rpartition(" ")
    if len(name) <= 14 or not first:
        return name, ""
    return (first, last) if last != "States" else (name.split(" ")[0], "United States")


def _legend(data: Mapping[str, Json], width: int, height: int) -> Iterator[str]:
    players = data["players"]
    yield f'<rect x="0" y="{height}" width="{width}" height="{_FOOT}" fill="#ffffff"/>'
    neutral = sum(one["owner"] == "neutral" for one in data["territories"].values())
    entries = [
        (_COLOURS[int(p["seat"]) - 1], p["title"], _status(p), p["seat"] == data["player"] and data["phase"] != "over")
        for p in players
    ]
    if neutral:
        entries.append((_NEUTRAL, "Neutral", [f"{neutral} territories"], False))
    step = (width - 30) / max(len(entries), 4)
    for i, (colour, title, status, acts) in enumerate(entries):
        x = 30 + i * step
        yield f'<circle cx="{x:g}" cy="{height + 24}" r="10" fill="{colour}"/>'
        yield _text(x + 17, height + 22, title + (" (to act)" if acts else ""), 13, anchor="start", bold=acts)
        for line, words in enumerate(status):
            yield _text(x + 17, height + 36 + 13 * line, words, 10.5, anchor="start")
    yield _text(20, height + 72, _note(data), 12.5, anchor="start")
    if data["hand"]:
        cards = ", ".join(card["name"] for card in data["hand"])
        yield _text(20, height + 92, f"Your cards: {cards}", 12.5, anchor="start")


def _status(player: Mapping[str, Json]) -> list[str]:
    if player["eliminated"]:
        return ["eliminated"]
    place = f", {player['to_place']} to place" if player["to_place"] else ""
    return [f"{player['territories']} terr., {player['armies']} armies", f"cards: {player['cards']}{place}"]


def _note(data: Mapping[str, Json]) -> str:
    turn = f"Turn {data['round']} of {data['max_turns']}. " if data["round"] else "Set-up. "
    phase = {
        "over": "The game is over.",
        "pick": "A free territory is to be picked.",
        "attack": "Attacks, a fortification, or the end of the turn.",
    }.get(data["phase"])
    if data["phase"] == "move":
        moving = data["moving"]
        phase = f"{moving['least']} to {moving['most']} armies move from {moving['from']} into {moving['to']}."
    elif data["must_trade"]:
        phase = "A set of cards must be traded in."
    elif phase is None:
        phase = f"Armies to be placed: {data['to_place']}."
    value = f" The next set of cards is worth {data['next_set']} armies." if data["next_set"] else ""
    return f"{turn}{phase}{value}"
