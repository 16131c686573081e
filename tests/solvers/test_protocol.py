from __future__ import annotations

import pytest

from ludometer.core import ConfigurationError
from ludometer.games.tictactoe import TicTacToe
from ludometer.solvers import EVALUATORS, exact_evaluator
from ludometer.solvers.mnk import MnkEvaluator


def test_evaluators_are_found_by_their_folder() -> None:
    found = EVALUATORS.all()
    assert found["mnk"] is MnkEvaluator
    assert all(cls.covers and cls.name == name for name, cls in found.items())


def test_the_exact_evaluator_of_a_game() -> None:
    assert isinstance(exact_evaluator(TicTacToe(4, 4, line=4)), MnkEvaluator)


def test_a_game_without_one_is_told_what_has_one() -> None:
    with pytest.raises(ConfigurationError, match=r"TicTacToe\(rows=6.*tictactoe on boards of up to 16 cells"):
        exact_evaluator(TicTacToe(6, 6, line=4))
