"""Equilibria of small two-player zero-sum games: CFR+ over an explicit tree, and how far a strategy is from one.

CFR+ is Tammelin, "Solving large imperfect information games using CFR+" (2014): counterfactual regrets cut at zero, the
players updated in turn, the average strategy weighted by the number of the iteration. A strategy here is an array with
a probability for every action of every information state (shape ``(tree.slots,)``).
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.solvers.cfr_trees import Tree

__all__ = [
    "Solution",
    "Strategy",
    "best_response_values",
    "exploitability",
    "game_value",
    "reached",
    "solve",
    "uniform",
]

Strategy: TypeAlias = npt.NDArray[np.float64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_CHECKED_EVERY: Final = 50
"""Iterations between two looks at how good the strategy is: a look costs as much as an iteration."""


class Solution(NamedTuple):
    """A strategy near equilibrium.

    Attributes:
        strategy: of both players.
        iterations: how many were made.
        exploitability: see `exploitability`.
        value: the first player's expected payoff when both play it.
    """

    strategy: Strategy
    iterations: int
    exploitability: float
    value: float


def solve(tree: Tree, *, iterations: int = 1000, target: float = 0.0) -> Solution:
    """The average strategy of CFR+.

    Args:
        iterations: at most so many.
        target: an exploitability that is good enough to stop early.
    """
    regrets = np.zeros(tree.slots)
    total = np.zeros(tree.slots)
    done, found = 0, float("inf")
    while done < iterations and found > target:
        for _ in range(min(_CHECKED_EVERY, iterations - done)):
            done += 1
            for player in (0, 1):
                _update(tree, regrets, total, player, done)
        found = exploitability(tree, _normalized(tree, total))
    strategy = _normalized(tree, total)
    return Solution(strategy, done, found, game_value(tree, strategy))


def _update(tree: Tree, regrets: FloatArray, total: FloatArray, player: int, weight: int) -> None:
    """One pass for one player: regrets first, then its new strategy goes into the average."""
    strategy = _normalized(tree, regrets)
    odds = _odds(tree, strategy)
    _, others = _reach(tree, odds, player)
    values = _values(tree, odds) if player == 0 else -_values(tree, odds)
    edges = tree.edges[player]
    parents = tree.parent[edges]
    gained = others[parents] * (values[edges] - values[parents])
    own = tree.owned[player]
    change = np.bincount(tree.slot[edges], gained, tree.slots)
    regrets[own] = np.maximum(regrets[own] + change[own], 0.0)
    fresh = _normalized(tree, regrets)
    mine, _ = _reach(tree, _odds(tree, fresh), player)
    total[own] += (weight * np.repeat(mine[tree.first], tree.actions) * fresh)[own]


def uniform(tree: Tree) -> Strategy:
    """Every action as likely as every other."""
    return np.repeat(1.0 / tree.actions, tree.actions)


def game_value(tree: Tree, strategy: Strategy) -> float:
    """The first player's expected payoff when both play the strategy."""
    return float(_values(tree, _odds(tree, strategy))[0])


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """What a best response wins beyond the value of the game, on average over the two seats; 0 in equilibrium.

    That is half of NashConv (Lanctot et al., 2017), in the game's payoffs.
    """
    return sum(best_response_values(tree, strategy)) / 2


def best_response_values(tree: Tree, strategy: Strategy) -> tuple[float, float]:
    """The expected payoff of a best response in each seat against the strategy in the other."""
    return _best(tree, strategy, 0), _best(tree, strategy, 1)


def reached(tree: Tree, strategy: Strategy) -> npt.NDArray[np.bool_]:
    """For each information state, whether its player's own actions can lead there."""
    odds = _odds(tree, strategy)
    own = np.where(tree.owner == 0, _reach(tree, odds, 0)[0][tree.first], _reach(tree, odds, 1)[0][tree.first])
    return own > 0


def _best(tree: Tree, strategy: Strategy, player: int) -> float:
    """Backward over the levels; all nodes of an information state are in one level, and take one action."""
    odds = _odds(tree, strategy)
    _, others = _reach(tree, odds, player)
    values = tree.payoff.copy() if player == 0 else -tree.payoff
    mine = np.zeros(len(values), dtype=bool)
    mine[tree.edges[player]] = True
    for start, end in reversed(tree.levels[1:]):
        parents = tree.parent[start:end]
        choosing = np.flatnonzero(mine[start:end])
        if choosing.size:
            slots = tree.slot[start:end][choosing]
            worth = np.zeros(tree.slots)
            np.add.at(worth, slots, others[parents[choosing]] * values[start:end][choosing])
            odds[start + choosing] = _greedy(tree, worth, slots)[slots]
        low = parents[0]
        sums = np.bincount(parents - low, odds[start:end] * values[start:end])
        values[low : low + len(sums)] += sums
    return float(values[0])


def _greedy(tree: Tree, worth: FloatArray, slots: IntArray) -> FloatArray:
    """1 for the first best action of every information state that has one of the slots, else 0."""
    chosen = np.zeros(tree.slots)
    for state in np.unique(tree.state_of[slots]):
        begin = tree.offset[state]
        chosen[begin + int(np.argmax(worth[begin : begin + tree.actions[state]]))] = 1.0
    return chosen


# ---------------------------------------------------------------------- passes


def _normalized(tree: Tree, weights: FloatArray) -> Strategy:
    """Weights as probabilities; uniform where all are zero."""
    sums = np.repeat(np.add.reduceat(weights, tree.offset), tree.actions)
    odds = uniform(tree)
    np.divide(weights, sums, out=odds, where=sums > 0)
    return odds


def _odds(tree: Tree, strategy: Strategy) -> FloatArray:
    """The probability of every edge, by the node it leads to."""
    return np.where(tree.slot >= 0, strategy[tree.slot], tree.chance)


def _reach(tree: Tree, odds: FloatArray, player: int) -> tuple[FloatArray, FloatArray]:
    """The product of probabilities on the way to every node: the player's own, and the other's and chance's."""
    own = np.ones(len(odds))
    others = odds.copy()
    own[tree.edges[player]] = odds[tree.edges[player]]
    others[tree.edges[player]] = 1.0
    for start, end in tree.levels[1:]:
        parents = tree.parent[start:end]
        own[start:end] *= own[parents]
        others[start:end] *= others[parents]
    return own, others


def _values(tree: Tree, odds: FloatArray) -> FloatArray:
    """The first player's expected payoff at every node."""
    values = tree.payoff.copy()
    for start, end in reversed(tree.levels[1:]):
        parents = tree.parent[start:end]
        low = parents[0]
        sums = np.bincount(parents - low, odds[start:end] * values[start:end])
        values[low : low + len(sums)] += sums
    return values
