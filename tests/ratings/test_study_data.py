"""The shipped matrix is complete and adds up."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(("prompt", "canceled"), [("list", 101), ("illustration", 338)])
def test_every_ordered_pair_has_ten_games(study: dict[str, Any], prompt: str, canceled: int) -> None:
    cells = [dict(zip(study["columns"], cell, strict=True)) for cell in study[prompt]["cells"]]
    pairs = [(cell["player_1"], cell["player_2"]) for cell in cells]
    assert pairs == [(one, two) for one in study["models"] for two in study["models"]]
    for cell in cells:
        total = cell["x_wins"] + cell["o_wins"] + cell["draws"] + cell["canceled"]
        assert total == study["games_per_cell"]
    assert sum(cell["canceled"] for cell in cells) == canceled


@pytest.mark.parametrize("prompt", ["list", "illustration"])
def test_invalid_responses_add_up(study: dict[str, Any], prompt: str) -> None:
    responses = study[prompt]["invalid_responses"]
    assert set(responses) == set(study["models"])
    for kinds in responses.values():
        total = dict(kinds["total"])
        assert total.pop("all") == sum(total.values())
        for kind, count in total.items():
            assert count == kinds["as_player_1"][kind] + kinds["as_player_2"][kind]


def test_moves_per_result_are_there_for_both_prompts(study: dict[str, Any]) -> None:
    assert study["list"]["moves_per_result"]["winner_o_best"] == {"Llama2-70": 7.5}
    assert study["illustration"]["moves_per_result"]["draw_mean"] == 16.5
