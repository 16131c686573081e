"""How often a language model would be asked for one decision, and with how much text: its strategy tells."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ludometer.core import Completion, Request, Turn
from ludometer.models import CustomProvider
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.prompts import compose
from ludometer.strategies.registry import calls_per_decision

__all__ = ["AskedCalls", "asked_calls"]

_FEW = 6
"""Decisions that a strategy is followed through; what it does hardly depends on the position."""

_ANSWER = "I would say that this is a position in which several moves deserve a closer look. " * 3
"""What the silent model answers: no move, but of the length of a short answer, since answers stand in later prompts."""


class AskedCalls(NamedTuple):
    """Calls of one decision: at least and at most, and characters of the prompt per call, on average.

    ``told`` is False where the strategy does not say how many calls it makes, or not how many at most: it was followed,
    and real answers may lead it elsewhere.
    """

    least: float
    most: float
    characters: float
    told: bool = True


class _Listener:
    """A model that only listens to what it is asked."""

    capabilities = Capabilities()

    def __init__(self, name: str) -> None:
        self.name = name
        self.settings: dict[str, object] = {}
        self.lengths: list[int] = []

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        self.lengths.append(sum(len(message.text) for message in request.messages))
        return Completion(_ANSWER)

    async def close(self) -> None:
        return None


def asked_calls(entrant: Entrant, models: Mapping[str, CustomProvider], turns: Sequence[Turn]) -> AskedCalls:
    """What an entrant's strategy asks on some turns. Nobody is called.

    How many calls it makes is what it says itself (`ludometer.strategies.registry.calls_per_decision`). One that does
    not say is followed with a model that only listens; where it cannot go on without real answers it is counted up to
    there, with one call at least.
    """
    if not turns:
        return AskedCalls(1.0, 1.0, 0.0)
    listeners: list[_Listener] = []

    def listen(model: str, *_: object) -> _Listener:
        listeners.append(_Listener(model))
        return listeners[-1]

    player = entrant.make_player(models, listen)
    assert isinstance(player, LlmPlayer)
    lengths = [sum(len(message.text) for message in compose(turn, player.style).request.messages) for turn in turns]
    told = calls_per_decision(player.strategy)
    if told == (1, 1):
        return AskedCalls(1.0, 1.0, sum(lengths) / len(lengths))
    some = turns[:: max(1, len(turns) // _FEW)][:_FEW]
    # In a thread of its own, since whoever asks may be inside an event loop.
    with ThreadPoolExecutor(1) as pool:
        heard = pool.submit(asyncio.run, _decide(player, some, listeners)).result()
    asked = [length for decision in heard for length in decision] or lengths
    least, most = (max(1, end(map(len, heard))) for end in (min, max))
    if told is not None:
        least, most = told[0], max(told[0], most) if told[1] is None else told[1]
    return AskedCalls(least, most, sum(asked) / len(asked), told is not None and told[1] is not None)


async def _decide(player: LlmPlayer, turns: Sequence[Turn], listeners: Sequence[_Listener]) -> list[list[int]]:
    """The lengths of the prompts that each turn's decision takes."""
    heard = []
    for turn in turns:
        before = [len(listener.lengths) for listener in listeners]
        with contextlib.suppress(Exception):  # a strategy may be a plug-in, and what it asked before stands
            await player.act(turn)
        new = zip(listeners, before, strict=True)
        heard.append([length for listener, old in new for length in listener.lengths[old:]])
    return heard
