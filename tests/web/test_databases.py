"""Runs in a PostgreSQL database are shown like those in folders, one of them or all that it has."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import ludometer
from ludometer.core import ConfigurationError
from ludometer.store import MatchPlan, RunStore
from ludometer.store.address import Database, parse_place
from ludometer.web import matches as module
from ludometer.web.app import create_app
from ludometer.web.runs import OpenRun, RunsFolder
from ludometer.web.static import Bounds, static_page


@pytest.fixture(scope="module")
def address(in_database: Callable[[str], str]) -> str:
    found = in_database("view")
    table = {"game": "tictactoe", "players": ["random", "greedy"], "schedule": {"repeats": 3}, "seed": 1}
    ludometer.run(table, store=found)
    return found


@pytest.mark.slow
def test_a_run_in_a_database_is_shown(address, tmp_path):
    runs = RunsFolder([address], home=tmp_path)
    name = runs.single
    with TestClient(create_app(runs), base_url="http://127.0.0.1") as http:

        def get(path, **query):
            answer = http.get(f"/api/runs{path}", params=query)
            assert answer.status_code == 200, answer.text
            return answer.json()

        [entry] = get("")["runs"]
        assert entry["id"] == name and entry["counts"]["completed"] == 6 and not entry["playing"]
        assert get(f"/{name}/leaderboard")["rows"][0]["entrant"] == "greedy"
        assert len(get(f"/{name}/matrix", figures=False)["cells"]) == 2
        total = sum(get(f"/{name}/matches", player="random", result=r)["total"] for r in ("win", "draw", "loss"))
        assert total == get(f"/{name}/matches", sort="moves", order="desc")["total"] == 6
        page = get(f"/{name}/matches", size=4, sort="moves")
        assert len(get(f"/{name}/matches", size=4, sort="moves", after=page["next"])["matches"]) == 2
        assert len(get(f"/{name}/matches", q="IN A ROW")["matches"]) > 0
        match = page["matches"][0]["id"]
        detail = get(f"/{name}/matches/{match}")
        assert detail["plies"] == len(detail["steps"]) and detail["headline"]
        assert get(f"/{name}/matches/{match}/positions/1")["svg"].startswith("<svg")
        assert get(f"/{name}/matches/{match}/same/0/X")[0]["match"] == match
        assert get(f"/{name}/matches/{match}/values") == {"evaluators": [], "values": []}
        assert http.get("/api/runs/other").status_code == 404


@pytest.mark.slow
def test_what_takes_too_long_is_broken_off_there_too(address):
    with RunStore.open(address) as store, store.engine.connect() as connection:
        ended = False
        with module._bounded(connection, 0.05):
            connection.execute(sa.text("SELECT pg_sleep(20)"))
            ended = True
        assert not ended
        assert connection.execute(sa.text("SELECT 1")).scalar() == 1, "the connection can still be used"


@pytest.mark.slow
def test_what_is_written_later_is_shown(address):
    with RunStore.open(address) as store:
        run = OpenRun("run", store)
        before = run.version
        assert run.version == before
        with RunStore.open(address, write=True) as writing:
            writing.set_meta(created=1.0)
        assert run.version != before
        assert len(static_page(store, report=False, bounds=Bounds(parts=1))) > 1000


# ------------------------------------------------------------------ whole databases

SECRET = "pa55-marker"


@pytest.fixture(scope="module")
def made(postgresql: str) -> Iterator[list[str]]:
    """The addresses of two databases that are these tests' own."""
    url = sa.make_url(postgresql).set(drivername="postgresql+psycopg")
    server = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    names = [f"ludometer_{label}_{time.time_ns()}" for label in ("first", "second")]
    with server.connect() as connection:
        for name in names:
            connection.exec_driver_sql(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        yield [url.set(drivername="postgresql", database=name).render_as_string(hide_password=False) for name in names]
        # A server for these tests alone goes as a whole, which is quicker.
        for name in names if os.environ.get("LUDOMETER_TEST_POSTGRESQL") else ():
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    server.dispose()


@pytest.fixture
def whole(made: list[str]) -> Iterator[list[str]]:
    """The same, empty again after every test."""
    yield made
    for address in made:
        engine = sa.create_engine(sa.make_url(address).set(drivername="postgresql+psycopg"))
        with engine.begin() as connection:
            names = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$|^public$'"
            for name in connection.execute(sa.text(names)).scalars().all():
                connection.execute(sa.schema.DropSchema(name, cascade=True))
        engine.dispose()


def within(database: str, run: str) -> str:
    return f"{database}{'&' if '?' in database else '?'}run={run}"


def execute(database: str, *statements: str) -> None:
    engine = sa.create_engine(sa.make_url(database).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def played(database: str, *names: str) -> None:
    for number, name in enumerate(names):
        table = {"game": "tictactoe", "players": ["random", "greedy"], "seed": number}
        ludometer.run({**table, "schedule": {"repeats": number + 1}}, store=within(database, name))


class Asked:
    """The API over some places, as a page asks it."""

    def __init__(self, http: TestClient) -> None:
        self.http = http

    def get(self, path: str = "", **query: Any) -> Any:
        answer = self.http.get(f"/api/runs{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, wanted: Callable[[dict[str, Any]], bool], path: str = "") -> dict[str, Any]:
        """Asks again, as the page does, until the answer is as it should be."""
        end = time.monotonic() + 60
        while not wanted(found := self.get(path)):
            assert time.monotonic() < end, found
            time.sleep(0.2)
        return found


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Callable[..., Asked]]:
    clients: list[TestClient] = []

    def over(*places: str | Path) -> Asked:
        app = create_app(RunsFolder(places, home=tmp_path / "home"))
        clients.append(TestClient(app, base_url="http://127.0.0.1").__enter__())
        return Asked(clients[-1])

    yield over
    for client in clients:
        client.__exit__(None, None, None)


@pytest.mark.slow
def test_all_runs_of_a_database_beside_other_places(whole, asking, tmp_path):
    first, second = whole
    played(first, "study", "Zweite.1")
    played(second, "study")
    ludometer.run({"game": "nim", "players": ["random", "perfect"]}, dir=tmp_path / "folder" / "study")
    # One that looks like a run, by a name that no run can have, must not be able to break out of its quotes.
    hostile = '"x""; DROP SCHEMA study CASCADE; --"'
    tables = [f"CREATE TABLE {hostile}.{table} (a int)" for table in ("move_values", "claims")]
    execute(first, f"CREATE SCHEMA {hostile}", *tables)
    execute(first, 'CREATE SCHEMA "no run"', 'CREATE TABLE "no run".matches (id text)')
    page = asking(tmp_path / "folder", first, second)
    listed = page.until(lambda found: len(found["runs"]) == 4)
    assert listed["folder"] == "home"
    assert [place["problem"] for place in listed["places"]] == [None] * 4
    names = [place["name"] for place in listed["places"]]
    assert names[:2] == ["folder", "home"] and names[2].startswith("postgresql://") and "ludometer_first" in names[2]
    entries = {entry["id"]: entry for entry in listed["runs"]}
    assert sorted(entries) == ["study", "study-2", "study-3", "zweite.1"]
    assert entries["study"]["place"] == "folder" and entries["study-3"]["place"] == names[3]
    assert [entries[name]["counts"]["completed"] for name in ("study-2", "zweite.1", "study-3")] == [2, 4, 2]
    assert all(entry["problem"] is None and not entry["playing"] for entry in entries.values())
    # Each is itself, however their connections are shared.
    for _ in range(3):
        for name, games in (("study-2", 2), ("zweite.1", 4), ("study", 2), ("study-3", 2)):
            assert page.get(f"/{name}/matches")["total"] == games
            assert page.get(f"/{name}/live")["entry"]["id"] == name
    assert page.http.get("/api/session").json()["run"] is None
    for name in ("no run", "x", 'x"; DROP SCHEMA study CASCADE; --', "public", "..", "study-2?run=study"):
        assert page.http.get(f"/api/runs/{quote(name, safe='.')}").status_code == 404
    refused = page.http.post("/api/runs/study-2/control", json={"action": "resume"})
    assert refused.status_code == 403 and "in folders only" in refused.json()["detail"]


@pytest.mark.slow
def test_runs_of_a_database_come_go_and_grow(whole, asking):
    database = whole[0]
    page = asking(database)
    assert page.until(lambda found: found["places"][-1]["problem"] is None)["runs"] == []
    run = within(database, "later")
    plans = [MatchPlan(str(n), "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for n in range(3)]
    with RunStore.create(run, {"games": [{"name": "tictactoe", "options": {}}], "name": "Later"}) as store:
        store.add_matches(plans[:2])
        found = page.until(lambda found: len(found["runs"]) == 1)
        assert found["runs"][0]["name"] == "Later" and found["runs"][0]["counts"]["total"] == 2
        assert not found["runs"][0]["playing"]
        store.claims.join()  # a runner is at work: progress is told at once, and so is its end
        page.until(lambda found: found["runs"][0]["playing"])
        store.add_matches(plans)
        page.until(lambda found: found["runs"][0]["counts"]["total"] == 3)
    page.until(lambda found: not found["runs"][0]["playing"])
    execute(database, "DROP SCHEMA later CASCADE")
    page.until(lambda found: found["runs"] == [])
    assert page.http.get("/api/runs/later").status_code == 404
    RunStore.create(run, {"name": "Another of that name"}).close()
    found = page.until(lambda found: len(found["runs"]) == 1)
    assert found["runs"][0]["name"] == "Another of that name" and found["runs"][0]["counts"]["total"] == 0


@pytest.mark.slow
def test_many_runs_share_their_connections(whole):
    database = whole[1]
    for number in range(20):
        RunStore.create(within(database, f"r{number}"), {"name": f"run {number}"}).close()
    runs = RunsFolder([database])
    try:
        for _ in range(2):
            assert {runs.opened(name).store.config["name"] for name in runs.ids()} == {f"run {n}" for n in range(20)}
        with runs.opened("r0").store.engine.connect() as connection:
            mine = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            assert connection.execute(sa.text(mine)).scalar() <= 4
            with pytest.raises(Exception, match="read-only"):
                connection.execute(sa.text("DELETE FROM matches"))
    finally:
        runs.close()


def test_a_database_that_does_not_answer(asking, tmp_path, caplog, capfd):
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'ludometer[postgres]'")
    caplog.set_level(logging.DEBUG)
    ludometer.run({"game": "nim", "players": ["random", "perfect"]}, dir=tmp_path / "runs" / "one")
    for address in (
        f"postgresql://user:{SECRET}@127.0.0.1:1/games",
        f"postgresql://user@127.0.0.1:1/games?password={SECRET}",
    ):
        page = asking(tmp_path / "runs", address)
        listed = page.until(lambda found: found["places"][-1]["problem"])
        assert [entry["id"] for entry in listed["runs"]] == ["one"]
        assert page.get("/one/matches")["total"] == 2
        place = listed["places"][-1]
        assert place["name"] == "postgresql://user@127.0.0.1:1/games"
        assert "check that the database can be reached" in place["problem"] and "\n" not in place["problem"]
        said = str(listed) + caplog.text + "".join(capfd.readouterr())
        said += page.http.get("/api/runs/other").text + page.http.get("/api/session").text
        assert SECRET not in said


@pytest.mark.slow
def test_a_password_is_on_no_page(whole, asking, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    url = sa.make_url(whole[0]).set(password=SECRET)  # the server of the tests asks for none
    database = url.render_as_string(hide_password=False)
    assert SECRET in database
    played(database, "one")
    page = asking(database)
    listed = page.until(lambda found: found["runs"])
    said = str(listed)
    for path in ("", "/leaderboard", "/matrix", "/matches", "/live", "/report", "/other"):
        said += page.http.get(f"/api/runs/one{path}").text
    said += page.http.post("/api/runs/one/control", json={"action": "pause"}).text
    said += page.http.post("/api/draft", json={"config": {"game": "nim", "players": ["random", "greedy"]}}).text
    assert SECRET not in said + caplog.text + "".join(capfd.readouterr())
    assert SECRET not in repr(parse_place(database)) + str(parse_place(database))


def test_where_runs_are_looked_for(tmp_path):
    assert isinstance(parse_place("postgres://u@h/games?sslmode=require"), Database)
    assert str(parse_place("postgres://u:p@h/games?sslmode=require")) == "postgresql://u@h/games?sslmode=require"
    assert str(parse_place("postgresql://u:p@h/games?run=a")) == "postgresql://u@h/games?run=a"
    assert parse_place(tmp_path) == tmp_path
    for wrong in (f"mysql://u:{SECRET}@h/games", f"postgresql://u:{SECRET}@h:port/games", "postgresql://h/g?run=a%2Fb"):
        with pytest.raises(ConfigurationError) as error:
            parse_place(wrong)
        assert SECRET not in str(error.value)
    with pytest.raises(ConfigurationError, match="a name of letters"):
        Database(sa.make_url("postgresql://h/g")).run('x"; DROP')
