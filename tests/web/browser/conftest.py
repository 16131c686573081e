"""A headless Chromium, and servers over the runs that it looks at."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread

from ..acting_server import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from .pages import Pages


class _Skipped(pytest.Module):
    """A file of tests that cannot be imported here."""

    def collect(self) -> NoReturn:
        pytest.skip("needs a driver for a browser: pip install playwright", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if find_spec("playwright") is not None:
        return None
    return _Skipped.from_parent(parent, path=module_path)


MORE = (
    "NUL \x00 bell \x07 \ud800 half \udfff zero\u200bwidth \u2028 combining "
    + "a"
    + "\u0301" * 300
    + " <math><mtext></table><style><img src=y onerror=alert(6)> {{7*7}} `${alert(8)}`"
    + " <a href='data:text/html,<script>alert(9)</script>'>z</a>"
)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("needs a browser: apt install chromium")
    return path


@pytest.fixture(scope="package")
def runs(chromium_path: str, analyzed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs of the other tests, and: ``plain`` (the study as it was before `ludometer analyze`), ``answers`` (a
    megabyte of the worst that a model may answer), ``speeches`` (the same as a debate)."""
    import sqlalchemy as sa

    import ludometer

    from ..conftest import HOSTILE

    root = tmp_path_factory.mktemp("browser") / "runs"
    shutil.copytree(analyzed, root)
    shutil.copytree(root / "study", root / "plain")
    with RunStore.open(root / "plain", write=True) as store, store.engine.begin() as connection:
        connection.execute(sa.delete(schema.move_values))
    worst = HOSTILE + MORE
    with in_thread(FakeProvider(lambda _: worst + "W" * 1_000_000, keep_requests=False)) as provider:
        models = {"fake": {"base_url": provider.url}}
        policy = {"attempts": 1, "on_exhausted": "random"}
        player = {"player": "fake/a", "name": "<img src=x onerror=alert(5)>"}
        table = {"game": "tictactoe", "models": models, "policy": policy, "prompt": {"answer": "text"}}
        ludometer.run({**table, "name": HOSTILE, "players": [player, "random"]}, dir=root / "answers")
    with in_thread(FakeProvider(lambda _: worst, keep_requests=False)) as provider:
        models = {"fake": {"base_url": provider.url}}
        table = {"game": "debate", "models": models, "prompt": {"answer": "text"}, "officials": {"judge1": "random"}}
        ludometer.run({**table, "players": ["fake/a", "random"]}, dir=root / "speeches")
    return root


@pytest.fixture(scope="module")
def browser(chromium_path: str, runs: Path) -> Iterator[Browser]:
    """While it is open, this thread can run no event loop of its own: so it comes after the runs, and ends with its
    file, before the tests of other folders that the same process may be given."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        yield playwright.chromium.launch(executable_path=chromium_path, headless=True, args=arguments)


@pytest.fixture(scope="package")
def served(runs: Path) -> Iterator[Server]:
    with serving(runs) as server:
        yield server


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server whose folder is this test's alone."""
    with serving(tmp_path / "runs") as server:
        yield server


@pytest.fixture
def pages(browser: Browser) -> Iterator[Pages]:
    """Pages that are closed in the end, and did nothing that none may do."""
    from .pages import Pages

    made = Pages(browser)
    yield made
    made.close()
    assert made.faults == []
