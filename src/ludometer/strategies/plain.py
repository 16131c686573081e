"""Ask once, play the answer."""

from __future__ import annotations

from ludometer.core import Turn
from ludometer.strategies.conversation import Answer, Conversation


async def strategy(conversation: Conversation, turn: Turn) -> Answer:
    """One call, one answer."""
    return conversation.read(await conversation.ask())


def calls_per_decision() -> tuple[int, int]:
    """One call."""
    return 1, 1
