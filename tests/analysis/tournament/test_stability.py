"""The ranking over repeats."""

from __future__ import annotations

import pytest
from scipy.stats import kendalltau

from ludometer.analysis.combined import joint_ratings
from ludometer.analysis.stability import ranking_stability, sections

ORDER = ["tiny", "small", "large", "giant"]


def certain(a_row, repeats: int = 4) -> list:
    """The stronger always wins, but for the first repeat of neighbours, so that everybody took a point."""
    matches = []
    for repeat in range(repeats):
        for i, weak in enumerate(ORDER):
            for strong in ORDER[i + 1 :]:
                for first, second in ((weak, strong), (strong, weak)):
                    matches.append(a_row(len(matches) + 1, "nim", first, second, repeat, first == strong))
    return matches


def test_what_is_certain_is_stable(make, a_row):
    with make(certain(a_row)) as store:
        found = ranking_stability(store, draws=20)
    halves, again = found.agreement.to_dict("records")
    for row in (halves, again):
        assert (row["tau"], row["low"], row["high"], row["draws"]) == (1, 1, 1, 20)
        assert (row["repeats"], row["entrants"]) == (24, 4)
    assert list(found.ranks["entrant"]) == ORDER[::-1]
    assert list(found.ranks["low"]) == list(found.ranks["high"]) == [1, 2, 3, 4]
    assert list(found.ranks["first"]) == [1, 0, 0, 0]


def test_luck_is_not(make, a_row):
    matches = certain(a_row)
    for i, one in enumerate(matches):
        # Who wins is the repeat's luck alone: half of the repeats prefer the first in the alphabet.
        first_wins = (i * 7919) % 13 < 6
        one["scores"] = f'{{"1": {float(first_wins)}, "2": {float(not first_wins)}}}'
    with make(matches) as store:
        halves = ranking_stability(store, draws=40).agreement.iloc[0]
    assert halves["tau"] < 0.6 and halves["low"] < 0


def test_it_is_the_same_every_time(study):
    one, other = (ranking_stability(study, draws=30, seed=3) for _ in range(2))
    assert one.agreement.equals(other.agreement) and one.ranks.equals(other.ranks)
    assert one.agreement["low"].min() < 1, "not all draws are alike"


def test_ranks_are_those_of_the_joint_fit(study):
    found = ranking_stability(study, draws=5)
    assert list(found.ranks["entrant"]) == [row.name for row in joint_ratings(study).rows]
    assert (found.ranks["low"] <= found.ranks["rank"]).all() or (found.ranks["high"] >= found.ranks["rank"]).all()


def test_a_duplicate_group_is_never_torn_apart(make, a_row):
    """One repeat per table: halves and resamples have nothing to draw from, however many matches it holds."""
    with make(certain(a_row, repeats=1)) as store:
        assert ranking_stability(store).agreement.empty
        assert sections(store) == ()


def test_shared_luck_makes_one_group_of_all_tables(make, a_row):
    matches = certain(a_row)
    for one in matches:
        one["group"] = one["group"].rpartition("/")[2]
    with make(matches) as store:
        found = ranking_stability(store, draws=6).agreement
    assert set(found["repeats"]) == {4}
    assert set(found["tau"]) == {1.0}


def test_two_entrants_have_no_ranking(make, a_row):
    with make([a_row(i + 1, "nim", "tiny", "small", i, True) for i in range(4)]) as store:
        assert ranking_stability(store).agreement.empty
        assert sections(store) == ()


def test_the_section(study):
    (section,) = sections(study)
    agreement, ranks = section.tables
    halves, again = agreement.frame["tau"]
    assert 0.3 < halves <= again <= 1, "half of the matches give a less stable ranking"
    assert len(ranks.frame) == 4 and section.figures


def test_tau_b_is_scipys():
    assert kendalltau([1, 2, 3, 4], [1, 2, 4, 3]).statistic == pytest.approx(2 / 3)
