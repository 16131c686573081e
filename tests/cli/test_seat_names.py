"""Names of seats, where a game for two has any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ludometer
from ludometer.analysis import load_tables
from ludometer.analysis.seat_names import named_seats, seat_titles, titles_of
from ludometer.core import GAMES
from ludometer.store import RunStore


def test_seats_have_the_names_that_the_game_gives_them() -> None:
    assert named_seats("gandalf") == ("sentinel", "infiltrator")
    assert named_seats("chess") == ("white", "black")
    for game in ("uno", "poker", "a game of another machine", ""):
        assert named_seats(game) == ()


def test_tables_have_the_titles_that_all_their_games_share() -> None:
    assert seat_titles(["mathquiz"]) == ("the teacher", "the student")  # the prover is held by the teacher
    assert seat_titles(["tictactoe"]) == ("player X", "player O")
    assert seat_titles(["gandalf:turns=1", "gandalf:turns=3"]) == ("the sentinel", "the infiltrator")
    assert seat_titles(["go", "checkers"]) == ("Black", "White")
    for games in ([], ["go", "chess"], ["gandalf", "uno"], ["poker:hands=3"], ["a game of another machine"]):
        assert seat_titles(games) == ()


def test_where_more_play_seats_are_numbered(tmp_path: Path) -> None:
    """Whatever the seats of the same game for two are called."""
    players = ["random", *({"player": "random", "name": name} for name in "bc")]
    schedules: dict[str, Any] = {"kuhn_poker(players=3)": {"seats": 3}, "kuhn_poker": {}}
    for game, schedule in schedules.items():
        config = {"game": {"name": "openspiel", "game": game}, "players": players, "schedule": schedule}
        run = ludometer.run(config, dir=tmp_path / game)
        with RunStore.open(tmp_path / game) as store:
            titles = titles_of(load_tables(store))
        assert run.verify().passed and titles == (() if schedule else seat_titles(["openspiel"]))


def test_every_game_can_be_asked() -> None:
    for game in GAMES.all():
        titles = seat_titles([game])
        assert len(named_seats(game)) == len(set(titles)) == len(titles) in (0, 2)


def test_the_leaderboard_names_the_seat_and_not_who_moves_first(cli, tmp_path: Path) -> None:
    """In Gandalf the first seat is the sentinel's, and the infiltrator speaks first."""
    config = {"game": {"name": "gandalf", "turns": 1}, "players": ["random", {"player": "random", "name": "b"}]}
    ludometer.run({**config, "schedule": {"repeats": 3}}, dir=tmp_path / "run")
    shown = " ".join(cli("leaderboard", tmp_path / "run").out.split())
    assert "the seat of the sentinel in gandalf is worth" in shown
    assert "as the sentinel W/D/L" in shown and "as the infiltrator W/D/L" in shown
    assert "moving first" not in shown and "1st" not in shown
