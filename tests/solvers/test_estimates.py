"""Evaluators by name and options, and the names under which values are kept."""

from __future__ import annotations

import pytest

from ludometer.core import ConfigurationError
from ludometer.games.connect4 import ConnectFour
from ludometer.games.tictactoe import TicTacToe
from ludometer.games.uno import Uno
from ludometer.solvers import EVALUATORS
from ludometer.solvers.estimates import best_evaluator, evaluator_spec, is_evaluator, named_evaluator, sees_hidden


@pytest.mark.parametrize("name", EVALUATORS.all())
def test_the_name_of_values_leads_back_to_the_evaluator(name: str) -> None:
    evaluator = named_evaluator(name)
    spec = evaluator_spec(evaluator)
    assert evaluator_spec(named_evaluator(spec)) == spec
    assert len(spec) <= 64, "the column is that wide"
    assert is_evaluator(spec, name) and is_evaluator(spec, spec)


def test_names_have_all_options_that_bear_on_the_values() -> None:
    assert evaluator_spec(named_evaluator("mcts")) == "mcts:simulations=400"
    assert evaluator_spec(named_evaluator("mcts:simulations=50")) == "mcts:simulations=50"
    assert evaluator_spec(named_evaluator("mnk")) == "mnk"
    known = evaluator_spec(named_evaluator("stockfish:path=/elsewhere/stockfish"))
    assert known == evaluator_spec(named_evaluator("stockfish")) and "path" not in known


def test_a_word_that_reads_as_a_truth_value_may_be_a_word() -> None:
    omniscient = named_evaluator("uno_omniscient:pile=true,rollouts=30")
    assert evaluator_spec(omniscient) == "uno_omniscient:rollouts=30,pile=true,limit=0"
    assert "pile=reshuffled" in evaluator_spec(named_evaluator("uno_omniscient:pile=reshuffled"))


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("mtcs", "there is no evaluator 'mtcs'; did you mean 'mcts'"),
        ("mcts:simulation=5", "evaluator mcts has no option 'simulation'; did you mean 'simulations'"),
        ("mcts:simulations=many", "evaluator mcts: option simulations = 'many' is not valid"),
        ("uno_fair:rollouts=0", "evaluator uno_fair: rollouts must be at least 1"),
        ("uno_omniscient:pile=maybe", "evaluator uno_omniscient: option pile = 'maybe' is not valid"),
    ],
)
def test_mistakes_are_told_in_one_sentence(spec: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        named_evaluator(spec)


def test_the_best_evaluator() -> None:
    assert best_evaluator(TicTacToe()).name == "mnk"
    assert best_evaluator(ConnectFour()).name == "connect4"
    assert best_evaluator(ConnectFour(rows=5)).name == "mcts"
    assert best_evaluator(Uno()).name == "uno_fair"
    assert evaluator_spec(best_evaluator(TicTacToe(), "mcts:simulations=7")) == "mcts:simulations=7"


def test_who_sees_hidden_cards() -> None:
    assert sees_hidden("uno_omniscient:rollouts=1000,pile=true,limit=0")
    assert not sees_hidden("uno_fair:rollouts=1000")
    assert not sees_hidden("an evaluator of a plug-in that is gone")


def test_a_name_stands_for_every_choice_of_options() -> None:
    spec = "uno_omniscient:rollouts=500,pile=true,limit=0"
    assert is_evaluator(spec, "uno_omniscient") and is_evaluator(spec, "uno_omniscient:rollouts=500")
    assert not is_evaluator(spec, "uno_omniscient:rollouts=1000")
    assert not is_evaluator(spec, "uno_fair")
