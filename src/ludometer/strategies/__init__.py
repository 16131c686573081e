"""Strategies: how a language model is led to one decision. One small async program per file.

A strategy is ``async def strategy(conversation, turn, **options) -> Answer`` in a module of its own; the module's name
is the strategy's name. One of the user's own is named by its file, ``path/to/file.py:name``.
"""

from ludometer.strategies.conversation import Answer, Conversation
from ludometer.strategies.registry import Strategy, check_strategy, load_strategy, strategies

__all__ = ["Answer", "Conversation", "Strategy", "check_strategy", "load_strategy", "strategies"]
