"""The report: complete, self-contained, and inert whatever it shows."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ludometer.core import MachineError
from ludometer.reports import page, report_data, write_figures, write_report
from ludometer.reports.examples import MOST_SHOWN
from ludometer.store import MatchPlan, RunStore
from ludometer.tournaments import load_config, start

_ELEMENTS = (
    "html head meta title style body header main footer nav section h1 h2 h3 p a b span small div table thead tbody tr "
    "th td figure figcaption dl dt dd details summary pre ol li img svg g rect line circle text polyline"
)
"""The only elements a report is made of."""


class Reader(HTMLParser):
    """Everything a page holds, as the standard library's parser sees it."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module", params=["played", "study", "hostile"])
def any_data(request: pytest.FixtureRequest) -> dict[str, Any]:
    data: dict[str, Any] = request.getfixturevalue(f"{request.param}_data")
    return data


def test_the_page_is_plain_and_self_contained(any_data: dict[str, Any]) -> None:
    read = Reader(page(any_data))
    assert read.open == []  # every element is closed, and in order
    assert read.tags <= set(_ELEMENTS.split())
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'; img-src data:") in read.attributes
    for tag, name, value in read.attributes:
        assert not name.startswith("on")
        if name == "href":
            assert re.fullmatch(r"#[\w-]+", value)
        elif name == "src":
            assert tag == "img" and value.startswith("data:image/svg+xml;base64,")
        else:
            assert name not in ("srcset", "action", "formaction", "background", "style", "xlink:href")
    assert "url(" not in page(any_data) and "@import" not in page(any_data)


def test_the_page_needs_the_data_alone(any_data: dict[str, Any]) -> None:
    written = json.dumps(any_data, allow_nan=False)
    assert page(json.loads(written)) == page(any_data)


def test_hostile_text_is_shown_and_inert(hostile: RunStore, hostile_data: dict[str, Any], tmp_path: Path) -> None:
    markup = write_report(hostile, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in markup.casefold()
    assert "onerror=alert(3)&gt;" in markup  # the answer is there, as text
    read = Reader(markup)
    assert "script" not in read.tags
    assert read.text.count("<script>alert(1)</script>") > 20
    assert "\x1b" not in markup and "\u202e" not in markup
    (answer,) = [words for words in read.words if "onerror=alert(3)" in words]
    assert len(answer) < MOST_SHOWN + 60
    assert re.search(r"… \d{4} more characters", answer)
    for path in write_figures(hostile, tmp_path / "figures"):
        tags = {item.tag.split("}")[1] for item in ElementTree.parse(path).iter()}
        assert tags <= {"svg", "title", "g", "rect", "line", "circle", "text", "polyline"}


def test_counts_of_the_page_add_up(any_data: dict[str, Any]) -> None:
    for part in any_data["parts"]:
        counts = dict(part["counts"])
        assert counts.pop("total") == sum(counts.values())
        for rule in ("headline", "played"):
            ratings = part["ratings"][rule]
            finished = part["counts"]["total"] - part["counts"]["unfinished"]
            assert ratings["rated"] + sum(ratings["left_out"].values()) == finished
        assert sum(row["games"] for row in part["matrix"]) in (0, part["counts"]["total"])
    assert sum(row["matches"] for row in any_data["endings"]) == any_data["counts"]["total"]


def test_what_a_played_run_shows(played_data: dict[str, Any]) -> None:
    text = Reader(page(played_data)).text
    (part,) = played_data["parts"]
    best = part["leaderboard"]["headline"][0]
    assert best["entrant"] == "perfect"
    low, high = best["low"], best["high"]
    assert f"{best['rating']:.0f}" in text and f"{low:.0f} to {high:.0f}" in text
    assert "Seat 1 (player X) in tictactoe" in text and "player X ↓ player O →" in " ".join(text.split())
    assert "X: won by player X (the row). O: won by player O (the column)." in text
    assert "depends on the order" in text
    assert "Moves per result" in text and "no draws" not in text
    (own,) = [row for row in played_data["duplicates"] if row["players"] == "all" and row["self_play"]]
    assert f"Self-play: {own['games']} games, {own['distinct']} distinct." in text
    assert own["games"] == 18
    assert "No game was canceled or forfeited." in text


def test_examples_are_drawn(played_data: dict[str, Any]) -> None:
    pictures = re.findall(r"base64,([\w+/=]+)", page(played_data))
    assert len(pictures) == sum(len(game["steps"]) for game in played_data["examples"]) > 15
    for picture in pictures:
        assert ElementTree.fromstring(base64.b64decode(picture)).tag.endswith("svg")


def test_what_the_study_shows(study_data: dict[str, Any]) -> None:
    text = Reader(page(study_data)).text
    assert [part["title"] for part in study_data["parts"]] == ["All matches", "view = list", "view = illustration"]
    assert "wrong way round" in text and "338" in text
    assert "439 (canceled, offender unknown)" in text
    assert study_data["elo"] == []  # the order of play is not known
    assert study_data["examples"] == [] and study_data["answers"] == []
    assert "Moves per result, as published" in text
    invalid = study_data["parts"][1]["invalid"]
    assert sum(row["count"] for row in invalid if row["seat_number"] is None) == 1999


def test_figures_are_complete_files(played: RunStore, tmp_path: Path) -> None:
    written = write_figures(played, tmp_path, png=True)
    names = {path.name for path in written}
    assert {"ratings.svg", "better.svg", "wins.svg", "moves.svg", "elo.svg", "wins.png"} <= names
    for path in written:
        if path.suffix == ".png":
            assert path.read_bytes().startswith(b"\x89PNG")
            continue
        words = " ".join(ElementTree.parse(path).getroot().itertext())
        for name in ("perfect", "random", "second random"):
            assert name in words
        assert {"ratings.svg": "games)", "wins.svg": " of ", "moves.svg": "n = "}.get(path.name, "") in words


def test_default_place_and_places_that_cannot_be_written(hostile: RunStore, tmp_path: Path) -> None:
    assert write_report(hostile) == hostile.folder / "report.html"
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MachineError, match="cannot be written"):
        write_report(hostile, tmp_path / "file" / "report.html")


