"""A game on the page: its positions as pictures, and rejected answers where they happened."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ludometer.reports.markup import Child, Markup, element

__all__ = ["drawn_game"]

Data = Mapping[str, Any]


def drawn_game(game: Data) -> Markup:
    """A game of `example_games`, move by move, with what was refused."""
    players = ", ".join(f"{seat}: {name}" for seat, name in game["seats"].items())
    condition = f", {game['condition']}" if game["condition"] else ""
    if game["opening"]:
        condition += f", after the opening {' '.join(game['opening'])}"
    steps = [_step(step) for step in game["steps"]]
    more = f"{game['steps_left_out']} more steps are not drawn." if game["steps_left_out"] else None
    return element(
        "div",
        element("h3", f"Match {game['number']}: {players}"),
        element("p", f"{game['game']}{condition}. {game['ending']}: {game['why']}.", class_="small"),
        element("ol", steps, class_="steps"),
        None if more is None else element("p", more, class_="small"),
        class_="game",
    )


def _step(step: Data) -> Child:
    refused = [element("li", _refusal(attempt), class_="bad") for attempt in step["rejected"]]
    if not step["moves"]:
        return refused
    moves = ", ".join(f"{seat} {move}" for seat, move in step["moves"].items())
    return [*refused, element("li", _board(step), element("span", f"{step['number']}. {moves}", class_="small"))]


def _board(step: Data) -> Markup:
    if step["svg"] is None:
        return element("pre", step["text"])
    # As an image and not inline: a picture that a game's plug-in drew can run nothing and reach nothing.
    coded = base64.b64encode(str(step["svg"]).encode()).decode("ascii")
    return element("img", src=f"data:image/svg+xml;base64,{coded}", alt=step["text"], loading="lazy")


def _refusal(attempt: Data) -> Child:
    who = f"{attempt['entrant'] or attempt['seat']} ({attempt['seat']})"
    kind = str(attempt["kind"]).replace("_", " ")
    more = f" … {attempt['more']} more characters" if attempt["more"] else ""
    return [
        element("span", f"{who}, refused ({kind}): {attempt['reason']}", class_="small"),
        element("pre", f"{attempt['answer']}{more}" or "(empty)"),
    ]
