"""The page of a run with matches for three, and the sections that games add."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ludometer.reports.data
from ludometer.analysis.sections import Column, Lines, Picture, Section, Table, Whiskers, whiskers_of
from ludometer.core import placement_scores
from ludometer.reports import page, report_data, write_figures
from ludometer.store import RunStore

HOSTILE = '<script>alert(1)</script>"\' onmouseover="alert(2)"'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'


class Attributes(HTMLParser):
    """The names of all elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}


def matches() -> Iterator[dict[str, Any]]:
    """Twelve groups of three matches for three, with the seats rotated and chips won."""
    rng = np.random.default_rng(7)
    skill = {"ann": 5.0, "bob": 0.0, HOSTILE: -5.0}
    for number in range(36):
        group, turn = divmod(number, 3)
        names = list(skill)[turn:] + list(skill)[:turn]
        gains = [round(skill[name] + float(rng.normal(0, 8)), 1) for name in names]
        gains[2] = -gains[0] - gains[1]
        stopped = number in (4, 20)
        seats = ("1", "2", "3")
        scores = [0.5, 0.0, 0.5] if stopped else placement_scores(gains)
        yield {
            "id": f"m{number:03d}",
            "number": number + 1,
            "key": str(number),
            "game": "table",
            "options": "{}",
            "condition": "{}",
            "group": f"g{group}",
            "luck": "l",
            "seed": "s",
            "seats": json.dumps(dict(zip(seats, names, strict=True))),
            "status": "finished",
            "ending": "forfeit" if stopped else "completed",
            "why": "because",
            "offender": "2" if stopped else None,
            "scores": json.dumps(dict(zip(seats, scores, strict=True))),
            "payoffs": None if stopped else json.dumps(dict(zip(seats, gains, strict=True))),
            "moves": 9,
            "attempts": 9 + number % 4,
            "bad_attempts": 0,
            "substituted": 0,
            "notation": None,
            "started": 1000.0 + number,
            "finished": 2000.0 + number,
            "seconds": 1.0,
            "voids": 0,
        }


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    entrants = [
        {"name": n, "player": "random", "options": {}, "family": None, "thinking": None}
        for n in ("ann", "bob", HOSTILE)
    ]
    with RunStore.create(tmp_path_factory.mktemp("three") / "run", {"name": "three"}) as store:
        store.add_entrants(entrants)
        store.insert_finished(list(matches()))
        yield store


def test_the_page_of_a_game_for_three_can_be_read(three: RunStore) -> None:
    text = page(report_data(three))
    for words in (
        "36 games rated",
        "were all equal: 33.3%",
        "Who came out ahead of whom",
        "What each seat scores",
        "Payoffs in the same seats, with the same luck",
        "The earlier of two seats in table",
        "has lost it to all others",
        "on the pairs of seats of every match",
    ):
        assert words in text
    assert "<script" not in text and "Game matrix" not in text and "Elo over time" not in text


def test_the_data_count_matches(three: RunStore) -> None:
    (part,) = report_data(three)["parts"]
    assert part["most_seats"] == 3 and part["matrix"] == []
    assert [row["games"] for row in part["leaderboard"]["headline"]] == [36, 36, 36]
    assert [row["games"] for row in part["leaderboard"]["played"]] == [34, 34, 34]
    assert [row["matches"] for row in part["payoffs"]] == [34, 34, 34]
    assert all(row["expected"] == pytest.approx(0, abs=1e-9) for row in part["payoffs"])
    assert {row["groups"] for row in part["payoff_differences"]} == {12}
    assert sum(row["score"] for row in part["seats"]) == pytest.approx(1)


def test_payoffs_that_say_no_more_than_scores_are_not_shown(three: RunStore, tmp_path: Path) -> None:
    plain = [row | {"payoffs": row["scores"]} for row in matches()]
    with RunStore.create(tmp_path / "run", {"name": "plain"}) as store:
        store.add_entrants([dict(entrant) for entrant in three.entrants()])
        store.insert_finished(plain)
        (part,) = report_data(store)["parts"]
    assert part["payoffs"] == [] and part["payoff_differences"] == []


@pytest.fixture
def luck(three: RunStore, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The data of a report to which a game adds a hostile section."""
    frame = pd.DataFrame(
        {
            "who": [HOSTILE, "bob"],
            "luck": [0.125, -0.0001],
            "low": [-0.1, np.nan],
            "high": [0.4, np.nan],
            "n": [1200, 3],
            "share": [0.25, np.nan],
        }
    )
    column = Column("luck", "Luck per roll", "signed", low="low", high="high", n="n")
    columns = (Column("who", HOSTILE), column, Column("share", "Share", "share"), Column("n", "Rolls", "count"))
    section = Section(
        "dice-luck",
        HOSTILE,
        HOSTILE,
        (Table("Luck", frame, columns, HOSTILE), Table("Folded", frame, columns, folded=True)),
        (
            Whiskers("Luck", HOSTILE, HOSTILE, whiskers_of(frame, "who", column, "rolls")),
            Lines(
                "Over time",
                "",
                "roll",
                "luck",
                {HOSTILE: [(0, 0.5), (1, 0.75)], "bob": [(0, 0.5), (1, math.nan)]},
                0.0,
                1.0,
            ),
            Picture("Map", "", SVG, HOSTILE),
        ),
        (HOSTILE,),
    )
    monkeypatch.setattr(ludometer.reports.data, "game_sections", lambda store: [section])
    return report_data(three)


def test_a_section_of_a_game_is_shown_and_can_run_nothing(luck: dict[str, Any]) -> None:
    text = page(json.loads(json.dumps(luck)))
    start = text.index('<section id="game-dice-luck">')
    shown = text[start : text.index("</section>", start)]
    found = Attributes()
    found.feed(text)
    assert "script" not in found.tags and not any(name.startswith("on") for name in found.names)
    assert "+0.12" in shown and "-0.10 to +0.40" in shown and "n = 1,200" in shown and "25.0%" in shown
    assert "-0.00" not in shown and "no interval" in shown
    assert shown.count("<svg") == 2 and shown.count("<img") == 1 and "<summary>Folded</summary>" in shown
    assert "1,200 rolls" in shown


def test_the_figures_of_sections_and_payoffs_become_files(
    three: RunStore, luck: dict[str, Any], tmp_path: Path
) -> None:
    names = {path.name for path in write_figures(three, tmp_path)}
    assert {"payoffs.svg", "dice-luck-luck.svg", "dice-luck-over-time.svg", "dice-luck-map.svg"} <= names
