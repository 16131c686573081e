"""Runs as they are played: watched to their end, and started, paused, resumed and stopped from the page."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import ludometer
from ludometer.store.database import DATABASE
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments.config import presets
from ludometer.web import children

from ..acting_server import Server, eventually
from .pages import Pages, settled

pytestmark = pytest.mark.slow


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """What the page starts; it is ended here also when a test fails, since it outlives its server on purpose."""
    processes: list[subprocess.Popen[bytes]] = []
    spawn = children._spawn

    def spawning(folder: Path, command: list[str]) -> subprocess.Popen[bytes]:
        processes.append(spawn(folder, command))
        return processes[-1]

    monkeypatch.setattr(children, "_spawn", spawning)
    yield processes
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_a_tournament_is_watched_to_its_end(own: Server, pages: Pages, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "watched"
    with in_thread(FakeProvider("tictactoe", latency=0.25, keep_requests=False)) as provider:
        models = {"fake": {"base_url": provider.url}}
        table = {"name": "watched", "game": "tictactoe", "players": ["fake/a", "random"], "models": models}
        more = {"prompt": {"answer": "text"}, "concurrency": 2, "schedule": {"repeats": 3}}
        playing = threading.Thread(target=lambda: ludometer.run({**table, **more}, dir=folder))
        playing.start()
        try:
            eventually((folder / DATABASE).exists)
            page = pages.open(own.url)
            page.locator("a[href='#/run/watched/live']").click()  # a run at play opens on its boards
            page.wait_for_url("**/run/watched/live")
            page.evaluate("document.title = 'never loaded again'; window.kept = true")
            expect(page.locator(".run-controls")).to_contain_text("of 6")
            expect(page.locator(".wall svg").first).to_be_visible()
            expect(page.locator("main")).to_contain_text("Every match is finished")
            expect(page.locator(".run-controls")).to_contain_text("6 of 6")
            expect(page.locator(".wall-done > *")).to_have_count(6)
            assert page.evaluate("window.kept") is True
        finally:
            playing.join(60)


def test_a_run_is_started_paused_resumed_and_stopped(
    own: Server, pages: Pages, started: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    page = pages.open(f"{own.url}/#/new")
    page.get_by_label("Game").select_option("connect4")
    search = page.get_by_label("Players to choose from").first
    for player in ("random", "mcts:simulations=3000"):
        search.fill(player)
        search.press("Enter")
    page.get_by_label("Repeats").fill("40")
    page.get_by_label("Matches at once").fill("1")
    page.get_by_label("Name", exact=True).fill("from the page")
    expect(page.locator(".builder-bar")).to_contain_text("80 matches")
    expect(page.locator(".builder-side")).to_contain_text("mcts:simulations=3000")
    page.get_by_role("button", name="Start").first.click()
    page.wait_for_url("**/live")
    expect(page.locator(".wall svg").first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Stop…").click()
    page.get_by_role("button", name="Stop at once").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert len(started) == 2
    assert all(process.wait(30) is not None for process in started)
    settled(page)
    assert (tmp_path / "runs" / page.url.split("/run/")[1].split("/")[0] / "run.toml").exists()


def test_a_preset_is_changed_and_started(
    own: Server, pages: Pages, started: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    page = pages.open(f"{own.url}/#/new")
    page.get_by_label("Start from").select_option("llm-games-2025")
    expect(page.get_by_label("Keys that its models need")).to_contain_text("ANTHROPIC_API_KEY")
    expect(page.locator(".builder-side")).to_contain_text("480 matches")
    page.get_by_label("Start from").select_option("quickstart")
    expect(page.locator(".builder-side .toml")).to_contain_text("local/smollm2-135m")
    for name in ("smollm2 (json)", "smollm2 (legal moves)"):
        page.get_by_role("button", name=f"Take {name} out").click()
    page.get_by_label("Repeats").fill("2")
    page.get_by_label("Repeats").press("Enter")
    expect(page.locator(".builder-side")).to_contain_text("4 matches")
    expect(page.locator(".builder-side .toml")).not_to_contain_text("smollm2-135m")
    page.get_by_role("button", name="Start", exact=True).first.click()
    page.wait_for_url("**/live")
    expect(page.locator(".run-controls")).to_contain_text("4 of 4")
    written = tomllib.loads((tmp_path / "runs" / "quickstart" / "run.toml").read_text())
    assert written["players"] == ["random", "perfect"] and written["schedule"]["repeats"] == 2
    assert written["policy"] == tomllib.loads(presets()["quickstart"].read_text())["policy"]
    assert all(process.wait(60) == 0 for process in started)
