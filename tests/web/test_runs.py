"""The list of runs, what one is, and which folders count."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

import ludometer
from ludometer.analysis.luck import adjusted_results, luck_of_run
from ludometer.analysis.run import load_tables
from ludometer.store import RunStore
from ludometer.web.app import create_app
from ludometer.web.problems import Problem
from ludometer.web.runs import RunsFolder, at_work, slug

RUNS = {"study", "two", "uno", "topsakal", "empty", "damaged", "hostile", "interrupted", "people"}


def test_every_run_is_listed_with_what_became_of_its_matches(client):
    runs = {entry["id"]: entry for entry in client.get("/runs")["runs"]}
    assert set(runs) == RUNS
    study = runs["study"]
    assert (study["name"], study["games"], study["entrants"], study["playing"]) == ("A study", ["tictactoe"], 3, False)
    assert study["counts"] == {
        "total": 12,
        "completed": 12,
        "forfeit": 0,
        "canceled": 0,
        "void": 0,
        "unfinished": 0,
        "not_needed": 0,
    }
    assert study["created"] <= study["last"] <= time.time()
    assert runs["topsakal"]["counts"]["canceled"] == 101 + 338 and runs["topsakal"]["counts"]["total"] == 980
    assert runs["empty"]["counts"]["total"] == 0 and runs["empty"]["problem"] is None
    assert runs["interrupted"]["counts"]["unfinished"] == 2
    assert runs["two"]["name"] == "two", "a run without a name is called as its folder"
    assert runs["hostile"]["calls"] > 0


def test_a_damaged_run_is_listed_with_the_reason_and_refused_everywhere(client):
    damaged = next(entry for entry in client.get("/runs")["runs"] if entry["id"] == "damaged")
    assert "damaged or no run database" in damaged["problem"]
    for path in ("", "/leaderboard", "/matrix", "/matches", "/matches/m1", "/report"):
        status, sentence = client.refused(f"/runs/damaged{path}")
        assert status == 409 and "damaged" in sentence


def test_the_session_names_the_only_run_there_is(client, folder):
    assert client.get("/session")["run"] is None
    assert RunsFolder([folder / "study"]).single == "study"
    assert RunsFolder([folder / "study" / "run.sqlite"]).single == "study"
    assert RunsFolder([folder / "study", folder / "two"]).single is None


def test_a_run_says_what_it_was_made_of_and_can_be_filtered_by(client):
    run = client.get("/runs/two")
    assert run["facets"]["games"] == ["tictactoe", "connect4"] and run["facets"]["entrants"] == ["random", "greedy"]
    assert run["facets"]["factors"] == {"feedback": ["none", "explain"]}
    assert run["facets"]["endings"][0] == "completed" and run["config"]["seed"] == 2
    assert run["has_moves"] and not run["has_values"] and "round robin" in run["methods"]
    assert client.get("/runs/study")["has_values"]
    imported = client.get("/runs/topsakal")
    assert not imported["has_moves"] and "Topsakal" in imported["notes"][0]
    assert client.get("/runs/hostile")["facets"]["kinds"] == ["invalid_format"]


def test_a_run_at_play_in_another_process_is_seen_as_such(client, folder):
    code = (
        "import sys; from ludometer.store import RunStore; s = RunStore.open(sys.argv[1], write=True);"
        "print('locked', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, str(folder / "interrupted")], **pipes) as process:
        assert process.stdout.readline().strip() == "locked"
        assert client.get("/runs/interrupted")["entry"]["playing"]
        assert client.get("/runs/interrupted/leaderboard")["rated"] == 0
        process.stdin.close()
        process.wait(20)
    assert not client.get("/runs/interrupted")["entry"]["playing"]


def test_looking_does_not_keep_a_run_from_being_written_to(client, folder):
    client.get("/runs/interrupted/matches")
    assert not at_work(folder / "interrupted")
    with RunStore.open(folder / "interrupted", write=True) as store:
        assert store.pending()
        assert at_work(folder / "interrupted")


def test_what_is_written_later_is_shown(client, folder):
    before = client.get("/runs/interrupted")["entry"]["created"]
    with RunStore.open(folder / "interrupted", write=True) as store:
        store.set_meta(created=before + 1)
    assert client.get("/runs/interrupted")["entry"]["created"] == before + 1


def test_a_folder_that_is_made_anew_is_opened_anew(tmp_path):
    RunStore.create(tmp_path / "run", {"name": "first"}).close()
    runs = RunsFolder([tmp_path])
    assert runs.opened("run").store.config["name"] == "first"
    assert runs.opened("run") is runs.opened("run")
    (tmp_path / "run").rename(tmp_path / "old")
    RunStore.create(tmp_path / "run", {"name": "second"}).close()
    assert runs.opened("run").store.config["name"] == "second"
    assert set(runs.ids()) == {"run", "old"}
    runs.close()


@pytest.mark.parametrize(
    "name", ["..", ".", "%2e%2e", "../x", "..%2f..%2fetc", "/etc", "study/", "STUDY", "study\x00", ""]
)
def test_only_known_ids_name_a_run(client, folder, name):
    with pytest.raises(Problem, match="there is no run"):
        RunsFolder([folder]).folder(name)
    assert client.http.get(f"/api/runs/{quote(name, safe='/%')}/leaderboard").status_code == 404


def test_links_out_of_the_folder_are_followed_only_where_they_are_named(tmp_path: Path):
    outside, inside = tmp_path / "outside", tmp_path / "runs"
    inside.mkdir()
    RunStore.create(outside / "secret", {}).close()
    RunStore.create(inside / "own", {}).close()
    (inside / "link").symlink_to(outside / "secret")
    (inside / "file").mkdir()
    (inside / "file" / "run.sqlite").symlink_to(outside / "secret" / "run.sqlite")
    (inside / "again").symlink_to(inside / "own")
    assert len(RunsFolder([inside]).ids()) == 1, "the run of the folder itself, once"
    assert set(RunsFolder([inside / "link"]).ids()) >= {"secret"}
    (tmp_path / "named").symlink_to(outside)
    assert set(RunsFolder([tmp_path / "named"]).ids()) == {"secret"}


def test_ids_are_slugs_and_different(tmp_path: Path):
    assert slug("Über Größe/../x") == "ber-gr-sse-..-x" and slug("..") == "run" and slug("A b!C") == "a-b-c"
    for name in ("a b", "a-b", "A B"):
        RunStore.create(tmp_path / name, {}).close()
    runs = RunsFolder([tmp_path])
    assert sorted(runs.ids()) == ["a-b", "a-b-2", "a-b-3"]
    assert runs.ids() == runs.ids()


def test_a_game_of_another_library_is_named_in_the_list(tmp_path):
    ludometer.run({"game": "openspiel:kuhn_poker", "players": ["random", "greedy"]}, dir=tmp_path / "runs" / "kuhn")
    with TestClient(create_app(RunsFolder([tmp_path / "runs"])), base_url="http://127.0.0.1") as http:
        found = http.get("/api/runs").json()
        assert found["runs"][0]["games"] == ["openspiel:kuhn_poker"]
        assert found["places"] == [{"name": "runs", "problem": None}] and found["runs"][0]["place"] == "runs"
        board = http.get("/api/runs/kuhn/leaderboard").json()
        assert board["adjusted_in"] == "score" and board["rows"][0]["adjusted"] is None  # too few groups


def test_luck_is_taken_out_in_the_leaderboard(tmp_path):
    table = {"game": "openspiel:kuhn_poker", "players": ["random", "greedy"], "schedule": {"repeats": 40}}
    ludometer.run(table, dir=tmp_path / "runs" / "kuhn")
    with RunStore.open(tmp_path / "runs" / "kuhn") as store:
        results = adjusted_results(load_tables(store), luck_of_run(store))
    expected = {row["entrant"]: row for row in results.to_dict("records") if row["what"] == "score"}
    with TestClient(create_app(RunsFolder([tmp_path / "runs"])), base_url="http://127.0.0.1") as http:
        board = http.get("/api/runs/kuhn/leaderboard").json()
    for row in board["rows"]:
        assert row["adjusted"] == pytest.approx(expected[row["entrant"]]["adjusted"])
        assert row["adjusted_low"] < row["adjusted"] < row["adjusted_high"] and row["adjusted_n"] == 40
    assert any(note.startswith("Luck taken out leaves ") for note in board["notes"])
