"""Every registered game holds to the contract, with its default options and with some others."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import GAMES, make_game
from ludometer.testing import check_game

# Every position of every match is checked in every way: long games with many moves take one match in the quick suite.
LONG = {
    "chess": 1,
    "go": 2,
    "checkers": 2,
    "gomoku": 1,
    "hex": 2,
    "othello": 2,
    "breakthrough": 2,
    "openspiel": 4,
    "poker": 2,
    "uno": 3,
}


@pytest.mark.parametrize("name", sorted(GAMES.all()))
def test_every_game_with_its_default_options(name: str) -> None:
    check_game(name, matches=LONG.get(name, 10))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
def test_more_matches_of_long_games(name: str) -> None:
    check_game(name, matches=3 if name in ("chess", "risk") else 10, seed=1)


OPTIONS: list[tuple[str, dict[str, Any], int]] = [
    ("tictactoe", {"rows": 4, "columns": 4, "line": 4}, 8),
    ("tictactoe", {"rows": 5, "columns": 5, "line": 4}, 6),
    ("tictactoe", {"rows": 2, "columns": 7, "line": 3, "overline": "no_win"}, 8),
    ("tictactoe", {"misere": True}, 12),
    ("tictactoe", {"rows": 1, "columns": 1, "line": 1}, 1),
    ("tictactoe", {"rows": 26, "columns": 1, "line": 26}, 2),
]


@pytest.mark.parametrize(("name", "options", "matches"), OPTIONS, ids=str)
def test_games_with_other_options(name: str, options: dict[str, Any], matches: int) -> None:
    check_game(make_game(name, options), matches=matches)


def test_gomoku() -> None:
    check_game(make_game("tictactoe", {"rows": 15, "columns": 15, "line": 5, "overline": "no_win"}), matches=1)
