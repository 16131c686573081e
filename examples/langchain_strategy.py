"""A LangChain program as a strategy: its calls are the player's, recorded, paid and replayed by Ludometer.

`ConversationModel` is a LangChain chat model that asks the player's model. Whatever LangChain can build on a chat model
(prompts, parsers, chains) then plays. This one lets the model reason, and parses the move from the last line.

Run it:   python examples/langchain_strategy.py
Play it:  ludometer play tictactoe -p local/smollm2-135m -p random --strategy examples/langchain_strategy.py
Needs:    pip install langchain-core
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ludometer.core import Completion, ConfigurationError, Fault, Illegal, Json, Message, Request, Turn, make_game
from ludometer.matches import Match, play
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer
from ludometer.strategies import Answer, Conversation

try:
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.prompts import ChatPromptTemplate
except ImportError:
    BaseChatModel = None

ROLES = {"system": "system", "human": "user", "ai": "assistant"}


def model_of(conversation: Conversation) -> Any:
    """A LangChain chat model that asks through the conversation. It has no settings: they are the player's."""

    class ConversationModel(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "ludometer"

        def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
            raise NotImplementedError("use ainvoke: a strategy is asynchronous")

        async def _agenerate(
            self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **settings: Any
        ) -> ChatResult:
            if stop or settings:
                raise ConfigurationError(f"{sorted(settings) or 'stop'}: set it on the player, not in the chain")
            sent = [Message(ROLES[message.type], str(message.content)) for message in messages]
            completion = await conversation.send(sent)
            return ChatResult(generations=[ChatGeneration(message=AIMessage(content=completion.text or ""))])

    return ConversationModel(cache=False)


async def strategy(conversation: Conversation, turn: Turn) -> Answer:
    """One chain: prompt, model, text. The move is on the last line."""
    if BaseChatModel is None:
        raise ConfigurationError("this strategy needs LangChain: pip install langchain-core")
    view = conversation.style.view_of(turn)
    template = ChatPromptTemplate.from_messages(
        [
            ("system", "{rules}"),
            (
                "human",
                "{state}\n\nYou are {who}. Think step by step, then write only your move {hint} on the last line.",
            ),
        ]
    )
    chain = template | model_of(conversation) | StrOutputParser()
    said = await chain.ainvoke(
        {
            "rules": turn.game.rules(),
            "state": f"{view.explain(turn.observation)}\n{view.render(turn.observation)}",
            "who": turn.title,
            "hint": turn.game.asked(turn.observation, view.notation).hint,
        }
    )
    *thoughts, last = said.strip().splitlines() or [""]
    try:
        return Answer(turn.parse(last), text=said, rationale="\n".join(thoughts))
    except Illegal as error:  # a bad answer: the referee is told, and the model may try again
        return Answer(fault=Fault.of(error), text=said)


class FirstFreeCell:
    """Stands for a language model, so that this file runs without one."""

    name = "example/first-free-cell"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        told = [line for line in request.messages[-1].text.splitlines() if line.startswith("Player ")]
        free = [f"{r},{c}" for r in (1, 2, 3) for c in (1, 2, 3) if f"{r},{c}" not in " ".join(told)]
        return Completion(f"Some cells are free.\n{free[0]}")

    async def close(self) -> None:
        return None


def main() -> None:
    if BaseChatModel is None:
        print("LangChain is not installed: pip install langchain-core")
        return
    match = Match(make_game("tictactoe"), seed=7)
    player = LlmPlayer(FirstFreeCell(), strategy=__file__)
    asyncio.run(play(match, {"X": player, "O": RandomPlayer()}))
    print(f"LangChain played {sum(attempt.seat == 'X' for attempt in match.attempts)} moves: {match.ending}")


if __name__ == "__main__":
    main()
