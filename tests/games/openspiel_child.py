"""Checks one OpenSpiel game in a process of its own, because some crash, print or never end.

Run as ``python openspiel_child.py GAME MODE``: prints ``OK``, or why not, as the last line. Games that are recorded as
not playable are tried all the same. Modes:

- ``play``: `check_game`.
- ``imagine``: `check_game` with states imagined, whether or not that is recorded to work, and many pairs of states that
  a seat must not tell apart, each imagined several times.
"""

from __future__ import annotations

import sys

from ludometer.core import Chance, make_game
from ludometer.games import openspiel
from ludometer.games._openspiel_hidden import twins
from ludometer.testing import check_game

_SHORT = 150
"""Decisions up to which a game is checked several times."""


def verdict(name: str, mode: str) -> str:
    """``OK``, or why not, on one line."""
    openspiel.NOT_PLAYABLE = {}
    openspiel._imaginable = lambda rules: mode == "imagine"
    try:
        game = make_game(f"openspiel:{name}")
        assert isinstance(game, openspiel.OpenSpiel)
        check_game(game, matches=4 if game.max_steps() <= _SHORT else 1)
        if mode == "imagine":
            imagine(game)
    except Exception as error:  # whatever it is, it is the answer
        return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
    return "OK"


def imagine(game: openspiel.OpenSpiel) -> None:
    """Imagines both states of many pairs; what is imagined must be the same."""
    for seed in range(20):
        chance = Chance.from_seed("imagine").named(seed)
        for pair in twins(game.engine_rules, chance, wanted=12):
            seat = game.seats[pair.player]
            for i in range(3):
                states = [game.recorded(history, chance) for history in (pair.one, pair.other)]
                one, other = (game.determinize(state, seat, chance.named(i)) for state in states)
                assert one.history == other.history, f"{pair} is told apart"
                assert game.observe(one, seat) == game.observe(states[0], seat), f"{pair} is seen otherwise"


if __name__ == "__main__":
    print("\n" + verdict(sys.argv[1], sys.argv[2]))
