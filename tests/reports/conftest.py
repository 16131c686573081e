"""Runs to report on: one of deterministic players, one full of hostile text, and the published study."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.reports import report_data
from ludometer.store import MatchPlan, RunStore, schema
from ludometer.store.importing import import_topsakal
from ludometer.tournaments import load_config, start

HOSTILE = '<script>alert(1)</script>"\' onmouseover="alert(2)" ]]>&lt;'
ANSWER = HOSTILE + "<img src=x onerror=alert(3)><!-- </pre></style></svg>\x1b[2J\u202e" + "long " * 500


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    config = {
        "name": "played",
        "game": "tictactoe",
        "players": ["perfect", "random", {"player": "random", "name": "second random"}],
        "schedule": {"repeats": 6, "self_play": True},
    }
    folder = tmp_path_factory.mktemp("played") / "run"
    asyncio.run(start(load_config(config), folder))
    with RunStore.open(folder) as store:
        yield store


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with RunStore.open(import_topsakal(tmp_path_factory.mktemp("study") / "run")) as store:
        yield store


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """Every text that a user, a model or a provider can write is hostile."""
    config = {
        "name": HOSTILE,
        "description": HOSTILE,
        "games": [{"name": "tictactoe", "options": {HOSTILE: HOSTILE}}],
        "factors": {"view": [HOSTILE]},
        "policy": {"feedback": HOSTILE},
    }
    entrants = [
        {
            "name": HOSTILE,
            "player": f"lab/{HOSTILE}",
            "options": {"answer": HOSTILE},
            "family": None,
            "thinking": HOSTILE,
        },
        {"name": "other", "player": "random", "options": {}, "family": None, "thinking": None},
    ]
    with RunStore.create(tmp_path_factory.mktemp("hostile") / "run", config) as store:
        store.add_entrants(entrants)
        pairs = [(HOSTILE, "other"), ("other", HOSTILE), (HOSTILE, "other")]
        store.add_matches(
            MatchPlan(str(i), "tictactoe", {}, {"view": HOSTILE}, f"g{i}", "l", "s", {"X": one, "O": two})
            for i, (one, two) in enumerate(pairs)
        )
        store.save_import("notes", [HOSTILE])
        with store.engine.begin() as connection:
            connection.execute(sa.update(schema.matches).values(why=HOSTILE))
            connection.execute(sa.update(schema.matches).where(schema.matches.c.number < 3).values(**_RESULT))
            connection.execute(sa.insert(schema.attempts), _ATTEMPTS)
            connection.execute(sa.insert(schema.exchanges), [_CALL])
        yield store


_RESULT: dict[str, Any] = {
    "status": "finished",
    "ending": "completed",
    "scores": '{"X": 1.0, "O": 0.0}',
    "moves": 5,
    "attempts": 6,
    "bad_attempts": 1,
    "notation": "1,1\n2,1\n1,2\n2,2\n1,3",
    "started": 1.0,
    "finished": 2.0,
}
_SAME = {
    "match": "m000001",
    "seat": "X",
    "rationale": ANSWER,
    "resign": False,
    "seconds": 1.0,
    "at": 0.0,
    "action": None,
}
_ATTEMPTS = [
    {**_SAME, "step": 0, "attempt": 0, "ordinal": 0, "status": "illegal", "kind": HOSTILE, "reason": HOSTILE,
     "notation": HOSTILE, "text": ANSWER},
    {**_SAME, "step": 0, "attempt": 1, "ordinal": 1, "status": "legal", "kind": "legal", "reason": "",
     "notation": "1,1", "text": ANSWER},
]  # fmt: skip
_CALL = {
    "match": "m000001", "step": 0, "seat": "X", "attempt": 0, "n": "0", "fingerprint": "f", "request": "{}",
    "answer": ANSWER, "finish_reason": "stop", "model": HOSTILE, "latency": 1.0, "at": 0.0,
}  # fmt: skip


@pytest.fixture(scope="session")
def played_data(played: RunStore) -> dict[str, Any]:
    return report_data(played)


@pytest.fixture(scope="session")
def study_data(study: RunStore) -> dict[str, Any]:
    return report_data(study)


@pytest.fixture(scope="session")
def hostile_data(hostile: RunStore) -> dict[str, Any]:
    return report_data(hostile)
