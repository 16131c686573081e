"""Declared orders against ratings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from ludometer.analysis.combined import joint_ratings
from ludometer.analysis.expected import expected_orders, order_estimate, sections
from ludometer.ratings import difference_covariance, probability_better


def test_of_two_it_is_the_probability_of_being_better(study):
    fit = joint_ratings(study).fit
    better = probability_better(fit)
    for weak, strong in (("tiny", "giant"), ("giant", "large"), ("small", "large")):
        found = order_estimate(fit, [weak, strong])
        assert found.probability == pytest.approx(better[fit.index(strong), fit.index(weak)])


def test_of_more_it_is_that_of_a_normal_distribution(study):
    """Against Genz's method for the multivariate normal distribution, which draws nothing by itself."""
    fit = joint_ratings(study).fit
    for order in (["tiny", "small", "large", "giant"], ["tiny", "large", "giant"], ["small", "giant", "large"]):
        steps = np.diff([fit.points[fit.index(name)] for name in order])
        covariance, _ = difference_covariance(fit, order)
        exact = multivariate_normal(np.zeros(len(steps)), covariance).cdf(steps)
        assert order_estimate(fit, order).probability == pytest.approx(exact, abs=0.006)


def test_all_orders_of_three_add_up_to_one(study):
    fit = joint_ratings(study).fit
    names = ["tiny", "small", "large"]
    orders = [[names[i] for i in p] for p in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))]
    assert sum(order_estimate(fit, order).probability for order in orders) == pytest.approx(1, abs=0.01)


def test_the_table(study):
    frame = expected_orders(study)
    assert len(frame) == 3 * 4, "three orders, over all games and in each"
    over_all = frame[frame["game"] == "all games"].set_index("order")
    good, wrong, unknown = over_all.loc[["tiny < small < large", "giant < tiny", "tiny < nobody"]].to_dict("records")
    assert good["holds"] and good["probability"] > 0.9 and good["matches"] == 120
    assert not wrong["holds"] and wrong["probability"] < 0.01
    assert wrong["step_low"] < wrong["smallest_step"] < wrong["step_high"] < 0
    assert unknown["missing"] == "nobody" and np.isnan(unknown["probability"])


def test_the_least_certain_step_is_named(study):
    fit = joint_ratings(study).fit
    found = order_estimate(fit, ["tiny", "small", "large"])
    row = expected_orders(study).iloc[0]
    ratios = [step / error for step, error in zip(found.steps, found.errors, strict=True)]
    least = int(np.argmin(ratios))
    assert row["smallest_step"] == pytest.approx(found.steps[least])


def test_only_runs_that_expect_something_have_the_section(study, make, a_row):
    (section,) = sections(study)
    (table,) = section.tables
    assert len(table.frame) == 12
    with make([a_row(1, "nim", "tiny", "small", 0, True)]) as store:
        assert sections(store) == ()


def test_entrants_that_never_met_have_no_order(make, a_row):
    matches = [a_row(1, "nim", "tiny", "small", 0, True), a_row(2, "nim", "small", "tiny", 0, True)]
    matches += [a_row(3, "nim", "large", "giant", 0, True), a_row(4, "nim", "giant", "large", 0, True)]
    with make(matches, expected_order=[["tiny", "giant"]]) as store:
        (row,) = expected_orders(store).to_dict("records")
        assert row["probability"] is None or np.isnan(row["probability"])
