"""The jury of debates: counted by hand on two matches, and as a whole on judges with planted biases."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludometer.analysis import leaderboard, ratings_of, run_counts
from ludometer.analysis.debate import ALL_JUDGES, agreement, debate_results, debate_tables, sections
from ludometer.analysis.debate_sheets import TOTAL, debate_scores, debate_verdicts, judged_debates, judges, rejudged
from ludometer.core import Chance, ConfigurationError
from ludometer.games.debate import Debate, Sheet, Speech
from ludometer.store import RunStore

from .conftest import match

ANN = {"name": "ann", "player": "lab/big", "options": {}, "family": "lab", "thinking": None}
BOB = {"name": "bob", "player": "works/one", "options": {}, "family": "works", "thinking": None}
CID = {"name": "cid", "player": "random", "options": {}, "family": None, "thinking": None}

Scores = tuple[float, float]
"""What a judge gives the side for the motion and the side against it."""


def debate_row(
    number: int, first: str, second: str, words: tuple[int, int], given: list[tuple[Scores, Scores]], **columns: Any
) -> dict[str, Any]:
    """A debate of one statement and a close each, with one criterion: ``given`` has the scores of every judge with the
    side for the motion shown first, and shown second."""
    options = {"rebuttals": 0, "judges": len(given), "rubric": "argument:1", "lowest": -50, "highest": 50}
    options |= {"words": 1000, "characters": 10000} | columns.pop("options", {})
    game = Debate(**options)
    state = game.new(2, Chance.from_seed("l").named("game"))
    notation = []
    for i in range(4):
        speech = Speech(" ".join(["word"] * (words[i % 2] // 2)))
        notation.append(game.format(state, speech))
        state = game.apply(state, {("for", "against")[i % 2]: speech})
    moves = {}
    for k, (ab, ba) in enumerate(given, 1):
        moves |= {f"judge{k}.ab": Sheet((ab[0],), (ab[1],)), f"judge{k}.ba": Sheet((ba[1],), (ba[0],))}
    notation += [game.format(state, moves[seat]) for seat in game.to_act(state)]
    outcome = game.outcome(game.apply(state, moves))
    assert outcome is not None and outcome.payoffs is not None
    return match(number, first, second, **columns) | {
        "game": "debate",
        "options": json.dumps(options),
        "condition": "{}",
        "seats": json.dumps({"for": first, "against": second}),
        "notation": "\n".join(notation),
        "scores": json.dumps(dict(outcome.scores)),
        "payoffs": json.dumps(dict(outcome.payoffs)),
        "moves": len(notation),
    }


def stored(folder: Path, rows: list[dict[str, Any]], officials: dict[str, Any]) -> RunStore:
    store = RunStore.create(folder / "run", {"name": "debates", "games": [], "officials": officials})
    store.add_entrants([ANN, BOB, CID])
    store.insert_finished(rows)
    return store


# --------------------------------------------------------------------- by hand

TWO = {"judge1": {"player": "lab/judge"}, "judge2": {"player": "far/judge", "family": "far"}}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[RunStore]:
    rows = [
        # judge1: ann 8 and 6 against bob 4 and 6; judge2: 3 against 5 both times. Sums 20 and 20: a draw.
        debate_row(1, "ann", "bob", (300, 100), [((8, 4), (6, 6)), ((3, 5), (3, 5))], group="g"),
        debate_row(2, "bob", "ann", (100, 200), [((2, 9), (4, 7)), ((7, 6), (6, 7))], group="g"),
        debate_row(3, "ann", "bob", (100, 200), [((5, 5), (5, 5)), ((5, 5), (5, 5))], ending="forfeit", offender="for")
        | {"scores": '{"for": 0, "against": 1}', "payoffs": None, "notation": "word"},
    ]
    with stored(tmp_path, rows, TWO) as store:
        yield store


def test_scores_are_read_back_with_who_was_shown_first(small: RunStore) -> None:
    scores = debate_scores(small)
    assert len(scores) == 2 * 2 * 2 * 2 * 2, "matches, judges, orders, sides, a criterion and the total"
    one = scores[(scores["match"] == "m000001") & (scores["judge"] == "judge1") & (scores["criterion"] == TOTAL)]
    found = {
        (row["order"], row["side"]): (row["entrant"], row["shown_first"], row["score"]) for _, row in one.iterrows()
    }
    assert found == {
        ("ab", "for"): ("ann", True, 8.0),
        ("ab", "against"): ("bob", False, 4.0),
        ("ba", "against"): ("bob", True, 6.0),
        ("ba", "for"): ("ann", False, 6.0),
    }


def test_verdicts_are_counted_by_hand(small: RunStore) -> None:
    verdicts = debate_verdicts(small).set_index(["match", "judge"])
    one = verdicts.loc[("m000001", "judge1")]
    assert (one["for_total"], one["against_total"], one["margin"]) == (7.0, 5.0, 2.0)
    assert one["first_gain"] == 2.0, "ann 8 against 6, bob 6 against 4"
    assert (one["first_preferred"], one["changed"]) == (0.75, True)
    assert (one["for_words"], one["against_words"], one["own"], one["family"]) == (300, 100, "for", "lab")
    other = verdicts.loc[("m000002", "judge2")]
    assert (other["margin"], other["first_gain"], other["first_preferred"], other["changed"]) == (0.0, 1.0, 1.0, True)
    assert other["own"] is None or other["own"] != other["own"]
    assert verdicts.loc[("m000002", "judge1"), "own"] == "against"


def test_judges_are_those_of_the_configuration(small: RunStore) -> None:
    assert [tuple(judge) for judge in judges(small).values()] == [
        ("judge1", "lab/judge", "lab"),
        ("judge2", "far/judge", "far"),
    ]


def test_results_without_the_judges_of_a_family_are_summed_anew(small: RunStore) -> None:
    before = {row.id: row.scores for row in small.matches()}
    assert before["m000001"] == {"for": 0.5, "against": 0.5} and before["m000002"] == {"for": 0.0, "against": 1.0}
    after = rejudged(small).matches.set_index("match")
    # Without judge 1: ann loses the first 3 to 5, twice; the second is level, 13 to 13.
    assert list(after.loc["m000001", ["score_1", "score_2", "payoff_1", "payoff_2"]]) == [0.0, 1.0, 6.0, 10.0]
    assert list(after.loc["m000002", ["score_1", "score_2", "payoff_1", "payoff_2"]]) == [0.5, 0.5, 13.0, 13.0]
    assert list(after.loc["m000003", ["score_1", "ending"]]) == [0.0, "forfeit"], "not the jury's"
    assert {row.id: row.scores for row in small.matches()} == before, "the run itself stays as it is"
    by_name = rejudged(small, ["judge2"]).matches.set_index("match")
    assert list(by_name.loc["m000001", ["score_1", "payoff_1"]]) == [1.0, 14.0]
    assert rejudged(small, []).matches.equals(rejudged(small, ()).matches)


def test_everything_that_takes_tables_takes_the_rejudged_ones(small: RunStore) -> None:
    rated = {row.name: row.rating for row in ratings_of(rejudged(small)).rows}
    plain = {row.name: row.rating for row in ratings_of(small).rows}
    assert rated["ann"] < plain["ann"] and rated["bob"] > plain["bob"]
    assert not leaderboard(rejudged(small)).empty


def test_a_match_without_a_judge_left_is_void_and_seen(small: RunStore) -> None:
    tables = rejudged(small, ["judge1", "judge2"])
    assert run_counts(tables) == {
        "total": 3,
        "completed": 0,
        "forfeit": 1,
        "canceled": 0,
        "void": 2,
        "unfinished": 0,
    }
    assert tables.matches["score_1"].notna().sum() == 1


def test_a_judge_that_does_not_exist_is_an_error(small: RunStore) -> None:
    with pytest.raises(ConfigurationError, match="no judge 'jugde1'; did you mean 'judge1'"):
        rejudged(small, ["jugde1"])
    with pytest.raises(ConfigurationError, match="'family' or names"):
        rejudged(small, "judge1")  # type: ignore[arg-type]


def test_results_are_shown_with_and_without(small: RunStore) -> None:
    results = debate_results(small).set_index("entrant")
    ann = results.loc["ann"]
    assert (ann["score"], ann["matches"], ann["without"], ann["matches_without"]) == (0.5, 3, pytest.approx(1 / 6), 3)
    assert results["flagged"].all()


def test_the_report_flags_judges_and_counts_what_no_jury_judged(small: RunStore) -> None:
    (section,) = sections(small)
    assert "1 of 3 finished debates ended before the jury judged, and are not in here." in section.notes
    (flag,) = (note for note in section.notes if "family lab" in note)
    assert "judge1 (lab/judge)" in flag and "ann" in flag and "2 matches" in flag
    assert {table.title for table in section.tables} >= {"Judges of a contestant's family", "Results without them"}


def test_a_run_without_debates_has_no_section(store: RunStore) -> None:
    assert sections(store) == ()
    tables = debate_tables(store)
    assert all(frame.empty and len(frame.columns) for frame in tables.values())


def test_matches_that_the_game_does_not_take_any_more_are_left_out(tmp_path: Path) -> None:
    good = debate_row(1, "ann", "bob", (20, 20), [((5, 4), (5, 4))])
    spoilt = [
        debate_row(2, "ann", "bob", (20, 20), [((5, 4), (5, 4))])
        | {"notation": "word\nword\nword\nword\nno sheet\nno"},
        debate_row(3, "ann", "bob", (20, 20), [((5, 4), (5, 4))]) | {"options": '{"no_such_option": 1}'},
    ]
    with stored(tmp_path, [good, *spoilt], {}) as store:
        assert [debate.row.id for debate in judged_debates(store)] == ["m000001"]
        assert judges(store)["judge1"].family is None
        (section,) = sections(store)
        assert any("no family is known" in note for note in section.notes)


# --------------------------------------------------------------------- planted

JURY = {
    "judge1": {"player": "far/fair", "family": "far"},
    "judge2": {"player": "far/first", "family": "far"},
    "judge3": {"player": "far/long", "family": "far"},
    "judge4": {"player": "lab/own", "family": "LAB"},
}
FIRST, LENGTH, OWN = 1.5, 0.8, 2.0
"""What judge 2 adds for standing first, judge 3 per 100 words, and judge 4 for its own family, in points."""


def planted(count: int = 60) -> list[dict[str, Any]]:
    draw = np.random.default_rng(5)
    rows = []
    for number in range(1, count + 1):
        names = [("ann", "bob"), ("bob", "ann"), ("bob", "cid"), ("cid", "bob")][number % 4]
        truth = draw.normal(size=2)
        words = draw.integers(50, 400, 2) // 2 * 2
        given = []
        for judge in range(1, 5):
            for_first, for_second = (
                tuple(
                    float(
                        truth[side]
                        + 0.2 * draw.normal()
                        + FIRST * (judge == 2 and first == side)
                        + LENGTH * (judge == 3) * words[side] / 100
                        + OWN * (judge == 4 and names[side] == "ann")
                    )
                    for side in (0, 1)
                )
                for first in (0, 1)
            )
            given.append((for_first, for_second))
        rows.append(debate_row(number, *names, tuple(map(int, words)), given, group=f"g{number // 2}"))
    return rows


@pytest.fixture(scope="module")
def jury(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with stored(tmp_path_factory.mktemp("jury"), planted(), JURY) as store:
        yield {"store": store, **debate_tables(store)}


def test_position_bias_is_found_where_it_was_planted(jury: dict[str, Any]) -> None:
    table = jury["judges"].set_index("judge")
    found = table.loc["judge2"]
    assert found["first_gain_low"] < FIRST < found["first_gain_high"]
    assert found["first_gain_low"] > 1.0 and found["first_preferred_low"] > 0.5
    for judge in ("judge1", "judge3", "judge4"):
        assert table.loc[judge, "first_gain_low"] < 0 < table.loc[judge, "first_gain_high"]
    assert table.loc["judge2", "changed"] > 2 * table.loc["judge1", "changed"]
    assert table.loc[ALL_JUDGES, "first_gain"] == pytest.approx(table.loc["judge1":"judge4", "first_gain"].mean())
    assert table.loc[ALL_JUDGES, "verdicts"] == 240


def test_length_bias_is_found_where_it_was_planted(jury: dict[str, Any]) -> None:
    table = jury["judges"].set_index("judge")
    for name in ("length", "length_within"):
        low, high = table.loc["judge3", [f"{name}_low", f"{name}_high"]]
        assert 0 < low < LENGTH < high, name
        assert table.loc["judge1", f"{name}_low"] < 0 < table.loc["judge1", f"{name}_high"]


def test_favour_for_the_own_family_is_found_and_the_judge_flagged(jury: dict[str, Any]) -> None:
    (row,) = jury["family"].to_dict("records")
    assert (row["judge"], row["entrants"], row["verdicts"], row["compared"]) == ("judge4", "ann", 30, 30)
    assert 0 < row["favour_low"] < row["favour_high"]
    # The mean of the other judges has the length bias of one of them, so that the favour is known to that only.
    assert row["favour"] == pytest.approx(OWN, abs=0.5)
    verdicts = jury["verdicts"]
    assert set(verdicts.loc[verdicts["judge"] == "judge4", "own"].dropna()) == {"for", "against"}
    assert verdicts.loc[verdicts["judge"] != "judge4", "own"].isna().all()


def test_results_without_the_family_favour_ann_less(jury: dict[str, Any]) -> None:
    results = jury["results"].set_index("entrant")
    assert results.loc["ann", "without"] < results.loc["ann", "score"]
    assert results.loc["cid", "without"] == results.loc["cid", "score"] and not results.loc["cid", "flagged"]
    assert results.loc["ann", "flagged"] and results.loc["bob", "flagged"]


def test_agreement_is_lower_where_biases_differ(jury: dict[str, Any]) -> None:
    table = jury["agreement"].set_index("what")
    assert list(table.index) == [TOTAL, "margin", "argument"]
    assert table.loc[TOTAL, "units"] == 120 and table.loc["margin", "units"] == 60
    assert table.loc[TOTAL, "own_units"] == 480
    fair = jury["scores"][jury["scores"]["judge"] == "judge1"]
    alone = agreement(fair).set_index("what")
    assert alone.loc["margin", "own_alpha"] > 0.9, "a judge that only tells quality agrees with itself"
    assert math.isnan(alone.loc[TOTAL, "alpha"]), "one judge agrees with nobody"
    first = agreement(jury["scores"][jury["scores"]["judge"] == "judge2"]).set_index("what")
    assert first.loc["margin", "own_alpha"] < alone.loc["margin", "own_alpha"] - 0.2
    assert table.loc["margin", "alpha"] < 0.8
    assert table.loc["margin", "alpha_low"] < table.loc["margin", "alpha"] < table.loc["margin", "alpha_high"]


def test_criteria_are_tabled_for_all_and_for_each(jury: dict[str, Any]) -> None:
    table = jury["criteria"].set_index(["judge", "criterion"])
    assert table.loc[(ALL_JUDGES, "argument"), "scores"] == 4 * 60 * 4
    assert table.loc[("judge2", "argument"), "first_gain"] == pytest.approx(
        jury["judges"].set_index("judge").loc["judge2", "first_gain"]
    )


def test_the_report_shows_it(jury: dict[str, Any]) -> None:
    from ludometer.reports.game_sections import section_data, section_pieces

    (section,) = sections(jury["store"])
    data = section_data(section)
    json.dumps(data, allow_nan=False)
    ((_, title, content),) = section_pieces([data])
    assert title == "Debate: the jury" and content
    assert [figure.title for figure in section.figures] == ["Gain of the side shown first", "Margin per 100 words more"]
    assert "judge2 (far/first)" in {row.name for row in section.figures[0].rows}


def test_two_variants_are_told_apart(tmp_path: Path) -> None:
    rows = [
        debate_row(1, "ann", "bob", (20, 40), [((5, 4), (5, 4))]),
        debate_row(2, "bob", "ann", (20, 40), [((5, 4), (5, 4))], options={"swap": "tie"}),
    ]
    with stored(tmp_path, rows, {"judge1": "far/judge"}) as store:
        (section,) = sections(store)
    judges_shown = section.tables[0]
    assert judges_shown.columns[0].head == "Game"
    assert judges_shown.frame["game"].nunique() == 2
