"""Encodings: numbers that mean one action, masks of exactly the legal ones, tensors that tell no seat too much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludometer.core import GAMES, AnyGame, Chance, ConfigurationError, Illegal, make_game
from ludometer.envs.encoding import BYTES, Listed, encoding_of
from ludometer.matches import Match

OPTIONS: dict[str, dict[str, Any]] = {"poker": {"sizes": "few"}}
NO_ENCODING = {"debate", "gandalf", "mathquiz", "pyjail"}
"""Their answers are text."""
GAMES_HERE = sorted(set(GAMES.all()) - NO_ENCODING)
MORE = ["openspiel:matrix_rps", "openspiel:leduc_poker", "openspiel:backgammon", "openspiel:goofspiel"]


def game_of(name: str) -> AnyGame:
    return make_game(name, OPTIONS.get(name, {}))


@pytest.mark.parametrize("name", [*GAMES_HERE, *MORE])
def test_numbers_and_actions_are_one_to_one(name: str) -> None:
    game = game_of(name)
    n = game.players[0]
    encoding = encoding_of(game, n)
    state, luck = game.new(n, Chance.from_seed(name)), Chance.from_seed("moves")
    for step in range(25):
        seats = game.to_act(state)
        moves = {}
        for seat in game.contestants(n):
            mask, tensor = encoding.mask(state, seat), encoding.tensor(state, seat)
            assert mask.shape == (encoding.size,) and tensor.shape == encoding.shape and tensor.dtype == np.float32
            assert np.isfinite(tensor).all() and tensor.min() >= encoding.low and tensor.max() <= encoding.high
            if seat not in seats:
                assert not mask.any()
                continue
            legal = list(game.legal(state, seat) or ())
            marked = [encoding.action(state, seat, int(i)) for i in np.flatnonzero(mask)]
            assert len(marked) == len(legal) and all(action in legal for action in marked)
            assert [encoding.index(state, seat, action) for action in marked] == list(np.flatnonzero(mask))
            for index in (-1, encoding.size):
                with pytest.raises(Illegal):
                    encoding.action(state, seat, index)
            moves[seat] = game.sample(state, seat, luck.named(step, seat))
        if not seats:
            break
        state = game.apply(state, moves)


@pytest.mark.parametrize("name", [name for name in [*GAMES_HERE, *MORE] if not game_of(name).perfect_information])
def test_what_is_hidden_does_not_show(name: str) -> None:
    game = game_of(name)
    pairs = game.swap_hidden()
    assert pairs or name == "openspiel:matrix_rps"
    for one, other, seat in pairs:
        encoding = encoding_of(game)
        assert np.array_equal(encoding.tensor(one, seat), encoding.tensor(other, seat))
        assert np.array_equal(encoding.mask(one, seat), encoding.mask(other, seat))


def test_tictactoe_planes_are_the_board() -> None:
    match = Match(make_game("tictactoe"), opening=["1,1", "2,2"])
    encoding = encoding_of(match.game)
    own, other, empty = encoding.tensor(match.state, "X")
    assert own[0, 0] == other[1, 1] == 1 and own.sum() == other.sum() == 1 and empty.sum() == 7
    assert np.array_equal(encoding.tensor(match.state, "O")[0], other)
    assert encoding.mask(match.state, "X").tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert encoding.stable and not encoding_of(make_game("checkers")).stable


def test_a_listed_game_gives_the_text_a_model_reads() -> None:
    game = make_game("checkers")
    encoding = encoding_of(game)
    assert isinstance(encoding, Listed)
    state = game.new(2, Chance.from_seed(0))
    seat = game.to_act(state)[0]
    view = next(view for view in game.views().values() if view.kind == "text")
    text = view.render(game.observe(state, seat))
    written = bytes(int(value) for value in encoding.tensor(state, seat)).lstrip(b"\0").decode()
    assert written == text[-BYTES:]


@pytest.mark.parametrize("name", ["debate", "poker", "gandalf"])
def test_games_whose_answers_are_not_listed_say_so(name: str) -> None:
    with pytest.raises(ConfigurationError, match="train on its texts"):
        encoding_of(make_game(name))


def test_a_game_may_bring_its_own() -> None:
    game = make_game("nim")
    marker = encoding_of(make_game("tictactoe"))
    game.encoding = lambda n: marker  # type: ignore[attr-defined]
    assert encoding_of(game) is marker
