"""The strategy of three questions, against a model that follows a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import (
    Chance,
    Completion,
    ConfigurationError,
    Decision,
    Feedback,
    Json,
    Request,
    Turn,
    Verdict,
    make_game,
)
from ludometer.matches import Match, play
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer
from ludometer.tournaments.config import load_config


class Scripted:
    """A model whose answer is a function of the request and of how many calls came before."""

    name = "fake/scripted"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    def __init__(self, answer: Callable[[Request, int], str]) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        self.requests.append(request)
        return Completion(self.answer(request, len(self.requests) - 1))

    async def close(self) -> None:
        return None


def turn_of(phase: str) -> Turn:
    """A turn of a random game with that decision."""
    game = make_game("uno")
    for seed in range(40):
        match = Match(game, 2, luck=f"tutri {seed}")
        while match.turns():
            (turn,) = match.turns()
            if turn.observation.data["phase"] == phase and turn.legal and len(turn.legal) > 1:
                return turn
            action = game.sample(match.state, turn.seat, Chance.from_seed(f"{seed} {match.step}"))
            match.submit(turn.seat, Decision(action=action))
    raise AssertionError(phase)


def decide(model: Scripted, turn: Turn, **options: Any) -> Decision:
    return asyncio.run(LlmPlayer(model, **{"strategy": "tutri", **options}).act(turn))


def answers(turn: Turn, *places: int) -> list[str]:
    """Legal decisions by their places in the list, as JSON texts."""
    assert turn.legal is not None
    return [json.dumps(turn.encode(turn.legal[place])) for place in places]


@pytest.mark.parametrize("phase", ["card", "colour", "challenge"])
def test_every_decision_is_a_conversation_of_three_questions_of_which_the_last_counts(phase: str) -> None:
    turn = turn_of(phase)
    said = answers(turn, 0, 0, 1)
    model = Scripted(lambda request, n: said[n])
    decision = decide(model, turn)
    assert turn.legal is not None and decision.action == turn.legal[1] and decision.text == said[2]
    assert len(model.requests) == 3
    assert [exchange.key.n for exchange in decision.exchanges] == ["0", "1", "2"]
    first, second, third = model.requests
    assert [message.role for message in third.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert second.messages[: len(first.messages)] == first.messages
    assert third.messages[:3] == second.messages
    assert [message.text for message in third.messages[1::2]] == said[:2]
    counted, advised = second.messages[-1].text, third.messages[-1].text
    assert turn.game.statistics(turn.observation) in counted
    assert all(sentence in advised for sentence in turn.game.advice(turn.observation))
    # Each question says how to answer, and neither tells the state again.
    for asked in (counted, advised):
        assert turn.game.asked(turn.observation).question in asked and "JSON" in asked
        assert "You are shown" not in asked and "108 cards" not in asked


@pytest.mark.parametrize("places", [(0, 1, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0)])
def test_each_reflection_may_keep_or_change(places: tuple[int, int, int]) -> None:
    turn = turn_of("colour")
    said = answers(turn, *places)
    decision = decide(Scripted(lambda request, n: said[n]), turn)
    assert turn.legal is not None and decision.action == turn.legal[places[-1]]


def test_the_ablations_ask_two_questions() -> None:
    turn = turn_of("card")
    said = answers(turn, 0, 1)
    for option, told, untold in (
        ("history=false", "advice that experienced", "can be counted"),
        ("strategy=false", "can be counted", "advice that experienced"),
    ):
        model = Scripted(lambda request, n: said[n])
        decision = decide(model, turn, strategy=f"tutri:{option}")
        assert len(model.requests) == 2 and turn.legal is not None and decision.action == turn.legal[1]
        reflection = model.requests[1].messages[-1].text
        assert told in reflection and untold not in reflection
    model = Scripted(lambda request, n: said[n])
    decide(model, turn, strategy="tutri:history=false,strategy=false")
    assert len(model.requests) == 1


def test_an_unreadable_last_answer_is_a_fault_and_unreadable_earlier_ones_are_not() -> None:
    turn = turn_of("card")
    good = answers(turn, 0)[0]
    bad = decide(Scripted(lambda request, n: [good, good, "I keep it."][n]), turn)
    assert bad.action is None and bad.fault is not None and bad.fault.status == "invalid_format"
    model = Scripted(lambda request, n: ["hm", "", good][n])
    late = decide(model, turn)
    assert late.fault is None and turn.legal is not None and late.action == turn.legal[0]
    assert len(model.requests) == 3


def test_reasons_can_be_asked_for_with_every_answer() -> None:
    turn = turn_of("card")
    assert turn.legal is not None
    said = [json.dumps({"rationale": f"thought {n}", **turn.encode(turn.legal[0])}) for n in range(3)]
    model = Scripted(lambda request, n: said[n])
    decision = decide(model, turn, rationale=True, answer="json_schema")
    assert decision.rationale == "thought 2"
    assert all(request.schema is not None and "rationale" in request.schema["required"] for request in model.requests)


def test_the_reflections_do_not_repeat_what_was_wrong_before() -> None:
    turn = turn_of("card")
    wrong = Verdict("illegal", "not_in_hand", "you do not hold Red 5")
    turn = replace(turn, attempt=1, feedback=Feedback("explain", wrong, ""))
    model = Scripted(lambda request, n: answers(turn, 0)[0])
    decide(model, turn)
    told = ["you do not hold Red 5" in request.messages[-1].text for request in model.requests]
    assert told == [True, False, False]


def test_whole_games_can_be_played() -> None:
    def first_of(request: Request, n: int) -> str:
        assert request.schema is not None
        return json.dumps({"move": request.schema["properties"]["move"]["enum"][0]})

    model = Scripted(first_of)
    player = LlmPlayer(model, strategy="tutri", answer="json_schema", legal_only=True)
    match = Match(make_game("uno"), 3, luck="whole")
    asyncio.run(play(match, {"1": player, "2": RandomPlayer(), "3": RandomPlayer()}))
    assert match.outcome is not None
    assert len(model.requests) == 3 * sum(1 for attempt in match.attempts if attempt.seat == "1")


def test_it_refuses_a_game_without_statistics_or_advice_before_anything_is_played() -> None:
    player = LlmPlayer(Scripted(lambda request, n: ""), strategy="tutri")
    with pytest.raises(ConfigurationError, match=r"Nim offers no statistics .*tutri:history=false"):
        player.supports(make_game("nim"))
    player.supports(make_game("uno"))
    without = LlmPlayer(Scripted(lambda request, n: ""), strategy="tutri:history=false")
    with pytest.raises(ConfigurationError, match="Nim offers no advice"):
        without.supports(make_game("nim"))
    LlmPlayer(Scripted(lambda request, n: ""), strategy="tutri:history=false,strategy=false").supports(make_game("nim"))


def test_options_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="tutri"):
        LlmPlayer(Scripted(lambda request, n: ""), strategy="tutri:memory=false")
    with pytest.raises(ConfigurationError, match="history"):
        LlmPlayer(Scripted(lambda request, n: ""), strategy="tutri:history=perhaps")


@pytest.mark.parametrize("name", ["uno-arena-1v1", "uno-arena-5", "uno-arena-tutri", "uno-arena-ablation"])
def test_the_presets_load(name: str) -> None:
    config = load_config(Path(__file__).parents[2] / "presets" / f"{name}.toml")
    assert config.name == name
