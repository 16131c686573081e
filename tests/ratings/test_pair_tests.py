"""Decisions on pairs and on the top, and how often they are wrong."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ludometer.core import ConfigurationError
from ludometer.ratings.pair_tests import PairTest, decided_pairs, decided_top

WINS = [1.0, 1.0, 0.75, 1.0] * 8


def played(scores: list[float], margin: float = 50.0) -> PairTest:
    test = PairTest(margin)
    for score in scores:
        test.add(score)
    return test


def test_verdicts_by_hand() -> None:
    assert played(WINS).verdict(0.025) == "first"
    assert played([1 - score for score in WINS]).verdict(0.025) == "second"
    assert played([0.5] * 400).verdict(0.025) == "alike"
    assert played([0.5] * 10).verdict(0.025) == "open"
    assert played([]).verdict(0.025) == "open"


def test_a_wider_margin_is_reached_sooner() -> None:
    scores = [0.5, 0.25, 0.75] * 60
    assert played(scores, margin=150.0).verdict(0.025) == "alike"
    assert played(scores, margin=20.0).verdict(0.025) == "open"
    with pytest.raises(ConfigurationError, match="above 0"):
        PairTest(0.0)


def test_the_interval_agrees_with_the_verdict() -> None:
    low, high = played(WINS).points(0.025)
    assert 0 < low < high
    low, high = played([0.5] * 400).points(0.025)
    assert -50 < low < 0 < high < 50


def test_holm_makes_the_others_less_strict() -> None:
    """A pair that is just not decided among three is decided once the two others are."""
    clear = played([1.0] * 60)
    level = 0.05 / 4  # of the last pair of three, two being directed; the first level is 0.05 / 6
    scores: list[float] = []
    close = played(scores)
    while close.verdict(level) == "open":
        scores.append(0.625)
        close = played(scores)
    assert close.verdict(0.05 / 6) == "open"
    assert decided_pairs({1: close, 2: played([]), 3: played([])})[1] == "open"
    assert decided_pairs({1: close, 2: clear, 3: clear}) == {1: "first", 2: "first", 3: "first"}


def test_top_by_hand() -> None:
    clear, level = played(WINS), played([0.5] * 500)
    names = ["a", "b", "c"]
    top = decided_top(names, {("a", "b"): clear, ("c", "a"): played([1 - s for s in WINS])})
    assert top is not None and (top.name, top.beaten, top.alike) == ("a", ("b", "c"), ())
    assert decided_top(names, {("a", "b"): clear}) is None
    top = decided_top(names, {("a", "b"): level, ("a", "c"): clear, ("b", "c"): clear})
    assert top is not None and (top.name, top.beaten, top.alike) == ("a", ("c",), ("b",))


@pytest.mark.parametrize("rule", ["pairs", "top"])
def test_equals_are_rarely_told_apart(rule: str) -> None:
    """Four equals, looked at after every round: in at most 5% of the runs anybody is ever called better."""
    rng = np.random.default_rng(5)
    names, wrong, runs = ["a", "b", "c", "d"], 0, 60
    for _ in range(runs):
        tests = {pair: PairTest(10.0) for pair in itertools.combinations(names, 2)}
        for _ in range(60):
            for test in tests.values():
                test.add(float(rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], p=[0.05, 0.2, 0.5, 0.2, 0.05])))
        if rule == "pairs":  # a direction that was ever told stays told
            wrong += any(verdict in ("first", "second") for verdict in decided_pairs(tests).values())
        else:
            wrong += decided_top(names, tests) is not None
    assert wrong <= 8  # 3 are to be expected at most; more than 8 of 60 at 5% have a probability below 0.2%
