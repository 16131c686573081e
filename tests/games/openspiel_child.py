"""Checks one OpenSpiel game in a process of its own, because some crash, print or never end.

Run as ``python openspiel_child.py NAME play|imagine``: prints ``OK``, or why not, as the last line. The games that are
recorded as not playable are tried all the same. With ``imagine`` the game's states are also imagined, whether or not
that is recorded to work.
"""

from __future__ import annotations

import sys

from ludometer.core import make_game
from ludometer.games import openspiel
from ludometer.testing import check_game


def verdict(name: str, mode: str) -> str:
    """``OK``, or why not, on one line."""
    openspiel.NOT_PLAYABLE = {}
    openspiel.IMAGINABLE = frozenset({name} if mode == "imagine" else ())
    try:
        check_game(make_game(f"openspiel:{name}"), matches=2)
    except Exception as error:  # whatever it is, it is the answer
        return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
    return "OK"


if __name__ == "__main__":
    print("\n" + verdict(sys.argv[1], sys.argv[2]))
