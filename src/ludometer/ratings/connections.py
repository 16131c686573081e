"""What a set of games can compare at all: a question about the graph of who met whom, not about numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from ludometer.ratings.cells import Cells
from ludometer.ratings.games import BoolArray, FloatArray, IntArray

__all__ = ["Connections", "confounded_seats", "connections", "membership"]

_NULL: Final = 1e-9
"""Relative size below which an eigenvalue of an integer matrix is taken for zero."""


class Connections(NamedTuple):
    """Who can be compared with whom, each of shape (n,).

    ``component``: entrants in different components never met, directly or through others; nothing compares them.
    ``group``: entrants of one group took points from one another, directly or in a circle. Between groups the games
    alone give no finite difference (Ford, Amer. Math. Monthly 64, 1957): only a prior does.
    ``main``: whether the entrant's group holds more than half of its component.
    """

    component: IntArray
    group: IntArray
    main: BoolArray


def connections(cells: Cells, n: int) -> Connections:
    """Components and groups of n entrants; both are numbered in the order of their first entrant."""
    gave = (cells.score > 0) & (cells.weight > 0)
    took = (cells.score < 1) & (cells.weight > 0)
    winner = np.concatenate((cells.first[gave], cells.second[took]))
    loser = np.concatenate((cells.second[gave], cells.first[took]))
    graph = sparse.csr_array((np.ones(len(winner)), (winner, loser)), shape=(n, n))
    component = _in_order(csgraph.connected_components(graph, directed=False)[1])
    group = _in_order(csgraph.connected_components(graph, directed=True, connection="strong")[1])
    main = 2 * np.bincount(group)[group] > np.bincount(component)[component]
    return Connections(component, group, main)


def confounded_seats(design: sparse.csr_array, component: IntArray) -> BoolArray:
    """Which seat columns of a design no game tells apart from strength.

    With A in seat 1 of every game, an advantage of seat 1 and the strength of A are the same thing.

    Args:
        design: shape (c, n + s), n entrants and then s seat terms.
        component: shape (n,).

    Returns:
        Shape (s,).
    """
    n = len(component)
    gram = (design.T @ design).toarray()
    members = membership(component)
    strength = gram[:n, :n] + members @ members.T
    seats = gram[n:, n:] - gram[n:, :n] @ np.linalg.solve(strength, gram[:n, n:])
    values, vectors = np.linalg.eigh(seats)
    null = vectors[:, values <= _NULL * max(1.0, float(np.max(np.diag(gram)[n:], initial=0.0)))]
    return np.asarray((null**2).sum(axis=1) > _NULL, np.bool_)


def membership(component: IntArray) -> FloatArray:
    """Shape (n, components): one where an entrant belongs to a component."""
    numbers = np.arange(component.max(initial=-1) + 1)
    return np.asarray(component[:, None] == numbers, np.float64)


def _in_order(labels: npt.NDArray[np.signedinteger]) -> IntArray:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)
