"""A training of the UNO player in a folder: it goes on where it was, and shows how much has been learned."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from filelock import FileLock, Timeout

from ludometer.core import ConfigurationError, MachineError
from ludometer.players._q_network import QNetwork, network_bytes, rounded_network
from ludometer.training.curve import CurvePoint, curve_svg
from ludometer.training.uno_dqn import Learner, Settings
from ludometer.training.uno_strength import TEST, VALIDATION, Strength, network_policy, strength

__all__ = ["CHECKPOINT", "WEIGHTS", "Trained", "train"]

CHECKPOINT = "checkpoint.pt"
WEIGHTS = "weights.npz"


class Trained(NamedTuple):
    """What a training has come to.

    Attributes:
        weights: the file that ``dqn:weights=PATH`` plays.
        strength: against random players that move first, on decks that neither the training nor the curve used.
        curve: the same during the training, on other decks.
    """

    weights: Path
    strength: Strength
    curve: tuple[CurvePoint, ...]


def train(
    folder: Path,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    every: int = 10,
    threads: int = 1,
    figures: int = 2000,
    final: int = 5000,
    on_point: Callable[[CurvePoint], None] | None = None,
) -> Trained:
    """Trains until the rounds of the settings are played, keeping everything after every few of them.

    A training that was killed goes on from what was kept last, and ends as it would have without that.

    Args:
        folder: for the checkpoint, the weights, the curve (CSV and SVG) and the result.
        settings: for a new training; when one is resumed they may be None, or must be the same.
        every: rounds between checkpoints and points of the curve.
        threads: of torch.
        figures: games for one point of the curve.
        final: games for the figure at the end.
        on_point: told of every new point.

    Raises:
        ConfigurationError: there is a training in the folder and it is not resumed, or the other way about, or it has
            other settings.
        MachineError: another process trains there, or the checkpoint cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "lock", timeout=0):
            # More threads change the order of sums and with it the result; it is one per training.
            torch.set_num_threads(threads)
            learner, curve = _opened(folder, settings, resume)
            while learner.round < learner.settings.rounds:
                point = _advanced(learner, every, figures)
                curve.append(point)
                _keep(folder, learner, curve)
                if on_point is not None:
                    on_point(point)
            return _finished(folder, learner, curve, final)
    except Timeout:
        raise MachineError(f"another process trains in {str(folder)!r}") from None


def _advanced(learner: Learner, every: int, figures: int) -> CurvePoint:
    """Plays rounds up to the next multiple of ``every``, or to the last one."""
    stop = min(learner.settings.rounds, (learner.round // every + 1) * every)
    losses = []
    while learner.round < stop:
        losses.append(learner.advance())
    found = strength(network_policy(_network(learner)), VALIDATION, figures)
    return CurvePoint(learner.round, learner.played, sum(losses) / len(losses), *found)


def _network(learner: Learner) -> QNetwork:
    return rounded_network(learner.arrays())


def _finished(folder: Path, learner: Learner, curve: list[CurvePoint], final: int) -> Trained:
    found = strength(network_policy(_network(learner)), TEST, final)
    result = {"settings": learner.state()["settings"], "played": learner.played, "test": found._asdict()}
    _replace(folder / "result.json", json.dumps(result, indent=2).encode())
    return Trained(folder / WEIGHTS, found, tuple(curve))


# ------------------------------------------------------------------- the files


def _opened(folder: Path, settings: Settings | None, resume: bool) -> tuple[Learner, list[CurvePoint]]:
    path = folder / CHECKPOINT
    if not resume:
        if path.exists():
            raise ConfigurationError(f"there is a training in {str(folder)!r}; go on with --resume, or name another")
        return Learner(settings or Settings()), []
    if not path.exists():
        raise ConfigurationError(f"there is no training in {str(folder)!r} to go on with; leave out --resume")
    learner, curve = _read(path)
    if settings is not None and settings != learner.settings:
        raise ConfigurationError(f"the training in {str(folder)!r} has other settings; resume it without any")
    return learner, curve


def _read(path: Path) -> tuple[Learner, list[CurvePoint]]:
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
        return Learner.restored(state["learner"]), [CurvePoint(*point) for point in state["curve"]]
    except Exception as error:  # whatever a broken or foreign file makes torch raise
        raise MachineError(f"{str(path)!r} cannot be read ({type(error).__name__}); start anew elsewhere") from None


def _keep(folder: Path, learner: Learner, curve: list[CurvePoint]) -> None:
    """The checkpoint first: what else is there can be made from it."""
    buffer = io.BytesIO()
    torch.save({"learner": learner.state(), "curve": [tuple(point) for point in curve]}, buffer)
    _replace(folder / CHECKPOINT, buffer.getvalue())
    _replace(folder / WEIGHTS, network_bytes(learner.arrays()))
    _replace(folder / "curve.csv", _csv(curve).encode())
    _replace(folder / "curve.svg", curve_svg(curve).encode())


def _csv(curve: list[CurvePoint]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CurvePoint._fields)
    writer.writerows(curve)
    return text.getvalue()


def _replace(path: Path, content: bytes) -> None:
    """Writes a file such that there is the old one or the new one, whole, whatever happens."""
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
