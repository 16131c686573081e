"""Makes the pictures of the viewer in docs/images: every screen, light and dark, and on a phone.

    python docs/screenshots.py [--only NAME] [--runs FOLDER]

Fresh runs are played (a few minutes; with the small local model where it is installed), `ludometer view` shows them,
and a headless Chromium takes the pictures. Needs ``ludometer[checks]``, Pillow, and Chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from ludometer.models.files import local_models

IMAGES = Path(__file__).parent / "images"
LUDOMETER = [sys.executable, "-m", "ludometer"]

STUDY = """
name = "tic-tac-toe study"
description = "Players of known strength{models}"
game = "tictactoe"
players = [
    "random",
    "greedy",
    "perfect",
    "mcts:simulations=60",
{entrants}]

[schedule]
repeats = 2

[policy]
attempts = 2
feedback = "explain"
on_exhausted = "forfeit"
"""

MODELS = """\
    { player = "local/smollm2-135m", name = "smollm2 (json)", answer = "json", max_tokens = 48 },
    { player = "local/smollm2-135m", name = "smollm2 (legal moves)", answer = "json_schema", legal_only = true },
"""

AT_PLAY = """
name = "four in a row, at play"
concurrency = 4
description = "Searching players, of which one looks further"
game = "connect4"
players = ["mcts:simulations=4000", "mcts:simulations=30000", "greedy"]

[schedule]
repeats = 20
"""


class Screen(NamedTuple):
    """A screen to be shown.

    Attributes:
        name: of its pictures.
        route: after the ``#``.
        prepare: brings the page from there into the state that is shown.
    """

    name: str
    route: str
    prepare: Callable[[Page], None] = lambda page: None


class Look(NamedTuple):
    """How the page is looked at."""

    name: str
    width: int
    height: int
    dark: bool


LOOKS = (
    Look("light", 1280, 800, dark=False),
    Look("dark", 1280, 800, dark=True),
    Look("phone", 390, 844, dark=False),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="the name of one screen")
    parser.add_argument("--runs", type=Path, help="a folder for the runs, which is kept and used again")
    parser.add_argument("--images", type=Path, default=IMAGES, help="where the pictures go")
    given = parser.parse_args()
    given.images.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        folder = given.runs or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "runs"
        make_runs(folder)
        stack.enter_context(at_play(folder))
        url = stack.enter_context(viewer(folder))
        browser = stack.enter_context(chromium())
        for screen in screens(url, browser):
            if given.only in (None, screen.name):
                for look in LOOKS:
                    take(browser, url, screen, look, given.images)


# --------------------------------------------------------------------------- runs


def make_runs(folder: Path) -> None:
    """Plays the runs that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("play-*"):
        shutil.rmtree(left)
    if not (folder / "published").exists():
        ludometer("import", "topsakal", "--dir", str(folder / "published"))
    if not (folder / "uno").exists():
        seats = ["-p", "random", "-p", "monte_carlo:rollouts=60", "-p", "random", "-p", "random"]
        ludometer("play", "uno", *seats, "--games", "8", "--dir", str(folder / "uno"))
    if not (folder / "chess").exists():
        ludometer(
            "play", "chess", "-p", "alphabeta:depth=2", "-p", "random", "--games", "2", "--dir", str(folder / "chess")
        )
        ludometer("analyze", str(folder / "chess"))
    if not (folder / "study").exists():
        local = has_local_model()
        words = " and a small language model, free and held to legal moves" if local else ""
        text = STUDY.format(models=words, entrants=MODELS if local else "")
        ludometer("run", str(written(folder, "study", text)), "--dir", str(folder / "study"))
        ludometer("analyze", str(folder / "study"))


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def has_local_model() -> bool:
    return find_spec("xllamacpp") is not None and any(model.path.stem == "smollm2-135m" for model in local_models())


