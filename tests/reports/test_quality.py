"""The section on move quality."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import ludometer
from ludometer.analysis.quality_values import analyze_moves
from ludometer.reports import page, report_data
from ludometer.reports.markup import joined
from ludometer.reports.quality import quality_data, quality_sections
from ludometer.store import RunStore

HOSTILE = "<b onmouseover=alert(1)>"


def a_run(folder: Path) -> Path:
    players = ["perfect", {"player": "random", "name": HOSTILE}]
    ludometer.run({"game": "tictactoe", "players": players, "schedule": {"repeats": 3}}, dir=folder)
    return folder


def test_a_run_that_was_not_analyzed_has_no_section(tmp_path: Path) -> None:
    with RunStore.open(a_run(tmp_path / "run")) as store:
        assert quality_data(store) is None
    assert quality_sections(None) == []


def test_the_section_shows_every_entrant_and_escapes_names(tmp_path: Path) -> None:
    with RunStore.open(a_run(tmp_path / "run"), write=True) as store:
        asyncio.run(analyze_moves(store))
        data = quality_data(store)
        assert '<section id="quality"><h2>How good the moves were' in page(report_data(store))
    data = json.loads(json.dumps(data, allow_nan=False))  # it is JSON, infinite numbers included
    ((anchor, title, content),) = quality_sections(data)
    shown = joined(content)
    assert (anchor, title) == ("quality", "How good the moves were")
    assert "<b onmouseover" not in shown
    assert "&lt;b onmouseover" in shown
    assert "mnk (tictactoe)" in shown
    assert "100.0%" in shown
    assert "estimates, not proven" not in shown
    (perfect,) = [row for row in data["players"] if row["entrant"] == "perfect"]
    assert perfect["median_step"] is None
    assert f"n = {perfect['choices']}" in shown
