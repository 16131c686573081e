from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest

from ludometer.ratings import Games


@pytest.fixture(scope="session")
def study() -> dict[str, Any]:
    """The tic-tac-toe tables of Topsakal & Harper (2024), as shipped."""
    text = (resources.files("ludometer") / "data" / "topsakal2024.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.fixture(scope="session")
def study_games(study: dict[str, Any]) -> Games:
    """The games of the list prompt that were played to an end, self-play included."""
    cells = [dict(zip(study["columns"], cell, strict=True)) for cell in study["list"]["cells"]]
    return Games.from_cells(
        {
            "player_1": cell["player_1"],
            "player_2": cell["player_2"],
            "wins_1": cell["x_wins"],
            "wins_2": cell["o_wins"],
            "draws": cell["draws"],
        }
        for cell in cells
    )
