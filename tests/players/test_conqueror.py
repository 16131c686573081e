"""The player that attacks where the odds are good."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, Decision, make_game
from ludometer.games.risk import Order, Risk, State
from ludometer.matches import Match, play
from ludometer.players.conqueror import ConquerorPlayer, chosen_order
from ludometer.players.random import RandomPlayer
from ludometer.solvers.risk_odds import conquest_odds
from ludometer.testing import check_player

GAME = Risk()
NAMES = GAME.settings.board.names


def position(own: dict[str, tuple[int, int]], others: tuple[int, int], **fields: Any) -> State:
    given = [own.get(name, others) for name in NAMES]
    state = GAME.new(3, Chance.from_seed(0))._replace(phase="attack", pending=0)
    return state._replace(
        owners=tuple(owner for owner, _ in given), armies=tuple(armies for _, armies in given), **fields
    )


def named(order: Order) -> str:
    return GAME.format(GAME.new(3, Chance.from_seed(0)), order)


def test_it_attacks_exactly_where_the_odds_reach_the_threshold() -> None:
    # Five against three is 0.642 (four may attack).
    assert 0.6 < conquest_odds(4, 3) < 0.65
    state = position({"Alaska": (0, 5)}, (1, 3))
    assert chosen_order(GAME.settings, state, 0.6).kind == "attack"
    assert chosen_order(GAME.settings, state, 0.65).kind == "end"


def test_it_prefers_to_complete_a_continent_and_to_eliminate() -> None:
    australia = dict.fromkeys(("Indonesia", "New Guinea", "Western Australia"), (0, 6))
    state = position({**australia, "Alaska": (0, 6), "Japan": (2, 1)}, (1, 1))
    assert named(chosen_order(GAME.settings, state, 0.6)).endswith("> Eastern Australia")
    last = position({"Alaska": (0, 9), "Kamchatka": (2, 2)}, (1, 1), hands=((), (), (1, 2, 3)))
    assert named(chosen_order(GAME.settings, last, 0.6)) == "attack Alaska > Kamchatka"


def test_it_places_everything_where_it_attacks_trades_and_fortifies_the_front() -> None:
    state = position({"Alaska": (0, 4), "Peru": (0, 1)}, (1, 2), phase="reinforce", pending=5)
    assert named(chosen_order(GAME.settings, state, 0.6)) == "reinforce Alaska 5"
    rich = state._replace(hands=((0, 3, 6), (), ()))
    assert chosen_order(GAME.settings, rich, 0.6).kind == "trade"
    america = dict.fromkeys(NAMES[:9], (0, 1))
    idle = position({**america, "Alberta": (0, 8)}, (1, 5))
    order = chosen_order(GAME.settings, idle, 0.6)
    assert (order.kind, NAMES[order.source], order.number) == ("fortify", "Alberta", 7)
    assert NAMES[order.target] in ("Alaska", "Greenland", "Central America")


def test_it_looks_at_nothing_hidden() -> None:
    for one, other, seat in GAME.swap_hidden():
        if GAME.to_act(one) == (seat,):
            assert chosen_order(GAME.settings, one, 0.6) == chosen_order(GAME.settings, other, 0.6)


@pytest.mark.parametrize(
    "options",
    [
        {"max_turns": 4},
        {"map": "small", "placement": "picked"},
        {"map": "small", "blitz": False},
        {"map": "small", "orders": "phase", "placement": "placed", "at_a_time": 3, "amounts": "few"},
    ],
    ids=str,
)
def test_it_keeps_the_contract_and_plays_legally(options: dict[str, Any]) -> None:
    check_player(ConquerorPlayer, make_game("risk", {"max_turns": 5, **options}), matches=2)


@pytest.mark.parametrize("n", [2, 4])
def test_it_beats_random_players(n: int) -> None:
    total = 0.0
    for i in range(8):
        match: Match = Match(Risk("small"), n, luck=i, seed=i)
        mine = str(i % n + 1)
        players = {seat: ConquerorPlayer() if seat == mine else RandomPlayer() for seat in match.roles}
        asyncio.run(play(match, players))
        scores = match.scores()
        assert scores is not None
        total += scores[mine] == max(scores.values())
    assert total >= 6


def test_options_and_other_games() -> None:
    with pytest.raises(ValueError, match="threshold must be above 0"):
        ConquerorPlayer(0)
    with pytest.raises(ValueError, match="threshold must be above 0"):
        ConquerorPlayer(1.5)
    with pytest.raises(ConfigurationError, match="conqueror plays risk"):
        ConquerorPlayer().supports(make_game("nim"))


def test_it_decides_from_the_turn_alone() -> None:
    match: Match = Match(GAME, 3, luck="x")
    turn = match.turns()[0]
    decisions = [asyncio.run(ConquerorPlayer().act(turn)) for _ in range(2)]
    assert decisions[0] == decisions[1]
    assert isinstance(decisions[0], Decision) and match.submit("1", decisions[0]).verdict.is_legal
