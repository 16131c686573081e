"""A person at a page, as a player: the match asks, and waits for what the page sends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import ClassVar, Literal, NamedTuple

from ludometer.core import Decision, Illegal, Json, Player, Seat, Turn
from ludometer.players import Entrant
from ludometer.tournaments import RunConfig
from ludometer.tournaments.roster import Roster

__all__ = ["HUMAN", "Desk", "Refused", "WebHuman", "WebRoster"]

HUMAN = "human"
"""The player of an entrant who is a person, at a terminal or at a page."""
LONGEST = 50_000
"""Characters of an answer."""


class Refused(Exception):
    """An answer that is not taken, and is not counted against anybody: why, as a sentence."""


class _Asked(NamedTuple):
    turn: Turn
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Decision]


class Desk:
    """Where one person's turns lie until they are answered. Asked from the match's thread, answered from any other.

    Args:
        changed: called when a turn was laid down or answered.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._asked: dict[Seat, _Asked] = {}
        self._lock = threading.Lock()

    @property
    def turn(self) -> Turn | None:
        """The turn that waits for this person; the first of several."""
        with self._lock:
            return next((asked.turn for asked in self._asked.values()), None)

    async def ask(self, turn: Turn) -> Decision:
        """What the person decides."""
        loop = asyncio.get_running_loop()
        asked = _Asked(turn, loop, loop.create_future())
        with self._lock:
            self._asked[turn.seat] = asked
        self._changed()
        try:
            return await asked.answer
        finally:
            with self._lock:
                self._asked.pop(turn.seat, None)

    def answer(
        self,
        text: str,
        *,
        resign: bool = False,
        draw: Literal["offer", "accept"] | None = None,
        may_resign: bool = True,
    ) -> None:
        """Hands in an answer.

        Raises:
            Refused: nothing is asked, or the game does not take it, with the game's own sentence.
        """
        turn = self.turn
        if turn is None:
            raise Refused("it is not your turn")
        decision = _decision(turn, text, resign, draw, may_resign)
        with self._lock:
            asked = self._asked.get(turn.seat)
            if asked is None or asked.turn is not turn:  # a second click, or another page of the same person
                raise Refused("this turn was answered already")
            del self._asked[turn.seat]
        asked.loop.call_soon_threadsafe(_settle, asked.answer, decision)


def _settle(answer: asyncio.Future[Decision], decision: Decision) -> None:
    if not answer.done():
        answer.set_result(decision)


def _decision(
    turn: Turn, text: str, resign: bool, draw: Literal["offer", "accept"] | None, may_resign: bool
) -> Decision:
    if resign:
        if not may_resign:
            raise Refused("resigning is not allowed in this match")
        return Decision(text="resign", resign=True)
    if draw is not None and not turn.may_offer_draw:
        raise Refused("draws may not be offered in this match")
    if draw == "accept":
        if not turn.draw_offered:
            raise Refused("there is no offer of a draw to accept")
        return Decision(text="draw", draw="accept")
    if len(text) > LONGEST:
        raise Refused(f"this is longer than {LONGEST} characters")
    try:
        action = _action(turn, text)
        turn.check(action)
    except Illegal as error:
        raise Refused(error.reason) from None
    return Decision(action, text=text, draw=draw)


def _action(turn: Turn, text: str) -> object:
    """A legal action by its exact name, else whatever the game reads in the text. Raises `Illegal`."""
    for action in turn.legal or ():
        if turn.format(action) == text:
            return action
    return turn.parse(text)


class WebHuman:
    """The player of a person at a page. Only what the game takes comes back: the rest is explained and asked again."""

    name: ClassVar[str] = HUMAN

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def act(self, turn: Turn) -> Decision:
        return await self.desk.ask(turn)


class WebRoster(Roster):
    """The players of a match with people at pages.

    Args:
        desks: by the entrant's name.
    """

    def __init__(self, config: RunConfig, entrants: list[Entrant], desks: Mapping[str, Desk]) -> None:
        super().__init__(config, entrants)
        self._desks = desks

    def player(self, name: str, condition: Mapping[str, Json]) -> Player:
        return WebHuman(self._desks[name]) if name in self._desks else super().player(name, condition)
