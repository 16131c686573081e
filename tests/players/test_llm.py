"""A language model in a seat: from the turn to the decision."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ludometer.core import Completion, ConfigurationError, ProviderError, make_game
from ludometer.games.tictactoe import Cell
from ludometer.matches import Match, MatchPolicy, play
from ludometer.models.protocol import Capabilities
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer

GAME = make_game("tictactoe")


class Scripted:
    """A model that says one thing after the other."""

    name = "test/scripted"

    def __init__(self, *answers, **capabilities):
        self.answers = list(answers)
        self.capabilities = Capabilities(**capabilities)
        self.settings = {}
        self.requests = []

    async def complete(self, request, *, on_delta=None):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(answer, latency=0.25)

    async def close(self):
        return None


def decide(model, turn=None, **options):
    turn = turn or Match(GAME, id="m").turns()[0]
    return asyncio.run(LlmPlayer(model, **options).act(turn))


def test_a_decision_has_everything():
    decision = decide(Scripted('{"rationale": "corner", "row": 1, "column": 3}'), rationale=True)
    assert decision.action == Cell(1, 3)
    assert decision.fault is None
    assert decision.text == '{"rationale": "corner", "row": 1, "column": 3}'
    assert decision.rationale == "corner"
    (exchange,) = decision.exchanges
    assert tuple(exchange.key) == ("m", 0, "X", 0, "0")
    assert exchange.completion.text == decision.text
    assert decision.seconds == 0.25, "from the log, so that a replay charges the same"


def test_an_unreadable_answer_is_a_fault_with_its_exchange():
    decision = decide(Scripted("I resign, you are too good"))
    assert decision.action is None
    assert decision.fault.status == "invalid_format"
    assert len(decision.exchanges) == 1


def test_the_view_decides_about_the_notation():
    assert decide(Scripted("Not 5; I choose 1"), view="numbered", answer="text").action == Cell(1, 1)
    assert decide(Scripted("Not 5; I choose 1"), view="list", answer="text").fault.status == "invalid_format"


@pytest.mark.parametrize("answer", ["text", "json", "json_schema", "tool"])
def test_a_whole_match_in_every_format(answer):
    moves = ["1,1", "2,2", "1,2", "1,3", "3,1", "2,1", "2,3", "3,2", "3,3"]

    def said(move):
        if answer == "text":
            return f"I play {move}"
        row, column = move.split(",")
        written = f'{{"row": {row}, "column": {column}}}'
        return Completion("", "tool", tool_arguments=written) if answer == "tool" else written

    player = LlmPlayer(Scripted(*map(said, moves)), answer=answer, context="conversation")
    match = Match(GAME, id="m")
    asyncio.run(play(match, {"X": player, "O": player}))
    assert match.notation == moves


def test_a_bad_answer_is_explained_and_then_forgiven():
    model = Scripted('{"row": 9, "column": 1}', '{"row": 1, "column": 1}', ProviderError("gone"))
    match = Match(GAME, id="m")
    ending = asyncio.run(play(match, {"X": LlmPlayer(model), "O": RandomPlayer()}))
    assert ending.kind == "void"
    assert "not accepted (out of bounds): row 9, column 1 is outside" in model.requests[1].messages[-1].text
    assert [attempt.verdict.kind for attempt in match.attempts[:2]] == ["out_of_bounds", "legal"]


def test_a_failed_call_is_the_providers_fault():
    with pytest.raises(ProviderError):
        decide(Scripted(ProviderError("503")))


def test_a_player_shared_by_matches_keeps_nothing():
    player = LlmPlayer(Scripted(*['{"row": 1, "column": 1}'] * 4), context="conversation")
    turns = [Match(GAME, id=name, policy=MatchPolicy()).turns()[0] for name in "abab"]

    async def all_at_once():
        return await asyncio.gather(*(player.act(turn) for turn in turns))

    decisions = asyncio.run(all_at_once())
    assert len({decision.exchanges[0].fingerprint for decision in decisions}) == 1
    assert [decision.exchanges[0].key.match for decision in decisions] == ["a", "b", "a", "b"]


def test_watchers_see_the_answer_arrive():
    class Streaming(Scripted):
        async def complete(self, request, *, on_delta=None):
            on_delta('{"row": 1,')
            return await super().complete(request)

    seen = []
    turn = replace(Match(GAME, id="m").turns()[0], watch=seen.append)
    decide(Streaming('{"row": 1, "column": 1}'), turn)
    assert seen == ['{"row": 1,']


def test_what_cannot_be_played_is_said_before_the_first_game():
    with pytest.raises(ConfigurationError, match="has no view 'numbred'; did you mean 'numbered'"):
        LlmPlayer(Scripted(), view="numbred").supports(GAME)
    with pytest.raises(ConfigurationError, match="test/scripted cannot see pictures"):
        LlmPlayer(Scripted(sees_images=False), view="image").supports(GAME)
    LlmPlayer(Scripted(sees_images=True), view="image").supports(GAME)
    LlmPlayer(Scripted(), view="image").supports(GAME)
    with pytest.raises(ConfigurationError, match="there is no strategy 'voet'"):
        LlmPlayer(Scripted(), strategy="voet")
