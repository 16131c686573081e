"""The page with its data inside, opened from the disk without any server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ludometer.store import RunStore
from ludometer.web.static import write_page

from ..acting_server import Server
from .pages import AXE, Pages, aside, fits, go, serious, settled

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page_of_two(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return _written(runs / "two", tmp_path_factory.mktemp("file") / "two.html")


def _written(run: Path, path: Path) -> str:
    def write() -> str:
        with RunStore.open(run) as store:
            return write_page(store, path).as_uri()

    return aside(write)


def test_every_screen_from_the_disk(page_of_two: str, pages: Pages) -> None:
    page = settled(pages.open(page_of_two))
    expect(page.locator("main")).to_contain_text("greedy")
    for tab in ("Head to head", "Matches", "Report", "Leaderboard"):
        page.get_by_role("navigation").get_by_role("link", name=tab, exact=True).click()
        expect(settled(page).locator("main")).not_to_be_empty()
        assert page.locator("main [role=alert]").count() == 0
    for nothing in ("Play", "New run", "Live"):
        expect(page.get_by_role("navigation").get_by_role("link", name=nothing, exact=True)).to_have_count(0)


def test_filters_work_without_a_server(page_of_two: str, served: Server, pages: Pages) -> None:
    page = settled(pages.open(f"{page_of_two}#/run/two/matches"))

    def selected(**query: str) -> int:
        """So many matches has the server under the same filters."""
        answer = served.client.get("/api/runs/two/matches", params={"size": "50", **query}).json()
        return len(answer["matches"])

    expect(page.locator("tbody tr")).to_have_count(selected())
    page.get_by_label("Game").select_option("connect4")
    expect(page.locator("tbody tr")).to_have_count(selected(game="connect4"))
    assert 0 < selected(game="connect4") < selected()
    page.get_by_label("Player").select_option("greedy")
    for result in ("loss", "win"):
        page.get_by_label("Result").select_option(result)
        rows = selected(game="connect4", player="greedy", result=result)
        expect(page.locator("tbody tr")).to_have_count(rows)
        if not rows:
            expect(page.locator("main")).to_contain_text("No match fits")
    page.get_by_label("Text").fill("no such words")
    expect(page.locator("main")).to_contain_text("No match fits")


def test_a_replay_without_a_server(runs: Path, tmp_path: Path, pages: Pages) -> None:
    url = _written(runs / "study", tmp_path / "study.html")
    page = settled(pages.open(f"{url}#/run/study/match/m000002"))
    expect(page.locator(".stage svg").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/m000002/1**")
    expect(page.locator(".value-graph")).to_be_visible()
    page.keyboard.press("e")
    expect(page.locator(".value-graph")).to_have_count(0)
    page.keyboard.press("End")
    expect(settled(page).locator(".stage svg").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert fits(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_shut_out(dark: bool, page_of_two: str, pages: Pages) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci in the folder viewer")
    page = pages.open(page_of_two, dark=dark, bypass_csp=True)
    for route in ("/run/two", "/run/two/matrix", "/run/two/matches", "/run/two/report", "/run/two/match/m000001/2"):
        assert serious(go(page, route)) == [], route
