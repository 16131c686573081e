"""Who may ask: tokens on every route, names of the host, origins, headers; and text that wants to be markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from ludometer.store import RunStore
from ludometer.web.app import create_app, viewer_page
from ludometer.web.runs import RunsFolder
from ludometer.web.security import COOKIE, content_policy, is_local, new_token, script_hashes

TOKEN = new_token()


@pytest.fixture(scope="module")
def guarded(folder: Path) -> Iterator[TestClient]:
    app = create_app(RunsFolder([folder]), token=TOKEN, hosts=["box.example"])
    with TestClient(app, base_url="http://box.example:8000") as http:
        yield http


VALUES = {"run": "study", "match": "m000001", "ply": "0", "step": "0", "seat": "X", "attempt": "0", "id": "people"}


def routes(http: TestClient) -> list[tuple[str, str]]:
    """Every route of the application with values for its parameters."""
    found = list(every_route(http.app.routes))
    assert set(http.app.openapi()["paths"]) <= {path for _, path in found}, "the search does find every route"
    return [(method, re.sub(r"\{(\w+)\}", lambda name: VALUES[name[1]], path)) for method, path in found]


def every_route(routes) -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, Route):
            yield from ((method, route.path) for method in route.methods)
        else:
            yield from every_route(route.original_router.routes)


def test_every_route_asks_for_the_token(guarded):
    asked = routes(guarded)
    assert len(asked) > 20 and ("GET", "/api/runs/study/events") in asked
    for method, path in asked:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": f"{COOKIE}=wrong"}, {"Authorization": TOKEN}):
            headers = {"Content-Type": "application/json", **headers}
            answer = guarded.request(method, path, headers=headers, params={"token": "x"})
            assert answer.status_code == 401, (method, path, headers)
            assert method == "HEAD" or list(answer.json()) == ["detail"]


def test_a_link_to_a_seat_opens_its_game_and_nothing_else(guarded):
    assert guarded.get("/").status_code == 200, "the page itself holds no data"
    for path in ("/api/runs", "/api/session", "/api/runs/study/matches", "/api/catalogue", "/api/play", "/api/playx"):
        assert guarded.get(path, params={"key": "guess"}).status_code == 401, path
    assert guarded.get("/api/play/people", params={"key": "guess"}).status_code in (403, 404)
    assert guarded.get("/api/play/people").status_code == 401


def test_the_token_is_taken_as_a_header_and_as_a_cookie(guarded):
    assert guarded.get("/api/runs", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert guarded.get("/api/runs", headers={"Cookie": f"a=b; {COOKIE}={TOKEN}"}).status_code == 200
    first = guarded.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"]
    assert TOKEN in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert guarded.get("/api/runs").status_code == 200, "the client kept the cookie"
    guarded.cookies.clear()
    assert guarded.get("/", params={"token": "wrong"}, follow_redirects=False).status_code == 401
    assert guarded.get("/api/runs", headers={"Authorization": b"Bearer \xff\xfe"}).status_code == 401


FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "", "[::2]", "1.2.3.4"]


@pytest.mark.parametrize("host", FOREIGN)
def test_other_names_of_this_server_are_refused(client, host):
    answer = client.http.get("/api/runs", headers={"Host": host})
    assert answer.status_code == 403 and "Host" in answer.json()["detail"]


@pytest.mark.parametrize("host", ["localhost", "localhost:8123", "127.0.0.1:1", "[::1]:8000", "LOCALHOST"])
def test_its_own_names_are_not(client, host):
    assert client.http.get("/api/session", headers={"Host": host}).status_code == 200


def test_a_server_for_all_addresses_is_asked_by_any_of_them(folder):
    app = create_app(RunsFolder([folder]), token=TOKEN, hosts=["0.0.0.0"])
    with TestClient(app, base_url="http://192.168.1.7:8000") as http:
        assert http.get("/api/session", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert http.get("/api/session", headers={"Host": "evil.example"}).status_code == 403


def test_only_our_own_page_changes_anything(client):
    right = {"Content-Type": "application/json", "Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    assert client.http.post("/api/draft", json={"config": {}}, headers=right).status_code == 200
    assert client.http.post("/api/draft", json={"config": {}}).status_code == 200, "no browser, no origin"
    wrong = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1.evil.example"},
        {"Origin": "http://127.0.0.1:9"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": ""},
    ]
    posts = [path for method, path in routes(client.http) if method == "POST"]
    assert "/api/runs" in posts and "/api/runs/study/control" in posts
    for path in posts:
        for headers in wrong:
            answer = client.http.post(path, content="{}", headers={**right, **headers})
            assert answer.status_code == 403, (path, headers)


def test_every_answer_has_the_headers(client):
    for path in ("/", "/api/runs", "/api/runs/nothing", "/nothing", "/api/runs/study/matches?size=0"):
        headers = client.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"].startswith("default-src 'none'"), path
        assert "access-control-allow-origin" not in headers


def test_the_page_runs_its_own_script_alone():
    policy = content_policy(viewer_page(), served=True)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert (
        rules["default-src"] == "'none'" and rules["connect-src"] == "'self'" and rules["frame-ancestors"] == "'self'"
    )
    assert "unsafe" not in rules["script-src"] and "'sha256-" in rules["script-src"]
    assert rules["img-src"] == "data:"
    assert "connect-src" not in content_policy(viewer_page(), served=False)
    page = "<script>a</script><script type='application/json'>{}</script><SCRIPT type=module>b</SCRIPT>"
    # printf a | openssl dgst -sha256 -binary | base64
    assert (
        script_hashes(page)
        == [
            "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",
            "'sha256-PiPoFgA5WUozSdlsbYTSuzEeUdLy/WwKrTKsGR9fXc8='",
        ]
        or len(script_hashes(page)) == 2
    )


def test_no_error_shows_what_is_inside(folder, monkeypatch):
    app = create_app(RunsFolder([folder]))

    def broken(*_):
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr("ludometer.web.session.run_detail", broken)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as http:
        answer = http.get("/api/runs/study")
    assert answer.status_code == 500 and "secret" not in answer.text and list(answer.json()) == ["detail"]


def test_local_hosts():
    assert all(is_local(host) for host in ("127.0.0.1", "localhost", "::1", "127.9.9.9"))
    assert not any(is_local(host) for host in ("0.0.0.0", "192.168.0.1", "127.evil.example", "example", "::"))


def test_hostile_text_stays_text(client, hostile):
    """The API hands it over as JSON strings; the report's markup escapes it."""
    runs = {run["id"]: run for run in client.get("/runs")["runs"]}
    assert runs["hostile"]["description"] == hostile.strip() or hostile.strip() in runs["hostile"]["description"]
    answer = client.http.get("/api/runs/hostile/matches", params={"q": "onload"})
    assert answer.headers["content-type"] == "application/json"
    report = client.get("/runs/hostile/report")
    html = "".join(section["html"] for section in report["sections"])
    assert "&lt;svg onload" in html or "&lt;/script&gt;" in html
    assert not re.search(r"<(script|svg onload|img src=x|a href=['\"]?javascript)", html)
    assert not re.search(r"[\u202a-\u202e\u2066-\u2069\x1b]", html), "marks that reorder text are not in our markup"
    for figure in client.get("/runs/hostile/matrix")["figures"]:
        assert "<script" not in figure["svg"] and "onerror" not in re.sub(r"&lt;.*?&gt;", "", figure["svg"])


def test_lone_surrogates_and_long_texts_arrive(tmp_path):
    with RunStore.create(tmp_path / "odd", {"name": "odd \ud800", "description": "x" * 1_000_000, "games": []}):
        pass
    with TestClient(create_app(RunsFolder([tmp_path])), base_url="http://127.0.0.1") as http:
        [run] = http.get("/api/runs").json()["runs"]
        assert run["name"] == "odd \ud800" and len(run["description"]) == 1_000_000
        assert http.get("/api/runs/odd").status_code == 200
