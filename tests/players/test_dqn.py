"""The player that learned UNO: what it sees, what it makes of it, and how often it wins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludometer
from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games.uno import Uno
from ludometer.games.uno.state import Options, State
from ludometer.players import _uno_seen as seen
from ludometer.players._q_network import ARRAYS, QNetwork, load_network, network_bytes, rounded_network
from ludometer.players._uno_features import FEATURES, RENAMINGS, action_values, encode
from ludometer.players.dqn import PACKAGED, DqnPlayer, action_number, row_of
from ludometer.testing import check_player
from ludometer.training.uno_games import named_decks
from ludometer.training.uno_strength import TEST, network_policy, strength
from ludometer.training.uno_tables import Tables

PAPER = 0.574
"""The deep Q-network's winning rate in Qin et al. (2024), table 2: against random players that move first."""

OTHER = {"two_player_reverse": "pass", "drawn_card": "may_play"}
FIRST = np.zeros(1, dtype=np.int64)


def network() -> QNetwork:
    return load_network(PACKAGED, FEATURES)


def decisions(n: int, options: dict[str, Any], seed: int) -> Iterator[tuple[Uno, State, Tables]]:
    """Every decision of a random game: under the rules, and in a batch of one as in training."""
    game = Uno(**options)
    chance, luck = Chance.from_seed("rows").named(n), random.Random(seed)
    state = game.new(n, chance.named("deck", seed))
    tables = Tables(named_decks(chance, seed + 1)[seed:], n, Options(**options))
    while seats := game.to_act(state):
        yield game, state, tables
        action = luck.choice(game.legal(state, seats[0]))
        state = game.apply(state, {seats[0]: action})
        tables.step(FIRST, np.array([action_number(action)]))
    assert tables.over.all()


@pytest.mark.parametrize("options", [{}, OTHER], ids=["default", "other"])
@pytest.mark.parametrize("n", [2, 3, 10])
def test_it_sees_in_play_what_it_saw_in_training(n: int, options: dict[str, Any]) -> None:
    phases = set()
    for seed in range(4):
        for game, state, tables in decisions(n, options, seed):
            row = row_of(game.observe(state, game.to_act(state)[0]))
            assert np.array_equal(row, tables.rows(FIRST)[0]), state.history[-4:]
            legal = seen.legal_mask(row[None])[0]
            assert sorted(map(action_number, game.legal(state, "1"))) == np.flatnonzero(legal).tolist()
            phases.add(state.phase)
    assert {"card", "colour", "challenge"} | ({"drawn"} if options else set()) == phases


def test_what_is_hidden_does_not_reach_it() -> None:
    game = Uno()
    for one, other, seat in game.swap_hidden():
        assert one != other
        assert np.array_equal(row_of(game.observe(one, seat)), row_of(game.observe(other, seat)))
    for i, (game, state, _) in enumerate(decisions(3, {}, 7)):
        (seat,) = game.to_act(state)
        imagined = game.determinize(state, seat, Chance.from_seed(i))
        assert np.array_equal(row_of(game.observe(imagined, seat)), row_of(game.observe(state, seat)))


def test_a_row_by_hand() -> None:
    """Red 5 on top; the seat holds Red 5, Blue 9 and a Wild; two cards left in the next hand, one of them not red."""
    row = np.zeros(seen.WIDTH, dtype=np.uint8)
    row[[5, 39 + 9, 52]] = 1
    row[seen.UNSEEN] = seen.DECK_COUNTS - row[seen.HAND]
    row[5 + 54] -= 1
    row[[seen.TOP, seen.NEXT, seen.PREVIOUS, seen.SMALLEST, seen.PILE, seen.SEATS]] = 5, 2, 2, 2, 90, 2
    row[seen.BARRED_NEXT] = row[seen.BARRED_PREVIOUS] = 1, 0, 0, 0
    assert np.flatnonzero(seen.legal_mask(row[None])[0]).tolist() == [5, 52]
    blue = encode(row[None], np.array([5]), 0)[0]  # after Red 5 red is in force: the order of the others is as it was
    assert np.flatnonzero(blue[:54]).tolist() == [39 + 9, 52]
    assert blue[-14:-6].tolist() == [0.5, 0, 0, 0] * 2
    second = encode(row[None], np.array([5]), RENAMINGS - 1)[0]  # blue is called the second colour
    assert np.flatnonzero(second[:54]).tolist() == [13 + 9, 52]


def test_what_is_encoded_is_the_table_after_the_action() -> None:
    """A wild card leaves the colour as it is; the one chosen next is then the first, and what was known moves along."""
    row = np.zeros(seen.WIDTH, dtype=np.uint8)
    row[[5, 18, 53]] = 1, 2, 1
    row[[seen.TOP, seen.NEXT, seen.PREVIOUS, seen.SMALLEST, seen.SEATS]] = 3, 4, 4, 4, 2
    row[seen.BARRED_NEXT] = 0, 0, 3, 0
    wild = encode(row[None], np.array([53]), 0)[0]
    assert np.flatnonzero(wild[:54]).tolist() == [5, 18] and np.flatnonzero(wild[54:108]).tolist() == [18]
    row[53] = 0
    row[[seen.TOP, seen.PHASE]] = 53, seen.PHASES.index("colour")
    green = encode(row[None], np.array([seen.FIRST_COLOUR + 2]), 0)[0]
    assert np.flatnonzero(green[:54]).tolist() == [13 + 5, 26 + 5]  # green, red, yellow, blue
    assert green[-14:-10].tolist() == [0.75, 0, 0, 0]
    assert not np.array_equal(green, encode(row[None], np.array([seen.FIRST_COLOUR + 1]), 0)[0])


