"""A run that is decided before its schedule is played: what is left of it is not needed, and nothing waits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import ludometer
from ludometer.store import RunStore
from ludometer.store.export import export
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("decided") / "runs"
    table = {"game": "tictactoe", "players": ["perfect", "random"], "seed": 1, "stop_when": "all pairs decided"}
    ludometer.run({**table, "schedule": {"repeats": 100}}, dir=root / "early")
    return root


def test_the_viewer_says_what_is_not_needed(root: Path) -> None:
    client = TestClient(create_app(RunsFolder([root])), base_url="http://127.0.0.1")
    (entry,) = client.get("/api/runs").json()["runs"]
    counts = entry["counts"]
    assert counts["unfinished"] == 0 and not entry["playing"]
    assert counts["not_needed"] == counts["total"] - counts["completed"] > 100

    def listed(status: str) -> tuple[int, set[str]]:
        page = client.get("/api/runs/early/matches", params={"status": status}).json()
        return page["total"], {match["status"] for match in page["matches"]}

    assert listed("not needed") == (counts["not_needed"], {"not needed"})
    assert listed("unfinished") == (0, set())
    assert listed("completed") == (counts["completed"], {"finished"})


def test_an_export_says_what_is_not_needed(root: Path, tmp_path: Path) -> None:
    with RunStore.open(root / "early") as store:
        kept = store.status_counts()
        for kind in ("json", "csv", "txt"):
            export(store, tmp_path, kind)
    about = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert about["matches_by_status"] == {"finished": kept["finished"], "not needed": 200 - kept["finished"]}
    assert about["decision"]["why"] == "all pairs decided: perfect is better than random"
    lines = (tmp_path / "matches.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["status"] for line in lines} == {"finished", "not needed"}
    assert "scheduled" not in (tmp_path / "matches.csv").read_text(encoding="utf-8")
