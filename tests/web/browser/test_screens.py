"""Every screen: what it shows, on a desk and on a phone, by day and by night, for everybody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from ..acting_server import Server, serving
from .pages import AXE, Pages, fits, go, press_until, serious, settled

pytestmark = pytest.mark.slow

BUILT = quote(json.dumps({"players": ["random", "perfect"], "repeats": 5}))
SCREENS = {
    "runs": ("/", "A study"),
    "leaderboard": ("/run/study", "perfect"),
    "leaderboard of several games": ("/run/two", "greedy"),
    "leaderboard of an imported run": ("/run/topsakal", "GPT-4"),
    "leaderboard of nothing": ("/run/empty", "Nobody has played yet"),
    "a damaged run": ("/run/damaged", "database"),
    "head to head": ("/run/study/matrix", "perfect"),
    "head to head of many": ("/run/topsakal/matrix", "GPT-4"),
    "matches": ("/run/two/matches", "connect4"),
    "no matches": ("/run/study/matches?min_moves=99", "No match fits"),
    "report": ("/run/study/report", "What was run"),
    "replay": ("/run/study/match/m000002/3", "perfect"),
    "replay with others": ("/run/study/match/m000002/1?same=1", "position"),
    "replay of hidden hands": ("/run/uno/match/m000001/9", "Player 1"),
    "replay without moves": ("/run/topsakal/match/m000001", "moves"),
    "live": ("/run/study/live", "Every match is finished"),
    "live with a person": ("/run/people/live", "person is playing"),
    "new run": (f"/new?form={BUILT}", "matches"),
    "play": ("/play", "Seats"),
    "no page": ("/nowhere", "There is no such page"),
    "no run": ("/run/nowhere", "no run"),
    "no match": ("/run/study/match/m999999", "no match"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen(name: str, served: Server, pages: Pages) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci in the folder viewer")
    route, words = SCREENS[name]
    page = pages.open(f"{served.url}/#{route}", bypass_csp=True)
    expect(settled(page).locator("main").get_by_text(words).filter(visible=True).first).to_be_visible()
    found = serious(page)
    page.emulate_media(color_scheme="dark")
    found += serious(page)
    assert found == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(settled(page).locator("main").get_by_text(words).filter(visible=True).first).to_be_visible()
    assert fits(page)
    assert serious(page) == []


@pytest.mark.parametrize("game", ["chess", "uno", "poker"])
def test_a_table_at_play(game: str, own: Server, pages: Pages) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci in the folder viewer")
    seats = ["human", "human"]
    started = own.client.post("/api/play", json={"game": game, "seats": seats, "seed": 1}).json()
    key = next(iter(started["links"].values()))
    page = pages.open(f"{own.url}/#/play/{started['id']}/{key}", bypass_csp=True)
    expect(page.locator(".play-yours")).to_be_visible()
    found = serious(page)
    page.emulate_media(color_scheme="dark")
    found += serious(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert found + serious(page) == []
    assert fits(page)


def test_everything_is_reached_by_links(served: Server, pages: Pages) -> None:
    page = pages.open(served.url)
    page.get_by_role("link", name="A study", exact=True).first.click()
    expect(page).to_have_url(f"{served.url}/#/run/study")
    for tab, words in {
        "Head to head": "perfect",
        "Matches": "random",
        "Report": "What was run",
        "Live": "finished",
    }.items():
        page.get_by_role("navigation").get_by_role("link", name=tab, exact=True).click()
        expect(settled(page).locator("main")).to_contain_text(words)
    page.get_by_role("navigation").get_by_role("link", name="Head to head", exact=True).click()
    settled(page).locator("main table a").first.click()
    page.wait_for_url("**/#/run/study/matches?**player=**")
    settled(page).locator("tbody a").first.click()
    page.wait_for_url("**/#/run/study/match/**")
    expect(settled(page).locator(".replay")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/#/run/study/matches?**player=**")


def test_filters_are_in_the_address(served: Server, pages: Pages) -> None:
    page = pages.open(f"{served.url}/#/run/two/matches")
    every = settled(page).locator("tbody tr").count()
    page.get_by_label("Game").select_option("connect4")
    page.wait_for_url("**game=connect4**")
    expect(settled(page).locator("tbody tr")).to_have_count(every // 2)
    link = page.url
    again = pages.open(link)
    expect(settled(again).locator("tbody tr")).to_have_count(every // 2)


def test_matches_by_the_keyboard(served: Server, pages: Pages) -> None:
    page = settled(pages.open(f"{served.url}/#/run/study/matches"))
    page.wait_for_selector("tbody tr")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("tr.selected")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/match/m000002**")
    expect(settled(page).locator(".replay")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Hide or show every evaluation")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_moves_by_the_keyboard(served: Server, pages: Pages) -> None:
    page = settled(pages.open(f"{served.url}/#/run/study/match/m000002"))
    expect(page.locator(".controls-ply")).to_contain_text("0 /")
    for key, ply in {"ArrowRight": "1 /", "ArrowLeft": "0 /"}.items():
        page.keyboard.press(key)
        expect(page.locator(".controls-ply")).to_contain_text(ply)
    page.keyboard.press("End")
    last = page.locator(".controls-ply").inner_text().split(" / ")[1]
    page.wait_for_url(f"**/m000002/{last}**")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.locator(".controls-ply")).to_contain_text("2 /")  # it plays by itself
    page.keyboard.press(" ")
    press_until(page, "Tab", ".controls button")


def seen(page: Any) -> str:
    """The replay as markup, without what the name of the run does to it."""
    return str(page.locator(".replay").inner_html()).replace("/run/study/", "/run/plain/")


@pytest.mark.parametrize("ply", [1, 4])
def test_one_key_hides_every_trace_of_evaluations(ply: int, served: Server, pages: Pages) -> None:
    page = settled(pages.open(f"{served.url}/#/run/study/match/m000002/{ply}"))
    expect(page.locator(".eval-head")).to_contain_text("Hide evaluations")
    expect(page.locator(".value-graph")).to_be_visible()
    shown = seen(page)
    page.keyboard.press("e")
    expect(page.locator(".eval-head")).to_contain_text("Show evaluations")
    page.wait_for_timeout(300)
    toggle = page.locator(".eval-head").evaluate("element => element.outerHTML")
    hidden = seen(page).replace(toggle, "")
    never = settled(pages.open(f"{served.url}/#/run/plain/match/m000002/{ply}"))
    expect(never.locator(".move-list, .moves").first).to_be_visible()
    never.wait_for_timeout(300)
    assert "eval=" in page.url
    assert hidden.replace("?eval=0", "").replace("&amp;eval=0", "") == seen(never)
    assert hidden != shown
    go(page, f"/run/study/match/m000002/{ply + 1}")
    expect(page.locator(".eval-head")).to_contain_text("Show evaluations")  # remembered


def test_a_database_that_does_not_answer_beside_a_folder(runs: Path, pages: Pages) -> None:
    with serving(runs, "postgresql://ann:pa55-marker@127.0.0.1:1/games") as server:
        page = pages.open(server.url)
        expect(page.locator(".place-problems")).to_contain_text("ann@127.0.0.1:1/games", timeout=30_000)
        expect(page.locator(".runs > .run").first).to_be_visible()
        expect(page.locator(".screen-head")).to_contain_text("runs and postgresql://ann@127.0.0.1:1/games")
        assert "pa55-marker" not in page.content()
        page.locator(".run a").first.click()  # it holds up nothing
        expect(settled(page).locator(".run-head")).to_be_visible()
