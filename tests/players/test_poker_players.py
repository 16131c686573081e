"""The two poker players: what they do, what they see, and that the better one wins."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ludometer import play
from ludometer.core import Chance, ConfigurationError, Decision, make_game
from ludometer.games._poker_notation import Action
from ludometer.matches import Match
from ludometer.matches import play as play_match
from ludometer.players.always_call import AlwaysCallPlayer
from ludometer.players.random import RandomPlayer
from ludometer.players.tight import TightPlayer
from ludometer.testing import check_player

CASH = {"hands": 25, "mode": "cash"}


@pytest.mark.parametrize("player", [TightPlayer, AlwaysCallPlayer])
@pytest.mark.parametrize("options", [{"hands": 4}, {"hands": 4, "sizes": "few"}])
def test_they_hold_to_the_contract(player: Any, options: dict[str, Any]) -> None:
    check_player(
        lambda: player(samples=40) if player is TightPlayer else player(), make_game("poker", options), matches=2
    )


@pytest.mark.parametrize("player", [TightPlayer, AlwaysCallPlayer])
def test_they_play_poker_only(player: Any) -> None:
    with pytest.raises(ConfigurationError, match="plays poker"):
        player().supports(make_game("tictactoe"))


def test_impossible_options_are_refused() -> None:
    for options in ({"call": 2.0, "bet": 1.0}, {"samples": 0}, {"call": float("nan")}):
        with pytest.raises(ValueError, match="must be"):
            TightPlayer(**options)


def won(players: Sequence[Any], matches: int, options: dict[str, Any] = CASH) -> list[float]:
    """Big blinds per 100 hands of each player, the seats going round with the same cards."""
    game = make_game("poker", options)
    n = len(players)
    total = [0.0] * n
    for number in range(matches):
        for turn in range(n):
            match = Match(game, n, luck=("duplicate", number), seed=("seed", number, turn), id=f"{number}-{turn}")
            seated = {str((i + turn) % n + 1): player for i, player in enumerate(players)}
            asyncio.run(play_match(match, seated))
            outcome = game.outcome(match.state)
            assert outcome is not None and outcome.payoffs is not None
            for i in range(n):
                total[i] += outcome.payoffs[str((i + turn) % n + 1)]
    return [chips / 20 / (matches * n * options["hands"]) * 100 for chips in total]


@pytest.mark.parametrize("matches", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_tight_wins_from_the_others(matches: int) -> None:
    tight = TightPlayer(samples=40)
    assert won([tight, RandomPlayer()], matches)[0] > 20
    assert won([tight, AlwaysCallPlayer()], matches)[0] > 5
    table = won([tight, AlwaysCallPlayer(), RandomPlayer()], matches)
    assert table[0] == max(table) and sum(table) == pytest.approx(0)


def test_always_call_never_folds_and_never_raises() -> None:
    match = play("poker", ["always_call", "random"], options={"hands": 10}, seed=3)
    own = {attempt.decision.action.kind for attempt in match.attempts if attempt.seat == "1"}
    assert own <= {"check", "call"} and own


class Blind:
    """`TightPlayer`, whose turn is exchanged for one of an imagined state: what it does must not depend on secrets."""

    def __init__(self) -> None:
        self.inner = TightPlayer(samples=30)
        self.same = 0

    async def act(self, turn: Any) -> Decision:
        decision = await self.inner.act(turn)
        imagined = turn.imagine(Chance.from_seed("other"))
        other = replace(turn, observation=turn.game.observe(imagined, turn.seat))
        assert (await self.inner.act(other)).action == decision.action
        self.same += 1
        return decision


def test_tight_knows_what_its_seat_knows() -> None:
    blind = Blind()
    match = Match(make_game("poker", {"hands": 5}), 3, luck="a", seed="b")
    asyncio.run(play_match(match, {"1": blind, "2": RandomPlayer(), "3": RandomPlayer()}))
    assert blind.same > 3


def test_tight_folds_rags_and_bets_aces() -> None:
    game = make_game("poker", {"hands": 1})
    chosen: dict[str, Action] = {}
    for seed in range(3000):
        state = game.new(2, Chance.from_seed(seed))
        cards = state.hand.holes[0]
        kind = "aces" if {c[0] for c in cards} == {"A"} else "rags" if {c[0] for c in cards} == {"7", "2"} else ""
        if kind and kind not in chosen:
            match = Match(game, 2, luck=seed, seed=seed)
            match.state = state
            (turn,) = match.turns()
            chosen[kind] = asyncio.run(TightPlayer().act(turn)).action
        if len(chosen) == 2:
            break
    assert chosen["rags"] == Action("fold")
    assert chosen["aces"].kind == "raise"


def test_search_players_play_with_few_sizes_and_refuse_free_ones() -> None:
    match = play("poker", ["mcts:simulations=60", "always_call"], options={"hands": 2, "sizes": "few"}, seed=1)
    assert match.ending is not None and match.ending.kind == "completed"
    with pytest.raises(ConfigurationError, match="cannot be listed"):
        play("poker", ["mcts", "random"])
