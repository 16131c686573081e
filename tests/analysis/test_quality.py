"""Move quality, from real runs and by hand."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.optimize import minimize_scalar

import ludometer
from ludometer.analysis.quality import (
    first_given_away,
    move_quality,
    player_quality,
    quality_tables,
)
from ludometer.analysis.quality_rating import PRIOR_SD, fit_precision, games_to_tell_apart
from ludometer.analysis.quality_values import analyze_moves, judged_move
from ludometer.cli.commands.analyze import command
from ludometer.core import ConfigurationError
from ludometer.solvers.estimates import ActionValue
from ludometer.store import RunStore, schema


def a_run(folder: Path, *players: str, repeats: int = 3, **settings: object) -> Path:
    table = {"game": "tictactoe", "players": list(players), "schedule": {"repeats": repeats}, **settings}
    ludometer.run(table, dir=folder)
    return folder


def analyze(folder: Path, **options: object) -> object:
    with RunStore.open(folder, write=True) as store:
        return asyncio.run(analyze_moves(store, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Perfect, greedy and random players, every move judged."""
    folder = a_run(tmp_path_factory.mktemp("runs") / "run", "perfect", "random", "greedy", repeats=6)
    analyze(folder)
    return folder


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    with RunStore.open(folder) as store:
        return quality_tables(store)


def test_perfect_has_no_regret_and_random_has(run: Path) -> None:
    moves = tables(run)["moves"]
    regret = moves.groupby("entrant")["regret"]
    assert regret.max()["perfect"] == 0
    assert moves[moves["entrant"] == "perfect"]["optimal"].all()
    assert regret.mean()["random"] > regret.mean()["greedy"] > 0


def test_every_legal_move_is_judged_exactly(run: Path) -> None:
    moves = tables(run)["moves"]
    with RunStore.open(run) as store:
        attempts = store.rows(schema.attempts)
    assert len(moves) == len(attempts)
    assert set(moves["evaluator"]) == {"mnk"}
    assert moves["exact"].all()
    assert moves["error"].isna().all()
    assert set(moves["value"]) <= {0.0, 0.5, 1.0}
    opening = moves[moves["step"] == 0]
    assert opening["trivial"].all()  # every first move of tic-tac-toe draws
    assert (opening["actions"] == 9).all()


def test_regrets_explain_every_score(run: Path) -> None:
    """With exact values, score = value at the start - own regrets + the other's regrets: the sum telescopes."""
    moves = tables(run)["moves"]
    with RunStore.open(run) as store:
        rows = {row.id: row for row in store.matches()}
    given = moves.groupby(["match", "seat"])["regret"].sum()
    for name, row in rows.items():
        assert row.scores is not None
        assert row.scores["X"] == pytest.approx(0.5 - given[name]["X"] + given[name]["O"])


def test_players_are_summed_up(run: Path) -> None:
    found = tables(run)
    moves, players = found["moves"], found["players"].set_index("entrant")
    own = moves[(moves["entrant"] == "random") & ~moves["trivial"]]
    row = players.loc["random"]
    assert row["choices"] == len(own)
    assert row["optimal_rate"] == pytest.approx(own["optimal"].mean())
    assert row["low"] < row["optimal_rate"] < row["high"]
    assert row["mean_regret"] == pytest.approx(own["regret"].mean())
    assert row["regret_low"] < row["mean_regret"] < row["regret_high"]
    assert row["blunders"] == (own["regret"] >= 0.5).sum()
    assert players.loc["perfect", "given_away"] == 0
    assert math.isnan(players.loc["perfect", "median_step"])
    assert row["given_away"] == found["first_given_away"]["entrant"].eq("random").sum() > 0


def test_the_first_given_away_result_is_the_first(run: Path) -> None:
    found = tables(run)
    moves = found["moves"]
    for row in found["first_given_away"].itertuples():
        own = moves[(moves["match"] == row.match) & (moves["seat"] == row.seat)]
        assert own[own["regret"] > 0]["step"].min() == row.step
        assert (row.before, row.after) in {("won", "drawn"), ("won", "lost"), ("drawn", "lost")}


def test_ratings_from_moves_agree_in_order(run: Path) -> None:
    found = tables(run)
    ratings = found["ratings"].set_index("entrant")
    assert list(found["ratings"]["entrant"]) == ["perfect", "greedy", "random"]
    assert (ratings["low"] < ratings["points"]).all() and (ratings["points"] < ratings["high"]).all()
    assert ratings.loc["random", "low"] < 0 < ratings.loc["greedy", "low"]  # 0 is a player who picks at random
    pairs = found["pairs"].set_index(["entrant", "other"])
    assert len(pairs) == 3
    assert pairs.loc[("greedy", "random"), "by_moves"] > 0 < pairs.loc[("greedy", "random"), "by_results"]
    assert (pairs[["games_by_moves", "games_by_results"]] > 0).all().all()


