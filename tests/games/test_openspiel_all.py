"""Every game of OpenSpiel that loads by name, checked in a process of its own, against what is recorded of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

from ludometer.games._openspiel_known import IMAGINABLE, NOT_PLAYABLE
from ludometer.games.openspiel import openspiel_games

CHILD = Path(__file__).with_name("openspiel_child.py")
SECONDS = 300
SPECS = {"bridge": "bridge(use_double_dummy_result=False)"}
"""With parameters that spare time: solving every deal with open cards takes most of it."""


def verdict(name: str, mode: str) -> str:
    try:
        ran = subprocess.run(
            [sys.executable, str(CHILD), name, mode],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it takes too long"
    if ran.returncode != 0:
        return f"it ends the process with {ran.returncode}: {ran.stderr[-300:]}"
    return ran.stdout.rstrip().rsplit("\n", 1)[-1]


PLAYABLE = [name for name, why in openspiel_games().items() if why is None]
HIDDEN = [
    kind.short_name
    for kind in pyspiel.registered_games()
    if kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION and kind.short_name in PLAYABLE
]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYABLE)
def test_playable_games_hold_to_the_contract(name: str) -> None:
    assert verdict(SPECS.get(name, name), "imagine" if name in IMAGINABLE else "play") == "OK"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NOT_PLAYABLE))
def test_games_recorded_as_not_playable_are_not(name: str) -> None:
    assert verdict(name, "play") != "OK"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(HIDDEN) - set(IMAGINABLE)))
def test_states_that_are_not_imagined_could_not_be(name: str) -> None:
    assert verdict(name, "imagine") != "OK"
