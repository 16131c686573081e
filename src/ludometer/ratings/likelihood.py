"""Likelihoods of results, and their first and second derivatives, in natural units.

A model says two things: which linear predictors each observation has (``designs``: one sparse matrix per predictor,
observations by parameters) and how its log-likelihood depends on them (``kernel``). Everything else (gradient,
information, scores of clusters) follows by the chain rule, so a new kind of observation adds a kernel and its designs
and changes nothing here. Matches of more than two seats are observed pair by pair
(:mod:`ludometer.ratings.placements`).

Bradley-Terry (Bradley & Terry, Biometrika 39, 1952) with a first-mover term (Davidson & Beaver, Biometrics 33, 1977):

    d = strength(first) - strength(second) + seat(game),   P(first wins) = 1 / (1 + exp(-d))

where a draw counts as half a win. Davidson's model (JASA 65, 1970) gives draws a probability of their own:

    P(win) : P(draw) : P(loss) = exp(d / 2) : exp(t) : exp(-d / 2),   nu = exp(t)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit, softmax

from ludometer.ratings.games import BoolArray, FloatArray

__all__ = [
    "Derivatives",
    "Kernel",
    "Model",
    "davidson",
    "davidson_where",
    "gradient",
    "half_win",
    "information",
    "learned",
    "log_likelihood",
    "outcome_probabilities",
    "scores",
]


_SMALL: Final = 50_000
"""Numbers in a design up to which it is cheaper to write them all out."""


class Derivatives(NamedTuple):
    """Log-likelihood of m observations and its derivatives by their p linear predictors.

    ``value``: (m,); ``slope``: (p, m); ``curvature``: (p, p, m), the NEGATIVE second derivatives.
    """

    value: FloatArray
    slope: FloatArray
    curvature: FloatArray


Kernel = Callable[[FloatArray, FloatArray], Derivatives]
"""From outcomes (m,) and predictors (p, m) to the derivatives."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Observations, how often each was made, and the model of them.

    Attributes:
        designs: p sparse matrices of shape (m, k).
        outcome, weight: shape (m,).
        kernel: the log-likelihood of one observation.
    """

    designs: tuple[sparse.csr_array, ...]
    outcome: FloatArray
    weight: FloatArray
    kernel: Kernel

    def derivatives(self, theta: FloatArray) -> Derivatives:
        """Per observation, at the parameters ``theta`` of shape (k,)."""
        return self.kernel(self.outcome, np.stack([design @ theta for design in self.designs]))


def half_win(outcome: FloatArray, predictors: FloatArray) -> Derivatives:
    """Bradley-Terry with one predictor d; an outcome between 0 and 1 is that share of a win."""
    # Each part is written without differences of nearly equal numbers, so that an entrant that always wins stays exact.
    d = predictors[0]
    won, lost = expit(d), expit(-d)
    value = -outcome * np.logaddexp(0.0, -d) - (1.0 - outcome) * np.logaddexp(0.0, d)
    slope = outcome * lost - (1.0 - outcome) * won
    return Derivatives(value, slope[None], (won * lost)[None, None])


def davidson(outcome: FloatArray, predictors: FloatArray) -> Derivatives:
    """Davidson's ties with the predictors d and t; outcomes are 1, 0.5 or 0."""
    d, t = predictors
    logits = np.stack([d / 2.0, t, -d / 2.0])
    won, drawn, lost = softmax(logits, axis=0)
    result = np.where(outcome == 0.5, 1, np.where(outcome > 0.5, 0, 2))
    # How far the two results that did not happen stand above the one that did, in logits.
    others = [np.choose(result, logits[place] - logits) for place in ([1, 2, 0], [2, 0, 1])]
    mean = (won - lost) / 2.0
    by_d = np.choose(result, (drawn / 2.0 + lost, -mean, -drawn / 2.0 - won))
    by_t = np.choose(result, (-drawn, won + lost, -drawn))
    cross = -mean * drawn
    spread = won * lost + drawn * (won + lost) / 4.0
    return Derivatives(
        -np.logaddexp(0.0, np.logaddexp(*others)),
        np.stack([by_d, by_t]),
        np.array([[spread, cross], [cross, drawn * (won + lost)]]),
    )


def davidson_where(tied: BoolArray) -> Kernel:
    """Davidson's ties for observations that may be ties (a mask of shape (m,)), and for the others, whose ties are
    left out of the data, what it says given that there was no tie: Bradley-Terry."""

    def kernel(outcome: FloatArray, predictors: FloatArray) -> Derivatives:
        with_ties, without = davidson(outcome, predictors), half_win(outcome, predictors)
        slope, curvature = np.zeros_like(with_ties.slope), np.zeros_like(with_ties.curvature)
        slope[0], curvature[0, 0] = without.slope[0], without.curvature[0, 0]
        return Derivatives(
            np.where(tied, with_ties.value, without.value),
            np.where(tied, with_ties.slope, slope),
            np.where(tied, with_ties.curvature, curvature),
        )

    return kernel


def log_likelihood(model: Model, theta: FloatArray) -> float:
    """Weighted log-likelihood at ``theta``."""
    return float(model.weight @ model.derivatives(theta).value)


def gradient(model: Model, at: Derivatives) -> FloatArray:
    """Shape (k,): the derivative of the weighted log-likelihood."""
    parts = [design.T @ (model.weight * slope) for design, slope in zip(model.designs, at.slope, strict=True)]
    return np.asarray(np.sum(parts, axis=0), np.float64)


def information(model: Model, at: Derivatives) -> FloatArray:
    """Shape (k, k): the observed information, minus the second derivative."""
    k = model.designs[0].shape[1]
    total = np.zeros((k, k))
    for a, left in enumerate(model.designs):
        for b, right in enumerate(model.designs):
            total += _product(left, model.weight * at.curvature[a, b], right)
    return total


def _product(left: sparse.csr_array, weight: FloatArray, right: sparse.csr_array) -> FloatArray:
    """left' diag(weight) right; small ones as dense matrices, which is several times as fast."""
    if left.shape[0] * left.shape[1] <= _SMALL:
        return np.asarray((left.toarray() * weight[:, None]).T @ right.toarray(), np.float64)
    return np.asarray((left.T @ sparse.diags_array(weight) @ right).toarray(), np.float64)


def learned(model: Model, at: Derivatives) -> sparse.csr_array:
    """Shape (m, k): what each observation (weight one) says about each parameter by itself, the others known."""
    parts = [sparse.diags_array(at.curvature[p, p]) @ design.power(2) for p, design in enumerate(model.designs)]
    return sparse.csr_array(sum(parts[1:], start=parts[0]))


def scores(model: Model, at: Derivatives) -> sparse.csr_array:
    """Shape (m, k): the derivative of each observation's log-likelihood (weight one)."""
    parts = [sparse.diags_array(slope) @ design for design, slope in zip(model.designs, at.slope, strict=True)]
    return sparse.csr_array(sum(parts[1:], start=parts[0]))


def outcome_probabilities(d: FloatArray, log_nu: float | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Probabilities that seat 1 wins, draws and loses, each of the shape of ``d`` (natural units).

    Without a tie parameter no draws are predicted, and the first number is the expected score.
    """
    if log_nu is None:
        return expit(d), np.zeros_like(d), expit(-d)
    won, drawn, lost = softmax(np.stack([d / 2.0, np.full_like(d, log_nu), -d / 2.0]), axis=0)
    return won, drawn, lost
