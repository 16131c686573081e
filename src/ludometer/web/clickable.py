"""Pictures of games with places that can be pointed at.

Every place of a game's picture that means a legal action, or a part of one, gets a transparent rectangle over it:
``data-action`` holds the action, ``data-square`` the part. The picture that models see stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Protocol, runtime_checkable

from ludometer.core import AnyGame, Observation
from ludometer.games._places import Place

__all__ = ["HasParts", "HasPlaces", "clickable", "located"]


@runtime_checkable
class HasPlaces(Protocol):
    """A game whose picture has places to point at (see `ludometer.games._places.Place`)."""

    def places(self, observation: Observation) -> Sequence[Place]: ...


@runtime_checkable
class HasParts(Protocol):
    """A game whose actions are narrowed by parts that its notation does not show, such as the squares of a move."""

    def parts(self, observation: Observation, notation: str, action: Any) -> Sequence[str]: ...


def clickable(svg: str, game: AnyGame, observation: Observation, legal: Sequence[Mapping[str, Any]]) -> str:
    """The picture with its places.

    Args:
        legal: actions as `ludometer.web.choices.choices` gives them.
    """
    if not isinstance(game, HasPlaces) or not svg.rstrip().endswith("</svg>"):
        return svg
    actions = {choice["action"]: choice for choice in legal}
    single = {choice["parts"][0]: choice["action"] for choice in legal if len(choice["parts"]) == 1}
    # A square is a part even where it is a move's own name, as of a pawn's.
    parts = {part for choice in legal if len(choice["parts"]) > 1 for part in choice["parts"]}
    areas = []
    for place in game.places(observation):
        action = place.name if place.name in actions else single.get(place.name)
        if place.name in parts:
            areas.append(_area(place, "data-square", place.name, place.name))
        elif action is not None:
            areas.append(_area(place, "data-action", action, action))
    if not areas:
        return svg
    body = svg.rstrip().removesuffix("</svg>")
    return f'{body}<g data-clickable="">{"".join(areas)}</g></svg>'


def located(svg: str | None, game: AnyGame, observation: Observation) -> str | None:
    """The picture with a list of its places, where the page draws marks on moves: ``x y width height name;...``."""
    if svg is None or not svg.startswith("<svg ") or not isinstance(game, HasPlaces) or game.name == "chess":
        return svg  # chess is drawn by a library, which knows its squares
    places = game.places(observation)
    listed = ";".join(f"{p.x:g} {p.y:g} {p.width:g} {p.height:g} {p.name}" for p in places)
    return f'<svg data-places="{escape(listed)}" {svg.removeprefix("<svg ")}'


def _area(place: Place, attribute: str, value: str, name: str) -> str:
    label = name if not place.holds else f"{name}, {place.holds}"
    return (
        f'<rect x="{place.x:g}" y="{place.y:g}" width="{place.width:g}" height="{place.height:g}" fill="none" '
        f'pointer-events="all" role="button" tabindex="-1" {attribute}="{escape(value)}" aria-label="{escape(label)}"/>'
    )
