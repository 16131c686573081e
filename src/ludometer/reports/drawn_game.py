"""A game on the page: its positions as pictures, and rejected answers where they happened."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from ludometer.reports.markup import Child, Markup, element

__all__ = ["drawn_game"]

Data = Mapping[str, Any]

_VIEW_BOX = re.compile(r'viewBox="0 0 (\d{1,5}(?:\.\d{1,5})?) (\d{1,5}(?:\.\d{1,5})?)"')
_WIDE = 1.25
_BOARD_LINE = 24
"""Characters of the longest line of a board; what has longer ones is read as text."""
_LONGEST_MOVE = 300


def drawn_game(game: Data) -> Markup:
    """A game of `example_games`, move by move, with what was refused."""
    players = ", ".join(f"{_called(seat)}: {name}" for seat, name in game["seats"].items())
    condition = f", {game['condition']}" if game["condition"] else ""
    if game["opening"]:
        condition += f", after the opening {' '.join(game['opening'])}"
    steps = [_step(step) for step in game["steps"]]
    more = f"{game['steps_left_out']} more steps are not drawn." if game["steps_left_out"] else None
    return element(
        "div",
        element("h3", f"Match {game['number']}: {players}"),
        element("p", f"{game['game']}{condition}. {game['ending']}: {game['why']}.", class_="small"),
        element("ol", steps, class_="steps wide" if any(_is_wide(step) for step in game["steps"]) else "steps"),
        None if more is None else element("p", more, class_="small"),
        class_="game",
    )


def _called(seat: str) -> str:
    """A seat as people call it: where seats are numbers, a number alone would be taken for the move's."""
    return f"Player {seat}" if seat.isdecimal() else seat


def _is_wide(step: Data) -> bool:
    """Whether the step needs room: tables and maps, which are wider than high, and texts are unreadable at a board's
    size."""
    if step["svg"] is None:
        return any(len(line) > _BOARD_LINE for line in str(step["text"]).splitlines())
    box = _VIEW_BOX.search(str(step["svg"] or "")[:2000])
    return box is not None and float(box[1]) > _WIDE * float(box[2])


def _step(step: Data) -> Child:
    refused = [element("li", _refusal(attempt), class_="bad") for attempt in step["rejected"]]
    if not step["moves"]:
        return refused
    moves = ", ".join(f"{_called(seat)} {_clipped(str(move))}" for seat, move in step["moves"].items())
    return [*refused, element("li", _board(step), element("span", f"{step['number']}. {moves}", class_="small"))]


def _clipped(move: str) -> str:
    """A move that is a text or a program may be as long as a page; the position shows it too."""
    return move if len(move) <= _LONGEST_MOVE else f"{move[:_LONGEST_MOVE]}…"


def _board(step: Data) -> Markup:
    if step["svg"] is None:
        return element("pre", step["text"])
    # As an image and not inline: a picture that a game's plug-in drew can run nothing and reach nothing.
    coded = base64.b64encode(str(step["svg"]).encode()).decode("ascii")
    return element("img", src=f"data:image/svg+xml;base64,{coded}", alt=step["text"], loading="lazy")


def _refusal(attempt: Data) -> Child:
    seat = _called(str(attempt["seat"]))
    who = f"{attempt['entrant'] or seat} ({seat})"
    kind = str(attempt["kind"]).replace("_", " ")
    more = f" … {attempt['more']} more characters" if attempt["more"] else ""
    return [
        element("span", f"{who}, refused ({kind}): {attempt['reason']}", class_="small"),
        element("pre", f"{attempt['answer']}{more}" or "(empty)"),
    ]
