from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import ResultRow, count_results
from ludometer.ratings.counting import ENDINGS, Rule

ROWS = [
    ResultRow("a", "b", "completed", 1.0, None, 7, "chess"),
    ResultRow("b", "a", "completed", 0.5, None, 7, "chess"),
    ResultRow("a", "b", "forfeit", None, 1),
    ResultRow("a", "b", "forfeit", 1.0, None),
    ResultRow("a", "b", "forfeit"),
    ResultRow("b", "c", "canceled", None, 2),
    ResultRow("b", "c", "canceled"),
    ResultRow("b", "c", "void", 1.0, 1),
    ResultRow("c", "c", "completed", 0.0),
]


def test_headline_counts_the_offender_as_the_loser() -> None:
    games, counts = count_results(ROWS)
    assert games.score.tolist() == [1.0, 0.5, 0.0, 1.0, 1.0, 0.0]
    assert (counts.total, counts.counted, counts.self_play, counts.rated) == (9, 6, 1, 5)
    assert (counts.completed, counts.forfeit, counts.forfeit_unknown) == (3, 2, 1)
    assert (counts.canceled, counts.canceled_unknown, counts.void) == (1, 1, 1)
    assert counts.left_out == {
        "forfeit, offender unknown": 1,
        "canceled, offender unknown": 1,
        "void": 1,
        "self-play": 1,
    }


def test_played_counts_completed_games_only() -> None:
    games, counts = count_results(ROWS, "played")
    assert games.score.tolist() == [1.0, 0.5, 0.0]
    assert counts.left_out["forfeit"] == 2
    assert counts.left_out["canceled"] == 1
    assert games.titles == ("chess", "game")


def test_groups_become_clusters() -> None:
    games, _ = count_results(ROWS)
    assert games.cluster is not None
    assert games.cluster[0] == games.cluster[1]
    assert len(set(games.cluster.tolist())) == 5
    assert count_results([("a", "b", "completed", 1.0, None, None, None)])[0].cluster is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("a", "b", "completed"), "has no score"),
        (("a", "b", "lost", 1.0), "ending 'lost'"),
        (("a", "b", "forfeit", None, 0), "seat, 1 or 2"),
        (("a", "b", "completed", 1.5), "outside 0 to 1"),
        (("a", "b", "completed", float("nan")), "outside 0 to 1"),
    ],
)
def test_bad_rows_are_named(row: tuple[object, ...], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        count_results([row])


def test_unknown_rule() -> None:
    with pytest.raises(ConfigurationError, match="'headline' or 'played'"):
        count_results([], "all")  # type: ignore[arg-type]


names = st.sampled_from("abc")
rows = st.builds(
    ResultRow,
    names,
    names,
    st.sampled_from(ENDINGS),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([None, 1, 2]),
    st.none() | st.integers() | st.text(),
    st.none() | st.text(),
)


@given(st.lists(rows), st.sampled_from(["headline", "played"]))
def test_nothing_is_silently_dropped(results: list[ResultRow], rule: Rule) -> None:
    games, counts = count_results(results, rule)
    assert counts.total == len(results)
    assert counts.rated + sum(counts.left_out.values()) == counts.total
    assert counts.counted == len(games)
