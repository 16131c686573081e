"""UCT over `Game`: for games that have no engine of their own to search with.

States are values, so a node keeps its state and nothing is ever undone. Luck that a state holds is searched as if it
were known; callers average over several imagined states.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ludometer.core import AnyGame, Chance, ConfigurationError, Seat

__all__ = ["Arm", "playout", "tree_search"]

_LONGEST: Final = 5_000
"""Moves after which a playout counts as drawn: a game need not have a bound."""


class Arm(NamedTuple):
    """An action with its visits, mean score for the player to move, and whether that score is proven."""

    action: Any
    visits: int
    score: float
    proven: bool = False


class _Node:
    """A state in the tree. ``total`` is the score collected for the seat that moved here."""

    __slots__ = ("children", "seat", "state", "total", "untried", "visits")

    def __init__(self, game: AnyGame, state: Any, chance: Chance) -> None:
        self.state = state
        self.seat = _mover(game, state)
        legal = () if self.seat is None else game.legal(state, self.seat)
        if legal is None:
            raise ConfigurationError(f"{game.title} cannot be searched: its moves cannot be listed")
        # Taken from the end: shuffled once, so that the order of the list favours no action.
        self.untried = list(chance.shuffled(legal)[0])
        self.children: dict[Any, _Node] = {}
        self.visits = 0
        self.total = 0.0


def tree_search(game: AnyGame, state: Any, simulations: int, chance: Chance, exploration: float) -> list[Arm]:
    """Every action that was tried, in the order in which it was tried first.

    Raises:
        ConfigurationError: seats decide at the same time, or moves cannot be listed, here or further on.
    """
    root = _Node(game, state, chance.named("root"))
    for i in range(simulations):
        _simulate(game, root, chance.named("simulation", i), exploration)
    return [Arm(action, child.visits, child.total / child.visits) for action, child in root.children.items()]


def _simulate(game: AnyGame, root: _Node, chance: Chance, exploration: float) -> None:
    """One playout: down the tree, one new node, at random to the end, and the scores back up."""
    node, path = root, [root]
    while node.seat is not None and not node.untried:
        node = _promising(node, exploration)
        path.append(node)
    if node.seat is not None:
        action = node.untried.pop()
        child = _Node(game, game.apply(node.state, {node.seat: action}), chance.named("node"))
        node.children[action] = child
        node = child
        path.append(node)
    scores = playout(game, node.state, chance)
    root.visits += 1
    for parent, child in pairwise(path):
        assert parent.seat is not None
        child.visits += 1
        child.total += scores[parent.seat]


def _promising(node: _Node, exploration: float) -> _Node:
    """UCB1 (Auer, Cesa-Bianchi & Fischer, 2002)."""
    log = math.log(node.visits)

    def bound(child: _Node) -> float:
        return child.total / child.visits + exploration * math.sqrt(log / child.visits)

    return max(node.children.values(), key=bound)


def playout(game: AnyGame, state: Any, chance: Chance) -> Mapping[Seat, float]:
    """Plays at random to the end, and returns the scores; even shares after 5,000 moves."""
    for i in range(_LONGEST):
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.scores
        seat = _mover(game, state)
        if seat is None:
            break
        # Streams by number, not by name: hashing a name for every move would cost as much as the move.
        state = game.apply(state, {seat: game.sample(state, seat, Chance(chance.key, i * 64))})
    fewest, most = game.players  # a state does not tell how many play
    return dict.fromkeys(game.contestants(most), game.score_sum / fewest)


def _mover(game: AnyGame, state: Any) -> Seat | None:
    seats = game.to_act(state)
    if len(seats) > 1:
        raise ConfigurationError(f"{game.title} cannot be searched: its players decide at the same time")
    return seats[0] if seats else None
