"""Two-player zero-sum games as explicit trees in arrays: from `Game`, where all luck comes first, or from OpenSpiel.

A game of ours can be laid out if it has ``deals(n)``: every first state with its probability. What a seat knows is its
observation, so that the tree is that of the game as players see it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.core import AnyGame, ConfigurationError, InternalError, Observation

__all__ = ["Branch", "Tree", "build_tree", "information_key", "tree_of_engine", "tree_of_game"]

IntArray: TypeAlias = npt.NDArray[np.int64]

LARGEST: Final = 500_000
"""Nodes of the largest tree that is laid out."""
_CHANCE: Final = -1
_TERMINAL: Final = -2


class Branch(NamedTuple):
    """What a node of a game is: ``player`` 0 or 1 with what that player knows, -1 for chance, -2 for an end.

    Attributes:
        key: the information state (players only).
        children: the nodes that follow, in the order of actions.
        odds: of the children (chance only).
        payoff: the first player's (ends only).
    """

    player: int
    key: str = ""
    children: Sequence[Any] = ()
    odds: Sequence[float] = ()
    payoff: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A game tree of N nodes, level by level, the children of a node side by side; node 0 is the root.

    Attributes:
        parent: shape (N,).
        slot: shape (N,): the place in a strategy of the action that leads here; -1 where no player's action does.
        chance: shape (N,): the probability that chance leads here; 1 elsewhere.
        payoff: shape (N,): the first player's at ends; 0 elsewhere.
        levels: first node and end of every level.
        edges: for each player, the nodes that an action of that player leads to.
        keys: the information states in the order of their places in a strategy.
        owner, actions, offset, first: for each information state the player, the number of actions, its first place in
            a strategy, and one of its nodes.
        state_of, owned: for each place in a strategy the information state, and for each player whether it is theirs.
    """

    parent: IntArray
    slot: IntArray
    chance: npt.NDArray[np.float64]
    payoff: npt.NDArray[np.float64]
    levels: tuple[tuple[int, int], ...]
    edges: tuple[IntArray, IntArray]
    keys: tuple[str, ...]
    owner: IntArray
    actions: IntArray
    offset: IntArray
    first: IntArray
    state_of: IntArray
    owned: tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]

    @property
    def slots(self) -> int:
        """The length of a strategy."""
        return len(self.state_of)


@dataclass(slots=True)
class _Draft:
    """A tree while its levels are laid out."""

    parent: list[int] = field(default_factory=lambda: [-1])
    slot: list[int] = field(default_factory=lambda: [-1])
    mover: list[int] = field(default_factory=lambda: [_CHANCE])
    chance: list[float] = field(default_factory=lambda: [1.0])
    payoff: list[float] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    owner: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    level: list[int] = field(default_factory=list)
    slots: int = 0

    def place(self, node: int, branch: Branch, level: int) -> int:
        """The first slot of a decision's information state."""
        known = self.keys.setdefault(branch.key, len(self.keys))
        if known == len(self.owner):
            self.owner.append(branch.player)
            self.actions.append(len(branch.children))
            self.offset.append(self.slots)
            self.first.append(node)
            self.level.append(level)
            self.slots += len(branch.children)
        same = (self.owner[known], self.actions[known], self.level[known])
        if same != (branch.player, len(branch.children), level):
            raise InternalError(f"positions that look alike differ in what a player may do: {branch.key[:200]}")
        return self.offset[known]

    def add(self, node: int, branch: Branch, level: int) -> None:
        """Lays out the children of a node."""
        self.payoff.append(branch.payoff)
        count = len(branch.children)
        start = self.place(node, branch, level) if branch.player >= 0 else -1
        self.slot += range(start, start + count) if start >= 0 else [-1] * count
        self.parent += [node] * count
        self.mover += [branch.player] * count
        self.chance += branch.odds if branch.player == _CHANCE else [1.0] * count


