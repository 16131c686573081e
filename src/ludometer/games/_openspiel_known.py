"""What is known of OpenSpiel's games from playing them all (tests/games/test_openspiel_all.py does)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["IMAGINABLE", "NOT_PLAYABLE"]

NOT_PLAYABLE: Mapping[str, str] = {}

IMAGINABLE: frozenset[str] = frozenset({"kuhn_poker"})
