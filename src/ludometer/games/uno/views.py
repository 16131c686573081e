"""The renderings of an observation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from ludometer.core import Event, Observation, View
from ludometer.games.uno.picture import drawn_table
from ludometer.games.uno.state import Options
from ludometer.games.uno.words import name, question, statistics_of

__all__ = ["uno_views"]

_TABLE_WORDS = (
    "You are shown the top of the discard pile, the colour in force, the number of cards in the draw pile and in every "
    "hand, your own hand, what happened lately (the latest last), and the decision that is asked. The players are "
    "listed in the order of play, whoever is to act first. The game now:"
)
_COUNTS_WORDS = _TABLE_WORDS.replace(", and the decision", ", what can be counted so far, and the decision")
_LOG_WORDS = _TABLE_WORDS.replace("what happened lately (the latest last)", "everything that has happened in order")
_JSON_WORDS = (
    "The game is given as JSON. top is the top card of the discard pile, colour the colour in force, before the one in "
    "force before the last wild card; pile counts the cards left to draw; order lists the players in the order of "
    "play, whoever is to act first; hand_sizes counts their cards and hand lists your own; seen counts the cards on "
    "the discard pile; possible says how many cards of each hand can be of a colour for all that is known; lately is "
    "what happened, the latest last. The game now:"
)
_IMAGE_WORDS = (
    "The table is shown in the attached picture: in the middle the discard pile with the colour in force below, the "
    "draw pile with the number of its cards and the direction of play; around it the other players with the number of "
    "their cards; at the bottom your own hand. The table now:"
)


def uno_views(options: Options) -> Mapping[str, View]:
    """The default, which is short whatever the length of the match, first."""

    def text(view: str, words: str, render: Callable[[Observation], str]) -> View:
        return View(view, lambda o: words, render)

    views = (
        text("table", _TABLE_WORDS, lambda o: _page(o, options, _lately(o))),
        text("counts", _COUNTS_WORDS, lambda o: _page(o, options, _lately(o), statistics_of(o))),
        text("log", _LOG_WORDS, lambda o: _page(o, options, o.events)),
        text("json", _JSON_WORDS, lambda o: _as_json(o, options)),
        View("image", lambda o: _IMAGE_WORDS, drawn_table, kind="image"),
    )
    return {view.name: view for view in views}


def _lately(observation: Observation) -> tuple[Event, ...]:
    """The last few events: at least everything since the viewer's last turn, as a rule."""
    return observation.events[-(8 + 3 * len(observation.data["hand_sizes"])) :]


def _page(observation: Observation, options: Options, events: tuple[Event, ...], counted: str = "") -> str:
    data = observation.data
    lines = [
        f"Top of the discard pile: {data['top']}. Colour in force: {_colour(observation)}.",
        f"Draw pile: {_cards(data['pile'])}. Direction of play: {data['direction']}.",
        "Players:",
        *(f"  {_player(observation, seat)}" for seat in _order(observation)),
        *_hands(observation),
        "What happened" + (" lately:" if len(events) < len(observation.events) else ":"),
        *(f"  {_sentence(observation, event)}" for event in events),
        *([f"What can be counted so far:\n{counted}"] if counted else []),
        question(observation, options),
    ]
    return "\n".join(lines)


def _colour(observation: Observation) -> str:
    data = observation.data
    return f"to be chosen (it was {data['before']})" if data["phase"] == "colour" else str(data["colour"])


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _order(observation: Observation) -> list[str]:
    """The seats in the order of play from the one that is to act."""
    data = observation.data
    seats = list(data["hand_sizes"])
    if data["direction"] != "clockwise":
        seats.reverse()
    first = seats.index(data["player"]) if data["player"] else 0
    return seats[first:] + seats[:first]


def _player(observation: Observation, seat: str) -> str:
    data = observation.data
    marks = [mark for mark, there in (("you", seat == observation.viewer), ("to act", seat == data["player"])) if there]
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"Player {seat}{marked}: {_cards(data['hand_sizes'][seat])}"


def _hands(observation: Observation) -> list[str]:
    shown = {seat: cards for seat, cards in observation.data["hands"].items() if cards is not None}
    return [
        f"{'Your hand' if seat == observation.viewer else f'Hand of Player {seat}'}: {', '.join(cards) or 'empty'}"
        for seat, cards in shown.items()
    ]


def _sentence(observation: Observation, event: Event) -> str:
    if event.seat is None:
        return event.what
    who = name(observation, event.seat)
    return f"{who[0].upper()}{who[1:]} {event.what}."


def _as_json(observation: Observation, options: Options) -> str:
    data = observation.data
    shown = {
        "top": data["top"],
        "colour": None if data["phase"] == "colour" else data["colour"],
        "before": data["before"],
        "pile": data["pile"],
        "direction": data["direction"],
        "order": [f"Player {seat}" for seat in _order(observation)],
        "hand_sizes": {f"Player {seat}": size for seat, size in data["hand_sizes"].items()},
        "hand": data["hands"].get(observation.viewer),
        "seen": data["seen"],
        "possible": {f"Player {seat}": most for seat, most in data["possible"].items() if seat != observation.viewer},
        "lately": [_sentence(observation, event) for event in _lately(observation)],
        "question": question(observation, options),
    }
    return json.dumps(shown, ensure_ascii=False)
