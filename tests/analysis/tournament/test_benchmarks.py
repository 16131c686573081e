"""Ratings against other benchmarks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from ludometer.analysis.benchmarks import (
    Benchmarks,
    benchmark_correlations,
    benchmark_sections,
    rank_correlation,
    read_benchmarks,
)
from ludometer.analysis.combined import joint_ratings
from ludometer.core import ConfigurationError

CSV = "model,arena,-latency\n tiny ,10%,9.5\nsmall,20,8\n\nlarge,3e1,\ngiant,40,1\nstranger,1,2\n"


def test_a_file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("\ufeff" + CSV, encoding="utf-8")
    arena = {"tiny": 10.0, "small": 20.0, "large": 30.0, "giant": 40.0, "stranger": 1.0}
    latency = {"tiny": -9.5, "small": -8.0, "giant": -1.0, "stranger": -2.0}
    assert read_benchmarks(path) == Benchmarks({"arena": arena, "latency": latency})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "name a column entrant"),
        ("name,arena\na,1\n", "name a column entrant"),
        ("entrant\na\n", "no benchmark beside"),
        ("entrant,arena,arena\na,1,2\n", "a name of its own"),
        ("entrant,arena,-arena\na,1,2\n", "a name of its own"),
        ("entrant,-\na,1\n", "a name of its own"),
        ("entrant,arena\na\n", "line 2: 1 cells"),
        ("entrant,arena\na,many\n", "line 2, column arena: 'many' is not a number"),
        ("entrant,arena\na,nan\n", "is not a number"),
        ("entrant,arena\na,1\na,2\n", "line 3: every line needs an entrant of its own"),
    ],
)
def test_mistakes_are_named(tmp_path, text, said):
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        read_benchmarks(path)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        read_benchmarks(tmp_path / "nothing.csv")
    (tmp_path / "bytes.csv").write_bytes(b"entrant,arena\n\xff\xfe,1\n")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_benchmarks(tmp_path / "bytes.csv")


def test_the_intervals_by_hand():
    one, other = [1.0, 2, 3, 4, 5, 6, 7], [2.0, 1, 4, 3, 6, 5, 7]
    tau = rank_correlation(one, other, "kendall")
    assert tau.value == pytest.approx((18 - 3) / 21)
    half = norm.ppf(0.975) * math.sqrt(0.437 / 3)
    assert tau.low == pytest.approx(math.tanh(math.atanh(tau.value) - half))
    rho = rank_correlation(one, other, "spearman")
    assert rho.value == pytest.approx(1 - 6 * 6 / (7 * 48))
    half = norm.ppf(0.975) * math.sqrt((1 + rho.value**2 / 2) / 4)
    assert rho.high == pytest.approx(math.tanh(math.atanh(rho.value) + half))


def test_few_have_no_interval_and_perfect_agreement_has_one():
    assert rank_correlation([1, 2], [1, 2], "kendall") == (None, None, None, 2)
    assert rank_correlation([1, 1, 1, 1], [1, 2, 3, 4], "spearman").value is None
    three = rank_correlation([1, 2, 3], [1, 2, 3], "kendall")
    assert (three.value, three.low) == (1.0, None)
    perfect = rank_correlation(range(8), range(8), "spearman")
    assert perfect.value == pytest.approx(1) and 0 < perfect.low < 1 and perfect.high == 1
    reverse = rank_correlation(range(8), [-x for x in range(8)], "kendall")
    assert reverse.low == -1 and -1 < reverse.high < 0


def test_intervals_cover():
    """Of rankings that have nothing to do with one another, 95% of the intervals hold zero."""
    random = np.random.default_rng(8)
    for statistic in ("spearman", "kendall"):
        found = [rank_correlation(random.random(13), random.random(13), statistic) for _ in range(400)]
        held = np.mean([one.low <= 0 <= one.high for one in found])
        assert 0.91 <= held <= 0.985, statistic


def test_correlations_of_a_run(study, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(CSV, encoding="utf-8")
    frame = benchmark_correlations(study, read_benchmarks(path)).set_index(["benchmark", "game"])
    assert len(frame) == 2 * 4
    row = frame.loc[("arena", "all games")]
    points = [joint_ratings(study)[name].rating for name in ("tiny", "small", "large", "giant")]
    assert row["n"] == 4 and row["spearman"] == rank_correlation(points, [1, 2, 3, 4], "spearman").value
    assert frame.loc[("latency", "all games"), "n"] == 3
    (section,) = benchmark_sections(study, read_benchmarks(path))
    assert any("stranger" in note for note in section.notes)
