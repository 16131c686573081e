"""Mancala (Kalah with six pits and four seeds each). Rules from OpenSpiel's ``mancala``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, fields, label, picture, shown, whole
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_PIT = re.compile(r"(?:pit\.?\s{0,9}[#:=]?\s{0,9})?([-−]?\d{1,4})", re.IGNORECASE | re.ASCII)
_IN_PROSE = re.compile(r"(?:\bpit\b\W{0,9}?(?:is\s{1,9})?)?(?<![\w.,−-])[-−]?\d{1,4}(?!\w|[.,]\d)", re.I | re.A)
_PITS = {"first": range(1, 7), "second": range(8, 14)}
_STORES = {"first": 7, "second": 0}


class Mancala(BoardGame):
    """Mancala in the form known as Kalah(6,4)."""

    name: ClassVar[str] = "mancala"
    title: ClassVar[str] = "Mancala (Kalah)"
    seats: ClassVar[tuple[Seat, ...]] = ("first", "second")
    titles: ClassVar[tuple[str, ...]] = ("the first player (pits 1 to 6)", "the second player (pits 8 to 13)")

    def __init__(self) -> None:
        super().__init__("mancala")

    def rules(self) -> str:
        return (
            "You are playing mancala (Kalah) with two rows of six pits and two stores. Everything is numbered "
            "counterclockwise: 1 to 6 are the first player's pits (the lower row, from left to right), 7 is the first "
            "player's store (on the right), 8 to 13 are the second player's pits (the upper row, from right to left), "
            "and 0 is the second player's store (on the left). At the start every pit holds 4 seeds and the stores are "
            "empty. In a turn, choose a pit of your own that is not empty, take all its seeds and sow them one by one "
            "into the following numbers in ascending order (after 13 comes 0), leaving out your opponent's store. If "
            "the last seed falls into your own store, you move again. If the last seed falls into an empty pit of your "
            "own and the opposite pit (pit P is opposite to pit 14 - P) holds seeds, that last seed and all seeds of "
            "the opposite pit go to your store. The game ends as soon as all six pits of either player are empty; the "
            "seeds left in the other player's pits then count for that other player. Whoever has more seeds wins; "
            "equal numbers are a draw."
        )

    def reason(self, state: SpielState) -> str:
        first, second = self._totals(self._board(state))
        if not self._ended(state):
            return f"the game was stopped after {self.max_steps()} moves"
        return f"one side is empty; seeds: first player {first}, second player {second}"

    # --------------------------------------------------------------- notation

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _PIT.fullmatch(bare(text))
        if match is None:
            raise Illegal("invalid_format", f"{shown(text)} names no pit; write its number")
        return self._pit(state, seat, int(match[1].replace("−", "-")))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return _IN_PROSE.findall(text)

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": {"pit": {"type": "integer", "enum": list(_PITS[seat])}},
            "required": ["pit"],
            "additionalProperties": False,
        }

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        return {"pit": action.steps[0]}

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        given = fields(answer)
        if "pit" in given:
            return self._pit(state, seat, whole(given["pit"], "pit"))
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return f"as the number of one of your pits ({_PITS[seat][0]} to {_PITS[seat][-1]})"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return {"pit": 3}, "3"

    def _pit(self, state: SpielState, seat: Seat, number: int) -> Move:
        own = _PITS[seat]
        if number in _STORES.values():
            raise Illegal("store", f"{number} is a store; choose one of your pits, {own[0]} to {own[-1]}")
        if not 1 <= number <= 13:
            raise Illegal("out_of_bounds", f"there is no pit {number}; your pits are {own[0]} to {own[-1]}")
        if number not in own:
            raise Illegal("not_your_pit", f"pit {number} is your opponent's; your pits are {own[0]} to {own[-1]}")
        move = self.chosen(state, number)
        if move is None:
            raise Illegal("pit_empty", f"pit {number} is empty")
        return move

    def _board(self, state: SpielState) -> list[int]:
        """Seeds by number, 0 to 13."""
        upper, stores, lower = ([int(n) for n in re.findall(r"\d+", line)] for line in self.lines(state)[:3])
        return [stores[0], *lower, stores[1], *reversed(upper)]

    def _totals(self, board: Sequence[int]) -> tuple[int, int]:
        return sum(board[1:8]), board[0] + sum(board[8:])

    def _ended(self, state: SpielState) -> bool:
        board = self._board(state)
        return not any(board[1:7]) or not any(board[8:])

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        board = self._board(state)
        return {
            "pits": {
                "first": {str(pit): board[pit] for pit in _PITS["first"]},
                "second": {str(pit): board[pit] for pit in _PITS["second"]},
            },
            "stores": {"first": board[7], "second": board[0]},
        }

    def draw(self, observation: Observation) -> str:
        pits, stores = observation.data["pits"], observation.data["stores"]

        def row(values: Sequence[object]) -> str:
            return " " * 11 + "".join(str(value).rjust(5) for value in values)

        upper = list(reversed(pits["second"].items()))
        lower = list(pits["first"].items())
        return "\n".join(
            [
                row([f"#{pit}" for pit, _ in upper]),
                row([n for _, n in upper]),
                f"store #0: {stores['second']}".ljust(44) + f"store #7: {stores['first']}",
                row([n for _, n in lower]),
                row([f"#{pit}" for pit, _ in lower]),
            ]
        )

    def board_words(self) -> str:
        return (
            "The board is drawn as text: the second player's pits in the upper row, the first player's in the lower "
            "row, the stores between them. Numbers with # are names of pits and stores, the others are seeds. The "
            "board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. pits gives, for each player, the number of seeds in every pit, and stores "
            "the seeds in the stores; last is the pit of the latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture: the second player's pits in the upper row, the first player's "
            "in the lower row, the stores on the left (second player) and on the right (first player). The large "
            "numbers are seeds, the small ones outside are the numbers of the pits; the pit of the latest move has a "
            "red rim. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        pits, stores, last = observation.data["pits"], observation.data["stores"], observation.data["last"]
        parts = ['<rect x="8" y="30" width="624" height="200" rx="30" fill="#b98a5a"/>']
        for x, seat, name in ((26, "second", "0"), (552, "first", "7")):
            parts.append(f'<rect x="{x}" y="50" width="62" height="160" rx="30" fill="#e9d3b0"/>')
            parts += [label(x + 31, 130, str(stores[seat]), 28), label(x + 31, 248, name, 15)]
        for i, x in enumerate(_COLUMNS):
            for y, seat, name, edge in ((88, "second", str(13 - i), 14), (172, "first", str(i + 1), 248)):
                rim = ' stroke="#d43a32" stroke-width="4"' if last == name else ""
                parts.append(f'<circle cx="{x}" cy="{y}" r="32" fill="#e9d3b0"{rim}/>')
                parts += [label(x, y, str(pits[seat][name]), 26), label(x, edge, name, 15)]
        return picture(640, 262, "mancala board", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        pits = observation.data["pits"]
        named = [(x, 88, "second", str(13 - i)) for i, x in enumerate(_COLUMNS)]
        named += [(x, 172, "first", str(i + 1)) for i, x in enumerate(_COLUMNS)]
        return [Place(name, x - 34, y - 34, 68, 68, f"{pits[seat][name]} seeds") for x, y, seat, name in named]


_COLUMNS = tuple(136 + 74 * i for i in range(6))
