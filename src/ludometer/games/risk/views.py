"""Positions as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludometer.core import Json, Observation, View, Watcher
from ludometer.games.risk.board import RiskMap, load_map
from ludometer.games.risk.picture import svg

__all__ = ["VIEWS"]

_TABLE_WORDS = (
    "The territories are listed by continent, each with its owner (P1 for Player 1, N for Neutral) and its armies; an "
    "asterisk marks yours. Then come your territories that border on others, with those neighbours; the players; your "
    "cards; and what happened since your last turn. The position now is:"
)
_LOG_WORDS = (
    "Everything that happened so far is listed in order, and then the position: territories by continent, each with "
    "its owner (P1 for Player 1, N for Neutral) and its armies. The game so far:"
)
_JSON_WORDS = (
    "The position is given as JSON: territories with owner (a player's number, or neutral) and armies, the players "
    "with their counts, your hand of cards, and what happened since your last turn. The position now is:"
)
_IMAGE_WORDS = (
    "The map is shown in the attached picture. A disc is a territory in the colour of its owner (the legend below "
    "names the players), with its armies inside; lines are borders. Below stand your cards and the phase. The position "
    "now is:"
)


def _table(observation: Observation) -> str:
    data = observation.data
    board = load_map(data["map"])
    parts = [_head(data), _territories(board, observation), _borders(board, observation), _players(data)]
    parts += [_cards(data), _recent(data)]
    return "\n\n".join(part for part in parts if part)


def _own(observation: Observation) -> str:
    """The seat whose side the position is shown from: the viewer's, or for a watcher that of who is to act."""
    return str(observation.data["player"]) if isinstance(observation.viewer, Watcher) else observation.viewer


def _head(data: Mapping[str, Json]) -> str:
    turn = f"Turn {data['round']} of {data['max_turns']}" if data["round"] else "Set-up"
    return f"{turn}. {_phase(data)}"


def _phase(data: Mapping[str, Json]) -> str:
    who, phase = f"Player {data['player']}", data["phase"]
    if phase == "over":
        return "The game is over."
    if phase == "pick":
        return f"{who} picks a free territory."
    if phase == "move":
        moving = data["moving"]
        armies = f"{moving['least']} to {moving['most']}"
        return (
            f"{who} conquered {moving['to']} from {moving['from']}: {armies} armies move in "
            f"({moving['least']} are there already)."
        )
    if phase == "attack":
        return f"{who} attacks, fortifies or ends the turn."
    if data["must_trade"]:
        return f"{who} must trade in a set of cards."
    return f"{who} has {_count(data['to_place'], 'army', 'armies')} to place."


def _short(owner: str | None) -> str:
    return "-" if owner is None else "N" if owner == "neutral" else f"P{owner}"


def _territories(board: RiskMap, observation: Observation) -> str:
    found, own, lines = observation.data["territories"], _own(observation), []
    for continent in board.continents:
        cells = []
        for number in continent.members:
            name = board.names[number]
            one = found[name]
            mark = "*" if one["owner"] == own else ""
            cells.append(f"{name} {_short(one['owner'])}{mark} {one['armies']}")
        lines.append(f"{continent.name} (+{continent.bonus}): {', '.join(cells)}")
    return "\n".join(lines)


def _borders(board: RiskMap, observation: Observation) -> str:
    found, own = observation.data["territories"], _own(observation)
    lines = []
    for number, name in enumerate(board.names):
        if found[name]["owner"] != own:
            continue
        others = [board.names[t] for t in board.neighbours[number]]
        foreign = [f"{t} {_short(found[t]['owner'])} {found[t]['armies']}" for t in others if found[t]["owner"] != own]
        friends = [f"{t} {found[t]['armies']}" for t in others if found[t]["owner"] == own]
        if foreign:
            also = f"; own: {', '.join(friends)}" if friends else ""
            lines.append(f"  {name} {found[name]['armies']} - {', '.join(foreign)}{also}")
    whose = "Your borders" if own == observation.viewer else f"Borders of Player {own}"
    return "\n".join([f"{whose}:", *lines]) if lines else ""


def _players(data: Mapping[str, Json]) -> str:
    lines = []
    for player in data["players"]:
        if player["eliminated"]:
            lines.append(f"  {player['title']}: eliminated")
            continue
        held = f" (holds {', '.join(player['continents'])})" if player["continents"] else ""
        left = f", {player['to_place']} still to place" if not data["round"] else ""
        armies = _count(player["armies"], "army", "armies")
        lines.append(
            f"  {player['title']}: {player['territories']} territories, {armies}{left}, "
            f"{_count(player['cards'], 'card')}, next turn {player['reinforcements']} armies{held}"
        )
    return "\n".join(["Players:", *lines])


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _cards(data: Mapping[str, Json]) -> str:
    value = f" The next set traded in is worth {data['next_set']} armies." if data["next_set"] else ""
    if data["hands"] is not None:
        hands = [f"Player {seat}: {_hand(hand)}" for seat, hand in data["hands"].items() if hand]
        return f"Cards: {'; '.join(hands) or 'none'}.{value}"
    if data["hand"] is None:
        return value.strip()
    now = " You may trade in a set now." if data["may_trade"] and not data["must_trade"] else ""
    return f"Your cards: {_hand(data['hand'])}.{value}{now}"


def _hand(hand: Any) -> str:
    return ", ".join(card["name"] for card in hand) or "none"


def _recent(data: Mapping[str, Json]) -> str:
    lines = [f"  Player {seat} {what}" for seat, what in data["recent"]]
    return "\n".join(["Recently:", *lines]) if lines else ""


def _log(observation: Observation) -> str:
    board = load_map(observation.data["map"])
    lines = [f"{i}. Player {event.seat} {event.what}" for i, event in enumerate(observation.events, 1)]
    parts = ["\n".join(lines) or "Nothing yet.", _head(observation.data), _territories(board, observation)]
    return "\n\n".join([*parts, _cards(observation.data)])


def _json(observation: Observation) -> str:
    shown = {key: value for key, value in observation.data.items() if value is not None}
    return json.dumps(shown, ensure_ascii=False)


VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View("table", lambda o: _TABLE_WORDS, _table),
        View("log", lambda o: _LOG_WORDS, _log),
        View("json", lambda o: _JSON_WORDS, _json),
        View("image", lambda o: _IMAGE_WORDS, svg, kind="image"),
    )
}
