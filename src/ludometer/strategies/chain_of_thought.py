"""Think first, answer second: the reasoning is free text, the answer keeps its format.

After Wei et al., "Chain-of-thought prompting elicits reasoning in large language models" (NeurIPS 2022), with the
reasoning and the answer in two calls, so that the answer can be enforced by a schema.
"""

from __future__ import annotations

from ludometer.core import Turn
from ludometer.strategies.conversation import Answer, Conversation


async def strategy(conversation: Conversation, turn: Turn, words: int = 150) -> Answer:
    """Two calls: one to think, one to answer.

    Args:
        words: how long the reasoning is asked to be, at most.
    """
    thought = await conversation.think(
        f"You are {turn.title}, and it is your turn. Before you answer, think it through in at most {words} words: "
        "what does your opponent threaten, what could you achieve, and which move is best? Do not give your final "
        "answer yet."
    )
    answer = conversation.read(await conversation.ask())
    return answer._replace(rationale=thought.text or "")


def calls_per_decision(words: int = 150) -> tuple[int, int]:
    """Two calls, however long the reasoning."""
    return 2, 2