@pytest.mark.parametrize("plans", [0, 1])
def test_runs_without_results_have_a_page(tmp_path: Path, plans: int) -> None:
    with RunStore.create(tmp_path / "run", {"name": "bare"}) as store:
        store.add_entrants([{"name": n, "player": n, "options": {}, "family": None, "thinking": None} for n in "ab"])
        store.add_matches([MatchPlan("k", "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"})][:plans])
        text = Reader(page(report_data(store))).text
    assert "No ratings:" in text
    assert f"{plans} unfinished" in text


def test_matches_of_three_have_a_page_without_ratings(tmp_path: Path) -> None:
    plan = MatchPlan("k", "a-game-that-is-not-installed", {}, {}, "g", "l", "s", {"x": "a", "y": "b", "z": "c"})
    with RunStore.create(tmp_path / "run", {"name": "three"}) as store:
        store.add_entrants([{"name": n, "player": n, "options": {}, "family": None, "thinking": None} for n in "abc"])
        store.add_matches([plan])
        text = Reader(page(report_data(store))).text
    assert "No ratings: There is no game between two different entrants" in text
    assert "player 3" in text


@pytest.mark.parametrize(("count", "folded"), [(12, False), (13, True)])
def test_many_conditions_are_folded(played_data: dict[str, Any], count: int, folded: bool) -> None:
    part = played_data["parts"][0]
    parts = [{**part, "condition": {"level": i}, "title": f"level = {i}"} for i in range(count)]
    text = page({**played_data, "parts": [part, *parts]})
    assert ("<h2>By condition</h2>" in text) == folded
    assert text.count("<h2>level = ") == (0 if folded else count)
    assert text.count("<summary>level = ") == (count if folded else 0)


def test_seats_are_called_by_the_titles_of_their_game(tmp_path: Path) -> None:
    """Words of the page only: the keys and labels of the data stay as they are."""
    players: list[Any] = ["random", {"player": "random", "name": "second"}]
    config = {"game": {"name": "gandalf", "turns": 1}, "players": players, "schedule": {"repeats": 3}}
    asyncio.run(start(load_config(config), tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        data = report_data(store)
    text = " ".join(Reader(page(data)).text.split())
    assert "the sentinel ↓ the infiltrator →" in text and "won as the infiltrator" in text
    assert not re.search(r"player [12]\b", text, re.IGNORECASE)
    (part,) = data["parts"]
    assert {row["result"] for row in part["lengths"]} == {"won as player 1", "won as player 2", "drawn"}
    assert part["seat_names"] == ["sentinel", "infiltrator"]
