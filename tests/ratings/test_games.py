from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import Games
from ludometer.ratings.cells import count_cells, tally

RECORDS = [
    {"player_1": "b", "player_2": "a", "score_1": 1, "group": "g1", "game": "go"},
    {"player_1": "a", "player_2": "b", "score_1": 0.5, "group": "g1", "game": "chess"},
    {"player_1": "a", "player_2": "a", "score_1": 0, "game": "go"},
]


def test_records_columns_and_frames_agree() -> None:
    frame = pd.DataFrame(RECORDS)
    for games in (Games.from_records(RECORDS), Games.from_columns(frame)):
        assert games.entrants == ("a", "b")
        assert games.titles == ("chess", "go")
        assert games.first.tolist() == [1, 0, 0]
        assert games.game.tolist() == [1, 0, 1]
        assert games.score.tolist() == [1.0, 0.5, 0.0]
        assert games.cluster is not None and games.cluster.tolist() == [0, 0, 1]
        assert games.self_play.tolist() == [False, False, True]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_group_or_game_is_one_of_its_own(missing: object) -> None:
    columns = {"player_1": "aab", "player_2": "bba", "score_1": [1, 0, 1]}
    games = Games.from_columns(columns | {"group": [missing, missing, "x"], "game": [missing, "go", "go"]})
    assert games.cluster is not None and len(set(games.cluster.tolist())) == 3
    assert games.titles == ("game", "go")


def test_cells_carry_weights() -> None:
    games = Games.from_cells([{"player_1": "a", "player_2": "b", "wins_1": 3, "wins_2": 0, "draws": 2}])
    assert games.score.tolist() == [1.0, 0.5]
    assert games.weight.tolist() == [3.0, 2.0]
    assert games.cluster is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"second": [1]}, "differ in length"),
        ({"second": [2, 1]}, "'second'"),
        ({"first": [-1, 0]}, "'first'"),
        ({"game": [0, 1]}, "'game'"),
        ({"score": [1, 2]}, "score"),
        ({"score": [1, float("nan")]}, "score"),
        ({"weight": [0, 1]}, "weight"),
        ({"weight": [float("inf"), 1]}, "weight"),
        ({"cluster": [0]}, "cluster"),
        ({"entrants": ["a", "a"]}, "unique"),
    ],
)
def test_bad_columns_are_named(change: dict[str, list[object]], words: str) -> None:
    columns: dict[str, list[object]] = {"entrants": ["a", "b"], "first": [0, 1], "second": [1, 0], "score": [1, 0]}
    with pytest.raises(ConfigurationError, match=words):
        Games.from_arrays(**(columns | change))  # type: ignore[arg-type]


def test_missing_keys_are_named() -> None:
    with pytest.raises(ConfigurationError, match="'score_1'"):
        Games.from_columns({"player_1": ["a"], "player_2": ["b"]})
    with pytest.raises(ConfigurationError, match="Record 1 has no 'player_2'"):
        Games.from_records([RECORDS[0], {"player_1": "a", "score_1": 1}])


@pytest.mark.parametrize("levels", [[0.0, 0.5, 1.0], [0.1, 0.25, 0.9, 1.0]])
def test_cells_hold_every_game(levels: list[float]) -> None:
    rng = np.random.default_rng(4)
    columns = rng.integers(0, 5, (2, 400))
    games = Games.from_arrays(
        list("abcde"), *columns, rng.choice(levels, 400), titles=["x", "y"], game=rng.integers(0, 2, 400)
    )
    cells = count_cells(games)
    assert len(cells.first) < 400
    assert cells.weight.sum() == 400
    for name in ("first", "second", "game", "score"):
        assert np.array_equal(getattr(cells, name)[cells.of_row], getattr(games, name))
    keys = set(zip(cells.first, cells.second, cells.game, cells.score, strict=True))
    assert len(keys) == len(cells.first)


def test_tally_sees_both_seats_and_no_self_play() -> None:
    games = Games.from_records(RECORDS)
    counts = tally(count_cells(games), 2)
    assert counts.games.tolist() == [2, 2]
    assert counts.wins.tolist() == [0, 1]
    assert counts.draws.tolist() == [1, 1]
    assert counts.losses.tolist() == [1, 0]
