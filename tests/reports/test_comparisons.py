"""The sections that compare, of a run of two games whose models are asked at two efforts."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ludometer.games.tictactoe import TicTacToe
from ludometer.reports import page, report_data, write_figures
from ludometer.reports.setting_figures import effect_figure, effort_figure, performance_figure
from ludometer.reports.svg import LogScale
from ludometer.store import MatchPlan, RunStore
from ludometer.testing.behaviours import behaviour
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, start

LEVELS = ["low", "high"]


def thinking(request: dict[str, Any]) -> dict[str, Any]:
    """A legal move; a hundred reasoning tokens at low effort and a thousand at high."""
    spent = {"low": 100, "high": 1000}[request["reasoning_effort"]]
    details = {"completion_tokens_details": {"reasoning_tokens": spent}} if request["model"] == "deep" else {}
    return {
        "model": request["model"],
        "choices": [{"message": {"role": "assistant", "content": _move(request)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": spent + 9, **details},
    }


_move = behaviour("any")


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    folder = tmp_path_factory.mktemp("varied") / "run"
    with in_thread(FakeProvider(thinking)) as provider:
        config = {
            "name": "varied",
            "games": ["tictactoe", "connect4"],
            "players": ["random", "fake/deep", "fake/plain"],
            "schedule": {"kind": "gauntlet", "pool": ["random"], "repeats": 2},
            "openings": {"random_plies": 2, "count": 2},
            "factors": {"reasoning_effort": LEVELS},
            "prompt": {"answer": "json_schema", "legal_only": True},
            "models": {"fake": {"base_url": provider.url}},
        }
        asyncio.run(start(load_config(config), folder))
    with RunStore.open(folder) as store:
        yield store


@pytest.fixture(scope="module")
def data(varied: RunStore) -> dict[str, Any]:
    return report_data(varied)


@pytest.fixture(scope="module")
def words(data: dict[str, Any]) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page(data)))


def test_parts_are_the_whole_each_game_and_each_condition(data: dict[str, Any]) -> None:
    assert [(part["title"], part["pooled"]) for part in data["parts"]] == [
        ("All matches", True),
        ("tictactoe", True),
        ("connect4", True),
        ("tictactoe, reasoning_effort = low", False),
        ("tictactoe, reasoning_effort = high", False),
        ("connect4, reasoning_effort = low", False),
        ("connect4, reasoning_effort = high", False),
    ]
    totals = [part["counts"]["total"] for part in data["parts"]]
    assert totals == [64, 32, 32, 16, 16, 16, 16]
    for part in data["parts"]:
        names = {row["entrant"] for row in part["leaderboard"]["headline"]}
        assert names == {"random", "fake/deep", "fake/plain"}
    sections = re.findall(r'<section id="(\w+)">', page(data))
    assert sections[:4] == ["part0", "part1", "part2", "conditions"]
    assert {"performance", "settings", "effort", "openings", "elo"} <= set(sections)


def test_what_the_settings_change(data: dict[str, Any], words: str) -> None:
    assert "What the settings change" in words and "Change against low:" in words
    (deep,) = [r for r in data["effects"] if (r["entrant"], r["measure"]) == ("fake/deep", "reasoning_tokens")]
    assert (deep["pairs"], deep["unpaired"], deep["difference"]) == (32 // 2, 0, 900)
    assert deep["low"] is None  # always the same difference: no interval is made up
    assert "+900 no interval 16 pairs, 0 left over" in words
    assert "100.0% 67.6% to 100.0% n = " in words  # all answers legal in 8 groups: Wilson's interval on the groups
    measures = {row["measure"] for row in data["effects"]}
    assert measures == {"score", "validity", "output_tokens", "reasoning_tokens", "latency"}  # no price is known


def test_performance_and_effort(data: dict[str, Any], words: str) -> None:
    assert "score rate against the fixed pool of random." in words
    assert len(data["performance"]["rows"]) == 4
    kinds = [(row["entrant"], row["setting"], row["kind"], row["tokens"]) for row in data["effort"]]
    assert kinds == [
        ("fake/deep", "reasoning_effort = low", "reasoning", 100),
        ("fake/deep", "reasoning_effort = high", "reasoning", 1000),
        ("fake/plain", "reasoning_effort = low", "output", 109),
        ("fake/plain", "reasoning_effort = high", "output", 1009),
    ]
    assert "Filled circles: reasoning tokens." in words and "Open squares: the provider reports no" in words


def test_the_order_free_rating_stands_beside_elo(data: dict[str, Any], words: str) -> None:
    assert [panel["game"] for panel in data["elo"]] == ["tictactoe", "connect4"]
    for panel in data["elo"]:
        (part,) = [part for part in data["parts"] if part["title"] == panel["game"]]
        ratings = {row["entrant"]: row["rating"] for row in part["leaderboard"]["headline"]}
        assert {row["entrant"]: row["rating"] for row in panel["series"]} == ratings
        assert sum(row["final"] for row in panel["series"]) == pytest.approx(3 * 1500)
    assert "depends on the order in which the games were played" in words
    figure = re.search(r'<section id="elo">(.*?)</svg>', page(data), re.DOTALL)
    assert figure is not None
    assert [figure[1].count(f">{game}<") for game in ("tictactoe", "connect4")] == [1, 1]
    assert figure[1].count("<polyline") == 6 and figure[1].count("<circle") == 6


def test_openings_are_listed(data: dict[str, Any], words: str) -> None:
    assert len(data["openings"]) == 4
    assert all(row["matches"] == 16 and row["games"] == 16 for row in data["openings"])
    assert data["openings"][0]["opening"] in words


def test_rules_with_notes_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TicTacToe, "notes", ("Diagonals count <b>twice</b>.",))
    plans = [
        MatchPlan(game, game, {}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for game in ("tictactoe", "not-installed")
    ]
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_entrants([{"name": n, "player": n, "options": {}, "family": None, "thinking": None} for n in "ab"])
        store.add_matches(plans)
        data = report_data(store)
    assert data["rules"] == [{"game": "tictactoe", "title": "Tic-tac-toe", "notes": ["Diagonals count <b>twice</b>."]}]
    assert "On the rules" in page(data) and "Diagonals count &lt;b&gt;twice&lt;/b&gt;." in page(data)


def test_figures_are_files(varied: RunStore, tmp_path: Path) -> None:
    names = {path.stem for path in write_figures(varied, tmp_path)}
    assert {"performance", "effort", "elo", "effect-reasoning-effort-score", "ratings-connect4"} <= names
    for path in tmp_path.iterdir():
        words = " ".join(ElementTree.parse(path).getroot().itertext())
        named = {name for name in ("random", "fake/deep", "fake/plain") if name in words}
        # Those of the models alone; an effect is drawn for those entrants that have a pair to compare.
        models_only = path.stem in ("performance", "effort", "validity") or path.stem.startswith("effect")
        assert named - {"random"} if path.stem.startswith("effect") else len(named) == 3 - models_only, path.stem


def test_no_figure_replaces_another(varied: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions may have names that leave nothing for the name of a file."""
    data = report_data(varied)
    for part, title in zip(data["parts"], ["ä", "ö", "part 2", *("x" for _ in data["parts"])], strict=False):
        part |= {"title": title, "game": "a game"}
    monkeypatch.setattr("ludometer.reports.write.report_data", lambda store: data)
    written = write_figures(varied, tmp_path)
    assert len(written) == len(set(written)) == len(list(tmp_path.iterdir()))
    assert {"ratings-part", "ratings-part-2", "ratings-part-2-2"} <= {path.stem for path in written}


