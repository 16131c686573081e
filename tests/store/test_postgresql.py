"""Runs in a PostgreSQL database: their addresses, what is refused, and that a password is shown nowhere."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from ludometer.core import ConfigurationError, MachineError
from ludometer.models.redact import known_secrets
from ludometer.store import DatabaseRun, MatchPlan, RunStore, parse_address, schema
from ludometer.store.address import database_run
from ludometer.store.postgresql import run_names
from ludometer.store.types import storable
from ludometer.store.writer import Write

InDatabase = Callable[[str], str]

SECRET = "p%40ss%2Fword-marker"
PLAIN = "p@ss/word-marker"


def plan(key: str) -> MatchPlan:
    return MatchPlan(key, "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"})


# ------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    "written",
    [
        f"postgresql://user:{SECRET}@host:5433/games?run=study&sslmode=require",
        f"postgres://user:{SECRET}@host:5433/games?sslmode=require&run=study",
        f"postgresql+psycopg://user@host:5433/games?run=study&sslmode=require&password={SECRET}",
        f"postgresql://user:{SECRET}@host:5433/games?run=study&sslmode=require&sslpassword={SECRET}",
    ],
)
def test_an_address_is_shown_without_its_password(written: str) -> None:
    address = parse_address(written)
    assert isinstance(address, DatabaseRun)
    assert str(address) == "postgresql://user@host:5433/games?run=study&sslmode=require"
    assert parse_address(str(address)) == database_run(str(address))  # it can be given to a command
    assert "marker" not in repr(address)
    assert PLAIN in known_secrets()


def test_the_name_may_come_from_elsewhere() -> None:
    assert database_run("postgresql://host/games", "my-study").run == "my-study"
    assert database_run("postgresql://host/games?run=other", "my-study").run == "other"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (f"mysql://user:{SECRET}@host/games?run=a", "a run is a folder, or an address such as postgresql://"),
        (f"postgresql://user:{SECRET}@host/games", "lacks the name of the run"),
        (f"postgresql://user:{SECRET}@host:port/games?run=a", "cannot be read"),
        ("postgresql://user:marker#/?@:host/games?run=a", "cannot be read|lacks the name"),
        ("postgresql://host/games?run=a&run=b", "more than one run"),
        ("postgresql://host/games?run=", "lacks the name of the run"),
        ("postgresql://host/games?run=a%22%3B+drop+schema+public", "a name of letters"),
        ("postgresql://host/games?run=../a", "a name of letters"),
        ("postgresql://host/games?run=" + "ä" * 32, "at most 63 bytes"),
        ("postgresql://host/games?run=public", "has that name for itself"),
        ("postgresql://host/games?run=pg_temp", "has that name for itself"),
    ],
)
def test_what_is_no_address(written: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as error:
        parse_address(written)
    assert "marker" not in str(error.value)


def test_a_server_that_cannot_be_reached(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'ludometer[postgres]'")
    with pytest.raises(MachineError, match="check that the database can be reached") as error:
        RunStore.open(f"postgresql://user:{SECRET}@127.0.0.1:1/games?run=study")
    assert "marker" not in str(error.value) + caplog.text
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------ creating and opening


def test_several_runs_in_one_database(in_database: InDatabase) -> None:
    one, other = in_database("Größe.1"), in_database("other")
    for number, run in enumerate((one, other)):
        with RunStore.create(run, {"seed": number}) as store:
            store.add_matches([plan(f"{number} {i}") for i in range(number + 1)])
    for number, run in enumerate((one, other)):
        with RunStore.open(run) as store:
            assert store.config == {"seed": number}
            assert [row.key for row in store.matches()] == [f"{number} {i}" for i in range(number + 1)]
    address = database_run(one)
    assert {address.run, database_run(other).run} <= set(run_names(address))
    with pytest.raises(ConfigurationError, match="is a run already; resume or extend it"):
        RunStore.create(one, {})
    with pytest.raises(ConfigurationError, match=rf"there is no run nothing in .*it has: .*{address.run}"):
        RunStore.open(DatabaseRun(address.url, "nothing"))


def test_a_schema_that_is_no_run_is_left_alone(in_database: InDatabase) -> None:
    address = database_run(in_database("foreign"))
    engine = sa.create_engine(address.url)
    with engine.begin() as connection:
        connection.execute(sa.schema.CreateSchema(address.run))
        connection.exec_driver_sql(f'CREATE TABLE "{address.run}".meta (key text, value text)')
    engine.dispose()
    with pytest.raises(ConfigurationError, match="that is no run of Ludometer; choose another name"):
        RunStore.create(address, {})
    with pytest.raises(ConfigurationError, match="there is no run"):
        RunStore.open(address)


def test_reading_changes_nothing(in_database: InDatabase) -> None:
    run = in_database("reading")
    RunStore.create(run, {}).close()
    with RunStore.open(run) as store:
        with pytest.raises(MachineError, match="for reading only"):
            store.set_meta(x=1)
        with pytest.raises(Exception, match="read-only"), store.engine.begin() as connection:
            connection.execute(sa.delete(schema.meta))
    with RunStore.open(run) as store, pytest.raises(ConfigurationError, match="has no folder"):
        _ = store.folder


def test_a_newer_format(in_database: InDatabase) -> None:
    run = in_database("newer")
    with RunStore.create(run, {}) as store:
        store.set_meta(schema_version=schema.SCHEMA_VERSION + 1)
    with pytest.raises(MachineError, match="written by a newer Ludometer"):
        RunStore.open(run)


def test_the_same_is_planned_once_by_however_many(in_database: InDatabase) -> None:
    run = in_database("planned")
    RunStore.create(run, {}).close()
    added: list[int] = []

    def whole() -> None:
        with RunStore.open(run, write=True) as store:
            added.append(store.plan((), [plan(f"{i} \ud800\0") for i in range(300)]))

    threads = [threading.Thread(target=whole) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(added) == [0, 0, 0, 300]
    with RunStore.open(run) as store:
        assert [row.number for row in store.matches()] == list(range(1, 301))
        assert store.claims.standing().free == 300


# ------------------------------------------------------------------ what rows may hold


def test_hostile_texts_and_numbers(place: Callable[[str], str]) -> None:
    """The same on both databases: nothing that is written is refused, or comes back as something else."""
    text = "nul \0, half a pair \ud800, ✨, '; drop table matches; --"
    row = {"match": "m1", "step": 0, "seat": text, "attempt": 0, "n": "9/" * 100, "fingerprint": "f" * 100}
    row |= {"request": "{}", "finish_reason": "a reason of more than twenty characters", "model": text}
    row |= {"input_tokens": 10**12, "cost": float("nan"), "latency": float("inf"), "at": 0.1 + 0.2}
    with RunStore.create(place("hostile"), {}) as store:
        asyncio.run(store.writer.write(Write(sa.insert(schema.exchanges), [row])))
        (kept,) = store.rows(schema.exchanges, "m1")
        assert (kept["seat"], kept["model"]) == (storable(text), storable(text))
        assert (kept["input_tokens"], kept["cost"], kept["latency"], kept["at"]) == (
            10**12,
            None,
            row["latency"],
            0.1 + 0.2,
        )
        assert (kept["n"], kept["finish_reason"]) == (row["n"], row["finish_reason"])
        long = [plan(f"{'x' * 10_000} {i}") for i in range(2)]
        assert (store.add_matches(long), store.add_matches(long)) == (2, 0)


def test_texts_are_ordered_by_their_bytes(place: Callable[[str], str]) -> None:
    seats = ["b", "B", "ä", "a", "Z", "_", "10", "9", "✨"]
    same = {"match": "m1", "step": 0, "attempt": 0, "n": "0", "fingerprint": "", "request": "{}"}
    rows = [{**same, "seat": seat, "finish_reason": "stop", "latency": 0.0, "at": 0.0} for seat in seats]
    with RunStore.create(place("order"), {}) as store:
        asyncio.run(store.writer.write(Write(sa.insert(schema.exchanges), rows)))
        assert [row["seat"] for row in store.rows(schema.exchanges, "m1")] == sorted(seats, key=str.encode)