def ludometer(*arguments: str) -> None:
    print("ludometer", *arguments, flush=True)
    subprocess.run([*LUDOMETER, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def at_play(folder: Path) -> Iterator[None]:
    """A run that goes on while the pictures are taken; it is made anew every time."""
    shutil.rmtree(folder / "at-play", ignore_errors=True)
    path = written(folder, "at-play", AT_PLAY)
    command = [*LUDOMETER, "run", str(path), "--dir", str(folder / "at-play")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


@contextlib.contextmanager
def viewer(folder: Path) -> Iterator[str]:
    """`ludometer view` over the folder; yields its address."""
    command = [*LUDOMETER, "view", str(folder), "--port", "0", "--no-browser"]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=unbuffered) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://\S+", process.stdout.readline())
            if found is None:
                sys.exit("ludometer view did not say where it is")
            yield found.group()
        finally:
            process.terminate()


# --------------------------------------------------------------------------- pictures


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def screens(url: str, browser: Browser) -> Iterator[Screen]:
    """Every screen; those of one match and of a game with a person are looked up and begun here."""
    yield Screen("runs", "/")
    yield Screen("leaderboard", "/run/study")
    yield Screen("head-to-head", "/run/published/matrix")
    yield Screen("matches", "/run/study/matches")
    yield Screen("report", "/run/study/report")
    yield Screen("replay", f"/run/study/match/{with_answers(url, browser)}/2")
    yield Screen("replay-chess", "/run/chess/match/m000001/24")
    yield Screen("replay-uno", "/run/uno/match/m000001/12")
    yield Screen("live", "/run/at-play/live")
    yield Screen("new-run", "/new", choose_players)
    yield Screen("play", f"/play/{begun(url, browser)}")


def with_answers(url: str, browser: Browser) -> str:
    """A match of the study in which a language model answered, where there is one."""
    page = browser.new_page()
    search = f"{url.rstrip('/')}/api/runs/study/matches?sort=moves&order=desc&size=1"
    found = [page.request.get(search + more).json()["matches"] for more in ("&player=smollm2 (legal moves)", "")]
    page.close()
    return str(next(matches for matches in found if matches)[0]["id"])


def choose_players(page: Page) -> None:
    """On the screen for a new run: two players, so that the estimate is shown."""
    for name in ("perfect", "mcts"):
        page.get_by_role("button", name=re.compile(f"^{name}")).first.click()
    page.wait_for_selector(".estimate-matches", timeout=60_000)
    page.evaluate("scrollTo(0, 0)")


def begun(url: str, browser: Browser) -> str:
    """Begins a game of a person against a searching player, with two moves made; returns ID/SECRET."""
    page = browser.new_page()
    page.goto(url)

    def post(path: str, body: object) -> dict[str, object]:
        headers = {"Content-Type": "application/json", "X-Ludometer": "1", "Origin": url.rstrip("/")}
        answer = page.request.post(url.rstrip("/") + path, data=json.dumps(body), headers=headers)
        if not answer.ok:
            sys.exit(f"{path} answered {answer.status}: {answer.text()}")
        found = answer.json()
        assert isinstance(found, dict)
        return found

    started = post("/api/play", {"game": "connect4", "seats": ["human", "greedy"], "seed": 5, "names": {}})
    links = started["links"]
    assert isinstance(links, dict)
    secret = next(iter(links.values()))
    for column in ("4", "3"):
        page.wait_for_timeout(1500)
        post(f"/api/play/{started['id']}/move?key={secret}", {"text": column})
    page.close()
    return f"{started['id']}/{secret}"


def take(browser: Browser, url: str, screen: Screen, look: Look, images: Path) -> None:
    """One picture of one screen."""
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height}, color_scheme="dark" if look.dark else "light"
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{url.rstrip('/')}/#{screen.route}")
    page.wait_for_selector("main > *", timeout=60_000)
    page.wait_for_timeout(400)
    page.wait_for_selector(".state-loading", state="detached", timeout=120_000)
    screen.prepare(page)
    page.wait_for_timeout(400)
    path = images / f"{screen.name}-{look.name}.png"
    save(page.screenshot(), path)
    context.close()
    print(f"{path.name}: {path.stat().st_size // 1000} kB", *faults, flush=True)


def save(picture: bytes, path: Path) -> None:
    """Writes a picture with few colours: a page has no more, and the file is a third as large."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(200, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
