"""Games of UNO in batches, against the plain rules: same decks, same actions, same everything."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.core import Chance
from ludometer.games.uno.cards import DECK
from ludometer.games.uno.state import Options, State, applied, deal, legal_actions, winners
from ludometer.players import _uno_seen as seen
from ludometer.players.dqn import action_number
from ludometer.training.uno_games import generator, named_decks, play_games, shuffled_decks
from ludometer.training.uno_strength import TEST, VALIDATION
from ludometer.training.uno_tables import Tables

OPTIONS = [Options(), Options("pass", "may_play")]


def same(tables: Tables, game: int, state: State, options: Options) -> None:
    won = winners(state, options)
    assert bool(won) == bool(tables.over[game])
    for seat, hand in enumerate(state.hands):
        assert np.array_equal(np.bincount(hand, minlength=54), tables.hands[game, seat])
    if won:
        assert tables.shares[game].tolist() == [(seat in won) / len(won) for seat in range(state.n)]
        return
    assert tables.top[game] == state.top and tables.colour[game] == state.colour
    assert tables.player[game] == state.player and tables.direction[game] == state.direction
    assert seen.PHASES[tables.phase[game]] == state.phase and tables.at[game] == 108 - len(state.pile)
    for seat, absent in enumerate(state.absent):
        excluded = [sum(known >> card & 1 for known in absent) for card in range(54)]
        assert excluded == tables.barred[game, seat].tolist()


def compare(n: int, options: Options, games: int) -> int:
    """Plays the same random games both ways. Returns the number of decisions."""
    chance = Chance.from_seed("tables").named(n)
    states = [deal(n, chance.named("deck", i), options) for i in range(games)]
    tables = Tables(named_decks(chance, games), n, options)
    luck, decisions = random.Random(n), 0
    while True:
        for game, state in enumerate(states):
            same(tables, game, state, options)
        going = np.flatnonzero(~tables.over)
        if not len(going):
            return decisions
        legal = [legal_actions(states[game]) for game in going]
        mask = seen.legal_mask(tables.rows(going))
        for row, actions in zip(mask, legal, strict=True):
            assert sorted(map(action_number, actions)) == np.flatnonzero(row).tolist()
        chosen = [luck.choice(actions) for actions in legal]
        for game, action in zip(going, chosen, strict=True):
            states[game] = applied(states[game], action, options)
        tables.step(going, np.array([action_number(action) for action in chosen]))
        decisions += len(going)


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "other"])
@pytest.mark.parametrize("n", [2, 3, 10])
def test_batches_follow_the_rules(n: int, options: Options) -> None:
    assert compare(n, options, 12) > 200


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "other"])
@pytest.mark.parametrize("n", range(2, 11))
def test_many_batches_follow_the_rules(n: int, options: Options) -> None:
    assert compare(n, options, 150) > 5000


def test_decisions_stand_together_by_game_and_seat() -> None:
    luck = generator(Chance.from_seed("decisions"))
    tables = Tables(shuffled_decks(40, luck), 3)
    chooses = np.zeros((40, 3), dtype=bool)
    chooses[:, 1] = chooses[:20, 0] = True
    played: list[seen.Rows] = []

    def first(rows: seen.Rows) -> np.ndarray:
        played.append(rows)
        return seen.legal_mask(rows).argmax(axis=1)

    decisions = play_games(tables, chooses, first, luck, explore=0.3)
    rows, actions, best, last, shares = decisions
    assert len(rows) == sum(map(len, played)) > 500
    legal = seen.legal_mask(rows)
    assert (legal.sum(axis=1) >= 2).all() and legal[np.arange(len(rows)), actions].all()
    assert (best == legal.argmax(axis=1)).all()
    assert 0.1 < (best != actions).mean() < 0.3
    seats = [(game, seat) for game in range(40) for seat in range(3) if chooses[game, seat]]
    assert last.sum() <= len(seats)
    # Within a seat's decisions the pile never grows, and all have the seat's result.
    ends = np.flatnonzero(last)
    for start, end in zip([0, *ends[:-1] + 1], ends, strict=True):
        assert (np.diff(rows[start : end + 1, seen.PILE].astype(int)) <= 0).all()
        assert len(set(shares[start : end + 1])) == 1
    assert np.isclose(tables.shares.sum(axis=1), 1).all()


def test_decks_of_evaluations_are_their_own() -> None:
    training = [Chance.from_seed(seed).named("training", "dqn-uno").named("round", 0) for seed in ("dqn-uno", 0, 1)]
    decks = [shuffled_decks(300, generator(chance)) for chance in training]
    decks += [named_decks(VALIDATION, 300), named_decks(TEST, 300)]
    assert all(np.array_equal(np.sort(deck), DECK) for part in decks for deck in part)
    assert len({tuple(deck) for part in decks for deck in part}) == 300 * len(decks)
