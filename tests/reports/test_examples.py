"""How much of an example game is drawn."""

from __future__ import annotations

from pathlib import Path

import ludometer
from ludometer.reports import page, report_data
from ludometer.store import RunStore


def test_pictures_of_large_tables_do_not_swell_the_page(tmp_path: Path) -> None:
    """Ten hands face up take some 15,000 characters a step."""
    players = [{"player": "random", "name": f"p{i}"} for i in range(10)]
    schedule = {"seats": 10, "seating": "fixed", "repeats": 1}
    ludometer.run({"game": "uno", "players": players, "schedule": schedule}, dir=tmp_path / "run")
    with RunStore.open(tmp_path / "run") as store:
        data = report_data(store)
    (game,) = data["examples"]
    assert 100_000 < sum(len(step["svg"]) for step in game["steps"]) <= 200_000
    assert game["steps_left_out"] > 0 and f"{game['steps_left_out']} more steps are not drawn" in page(data)
    assert len(page(data)) < 600_000


def test_every_game_of_a_run_has_an_example(tmp_path: Path) -> None:
    """And one game has three, as ever."""
    players = ["random", {"player": "random", "name": "second"}]
    config = {"games": ["nim", "tictactoe", "hex", "connect4"], "players": players}
    ludometer.run({**config, "schedule": {"repeats": 2}}, dir=tmp_path / "four")
    ludometer.run({**config, "games": ["nim"], "schedule": {"repeats": 2}}, dir=tmp_path / "one")
    with RunStore.open(tmp_path / "four") as store:
        assert [game["game"] for game in report_data(store)["examples"]] == ["nim", "tictactoe", "hex", "connect4"]
    with RunStore.open(tmp_path / "one") as store:
        assert [game["number"] for game in report_data(store)["examples"]] == [1, 2, 3]
