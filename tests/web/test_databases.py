"""Runs in a PostgreSQL database are shown like those in folders."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import ludometer
from ludometer.store import RunStore
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
