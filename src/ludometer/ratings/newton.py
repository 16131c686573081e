"""Newton's method for a concave log-likelihood with a Gaussian prior."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ludometer.core.errors import InternalError
from ludometer.ratings.connections import membership
from ludometer.ratings.games import FloatArray, IntArray
from ludometer.ratings.likelihood import Model, gradient, information

__all__ = ["Maximum", "maximize"]

_ITERATIONS: Final = 300
_DECREMENT: Final = 1e-10
"""Squared length, in standard errors, of the last step: what remains after it is of the order of its square."""

_LONGEST_STEP: Final = 10.0
_RUNAWAY: Final = 20.0
"""Predictor beyond which a fit without prior is taken to have no finite maximum: one surprise in 5e8 games."""


class Maximum(NamedTuple):
    """``theta``: shape (k,); ``finite``: False where the parameters ran away and ``theta`` is of no use."""

    theta: FloatArray
    finite: bool


def maximize(model: Model, precision: FloatArray, component: IntArray) -> Maximum:
    """Parameters of greatest posterior density.

    Args:
        model: the likelihood; concave in its parameters.
        precision: shape (k,), one over the prior variance in natural units; zero for a flat prior.
        component: shape (n,), components of the first n parameters; each keeps the mean zero.

    Raises:
        InternalError: no convergence.
    """
    theta = np.zeros(len(precision))
    members = np.zeros((len(theta), component.max() + 1))
    members[: len(component)] = membership(component)
    level = members @ members.T
    value = _objective(model, precision, theta)
    for _ in range(_ITERATIONS):
        at = model.derivatives(theta)
        slope = gradient(model, at) - precision * theta
        curvature = information(model, at) + np.diag(precision) + level
        step = _solve(curvature, slope)
        if not precision.any() and (step is None or _farthest(model, theta) > _RUNAWAY):
            return Maximum(theta, finite=False)
        if step is None:
            break
        if float(step @ slope) < _DECREMENT:
            return Maximum(theta + step, finite=True)
        length = float(np.abs(step).max())
        step *= min(1.0, _LONGEST_STEP / length)
        theta, value = _line_search(model, precision, theta, step, value)
    raise InternalError("A rating fit did not converge; please report the results it was given.")


def _objective(model: Model, precision: FloatArray, theta: FloatArray) -> float:
    return float(model.weight @ model.derivatives(theta).value - precision @ theta**2 / 2.0)


def _farthest(model: Model, theta: FloatArray) -> float:
    return max(float(np.abs(design @ theta).max()) for design in model.designs)


def _solve(curvature: FloatArray, slope: FloatArray) -> FloatArray | None:
    try:
        step = np.linalg.solve(curvature, slope)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(step, np.float64) if bool(np.isfinite(step).all()) else None


def _line_search(
    model: Model, precision: FloatArray, theta: FloatArray, step: FloatArray, value: float
) -> tuple[FloatArray, float]:
    """Halve the step until the objective does not fall by more than rounding."""
    for _ in range(30):
        new = theta + step
        reached = _objective(model, precision, new)
        if reached >= value - 1e-12 * abs(value):
            return new, reached
        step = step / 2.0
    return theta, value
