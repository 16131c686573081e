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
        "Of the matches that were scheduled (36), 36 were finished",
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


@pytest.mark.parametrize(
    ("rule", "repeats", "words"),
    [
        (
            "top-1 decided",
            100,
            ['"top-1 decided" was met for a margin of 80.0 Elo, by tests', "the rest was not needed."],
        ),
        ("interval <= 250", 100, ['"interval <= 250" was met. That was so after', "the widest 95% interval is"]),
        (
            "top-1 decided",
            1,
            ['"top-1 decided" was met for a margin of 80.0 Elo, by tests that hold at any time (5%). A'],
        ),
        (None, 1, []),
    ],
)
def test_a_run_that_may_end_early_says_when(tmp_path, rule, repeats, words):
    table = {"game": "tictactoe", "players": ["random", "perfect"], "stop_when": rule, "stop_margin": 80}
    asyncio.run(start(load_config({**table, "schedule": {"repeats": repeats}}), tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        said, decision = methods_text(store), store.meta("decision")
    assert all(part in said for part in words)
    assert ("It was to end as soon as the rule" in said) == (rule is not None)
    assert ("That was so after" in said) == (decision is not None) == (repeats > 1)
    assert decision is None or f"after {decision['matches']} matches of the schedule ({decision['why']})" in said