def test_what_was_judged_is_not_judged_again(run: Path, tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=4)
    first = analyze(folder)
    assert first.judged == first.total > 0  # type: ignore[attr-defined]
    with RunStore.open(folder, write=True) as store, store.engine.begin() as connection:
        connection.execute(schema.move_values.delete().where(schema.move_values.c.match == "m000003"))
    whole = tables(folder)["moves"]
    again = analyze(folder)
    assert 0 < again.judged < again.total  # type: ignore[attr-defined]
    assert again.judged + again.before == again.total  # type: ignore[attr-defined]
    assert len(tables(folder)["moves"]) == again.total > len(whole)  # type: ignore[attr-defined]
    assert analyze(folder).judged == 0  # type: ignore[attr-defined]


def test_a_run_that_was_not_analyzed_has_empty_tables(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=1)
    assert all(table.empty for table in tables(folder).values())
    with RunStore.open(folder, write=True) as store:
        schema.move_values.drop(store.engine)  # as a run made before there was such a table
    assert all(table.empty for table in tables(folder).values())
    analyze(folder)
    assert not tables(folder)["players"].empty


def test_estimates_are_marked_with_their_error(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=1)
    analyze(folder, evaluator="mcts:simulations=200")
    moves = tables(folder)["moves"]
    assert set(moves["evaluator"]) == {"mcts:simulations=200"}
    estimated = moves[~moves["exact"]]
    assert len(estimated) and (estimated["error"].dropna() < 0.2).all()
    analyze(folder)  # exact values beside them: those are shown now, the others on demand
    assert set(tables(folder)["moves"]["evaluator"]) == {"mnk"}
    with RunStore.open(folder) as store:
        assert set(move_quality(store, evaluator="mcts")["evaluator"]) == {"mcts:simulations=200"}
        assert move_quality(store, evaluator="mcts:simulations=400").empty


def test_evaluators_with_different_options_are_kept_side_by_side(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=1)
    progress = analyze(folder, evaluator=["mcts:simulations=50", "mnk", "mcts:simulations=50"], workers=1)
    assert progress.evaluators == {"tictactoe": "mcts:simulations=50, mnk"}  # type: ignore[attr-defined]
    assert analyze(folder, evaluator="mcts:simulations=50").judged == 0  # type: ignore[attr-defined]
    assert analyze(folder, evaluator="mcts").judged == progress.total / 2  # type: ignore[attr-defined]
    with RunStore.open(folder) as store:
        judged = {row["evaluator"] for row in store.rows(schema.move_values)}
    assert judged == {"mcts:simulations=50", "mcts:simulations=400", "mnk"}


def test_mistakes_are_told_in_one_sentence(tmp_path: Path, run: Path) -> None:
    with pytest.raises(ConfigurationError, match="the evaluator nim cannot judge Tic-tac-toe; it is for nim"):
        analyze(run, evaluator="nim")
    with pytest.raises(ConfigurationError, match="no evaluator 'mmk'; did you mean 'mnk'"):
        analyze(run, evaluator="mmk")
    with pytest.raises(
        ConfigurationError, match="evaluator mcts has no option 'simulation'; did you mean 'simulations'"
    ):
        analyze(run, evaluator="mcts:simulation=5")


def test_the_command_prints_tables_and_json(run: Path) -> None:
    shown = CliRunner().invoke(command, [str(run)])
    assert shown.exit_code == 0, shown.output
    assert "perfect" in shown.stdout and "100.0%" in shown.stdout
    data = json.loads(CliRunner().invoke(command, [str(run), "--json", "--workers", "1"]).stdout)
    assert data["judged"] == 0 < data["before"]
    assert {row["entrant"] for row in data["players"]} == {"perfect", "random", "greedy"}


def test_canceled_and_unfinished_matches(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=2)
    with RunStore.open(folder, write=True) as store, store.engine.begin() as connection:
        connection.execute(schema.matches.update().where(schema.matches.c.number == 1).values(status="void"))
    progress = analyze(folder)
    assert progress.open == 1  # type: ignore[attr-defined]
    assert tables(folder)["moves"]["match"].nunique() == 3


