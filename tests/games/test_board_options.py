"""The board games hold to the contract with options other than their defaults."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import make_game
from ludometer.testing import check_game

OPTIONS: list[tuple[str, dict[str, Any], int]] = [
    ("connect4", {"rows": 4, "columns": 5, "line": 3}, 4),
    ("connect4", {"rows": 12, "columns": 11, "line": 6}, 1),
    ("gomoku", {"size": 5, "line": 4}, 3),
    ("hex", {"size": 3}, 6),
    ("breakthrough", {"rows": 5, "columns": 4}, 4),
    ("nim", {"piles": "2,3", "misere": False}, 6),
    ("nim", {"piles": "4,4,4,1,2", "misere": True}, 6),
    ("dots_and_boxes", {"rows": 3, "columns": 2}, 4),
    ("dots_and_boxes", {"rows": 1, "columns": 3}, 6),
]


@pytest.mark.parametrize(("name", "options", "matches"), OPTIONS, ids=str)
def test_games_with_other_options(name: str, options: dict[str, Any], matches: int) -> None:
    check_game(make_game(name, options), matches=matches)
