"""Metrics over decisions that can be counted by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from scipy.stats import t

from ludometer.analysis.uno import KS, by_kind, player_metrics, regrets
from ludometer.analysis.uno.decisions import judged

COMMON = {"game": "uno", "condition": "", "seats": 2, "evaluator": "judge", "match": "m1"}


def decision(group: str, action: str, kind: str = "card", entrant: str = "ann", **values: float) -> dict[str, Any]:
    written = {name: [value, False, 0.0, 0.0] for name, value in values.items()}
    return {**COMMON, "group": group, "entrant": entrant, "kind": kind, **judged(written, action)}


DECIDED = pd.DataFrame(
    [
        decision("g1", "a", a=0.65, b=0.5),  # as far apart as the threshold, though 0.65 - 0.5 < 0.15 as floats
        decision("g1", "b", a=0.65, b=0.5),
        decision("g2", "b", a=0.65, b=0.51),
        decision("g2", "a", a=0.5, b=0.5),  # a tie
        decision("g2", "c", a=0.9, b=0.5, c=0.5),  # shares ranks 2 and 3
        decision("g3", "a", "colour", a=0.2, b=0.3, c=0.1, d=0.4),
        decision("g3", "a", a=0.2),  # no decision
        decision("g1", "b", "challenge", "bob", a=0.2, b=0.3),
    ]
)
RATES = pd.DataFrame(
    [{**COMMON, "entrant": "ann", "WR": 0.5, "WR_low": 0.4, "WR_high": 0.6, "WR_n": 4}]
)  # bob never finished a match


def test_all_decisions_count_with_a_threshold_of_zero() -> None:
    ann, bob = player_metrics(RATES, DECIDED, p=0.0).to_dict("records")
    assert ann["ODHR@2"] == pytest.approx((1 + 0 + 0 + 0.5) / 4) and ann["ODHR@2_n"] == 4
    assert ann["ADR@2"] == pytest.approx(2 - ann["ODHR@2"])
    assert (ann["ODHR@3"], ann["ADR@3"], ann["ODHR@3_n"]) == (0, 2.5, 1)
    assert (ann["ODHR@4"], ann["ADR@4"]) == (0, 3)
    assert (ann["WR"], ann["WR_n"]) == (0.5, 4)
    assert (bob["entrant"], bob["ODHR@2"]) == ("bob", 1)
    assert pd.isna(bob["WR"]) and pd.isna(bob["ODHR@3"]) and bob["ODHR@3_n"] == 0


def test_only_critical_decisions_count() -> None:
    ann = player_metrics(RATES, DECIDED, p=0.15).to_dict("records")[0]
    assert (ann["ODHR@2"], ann["ODHR@2_n"]) == (0.5, 2)
    assert ann["ODHR@3_n"] == ann["ODHR@4_n"] == 1
    none = player_metrics(RATES, DECIDED, p=0.5).to_dict("records")[0]
    assert all(pd.isna(none[f"ADR@{k}"]) for k in KS)


def test_intervals_are_clustered_and_cut_to_what_can_be() -> None:
    ann = player_metrics(RATES, DECIDED, p=0.0).to_dict("records")[0]
    # Groups g1 and g2 have the hits (1, 0) and (0, 0.5) around a mean of 0.375.
    sums = [0.25, -0.25]
    error = (2 / 1 * sum(s * s for s in sums)) ** 0.5 / 4
    half = t.ppf(0.975, 1) * error
    assert half > 1
    assert (ann["ODHR@2_low"], ann["ODHR@2_high"]) == (0, 1)
    assert (ann["ADR@2_low"], ann["ADR@2_high"]) == (1, 2)
    assert (ann["ADR@4_low"], ann["ADR@4_high"]) != (ann["ADR@4"], ann["ADR@4"])  # one decision does not make it sure
    narrow = player_metrics(RATES, DECIDED, p=0.0, level=0.1).to_dict("records")[0]
    assert narrow["ADR@2_high"] - narrow["ADR@2"] == pytest.approx(t.ppf(0.55, 1) * error)


def test_by_kind() -> None:
    frame = by_kind(DECIDED, p=0.0)
    assert list(zip(frame["entrant"], frame["kind"], strict=True)) == [
        ("ann", "card"),
        ("ann", "colour"),
        ("bob", "challenge"),
    ]
    assert frame["ODHR@2_n"].tolist() == [4, 0, 1]
    assert "WR" not in frame


def test_regret_in_percentage_points() -> None:
    frame = regrets(DECIDED).set_index(["entrant", "kind"])
    ann = frame.loc[("ann", "all")]
    lost = [0, 15, 14, 0, 40, 20]
    assert ann["n"] == 6
    assert ann["regret"] == pytest.approx(sum(lost) / 6)
    assert ann["gain"] == pytest.approx(sum([7.5, -7.5, -7, 0, -40 / 3, -5]) / 6)
    assert ann["chance_regret"] == pytest.approx(ann["regret"] + ann["gain"])
    assert ann["unclear"] == pytest.approx(1 / 6)  # these estimates have no error: only the tie
    half = ann["regret_high"] - ann["regret"]
    assert half == pytest.approx(ann["regret_error"] * t.ppf(0.975, 2))
    assert frame.loc[("ann", "colour"), "regret"] == pytest.approx(20)
    assert pd.isna(frame.loc[("bob", "all"), "regret_error"])


def test_nothing_judged_gives_empty_frames() -> None:
    none = DECIDED[:0]
    assert player_metrics(RATES, none, p=0.0).empty
    assert by_kind(none, p=0.0).empty
    assert regrets(none).empty
