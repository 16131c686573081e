"""Every name that a user, a file or a model can choose, with what would break out of a path, a query, a page or a line.

Nothing here names a file outside of the test's own folder: a test that fails must not cost anybody a file.
"""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludometer
from ludometer.cli.main import main
from ludometer.core import ConfigurationError, LudometerError
from ludometer.core.paths import file_path, usable_path
from ludometer.store import RunStore, parse_address, schema
from ludometer.testing.fake_provider import FakeProvider
from ludometer.tournaments import load_config, start
from ludometer.tournaments.launch import verify
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder

HOSTILE = {
    "up": "../../../up",
    "dots": "..",
    "dot": ".",
    "empty": "",
    "backslash": "a\\..\\b",
    "drop": "x'; DROP TABLE matches; --",
    "or": '" OR 1=1 --',
    "union": "m000001' UNION SELECT value FROM meta --",
    "like": "%_",
    "line": "two\nlines",
    "reordered": "\u202eabc",
    "format": "%s%n{0}{x!r}",
    "shell": "$(touch x)`touch y`;touch z",
    "option": "-rf",
    "formula": "=cmd|' /C calc'!A0",
    "markup": "</script><script>alert(1)</script>",
    "long": "a" * 5000,
    "not utf-8": "\udcff",
    "home": "~/home",
    "address": "x?mode=memory&cache=shared#y",
    "encoded": "..%2f..%2fx",
    "pattern": "[a]*{b,c}",
    "separators": "a:b=c,d|e&f",
}
UNWRITABLE = {"null": "a\0b", "surrogate": "a\ud800b"}
"""What no command line can hold, and a configuration or a program can."""

PLAYERS = {HOSTILE["up"]: "fake/a", HOSTILE["markup"]: "fake/b"}
every_text = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)

COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "a command": lambda t: [t],
    "a configuration": lambda t: ["run", t],
    "a run's name": lambda t: ["run", "nim.toml", "--set", f"name={t}"],
    "a key": lambda t: ["run", "nim.toml", "--set", f"{t}=1"],
    "a run's folder": lambda t: ["run", "nim.toml", "--dir", t],
    "a run in a database": lambda t: ["resume", f"postgresql://127.0.0.1:9/x?run={t}"],
    "a run to resume": lambda t: ["resume", t],
    "a run to judge": lambda t: ["verify", t],
    "a run to rate": lambda t: ["leaderboard", t],
    "where to export": lambda t: ["export", "base", "--out", t],
    "a format": lambda t: ["export", "base", "--out", "out", "--format", t],
    "where to report": lambda t: ["report", "base", "--plain", "--out", t],
    "results": lambda t: ["rate", t],
    "benchmarks": lambda t: ["report", "base", "--benchmarks", t],
    "a game": lambda t: ["play", t, "-p", "random", "-p", "random"],
    "a game's option": lambda t: ["play", "nim", "-p", "random", "-p", "random", "-o", f"{t}=1"],
    "its value": lambda t: ["play", "nim", "-p", "random", "-p", "random", "-o", f"heaps={t}"],
    "a player": lambda t: ["play", "nim", "-p", t, "-p", "random"],
    "a provider": lambda t: ["play", "nim", "-p", f"{t}/x", "-p", "random"],
    "a local model": lambda t: ["play", "nim", "-p", f"local/{t}", "-p", "random"],
    "a model to fetch": lambda t: ["models", "pull", "none.gguf", "--name", t],
    "a view": lambda t: ["play", "nim", "-p", "human", "-p", "random", "--view", t],
    "a notation": lambda t: ["run", "nim.toml", "--set", f"prompt.notation={t}"],
    "a strategy": lambda t: ["play", "nim", "-p", "vllm/x", "-p", "random", "--strategy", t],
    "weights": lambda t: ["play", "uno", "-p", f"dqn:weights={t}", "-p", "random"],
    "an evaluator": lambda t: ["analyze", "base", "--evaluator", t],
    "a position": lambda t: ["play", "chess", "-p", "random", "-p", "random", "-o", f"fen={t}"],
    "a new game": lambda t: ["new", "game", t],
    "a new player": lambda t: ["new", "player", t],
    "a study": lambda t: ["import", t],
    "a training": lambda t: ["train", t, "--dir", "training"],
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("injection") / "base"
    ludometer.run({"game": "nim", "players": ["random", "greedy"]}, dir=folder)
    return folder


