"""Names of seats, where a game for two has any."""

from __future__ import annotations

from pathlib import Path

import ludometer
from ludometer.analysis.seat_names import named_seats
from ludometer.core import GAMES


def test_seats_have_the_names_that_the_game_gives_them() -> None:
    assert named_seats("gandalf") == ("sentinel", "infiltrator")
    assert named_seats("chess") == ("white", "black")
    for game in ("uno", "poker", "a game of another machine", ""):
        assert named_seats(game) == ()


def test_every_game_can_be_asked() -> None:
    for game in GAMES.all():
        assert len(named_seats(game)) in (0, 2)


def test_the_leaderboard_names_the_seat_and_not_who_moves_first(cli, tmp_path: Path) -> None:
    """In Gandalf the first seat is the sentinel's, and the infiltrator speaks first."""
    config = {"game": {"name": "gandalf", "turns": 1}, "players": ["random", {"player": "random", "name": "b"}]}
    ludometer.run({**config, "schedule": {"repeats": 3}}, dir=tmp_path / "run")
    shown = " ".join(cli("leaderboard", tmp_path / "run").out.split())
    assert 'the seat "sentinel" in gandalf is worth' in shown
    assert "moving first" not in shown
