"""A learner outside is asked what a language model in a tournament would be asked, and judged alike."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ludometer.core import Completion, ConfigurationError, Json, Message, Request, make_game
from ludometer.envs.text import text_match
from ludometer.matches import Match, MatchPolicy, play
from ludometer.models.protocol import Capabilities
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.prompts import AnswerStyle, PromptStyle


def answered(messages: Sequence[Message]) -> str:
    """Wrong now and then, and the same for the same chat."""
    luck = sum(map(ord, messages[-1].text)) + len(messages)
    return f"I play {luck % 4},{luck // 4 % 3 + 1}"


class Scripted:
    """A model that answers like the learner, and remembers what it was asked."""

    name = "test/scripted"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.asked: list[tuple[Message, ...]] = []

    async def complete(self, request: Request, *, on_delta: Any = None) -> Completion:
        self.asked.append(request.messages)
        return Completion(answered(request.messages))

    async def close(self) -> None:
        return None


@pytest.mark.parametrize("context", ["conversation", "fresh"])
@pytest.mark.parametrize("feedback", ["explain", "repeat", "none"])
def test_it_is_the_match_that_a_tournament_would_play(context: Any, feedback: Any) -> None:
    policy = MatchPolicy(attempts=5, feedback=feedback, on_exhausted="random")
    for seed in range(4):
        style = PromptStyle(answer=AnswerStyle("text"), context=context, system="Be brief.")
        text = text_match(make_game("tictactoe"), ["random"], seed=seed, policy=policy, style=style)
        asked: list[tuple[Message, ...]] = []

        async def episode(text: Any = text, asked: list[Any] = asked) -> None:
            while (messages := await text.ask()) is not None:
                asked.append(tuple(messages))
                text.answer(answered(messages))

        asyncio.run(episode())
        model = Scripted()
        player = LlmPlayer(model, answer="text", context=context, system="Be brief.")
        match = Match(make_game("tictactoe"), luck=seed, seed=seed, policy=policy)
        other = Entrant.of("random").make_player()
        ending = asyncio.run(play(match, {s: player if s == text.seat else other for s in match.roles}))
        assert asked == model.asked and asked
        assert (text.match.notation, text.match.ending) == (match.notation, ending)
        assert [a.verdict for a in text.match.attempts] == [a.verdict for a in match.attempts]
        assert text.reward == (match.scores() or {}).get(text.seat)


@pytest.mark.parametrize("name", ["tictactoe", "uno", "liars_dice", "nim", "risk"])
def test_chats_only_grow(name: str) -> None:
    game = make_game(name)
    text = text_match(game, ["random"] * (game.players[0] - 1), seed=3, policy=MatchPolicy(attempts=3, max_moves=40))

    async def episode() -> int:
        chat: list[Message] = []
        turns = 0
        while (messages := await text.ask()) is not None:
            assert list(messages[: len(chat)]) == chat and len(messages) == len(chat) + 1
            turn = next(turn for turn in text.match.turns() if turn.seat == text.seat)
            said = "no idea" if turns % 3 == 1 and turn.attempt == 0 else turn.format(turn.sample(turn.chance))
            text.answer(said)
            chat = [*messages, Message("assistant", said)]
            turns += 1
        return turns

    assert asyncio.run(episode()) >= 3


def test_a_seat_is_drawn_from_the_seed_and_can_be_fixed() -> None:
    game = make_game("uno")
    drawn = {text_match(game, ["random"] * 3, seed=seed).seat for seed in range(40)}
    assert drawn == {"1", "2", "3", "4"}
    assert text_match(game, ["random"] * 3, seed=5, seat="3").seat == "3"


def test_mistakes_get_one_sentence() -> None:
    game = make_game("tictactoe")
    text = text_match(game, ["random"], seed=0)
    with pytest.raises(ConfigurationError, match="not asked"):
        text.answer("1,1")
    with pytest.raises(ConfigurationError, match="no seat 'Z'"):
        text_match(game, ["random"], seed=0, seat="Z")
    with pytest.raises(ConfigurationError, match="for 2 players, not 1"):
        text_match(game, [], seed=0)
    with pytest.raises(ConfigurationError, match="name a player under officials"):
        text_match(make_game("debate"), ["random"], seed=0)


@pytest.mark.parametrize(("name", "extra"), [("pettingzoo", "envs"), ("gymnasium", "envs"), ("openenv", "openenv")])
def test_a_missing_package_gets_one_sentence(name: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"ludometer.envs.{name}", raising=False)
    with pytest.raises(ConfigurationError, match=rf"pip install 'ludometer\[{extra}\]'"):
        importlib.import_module(f"ludometer.envs.{name}")
