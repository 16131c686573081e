"""Ask several times, and play what most of the legal answers say.

Self-consistency after Wang et al., "Self-consistency improves chain of thought reasoning in language models"
(ICLR 2023), on moves instead of final answers.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from ludometer.core import ConfigurationError, Illegal, Turn
from ludometer.strategies.conversation import Answer, Conversation


async def strategy(conversation: Conversation, turn: Turn, k: int = 5) -> Answer:
    """``k`` calls at once; the move named most often among the legal ones, the first of equals.

    Where no answer is legal, the first one stands as it is: a vote does not repair answers.

    Args:
        k: number of samples. They differ only where the model's temperature is not 0.
    """
    if k < 1:
        raise ConfigurationError(f"strategy vote: k = {k} must be at least 1")
    branches = [conversation.fork() for _ in range(k)]
    completions = await asyncio.gather(*(branch.ask() for branch in branches))
    answers = [conversation.read(completion) for completion in completions]
    legal = [answer for answer in answers if _is_legal(turn, answer)]
    if not legal:
        return answers[0]
    votes = Counter(turn.format(answer.action) for answer in legal)
    best = max(votes.values())
    winner = next(answer for answer in legal if votes[turn.format(answer.action)] == best)
    tally = ", ".join(f"{move} ({count})" for move, count in votes.most_common())
    return winner._replace(rationale=f"{len(legal)} of {k} answers legal: {tally}")


def calls_per_decision(k: int = 5) -> tuple[int, int]:
    """All votes, whatever the first ones say."""
    return k, k


def _is_legal(turn: Turn, answer: Answer) -> bool:
    if answer.fault is not None:
        return False
    try:
        turn.check(answer.action)
    except Illegal:
        return False
    return True
