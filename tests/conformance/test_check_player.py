"""`check_player` finds what it is there to find."""

from __future__ import annotations

import random
from functools import partial

import pytest

from ludometer.core import ConfigurationError, Decision, Fault, Turn
from ludometer.games.tictactoe import Cell, TicTacToe
from ludometer.players.random import RandomPlayer
from ludometer.testing import check_player


class Raises:
    async def act(self, turn: Turn) -> Decision:
        raise RuntimeError("oh no")


class ReturnsNothing:
    async def act(self, turn: Turn) -> Decision:
        return None  # type: ignore[return-value]


class Illegally:
    async def act(self, turn: Turn) -> Decision:
        return Decision(Cell(9, 9))


class Undecided:
    async def act(self, turn: Turn) -> Decision:
        assert turn.legal is not None
        return Decision(random.choice(turn.legal))


class Vandal:
    async def act(self, turn: Turn) -> Decision:
        turn.observation.data["board"][0] = "XXX"
        return Decision(turn.sample(turn.chance))


class Counting:
    """Its moves depend on how often it was asked, in whatever match."""

    def __init__(self) -> None:
        self.asked = 0

    async def act(self, turn: Turn) -> Decision:
        self.asked += 1
        assert turn.legal is not None
        return Decision(turn.legal[self.asked % len(turn.legal)])


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (Raises, "failed at step 0: RuntimeError: oh no"),
        (ReturnsNothing, "returned NoneType"),
        (Illegally, "answered badly at step 0: illegal: row 9"),
        (Undecided, "plays otherwise with the same seed"),
        (Vandal, "changed the turn"),
        (Counting(), "plays otherwise|disturb each other"),
    ],
)
def test_a_broken_promise_is_found(player: object, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_player(player)  # type: ignore[arg-type]


class Faulty:
    async def act(self, turn: Turn) -> Decision:
        if turn.attempt == 0:
            return Decision(fault=Fault("empty", "said nothing"))
        return Decision(turn.sample(turn.chance))


def test_allowances() -> None:
    check_player(RandomPlayer)
    check_player(RandomPlayer())
    check_player(partial(RandomPlayer), TicTacToe(4, 4))
    check_player(Undecided, deterministic=False)
    check_player(Faulty, always_legal=False)
    with pytest.raises(AssertionError, match="answered badly"):
        check_player(Faulty)


class Choosy(RandomPlayer):
    @classmethod
    def supports(cls, game: object) -> None:
        raise ConfigurationError("only chess, please")


def test_a_player_that_does_not_play_the_game_says_so() -> None:
    with pytest.raises(ConfigurationError, match="only chess"):
        check_player(Choosy)
