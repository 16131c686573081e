"""Mancala against Kalah written for this test from the rules text."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import SpielState
from ludometer.games.mancala import Mancala

GAME = Mancala()
OWN = {0: range(1, 7), 1: range(8, 14)}
STORE = {0: 7, 1: 0}


def sown(seeds: list[int], player: int, pit: int) -> tuple[list[int], int]:
    """The seeds by number after a move, and whose turn it is."""
    after = list(seeds)
    hand, after[pit] = after[pit], 0
    at = pit
    while hand:
        at = (at + 1) % 14
        if at != STORE[1 - player]:
            after[at] += 1
            hand -= 1
    if at in OWN[player] and after[at] == 1 and after[14 - at] > 0:
        after[STORE[player]] += 1 + after[14 - at]
        after[at] = after[14 - at] = 0
    return after, player if at == STORE[player] else 1 - player


def test_random_games_agree_with_the_rules_written_out() -> None:
    long_sowing = captures = again = 0
    for i in range(600):
        chance = Chance.from_seed("mancala").named(i)
        state = GAME.new(2, chance)
        seeds, player = [0, *[4] * 6, 0, *[4] * 6], 0
        while any(seeds[pit] for pit in OWN[0]) and any(seeds[pit] for pit in OWN[1]):
            data = GAME.observe(state, "first").data
            assert [data["pits"][("first", "second")[p]][str(pit)] for p in OWN for pit in OWN[p]] == [
                seeds[pit] for p in OWN for pit in OWN[p]
            ]
            assert data["stores"] == {"first": seeds[7], "second": seeds[0]}
            (seat,) = GAME.to_act(state)
            assert seat == ("first", "second")[player]
            full = [pit for pit in OWN[player] if seeds[pit]]
            legal = {GAME.format(state, move): move for move in GAME.legal(state, seat)}
            assert set(legal) == {str(pit) for pit in full}
            pit, chance = chance.choice(full)
            long_sowing += seeds[pit] >= 13
            state = GAME.apply(state, {seat: legal[str(pit)]})
            before = seeds
            mover = player
            seeds, player = sown(seeds, player, pit)
            again += player == mover
            captures += seeds[STORE[mover]] > before[STORE[mover]] + 1
        outcome = GAME.outcome(state)
        assert outcome is not None and GAME.to_act(state) == ()
        totals = [sum(seeds[pit] for pit in OWN[p]) + seeds[STORE[p]] for p in OWN]
        assert sum(totals) == 48
        assert outcome.scores["first"] == (totals[0] > totals[1]) + 0.5 * (totals[0] == totals[1])
        assert f"first player {totals[0]}, second player {totals[1]}" in outcome.reason
    assert long_sowing > 20 and captures > 200 and again > 200


def after(text: str) -> SpielState:
    state = GAME.new(2, Chance(0))
    for move in text.split():
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, move)})
    return state


def test_a_seed_in_the_own_store_gives_another_turn() -> None:
    assert GAME.to_act(after("3")) == ("first",)
    assert GAME.to_act(after("1")) == ("second",)


@pytest.mark.parametrize("text", ["4", "pit 4", "Pit: 4.", "(4)", "2. pit 4"])
def test_readable(text: str) -> None:
    state = after("3")
    assert GAME.format(state, GAME.parse(state, "first", text)) == "4"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3", "pit_empty"),
        ("9", "not_your_pit"),
        ("7", "store"),
        ("0", "store"),
        ("14", "out_of_bounds"),
        ("-1", "out_of_bounds"),
        ("a", "invalid_format"),
        ("1,2", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(after("3"), "first", text)
    assert caught.value.kind == kind


@pytest.mark.parametrize("answer", [{"pit": 9}, {"PIT": "9"}, {"move": "pit 9"}], ids=str)
def test_structured_answers(answer: Any) -> None:
    state = after("1")
    assert GAME.encode(state, GAME.decode(state, "second", answer)) == {"pit": 9}
    assert GAME.schema(state, "second")["properties"]["pit"]["enum"] == [8, 9, 10, 11, 12, 13]


def test_board_view() -> None:
    shown = GAME.views()["board"].render(GAME.observe(after("6"), "first")).splitlines()
    assert [line.split() for line in shown] == [
        ["#13", "#12", "#11", "#10", "#9", "#8"],
        ["4", "4", "4", "5", "5", "5"],
        ["store", "#0:", "0", "store", "#7:", "1"],
        ["4", "4", "4", "4", "4", "0"],
        ["#1", "#2", "#3", "#4", "#5", "#6"],
    ]
