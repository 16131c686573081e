"""OpenSpiel's matrix games, once or repeated, in words: the payoffs of every pair of choices, and what was chosen."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import pyspiel

from ludometer.core import Observation

__all__ = ["matrix_rules", "matrix_text", "repeated_rules", "repeated_text", "stage_of"]

_SHOWN: Final = 12
"""Rounds that are listed: the prompt must not grow with the game."""


def stage_of(rules: Any) -> Any | None:
    """The matrix game that an engine's game is, or repeats; None for any other game."""
    name = rules.get_type().short_name
    if name == "repeated_game":
        name = rules.get_parameters().get("stage_game", {}).get("name", "")
    return _matrix(name) if name.startswith("matrix_") else None


@lru_cache(maxsize=64)
def _matrix(name: str) -> Any:
    return pyspiel.load_matrix_game(name)


def _payoffs(matrix: Any) -> str:
    """Every pair of choices with both payoffs."""
    pairs = (
        f"{matrix.row_action_name(i)} and {matrix.col_action_name(j)}: {matrix.player_utility(0, i, j):g} and "
        f"{matrix.player_utility(1, i, j):g}"
        for i in range(matrix.num_rows())
        for j in range(matrix.num_cols())
    )
    return "; ".join(pairs)


def matrix_rules(rules: Any) -> str:
    return (
        f"Both players choose once, at the same time. The payoffs by the choices of player 0 and player 1, that of "
        f"player 0 first, are: {_payoffs(stage_of(rules))}."
    )


def repeated_rules(rules: Any) -> str:
    rounds = rules.get_parameters().get("num_repetitions")
    return (
        f"The players choose {rounds} times, both at the same time, and see after each round what the other chose. The "
        f"payoffs of a round by the choices of player 0 and player 1, that of player 0 first, are: "
        f"{_payoffs(stage_of(rules))}. The payoffs of all rounds are added up."
    )


def matrix_text(observation: Observation) -> str:
    if not observation.data["moves"]:
        return "Nobody has chosen yet."
    return "\n".join(f"player {seat[1:]} chose {what}" for seat, what in observation.data["moves"])


def repeated_text(observation: Observation) -> str:
    moves = observation.data["moves"]
    rounds = [moves[i : i + 2] for i in range(0, len(moves), 2)]
    left = max(len(rounds) - _SHOWN, 0)
    lines = [f"({left} earlier rounds left out)"] if left else []
    for number, pair in enumerate(rounds[left:], left + 1):
        lines.append(f"round {number}: " + ", ".join(f"player {seat[1:]} chose {what}" for seat, what in pair))
    return "\n".join(lines or ["No round has been played yet."])
