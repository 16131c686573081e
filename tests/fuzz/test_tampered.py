"""A run's database that somebody changed, or that a disk damaged: it is read as it is, or one sentence says why not."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from ludometer.analysis import ratings_of
from ludometer.analysis.run import load_tables
from ludometer.core import LudometerError
from ludometer.store import RunStore
from ludometer.store.export import export
from ludometer.testing.fake_provider import FakeProvider
from ludometer.tournaments import load_config, start
from ludometer.tournaments.launch import verify
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder

VALUES = [
    None,
    "",
    "x",
    "{",
    "[]",
    "{}",
    "null",
    "[[1]]",
    '{"1": "x"}',
    "NaN",
    -1,
    10**18,
    1e300,
    b"\xff\x00",
    "a" * 3000,
]
CELLS = [
    ("meta", ["value"]),
    ("entrants", ["name", "number", "data"]),
    ("matches", ["id", "game", "options", "condition", "luck", "seats", "opening", "status", "ending", "offender"]),
    ("matches", ["scores", "payoffs", "moves", "attempts", "notation", "started", "voids", "key", "why"]),
    (
        "attempts",
        ["step", "seat", "attempt", "ordinal", "status", "kind", "action", "text", "draw", "resign", "seconds"],
    ),
    ("exchanges", ["fingerprint", "request", "answer", "finish_reason", "input_tokens", "cost", "n", "seat", "step"]),
    ("contents", ["hash", "media_type", "body"]),
]
QUICK = {
    ("matches", "seats"),
    ("matches", "scores"),
    ("attempts", "action"),
    ("exchanges", "request"),
    ("meta", "value"),
}
COLUMNS = [
    pytest.param(table, column, marks=[] if (table, column) in QUICK else [pytest.mark.slow])
    for table, columns in CELLS
    for column in columns
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("tampered") / "run"

    async def played() -> None:
        async with FakeProvider("tictactoe", keep_requests=False) as provider:
            table = {
                "game": "tictactoe",
                "players": ["fake/a", "random"],
                "models": {"fake": {"base_url": provider.url}},
            }
            await start(load_config(table), folder)

    asyncio.run(played())
    with contextlib.closing(sqlite3.connect(folder / "run.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    return (folder / "run.sqlite").read_bytes()


@contextlib.contextmanager
def refused() -> Iterator[None]:
    try:
        yield
    except LudometerError as error:
        assert str(error).strip() and "\n" not in str(error)


def use(folder: Path) -> None:
    """Everything that reads a run. Each part for itself: one that is refused says nothing of the next."""
    with refused():
        assert isinstance(asyncio.run(verify(folder)).problems, list)
    with refused(), RunStore.open(folder) as store:
        list(store.matches())
    with refused(), RunStore.open(folder) as store:
        ratings_of(load_tables(store))
    for form in ("json", "csv", "txt"):
        with refused(), RunStore.open(folder) as store:
            export(store, folder / "out", form)  # type: ignore[arg-type]


def look(folder: Path) -> None:
    with TestClient(create_app(RunsFolder([folder.parent])), base_url="http://127.0.0.1") as client:
        for path in ("", "/leaderboard", "/matrix", "/matches", "/matches/m000001", "/matches/m000001/positions/1"):
            answer = client.get(f"/api/runs/{folder.name}{path}")
            assert "Traceback" not in answer.text


def changed(original: bytes, folder: Path, table: str, column: str, value: object, rows: str) -> None:
    folder.mkdir(exist_ok=True)
    for path in folder.glob("run.sqlite*"):
        path.unlink()
    (folder / "run.sqlite").write_bytes(original)
    with contextlib.closing(sqlite3.connect(folder / "run.sqlite")) as connection, contextlib.suppress(sqlite3.Error):
        connection.execute(f'UPDATE {table} SET "{column}" = ? {rows}', (value,))
        connection.commit()


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_changed_cell(table: str, column: str, original: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    few = VALUES[sum(map(ord, table + column)) % 7 :: 7]
    for value in few:
        changed(original, folder, table, column, value, "WHERE rowid = (SELECT min(rowid) FROM " + table + ")")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            use(folder)
            look(folder)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.binary(min_size=1, max_size=6)), min_size=1, max_size=5), st.booleans()
)
def test_damaged_bytes(original: bytes, tmp_path: Path, damages: list[tuple[int, bytes]], cut: bool) -> None:
    data = bytearray(original)
    for at, piece in damages:
        start = at % len(data)
        data[start : start + len(piece)] = piece
    if cut:
        del data[damages[0][0] % len(data) :]
    folder = tmp_path / "run"
    folder.mkdir(exist_ok=True)
    for path in folder.glob("run.sqlite*"):
        path.unlink()
    (folder / "run.sqlite").write_bytes(bytes(data))
    use(folder)
