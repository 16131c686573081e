"""People at the board: by click, by the keyboard alone, on two devices, and what others may see meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from ludometer.tournaments import verify

from ..acting_server import Server, serving
from .pages import Pages, await_aside, go, press_until, settled

pytestmark = pytest.mark.slow


def agrees(folder: Path) -> None:
    result = await_aside(lambda: verify(folder))
    assert result.problems == []


def is_asked(page: Page) -> bool:
    """Waits for this person's turn, or for the end."""
    expect(page.locator(".play-yours, .ending").first).to_be_visible()
    return page.locator(".ending").count() == 0


def test_a_game_by_clicks(own: Server, pages: Pages) -> None:
    page = pages.open(own.url)
    page.get_by_role("link", name="Play").first.click()
    page.locator(".player", has_text="perfect").first.click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_label("What is recorded")).to_contain_text("every move")
    moves = 0
    while is_asked(page):
        page.locator(".play-board .spot-act").first.click()
        moves += 1
        expect(page.locator(".history li.mine")).to_have_count(moves)
    assert moves >= 3
    expect(page.locator(".ending h2")).to_contain_text("perfect (Player O) won")
    assert page.locator(".play-board .spot-act").count() == 0
    run = page.url.split("/play/")[1].split("/")[0]
    page.get_by_role("link", name="Replay it").click()
    expect(settled(page).locator(".replay")).to_contain_text("perfect (Player O) won")
    agrees(own.runs.ids()[run])


def test_a_game_by_the_keyboard_alone(own: Server, pages: Pages) -> None:
    page = pages.open(f"{own.url}/#/play")
    expect(page.locator(".player").first).to_be_visible()
    press_until(page, "Tab", ".player-choice input")
    page.keyboard.type("perfect")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "button.start")
    page.keyboard.press("Enter")
    moves = 0
    while is_asked(page):
        page.wait_for_selector(".play-board .spot-act[tabindex='0']")
        page.keyboard.press("b")
        before = _words(page.locator(":focus"))
        assert "empty" in before
        if moves == 0:
            page.keyboard.press("ArrowRight")
            assert _words(page.locator(":focus")) != before
        page.keyboard.press("Enter" if moves % 2 else " ")
        moves += 1
        expect(page.locator(".history li.mine")).to_have_count(moves)
    expect(page.locator(".ending")).to_be_focused()
    assert moves >= 3
    press_until(page, "Tab", ".ending a")
    page.keyboard.press("Enter")
    expect(settled(page).locator(".replay")).to_be_visible()


def _words(element: Any) -> str:
    words = element.get_attribute("aria-label")
    assert words, "what is pressed says nothing to a screen reader"
    return str(words)


def test_a_typed_move_and_a_refused_one(own: Server, pages: Pages) -> None:
    page = pages.open(f'{own.url}/#/play?game=chess&seats=["me","random"]')
    page.get_by_role("button", name="Start", exact=True).click()
    assert is_asked(page)
    page.get_by_label("Your move").fill("Ke2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Your move").fill("e2e4")
    page.keyboard.press("Enter")
    expect(page.locator(".history li.mine")).to_have_count(1)
    assert is_asked(page)
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator(".ending")).to_contain_text("resign")


