"""A run of three games among four entrants of known strength, with everything that combined tables look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from scipy.special import expit

from ludometer.store import RunStore, schema

STRENGTHS = {"tiny": -0.9, "small": -0.3, "large": 0.5, "giant": 0.7}
SEATS = {"chess": ("white", "black"), "mathquiz": ("teacher", "student"), "nim": ("1", "2")}
REPEATS = {"chess": 4, "mathquiz": 12, "nim": 4}
WHY = {
    "chess": lambda won: "checkmate",
    "mathquiz": lambda won: "student wrong" if won else "student right",
    "nim": lambda won: f"player {1 if won else 2} took the last of {7 if won else 5}",
}


def row(number: int, game: str, first: str, second: str, repeat: int, won: bool, **more: Any) -> dict[str, Any]:
    seats = SEATS[game]
    return {
        "id": f"m{number:06d}",
        "number": number,
        "key": str(number),
        "game": game,
        "options": "{}",
        "condition": "{}",
        "group": f"{game}/{'/'.join(sorted((first, second)))}/{repeat}",
        "luck": "l",
        "seed": "s",
        "seats": json.dumps(dict(zip(seats, (first, second), strict=True))),
        "status": "finished",
        "ending": "completed",
        "why": WHY[game](won),
        "offender": None,
        "scores": json.dumps(dict(zip(seats, (float(won), 1.0 - won), strict=True))),
        "payoffs": None,
        "moves": 4,
        "attempts": 4,
        "bad_attempts": 0,
        "substituted": 0,
        "notation": "a\nb\nc\nd",
        "started": 1000.0 + number,
        "finished": 2000.0 + number,
        "seconds": 1.0,
        "voids": 0,
        **more,
    }


def legal(number: int, step: int, seat: str) -> dict[str, Any]:
    same = {"attempt": 0, "status": "legal", "kind": "legal", "reason": "", "notation": "a", "action": None}
    same |= {"text": "", "rationale": "", "resign": False, "seconds": 0.1, "at": 1500.0}
    return {"match": f"m{number:06d}", "step": step, "seat": seat, "ordinal": step, **same}


def study_rows(seed: int = 5) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    random = np.random.default_rng(seed)
    matches: list[dict[str, Any]] = []
    attempts: list[dict[str, Any]] = []
    for game, seats in SEATS.items():
        for repeat in range(REPEATS[game]):
            for first in STRENGTHS:
                for second in STRENGTHS:
                    if first == second:
                        continue
                    number = len(matches) + 1
                    won = bool(random.random() < expit(STRENGTHS[first] - STRENGTHS[second]))
                    more: dict[str, Any] = {}
                    if game == "chess" and first == "tiny" and repeat == 0:
                        more = {"ending": "forfeit", "why": "no legal move", "offender": "white", "scores": None}
                    matches.append(row(number, game, first, second, repeat, won, **more))
                    attempts += [legal(number, step, seats[step % 2]) for step in range(2 + repeat)]
    return matches, attempts


def make_store(folder: Path, config: dict[str, Any], matches: list[dict[str, Any]], attempts: list[Any]) -> RunStore:
    names = dict.fromkeys(name for one in matches for name in json.loads(one["seats"]).values())
    entrants = [{"name": name, "player": name, "options": {}, "family": None, "thinking": None} for name in names]
    store = RunStore.create(folder, {"name": "study", "games": [{"name": game} for game in SEATS], **config})
    store.add_entrants(entrants)
    store.insert_finished(matches)
    if attempts:
        with store.engine.begin() as connection:
            connection.execute(sa.insert(schema.attempts), attempts)
    return store


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., RunStore]:
    """Makes a store from matches (see `row`); with the import mode of this suite, tests cannot import functions."""
    made: list[RunStore] = []

    def stored(matches: list[dict[str, Any]], attempts: list[Any] = [], **config: Any) -> RunStore:  # noqa: B006
        made.append(make_store(tmp_path / f"run{len(made)}", config, matches, attempts))
        return made[-1]

    return stored


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    config = {"expected_order": [["tiny", "small", "large"], ["giant", "tiny"], ["tiny", "nobody"]]}
    with make_store(tmp_path_factory.mktemp("study") / "run", config, *study_rows()) as store:
        yield store


@pytest.fixture(scope="session")
def a_row() -> Callable[..., dict[str, Any]]:
    return row
