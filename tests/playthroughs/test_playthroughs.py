"""The golden playthroughs: one text file for every registered game, compared to the letter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludometer.core import GAMES
from ludometer.games.tictactoe import TicTacToe
from ludometer.testing import playthrough, write_playthrough

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(GAMES.all()))
def test_every_game_plays_through_as_recorded(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no golden playthrough; write it with: ludometer playthrough {name} --write"
    assert playthrough(name) == path.read_text(encoding="utf-8"), (
        f"{name} changed; if that is meant, look at the difference after: ludometer playthrough {name} --write"
    )


WRITES_ALL = """
import sys
from ludometer.core import GAMES, make_game
from ludometer.testing import playthrough

names = [name for name in sorted(GAMES.all()) if name != "openspiel"]
for name in [*names, "openspiel:leduc_poker", "openspiel:liars_dice", "openspiel:dark_hex"]:
    sys.stdout.buffer.write(playthrough(make_game(name), seed=11).encode())
"""


def test_two_processes_write_the_same_bytes() -> None:
    """Sets and dictionaries have another order in every process; games, observations and views must not."""
    written = [
        subprocess.run(
            [sys.executable, "-c", WRITES_ALL],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "4242")
    ]
    assert written[0] == written[1]
    assert written[0].count(b"outcome: ") == len(GAMES.all()) + 2


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(GAMES.all())


def test_writing(tmp_path: Path) -> None:
    path = write_playthrough("tictactoe", tmp_path / "new")
    assert path == tmp_path / "new" / "tictactoe.txt"
    assert path.read_text(encoding="utf-8") == playthrough("tictactoe")


def test_a_playthrough_shows_rules_views_actions_and_the_outcome() -> None:
    text = playthrough(TicTacToe(4, 4, line=4, misere=True), seed=3)
    for part in (
        '"misere": true',
        "rules: You are playing",
        "view numbered for O:",
        "legal for X: 16: 1,1 |",
        "outcome: ",
    ):
        assert part in text
    assert text != playthrough(TicTacToe(4, 4, line=4, misere=True), seed=4)
    assert "state: {" in text.split("== step 11")[1].split("== step 12")[0]
    assert "state: {" not in text.split("== step 12")[1].split("\n\n")[0]
