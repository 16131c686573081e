"""A small run whose every number can be counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
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


# --------------------------------------------------------------- planted effects

LEVELS = {"view": ["list", "image"], "reasoning_effort": ["low", "high", "extreme"]}
EXTRA_SCORE = {"low": 0.0, "high": 0.25, "extreme": 0.25}
"""Chance of a win that an effort adds."""
TOKENS = {"low": 100, "high": 900, "extreme": 900}
MODELS, POOL, GAMES, REPEATS = ("lab/ann", "lab/ben"), ("random", "greedy"), ("tictactoe", "connect4"), 6
ROUNDS = [(g, m, o, r, s) for g in GAMES for m in MODELS for o in POOL for r in range(REPEATS) for s in (0, 1)]


def planted_rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Matches, attempts and exchanges of a gauntlet whose settings do what `EXTRA_SCORE` and `TOKENS` say: luck is
    shared by group, effort adds score and tokens, and the view `image` makes the second of four answers invalid half
    of the time. Lab/ben's provider reports no reasoning tokens."""
    draw = np.random.default_rng(11)
    matches: list[dict[str, Any]] = []
    attempts: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    luck = {(g, m, o, r): float(draw.random()) for g, m, o, r, _ in ROUNDS}
    for game, model, opponent, repeat, seat in ROUNDS:
        for view in LEVELS["view"]:
            for effort in LEVELS["reasoning_effort"]:
                number = len(matches) + 1
                own = 0.45 * luck[game, model, opponent, repeat] + EXTRA_SCORE[effort] + 0.2 * float(draw.random())
                score = 1.0 if own > 0.5 else 0.5 if own > 0.4 else 0.0
                names = (model, opponent) if seat == 0 else (opponent, model)
                group = f"{game}/{model}/{opponent}/{repeat}"
                made = match(number, *names, view, score=score if seat == 0 else 1 - score, group=group)
                made |= {"game": game, "condition": json.dumps({"view": view, "reasoning_effort": effort})}
                matches.append(made)
                mark = "XO"[seat]
                for step in range(3):
                    spoilt = step == 1 and view == "image" and bool(draw.integers(2))
                    for n in range(1 + spoilt):
                        kind = "invalid_format" if spoilt and n == 0 else "legal"
                        attempts.append(attempt(number, 2 * step + seat, mark, n, kind))
                        spent = TOKENS[effort] + int(draw.integers(50))
                        one = exchange(number, str(n), 0.001 * spent, spent + 20, 1.0 + float(draw.random()))
                        one |= {"seat": mark, "step": 2 * step + seat, "attempt": n}
                        calls.append(one | {"reasoning_tokens": spent if model == "lab/ann" else None})
    return matches, attempts, calls


def player(name: str) -> dict[str, Any]:
    return {"name": name, "player": name, "options": {}, "family": None, "thinking": None}


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """The run of `planted_rows`, with a void and an unfinished match among them."""
    matches, attempts, calls = planted_rows()
    matches[0] |= {"status": "void", "ending": "void", "scores": None}  # low, list
    matches[7] |= {"status": "scheduled", "ending": None, "scores": None}  # high, list
    config = {"name": "planted", "factors": LEVELS, "schedule": {"kind": "gauntlet", "pool": list(POOL)}}
    with RunStore.create(tmp_path_factory.mktemp("planted") / "run", config) as made:
        made.add_entrants([player(name) for name in (*POOL, *MODELS)])
        made.insert_finished(matches)
        with made.engine.begin() as connection:
            connection.execute(sa.insert(schema.attempts), attempts)
            connection.execute(sa.insert(schema.exchanges), calls)
        yield made
