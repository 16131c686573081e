"""Equilibria: values that are known, exploitability against OpenSpiel's own, and our liar's dice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pyspiel
import pytest

from ludometer.core import Chance, ConfigurationError, InternalError, make_game
from ludometer.games.liars_dice import CALL, LiarsDice, Move, Table, bid_rank
from ludometer.games.openspiel import OpenSpiel
from ludometer.solvers import cfr_policies
from ludometer.solvers.cfr import best_response_values, exploitability, game_value, reached, solve, uniform
from ludometer.solvers.cfr_policies import Policy, check_solvable, key_of, layout, policy_of, solved
from ludometer.solvers.cfr_trees import build_tree, tree_of_engine, tree_of_game
from ludometer.testing.showing import viewers

KUHN, LEDUC = pyspiel.load_game("kuhn_poker"), pyspiel.load_game("leduc_poker")


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cfr_policies, "_policies", {})
    yield


# ----------------------------------------------------------------- known games


def test_trees_have_the_known_sizes() -> None:
    kuhn, leduc = tree_of_engine(KUHN), tree_of_engine(LEDUC)
    assert (len(kuhn.parent), len(kuhn.keys), kuhn.slots) == (58, 12, 24)
    assert (len(leduc.parent), len(leduc.keys)) == (9457, 936)


@pytest.mark.parametrize("rules", [KUHN, LEDUC], ids=["kuhn", "leduc"])
def test_exploitability_agrees_with_openspiel(rules: Any) -> None:
    tree = tree_of_engine(rules)
    table = pyspiel.GetRandomPolicy(rules, 3).policy_table()
    odds = [sorted(table[key.partition("|")[2]]) for key in tree.keys]
    strategy = np.array([probability for actions in odds for _, probability in actions])
    assert exploitability(tree, strategy) == pytest.approx(pyspiel.exploitability(rules, table))
    even = pyspiel.exploitability(rules, pyspiel.UniformRandomPolicy(rules))
    assert exploitability(tree, uniform(tree)) == pytest.approx(even)


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    """Kuhn, "A simplified two-person poker" (1950): value -1/18; the second player's strategy is unique."""
    tree = tree_of_engine(KUHN)
    solution = solve(tree, iterations=3000, target=2e-5)
    assert solution.exploitability <= 1e-4
    assert solution.value == pytest.approx(-1 / 18, abs=1e-4)

    def bets(key: str) -> float:
        return float(solution.strategy[tree.offset[tree.keys.index(key)] + 1])

    facing_a_bet = {card: bets(f"1|{card}b") for card in range(3)}
    after_a_pass = {card: bets(f"1|{card}p") for card in range(3)}
    assert facing_a_bet == pytest.approx({0: 0, 1: 1 / 3, 2: 1}, abs=0.02)
    assert after_a_pass == pytest.approx({0: 1 / 3, 1: 0, 2: 1}, abs=0.02)
    assert bets("0|2") == pytest.approx(3 * bets("0|0"), abs=0.05)  # the first player's family of strategies


def test_leduc_poker_has_its_known_value() -> None:
    """-0.0856064 (for example Lanctot et al., "OpenSpiel", and every solver since)."""
    solution = solve(tree_of_engine(LEDUC), iterations=400, target=1e-3)
    assert solution.exploitability < 2e-3
    assert solution.value == pytest.approx(-0.0856064, abs=2e-3)


def test_more_iterations_are_better_and_a_target_stops_early() -> None:
    tree = tree_of_engine(KUHN)
    few, many = solve(tree, iterations=50), solve(tree, iterations=1000)
    assert many.exploitability < few.exploitability < exploitability(tree, uniform(tree))
    assert solve(tree, iterations=1000, target=few.exploitability).iterations == 50
    assert game_value(tree, many.strategy) == many.value


def test_a_best_response_beats_what_it_answers() -> None:
    tree = tree_of_engine(KUHN)
    first, second = best_response_values(tree, uniform(tree))
    even = game_value(tree, uniform(tree))
    assert first > even and second > -even


def test_what_a_player_avoids_is_not_reached() -> None:
    tree = tree_of_engine(KUHN)
    strategy = uniform(tree)
    start = tree.offset[tree.keys.index("0|0")]
    strategy[start : start + 2] = 0, 1  # with the lowest card it always bets, and never answers one
    known = dict(zip(tree.keys, reached(tree, strategy).tolist(), strict=True))
    assert [key for key, there in known.items() if not there] == ["0|0pb"]


def test_matching_pennies_by_hand() -> None:
    """Without luck and with a hidden move: the matcher wins 2 on heads; value 1/5 with heads 2/5 for both."""
    from ludometer.solvers.cfr_trees import Branch

    def look(path: str) -> Branch:
        if len(path) == 2:
            return Branch(-2, payoff={"HH": 2.0, "TT": 1.0}.get(path, -1.0))
        return Branch(len(path), f"{len(path)}", [path + "H", path + "T"])

    solution = solve(build_tree("", look), iterations=5000, target=1e-5)
    assert solution.value == pytest.approx(1 / 5, abs=1e-3)
    assert solution.strategy == pytest.approx([2 / 5, 3 / 5, 2 / 5, 3 / 5], abs=5e-3)


# ------------------------------------------------------------------ liar's dice


@pytest.fixture(scope="module")
def small() -> tuple[LiarsDice, Any]:
    game = LiarsDice(dice=1)
    return game, tree_of_game(game)


