"""Poker's tables: counted by hand on short matches, and as a whole on a run of real players."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pokerkit import HandHistory, StandardHighHand

from ludometer.analysis.poker import poker_decisions, poker_hands, poker_pairs, poker_players, poker_tables
from ludometer.analysis.poker_hands import contributions, equity_timeline, expected_net, ran_out, replayed_hands
from ludometer.analysis.poker_sections import sections
from ludometer.analysis.sections import Lines, Whiskers
from ludometer.core import Chance
from ludometer.games._poker_engine import act, play_out
from ludometer.games._poker_hand import BOARD_AT, CARDS, Hand, holes_of, pots_of
from ludometer.store import RunStore
from ludometer.store.export import export
from ludometer.tournaments import load_config, start

from .conftest import match, player

LUCK = Chance.from_seed("test")


def hand_of(stacks: tuple[int, ...], holes: list[str], board: str, *plays: tuple[str, int]) -> Hand:
    """A hand with the button on the first seat and blinds of 10 and 20."""
    places = {2 * i + k: cards[2 * k : 2 * k + 2] for i, cards in enumerate(holes) for k in range(2)}
    places |= {BOARD_AT + k: board[2 * k : 2 * k + 2] for k in range(5)}
    rest = iter(card for card in CARDS if card not in places.values())
    deck = tuple(places[k] if k in places else next(rest) for k in range(52))
    hand, engine = play_out(Hand(0, 0, (10, 20), 0, stacks, holes_of(deck, stacks)), deck)
    for kind, amount in plays:
        hand = act(hand, engine, deck, kind, amount)  # type: ignore[arg-type]
    assert hand.after
    return hand


# ------------------------------------------------------------------ all-in luck


def counted_share(one: str, other: str, board: str) -> float:
    """The first hand's share over all boards, with pokerkit's evaluator."""
    held = {text[i : i + 2] for text in (one, other, board) for i in range(0, len(text), 2)}
    rest = [card for card in CARDS if card not in held]
    won = 0.0
    boards = list(combinations(rest, 5 - len(board) // 2))
    for drawn in boards:
        a, b = (StandardHighHand.from_game(cards, board + "".join(drawn)) for cards in (one, other))
        won += 1.0 if a > b else 0.5 if a == b else 0.0
    return won / len(boards)


def test_an_all_in_is_valued_by_the_boards_that_could_have_come() -> None:
    # All-in on the turn with 1,000 each; the river makes the worse hand win.
    plays = [("raise", 100), ("call", 0), ("check", 0), ("check", 0), ("bet", 900), ("call", 0)]
    hand = hand_of((1000, 1000), ["9c9d", "AhKh"], "2h7h9sTc3h", *plays)
    assert hand.after == (0, 2000) and ran_out(hand)
    share = counted_share("9c9d", "AhKh", "2h7h9sTc")
    assert expected_net(hand, LUCK, 10) == pytest.approx([2000 * share - 1000, 1000 - 2000 * share])
    assert share == pytest.approx(37 / 44)


def test_side_pots_are_valued_apart_and_folded_chips_count() -> None:
    # The button folds after putting in 20; the short stack has 200, the others 500: pots of 620 and 600.
    plays = [("call", 0), ("raise", 60), ("call", 0), ("fold", 0)]
    hand = hand_of((1000, 500, 500), ["2c2d", "AsAh", "KsKh"], "3c7d9hJs4d", *plays, *[("check", 0)] * 6)
    assert contributions(hand) == [20, 60, 60] and not ran_out(hand)
    assert expected_net(hand, LUCK, 10) == [-20, 80, -60]
    assert [(p.amount, p.seats) for p in pots_of([20, 200, 500, 500], [1, 2, 3])] == [(620, (1, 2, 3)), (600, (2, 3))]


def test_a_bet_that_nobody_called_is_no_contribution() -> None:
    hand = hand_of((1000, 300), ["AsAh", "KsKh"], "3c7d9hJs4d", ("raise", 1000), ("call", 0))
    assert contributions(hand) == [300, 300] and hand.after == (1300, 0)
    net = expected_net(hand, LUCK, 4000)
    assert sum(net) == pytest.approx(0) and net[0] == pytest.approx(600 * 0.826 - 300, abs=18)


def test_a_fold_or_a_played_river_is_no_luck() -> None:
    folded = hand_of((1000, 1000), ["9c9d", "AhKh"], "2h7h9sTc3h", ("raise", 100), ("fold", 0))
    assert not ran_out(folded) and expected_net(folded, LUCK, 10) == [20, -20]


def test_the_timeline_of_equities() -> None:
    plays = [("call", 0), ("call", 0), ("check", 0), ("bet", 60), ("fold", 0), ("call", 0)]
    hand = hand_of((1000,) * 3, ["9c9d", "AhKh", "2c3d"], "2h7h9sTc4d", *plays, *[("check", 0)] * 4)
    points = equity_timeline(hand, LUCK, samples=2000)
    assert [(point.pot, point.to_call) for point in points] == [
        *[(30, 20), (50, 10), (60, 0), (60, 0), (120, 60), (120, 60)],
        *[(180, 0)] * 4,
    ]
    for point in points:
        assert sum(point.equity.values()) == pytest.approx(1)
    assert len(points[4].equity) == 3 and set(points[5].equity) == {0, 1}
    assert points[6].equity[0] == pytest.approx(37 / 44)
    assert points[8].equity == {0: 1.0, 1: 0.0}


# -------------------------------------------------------------- counted by hand

CASH: dict[str, Any] = {"hands": 2, "mode": "cash"}


def poker_match(number: int, one: str, two: str, notation: list[str], **columns: Any) -> dict[str, Any]:
    row = match(number, one, two, "list", **columns)
    seats = {"seats": json.dumps({"1": one, "2": two}), "condition": "{}", "scores": None}
    return row | seats | {"game": "poker", "options": json.dumps(CASH), "notation": "\n".join(notation)}


RAISED = ["raise to 60", "fold"]  # the button wins the big blind's 20
LIMPED = ["call", "check", "check", "bet 40", "fold"]  # the button takes 20 on the flop
CALLED = ["raise to 60", "raise to 200", "call", "bet 100", "fold"]  # the big blind takes 200 on the flop


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    rows = [
        # The button is on seat 1 in the first hand and on seat 2 in the second.
        poker_match(1, "ann", "bob", [*RAISED, *LIMPED], group="a"),
        poker_match(2, "bob", "ann", [*CALLED, *RAISED], group="a"),
        poker_match(3, "ann", "bob", [*RAISED, "raise to 60"], group="b", ending="forfeit", offender="2"),
        poker_match(4, "ann", "ann", [*RAISED, *RAISED], group="c"),
        poker_match(5, "ann", "bob", [*RAISED], group="d", status="void", ending="void", finished=None),
        poker_match(6, "ann", "bob", ["check", "check"], group="e"),
    ]
    with RunStore.create(tmp_path_factory.mktemp("poker") / "run", {"name": "poker"}) as made:
        made.add_entrants([player("ann"), player("bob")])
        made.insert_finished(rows)
        yield made


def test_hands_are_counted_as_they_were_played(by_hand: RunStore) -> None:
    hands = poker_hands(by_hand)
    # Matches 1 and 2 have two complete hands, the forfeited one has one; self-play, void and unreadable ones none.
    assert hands.groupby("match", sort=False).size().to_dict() == {"m000001": 4, "m000002": 4, "m000003": 2}
    nets = hands.set_index(["match", "hand", "entrant"])["net"]
    assert nets["m000001", 1, "ann"] == 20 and nets["m000001", 2, "bob"] == 20
    assert nets["m000002", 1, "ann"] == 200 and nets["m000002", 2, "ann"] == 20
    assert (hands.groupby(["match", "hand"])["net"].sum() == 0).all()
    assert (hands["adjusted"] == hands["net"]).all() and not hands["all_in"].any()
    assert set(hands.loc[hands["seat"] == hands["hand"], "position"]) == {"BTN/SB"}


def test_players_by_hand(by_hand: RunStore) -> None:
    players = poker_players(poker_hands(by_hand)).set_index("player")
    ann, bob = players.loc["ann"], players.loc["bob"]
    assert (ann["matches"], ann["groups"], ann["hands"], ann["chips"]) == (3, 2, 5, 240)
    assert ann["bb_100"] == pytest.approx(240 / 20 / 5 * 100) and bob["bb_100"] == pytest.approx(-ann["bb_100"])
    # Ann raises in hands 1 of match 1 and 3 and hand 2 of match 2, reraises in hand 1 of match 2, checks once.
    assert (ann["vpip"], ann["pfr"]) == (4 / 5, 4 / 5)
    assert (bob["vpip"], bob["pfr"]) == (2 / 5, 1 / 5)
    assert pd.isna(ann["aggression"]), "five bets and raises and not one call"
    assert bob["aggression"] == (1 + 1) / 2
    assert (ann["flops"], bob["flops"]) == (2, 2) and ann["showdown"] == 0 and ann["showdowns"] == 0
    assert ann["bb_100_low"] < ann["bb_100"] < ann["bb_100_high"]
    assert list(players.index) == ["ann", "bob"], "best first"


def test_pairs_by_hand(by_hand: RunStore) -> None:
    (pair,) = poker_pairs(poker_hands(by_hand)).to_dict("records")
    assert (pair["player"], pair["opponent"]) == ("bob", "ann") or (pair["player"], pair["opponent"]) == ("ann", "bob")
    sign = 1 if pair["player"] == "ann" else -1
    assert pair["difference_bb_100"] == pytest.approx(sign * 2 * 240 / 20 / 5 * 100)
    assert (pair["hands"], pair["groups"]) == (5, 2)


def test_decisions_by_hand(by_hand: RunStore) -> None:
    decisions = poker_decisions(by_hand, samples=50)
    first = decisions[(decisions["match"] == "m000001") & (decisions["hand"] == 2)]
    assert list(first["action"]) == ["call", "check", "check", "bet", "fold"]
    assert list(first["pot"]) == [30, 40, 40, 40, 80]
    assert list(first["to_call"]) == [10, 0, 0, 0, 40]
    assert first["pot_odds"].tolist()[0] == 10 / 40 and first["pot_odds"].isna().sum() == 3
    assert decisions["equity"].between(0, 1).all()


def test_a_match_that_cannot_be_replayed_has_no_hands(by_hand: RunStore) -> None:
    rows = {row.id: row for row in by_hand.matches()}
    assert replayed_hands(rows["m000006"]) is None, "nobody may check there"
    assert replayed_hands(rows["m000001"]._replace(notation=None)) is None
    assert replayed_hands(rows["m000001"]._replace(game="tictactoe", options={}, notation="1,1")) is None


def test_a_run_without_poker_has_no_tables(store: RunStore) -> None:
    assert poker_tables(store) == {}


# ------------------------------------------------------------------- a real run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    config = {
        "name": "real",
        "games": [{"name": "poker", "hands": 6, "mode": "cash", "starting_chips": 200}],
        "players": [{"player": "always_call", "name": "one"}, {"player": "always_call", "name": "two"}, "random"],
        "schedule": {"repeats": 3},
    }
    folder = tmp_path_factory.mktemp("real") / "run"
    asyncio.run(start(load_config(config), folder))
    with RunStore.open(folder) as opened:
        yield opened


def test_within_a_duplicate_group_the_cards_cancel(run: RunStore) -> None:
    """Two players who play alike win from each other what the cards give: nothing, once both had the same cards."""
    hands = poker_hands(run, samples=200)
    alike = hands[hands.groupby("match")["entrant"].transform(lambda names: "random" not in set(names))]
    assert alike["net"].abs().sum() > 0
    assert (alike.groupby(["group", "entrant"])["net"].sum() == 0).all()
    pairs = poker_pairs(alike)
    assert list(pairs["difference_bb_100"]) == [0.0] and pairs["low"].isna().all()


def test_tables_of_a_run_agree_with_its_payoffs(run: RunStore) -> None:
    tables = poker_tables(run, samples=200)
    assert list(tables) == ["players", "pairs", "hands", "decisions"]
    hands = tables["hands"]
    net = hands.groupby(["match", "entrant"])["net"].sum()
    for row in run.matches():
        assert row.payoffs is not None
        for seat, name in row.seats.items():
            assert net[row.id, name] == row.payoffs[seat]
    assert hands.groupby(["match", "hand"])["adjusted"].sum().abs().max() < 1e-6
    moved = hands["adjusted"] != hands["net"]
    assert moved.any() and not (moved & ~hands.groupby(["match", "hand"])["all_in"].transform("any")).any()
    assert len(tables["decisions"]) == sum(row.moves or 0 for row in run.matches())


def test_the_run_is_exported_hand_by_hand(run: RunStore, tmp_path: Path) -> None:
    files = export(run, tmp_path, "record")
    assert len(files) == len(list(run.matches())) and {path.suffix for path in files} == {".phhs"}
    first = next(iter(run.matches()))
    (text,) = [path.read_bytes() for path in files if f"{first.number:06d}" in path.name]
    hands = list(HandHistory.load_all(io.BytesIO(text)))
    assert len(hands) == 6 and hands[0].event == "real"
    assert set(hands[0].players) == set(first.seats.values())
    assert [list(list(hand)[-1].stacks) for hand in hands] == [hand.finishing_stacks for hand in hands]


# --------------------------------------------------------------------- reports


def test_sections_of_a_report(run: RunStore, store: RunStore) -> None:
    assert list(sections(store)) == []
    (section,) = sections(run)
    for table in section.tables:
        shown = {name for column in table.columns for name in (column.name, column.low, column.high, column.n) if name}
        assert shown <= set(table.frame.columns) and len(table.frame)
    whiskers, lines = section.figures
    assert isinstance(whiskers, Whiskers) and [row.n for row in whiskers.rows] == ["72 hands"] * 3
    assert isinstance(lines, Lines)
    points = list(zip(*lines.series.values(), strict=True))
    assert len(points) >= 2
    for at_once in points:
        assert sum(share for _, share in at_once) == pytest.approx(1)
