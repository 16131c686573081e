"""Several games as one number."""

from __future__ import annotations

import numpy as np
import pytest

from ludometer.analysis import ratings_of
from ludometer.analysis.combined import combined_ratings, game_ratings, joint_ratings, sections
from ludometer.analysis.sections import Stacks, Whiskers
from ludometer.ratings.intervals import entrant_errors


def test_every_game_is_rated_by_itself(study):
    frame = game_ratings(study)
    assert set(frame["game"]) == {"chess", "mathquiz", "nim"} and len(frame) == 12
    for game, part in frame.groupby("game"):
        table = ratings_of(study, game=str(game))
        alone = {row.name: row.rating for row in table.rows}
        assert dict(zip(part["entrant"], part["rating"], strict=True)) == pytest.approx(alone)
        assert part["rating"].mean() == pytest.approx(1500)


def test_the_stack_is_the_sum_and_its_variance_the_sum_of_variances(study):
    frame, each = combined_ratings(study).set_index("entrant"), game_ratings(study)
    for name in ("tiny", "giant"):
        mine = each[each["entrant"] == name]
        assert frame.loc[name, "stack"] == pytest.approx(mine["rating"].sum())
        assert frame.loc[name, "mean"] == pytest.approx(mine["rating"].mean())
        half = 1.959964 * np.sqrt((mine["error"] ** 2).sum()) / 3
        assert frame.loc[name, "mean_high"] - frame.loc[name, "mean"] == pytest.approx(half)
    assert list(frame["rated_in"]) == [3] * 4


def test_errors_are_those_of_the_fit(study):
    table = ratings_of(study, game="nim")
    errors = dict(zip(table.fit.entrants, entrant_errors(table.fit)[0], strict=True))
    part = game_ratings(study).query("game == 'nim'").set_index("entrant")["error"]
    assert part.to_dict() == pytest.approx(errors)


def test_in_the_joint_fit_games_weigh_the_same(study):
    table = joint_ratings(study)
    played = {"chess": 48, "mathquiz": 144, "nim": 48}
    assert {game: weight * played[game] for game, weight in table.fit.balance} == pytest.approx(
        dict.fromkeys(played, 80.0)
    )
    frame = combined_ratings(study)
    assert list(frame["entrant"]) == [row.name for row in table.rows], "the strongest first"
    assert list(frame["entrant"])[-1] == "tiny"
    assert list(frame["joint"]) == pytest.approx([row.rating for row in table.rows])
    assert list(frame["games"]) == [row.games for row in table.rows] == [120] * 4


def test_an_entrant_that_is_not_in_every_game_has_no_stack(make, a_row):
    matches = [a_row(i + 1, "chess", "tiny", "small", i, i % 2 == 0) for i in range(6)]
    matches += [a_row(i + 7, "nim", *pair, i, True) for i, pair in enumerate([("tiny", "giant"), ("giant", "tiny")])]
    with make(matches) as store:
        frame = combined_ratings(store).set_index("entrant")
        assert list(frame.loc[["small", "giant"], "rated_in"]) == [1, 1]
        assert frame["stack"].isna().to_dict() == {"tiny": False, "small": True, "giant": True}
        assert frame["joint"].notna().all()
        (section,) = sections(store)
        stacks = next(figure for figure in section.figures if isinstance(figure, Stacks))
        assert [bar.name for bar in stacks.rows] == ["tiny"]


def test_the_section(study):
    (section,) = sections(study)
    stacks, dots = section.figures
    assert isinstance(stacks, Stacks) and isinstance(dots, Whiskers)
    assert [list(bar.parts) for bar in stacks.rows] == [["chess", "mathquiz", "nim"]] * 4
    sums = [sum(bar.parts.values()) for bar in stacks.rows]
    assert sums == sorted(sums, reverse=True)
    combined, by_game = section.tables
    assert [column.head for column in by_game.columns] == ["Entrant", "chess", "mathquiz", "nim"]
    assert list(combined.frame["entrant"]) == list(by_game.frame["entrant"])


def test_one_game_needs_no_combining(make, a_row):
    with make([a_row(1, "nim", "tiny", "small", 0, True)]) as store:
        assert sections(store) == ()