@pytest.mark.slow
@pytest.mark.parametrize("wild", [False, True])
def test_liars_dice_with_a_die_each_is_solved(wild: bool) -> None:
    game = LiarsDice(dice=1, ones_wild=wild)
    tree = tree_of_game(game)
    assert len(tree.keys) == 6 * 2**12  # a face, and any set of the twelve bids
    solution = solve(tree, iterations=100)
    assert solution.exploitability <= 3e-3
    first, second = best_response_values(tree, solution.strategy)
    assert -second <= solution.value <= first  # the value of the game lies between, and so does the strategy's
    assert exploitability(tree, solution.strategy) == pytest.approx(solution.exploitability)


@pytest.mark.slow
def test_exploitability_of_liars_dice_agrees_with_a_best_response_of_its_own(small: tuple[LiarsDice, Any]) -> None:
    """Against uniform play, by recursion over bids with beliefs, without the tree."""
    _, tree = small

    def value(seat: int, last: int, mine: int, belief: np.ndarray, turn: int) -> float:
        """Payoff of the best response for ``seat``, weighted by the belief over the other's face."""
        total = float(belief.sum())
        if turn != seat:
            actions = (11 - last) + (last >= 0)
            worth = 0.0
            if last >= 0:
                worth += _called(last, mine, belief, caller_is_me=False) / actions
            return worth + sum(value(seat, bid, mine, belief / actions, seat) for bid in range(last + 1, 12))
        options = [value(seat, bid, mine, belief, 1 - seat) for bid in range(last + 1, 12)]
        if last >= 0:
            options.append(_called(last, mine, belief, caller_is_me=True))
        assert total > 0
        return max(options)

    def _called(bid: int, mine: int, belief: np.ndarray, *, caller_is_me: bool) -> float:
        quantity, face = bid // 6 + 1, bid % 6 + 1
        worth = 0.0
        for other, weight in enumerate(belief, 1):
            holds = (mine == face) + (other == face) >= quantity
            worth += float(weight) * (1.0 if holds != caller_is_me else -1.0)
        return worth

    found = [sum(value(seat, -1, mine, np.full(6, 1 / 36), 0) for mine in range(1, 7)) for seat in (0, 1)]
    assert best_response_values(tree, uniform(tree)) == pytest.approx(found)


def test_a_game_is_laid_out_as_players_see_it() -> None:
    """Two faces would do: here only states of the two lowest faces are dealt."""

    class Two(LiarsDice):
        def deals(self, n: int) -> Iterator[tuple[float, Table]]:
            for a, b in product((1, 2), repeat=2):
                yield 0.25, Table((1, 1), ((a,), (b,)), ((0, 2, 3),), 1, (), Chance(0))

    game = Two(dice=1)
    tree = tree_of_game(game)
    solution = solve(tree, iterations=400, target=1e-6)
    assert solution.value == pytest.approx(-1)  # two threes cannot be: call
    for state in range(len(tree.keys)):
        if tree.owner[state] == 1 and '"bids": [["1", 2, 3]]' in tree.keys[state]:
            place = tree.offset[state] + tree.actions[state] - 1
            assert solution.strategy[place] == pytest.approx(1, abs=1e-3)  # the call is listed last
    assert bid_rank(2, 3) == 8 and Move("call") == CALL


# --------------------------------------------------------------------- policies


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "liars_dice", "openspiel:kuhn_poker(players=3)", "openspiel:liars_dice"],
)
def test_games_without_an_equilibrium_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="there is no equilibrium strategy"):
        check_solvable(make_game(name))
    with pytest.raises(ConfigurationError, match="openspiel:kuhn_poker"):
        layout(make_game(name))


def test_a_game_that_does_not_list_its_luck_has_no_tree() -> None:
    with pytest.raises(ConfigurationError, match="does not list how its luck can fall"):
        tree_of_game(make_game("tictactoe"))
    with pytest.raises(ConfigurationError, match="too large"):
        build_tree(0, _doubling)


def _doubling(depth: int) -> Any:
    from ludometer.solvers.cfr_trees import Branch

    return Branch(0, f"{depth}", [depth + 1] * 1000)


def test_a_strategy_is_kept_on_disk_and_found_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = OpenSpiel("kuhn_poker")
    first = solved(game)
    monkeypatch.setattr(cfr_policies, "_policies", {})
    monkeypatch.setattr(cfr_policies, "_solve_to_disk", lambda game: pytest.fail("it was solved again"))
    again = solved(game)
    assert first.exploitability == again.exploitability <= 1e-4
    assert first.value == pytest.approx(-1 / 18, abs=1e-3)
    assert np.array_equal(first.odds, again.odds)
    tree = layout(game)
    assert exploitability(tree, first.strategy(tree)) == pytest.approx(first.exploitability)


def test_every_position_of_a_game_is_known_to_its_strategy() -> None:
    game = OpenSpiel("leduc_poker")
    policy = asyncio.run(policy_of(game))
    for seed in range(20):
        chance = Chance.from_seed(seed)
        state = game.new(2, chance)
        while seats := game.to_act(state):
            odds = policy.probabilities(key_of(game, game.observe(state, seats[0])))
            assert len(odds) == len(game.legal(state, seats[0])) and odds.sum() == pytest.approx(1)
            move, chance = chance.choice(list(game.legal(state, seats[0])))
            state = game.apply(state, {seats[0]: move})
    with pytest.raises(InternalError, match="does not know"):
        policy.probabilities("0|nothing")
    assert isinstance(policy, Policy) and len(viewers(game, 2)) == 4
