"""Tables on the terminal for matches of more than two seats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., Any]

RUN = """\
game = { name = "openspiel", game = "kuhn_poker(players=3)" }
players = ["random", { player = "random", name = "second" }, { player = "random", name = "third" }]
seed = 1
[schedule]
repeats = 4
seats = 3
"""


def test_the_leaderboard_of_a_game_for_three(cli: Cli) -> None:
    Path("mine.toml").write_text(RUN, encoding="utf-8")
    assert cli("run", "mine.toml", "--dir", "three").code == 0
    board = cli("leaderboard", "three")
    assert board.code == 0
    assert "won/shared/other of whole games: alone the best score" in board.out and "W/D/L" not in board.out
    assert "all equal" in board.out and "33%" in board.out
    assert "on the pairs of seats of every match" in " ".join(board.out.split())
    assert "sitting before another in openspiel is worth" in board.out
    assert "1st W/D/L" not in board.out
    headline = cli("leaderboard", "three", "--json").json["boards"][0]["headline"]
    matches = headline["ratings"]["counts"]["total"]
    assert {row["games"] for row in headline["rows"]} == {matches}
    assert sum(row["score"] for row in headline["rows"]) == 1
    assert headline["ratings"]["seats"][0]["seats"] == 3
    assert cli("report", "three", "--plain").code == 0
    assert "What each seat scores" in Path("three/report.html").read_text(encoding="utf-8")


def test_rate_a_file_with_places(cli: Cli) -> None:
    Path("places.csv").write_text(
        "player_1,player_2,player_3,place_1,place_2,place_3\na,b,c,1,2,3\nb,c,a,2,3,1\nc,a,b,1,1,3\na,b,,1,2,\n",
        encoding="utf-8",
    )
    shown = cli("rate", "places.csv")
    assert "4 of 4 games rated" in shown.out and "W/D/L of whole games" in shown.out
    rows = {row["name"]: row for row in cli("rate", "places.csv", "--json").json["rows"]}
    assert [(rows[name]["games"], rows[name]["wins"], rows[name]["draws"]) for name in "abc"] == [
        (4, 3, 1),
        (4, 0, 0),
        (3, 0, 1),
    ]
    assert rows["a"]["rating"] > max(rows["b"]["rating"], rows["c"]["rating"])


def test_a_bad_file_is_refused_with_one_sentence(cli: Cli) -> None:
    Path("bad.csv").write_text("player_1,player_2,player_3,place_1,place_2\na,b,c,1,2\n", encoding="utf-8")
    result = cli("rate", "bad.csv")
    assert result.code == 2
    assert "no column 'place_3'" in result.sentence