@pytest.fixture
def here(tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder so deep that no text leads out of the test's own; what is beside it is looked at afterwards."""
    folder = tmp_path / "1" / "2" / "3" / "4"
    folder.mkdir(parents=True)
    (folder / "base").mkdir()
    (folder / "base" / "run.sqlite").write_bytes((base / "run.sqlite").read_bytes())
    (folder / "nim.toml").write_text('game = "nim"\nplayers = ["random", "greedy"]\n')
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    yield folder
    # The shell commands among the texts were run by nobody.
    assert not [path for path in tmp_path.rglob("[xyz]") if path.is_file()]


def said(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["ludometer", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0), capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_it_or_says_why_not(command, here, base, monkeypatch, capsys):
    for name, text in HOSTILE.items():
        code, error = said(COMMANDS[command](text), monkeypatch, capsys)
        assert code in (0, 1, 2, 130), (name, code)
        assert "Traceback" not in error, (name, error)
        if code in (1, 2):
            assert len(error.splitlines()) == 1, (name, error)
            assert not any(char in error for char in "\x1b\u202e\0"), name
    with RunStore.open("base") as store:
        assert len(list(store.matches())) == 2, "every table is still there"


@every_text
def test_a_run_is_called_so(text, here):
    table = {"game": "nim", "players": ["random", "greedy"], "name": text or "x"}
    try:
        config = load_config(table)
    except ConfigurationError as error:
        assert len(text) > 200 or text == HOSTILE["not utf-8"]
        assert "\n" not in str(error)
        return
    folder = config.default_folder()
    assert folder.parent == Path("runs") and folder.name not in ("", ".", "..") and "/" not in folder.name
    made = ludometer.run(table)
    assert made.folder.resolve().parent == (here / "runs").resolve()
    assert ludometer.load(made.folder).matches()["status"].eq("finished").all()


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if 0 < len(text) < 200])
def test_a_folder_is_called_so(text, here):
    """The address of the database is made from the path: no part of it becomes a setting of the connection."""
    folder = here / "in" / text
    made = ludometer.run({"game": "nim", "players": ["random", "greedy"]}, dir=folder)
    assert (folder / "run.sqlite").is_file()
    assert made.verify().problems == []
    assert all(path.is_file() for path in made.export(folder / "out", "csv"))


@pytest.mark.parametrize("text", UNWRITABLE.values(), ids=UNWRITABLE)
def test_no_file_can_be_called_so(text, here, base):
    table = {"game": "chess", "players": ["random", "greedy"], "openings": {"pgn": text}}
    attempts: list[Callable[[], object]] = [
        lambda: load_config(text),
        lambda: ludometer.run("nim.toml", dir=text),
        lambda: ludometer.run(table),
        lambda: ludometer.load(text),
        lambda: ludometer.load(base).export(text),
        lambda: ludometer.load(base).report(text),
        lambda: ludometer.load(base).report(text, plain=True),
        lambda: usable_path(text),
    ]
    for attempt in attempts:
        with pytest.raises(LudometerError) as error:
            attempt()
        assert "\n" not in str(error.value)


def test_a_report_replaces_no_other_file(here):
    run = ludometer.load("base")
    mine = here / "thesis.tex"
    mine.write_text("years of work")
    for plain in (False, True):
        with pytest.raises(ConfigurationError, match="is not replaced"):
            run.report(mine, plain=plain)
        with pytest.raises(ConfigurationError, match="is a folder"):
            run.report(here, plain=plain)
        for _ in range(2):  # a page of ours is
            assert run.report(here / "page.html", plain=plain).stat().st_size > 1000
    assert mine.read_text() == "years of work"
    assert not list(here.glob("*.part"))
    with pytest.raises(ConfigurationError):
        file_path("..")


@every_text
def test_a_database_names_no_run_so(text):
    try:
        found = parse_address(f"postgresql://host/db?run={text}")
    except ConfigurationError as error:
        assert "\n" not in str(error)
        return
    assert set(getattr(found, "run", "")) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-")


