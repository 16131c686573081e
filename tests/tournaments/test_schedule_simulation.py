"""The simulation behind docs/schedules.md: its fits are those of the rating table, and a short run bears it out."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ludometer.ratings import Games, fit
from ludometer.ratings.intervals import entrant_errors
from ludometer.ratings.scale import POINTS

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "schedules.py"


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("schedules_benchmark", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("world", "most"), [(0, 8), (1, 8), (2, 8), (0, 3), (1, 3), (2, 3)])
def test_many_fits_at_once_are_the_fits_of_the_rating_table(
    program: ModuleType, world: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = program.Tournaments(program.WORLDS[world], 12, 9, world)
    played: list[tuple[Any, ...]] = []
    scores = program._scores

    def recorded(*arguments: Any) -> Any:
        found = scores(*arguments)
        played.append(found)
        return found

    monkeypatch.setattr(program, "_scores", recorded)
    often = runs.random.integers(0, most, (12, program.PAIRS))
    often[:, -1] += often.sum(axis=1).max() - often.sum(axis=1)  # equally many meetings everywhere
    runs.play(often)
    fits = runs.fit()
    where = np.repeat(np.arange(12 * program.PAIRS), often.ravel())
    checked, pooled = 0, 0
    for r in range(12):
        mine = where // program.PAIRS == r
        one, other = program.ONE[where[mine] % program.PAIRS], program.OTHER[where[mine] % program.PAIRS]
        first, second = np.concatenate((one, other)), np.concatenate((other, one))
        score = np.concatenate((played[0][mine], played[1][mine]))
        names = [f"{i:02}" for i in range(program.N)]
        games = Games.from_arrays(names, first, second, score, cluster=np.tile(np.arange(mine.sum()), 2))
        table = fit(games, mean=0.0)
        assert fits.mean[r] * POINTS == pytest.approx(table.points, abs=1e-4)
        assert fits.laplace[r] * POINTS**2 == pytest.approx(table.laplace[: program.N, : program.N])
        if table.connections.main.all():  # the simulation does not look for entrants that nobody can place
            errors, kinds = entrant_errors(table)
            assert fits.errors[r] == pytest.approx(errors)
            checked += 1
            pooled += kinds.count("pooled")
    assert checked > 6
    assert (pooled > 60) if most == 3 else (pooled < 10), "24 games each, or 84"


def test_the_page_shows_the_results_that_are_kept_and_they_keep_the_promise(program: ModuleType) -> None:
    found = json.loads((PROGRAM.parent / "results" / "schedules.json").read_text())
    page = (PROGRAM.parents[1] / "docs" / "schedules.md").read_text()
    assert [line for line in "\n".join(program.markdown(found)).splitlines() if line not in page] == []
    offered = [row for row in found["coverage"] if row["schedule"] in program.OFFERED]
    assert len(offered) == len(program.WORLDS) * len(program.OFFERED) * len(program.BUDGETS)
    for row in offered:
        assert row["replications"] >= 2000 and 0.93 < row["coverage"] < 0.97, row


@pytest.mark.slow
def test_intervals_hold_the_truth_under_every_schedule(program: ModuleType) -> None:
    """Averaged over entrants; the bounds leave room for five standard errors of so few replications."""
    for world in program.WORLDS:
        for name, schedule in program.OFFERED.items():
            for row in program.coverage(world, schedule, (156, 312), 300):
                assert row["error"] < 0.006
                assert 0.93 < row["coverage"] < 0.97, (world.name, name, row)


@pytest.mark.slow
def test_an_adaptive_schedule_needs_fewer_games_for_the_order(program: ModuleType) -> None:
    schedules = {name: program.OFFERED[name] for name in ("round robin", "adaptive")}
    base, ours = program.order(schedules, 300)
    assert base["ratio"] == 1.0
    assert ours["ratio"] + ours["ratio_error"] < 0.9, "0.72 with many more replications"


@pytest.mark.slow
def test_what_shared_luck_is_worth(program: ModuleType) -> None:
    found = program.luck(200_000, 1500)
    assert 0.50 < found["win_or_loss"] < 0.55 and 0.17 < found["margins"] < 0.21
    assert 0.93 < found["coverage"]["clustered"] < 0.97
    assert found["coverage"]["as independent"] > 0.985, "wide beyond need: the luck of a pair cancels"
