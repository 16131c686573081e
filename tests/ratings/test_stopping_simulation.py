"""The tables of docs/stopping.md: they are those of the program, and a short run of it agrees."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program() -> Any:
    spec = importlib.util.spec_from_file_location("stopping_benchmark", ROOT / "benchmarks" / "stopping.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ROOT / "benchmarks/results/stopping.json").read_text(encoding="utf-8"))
    return data


def test_the_page_has_the_numbers_of_the_program(results: dict[str, Any]) -> None:
    text = (ROOT / "docs/stopping.md").read_text(encoding="utf-8")
    for row in results["pairs"]:
        if "fixed_for" in row:
            assert f"{row['games']}" in text
            continue
        name = f"| {row['elo']} Elo |" if row["elo"] else "| 0 |"
        lines = [line for line in text.splitlines() if line.startswith(name)]
        if "direction" in row:
            found = row["direction"]
            assert f"| {found['mean'][0]:,.0f} ±" in lines[0] and f"({found['cap_for_power_90']:,})" in lines[0]
            assert lines[0].endswith(f"| {found['fixed_90']} |")
        assert f"| {row['margin_50']['mean'][0]:,.0f} ±" in lines[-1]
        assert f"{100 * row['margin_50']['alike'][0]:.1f}%" in lines[-1]
    for row in results["peeking"]:
        assert f"| {row['groups']:,} | {row['replications']:,} | {100 * row['wrong'][0]:.1f}% ±" in text
    for row in results["boards"]:
        assert f"| {100 * row['wrong'][0]:.1f}% " in text and f"{row['games'][0]:,.0f} ±" in text
    for row in results["coverage"]:
        assert f"{100 * row['ratings'][0]:.1f}% ± {100 * row['ratings'][1]:.1f}" in text


def test_what_the_page_promises(results: dict[str, Any]) -> None:
    for row in [*results["peeking"], *results["boards"]]:
        assert row["wrong"][0] <= 0.05
    for row in results["coverage"]:
        assert 0.93 <= row["ratings"][0] <= 0.97
        assert row["sequence"][0] >= 0.95
    fewer = [row["direction"] for row in results["pairs"] if row.get("elo") in (25, 50)]
    assert all(row["mean_with_cap"][0] < row["fixed_90"] for row in fewer)


@pytest.mark.slow
def test_a_short_run_agrees(program: Any, results: dict[str, Any]) -> None:
    rows = {row["elo"]: row for row in results["pairs"] if "elo" in row}
    for elo in (50, 100):
        used, verdict = program.play_pair(elo, None, 3000, 300, np.random.default_rng([9, elo]))
        mean, error = program.mean_error(2.0 * used)
        kept, kept_error = rows[elo]["direction"]["mean"]
        assert abs(mean - kept) < 4.5 * math.hypot(error, kept_error)
        assert (verdict == -1).mean() <= 0.02
    _, verdict = program.play_pair(0, None, 300, 1000, np.random.default_rng(10))
    assert (abs(verdict) == 1).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)
    board = program.Board(np.zeros(3), "pairs", 50.0, 150, 100, [11])
    board.play(True)
    assert board.wrong().mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)


def test_the_simulated_games_are_what_they_should_be(program: Any) -> None:
    rng = np.random.default_rng(1)
    one, two = program.groups(program.strength_for(100.0), (200_000,), rng)
    assert (one.mean() + two.mean()) / 2 == pytest.approx(10 ** (100 / 400) / (1 + 10 ** (100 / 400)), abs=0.003)
    win, loss = program.probabilities(program.strength_for(100.0) + program.SEAT)
    assert ((one == 1.0).mean(), (one == 0.0).mean()) == pytest.approx((win, loss), abs=0.004)
    assert np.corrcoef(one, two)[0, 1] < -0.3  # the same luck, from the other seat
