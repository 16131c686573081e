"""Derivatives against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from ludometer.ratings.likelihood import (
    Kernel,
    Model,
    davidson,
    gradient,
    half_win,
    information,
    log_likelihood,
    outcome_probabilities,
    scores,
)


def model(kernel: Kernel) -> tuple[Model, np.ndarray]:
    rng = np.random.default_rng(5)
    predictors = 2 if kernel is davidson else 1
    designs = tuple(sparse.csr_array(rng.normal(size=(12, 4))) for _ in range(predictors))
    return Model(designs, rng.choice([0.0, 0.5, 1.0], 12), rng.uniform(1, 3, 12), kernel), rng.normal(size=4)


@pytest.mark.parametrize("kernel", [half_win, davidson])
def test_gradient_and_information_are_the_derivatives(kernel: Kernel) -> None:
    observed, theta = model(kernel)
    at = observed.derivatives(theta)
    step = 1e-5 * np.eye(4)
    slope = [(log_likelihood(observed, theta + h) - log_likelihood(observed, theta - h)) / 2e-5 for h in step]
    assert gradient(observed, at) == pytest.approx(np.array(slope), abs=1e-7)
    second = [
        (gradient(observed, observed.derivatives(theta + h)) - gradient(observed, observed.derivatives(theta - h)))
        / 2e-5
        for h in step
    ]
    assert information(observed, at) == pytest.approx(-np.array(second), abs=1e-7)


@pytest.mark.parametrize("kernel", [half_win, davidson])
def test_scores_add_up_to_the_gradient(kernel: Kernel) -> None:
    observed, theta = model(kernel)
    at = observed.derivatives(theta)
    assert observed.weight @ scores(observed, at).toarray() == pytest.approx(gradient(observed, at))


def test_davidson_probabilities() -> None:
    # Davidson (1970): win : draw : loss = p1 : nu * sqrt(p1 p2) : p2, here with strengths 4 and 1 and nu = 0.5.
    won, drawn, lost = outcome_probabilities(np.array([np.log(4.0)]), float(np.log(0.5)))
    assert np.array([won[0], drawn[0], lost[0]]) == pytest.approx(np.array([4, 1, 1]) / 6)


def test_extreme_predictors_stay_finite() -> None:
    far = np.array([800.0, -800.0])
    for kernel, predictors in ((half_win, far[None]), (davidson, np.stack([far, far]))):
        for part in kernel(np.array([0.0, 1.0]), predictors):
            assert np.isfinite(part).all()
