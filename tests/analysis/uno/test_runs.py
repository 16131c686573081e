"""UNO from real runs: played, judged, tabulated and reported."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import ludometer
from ludometer.analysis.quality_values import analyze_moves
from ludometer.analysis.sections import Lines, Picture, Section
from ludometer.analysis.uno import by_kind, player_metrics, regrets, sections, uno_tables, winning_rates
from ludometer.analysis.uno.decisions import decisions
from ludometer.analysis.uno.report import decision_section
from ludometer.cli.commands.analyze import command
from ludometer.games.uno import Uno
from ludometer.games.uno.kernel import COMPILED
from ludometer.matches import MatchPolicy
from ludometer.reports import page, report_data
from ludometer.solvers.estimates import best_evaluator
from ludometer.store import RunStore, schema
from ludometer.store.replay import new_match

ROLLOUTS = 20 if COMPILED else 2
"""Playouts in plain Python are slow; what is tested here holds for any number."""
FAIR, OMNISCIENT = f"uno_fair:rollouts={ROLLOUTS}", f"uno_omniscient:rollouts={ROLLOUTS},pile=true"
RANDOM = ["random", {"player": "random", "name": "second"}]
HOSTILE = "<b onmouseover=alert(1)>"


def played(folder: Path, players: list[Any], **schedule: Any) -> Path:
    ludometer.run({"game": "uno", "players": players, "schedule": schedule}, dir=folder)
    return folder


def analyze(folder: Path, *evaluators: str) -> Any:
    with RunStore.open(folder, write=True) as store:
        return asyncio.run(analyze_moves(store, evaluator=evaluators or None))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random against Monte Carlo, one deck with both seatings, judged by both judges."""
    players = [{"player": "random", "name": HOSTILE}, f"monte_carlo:rollouts={ROLLOUTS}"]
    folder = played(tmp_path_factory.mktemp("runs") / "run", players, repeats=1)
    analyze(folder, FAIR, OMNISCIENT)
    return folder


@pytest.fixture(scope="module")
def tables(run: Path) -> dict[str, pd.DataFrame]:
    with RunStore.open(run) as store:
        return uno_tables(store, p=0.0)


