"""Statistics of judgements, against published examples, formulas written out, and planted effects."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.analysis.agreement import cluster_slope, krippendorff_alpha

N = math.nan
# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: 4 observers, 12 units.
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T
# The example of three coders and 15 units of the encyclopedia article "Krippendorff's alpha".
THREE_CODERS = np.array(
    [
        [N, N, N, N, N, 3, 4, 1, 2, 1, 1, 3, 3, N, 3],
        [1, N, 2, 1, 3, 3, 4, 3, N, N, N, N, N, N, N],
        [N, N, 2, 1, 3, 4, 4, N, 2, 1, 1, 3, 3, N, 4],
    ]
).T


@pytest.mark.parametrize(("values", "published", "units"), [(FOUR_OBSERVERS, 0.849, 11), (THREE_CODERS, 0.811, 12)])
def test_published_examples_for_interval_data(values: np.ndarray, published: float, units: int) -> None:
    found = krippendorff_alpha(values)
    assert round(found.value, 3) == published
    assert found.units == units
    assert found.low < found.value <= found.high <= 1


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=3, max_size=3), min_size=1, max_size=7))
def test_alpha_is_its_formula_pair_by_pair(written: list[list[int | None]]) -> None:
    units = [[v for v in unit if v is not None] for unit in written]
    units = [unit for unit in units if len(unit) >= 2]
    found = krippendorff_alpha([[N if v is None else v for v in unit] for unit in written])
    values = [v for unit in units for v in unit]
    if len(set(values)) < 2:
        assert math.isnan(found.value)
        return
    n = len(values)
    observed = sum((a - b) ** 2 / (len(unit) - 1) for unit in units for a, b in itertools.permutations(unit, 2)) / n
    expected = sum((a - b) ** 2 for a, b in itertools.permutations(values, 2)) / (n * (n - 1))
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-9)


def test_alpha_does_not_depend_on_the_scale_and_keeps_its_digits() -> None:
    plain = krippendorff_alpha(FOUR_OBSERVERS)
    moved = krippendorff_alpha(FOUR_OBSERVERS * 3 + 1e6)
    assert moved.value == pytest.approx(plain.value, abs=1e-9)


def test_nothing_to_compare_is_not_a_number() -> None:
    assert math.isnan(krippendorff_alpha(np.empty((0, 2))).value)
    assert math.isnan(krippendorff_alpha([[1, N], [N, 2]]).value)
    few = krippendorff_alpha([[1, 1], [2, 2]])
    assert few.value == 1.0 and math.isnan(few.low)


def test_the_interval_of_alpha_resamples_clusters_and_repeats() -> None:
    draw = np.random.default_rng(2)
    truth = np.repeat(draw.normal(size=20), 5)
    values = truth[:, None] + draw.normal(size=(100, 2)) * 0.7
    alone = krippendorff_alpha(values)
    together = krippendorff_alpha(values, list(np.repeat(np.arange(20), 5)))
    assert together == krippendorff_alpha(values, list(np.repeat(np.arange(20), 5)))
    assert together.high - together.low > 1.2 * (alone.high - alone.low), "units of one cluster are alike"


# ---------------------------------------------------------------------- slopes


def test_a_slope_and_its_error_are_the_formula_with_matrices() -> None:
    draw = np.random.default_rng(3)
    clusters = draw.integers(0, 12, 80)
    x = draw.normal(size=80) + clusters / 6
    y = 0.5 + 1.5 * x + draw.normal(size=80) + clusters / 4
    found = cluster_slope(x, y, list(clusters))
    design = np.column_stack([np.ones(80), x])
    beta = np.linalg.lstsq(design, y, rcond=None)[0]
    residual = y - design @ beta
    bread = np.linalg.inv(design.T @ design)
    meat = np.zeros((2, 2))
    for label in set(clusters):
        score = design[clusters == label].T @ residual[clusters == label]
        meat += np.outer(score, score)
    size = len(set(clusters))
    error = math.sqrt((bread @ meat @ bread)[1, 1] * size / (size - 1) * 79 / 78)
    assert found.value == pytest.approx(beta[1])
    assert (found.high - found.low) / 2 == pytest.approx(error * 2.2009851600826, rel=1e-6)  # t(0.975, 11)
    assert found.n == 80


def test_within_groups_only_differences_within_them_count() -> None:
    """Longer groups score more, but within a group length costs: the two slopes have different signs."""
    draw = np.random.default_rng(4)
    group = np.repeat(np.arange(10), 6)
    x = group + draw.normal(size=60) * 0.3
    y = 2 * group - 1.0 * (x - group) + draw.normal(size=60) * 0.05
    labels = list(range(60))
    assert cluster_slope(x, y, labels).low > 0
    inside = cluster_slope(x, y, labels, within=list(group))
    assert inside.low < -1.0 < inside.high < 0


@pytest.mark.parametrize(
    ("x", "y", "clusters", "within"),
    [([], [], [], None), ([1, 1], [2, 3], [0, 1], None), ([1, 2], [2, 3], [0, 1], ["a", "b"])],
)
def test_without_differences_there_is_no_slope(x: list[float], y: list[float], clusters: list[int], within) -> None:
    assert math.isnan(cluster_slope(x, y, clusters, within=within).value)


def test_one_cluster_has_a_slope_without_an_interval() -> None:
    found = cluster_slope([1, 2, 3], [2, 4, 6], ["a"] * 3)
    assert found.value == pytest.approx(2.0) and math.isnan(found.low)
