"""Outcomes by role, and moves per game."""

from __future__ import annotations

import pytest

from ludometer.analysis.outcomes import moves_made, outcomes, sections
from ludometer.analysis.sections import Stacks, Violins


def shares(frame, game, role, entrant):
    mine = frame[(frame["game"] == game) & (frame["role"] == role) & (frame["entrant"] == entrant)]
    assert mine["share"].sum() == pytest.approx(1)
    return dict(zip(mine["outcome"], mine["matches"], strict=True))


def test_what_became_of_a_role(make, a_row):
    matches = [a_row(i + 1, "mathquiz", "tiny", "small", i, i == 0) for i in range(3)]
    lost = {"ending": "forfeit", "why": "no legal move in 5 attempts", "offender": "prover", "scores": None}
    matches.append(a_row(4, "mathquiz", "tiny", "small", 3, True, **lost))
    matches.append(a_row(5, "mathquiz", "tiny", "small", 4, True, ending="canceled", scores=None))
    matches.append(a_row(6, "mathquiz", "tiny", "small", 5, True, status="void", ending="void", scores=None))
    with make(matches) as store:
        frame = outcomes(store)
    expected = {"won: student wrong": 1, "lost: student right": 2, "lost: forfeit": 1, "canceled": 1}
    assert shares(frame, "mathquiz", "teacher", "tiny") == expected, "the prover is the teacher's"
    expected = {"lost: student wrong": 1, "won: student right": 2, "won: other forfeited": 1, "canceled": 1}
    assert shares(frame, "mathquiz", "student", "small") == expected
    row = frame.iloc[0]
    assert row["of"] == 5 and row["low"] < row["share"] < row["high"]


def test_numbers_do_not_tell_reasons_apart(study):
    frame = outcomes(study)
    assert set(frame[frame["game"] == "nim"]["outcome"]) == {
        "won: player N took the last of N",
        "lost: player N took the last of N",
    }
    assert set(frame[frame["game"] == "nim"]["role"]) == {"player 1", "player 2"}


def test_a_game_with_many_reasons_shows_results(make, a_row):
    matches = [a_row(i + 1, "chess", "tiny", "small", i, True, why=f"reason {'x' * i}") for i in range(9)]
    with make(matches) as store:
        assert set(outcomes(store)["outcome"]) == {"won", "lost"}


def test_own_moves_are_counted(study):
    frame = moves_made(study, "chess")
    assert len(frame) == 2 * 48
    by_match = frame.groupby("match")["moves"].sum()
    assert sorted(by_match.unique()) == [2, 3, 4, 5]
    assert moves_made(study, "go").empty


def test_the_sections(study):
    found = {section.name: section for section in sections(study)}
    assert set(found) == {"outcomes", "chess-moves"}
    assert all(isinstance(figure, Stacks) and figure.share for figure in found["outcomes"].figures)
    quiz = next(figure for figure in found["outcomes"].figures if "mathquiz" in figure.title)
    kinds = [[name.partition(":")[0] for name in bar.parts] for bar in quiz.rows]
    assert kinds == [["won", "won", "lost", "lost"]] * 8, "wins first, and the same colours in all bars"
    (violins,) = found["chess-moves"].figures
    assert isinstance(violins, Violins)
    first = violins.rows[0]
    assert (first.name, first.n, len(first.values)) == ("tiny", "24 games", 24)


def test_one_game_without_roles_has_neither(make, a_row):
    with make([a_row(1, "nim", "tiny", "small", 0, True)]) as store:
        assert sections(store) == ()
    with make([a_row(1, "mathquiz", "tiny", "small", 0, True)]) as store:
        assert [section.name for section in sections(store)] == ["outcomes"]
