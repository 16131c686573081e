from __future__ import annotations

import pickle

import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, InternalError, make_game
from ludometer.core.registry import describe_options
from ludometer.games.tictactoe import TicTacToe


def test_a_game_knows_its_options_however_it_was_made() -> None:
    direct = TicTacToe(4, 4, line=4)
    named = make_game("tictactoe", {"rows": 4, "columns": 4, "line": 4})
    assert dict(direct.options) == dict(named.options)
    assert direct.options == {"rows": 4, "columns": 4, "line": 4, "overline": "win", "misere": False}
    assert direct == named and hash(direct) == hash(named)
    assert direct != TicTacToe()
    assert repr(direct) == "TicTacToe(rows=4, columns=4, line=4, overline='win', misere=False)"


def test_a_game_survives_pickling() -> None:
    game = TicTacToe(5, 4, line=4, misere=True)
    read = pickle.loads(pickle.dumps(game))
    assert read == game and (read.rows, read.columns, read.misere) == (5, 4, True)


def test_options_are_converted_and_checked() -> None:
    assert make_game("tictactoe", {"rows": "5"}).options["rows"] == 5
    with pytest.raises(ConfigurationError, match="did you mean 'rows'"):
        make_game("tictactoe", {"rowz": 3})
    with pytest.raises(ConfigurationError, match="overline = 'maybe' is not valid"):
        make_game("tictactoe", {"overline": "maybe"})
    with pytest.raises(ConfigurationError, match="line = 9 does not fit"):
        make_game("tictactoe", {"line": 9})
    with pytest.raises(ConfigurationError, match="did you mean 'tictactoe'"):
        make_game("tictactow")


def test_options_are_described() -> None:
    assert describe_options(TicTacToe)["rows"] == "int = 3"


class Bare(TicTacToe):
    """Has no options of its own and leaves the defaults of `Game` in place."""

    name = "bare"

    def __init__(self) -> None:
        super().__init__()


def test_a_game_without_options() -> None:
    assert Bare().options == {} and Bare() == Bare()
    assert describe_options(Bare) == {}


class Unlisted(Bare):
    def legal(self, state, seat):  # type: ignore[no-untyped-def]
        return None

    check = TicTacToe.__mro__[1].check  # type: ignore[attr-defined]
    sample = TicTacToe.__mro__[1].sample  # type: ignore[attr-defined]


def test_a_game_that_lists_nothing_must_check_and_sample_itself() -> None:
    game = Unlisted()
    state = game.new(2, Chance(0))
    with pytest.raises(InternalError, match="no check"):
        game.check(state, "X", (1, 1))
    with pytest.raises(InternalError, match="no sample"):
        game.sample(state, "X", Chance(0))


class Lucky(Bare):
    title = "Lucky"
    has_luck = True


def test_a_game_with_luck_refuses_searchers_unless_it_can_be_imagined() -> None:
    game = Lucky()
    with pytest.raises(ConfigurationError, match="cannot be searched"):
        game.determinize(game.new(2, Chance(0)), "X", Chance(0))


def test_seats() -> None:
    game = TicTacToe()
    assert game.contestants(2) == ("X", "O")
    assert game.role(2, "O").title == "player O (second player)"
    with pytest.raises(InternalError, match="no seat 'Z'"):
        game.role(2, "Z")


def test_default_check_uses_the_list() -> None:
    class Listed(Bare):
        check = TicTacToe.__mro__[1].check  # type: ignore[attr-defined]

    game = Listed()
    state = game.new(2, Chance(0))
    action = game.legal(state, "X")[0]
    game.check(state, "X", action)
    with pytest.raises(Illegal, match="illegal_move: 1,1 is not a legal move here"):
        game.check(game.apply(state, {"X": action}), "O", action)
