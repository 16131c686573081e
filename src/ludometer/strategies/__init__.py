"""Strategies: how a language model is led to one decision. One small async program per file.

A strategy is ``async def strategy(conversation, turn, **options) -> Answer`` in a module of its own; the module's name
is the strategy's name.
"""

from ludometer.strategies.conversation import Answer, Conversation
from ludometer.strategies.registry import Strategy, load_strategy, strategies

__all__ = ["Answer", "Conversation", "Strategy", "load_strategy", "strategies"]
