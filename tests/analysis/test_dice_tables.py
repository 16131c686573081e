"""Tables of liar's dice and of matches against equilibrium: numbers that can be counted by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

import ludometer
from ludometer.analysis import equilibrium, liars_dice
from ludometer.analysis.equilibrium import against_equilibrium, empirical_exploitability, equilibrium_tables
from ludometer.analysis.liars_dice import decision_values, liars_dice_decisions, liars_dice_tables
from ludometer.core import Chance, make_game
from ludometer.games.liars_dice import CALL, LiarsDice, Move, Table
from ludometer.games.openspiel import OpenSpiel
from ludometer.matches import Match
from ludometer.solvers.cfr import game_value, solve, uniform
from ludometer.solvers.cfr_policies import layout
from ludometer.store import RunStore, schema


def finished(
    number: int, game: str, options: dict[str, Any], players: Sequence[str], moves: Sequence[str]
) -> dict[str, Any]:
    """The row of a match with given moves."""
    match = Match(make_game(game, options), len(players), luck=f"l{number}", seed="s", opening=moves)
    outcome = match.game.outcome(match.state)
    assert outcome is not None and outcome.payoffs is not None
    seats = match.game.contestants(len(players))
    return {
        "id": f"m{number}",
        "number": number,
        "key": str(number),
        "game": game,
        "options": json.dumps(options),
        "condition": "{}",
        "group": f"g{number}",
        "luck": f"l{number}",
        "seed": "s",
        "status": "finished",
        "seats": json.dumps(dict(zip(seats, players, strict=True))),
        "ending": "completed",
        "why": "",
        "voids": 0,
        "notation": "\n".join(moves),
        "moves": len(moves),
        "scores": json.dumps(dict(outcome.scores)),
        "payoffs": json.dumps(dict(outcome.payoffs)),
    }


def store_of(folder: Path, rows: Sequence[dict[str, Any]], attempts: Sequence[dict[str, Any]], names: Any) -> RunStore:
    made = RunStore.create(folder, {"name": "dice"})
    made.add_entrants([{"name": name, "player": player, "options": {}} for name, player in names])
    made.insert_finished(rows)
    with made.engine.begin() as connection:
        connection.execute(sa.insert(schema.attempts), attempts)
    return made


def attempt(match: str, step: int, seat: str, notation: str) -> dict[str, Any]:
    return {
        "match": match,
        "step": step,
        "seat": seat,
        "attempt": 0,
        "ordinal": step,
        "status": "legal",
        "kind": "legal",
        "reason": "",
        "notation": notation,
        "action": "{}",
        "text": "",
        "rationale": "",
        "resign": False,
        "seconds": 0.1,
        "at": 1.0,
    }


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """Two matches with two dice each; in the second a move was substituted for bob's."""
    rows, attempts = [], []
    for number, players in ((1, ("ann", "bob")), (2, ("bob", "ann"))):
        row = finished(number, "liars_dice", {"dice": 2}, players, ["1x3", "3x4", "call"])
        rows.append(row)
        for step, (seat, text) in enumerate([("1", "1x3"), ("2", "3x4"), ("1", "call")]):
            if (number, step) != (2, 0):
                attempts.append(attempt(f"m{number}", step, seat, text))
    folder = tmp_path_factory.mktemp("dice") / "run"
    with store_of(folder, rows, attempts, [("ann", "random"), ("bob", "random")]) as store:
        yield store


def test_decisions_by_hand(dice: RunStore) -> None:
    frame = liars_dice_decisions(dice)
    assert list(frame["match"]) == ["m1", "m1", "m1", "m2", "m2"]  # the substituted move is nobody's
    game = LiarsDice(dice=2)
    hands = Match(game, 2, luck="l1", seed="s").state.hands
    opening, answer, call = frame[frame["match"] == "m1"].itertuples()
    own = hands[0].count(3)
    assert opening.own_matching == own and opening.entrant == "ann" and opening.seat == "1"
    assert opening.probability == pytest.approx(1 if own else 11 / 36)
    assert opening.held == (3 in hands[0] + hands[1]) and not opening.called and math.isnan(opening.call_value)
    assert answer.quantity == 3 and answer.face == 4 and answer.rank == 15 and answer.called
    unseen = {0: 0.0, 1: 1 / 36, 2: 11 / 36}
    assert answer.probability == pytest.approx(unseen[hands[1].count(4)])
    assert answer.call_value == pytest.approx(0 if 3 in hands[1] else 25 / 36)
    assert call.action == "call" and math.isnan(call.probability)
    assert call.held == ((hands[0] + hands[1]).count(4) >= 3)
    assert call.value == pytest.approx(1 - unseen[hands[0].count(4)]) == pytest.approx(call.call_value)
    assert (frame["regret"] >= 0).all() and (frame["regret"] == frame["regret"].clip(0, 1)).all()


