"""What a seat may know of a state: the only way from a state to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Literal, NamedTuple, TypeAlias

from ludometer.core.exchange import Json

__all__ = ["Event", "Observation", "Seat", "View", "Viewer", "Watcher"]

Seat: TypeAlias = str
"""The name of a seat, unique in its game: ``"X"``, ``"O"``, ``"teacher"``, ``"judge1.ab"``."""


class Watcher(Enum):
    """Viewers that hold no seat."""

    PUBLIC = "public"
    """A spectator: what every seat may know."""
    FULL = "full"
    """The arena itself and replays: everything."""


Viewer: TypeAlias = "Seat | Watcher"


class Event(NamedTuple):
    """One thing this viewer witnessed. ``seat`` is who did it (None: chance or the rules)."""

    seat: Seat | None
    what: str


class Observation(NamedTuple):
    """What ``viewer`` may know. ``data`` is JSON; ``events`` is append-only from turn to turn.

    What an observation leaves out cannot leak: views, prompts and players see nothing else of the state.
    """

    viewer: Viewer
    data: Mapping[str, Json]
    events: tuple[Event, ...] = ()
    to_act: tuple[Seat, ...] = ()


class View(NamedTuple):
    """A named rendering of an observation.

    Attributes:
        name: e.g. ``list``, ``illustration``, ``image``.
        explain: the words that tell a model how the state is shown (they come before the state, and do not change
            within a match, so that a provider's prompt cache can work).
        render: observation to text; for ``kind == "image"``, observation to SVG source.
        notation: how moves are named beside this view, passed to ``Game.schema``, ``encode`` and ``mentions``;
            None for the game's canonical notation.
    """

    name: str
    explain: Callable[[Observation], str]
    render: Callable[[Observation], str]
    kind: Literal["text", "image"] = "text"
    notation: str | None = None