def test_a_run_of_one_point_has_no_effort_figure(data: dict[str, Any]) -> None:
    assert effort_figure(data["effort"][:1]) is None
    assert effort_figure(data["effort"][:2]) is not None
    assert effort_figure([{**row, "tokens": None} for row in data["effort"]]) is None


def test_figures_of_nothing_are_none(data: dict[str, Any]) -> None:
    assert performance_figure([{**row, "games": 0} for row in data["performance"]["rows"]]) is None
    rows = [row for row in data["effects"] if row["measure"] == "score"]
    assert effect_figure([{**row, "difference": None} for row in rows]) is None


def test_the_page_needs_the_data_alone(data: dict[str, Any]) -> None:
    assert page(json.loads(json.dumps(data, allow_nan=False))) == page(data)


@pytest.mark.parametrize(("values", "ends"), [([130, 1010], (100, 2000)), ([7], (5, 10)), ([0, 0.3], (0.2, 0.5))])
def test_log_scales_end_at_round_numbers(values: list[float], ends: tuple[float, float]) -> None:
    scale = LogScale.around(values, 10, 110)
    assert (scale.low, scale.high) == pytest.approx(ends)
    assert (scale(scale.low), scale(scale.high)) == pytest.approx((10, 110))
    middle = (scale.low * scale.high) ** 0.5
    assert scale(middle) == pytest.approx(60)
    assert scale(0) == 10  # nothing lies left of the axis
    assert {scale.low, scale.high} <= set(scale.ticks())
