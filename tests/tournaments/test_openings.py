"""Openings: every source, each once per seat assignment, one duplicate group each."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from ludometer.core import ConfigurationError, make_game
from ludometer.matches import Match
from ludometer.store import RunStore
from ludometer.tournaments import extend, load_config, start, verify
from ludometer.tournaments.config import OpeningsConfig
from ludometer.tournaments.openings import openings, pgn_movetexts
from ludometer.tournaments.schedule import schedule

GAME = make_game("tictactoe")


def _config(**values: object) -> object:
    return load_config(
        {"game": "tictactoe", "players": ["random", "perfect"], "openings": values, "schedule": {"repeats": 1}}
    )


def test_each_opening_is_played_once_per_seat_assignment_in_one_duplicate_group() -> None:
    plans = list(schedule(_config(moves=["2,2 1,1", "1,1"])))  # type: ignore[arg-type]
    assert Counter(plan.opening for plan in plans) == {("2,2", "1,1"): 2, ("1,1",): 2}
    groups = {plan.opening: {p.group for p in plans if p.opening == plan.opening} for plan in plans}
    assert all(len(group) == 1 for group in groups.values())
    assert groups["2,2", "1,1"] != groups["1,1",]
    seats = [tuple(plan.seats.values()) for plan in plans if plan.opening == ("1,1",)]
    assert sorted(seats) == [("perfect", "random"), ("random", "perfect")]


def test_random_openings_are_distinct_seeded_and_playable() -> None:
    config = OpeningsConfig(random_plies=3, count=20, seed=4)
    first, again = openings(config, GAME), openings(config, GAME)
    assert first == again and len({o.moves for o in first}) == 20
    assert openings(OpeningsConfig(random_plies=3, count=20, seed=5), GAME) != first
    for opening in first:
        match = Match(GAME, opening=opening.moves)
        assert match.step == 3 and match.ending is None and match.attempts == []


def test_notation_is_made_canonical_and_a_repeated_opening_is_refused() -> None:
    assert openings(OpeningsConfig(moves=[["(2, 2)", "row 1, column 1"]]), GAME)[0].moves == ("2,2", "1,1")
    with pytest.raises(ConfigurationError, match="twice"):
        openings(OpeningsConfig(moves=["2,2", "2,2"]), GAME)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"moves": ["1,1 1,1"]}, "already taken"),
        ({"moves": ["1,1 2,1 1,2 2,2 1,3"]}, "ends the game"),
        ({"fens": ["x"]}, "no option fen"),
        ({"random_plies": 1, "count": 10}, "no 10 different"),
        ({"pgn": "nowhere.pgn"}, "cannot be read"),
    ],
)
def test_mistakes_are_explained(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        openings(OpeningsConfig.model_validate(values), GAME)


def test_a_run_needs_its_file_of_openings_only_once(tmp_path: Path) -> None:
    file = tmp_path / "openings.pgn"
    file.write_text('1. e4 e5 2. Nf3 *\n\n[Event "b"]\n\n1. d4 d5 2. c4 *\n')
    table = {
        "game": "chess",
        "players": ["random", {"player": "random", "name": "other"}],
        "openings": {"pgn": str(file), "plies": 2, "moves": ["c4 c5"]},
        "policy": {"max_moves": 6},
    }
    asyncio.run(start(load_config(table), tmp_path / "run"))
    file.unlink()
    assert asyncio.run(extend(tmp_path / "run", repeats=2)).complete
    with RunStore.open(tmp_path / "run") as store:
        played = Counter(tuple(row.opening or ()) for row in store.matches())
    assert played == {("c4", "c5"): 4, ("e4", "e5"): 4, ("d4", "d5"): 4}
    assert asyncio.run(verify(tmp_path / "run")).problems == []


def test_pgn_main_lines(tmp_path: Path) -> None:
    text = """[Event "a"]
[White "x"]

1. e4 e5 2. Nf3 {good; really} (2. f4 exf4 (2... d5)) 2... Nc6 $1 1-0

[Event "b"]

1.d4 d5 ; a comment 9. Qh5
2.c4 *
"""
    assert pgn_movetexts(text) == [["e4", "e5", "Nf3", "Nc6"], ["d4", "d5", "c4"]]


def test_a_comment_that_is_never_closed_is_no_move():
    assert pgn_movetexts("1. e4 ; the best } {\n e5 {a; b} 2. Nf3 {so") == [["e4", "e5", "Nf3", "{so"]]
    assert pgn_movetexts('[A "x"]\n\n\n[B "y"] ; {\n1. e4 ; end') == [["e4"]]


@pytest.mark.parametrize("piece", ["\n", "{", "[", "(", ";", "{\n", "[\n", " \n", "[a]\n"])
def test_the_work_grows_with_the_length_only(piece):
    """Measured in what is done, not in time: each of these took minutes where it grew with the square."""
    assert pgn_movetexts(piece * 100_000) in (
        [],
        [["{" * 100_000]],
        [["{"] * 100_000],
        [["[" * 100_000]],
        [["["] * 100_000],
    )
