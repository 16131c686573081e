"""The example that trains a transformer: what it deals, that it is deterministic, and that it learns."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import ludometer
from ludometer.core import Chance
from ludometer.players.checkpoint import CheckpointPlayer

EXAMPLE = Path(ludometer.__file__).parents[2] / "examples" / "train_tictactoe.py"


def loaded() -> Any:
    spec = spec_from_file_location("train_tictactoe", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module: ModuleType = module_from_spec(spec)
    sys.modules["train_tictactoe"] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


example = loaded()


# ---------------------------------------------------------------- what is dealt


def test_rows_are_dealt_as_they_are_written() -> None:
    settings = example.Settings(steps=50, games=32, group=8)
    rows = [row["prompt"] for row in example.rows(settings)]
    assert len(rows) == len(set(rows)) == 50 * 4
    asked = []
    for row in rows:
        text = example.deal(row)
        opponent, start, _ = row.split()
        asked.append(text.match.step)
        assert text.match.step <= int(start) and text.match.turns()[0].seat == text.seat
        assert text.seat == ("X", "O")[text.match.step % 2]
        (held,) = text._players.values()
        assert held is example.PLAYERS[opponent]
    assert set(range(8)) <= set(asked)
    assert 0.2 < asked.count(0) / len(asked) < 0.4, "0.4 / 2 + 0.6 / 8"
    against = [row.split()[0] for row in rows].count("perfect") / len(rows)
    assert 0.35 < against < 0.65


def test_whole_games_are_dealt_for_either_seat() -> None:
    for seat in ("X", "O"):
        text = example.deal(f"perfect {seat} any")
        assert (text.seat, text.match.step) == (seat, 0)


def test_backwards_begins_with_the_last_moves() -> None:
    settings = example.Settings(steps=40, games=8, group=8, backwards=0.5)
    starts = [int(row["prompt"].split()[1]) for row in example.rows(settings)]
    assert min(starts[:4]) >= 6 and min(starts[20:]) == 0


def test_regret_by_hand() -> None:
    """X in the middle, O on an edge: a mistake, which X then gives back by its move to another edge."""
    game = example.GAME
    state = game.new(2, Chance.from_seed(0))
    given = []
    for text in ("2,2", "1,2", "3,2"):
        seat = game.to_act(state)[0]
        action = game.parse(state, seat, text)
        given.append(example.regrets(state)[action])
        state = game.apply(state, {seat: action})
    assert given == [0, 0.5, 0.5]


# --------------------------------------------------------------------- training


@pytest.fixture
def needs_trl() -> None:
    pytest.importorskip("trl", reason="needs TRL: pip install 'ludometer[rl]'")


TINY = {"steps": 3, "games": 8, "group": 4, "every": 3, "figures": 6, "final": 6, "regret": 0.1}


@pytest.mark.usefixtures("needs_trl")
def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    def weights(folder: str, seed: int) -> bytes:
        example.train(example.Settings(**TINY, seed=seed), tmp_path / folder)
        return (tmp_path / folder / "model.safetensors").read_bytes()

    once = weights("one", 5)
    assert once == weights("again", 5)
    assert once != weights("other", 6)
    result = json.loads((tmp_path / "one" / "result.json").read_text())
    assert result["settings"]["seed"] == 5 and 80_000 < result["weights"] < 90_000
    assert len((tmp_path / "one" / "curve.csv").read_text().splitlines()) == 1 + 2
    ElementTree.parse(tmp_path / "one" / "curve.svg")
    CheckpointPlayer(tmp_path / "one" / "model.safetensors").supports(example.GAME)


@pytest.mark.slow
@pytest.mark.usefixtures("needs_trl")
def test_it_learns_what_is_legal_and_to_win(tmp_path: Path) -> None:
    """Some 25 seconds of one processor; an untrained model makes illegal moves in nine games of ten, and wins none."""
    settings = example.Settings(steps=100, every=100, figures=2, final=300, rate=2e-3, perfect=0.5)
    sampled, _, likeliest, _ = example.train(settings, tmp_path)
    assert (sampled.opponent, sampled.temperature) == ("random", 1.0)
    assert (likeliest.opponent, likeliest.temperature) == ("random", 0.0)
    assert sampled.illegal < 0.6 and sampled.score > 0.2
    assert likeliest.illegal < 0.4 and likeliest.score > 0.4


def test_without_a_folder_it_says_how_it_is_used(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "argv", ["train_tictactoe.py"])
    example.main()
    assert "--dir" in capsys.readouterr().out
