"""The strategies that come with the package, against a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from ludometer.core import Completion, ConfigurationError, Decision, Json, Request, make_game
from ludometer.core.spec import parse_spec
from ludometer.matches import Match
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.strategies import load_strategy


class Scripted:
    """A model whose answer is a function of the request and of how many calls came before."""

    name = "fake/scripted"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    def __init__(self, answer: Callable[[Request, int], str]) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        number = len(self.requests)
        self.requests.append(request)
        # Later calls answer first: order of arrival must not matter.
        await asyncio.sleep(0.002 * (5 - number % 5))
        return Completion(self.answer(request, number))

    async def close(self) -> None:
        return None


def _decide(model: Scripted, **options: Any) -> Decision:
    match = Match(make_game("tictactoe"))
    return asyncio.run(LlmPlayer(model, **options).act(replace(match.turns()[0])))


def test_chain_of_thought_thinks_freely_and_answers_in_the_format() -> None:
    said = ["I could play 3,3, or better 2,2.", '{"row": 2, "column": 2}']
    model = Scripted(lambda request, n: said[n])
    decision = _decide(model, strategy="chain_of_thought:words=40", answer="json_schema")
    assert (decision.action.row, decision.action.column) == (2, 2)
    assert decision.rationale == said[0] and decision.text == said[1]
    first, second = model.requests
    assert first.schema is None and second.schema is not None
    assert "at most 40 words" in first.messages[-1].text and "The moves so far" in first.messages[-1].text
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[-2].text == said[0]
    # The state is not told twice.
    assert "The moves so far" not in second.messages[-1].text and "JSON" in second.messages[-1].text
    assert [e.key.n for e in decision.exchanges] == ["0", "1"]


def test_a_move_named_while_thinking_does_not_count() -> None:
    decision = _decide(
        Scripted(lambda request, n: ['{"row": 1, "column": 1}', "no idea"][n]), strategy="chain_of_thought"
    )
    assert decision.fault is not None and decision.fault.status == "invalid_format"


def test_vote_takes_the_majority_of_the_legal_answers() -> None:
    moves = ["9,9", "1,1", "2,2", "9,9", "2,2"]
    decision = _decide(Scripted(lambda request, n: f'{{"move": "{moves[n]}"}}'), strategy="vote:k=5")
    assert (decision.action.row, decision.action.column) == (2, 2)
    assert "3 of 5" in decision.rationale
    assert len({e.key.n for e in decision.exchanges}) == 5


def test_vote_breaks_ties_by_order_of_asking_and_repairs_nothing() -> None:
    tie = _decide(Scripted(lambda request, n: f'{{"move": "{[2, 1][n]},1"}}'), strategy="vote:k=2")
    assert tie.action.row == 2
    nothing = _decide(Scripted(lambda request, n: ["", "x", "y"][n]), strategy="vote:k=3")
    assert nothing.fault is not None and nothing.fault.status == "empty"


def test_options_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="known: k"):
        load_strategy(parse_spec("vote:n=3"))
    with pytest.raises(ConfigurationError, match="chain_of_thought"):
        load_strategy(parse_spec("chain_of_though"))
    with pytest.raises(ConfigurationError, match="at least 1"):
        _decide(Scripted(lambda request, n: ""), strategy="vote:k=0")
