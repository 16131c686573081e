"""The methods paragraph says what the configuration says."""

from __future__ import annotations

import asyncio

import pytest

from ludometer.analysis.methods import methods_text
from ludometer.store import RunStore
from ludometer.store.importing import import_topsakal
from ludometer.tournaments import load_config, start

HOSTILE = "a \x1b[2J\u202e b"


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    config = {
        "name": "methods",
        "games": [
            {"name": "nim", "policy": {"attempts": 5}},
            {"name": "tictactoe", "rows": 4, "columns": 4, "policy": {"attempts": 1, "feedback": "none"}},
            "connect4",
        ],
        "players": ["random", {"player": "random", "name": HOSTILE}, "greedy"],
        "schedule": {"seating": "permuted", "repeats": 2},
        "policy": {"attempts": 5, "max_moves": 60},
        "expected_order": [["random", "greedy"]],
        "seed": "a seed",
    }
    folder = tmp_path_factory.mktemp("methods") / "run"
    asyncio.run(start(load_config(config), folder))
    with RunStore.open(folder) as store:
        return methods_text(store)


@pytest.mark.parametrize(
    "words",
    [
        "3 entrants played nim, tictactoe (rows 4, columns 4) and connect4",
        "every pair met in every permutation of the seats, 2 times per game",
        "Of 36 matches that were scheduled, 36 were finished",
        "A seat had 5 attempts in nim and connect4 and one attempt in tictactoe per turn",
        "with a sentence naming the error in nim and connect4 and the turn was asked for again as if",
        "the seat forfeited the match",
        "Further conditions of play were max_moves: 60",
        "We expected strength to rise in the order random, greedy.",
        "Games were combined by",
        "from the seed a seed with Ludometer",
    ],
)
def test_what_it_says(said, words):
    assert words in said


def test_it_is_one_clean_line(said):
    assert "\n" not in said and "\x1b" not in said and "\u202e" not in said and "a [2J b" in said
    assert "Language models" not in said, "there is none"


def test_of_imported_results_it_says_so(tmp_path):
    with RunStore.open(import_topsakal(tmp_path / "run")) as store:
        said = methods_text(store)
    assert said.startswith("The results were not played here but imported")
    assert "round robin" not in said and "the seed" not in said