@pytest.mark.slow
def test_players_and_models_are_called_so(here):
    """All of them in one run, through play, log, judging, tables, exports, page and viewer."""
    names = [text for text in HOSTILE.values() if text.strip() and len(text) < 1000 and text != "\udcff"]
    answers = iter(names * 1000)

    async def played() -> Any:
        async with FakeProvider(lambda _: next(answers), keep_requests=False) as provider:
            table = {
                "game": "nim",
                "players": [{"player": PLAYERS.get(name, "random"), "name": name} for name in names],
                "models": {"fake": {"base_url": provider.url}},
                "schedule": {"kind": "gauntlet", "pool": list(PLAYERS)},
                "policy": {"attempts": 1, "on_exhausted": "random"},
            }
            return await start(load_config(table), here / "named")

    summary = asyncio.run(played())
    assert summary.complete
    with RunStore.open(here / "named") as store:
        assert [entrant["name"] for entrant in store.entrants()] == names
        texts = {row["text"] for row in store.rows(schema.attempts) if row["text"]}
        assert set(names[:8]) <= texts
    assert asyncio.run(verify(here / "named")).problems == []
    run = ludometer.load(here / "named")
    assert {row.name for row in run.ratings().rows} == set(names)
    for form in ("json", "csv", "txt"):
        for path in run.export(here / "out", form):
            assert path.resolve().parent == (here / "out").resolve()
    page = run.report(here / "page.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    plain = run.report(here / "plain.html", plain=True).read_text(encoding="utf-8")
    assert "<script>alert(1)" not in plain


@pytest.mark.parametrize("written", ["a\udcffb", {"player": "random", "name": "a\ud800b"}])
def test_no_player_is_called_so(written):
    """The log could not keep the name as it is, and the schedule would not be known again."""
    config = load_config({"game": "nim", "players": [written, "greedy"]})
    with pytest.raises(ConfigurationError, match="half a character"):
        config.entrants()


@every_text
def test_a_provider_is_called_so(text):
    """The name of a provider is no part of an address, a file or a variable of the environment."""
    table = {
        "game": "nim",
        "players": [f"{text}/model", "random"],
        "models": {text: {"base_url": "http://127.0.0.1:9/v1", "api_key_env": text}},
    }
    try:
        config = load_config(table)
        assert config.models.keys() == {text}
        config.entrants()
    except ConfigurationError as error:
        assert "\n" not in str(error)


def test_the_viewer_is_asked_for_it(base):
    """In every place of every address, and as every parameter: never an error of ours, never another file."""
    app = create_app(RunsFolder([base.parent]))
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        asked = 0
        for path, operations in app.openapi()["paths"].items():
            if "get" not in operations or path.endswith("/events"):
                continue
            for text in (*HOSTILE.values(), "a\0b"):
                if len(text) > 1000:
                    continue
                for url, query in urls(path, operations["get"].get("parameters", []), text):
                    answer = client.get(url, params=query)
                    asked += 1
                    assert answer.status_code < 500, (url, query, answer.text[:300])
                    if answer.status_code >= 400:
                        assert "Traceback" not in answer.text and "sqlite" not in answer.text.lower()
    assert asked > 500
    with sqlite3.connect(base / "run.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (2,)


def urls(path: str, parameters: list[dict[str, Any]], text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The address with the text in each place in turn, real values in the others."""
    from urllib.parse import quote

    real = {"run": "base", "match": "m000001", "ply": "0", "step": "0", "seat": "1", "attempt": "0", "id": "x"}
    encoded = quote(text.encode("utf-8", "surrogateescape"), safe="")
    for parameter in parameters:
        name = parameter["name"]
        values = {**real, name: encoded} if parameter["in"] == "path" else real
        url = path
        for key, value in values.items():
            url = url.replace("{" + key + "}", value)
        query = {name: text.encode("utf-8", "replace").decode()} if parameter["in"] == "query" else {}
        yield url, query


def test_json_in_the_texts_is_told_apart():
    """The table itself: every text differs, and can be written as JSON."""
    assert len({json.dumps(text) for text in HOSTILE.values()}) == len(HOSTILE)
