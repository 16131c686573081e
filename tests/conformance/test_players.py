"""Players that need nothing but a turn hold to the contract."""

from __future__ import annotations

import pytest

from ludometer.core import GAMES
from ludometer.players.random import RandomPlayer
from ludometer.testing import check_player


@pytest.mark.parametrize("name", sorted(GAMES.all()))
def test_the_random_player_plays_every_game(name: str) -> None:
    check_player(RandomPlayer, name, matches=2)