def test_every_decision_is_judged_by_both(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    with RunStore.open(run) as store:
        legal = {(a["match"], a["step"]) for a in store.rows(schema.attempts)}
    decided = tables["decisions"]
    assert set(decided["evaluator"]) == {f"{FAIR},limit=0", f"{OMNISCIENT},limit=0"}
    for _, own in decided.groupby("evaluator"):
        assert set(zip(own["match"], own["step"], strict=True)) == legal
    assert (decided["k"] >= 1).all() and decided["k"].max() > 3


def test_kinds_are_those_of_the_position(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    decided = tables["decisions"]
    kinds = dict(zip(zip(decided["match"], decided["step"], strict=True), decided["kind"], strict=True))
    with RunStore.open(run) as store:
        rows = list(store.matches())
    seen = set()
    for row in rows:
        match = new_match(row, MatchPolicy())
        game, state = match.game, match.state
        for step, written in enumerate((row.notation or "").splitlines()):
            (seat,) = game.to_act(state)
            assert kinds[row.id, step] == state.phase
            seen.add(state.phase)
            state = game.apply(state, {seat: game.parse(state, seat, written)})
    assert {"card", "colour"} <= seen


def test_rank_is_two_minus_hit_in_a_real_run(tables: dict[str, pd.DataFrame]) -> None:
    players = tables["players"]
    assert len(players) == 4
    assert (players["ODHR@2_n"] > 0).all()
    assert players["ADR@2"].to_list() == pytest.approx((2 - players["ODHR@2"]).to_list(), abs=1e-12)


def test_rates_are_shares_and_end_with_the_result(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    rates = tables["rates"]
    assert rates[["rate_1", "rate_2"]].sum(axis=1).to_list() == pytest.approx([1.0] * len(rates), abs=1e-5)
    last = rates.groupby("match").last()
    with RunStore.open(run) as store:
        for row in store.matches():
            assert row.scores is not None
            assert last.loc[row.id, "rate_1"] == row.scores["1"]
            assert (rates["match"] == row.id).sum() == len((row.notation or "").splitlines())


def test_the_rate_of_who_moves_is_the_value_of_the_move(run: Path, tables: dict[str, pd.DataFrame]) -> None:
    with RunStore.open(run) as store:
        stored = {
            (r["match"], r["step"]): r["value"] for r in store.rows(schema.move_values) if "fair" in r["evaluator"]
        }
    decided = tables["decisions"]
    for row in decided[decided["evaluator"].str.contains("fair")].to_dict("records"):
        assert row["rates"][row["seat_number"] - 1] == pytest.approx(stored[row["match"], row["step"]], abs=1e-6)


def test_swings_are_the_largest_changes(tables: dict[str, pd.DataFrame]) -> None:
    rates, swings = tables["rates"], tables["swings"]
    for match, own in rates.groupby("match"):
        changes = own["rate_1"].diff().abs().nlargest(3).to_list()
        assert swings[swings["match"] == match]["change"].abs().to_list() == pytest.approx(changes, abs=1e-5)
    first = swings.iloc[0]
    row = rates[(rates["match"] == first["match"]) & (rates["decision"] == first["decision"])].iloc[0]
    assert row[f"rate_{first['seat_number']}"] == first["after"]
    assert first["after"] - first["before"] == pytest.approx(first["change"])


def test_what_was_judged_is_not_judged_again(run: Path, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", RANDOM, repeats=1)
    first = analyze(folder, FAIR)
    with RunStore.open(folder, write=True) as store, store.engine.begin() as connection:
        whole = store.rows(schema.move_values)
        connection.execute(schema.move_values.delete().where(schema.move_values.c.step >= 3))
    again = analyze(folder, FAIR)
    assert 0 < again.judged < first.judged == first.total
    with RunStore.open(folder) as store:
        # The luck of a judge is the position's own.
        assert sorted(map(str, store.rows(schema.move_values))) == sorted(map(str, whole))


def test_the_fair_judge_is_the_default() -> None:
    assert best_evaluator(Uno()).name == "uno_fair"


def test_the_report_shows_decisions_beside_the_published_ones(run: Path) -> None:
    with RunStore.open(run) as store:
        found = {section.name: section for section in sections(store)}
        shown = page(report_data(store))
    assert list(found) == ["uno-results", "uno-decisions", "uno-timelines"]
    critical, everything, kinds, regret = found["uno-decisions"].tables
    sources = critical.frame["source"].value_counts()
    assert sources["published, table 2"] == 6 and sources["published, table 5"] == 3
    assert everything.frame["source"].str.contains("table 4").sum() == 10
    assert {"card", "colour"} <= set(kinds.frame["kind"]) and len(regret.frame) >= 8
    assert {"uno_fair", "uno_omniscient"} < set(sources.index)  # the options are in the notes above
    assert isinstance(found["uno-decisions"].figures[0], Picture)
    assert any("at least one label is wrong" in note for note in found["uno-decisions"].notes)
    assert_every_column_exists(found.values())
    assert "<b onmouseover" not in shown
    assert "UNO: how good the decisions were" in shown and "Llama 2" in shown


def test_judges_that_differ_in_their_options_only_are_told_apart(run: Path) -> None:
    with RunStore.open(run) as store:
        decided = decisions(store)
        rates = winning_rates(store)
    other = decided[decided["evaluator"].str.startswith("uno_fair")].assign(evaluator="uno_fair:rollouts=7,limit=0")
    both = pd.concat([decided, other], ignore_index=True)
    section = decision_section([(0.0, player_metrics(rates, both, p=0.0))], by_kind(both, p=0.0), regrets(both))
    fair = f"uno_fair:rollouts={ROLLOUTS},limit=0"
    assert set(section.tables[-1].frame["evaluator"]) == {fair, "uno_fair:rollouts=7,limit=0", "uno_omniscient"}


def assert_every_column_exists(found: Any) -> None:
    for section in found:
        for table in section.tables:
            for column in table.columns:
                names = [name for name in (column.name, column.low, column.high, column.n) if name]
                assert set(names) <= set(table.frame.columns), (table.title, names)


def test_five_players(tmp_path: Path) -> None:
    players = [{"player": "random", "name": name} for name in "abcde"]
    folder = played(tmp_path / "run", players, repeats=2, seats=5, seating="fixed")
    analyze(folder, OMNISCIENT)
    with RunStore.open(folder) as store:
        found: list[Section] = list(sections(store))
        tables = uno_tables(store)
    seats = tables["seats"]
    assert seats["seat_number"].to_list() == [1, 2, 3, 4, 5]
    assert seats["WR"].sum() == pytest.approx(1)
    by_seat = [f"rate_{i}" for i in range(1, 6)]
    assert tables["rates"][by_seat].sum(axis=1).to_list() == pytest.approx([1.0] * len(tables["rates"]), abs=1e-5)
    _, everything, *_ = found[1].tables
    assert everything.frame["source"].str.contains("table 3").sum() == 5
    lines = found[2].figures[0]
    assert isinstance(lines, Lines) and len(lines.series) == 5 and (lines.low, lines.high) == (0, 1)
    assert_every_column_exists(found)


def test_a_run_that_was_not_judged_says_how(tmp_path: Path) -> None:
    folder = played(tmp_path / "run", RANDOM, repeats=1)
    with RunStore.open(folder) as store:
        (section,) = sections(store)
        assert decisions(store).empty
    assert "ludometer analyze" in section.notes[0]


def test_a_run_without_uno_has_no_section(tmp_path: Path) -> None:
    ludometer.run({"game": "tictactoe", "players": ["random", "perfect"]}, dir=tmp_path / "run")
    with RunStore.open(tmp_path / "run") as store:
        assert sections(store) == ()
        assert all(table.empty for table in uno_tables(store).values())
        assert winning_rates(store).empty


def test_the_command_prints_the_metrics(run: Path) -> None:
    options = [str(run), "--evaluator", FAIR, "--evaluator", OMNISCIENT, "--quiet"]
    shown = CliRunner().invoke(command, options)
    assert shown.exit_code == 0, shown.output
    assert "Critical decisions in UNO, p = 0.15" in shown.stdout and "ODHR@4" in shown.stdout
    data = json.loads(CliRunner().invoke(command, [*options, "--json"]).stdout)
    assert data["judged"] == 0 < data["before"]
    assert {row["kind"] for row in data["uno_regrets"]} >= {"all", "card"}
    assert len(data["uno_players"]) == 4


@pytest.mark.slow
def test_random_against_random_has_no_advantage(tmp_path: Path) -> None:
    """500 decks: three standard errors around one half, and the judge finds nothing but luck either."""
    if not COMPILED:
        pytest.skip("judging 500 games in plain Python takes hours; pip install 'ludometer[fast]'")
    folder = played(tmp_path / "run", RANDOM, repeats=500, seating="fixed")
    analyze(folder, "uno_fair:rollouts=50")
    with RunStore.open(folder) as store:
        rates = winning_rates(store, by_seat=True)
        decided = decisions(store)
    assert rates["WR_n"].to_list() == [500, 500]
    assert 0.433 < rates["WR"][0] < 0.567
    assert rates["WR"].sum() == pytest.approx(1)
    for row in player_metrics(rates, decided, p=0.0).to_dict("records"):
        assert row["ODHR@2_n"] > 1000
        for k in (2, 3, 4):
            assert row[f"ODHR@{k}_low"] - 0.02 < 1 / k < row[f"ODHR@{k}_high"] + 0.02
            assert row[f"ADR@{k}_low"] - 0.02 < (k + 1) / 2 < row[f"ADR@{k}_high"] + 0.02
