"""A small run whose every number can be counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.analysis import RunTables, load_tables
from ludometer.store import RunStore, schema

ENTRANTS = [
    {"name": "ann", "player": "lab/small", "options": {"answer": "json"}, "family": "lab", "thinking": None},
    {"name": "bob", "player": "lab/small", "options": {"answer": "json_schema"}, "family": "lab", "thinking": None},
    {"name": "idle", "player": "random", "options": {}, "family": None, "thinking": None},
]
CONFIG = {
    "name": "by hand",
    "games": [{"name": "tictactoe", "options": {}}],
    "policy": {"feedback": "explain"},
    "factors": {"view": ["list", "image"]},
}


def match(number: int, first: str, second: str, view: str = "list", **columns: Any) -> dict[str, Any]:
    """A row of the matches table; ``score`` is the first seat's."""
    score = columns.pop("score", None)
    offender = columns.pop("offender", None)
    row: dict[str, Any] = {
        "id": f"m{number:06d}",
        "number": number,
        "key": str(number),
        "game": "tictactoe",
        "options": "{}",
        "condition": json.dumps({"view": view}),
        "group": columns.pop("group", f"g{number}"),
        "luck": "l",
        "seed": "s",
        "seats": json.dumps({"X": first, "O": second}),
        "status": "finished",
        "ending": "completed",
        "why": "because",
        "offender": offender,
        "scores": None if score is None else json.dumps({"X": score, "O": 1 - score}),
        "payoffs": None,
        "moves": 5,
        "attempts": 5,
        "bad_attempts": 0,
        "substituted": 0,
        "notation": "1,1\n2,1\n1,2\n2,2\n1,3",
        "started": 1000.0 + number,
        "finished": 2000.0 - number,
        "seconds": 1.0,
        "voids": 0,
    }
    return row | columns


def attempt(
    number: int, step: int, seat: str, n: int, kind: str = "legal", status: str | None = None
) -> dict[str, Any]:
    return {
        "match": f"m{number:06d}",
        "step": step,
        "seat": seat,
        "attempt": n,
        "ordinal": 10 * step + n,
        "status": status or kind,
        "kind": kind,
        "reason": "",
        "notation": "1,1",
        "action": None,
        "text": "",
        "rationale": "",
        "resign": False,
        "seconds": 0.1,
        "at": 1500.0,
    }


def exchange(number: int, n: str, cost: float | None, tokens: int | None, latency: float) -> dict[str, Any]:
    return {
        "match": f"m{number:06d}",
        "step": 0,
        "seat": "X",
        "attempt": 0,
        "n": n,
        "fingerprint": "f",
        "request": "{}",
        "answer": "x",
        "finish_reason": "stop",
        "model": "small",
        "input_tokens": tokens,
        "output_tokens": tokens,
        "cost": cost,
        "latency": latency,
        "at": 1500.0,
    }


MATCHES = [
    match(1, "ann", "bob", score=1.0, group="a", attempts=7, bad_attempts=2, moves=5),
    match(2, "bob", "ann", score=0.0, group="a"),
    match(3, "ann", "bob", score=0.5, attempts=9, moves=9),
    match(4, "bob", "ann", ending="forfeit", score=0.0, offender="X"),
    match(5, "ann", "bob", ending="canceled", offender="O"),
    match(6, "bob", "ann", ending="canceled"),
    match(7, "ann", "bob", status="void", ending="void", offender="X", finished=None, moves=None, attempts=None),
    match(8, "ann", "ann", score=1.0, attempts=6),
    match(9, "bob", "ann", view="image", score=1.0, attempts=11),
    match(10, "ann", "bob", view="image", status="scheduled", ending=None, why=None, notation=None, finished=None),
]
ATTEMPTS = [
    # ann: one turn mended at the second try, one given up after two bad answers; bob: legal at once.
    attempt(1, 0, "X", 0, "already_taken", "illegal"),
    attempt(1, 0, "X", 1),
    attempt(1, 1, "O", 0),
    attempt(1, 2, "X", 0, "invalid_format"),
    attempt(1, 2, "X", 1, "already_taken", "illegal"),
    attempt(2, 0, "X", 0),
    attempt(2, 1, "O", 0),
]
EXCHANGES = [exchange(1, "0", 0.5, 10, 1.0), exchange(1, "1", None, None, 3.0)]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with RunStore.create(tmp_path_factory.mktemp("analysis") / "run", CONFIG) as made:
        made.add_entrants(ENTRANTS)
        made.insert_finished(MATCHES)
        with made.engine.begin() as connection:
            connection.execute(sa.insert(schema.attempts), ATTEMPTS)
            connection.execute(sa.insert(schema.exchanges), EXCHANGES)
        yield made


@pytest.fixture(scope="session")
def tables(store: RunStore) -> RunTables:
    return load_tables(store)
