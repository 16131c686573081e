"""Every registered game holds to the contract, with its default options and with some others."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import GAMES, make_game
from ludometer.testing import check_game


@pytest.mark.parametrize("name", sorted(GAMES.all()))
def test_every_game_with_its_default_options(name: str) -> None:
    check_game(name)


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
