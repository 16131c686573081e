"""Positions of Risk made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ludometer.core import Chance
from ludometer.games.risk import Risk, State


def placed(own: Mapping[str, tuple[int, int]], **fields: Any) -> State:
    """A state on the classic map: named territories by owner (from 0) and armies, all others alike."""
    return placed_on(Risk(), own, **fields)


def placed_on(
    game: Risk,
    own: Mapping[str, tuple[int, int]],
    *,
    n: int = 3,
    others: tuple[int, int] = (1, 1),
    phase: str = "attack",
    **fields: Any,
) -> State:
    names = game.settings.board.names
    given = [own.get(name, others) for name in names]
    assert set(own) <= set(names)
    state = game.new(n, Chance.from_seed("by hand"))
    hands = fields.get("hands", ((),) * n)
    held = {card for hand in hands for card in hand} | set(fields.get("discards", ()))
    deck = tuple(card for card in range(game.settings.board.cards) if card not in held)
    made = {"deck": deck, "pending": 0, **fields}
    return state._replace(
        owners=tuple(owner for owner, _ in given), armies=tuple(armies for _, armies in given), phase=phase, **made
    )


@pytest.fixture
def at() -> Callable[..., State]:
    return placed


@pytest.fixture
def at_in() -> Callable[..., State]:
    return placed_on