def _centre(page: Page, square: str) -> tuple[float, float]:
    box = page.locator(f".play-board [data-square='{square}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(("game", "start", "end"), [("checkers", "11", "15"), ("breakthrough", "a7", "a6")])
def test_a_piece_is_dragged(own: Server, pages: Pages, game: str, start: str, end: str) -> None:
    page = pages.open(f'{own.url}/#/play?game={game}&seats=["me","human"]')
    page.get_by_role("button", name="Start", exact=True).click()
    assert is_asked(page)
    selected = page.locator(".play-board .spot-selected")
    page.mouse.move(*_centre(page, start))
    page.mouse.down()
    page.mouse.move(*_centre(page, end), steps=5)
    expect(selected).to_have_count(1)
    assert page.locator(".play-board .dragged > *").count() >= 1, "the piece goes with the pointer"
    page.mouse.move(5, 5, steps=5)
    page.mouse.up()  # beside the board: nothing was done
    expect(selected).to_have_count(0)
    expect(page.locator(".play-board .dragged")).to_have_count(0)
    expect(page.locator(".history li")).to_have_count(0)
    page.locator(f".play-board [data-square='{start}']").click()  # a click chooses as before
    expect(selected).to_have_count(1)
    page.mouse.down()
    page.mouse.move(*_centre(page, end), steps=5)
    page.mouse.up()
    expect(page.locator(".history li.mine")).to_contain_text(end)


def test_two_people_on_two_devices(own: Server, pages: Pages) -> None:
    first = pages.open(f"{own.url}/#/play")
    first.locator(".player", has_text="another person").click()
    first.get_by_role("button", name="Start", exact=True).click()
    link = first.locator(".link-row input").input_value()
    expect(first.locator(".link-row")).to_contain_text("not here yet")
    second = pages.open(link, width=390, height=844, has_touch=True)
    expect(first.locator(".link-row")).to_contain_text("is here")
    for i, cell in enumerate(["1,1", "2,1", "1,2", "2,2", "1,3"]):
        page = second if i % 2 else first
        assert is_asked(page)
        place = page.locator(f".play-board [data-action='{cell}']")
        place.tap() if i % 2 else place.click()
        expect(page.locator(".history li.mine")).to_have_count(i // 2 + 1)
    for page in (first, second):
        expect(page.locator(".ending")).to_contain_text("won: X has 3 in a row")


def test_while_a_person_plays_only_what_is_public_is_shown(own: Server, pages: Pages) -> None:
    body = {"game": "uno", "seats": ["human", "random"], "seed": 99991234}
    started = own.client.post("/api/play", json=body).json()
    key = next(iter(started["links"].values()))
    person = pages.open(f"{own.url}/#/play/{started['id']}/{key}")
    while is_asked(person) and person.locator(".history li.mine").count() < 2:
        before = person.locator(".history li").count()
        person.locator(".picker-list button").first.click()
        person.wait_for_selector(f".history li:nth-child({before + 1})")
    heard: list[tuple[str, str]] = []

    def hear(answer: Response) -> None:
        if "/api/" in answer.url and not answer.url.endswith("/events"):
            heard.append((answer.url, answer.text()))

    onlooker = pages.open(own.url)
    onlooker.on("response", hear)
    run, match = started["run"], started["match"]
    place = f"/run/{run}/match/{match}"
    for route in (f"/run/{run}", f"/run/{run}/matrix", f"/run/{run}/matches", f"/run/{run}/live", f"/run/{run}/report"):
        go(onlooker, route)
    for query in ("", "?viewer=full", "?viewer=1", "?same=1", "?attempt=0"):
        go(onlooker, f"{place}/1{query}")
        expect(onlooker.locator(".replay")).to_be_visible()
        assert onlooker.locator(".viewers button, .viewers option").count() <= 1
    onlooker.wait_for_timeout(500)
    assert len(heard) > 10
    positions = [json.loads(text) for url, text in heard if "/positions/" in url]
    assert positions and {position["viewer"] for position in positions} == {"public"}
    for url, text in heard:
        assert key not in text and "99991234" not in text, url
        assert '"hidden":false' not in text.replace(" ", ""), url
    for what in ("calls/0/1/0", "values", "same/0/1", "positions/1?viewer=full"):
        assert own.client.get(f"/api/runs/{run}/matches/{match}/{what}").status_code == 403


def test_a_server_with_a_token(tmp_path: Path, pages: Pages) -> None:
    token = "t" * 43
    with serving(tmp_path / "runs", token=token) as server:
        stranger = pages.open(server.url)
        expect(stranger.locator("main")).to_contain_text("token")
        expect(stranger.get_by_role("link", name="Set up a run")).to_have_count(0)
        for path in ("/api/runs", "/api/catalogue", "/api/runs/x/events", "/api/openapi.json"):
            assert stranger.request.get(server.url + path).status == 401
        owner = pages.open(f"{server.url}/?token={token}")
        assert "token" not in owner.url
        expect(settled(owner).locator("main")).to_contain_text("There are no runs")
        go(owner, "/play")
        owner.locator(".player", has_text="another person").click()
        owner.get_by_role("button", name="Start", exact=True).click()
        guest = pages.open(owner.locator(".link-row input").input_value())
        owner.locator(".play-board [data-action='2,2']").click()
        assert is_asked(guest)  # a link to a seat needs no token, and opens nothing else
        assert guest.request.get(f"{server.url}/api/runs").status == 401
        assert token not in guest.content()


def test_a_link_on_another_device(tmp_path: Path, pages: Pages) -> None:
    """As `ludometer view --host 0.0.0.0` serves: one person at the machine itself, the other one at another device."""
    token = "t" * 43
    with serving(tmp_path / "runs", token=token, host="0.0.0.0") as server:
        address = server.address
        owner = pages.open(f"{server.url}/?token={token}")
        owner.get_by_role("link", name="Play").first.click()
        owner.locator(".player", has_text="another person").click()
        owner.get_by_role("button", name="Start", exact=True).click()
        link = owner.locator(".link-row input").input_value()
        assert link.startswith(f"{address}/#/play/")  # not that of the machine for itself
        guest = pages.open(link, width=390, height=844, has_touch=True, is_mobile=True)
        expect(owner.locator(".link-row")).to_contain_text("is here")
        for i, cell in enumerate(["1,1", "2,1", "1,2", "2,2", "1,3"]):
            page = guest if i % 2 else owner
            assert is_asked(page)
            place = page.locator(f".play-board [data-action='{cell}']")
            place.tap() if i % 2 else place.click()
            expect(page.locator(".history li.mine")).to_have_count(i // 2 + 1)
        expect(guest.locator(".ending")).to_contain_text("won: X has 3 in a row")
        expect(guest.locator("a:visible")).to_have_count(0)  # all that it could lead to asks for the token
        expect(owner.locator(".ending a")).to_have_count(2)
        second = pages.open(f"{address}/?token={token}")  # the owner at another device, where browsers trust less
        second.goto(f"{address}/#/play?seats=%5B%22me%22%2C%22human%22%5D")
        second.get_by_role("button", name="Start", exact=True).click()
        second.get_by_role("button", name="Copy").click()
        expect(second.locator(".link-row button")).to_have_text("Copied")
