"""The worst that a model may answer is text on every page, live and in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ludometer.store import RunStore
from ludometer.web.static import write_page

from ..acting_server import Server
from .pages import Pages, aside, fits, go, settled

pytestmark = pytest.mark.slow

ROUTES = ["", "/matrix", "/matches", "/matches?q=script", "/live", "/report", "/match/m000001"]
ROUTES += [f"/match/m000001/{ply}{more}" for ply in (1, 2, 3) for more in ("", "?same=1", "?viewer=full")]


def is_text(page: Page) -> None:
    """Nothing of an answer became markup: no script or picture of it, no link that runs, no unseen character."""
    alive = """() => {
        const all = [];
        const walk = root => {
            for (const e of root.querySelectorAll('*')) { all.push(e); if (e.shadowRoot) walk(e.shadowRoot); }
        };
        walk(document);
        return all.filter(e =>
            (e.tagName === 'SCRIPT' && e.type !== 'application/json' && !e.closest('head')
                && e.parentElement !== document.body) ||
            (e.tagName === 'IMG' && !(e.getAttribute('src') || '').startsWith('data:image/')) ||
            [...e.attributes].some(a => /^on/i.test(a.name) || /^\\s*(javascript|data:text)/i.test(a.value))
        ).map(e => e.outerHTML.slice(0, 200));
    }"""
    assert page.evaluate(alive) == []
    # A letter of the other direction, an escape or a half of a pair would be seen as nothing, or turn the line around.
    text = page.locator("body").inner_text()
    assert not {"\u202e", "\u2066", "\x1b", "\x00", "\x07", "\u200b"} & set(text)


def look_everywhere(page: Page, run: str) -> None:
    for route in ROUTES:
        go(page, f"/run/{run}{route}")
        page.wait_for_timeout(150)
        is_text(page)
    go(page, f"/run/{run}/match/m000001/{_answered(page, run)}")
    answer = page.get_by_label("Answer").first
    expect(answer).to_contain_text("<svg onload=alert(2)>")
    expect(answer).to_contain_text("\\u202e")
    folded = page.locator(".replay-panel").get_by_role("button", name="Show all")
    assert len(answer.inner_text()) < 20_000, "a megabyte is folded"
    folded.first.click()
    expect(answer).to_contain_text("WWWW" * 1000)
    is_text(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert fits(page)


def _answered(page: Page, run: str) -> int:
    """The first move of the model: entrants sit in turn."""
    for ply in (1, 2):
        go(page, f"/run/{run}/match/m000001/{ply}")
        if page.get_by_label("Answer").count():
            return ply
    raise AssertionError("no answer of the model is there")


def test_it_is_text_on_the_server(served: Server, pages: Pages) -> None:
    page = settled(pages.open(served.url))
    is_text(page)
    look_everywhere(page, "answers")


def test_it_is_text_where_words_are_the_board(served: Server, pages: Pages) -> None:
    page = pages.open(f"{served.url}/#/run/speeches/match/m000001/1")
    expect(settled(page).locator(".stage")).to_contain_text("<svg onload=alert(2)>")
    for ply in range(1, 8):
        is_text(go(page, f"/run/speeches/match/m000001/{ply}"))
    is_text(go(page, "/run/speeches/live"))


def test_it_is_text_in_a_file(runs: Path, tmp_path: Path, pages: Pages) -> None:
    def write() -> Path:
        with RunStore.open(runs / "answers") as store:
            return write_page(store, tmp_path / "page.html")

    page = settled(pages.open(aside(write).as_uri()))
    look_everywhere(page, "answers")
