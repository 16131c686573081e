"""The Python face, from a configuration to files, without the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludometer


def test_a_run_can_be_made_extended_exported_and_verified(tmp_path: Path) -> None:
    run = ludometer.run({"game": "tictactoe", "players": ["random", "perfect"]}, dir=tmp_path / "run")
    assert run.summary is not None and (run.summary.total, run.summary.complete) == (2, True)
    before = run.matches()
    assert run.extend(players=["greedy"], repeats=2).finished == 12
    after = ludometer.load(tmp_path / "run").matches()
    assert after.head(2)["notation"].tolist() == before["notation"].tolist()
    (table,) = run.export(tmp_path / "out", "csv")
    assert len(table.read_text(encoding="utf-8").splitlines()) == 13
    assert run.verify().passed and run.report().is_file()
    assert {row.name for row in run.ratings().rows} == {"random", "perfect", "greedy"}


def test_mistakes_are_errors_of_the_package(tmp_path: Path) -> None:
    with pytest.raises(ludometer.LudometerError, match="no run"):
        ludometer.load(tmp_path)
    with pytest.raises(ludometer.LudometerError, match="perfekt"):
        ludometer.run({"game": "tictactoe", "players": ["random", "perfekt"]}, dir=tmp_path / "run")
    assert not (tmp_path / "run").exists()
