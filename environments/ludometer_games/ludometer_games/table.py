"""One match, driven by the referee: the seats of models are language model players that hold a conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import NamedTuple, TypeAlias

from ludometer.core import (
    Completion,
    ConfigurationError,
    InternalError,
    Json,
    Message,
    Player,
    ProviderError,
    Request,
)
from ludometer.matches import Match, play
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.entrant import release
from ludometer.players.llm import LlmPlayer
from ludometer_games.rows import Row, make_others, new_match

__all__ = ["ChatModel", "Reply", "Say", "Standing", "play_row"]


class Reply(NamedTuple):
    """What a model answered. ``cut_off``: at the limit of its length."""

    text: str
    cut_off: bool = False


Say: TypeAlias = Callable[[Message], Awaitable[Reply | None]]
"""Sends one more message of a conversation, and returns the answer; None: the conversation is over."""


@dataclass(slots=True)
class Standing:
    """How a match went for one seat.

    Attributes:
        score: between 0 and 1; 0 where the match has none (``canceled``, ``void``).
        ending: ``completed``, ``forfeit``, ``canceled`` or ``void`` (the conversation was ended from outside), and
            ``why``; offender: the seat at fault.
        steps: joint moves made in the match.
        verdicts: the seat's own attempts, counted by the kind of the verdict (``legal``, ``already_taken``, ...).
    """

    seat: str
    score: float
    ending: str
    why: str
    steps: int
    offender: str = ""
    verdicts: dict[str, int] = field(default_factory=dict)

    @property
    def bad_attempts(self) -> int:
        """Attempts that were not legal."""
        return sum(count for kind, count in self.verdicts.items() if kind not in ("legal", "draw_accepted"))

    def to_dict(self) -> dict[str, Json]:
        return asdict(self)


class ChatModel:
    """A model that is asked by adding messages to one conversation that only grows.

    Raises `ConfigurationError` where a request is not the conversation so far and one message more: the transcript
    could then not be a training sample, nor the model's cache be used.
    """

    def __init__(self, say: Say, system: str | None = None) -> None:
        self._say = say
        self._said: tuple[Message, ...] = (Message("system", system),) if system else ()

    @property
    def name(self) -> str:
        return "agent"

    @property
    def settings(self) -> Mapping[str, Json]:
        return {}

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        *before, last = request.messages
        if tuple(before) != self._said:
            raise ConfigurationError("this strategy does not only add to the conversation; use strategy = 'plain'")
        reply = await self._say(last)
        if reply is None:
            raise ProviderError("the conversation was ended before the game")
        # An empty answer has these words in a chat that goes on (see ludometer.prompts).
        self._said = (*request.messages, Message("assistant", reply.text or "(no answer)"))
        return Completion(reply.text, "length" if reply.cut_off else "stop")

    async def close(self) -> None:
        return None


async def play_row(row: Row, says: Mapping[str, Say]) -> dict[str, Standing]:
    """Plays the match of a row to its end.

    Args:
        says: the conversation of every seat in ``row.agents``.

    Returns:
        How it went for each of these seats.

    Raises:
        ConfigurationError: somebody cannot play this game, or not so.
        InternalError: a player of Ludometer broke the protocol.
        ProviderError: the provider of a player of Ludometer failed, or an official did.
    """
    match = new_match(row)
    others = make_others(row, match)
    seats: dict[str, Player] = dict(others)
    for seat in row.agents:
        player = _seated(row, says[seat])
        player.supports(match.game)
        seats[seat] = player
    try:
        await play(match, seats)
    finally:
        for other in {id(player): player for player in others.values()}.values():
            await release(other)
    for attempt in match.attempts:
        if attempt.verdict.status == "player_error":
            raise InternalError(f"row {row.seed}, seat {attempt.seat}: {attempt.verdict.reason}")
    ending = match.ending
    if ending is not None and ending.kind == "void" and ending.offender not in row.agents:
        raise ProviderError(f"row {row.seed}, seat {ending.offender}: {ending.why}")
    return {seat: _standing(match, seat) for seat in row.agents}


def _seated(row: Row, say: Say) -> LlmPlayer:
    setup = row.setup
    return LlmPlayer(
        ChatModel(say, setup.system),
        view=setup.view,
        answer=setup.answer,
        strategy=setup.strategy,
        context="conversation",
        system=setup.system,
    )


def _standing(match: Match, seat: str) -> Standing:
    if match.ending is None:
        raise InternalError(f"match {match.id} has not ended")
    holder = match.roles[seat].of or seat
    verdicts = Counter(attempt.verdict.kind for attempt in match.attempts if attempt.seat == seat)
    return Standing(
        seat,
        (match.scores() or {}).get(holder, 0.0),
        match.ending.kind,
        match.ending.why,
        match.step,
        match.ending.offender or "",
        dict(sorted(verdicts.items())),
    )
