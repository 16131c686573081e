"""How often a language model would be asked for one decision, and with how much text: its strategy tells."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ludometer.core import Completion, Request, Turn
from ludometer.models import CustomProvider
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.prompts import compose

__all__ = ["AskedCalls", "asked_calls"]

_FEW = 6
"""Decisions that a strategy is followed through; what it does hardly depends on the position."""

_ANSWER = "I would say that this is a position in which several moves deserve a closer look. " * 3
"""What the silent model answers: no move, but of the length of a short answer, since answers stand in later prompts."""


class AskedCalls(NamedTuple):
    """Calls per decision, and characters of the prompt per call, on average."""

    number: float
    characters: float


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

    A strategy that cannot go on without real answers is counted up to there, with one call at least.
    """
    if not turns:
        return AskedCalls(1.0, 0.0)
    listeners: list[_Listener] = []

    def listen(model: str, *_: object) -> _Listener:
        listeners.append(_Listener(model))
        return listeners[-1]

    player = entrant.make_player(models, listen)
    assert isinstance(player, LlmPlayer)
    lengths = [sum(len(message.text) for message in compose(turn, player.style).request.messages) for turn in turns]
    if entrant.spec.options.get("strategy", "plain") == "plain":
        return AskedCalls(1.0, sum(lengths) / len(lengths))
    some = turns[:: max(1, len(turns) // _FEW)][:_FEW]
    # In a thread of its own, since whoever asks may be inside an event loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _decide(player, some)).result()
    heard = [length for listener in listeners for length in listener.lengths]
    if not heard:
        return AskedCalls(1.0, sum(lengths) / len(lengths))
    return AskedCalls(max(1.0, len(heard) / len(some)), sum(heard) / len(heard))


async def _decide(player: LlmPlayer, turns: Sequence[Turn]) -> None:
    for turn in turns:
        try:
            await player.act(turn)
        except Exception:  # a strategy may be a plug-in, and what it asked before stands
            continue
