"""The page with its data inside: what is in it, that it is bounded, and that nothing of it can run."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from itertools import pairwise
from typing import Any

import pytest

import ludometer
from ludometer.core import LudometerError
from ludometer.reports import report_data
from ludometer.store import RunStore
from ludometer.web.notebook import notebook_html
from ludometer.web.security import script_hashes
from ludometer.web.static import DATA_ID, Bounds, _component, _evenly, static_page, write_page

DATA = re.compile(rf'<script type="application/json" id="{DATA_ID}">([^<]*)</script>')


def data_of(page: str) -> dict[str, Any]:
    [text] = DATA.findall(page)
    return json.loads(text if text.startswith("{") else gzip.decompress(base64.b64decode(text)))


@pytest.fixture(scope="module")
def page(analyzed):
    with RunStore.open(analyzed / "two") as store:
        return static_page(store, report=False)


def test_every_answer_is_the_one_of_the_server(client, page):
    data = data_of(page)
    nothing = {"live": False, "can_run": False, "folder": "", "reach": None}
    assert data["session"] == {**client.get("/session"), **nothing, "run": "two"}
    responses = data["responses"]
    for key, value in responses.items():
        path, _, query = key.removeprefix("/api").partition("?")
        if path in ("/runs", "/runs/two", "/runs/two/matches") or "/matrix" in path:
            continue
        asked = client.http.get(f"/api{path}?{query}")
        assert asked.status_code == 200, key
        if isinstance(value, str):
            viewer = {"viewer": asked.json()["viewer"]} if "viewer=" in query else {}
            value = {**responses[value], **viewer}
        if re.fullmatch(r"/runs/two/matches/[^/]+", path):
            assert value == {**asked.json(), "viewers": ["public", "full"]}
        else:
            assert value == asked.json(), key
    assert len(responses["/api/runs/two/matches"]["matches"]) == client.get("/runs/two/matches")["total"]
    assert {key.partition("/positions/")[0] for key in responses if "/positions/" in key} == {
        f"/api/runs/two/matches/{match['id']}" for match in client.get("/runs/two/matches", size=200)["matches"]
    }
    assert responses["/api/runs/two/leaderboard?counting=played&factor.feedback=none"]["rows"]
    assert (
        responses["/api/runs/two/leaderboard?game=connect4"]
        == "/api/runs/two/leaderboard?counting=headline&game=connect4"
    )


def test_both_forms_hold_the_same(analyzed):
    with RunStore.open(analyzed / "two") as store:
        plain, packed, again = (
            static_page(store, report=False, bounds=Bounds(parts=1), compress=compress)
            for compress in (False, True, True)
        )
    assert packed == again, "the same run gives the same bytes"
    assert data_of(plain) == data_of(packed) and len(plain) > len(packed)


def test_the_page_says_what_is_left_out(analyzed):
    with RunStore.open(analyzed / "two") as store:
        full = data_of(static_page(store, report=False, bounds=Bounds(parts=1)))
        few = data_of(static_page(store, report=False, bounds=Bounds(parts=1, data=60_000)))
        listed = data_of(static_page(store, report=False, bounds=Bounds(parts=1, matches=4)))
    assert full["responses"]["/api/runs/two"]["notes"] == []
    shown = {key for key in few["responses"] if re.fullmatch(r"/api/runs/two/matches/[^/]+", key)}
    [note] = few["responses"]["/api/runs/two"]["notes"]
    assert 1 <= len(shown) < 16 and f"the moves of {len(shown)} of" in note
    assert any("lists 4 of" in note for note in listed["responses"]["/api/runs/two"]["notes"])
    numbers = [match["number"] for match in listed["responses"]["/api/runs/two/matches"]["matches"]]
    assert numbers == sorted(numbers) and len(numbers) == 4


def test_hostile_text_cannot_end_the_data(analyzed, hostile):
    with RunStore.open(analyzed / "hostile") as store:
        for compress in (True, False):
            page = static_page(store, compress=compress, report=False)
            assert "onload=alert" not in page.replace("\\u003csvg onload=alert", "")
            data = data_of(page)
            assert data["responses"]["/api/runs/hostile"]["entry"]["description"].startswith("</script>")
            assert "<title>hostile &lt;b&gt;run&lt;/b&gt; - Ludometer</title>" in page
            calls = [value for key, value in data["responses"].items() if "/calls/" in key]
            assert calls and calls[0][0]["answer"].startswith(hostile)


def test_only_the_page_s_own_script_may_run(page):
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)[1]
    policy = html.unescape(policy)
    assert page.index("Content-Security-Policy") < page.index("<script")
    scripts = re.search(r"script-src ([^;]*)", policy)[1].split()
    assert scripts == script_hashes(page) and len(scripts) == len(set(scripts)) >= 1
    assert "connect-src" not in policy and "default-src 'none'" in policy
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


@pytest.mark.slow
def test_the_report_is_in_it_and_the_plain_page_has_no_script(analyzed, tmp_path):
    run = ludometer.load(analyzed / "hostile")
    written = run.report(tmp_path / "deep" / "page.html")
    data = data_of(written.read_text(encoding="utf-8"))
    assert data["responses"]["/api/runs/hostile/report"]["sections"][0]["id"] == "summary"
    assert data["responses"]["/api/runs/hostile/matrix?counting=headline"]["figures"]
    plain = run.report(tmp_path / "plain.html", plain=True)
    assert "<script" not in plain.read_text(encoding="utf-8")
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("name", ["empty", pytest.param("topsakal", marks=pytest.mark.slow), "interrupted", "uno"])
def test_runs_of_every_kind_can_be_written(analyzed, tmp_path, name):
    with RunStore.open(analyzed / name) as store:
        data = data_of(static_page(store, report=False, bounds=Bounds(parts=1, data=100_000)))
    assert f"/api/runs/{name}/matches" in data["responses"]


def test_a_folder_that_cannot_be_written_is_a_sentence(analyzed, tmp_path):
    (tmp_path / "file").touch()
    with RunStore.open(analyzed / "empty") as store, pytest.raises(LudometerError, match="cannot be"):
        write_page(store, tmp_path / "file" / "page.html", data=report_data(store))


def test_keys_are_written_as_the_page_writes_them():
    # encodeURIComponent of the same text in a browser
    assert _component("a b/ü!'()*-._~&=?#%") == "a%20b%2F%C3%BC!'()*-._~%26%3D%3F%23%25"


@pytest.mark.parametrize("n", [0, 1, 2, 5, 16, 100])
def test_every_beginning_is_spread_evenly(n):
    order = _evenly(n)
    assert sorted(order) == list(range(n))
    for few in (2, 4, 8):
        if n >= 4 * few:
            gaps = sorted(order[:few])
            assert max(b - a for a, b in pairwise(gaps)) <= 2 * n / few


def test_a_notebook_shows_the_page_in_a_frame_that_reaches_nothing(analyzed):
    shown = ludometer.load(analyzed / "study")._repr_html_()
    assert (
        shown.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in shown and "allow-same-origin" not in shown
    )
    assert shown.count("<") == shown.count(">") == 2, "everything in the page is escaped"


def test_a_large_run_is_a_sentence_in_a_notebook(analyzed, monkeypatch):
    monkeypatch.setattr("ludometer.web.notebook._MANY_MATCHES", 5)
    with RunStore.open(analyzed / "two") as store:
        assert "ludometer view" in notebook_html(store) and "<iframe" not in notebook_html(store)
