"""How many calls strategies say that a decision takes, against what they really ask."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from ludometer.core import Completion, Json, Request, make_game
from ludometer.core.spec import parse_spec
from ludometer.matches import Match
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.strategies import strategies
from ludometer.strategies.registry import calls_per_decision


class Mute:
    name = "fake/mute"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        return Completion("I do not know.")

    async def close(self) -> None:
        return None


SAID = {
    "plain": (1, 1),
    "chain_of_thought:words=20": (2, 2),
    "vote": (5, 5),
    "vote:k=3": (3, 3),
    "tutri": (3, 3),
    "tutri:history=false": (2, 2),
    "tutri:history=false,strategy=false": (1, 1),
    "dspy:refine=3": (1, None),
}


def test_every_strategy_that_comes_with_it_says_so() -> None:
    assert {parse_spec(written).name for written in SAID} == set(strategies())


@pytest.mark.parametrize("written", SAID)
def test_strategies_ask_as_often_as_they_say(written: str) -> None:
    spec = parse_spec(written)
    assert calls_per_decision(spec) == SAID[written]
    if spec.name == "dspy":
        return
    (turn,) = Match(make_game("uno"), 2).turns()
    decision = asyncio.run(LlmPlayer(Mute(), strategy=written).act(turn))
    least, most = SAID[written]
    assert most is not None and least <= len(decision.exchanges) <= most