def _renamed(rows: seen.Rows, names: list[int]) -> seen.Rows:
    """The rows with colour ``i`` called ``names[i]``."""
    card = np.array([13 * names[k // 13] + k % 13 for k in range(52)] + [52, 53])
    found = rows.copy()
    for part in (seen.HAND, seen.UNSEEN):
        found[:, part][:, card] = rows[:, part]
    for part in (seen.BARRED_NEXT, seen.BARRED_PREVIOUS):
        found[:, part][:, names] = rows[:, part]
    for column in (seen.TOP, seen.DRAWN):
        found[:, column] = card[rows[:, column]]
    for column in (seen.COLOUR, seen.BEFORE):
        found[:, column] = np.array(names)[rows[:, column]]
    return found


@pytest.mark.parametrize("names", [[1, 2, 3, 0], [0, 2, 1, 3], [3, 1, 2, 0]])
def test_names_of_colours_do_not_matter(names: list[int]) -> None:
    rows = np.stack([tables.rows(FIRST)[0] for seed in range(3) for _, _, tables in decisions(2, OTHER, seed)])
    card = [13 * names[k // 13] + k % 13 for k in range(52)]
    action = [*card, 52, 53, 54, *(55 + name for name in names), 59, 60]
    values, renamed = (
        action_values(network().values, seen_by, range(RENAMINGS)) for seen_by in (rows, _renamed(rows, names))
    )
    assert np.allclose(renamed[:, action], values, atol=1e-5)


# --------------------------------------------------------------------- weights


def test_the_weights_ship_and_are_small() -> None:
    assert PACKAGED.stat().st_size < 300_000
    assert DqnPlayer()._network is DqnPlayer()._network  # read once


def test_a_network_survives_its_file(tmp_path: Path) -> None:
    arrays = dict(zip(ARRAYS, network(), strict=True))
    path = tmp_path / "copy.npz"
    path.write_bytes(network_bytes(arrays))
    assert path.read_bytes() == network_bytes(arrays)
    loaded = load_network(path, FEATURES)
    assert all(np.array_equal(*pair) for pair in zip(loaded, rounded_network(arrays), strict=True))
    assert isinstance(DqnPlayer(path), DqnPlayer)


def _broken(kind: str) -> bytes:
    arrays = dict(zip(ARRAYS, network(), strict=True))
    if kind == "shape":
        return network_bytes({**arrays, "w0": arrays["w0"][:-1]})
    if kind == "not a number":
        return network_bytes({**arrays, "b0": np.full_like(arrays["b0"], np.nan)})
    return {"empty": b"", "text": b"weights", "cut off": network_bytes(arrays)[:5000]}[kind]


@pytest.mark.parametrize("kind", ["empty", "text", "cut off", "shape", "not a number"])
def test_other_files_are_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    path.write_bytes(_broken(kind))
    with pytest.raises(ConfigurationError, match="holds no network"):
        DqnPlayer(path)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no file of weights"):
        ludometer.play("uno", ["random", f"dqn:weights={tmp_path / 'nothing.npz'}"])


def test_objects_in_a_file_are_not_made(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, **{name: np.array([Path("x")], dtype=object) for name in ARRAYS}, allow_pickle=True)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="ValueError"):
        DqnPlayer(path)


# ------------------------------------------------------------------------ play


def test_it_holds_to_the_contract() -> None:
    check_player(DqnPlayer, "uno", matches=2)


@pytest.mark.parametrize("n", [2, 4, 10])
@pytest.mark.parametrize("options", [{}, {**OTHER, "last_card_effect": True, "forced_draw": "ask"}], ids=["", "other"])
def test_it_plays_every_table(n: int, options: dict[str, Any]) -> None:
    match = ludometer.play("uno", ["random"] * (n - 1) + ["dqn"], options=options, seed=n)
    assert match.scores() is not None
    own = [attempt for attempt in match.attempts if attempt.seat == str(n)]
    assert own and all(attempt.verdict.is_legal for attempt in own)
    assert any("expected share" in attempt.decision.rationale for attempt in own)


def test_it_refuses_other_games() -> None:
    with pytest.raises(ConfigurationError, match="dqn plays uno, not tictactoe"):
        DqnPlayer().supports(make_game("tictactoe"))
    with pytest.raises(ConfigurationError, match="dqn plays uno"):
        ludometer.play("nim", ["dqn", "random"])


def test_it_wins_more_than_the_published_one() -> None:
    found = strength(network_policy(network()), TEST.named("quick"), 400)
    assert found.mean > PAPER


@pytest.mark.slow
def test_it_wins_more_than_the_published_one_on_five_thousand_decks() -> None:
    found = strength(network_policy(network()), TEST, 5000)
    assert found.games == 5000
    assert found.low > PAPER


@pytest.mark.slow
def test_it_wins_at_larger_tables_too() -> None:
    for n in (3, 5, 10):
        assert strength(network_policy(network()), TEST, 2000, n=n).low > 1 / n


def test_random_play_is_no_better_second_than_first() -> None:
    """The measure itself: with a policy that plays at random, the last seat wins about half."""
    luck = np.random.default_rng(1)

    def at_random(rows: seen.Rows) -> np.ndarray:
        return np.argmax(seen.legal_mask(rows) * (1 - luck.random((len(rows), seen.ACTIONS))), axis=1)

    found = strength(at_random, TEST, 1500)
    assert 0.43 < found.mean < 0.53
