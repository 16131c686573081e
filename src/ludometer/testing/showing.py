"""What observations, views and pictures must hold to, and that hidden information stays hidden.

Each check raises `AssertionError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from ludometer.core import AnyGame, Chance, ConfigurationError, Event, Observation, View, Viewer, Watcher
from ludometer.testing.walk import canonical, require, require_owned

__all__ = ["Witness", "check_hidden", "check_imagined", "observation_json", "svg_problem", "viewers"]

_ACTIVE = {"script", "foreignobject", "iframe", "object", "embed", "animate", "set", "handler", "use", "image"}
"""Elements that run, load or embed something. A picture of a board needs none of them."""


def observation_json(observation: Observation) -> str:
    """An observation as canonical JSON text, without its viewer."""
    events = [[event.seat, event.what] for event in observation.events]
    return canonical({"data": dict(observation.data), "events": events, "to_act": list(observation.to_act)})


class Witness:
    """One viewer through one game: what it saw before is compared with what it sees now."""

    def __init__(self, game: AnyGame, viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.events: tuple[Event, ...] = ()
        self.explained: dict[str, str] = {}

    def look(self, state: Any) -> None:
        """Observes a state and checks the observation, every view of it, and the picture."""
        game = self.game
        before = canonical(game.dump(state))
        observation = game.observe(state, self.viewer)
        text = observation_json(observation)
        again = observation_json(game.observe(state, self.viewer))
        require(text == again, f"{game!r}: {self.viewer} observes two things in one state")
        require(observation.viewer == self.viewer, f"{game!r}: the observation of {self.viewer} names another viewer")
        require(
            observation.to_act == game.to_act(state),
            f"{game!r}: the observation says {observation.to_act} are to act, not {game.to_act(state)}",
        )
        require(
            observation.events[: len(self.events)] == self.events,
            f"{game!r}: the events of {self.viewer} are not append-only: {self.events} became {observation.events}",
        )
        self.events = observation.events
        for view in game.views().values():
            self._check_view(view, observation)
        picture = game.svg(observation)
        problem = None if picture is None else svg_problem(picture)
        require(problem is None, f"{game!r}: the picture is unsafe or broken: {problem}")
        require(observation_json(observation) == text, f"{game!r}: a view changed the observation")
        require(canonical(game.dump(state)) == before, f"{game!r}: observing changed the state")
        require_owned(lambda: game.observe(state, self.viewer).data, f"{game!r}: an observation")

    def _check_view(self, view: View, observation: Observation) -> None:
        game = self.game
        require(view.notation is None or view.notation in game.notations, f"{game!r}: no notation {view.notation!r}")
        rendered = view.render(observation)
        require(isinstance(rendered, str), f"{game!r}: view {view.name} renders {type(rendered).__name__}, not text")
        require(rendered == view.render(observation), f"{game!r}: view {view.name} renders two things")
        if view.kind == "image":
            problem = svg_problem(rendered)
            require(problem is None, f"{game!r}: view {view.name} is unsafe or broken: {problem}")
        explained = view.explain(observation)
        require(explained.strip(), f"{game!r}: view {view.name} explains nothing")
        first = self.explained.setdefault(view.name, explained)
        require(explained == first, f"{game!r}: the explanation of view {view.name} changes within a match")


@lru_cache(maxsize=64)  # the seats of an open game see the same picture, and the image view shows it again
def svg_problem(source: str) -> str | None:
    """Why SVG source must not be shown, or None: it must be well-formed, and neither run nor load anything."""
    if "<!" in source:
        return "it has a declaration, a comment or a CDATA section"
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        return f"it is not well-formed: {error}"
    if _local(root.tag) != "svg":
        return f"its root is {_local(root.tag)}"
    for element in root.iter():
        if _local(element.tag) in _ACTIVE:
            return f"it has the element {_local(element.tag)}"
        for name, value in element.attrib.items():
            if _local(name).startswith("on") or _local(name) == "href":
                return f"it has the attribute {_local(name)}"
            if re.search(r"javascript:|url\(\s*['\"]?\s*[^#'\"\s]", value, re.IGNORECASE):
                return f"the attribute {_local(name)} loads something"
    return None


def _local(tag: str) -> str:
    return tag.rsplit("}", 1)[-1].casefold()


def check_imagined(game: AnyGame, state: Any, chance: Chance) -> None:
    """A determinized state looks to the seat like the true one. A game may refuse to be imagined."""
    for seat in game.to_act(state):
        try:
            imagined = game.determinize(state, seat, chance)
        except ConfigurationError:
            continue
        if game.perfect_information and not game.has_luck:
            require(imagined == state, f"{game!r}: nothing is hidden, but the imagined state is another one")
        require(
            observation_json(game.observe(imagined, seat)) == observation_json(game.observe(state, seat)),
            f"{game!r}: {seat} can tell the imagined state from the true one",
        )
        again = game.determinize(state, seat, chance)
        require(
            canonical(game.dump(imagined)) == canonical(game.dump(again)),
            f"{game!r}: determinize differs for one chance",
        )


def check_hidden(game: AnyGame, chance: Chance) -> None:
    """Pairs of states that a seat must not be able to tell apart: it observes, may do and imagines the same."""
    pairs = game.swap_hidden()
    require(
        game.perfect_information or len(pairs) > 0,
        f"{game!r} has hidden information, but swap_hidden() gives no pair of states to test it with",
    )
    for one, other, seat in pairs:
        require(canonical(game.dump(one)) != canonical(game.dump(other)), f"{game!r}: a pair of swap_hidden is equal")
        for what, a, b in _knowable(game, one, other, seat):
            require(
                a == b, f"{game!r}: hidden information reaches {seat} through {what}: {a!r:.300} against {b!r:.300}"
            )
        _check_twins(game, one, other, seat, chance)


def _knowable(game: AnyGame, one: Any, other: Any, seat: str) -> Iterator[tuple[str, Any, Any]]:
    """What a seat gets to see of two states, by every road there is."""
    a, b = game.observe(one, seat), game.observe(other, seat)
    yield "observe", observation_json(a), observation_json(b)
    yield "to_act", game.to_act(one), game.to_act(other)
    for view in game.views().values():
        yield f"view {view.name}", view.render(a), view.render(b)
    if seat in game.to_act(one):
        yield "legal", _listed(game.legal(one, seat)), _listed(game.legal(other, seat))
        for notation in (None, *game.notations):
            schemas = [canonical(game.schema(state, seat, notation)) for state in (one, other)]
            yield f"schema {notation}", schemas[0], schemas[1]


def _listed(actions: Sequence[Any] | None) -> list[Any] | None:
    return None if actions is None else list(actions)


def _check_twins(game: AnyGame, one: Any, other: Any, seat: str, chance: Chance) -> None:
    for i in range(4):
        luck = chance.named("twins", i)
        try:
            imagined = [canonical(game.dump(game.determinize(state, seat, luck))) for state in (one, other)]
        except ConfigurationError:
            return
        require(imagined[0] == imagined[1], f"{game!r}: determinize tells {seat} which of two states is the true one")


def viewers(game: AnyGame, n: int) -> list[Viewer]:
    """Everybody who may look: every seat, the public, and the arena."""
    return [*(role.name for role in game.roles(n)), *Watcher]