def test_the_moves_of_an_opening_are_steps_but_not_judged(tmp_path: Path) -> None:
    openings = {"moves": [["2,2", "1,2", "3,3"]]}  # an odd number: the seats shift, and X can win with 1,1
    folder = a_run(tmp_path / "run", "perfect", "random", repeats=2, openings=openings)
    analyze(folder)
    moves = tables(folder)["moves"]
    with RunStore.open(folder) as store:
        attempts = store.rows(schema.attempts)
    judged = {(row.match, row.step, row.seat): row.notation for row in moves.itertuples()}
    assert judged == {(a["match"], a["step"], a["seat"]): a["notation"] for a in attempts}
    assert moves["step"].min() == 3
    assert (moves[moves["step"] == 3]["actions"] == 6).all()
    assert moves[moves["entrant"] == "perfect"]["optimal"].all()


def test_a_legal_answer_that_was_not_played_is_left_out(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", "random", "greedy", repeats=1)
    with RunStore.open(folder, write=True) as store, store.engine.begin() as connection:
        last = store.rows(schema.attempts, "m000001")[-1]
        late = {**last, "step": last["step"] + 1, "ordinal": last["ordinal"] + 1}  # as where the clock ran out over it
        connection.execute(schema.attempts.insert(), [late])
    progress = analyze(folder)
    with RunStore.open(folder) as store:
        assert progress.judged == len(store.rows(schema.attempts)) - 1  # type: ignore[attr-defined]


# --------------------------------------------------------------------- by hand


def exact(**values: float) -> dict[str, ActionValue]:
    return {action: ActionValue(value, True) for action, value in values.items()}


def test_a_move_is_judged_by_rank_and_regret() -> None:
    row = judged_move(exact(a=1.0, b=0.5, c=0.5, d=0.0), "c")
    assert (row["best"], row["value"], row["rank"], row["actions"], row["best_actions"]) == (1.0, 0.5, 2, 4, 1)
    assert (row["optimal"], row["trivial"], row["exact"], row["error"]) == (False, False, True, None)
    assert judged_move(exact(a=0.0, b=0.0), "b")["trivial"]


def test_estimates_that_do_not_differ_by_their_error_are_equal() -> None:
    values = {"a": ActionValue(0.60, False, 0.03), "b": ActionValue(0.55, False, 0.03), "c": ActionValue(0.2, True)}
    row = judged_move(values, "b")
    assert row["optimal"] and not row["trivial"] and not row["exact"]
    assert row["error"] == pytest.approx(0.03 * 2**0.5)
    assert not judged_move(values, "c")["optimal"]
    # Where all actions were tried with the same luck the difference is surer than the values by themselves.
    surer = judged_move(values, "b", behind={"a": 0.0, "b": 0.02, "c": 0.03}, rates={"b": (0.55, 0.45)})
    assert surer["error"] == 0.02 and not surer["optimal"]
    assert json.loads(surer["values"]) == {
        "a": [0.6, False, 0.03],
        "b": [0.55, False, 0.03, 0.02, [0.55, 0.45]],
        "c": [0.2, True, None],
    }
    unknown = {"a": ActionValue(0.60, False), "b": ActionValue(0.59, False), "c": ActionValue(0.57, False)}
    assert judged_move(unknown, "b")["optimal"]
    assert not judged_move(unknown, "c")["optimal"]


def test_precision_is_the_maximum_of_the_posterior() -> None:
    luck = np.random.default_rng(5)
    true = 3.0
    choices = []
    for _ in range(400):
        values = luck.choice([0.0, 0.5, 1.0], size=luck.integers(2, 8))
        weights = np.exp(true * values)
        choices.append((values, int(luck.choice(len(values), p=weights / weights.sum()))))

    def loss(precision: float) -> float:
        likelihood = sum(precision * v[c] - np.log(np.exp(precision * v).sum()) for v, c in choices)
        return -likelihood + precision**2 / (2 * PRIOR_SD**2)

    found, error = fit_precision(choices, [str(i) for i in range(400)])
    assert found == pytest.approx(minimize_scalar(loss).x, abs=1e-4)
    assert abs(found - true) < 4 * error
    assert 0.1 < error < 0.5


def test_a_player_without_mistakes_stays_finite() -> None:
    choices = [(np.array([0.0, 0.5]), 1)] * 20
    found, error = fit_precision(choices, ["a"] * 20)
    assert 5 < found < 40
    assert 1 < error < PRIOR_SD
    assert fit_precision([(np.array([0.0, 1.0]), 0)] * 20, ["a"] * 20)[0] < -2


def test_games_to_tell_apart_is_a_fixed_point() -> None:
    # After exactly that many games, with the error shrunk by the square root, the interval ends at zero.
    games = games_to_tell_apart(100, 80, 50)
    assert pytest.approx(1.959964 * 80 * math.sqrt(50 / games)) == 100
    assert games_to_tell_apart(0, 80, 50) == math.inf


def test_empty_frames_give_empty_tables() -> None:
    none = pd.DataFrame(columns=["match", "seat", "regret"])
    assert player_quality(none).empty
    assert first_given_away(none).empty
