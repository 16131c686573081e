"""A game and a player of your own in one file, checked and played.

Two players call a number from 1 to 3, at the same time. If the sum is even, "even" wins; if not, "odd" does.

Run it:  python examples/own_game.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from ludometer.core import (
    Chance,
    Decision,
    Event,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    Turn,
    View,
    Viewer,
)
from ludometer.matches import Match, play
from ludometer.players.random import RandomPlayer
from ludometer.testing import check_game, check_player

SEATS = ("even", "odd")


class Calls(NamedTuple):
    """The state: the numbers called, one per seat, or none yet."""

    numbers: tuple[int, ...] = ()


class EvenOdd(Game[Calls, int]):
    """Args:
    highest: the highest number that may be called.
    """

    name: ClassVar[str] = "even_odd"
    title: ClassVar[str] = "Even or odd"

    def __init__(self, highest: int = 3) -> None:
        super().__init__()
        self.highest = highest

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(seat, title=f"player {seat}") for seat in SEATS)

    def new(self, n: int, chance: Chance) -> Calls:
        return Calls()

    def to_act(self, state: Calls) -> tuple[Seat, ...]:
        return () if state.numbers else SEATS  # both at once

    def legal(self, state: Calls, seat: Seat) -> Sequence[int]:
        return range(1, self.highest + 1)

    def check(self, state: Calls, seat: Seat, action: int) -> None:
        if not 1 <= action <= self.highest:
            raise Illegal("out_of_bounds", f"call a number from 1 to {self.highest}, not {action}")

    def apply(self, state: Calls, moves: Mapping[Seat, int]) -> Calls:
        return Calls(tuple(moves[seat] for seat in SEATS))

    def outcome(self, state: Calls) -> Outcome | None:
        if not state.numbers:
            return None
        winner = SEATS[sum(state.numbers) % 2]
        return Outcome({seat: float(seat == winner) for seat in SEATS}, f"the sum is {winner}")

    def max_steps(self) -> int:
        return 1

    def format(self, state: Calls, action: int) -> str:
        return str(action)

    def parse(self, state: Calls, seat: Seat, text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
            raise Illegal("invalid_format", f"{digits[:40]!r} is not a number")
        return int(digits)

    def rules(self) -> str:
        return (
            f"Two players call a number from 1 to {self.highest} at the same time. If the sum of both is even, player "
            "even wins; otherwise player odd wins."
        )

    def observe(self, state: Calls, viewer: Viewer) -> Observation:
        return Observation(
            viewer=viewer,
            data={"numbers": list(state.numbers)},
            events=tuple(Event(seat, str(number)) for seat, number in zip(SEATS, state.numbers, strict=False)),
            to_act=self.to_act(state),
        )

    def views(self) -> Mapping[str, View]:
        return {
            "words": View(
                "words",
                lambda o: "What was called so far:",
                lambda o: " and ".join(map(str, o.data["numbers"])) or "nothing yet",
            )
        }

    def dump(self, state: Calls) -> Json:
        return {"numbers": list(state.numbers)}

    def load(self, data: Json) -> Calls:
        return Calls(tuple(data["numbers"]))


class AlwaysHighest:
    """Calls the last of the legal moves."""

    name: ClassVar[str] = "highest"

    async def act(self, turn: Turn) -> Decision:
        return Decision((turn.legal or [])[-1])


def main() -> None:
    check_game(EvenOdd())
    check_player(AlwaysHighest())
    wins = 0.0
    for number in range(300):
        match = Match(EvenOdd(), seed=number)
        asyncio.run(play(match, {"even": AlwaysHighest(), "odd": RandomPlayer()}))
        scores = match.scores()
        assert scores is not None
        wins += scores["even"]
    print(f"always calling 3 against random numbers: {wins:g} of 300 games won")


if __name__ == "__main__":
    main()
