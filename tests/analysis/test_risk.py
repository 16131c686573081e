"""Luck, odds and timelines of Risk, from real matches and by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

import ludometer
from ludometer.analysis.risk import attacks_frame, risk_attacks, risk_luck, risk_tables, roll_luck, sections
from ludometer.analysis.risk_matches import battles, replayed, timeline, win_timeline
from ludometer.games.risk.battle import losses
from ludometer.solvers.risk_odds import conquest_odds
from ludometer.store import RunStore

PLAYERS = ["random", {"player": "conqueror", "name": "bold"}, {"player": "conqueror:threshold=0.9", "name": "careful"}]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """Three at a table, twice in each arrangement that the series has."""
    folder = tmp_path_factory.mktemp("risk") / "run"
    table = {
        "game": {"name": "risk", "map": "small", "max_turns": 8},
        "players": PLAYERS,
        "schedule": {"kind": "series", "repeats": 6, "seats": 3},
    }
    ludometer.run(table, dir=folder)
    with RunStore.open(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """Two players and the neutral army, whole phases as answers."""
    folder = tmp_path_factory.mktemp("risk") / "lists"
    table = {
        "game": {"name": "risk", "map": "small", "orders": "phase", "max_turns": 6},
        "players": ["random", "conqueror"],
        "schedule": {"kind": "series", "repeats": 3},
    }
    ludometer.run(table, dir=folder)
    with RunStore.open(folder) as opened:
        yield opened


def test_matches_are_replayed_to_their_result(store: RunStore, lists: RunStore) -> None:
    for run, count in ((store, 6), (lists, 3)):
        matches = list(replayed(run))
        assert len(matches) == count
        for match in matches:
            outcome = match.game.outcome(match.states[-1])
            assert outcome is not None and dict(outcome.scores) == pytest.approx(match.row.scores)
            assert match.row.moves == len(match.states) - 1


def test_the_luck_of_a_roll_is_zero_in_the_mean() -> None:
    for own, other in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2)):
        total = 0.0
        for dice in product(range(1, 7), repeat=own + other):
            a, b, c = (*sorted(dice[:own], reverse=True), 0, 0)[:3]
            d, e = (*sorted(dice[own:], reverse=True), 0)[:2]
            total += roll_luck((a, b, c, d, e))
        assert total == pytest.approx(0, abs=1e-6)
    # Three against two: 2890 throws cost the defender both, 2611 one each, 2275 the attacker both.
    mean = 2 * (2890 - 2275) / 7776
    assert roll_luck((6, 6, 1, 5, 5)) == pytest.approx(2 - mean)
    assert roll_luck((1, 1, 1, 1, 1)) == pytest.approx(-2 - mean)


def test_luck_per_entrant_adds_up_to_zero(store: RunStore) -> None:
    luck = risk_luck(store)
    assert set(luck["entrant"]) == {"random", "bold", "careful"}
    assert (luck["matches"] == 6).all()
    assert (luck["luck"] * luck["matches"]).sum() == pytest.approx(0, abs=1e-9)
    assert luck["attack_rolls"].sum() == luck["defence_rolls"].sum() > 100
    # Counted again, from the states.
    total = dict.fromkeys(luck["entrant"], 0.0)
    for match in replayed(store):
        for log in match.states[-1].log:
            for dice in log.rolls:
                own, other = losses(dice)
                assert own + other == min(sum(d > 0 for d in dice[:3]), sum(d > 0 for d in dice[3:]))
                total[match.entrants[log.player]] += roll_luck(dice)
                total[match.entrants[log.numbers[2]]] -= roll_luck(dice)
    for row in luck.itertuples():
        assert row.luck * row.matches == pytest.approx(total[row.entrant])


def test_intervals_are_over_duplicate_groups(store: RunStore) -> None:
    luck = risk_luck(store)
    assert len({row.group for row in store.matches()}) > 1
    assert (luck["luck_low"].astype(float) < luck["luck"]).all()
    assert (luck["luck_high"].astype(float) > luck["luck"]).all()
    assert (risk_luck(store, level=0.5)["luck_low"].astype(float) > luck["luck_low"].astype(float)).all()


def test_attacks_have_the_odds_of_the_position_they_were_made_in(store: RunStore, lists: RunStore) -> None:
    for run in (store, lists):
        matches = list(replayed(run))
        frame = attacks_frame(matches)
        assert len(frame) > 30
        assert frame["odds"].equals(
            pd.Series([conquest_odds(a, d) for a, d in zip(frame["attackers"], frame["defenders"], strict=True)])
        )
        assert (frame["attackers"] >= 1).all() and (frame["defenders"] >= 1).all()
    single = next(replayed(store))
    made = [
        (before.armies[action.source] - 1, before.armies[action.target])
        for before, after in zip(single.states, single.states[1:], strict=False)
        for action in [_attack(before, after)]
        if action is not None
    ]
    assert [(attackers, defenders) for _, _, attackers, defenders in battles(single)] == made


def _attack(before: object, after: object) -> object:
    from ludometer.games.risk import Order, State

    assert isinstance(before, State) and isinstance(after, State)
    for log in after.log[len(before.log) :]:
        if log.trait == "attack":
            return Order("attack", log.numbers[0], log.numbers[1])
    return None


def test_battles_in_lists_carry_the_armies_along(lists: RunStore) -> None:
    """Decided battles tell their beginning themselves where the loser is concerned."""
    for match in replayed(lists):
        for log, _, attackers, defenders in battles(match):
            own, other, conquered = log.numbers[3:]
            assert (other == defenders) if conquered else (own == attackers)


def test_how_well_attacks_were_chosen(store: RunStore) -> None:
    table = risk_attacks(store).set_index("entrant")
    assert table.loc["careful", "odds"] > table.loc["bold", "odds"] > table.loc["random", "odds"]
    assert table.loc["careful", "against_odds"] == 0 < table.loc["random", "against_odds"]
    for row in table.itertuples():
        assert row.beyond * row.matches == pytest.approx(row.conquered - row.expected)
    assert table.loc["bold", "odds"] >= 0.65


def test_turns_and_the_end(store: RunStore) -> None:
    turns = risk_tables(store)["turns"]
    first = turns[turns["round"] == 1]
    assert (first["territories"] == 6).all() and (first["armies"] == 15).all()
    for _, part in turns.groupby(["match", "round"]):
        assert part["territories"].sum() == 18
    match = next(replayed(store))
    rounds = [number for number, _ in timeline(match)]
    assert rounds == list(range(1, rounds[-1] + 1))
    assert timeline(match)[-1][1] is match.states[-1]


def test_the_win_timeline_ends_with_the_result(store: RunStore) -> None:
    match = next(replayed(store))
    wins = win_timeline(match, rollouts=6)
    for _, part in wins.groupby("round"):
        assert part["first"].sum() == pytest.approx(1) and part["score"].sum() == pytest.approx(1)
    last = wins[wins["round"] == wins["round"].max()].set_index("seat")["score"]
    assert dict(last) == pytest.approx(match.row.scores)
    assert wins.equals(win_timeline(match, rollouts=6)), "the same seed, the same estimate"
    assert not wins.equals(win_timeline(match, rollouts=6, seed=1))


def test_a_lost_position_is_seen_as_lost(store: RunStore) -> None:
    match = next(replayed(store))
    state = match.states[1]
    # Player 1 holds everything but one territory with one army.
    owners = (1, *(0 for _ in state.owners[1:]))
    armies = (1, *(9 for _ in state.armies[1:]))
    crushed = state._replace(owners=owners, armies=armies, out=(2,), phase="attack", player=0, pending=0)
    wins = win_timeline(match._replace(states=[crushed, match.states[-1]]), rollouts=10)
    begin = wins[wins["round"] == crushed.round].set_index("seat")["first"]
    assert begin["1"] == 1


def test_sections_are_made_of_the_tables(store: RunStore) -> None:
    (section,) = sections(store)
    assert [table.title for table in section.tables] == ["Luck with the dice", "Attacks"]
    assert len(section.figures) == 3
    for table in section.tables:
        for column in table.columns:
            for name in (column.name, column.low, column.high, column.n):
                assert not name or name in table.frame.columns


def test_a_run_without_risk_has_nothing(tmp_path: Path) -> None:
    ludometer.run({"game": "tictactoe", "players": ["random", "perfect"]}, dir=tmp_path / "run")
    with RunStore.open(tmp_path / "run") as opened:
        assert sections(opened) == ()
        assert all(frame.empty for frame in risk_tables(opened).values())


def test_single_rolls_have_luck_but_no_odds_of_conquest(tmp_path: Path) -> None:
    table = {
        "game": {"name": "risk", "map": "small", "blitz": False, "max_turns": 3},
        "players": ["random", "conqueror"],
    }
    ludometer.run(table, dir=tmp_path / "run")
    with RunStore.open(tmp_path / "run") as opened:
        tables = risk_tables(opened)
        assert not tables["luck"].empty and tables["attacks"].empty
        (section,) = sections(opened)
        assert [table.title for table in section.tables] == ["Luck with the dice"]