def test_values_of_one_decision_by_hand() -> None:
    game = LiarsDice(dice=2, ones_wild=True)
    state = Table((2, 2), ((1, 5), (2, 2)), ((1, 2, 5),), 0, (), Chance(0))
    values = decision_values(game, state)
    assert values[CALL] == pytest.approx(0)  # an own one and an own five make two fives
    assert values[Move("bid", 2, 6)] == pytest.approx(1 - (2 / 3) ** 2)  # one of two unseen dice must be six or one
    assert values[Move("bid", 3, 5)] == pytest.approx(1 - (2 / 3) ** 2)
    assert values[Move("bid", 4, 6)] == pytest.approx(0)  # needs three of two
    assert values[Move("bid", 3, 1)] == pytest.approx(1 / 36)
    assert set(values) == set(game.legal(state, "1"))


def test_players_have_sizes_and_intervals(dice: RunStore) -> None:
    players = liars_dice_tables(dice)["players"].set_index("entrant")
    assert players.loc["ann", ["matches", "bids", "calls", "choices"]].tolist() == [2, 2, 1, 3]
    assert players.loc["bob", ["matches", "bids", "calls", "choices"]].tolist() == [2, 1, 1, 2]
    for name in ("probability", "held_rate", "bluff_rate", "call_success", "regret"):
        low, value, high = (players[f"{name}{end}"] for end in ("_low", "", "_high"))
        assert ((low <= value) & (value <= high) & (low < high)).all(), name
    frame = liars_dice_decisions(dice)
    mine = frame[(frame["entrant"] == "ann") & (frame["action"] == "bid")]
    assert players.loc["ann", "probability"] == pytest.approx(mine["probability"].mean())
    assert players.loc["ann", "bluff_rate"] == (mine["probability"] < 0.5).mean()


def test_runs_without_such_games_have_empty_tables(store: RunStore) -> None:
    for tables in (liars_dice_tables(store), equilibrium_tables(store)):
        assert all(frame.empty and len(frame.columns) for frame in tables.values())


# ------------------------------------------------------------------ equilibrium


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    folder = tmp_path_factory.mktemp("kuhn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOMETER_CACHE", str(folder / "cache"))
        ludometer.run(
            {
                "game": {"name": "openspiel", "game": "kuhn_poker"},
                "players": ["equilibrium", "random"],
                "schedule": {"repeats": 150},
            },
            dir=folder / "run",
        )
        with RunStore.open(folder / "run") as store:
            yield store


def test_payoffs_against_equilibrium_stand_beside_the_value(kuhn: RunStore) -> None:
    frame = against_equilibrium(kuhn).set_index("seat")
    assert set(frame["entrant"]) == {"random"} and list(frame.index) == ["1", "2", "both"]
    assert frame["matches"].tolist() == [150, 150, 300] and (frame["without_payoff"] == 0).all()
    assert frame["value"].tolist() == pytest.approx([-1 / 18, 1 / 18, 0], abs=1e-3)
    first = [row.payoffs["P0"] for row in kuhn.matches() if row.payoffs and row.seats["P0"] == "random"]
    assert frame.loc["1", "payoff"] == pytest.approx(sum(first) / 150)
    assert frame.loc["1", "difference"] == pytest.approx(sum(first) / 150 - frame.loc["1", "value"])
    assert (frame["payoff_low"] < frame["payoff"]).all() and (frame["payoff"] < frame["payoff_high"]).all()
    tree = layout(OpenSpiel("kuhn_poker"))
    best, even = solve(tree, iterations=1000).strategy, uniform(tree)
    lost = [game_value(tree, np.where(tree.owned[i], even, best)) * (1 if i == 0 else -1) for i in (0, 1)]
    half = (frame["difference_high"] - frame["difference_low"]) / 2
    assert abs(frame.loc["both", "difference"] - sum(lost) / 2) < 2 * half["both"]
    assert sum(lost) / 2 < -0.1
    assert (frame["equilibrium_exploitability"] <= 1e-4).all()


def test_frequencies_are_exploited_where_there_are_enough(kuhn: RunStore) -> None:
    frame = empirical_exploitability(kuhn).set_index("entrant")
    assert (frame["states"] == 12).all()
    moves = sum(len((row.notation or "").splitlines()) for row in kuhn.matches())
    assert frame["decisions"].sum() == moves
    uniform = frame.loc["random"]
    assert math.isnan(uniform["exploitability"]) == (uniform["missing_states"] > 0)
    if not uniform["missing_states"]:
        assert uniform["exploitability"] == pytest.approx(0.458, abs=0.2)  # of exactly uniform play


def test_reports_show_both(dice: RunStore, kuhn: RunStore) -> None:
    (section,) = liars_dice.sections(dice)
    assert [table.title for table in section.tables] == ["Bids and calls"]
    assert {row.name for row in section.figures[0].rows} == set(section.tables[0].frame["entrant"])
    assert liars_dice.sections(kuhn) == ()
    (section,) = equilibrium.sections(kuhn)
    assert section.tables[0].title == "Payoff against the equilibrium"
    assert "both" in set(section.tables[0].frame["seat"]) and len(section.figures[0].rows) >= 1
    assert equilibrium.sections(dice) == ()
