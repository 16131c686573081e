"""Players of liar's dice and of games with a known equilibrium."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ludometer import play
from ludometer.core import ConfigurationError, make_game
from ludometer.games.liars_dice import LiarsDice
from ludometer.matches import Match
from ludometer.players.equilibrium import EquilibriumPlayer
from ludometer.players.probability import ProbabilityPlayer
from ludometer.testing import check_player


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    folder: Path = tmp_path_factory.mktemp("equilibria")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOMETER_CACHE", str(folder))
        yield


@pytest.mark.parametrize("rounds", ["single", "last_standing"])
def test_probability_holds_to_the_contract(rounds: str) -> None:
    check_player(ProbabilityPlayer, make_game("liars_dice", {"rounds": rounds, "dice": 2}), matches=2)


@pytest.mark.parametrize("game", ["openspiel:kuhn_poker", "openspiel:leduc_poker"])
def test_equilibrium_holds_to_the_contract(game: str) -> None:
    check_player(EquilibriumPlayer, game, matches=2)


def decided(
    player: ProbabilityPlayer, *, dice: int = 5, moves: tuple[str, ...] = (), seed: int = 0
) -> tuple[str, Match]:
    """What the player does after the moves, and the match."""
    match = Match(LiarsDice(dice=dice), 2, luck=str(seed), seed="s", opening=moves)
    (turn,) = match.turns()
    return match.game.format(match.state, asyncio.run(player.act(turn)).action), match


def test_probability_bids_what_it_holds_and_calls_what_it_cannot_believe() -> None:
    for seed in range(20):
        said, match = decided(ProbabilityPlayer(), seed=seed)
        own = match.state.hands[0]
        assert int(said[0]) == 1 and int(said[2]) == min(own)  # certain, and the lowest of those that are
        said, match = decided(ProbabilityPlayer(), moves=("8x6",), seed=seed)
        assert said == "call"
        said, match = decided(ProbabilityPlayer(threshold=0.0), moves=("8x6",), seed=seed)
        assert said != "call"
        said, match = decided(ProbabilityPlayer(threshold=0.0), moves=("10x6",), seed=seed)
        assert said == "call"


def test_the_threshold_is_that_of_the_bid_s_probability() -> None:
    for seed in range(30):
        said, match = decided(ProbabilityPlayer(threshold=1 / 6 + 1e-9), dice=1, moves=("1x4",), seed=seed)
        assert (said == "call") == (match.state.hands[1] != (4,))  # without a four of its own it holds one time in six
        said, _ = decided(ProbabilityPlayer(threshold=1 / 6 - 1e-9), dice=1, moves=("1x4",), seed=seed)
        assert said != "call"


def test_probability_beats_random() -> None:
    wins = sum((play("liars_dice", ["probability", "random"], seed=seed).scores() or {})["1"] for seed in range(60))
    assert wins >= 48  # random bids high and is called


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_thresholds_are_probabilities(threshold: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        ProbabilityPlayer(threshold)


def test_games_that_they_do_not_play() -> None:
    with pytest.raises(ConfigurationError, match="plays liars_dice"):
        ProbabilityPlayer().supports(make_game("tictactoe"))
    with pytest.raises(ConfigurationError, match="no equilibrium"):
        EquilibriumPlayer.supports(make_game("liars_dice"))
    EquilibriumPlayer.supports(make_game("liars_dice", {"dice": 1, "ones_wild": True}))
    with pytest.raises(ConfigurationError, match="no equilibrium"):
        EquilibriumPlayer.supports(make_game("liars_dice", {"dice": 1, "rounds": "last_standing"}))
    match = Match(LiarsDice(dice=1), 3, luck="l", seed="s")
    (turn,) = match.turns()
    with pytest.raises(ConfigurationError, match="for two, not for more"):
        asyncio.run(EquilibriumPlayer().act(turn))


def test_equilibrium_says_how_far_from_it_the_strategy_is() -> None:
    match = play("openspiel:kuhn_poker", ["equilibrium", "random"], seed=1)
    assert "exploitability" in match.attempts[0].decision.rationale


@pytest.mark.slow
def test_equilibrium_of_liars_dice_loses_to_nobody_on_average() -> None:
    total = 0.0
    for seed in range(150):
        for players in (["equilibrium", "probability"], ["probability", "equilibrium"]):
            match = play("liars_dice", players, options={"dice": 1}, seed=seed)
            scores = match.scores()
            assert scores is not None
            total += scores[str(players.index("equilibrium") + 1)]
    assert total / 300 > 0.5 - 0.04  # at least half but for the luck of 300 games: about 1.4 standard errors
