"""Learning: returns by hand, the network that plays is the one that learned, and a training that was interrupted."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("torch", reason="learning needs torch; install it with: pip install 'ludometer[rl]'")

import torch

from ludometer.core import Chance, ConfigurationError, MachineError
from ludometer.players._q_network import ARRAYS, QNetwork, load_network, rounded_network
from ludometer.players._uno_features import FEATURES, encode
from ludometer.players._uno_seen import legal_mask
from ludometer.training.curve import CurvePoint
from ludometer.training.uno_dqn import Learner, Settings, lambda_returns
from ludometer.training.uno_games import generator, shuffled_decks
from ludometer.training.uno_run import CHECKPOINT, WEIGHTS, Trained, train
from ludometer.training.uno_tables import Tables

torch.set_num_threads(1)  # two and more only wait for each other where a machine has other work

TINY = Settings(seed=3, rounds=7, games=48, batch=32, memory=2, hidden=(16, 8))


def test_returns_by_hand() -> None:
    # Two seats: three decisions that lead to a win, the second of them exploring; then one that leads to a loss.
    last = np.array([False, False, True, True])
    shares = np.array([1, 1, 1, 0], dtype=np.float32)
    worth = np.array([0.2, 0.4, 0.6, 0.9], dtype=np.float32)
    greedy = np.array([True, False, True, True])
    returns = lambda_returns(last, shares, worth, greedy, 0.75)
    # The third: its result. The second: 0.75 * 1 + 0.25 * 0.6. The first: what the best second action was worth.
    assert np.allclose(returns, [0.4, 0.9, 1, 0])
    assert np.allclose(lambda_returns(last, shares, worth, np.ones(4, dtype=bool), 1.0), shares)
    assert np.allclose(lambda_returns(last, shares, worth, greedy, 0.0), [0.4, 0.6, 1, 0])


def test_the_network_that_plays_is_the_one_that_learned() -> None:
    learner = Learner(TINY)
    learner.advance()
    tables = Tables(shuffled_decks(50, generator(Chance.from_seed("rows"))), 2)
    rows = tables.rows(np.flatnonzero(~tables.over))
    actions = legal_mask(rows).argmax(axis=1)
    features = encode(rows, actions, 2)
    played = QNetwork(*(learner.arrays()[name] for name in ARRAYS)).values(features)
    assert np.allclose(learner.follower.values(features), played, atol=1e-5)
    assert played.std() > 0


def test_it_learns_what_a_position_is_worth() -> None:
    """On one memory the error falls: the updates go the right way."""
    learner = Learner(Settings(seed=1, rounds=50, games=64, batch=64, hidden=(32, 16)))
    learner.advance()
    rng = generator(Chance.from_seed("learning"))
    first, _, last = (learner._learn(rng, 60) for _ in range(3))
    assert last < 0.8 * first


def _train(folder: Path, stop: int | None = None) -> tuple[Trained | None, list[CurvePoint]]:
    """Trains, a process dying after ``stop`` points, if given, and going on later."""
    points: list[CurvePoint] = []

    def on_point(point: CurvePoint) -> None:
        points.append(point)
        if len(points) == stop:
            raise InterruptedError

    try:
        return train(folder, TINY, every=2, figures=60, final=80, on_point=on_point), points
    except InterruptedError:
        return None, points


def test_an_interrupted_training_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole, points = _train(tmp_path / "whole")
    nothing, before = _train(tmp_path / "broken", stop=2)
    assert nothing is None and [point.round for point in before] == [2, 4]
    resumed = train(tmp_path / "broken", None, resume=True, every=2, figures=60, final=80, on_point=before.append)
    assert whole is not None and whole.curve == tuple(points) == tuple(before) == resumed.curve
    assert whole.strength == resumed.strength
    assert whole.weights.read_bytes() == resumed.weights.read_bytes()
    assert [point.round for point in points] == [2, 4, 6, 7]


def test_what_a_training_leaves(tmp_path: Path) -> None:
    trained, points = _train(tmp_path)
    assert trained is not None
    with (tmp_path / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["mean"]) for row in rows] == [point.mean for point in points]
    drawn = ElementTree.parse(tmp_path / "curve.svg").getroot()
    (line,) = drawn.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(line.attrib["points"].split()) == len(points)
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["settings"]["seed"] == 3 and result["played"] == points[-1].played == 6 * 48 + 24
    assert result["test"]["mean"] == trained.strength.mean
    learner = torch.load(tmp_path / CHECKPOINT, weights_only=True)["learner"]
    assert len(learner["memory"]) == TINY.memory
    kept = rounded_network({name: array.numpy() for name, array in learner["follower"].items()})
    with np.load(tmp_path / WEIGHTS) as file:
        assert all(
            np.array_equal(file[name].astype(np.float32), array) for name, array in zip(ARRAYS, kept, strict=True)
        )


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="leave out --resume"):
        train(tmp_path, TINY, resume=True)
    _train(tmp_path, stop=1)
    with pytest.raises(ConfigurationError, match="go on with --resume"):
        train(tmp_path, TINY)
    with pytest.raises(ConfigurationError, match="other settings"):
        train(tmp_path, Settings(seed=4), resume=True)
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(MachineError, match="cannot be read"):
        train(tmp_path, None, resume=True)


def test_one_training_in_a_folder_at_a_time(tmp_path: Path) -> None:
    from filelock import FileLock

    with FileLock(tmp_path / "lock"), pytest.raises(MachineError, match="another process"):
        train(tmp_path, TINY)


def test_settings_for_a_number_of_games() -> None:
    assert Settings.for_games(512_000) == Settings()
    short = Settings.for_games(640, seed=2)
    assert (short.rounds, short.games, short.batch, short.seed) == (10, 64, 64, 2)
    assert Settings.for_games(1).rounds == 1


@pytest.mark.slow
def test_a_short_training_beats_random(tmp_path: Path) -> None:
    trained = train(tmp_path, Settings.for_games(30_000, seed=11), every=50, figures=300, final=1000)
    network = load_network(trained.weights, FEATURES)
    assert network.w0.shape == (FEATURES, 256)
    assert trained.strength.low > 0.52
