"""A strategy of your own: how a model is led to one decision, in a file.

Here the model is asked for two candidates, one in each branch of the conversation, and then to choose between them.
Every call is recorded, paid and replayed by Ludometer; the strategy only says what is asked.

Run it:   python examples/own_strategy.py
Play it:  ludometer play tictactoe -p local/smollm2-135m -p random --strategy examples/own_strategy.py:strategy
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ludometer.core import Completion, Json, Request, Turn, make_game
from ludometer.matches import Match, play
from ludometer.models.protocol import Capabilities, OnDelta
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer
from ludometer.strategies import Answer, Conversation


async def strategy(conversation: Conversation, turn: Turn, second: str = "the most surprising one") -> Answer:
    """Two candidates, then a choice.

    Args:
        second: what the second candidate is to be.
    """
    branches = [conversation.fork(), conversation.fork()]
    first, other = await asyncio.gather(
        branches[0].think("Which move is best? Name one, and say why in a sentence."),
        branches[1].think(f"Which move is {second}? Name one, and say why in a sentence."),
    )
    await conversation.think(f"Two advisers speak.\nA: {first.text}\nB: {other.text}\nWho is right? Do not move yet.")
    return conversation.read(await conversation.ask())


class FirstFreeCell:
    """Stands for a language model, so that this file runs without one."""

    name = "example/first-free-cell"
    settings: Mapping[str, Json] = {}
    capabilities = Capabilities()

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        told = [line for line in request.messages[0].text.splitlines() if line.startswith("Player ")]
        free = [f"{r},{c}" for r in (1, 2, 3) for c in (1, 2, 3) if f"{r},{c}" not in " ".join(told)]
        return Completion(f'{{"move": "{free[0]}"}}')

    async def close(self) -> None:
        return None


def main() -> None:
    match = Match(make_game("tictactoe"), seed=7)
    thinker = LlmPlayer(FirstFreeCell(), strategy=f"{__file__}:strategy")
    asyncio.run(play(match, {"X": thinker, "O": RandomPlayer()}))
    calls = [len(attempt.decision.exchanges) for attempt in match.attempts if attempt.seat == "X"]
    print(f"{len(calls)} decisions of {sum(calls)} calls: {match.ending}")


if __name__ == "__main__":
    main()
