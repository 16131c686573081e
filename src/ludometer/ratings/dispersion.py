"""How much results with common luck vary beside what the model says, pooled over all duplicate groups.

From a few games of one entrant no spread can be taken, but all entrants together have many. Quasi-likelihood takes the
variance of a group's score for phi times that of independent games, with one phi for everybody (Wedderburn, Biometrika
61, 1974; McCullagh & Nelder, *Generalized Linear Models*, 1989, chapter 9):

    phi = G / (G - p) * sum over groups of |s_g|^2 / sum over groups of trace(I_g)

for G groups with scores s_g and information I_g, and the p degrees of freedom that the fit has used up, the trace of
H^-1 sum(I_g). Strengths, seat terms and ties have a phi each: luck that favours a seat cancels in a strength if the
seats are exchanged, and doubles in the seat term. A single game varies as the model says, so that only groups of two or
more are asked, and only for these phi holds. Two groups more that vary as the model says keep phi from zero where
hardly any result differs. Its own uncertainty goes in as with Student's t: the variance is that of t with as many
degrees of freedom. With the prior's precision P the covariance is

    H^-1 (phi * sum(I_g) + the information of single games + P) H^-1

An entrant's own scatter is not thrown away. As in the moderated variances of Smyth (Stat. Appl. Genet. Mol. Biol. 3,
2004) the clustered variance of K groups and this one are averaged with the weights K and 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ludometer.ratings.cells import Cells, tally
from ludometer.ratings.covariance import sandwich
from ludometer.ratings.games import FloatArray
from ludometer.ratings.likelihood import Derivatives, Model, information, learned, scores

__all__ = ["FEW_GAMES", "Pooled", "moderated", "own_weight", "pooled", "pooled_scale", "somebody_has_few"]

FEW_GAMES: Final = 30
"""With fewer games than this the spread of an entrant's own results is too little known for a clustered interval."""

_AS_THE_MODEL: Final = 2.0
"""Groups that vary as the model says, added to those that were played."""

_FEWEST: Final = 4.0
"""Degrees of freedom from which phi is worth anything."""

_OWN: Final = 12.0
"""Groups of its own with which an entrant's scatter counts as much as everybody's."""


class Pooled(NamedTuple):
    """``covariance``: shape (k, k), in natural units. ``dispersion``: phi of the strengths."""

    covariance: FloatArray
    dispersion: float


def pooled(
    model: Model,
    at: Derivatives,
    inverse: FloatArray,
    precision: FloatArray,
    counts: sparse.csr_array,
    importance: FloatArray,
    sizes: tuple[int, ...],
) -> Pooled | None:
    """The covariance with pooled dispersion; None with too few groups of two or more games to tell.

    Args:
        model, at: games of two seats in c cells, and their derivatives at the estimates.
        inverse: shape (k, k), H^-1.
        precision: shape (k,), the prior's.
        counts: shape (clusters, c), games of each cell in each group.
        importance: shape (c,), what a game of each cell counts in the model's weights.
        sizes: how many parameters are strengths, seat terms and ties, in that order.
    """
    groups = counts[np.flatnonzero(counts.sum(axis=1) > 1.0)]
    if not groups.shape[0]:
        return None
    games = groups.sum(axis=0)
    together = replace(model, weight=games * importance)
    used = (inverse * information(together, at)).sum(axis=1)
    slopes, known = scores(model, at), learned(model, at)
    scale = np.ones(len(precision))
    dispersion = 1.0
    for number, own in enumerate(_slices(sizes)):
        freedom, squares = _scatter(groups, importance, slopes[:, own], known[:, own], float(used[own].sum()))
        if freedom >= _FEWEST:
            scale[own] = pooled_scale(squares, freedom)
        elif number == 0:
            return None
        if number == 0:
            dispersion = (squares + _AS_THE_MODEL) / (freedom + _AS_THE_MODEL)
    root = np.sqrt(scale)
    shared = information(replace(model, weight=games * importance**2), at)
    alone = information(replace(model, weight=model.weight * importance - games * importance**2), at)
    middle = root[:, None] * shared * root + alone + np.diag(precision)
    return Pooled(sandwich(inverse, middle), dispersion)


def pooled_scale(squares: npt.ArrayLike, freedom: npt.ArrayLike) -> FloatArray:
    """What model variances are to be multiplied with: phi, times the variance of Student's t.

    Args:
        squares: phi times the degrees of freedom, as the groups alone have it.
        freedom: degrees of freedom.
    """
    return np.asarray((np.asarray(squares) + _AS_THE_MODEL) / np.asarray(freedom), np.float64)


def own_weight(clusters: FloatArray) -> FloatArray:
    """The weight of the clustered variance beside the pooled one, by the number of effective clusters."""
    return np.asarray(clusters / (clusters + _OWN), np.float64)


def moderated(found: Pooled, clustered: FloatArray, clusters: FloatArray, center: FloatArray) -> FloatArray:
    """Shape (k, k): the pooled covariance averaged with the clustered one.

    Args:
        clustered: shape (k, k).
        clusters: shape (k,), how many effective clusters inform each parameter.
        center: shape (k, k), the map to parameters around their mean, which is what is averaged.
    """
    own, others = np.sqrt(own_weight(clusters)), np.sqrt(1.0 - own_weight(clusters))
    by_all, by_own = (center @ part @ center.T for part in (found.covariance, clustered))
    return np.asarray(own[:, None] * by_own * own + others[:, None] * by_all * others, np.float64)


def somebody_has_few(cells: Cells, n: int) -> bool:
    """Whether one of n entrants, the seat term of a game, or what is drawn or decided, rests on few games."""
    drawn = float(cells.weight[cells.score == 0.5].sum())
    of_title = np.bincount(cells.game, cells.weight)
    counts = (tally(cells, n).games, of_title[of_title > 0], [drawn or np.inf, float(cells.weight.sum()) - drawn])
    return any(float(np.min(part)) < FEW_GAMES for part in counts)


def _slices(sizes: tuple[int, ...]) -> Iterator[slice]:
    start = 0
    for size in sizes:
        yield slice(start, start + size)
        start += size


def _scatter(
    groups: sparse.csr_array, importance: FloatArray, slopes: sparse.csr_array, known: sparse.csr_array, used: float
) -> tuple[float, float]:
    """Degrees of freedom, and phi times these, of some parameters."""
    weight = sparse.diags_array(importance)
    squares = float((groups @ (weight @ slopes)).power(2).sum())
    learned_by = np.asarray((groups @ (weight.power(2) @ known)).sum(axis=1))
    informed = float(np.count_nonzero(learned_by))
    return informed - used, informed * squares / max(float(learned_by.sum()), 1e-300)
