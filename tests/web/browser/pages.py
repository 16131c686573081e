"""What the browser tests share: pages that keep every misdeed, and waiting for what a person would wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, expect

T = TypeVar("T")

AXE = Path(__file__).parents[3] / "viewer" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 60_000
"""Milliseconds: how long a busy machine may take for anything; quick ones wait for nothing."""

expect.set_options(timeout=PATIENCE)


def aside(work: Callable[[], T]) -> T:
    """Runs something in a thread: this one belongs to the browser's event loop, and has no room for another."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def await_aside(work: Callable[[], Any]) -> Any:
    """Runs the coroutine that ``work`` makes, and returns what it returns."""
    return aside(lambda: asyncio.run(work()))


class Pages:
    """Opens pages, each as a device of its own, and knows what none of them may do.

    Attributes:
        faults: errors of the page's script, breaches of its policy, dialogs, and requests that left this machine.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.faults: list[str] = []

    def open(self, url: str, *, width: int = 1280, height: int = 800, dark: bool = False, **more: Any) -> Page:
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            **more,
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        self.watch(page, url)
        page.goto(url)
        return page

    def watch(self, page: Page, url: str) -> None:
        here = urlsplit(url)

        def console(message: ConsoleMessage) -> None:
            # An answer of the server that is no success is told on the console too; screens show it.
            if message.type == "error" and not message.text.startswith("Failed to load resource"):
                self.faults.append(f"console: {message.text}")

        def request(asked: Request) -> None:
            to = urlsplit(asked.url)
            if to.scheme not in ("data", "blob") and (to.scheme, to.netloc) != (here.scheme, here.netloc):
                self.faults.append(f"request: {asked.url}")
            if to.scheme == "file" and to.path != here.path:
                self.faults.append(f"file: {asked.url}")

        def dialog(shown: Dialog) -> None:
            self.faults.append(f"dialog: {shown.message}")
            shown.dismiss()

        page.on("console", console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", request)
        page.on("dialog", dialog)
        page.on("popup", lambda popup: self.faults.append(f"popup: {popup.url}"))

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def settled(page: Page) -> Page:
    """Waits until nothing is being loaded."""
    page.wait_for_selector("main > *")
    expect(page.locator(".state-loading")).to_have_count(0)
    return page


def go(page: Page, route: str) -> Page:
    """To another place of the same page."""
    page.evaluate("route => { location.hash = route }", f"#{route}")
    page.wait_for_url(lambda url: f"#{route}" in url)
    return settled(page)


def serious(page: Page) -> list[str]:
    """What axe finds that shuts people out. The page must have been opened with ``bypass_csp``."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def fits(page: Page) -> bool:
    """Whether nothing lies beside the screen: no scrolling from left to right."""
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= document.documentElement.clientWidth"))


def press_until(page: Page, key: str, there: str, most: int = 150) -> None:
    """Presses a key until the focus is on what a selector means."""
    for _ in range(most):
        if page.evaluate("there => document.activeElement?.matches(there) ?? false", there):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {there}")