def build_tree(root: Any, look: Callable[[Any], Branch]) -> Tree:
    """The tree of a game from its root.

    Args:
        look: what a node is.

    Raises:
        ConfigurationError: it has more than 500,000 nodes.
    """
    draft = _Draft()
    level, levels, start = [root], [], 0
    while level:
        levels.append((start, start + len(level)))
        following: list[Any] = []
        for node, what in enumerate(level, start):
            branch = look(what)
            draft.add(node, branch, len(levels))
            following += branch.children
            if len(draft.parent) > LARGEST:
                raise ConfigurationError(f"the game is too large to be solved: it has more than {LARGEST:,} positions")
        start, level = start + len(level), following
    return _finished(draft, tuple(levels))


def _finished(draft: _Draft, levels: tuple[tuple[int, int], ...]) -> Tree:
    mover, owner, actions = np.array(draft.mover), np.array(draft.owner), np.array(draft.actions)
    state_of = np.repeat(np.arange(len(owner)), actions)
    return Tree(
        parent=np.array(draft.parent),
        slot=np.array(draft.slot),
        chance=np.array(draft.chance, dtype=np.float64),
        payoff=np.array(draft.payoff, dtype=np.float64),
        levels=levels,
        edges=(np.flatnonzero(mover == 0), np.flatnonzero(mover == 1)),
        keys=tuple(draft.keys),
        owner=owner,
        actions=actions,
        offset=np.array(draft.offset),
        first=np.array(draft.first),
        state_of=state_of,
        owned=(owner[state_of] == 0, owner[state_of] == 1),
    )


# ------------------------------------------------------------------------ games


def information_key(observation: Observation) -> str:
    """What a seat knows, as text: equal exactly for positions that it cannot tell apart."""
    events = [[event.seat, event.what] for event in observation.events]
    return json.dumps([observation.viewer, dict(observation.data), events], sort_keys=True)


def tree_of_game(game: AnyGame) -> Tree:
    """The tree of a game for two whose luck is all at the start, as its ``deals`` lists it.

    Payoffs (or scores, where a game has none) are taken less the mean of both, so that they add up to zero.

    Raises:
        ConfigurationError: the game has no ``deals``, or is too large.
    """
    deals: Callable[[int], Iterable[tuple[float, Any]]] | None = getattr(game, "deals", None)
    if deals is None:
        raise ConfigurationError(f"{game.title} cannot be solved: it does not list how its luck can fall")
    seats = game.contestants(2)

    def look(state: Any) -> Branch:
        if state is None:  # the root, where luck decides
            dealt = list(deals(2))
            return Branch(_CHANCE, children=[first for _, first in dealt], odds=[odds for odds, _ in dealt])
        outcome = game.outcome(state)
        if outcome is not None:
            payoffs = outcome.payoffs or outcome.scores
            return Branch(_TERMINAL, payoff=(payoffs[seats[0]] - payoffs[seats[1]]) / 2)
        (seat,) = game.to_act(state)
        after = [game.apply(state, {seat: action}) for action in game.legal(state, seat) or ()]
        return Branch(seats.index(seat), information_key(game.observe(state, seat)), after)

    return build_tree(None, look)


def tree_of_engine(rules: Any) -> Tree:
    """The tree of an OpenSpiel game for two (``pyspiel.Game``) whose players move one at a time.

    Raises:
        ConfigurationError: it is too large.
    """

    def look(engine: Any) -> Branch:
        if engine.is_terminal():
            return Branch(_TERMINAL, payoff=float(engine.returns()[0]))
        if engine.is_chance_node():
            outcomes = engine.chance_outcomes()
            children = [engine.child(action) for action, _ in outcomes]
            return Branch(_CHANCE, children=children, odds=[odds for _, odds in outcomes])
        player = engine.current_player()
        children = [engine.child(action) for action in engine.legal_actions()]
        return Branch(player, f"{player}|{engine.information_state_string(player)}", children)

    return build_tree(rules.new_initial_state(), look)
