"""From a run to adjusted results: two games of one name, told apart, and what the CLI and the report show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludometer.analysis.luck import adjusted_results, luck_of_run, luck_ratios
from ludometer.analysis.luck_sections import sections
from ludometer.cli.main import cli
from ludometer.store import RunStore

KUHN, LEDUC = "openspiel:game=kuhn_poker", "openspiel:game=leduc_poker"
CONFIG = """
name = "luck"
games = ["openspiel:kuhn_poker", "openspiel:leduc_poker"]
players = ["random", "a = random"]
[schedule]
repeats = 22
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("luck")
    (folder / "luck.toml").write_text(CONFIG.replace('"a = random"', '{ name = "a", player = "random" }'))
    result = CliRunner().invoke(cli, ["run", str(folder / "luck.toml"), "--dir", str(folder / "run")])
    assert result.exit_code == 0, result.output
    yield folder / "run"


def test_results_stand_beside_the_plain_ones(run: Path) -> None:
    with RunStore.open(run) as store:
        luck = luck_of_run(store)
        results, ratios = adjusted_results(store, luck), luck_ratios(store, luck)
        (section,) = sections(store)
    assert set(luck.titles) == {KUHN, LEDUC} and len(luck.terms) == 88 and not luck.refused
    scores = results[results["what"] == "score"]
    assert len(scores) == 4 and set(scores["groups"]) == {22} and set(scores["matches"]) == {44}
    kuhn = scores[scores["game"] == KUHN]
    # Seats are exchanged in every group, and the deal is all the luck there is: nothing is left to take out.
    assert kuhn["adjusted"].tolist() == pytest.approx(kuhn["plain"].tolist())
    leduc = scores[scores["game"] == LEDUC]
    assert leduc["adjusted"].sum() == pytest.approx(1) and not leduc["adjusted"].equals(leduc["plain"])
    few = "few groups: the interval may be too narrow with fewer than 50 (22 here)"
    assert set(ratios["note"]) == {few} and section.notes[1:] == (f"F{few[1:]}.",)
    assert section.tables[0].frame.shape == results.shape


def test_enough_groups_need_no_note(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.analysis.luck.frames.FEW_GROUPS", 22)
    with RunStore.open(run) as store:
        assert set(luck_ratios(store, luck_of_run(store))["note"]) == {""}
        (section,) = sections(store)
    assert len(section.notes) == 1


def test_the_command_line_shows_them(run: Path) -> None:
    shown = CliRunner().invoke(cli, ["leaderboard", str(run), "--luck-adjusted"])
    assert shown.exit_code == 0 and "of the variance is left" in shown.output and "n=22" in shown.output
    assert "interval may be too narrow" in " ".join(shown.output.split())
    written = CliRunner().invoke(cli, ["leaderboard", str(run), "--luck-adjusted", "--json"])
    (board,) = json.loads(written.output)["boards"]
    assert all("interval may be too narrow" in row["note"] for row in board["luck_ratios"])
    assert {row["game"] for row in board["luck_ratios"]} == {KUHN, LEDUC} and len(board["luck_adjusted"]) == 8
    plain = CliRunner().invoke(cli, ["leaderboard", str(run)])
    assert "variance" not in plain.output
