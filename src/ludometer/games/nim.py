"""Nim with any piles. Rules from OpenSpiel's ``nim``, whose default, as here, is misère play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, fields, label, picture, shown, whole
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_NUMBER = r"([-−]?\d{1,4})"
_GAP = r"[^\w−-]{0,9}"
_MOVE = re.compile(rf"pile{_GAP}{_NUMBER}\W{{1,9}}(?:and\W{{1,9}})?(?:take|remove){_GAP}{_NUMBER}", re.I | re.A)
_TURNED = re.compile(
    rf"(?:take|remove){_GAP}{_NUMBER}\W{{1,9}}(?:(?:objects?|items?|stones?)\W{{1,9}})?from\W{{1,9}}pile{_GAP}"
    rf"{_NUMBER}",
    re.I | re.A,
)
_IN_PROSE = re.compile(rf"\b(?:{_MOVE.pattern}|{_TURNED.pattern})(?!\w|[.,]\d)", re.I | re.A)
_SIZES = re.compile(r"\s*\d{1,3}(?:\s*[,;+\s-]\s*\d{1,3}){0,9}\s*", re.ASCII)


class Nim(BoardGame):
    """Nim.

    Args:
        piles: sizes of the piles, such as ``1,3,5,7``: 2 to 10 piles of 1 to 50.
        misere: whoever takes the last object loses (the engine's default); otherwise wins.
    """

    name: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim"
    seats: ClassVar[tuple[Seat, ...]] = ("first", "second")
    titles: ClassVar[tuple[str, ...]] = ("the first player", "the second player")

    def __init__(self, piles: str | list[int] = "1,3,5,7", misere: bool = True) -> None:
        written = piles if isinstance(piles, str) else ",".join(map(str, piles))
        sizes = [int(size) for size in re.findall(r"\d+", written)] if _SIZES.fullmatch(written) else []
        if len(sizes) < 2 or not all(1 <= size <= 50 for size in sizes):
            raise ValueError(f"piles must be 2 to 10 sizes from 1 to 50, such as 1,3,5,7, not {written[:60]!r}")
        self.piles, self.misere = ",".join(map(str, sizes)), misere
        self._sizes = tuple(sizes)
        super().__init__(f"nim(pile_sizes={';'.join(map(str, sizes))},is_misere={misere})")

    def rules(self) -> str:
        sizes = ", ".join(map(str, self._sizes))
        end = (
            "Whoever takes the last object of all loses: leave it to your opponent."
            if self.misere
            else "Whoever takes the last object of all wins."
        )
        return (
            f"You are playing Nim{' (misère play)' if self.misere else ''}. There are {len(self._sizes)} piles, "
            f"numbered from 1; at the start they hold {sizes} objects. The players take turns. In each turn, choose "
            f"one pile that is not empty and take one or more objects from it, up to all that it holds. {end}"
        )

    def reason(self, state: SpielState) -> str:
        last = self.titles[state.movers[-1][0]] if state.movers else "nobody"
        return f"{last} took the last object"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        pile, take = self._numbers(action.steps[0])
        return f"pile {pile}, take {take}"

    def _numbers(self, action: int) -> tuple[int, int]:
        """Pile and amount, both from 1: the engine's action is (take - 1) * number of piles + pile - 1."""
        take, pile = divmod(action, len(self._sizes))
        return pile + 1, take + 1

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        stated = bare(text)
        if match := _MOVE.fullmatch(stated):
            return self._move(state, _number(match[1]), _number(match[2]))
        if match := _TURNED.fullmatch(stated):
            return self._move(state, _number(match[2]), _number(match[1]))
        raise Illegal("invalid_format", f"{shown(text)} is not a move; write for example pile 2, take 1")

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [match.group() for match in _IN_PROSE.finditer(text)]

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": {
                "pile": {"type": "integer", "enum": list(range(1, len(self._sizes) + 1))},
                "take": {"type": "integer", "enum": list(range(1, max(self._sizes) + 1))},
            },
            "required": ["pile", "take"],
            "additionalProperties": False,
        }

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        pile, take = self._numbers(action.steps[0])
        return {"pile": pile, "take": take}

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        given = fields(answer)
        if "pile" in given and "take" in given:
            return self._move(state, whole(given["pile"], "pile"), whole(given["take"], "take"))
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as the number of the pile and how many objects to take"

    def _move(self, state: SpielState, pile: int, take: int) -> Move:
        if not 1 <= pile <= len(self._sizes):
            raise Illegal("no_such_pile", f"there is no pile {pile}; piles are numbered 1 to {len(self._sizes)}")
        if take < 1:
            raise Illegal("take_too_few", "you must take at least one object")
        left = self._piles(state)[pile - 1]
        if left == 0:
            raise Illegal("pile_empty", f"pile {pile} is empty")
        if take > left:
            raise Illegal("take_too_many", f"pile {pile} holds only {left}")
        return Move(((take - 1) * len(self._sizes) + pile - 1,))

    def _piles(self, state: SpielState) -> list[int]:
        return [int(size) for size in str(state.engine).split(":")[1].split()]

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        return {"piles": list(self._piles(state))}

    def draw(self, observation: Observation) -> str:
        piles = observation.data["piles"]
        side = len(str(len(piles)))
        return "\n".join(f"pile {str(i).rjust(side)}: {'|' * n or '-'} ({n})" for i, n in enumerate(piles, 1))

    def board_words(self) -> str:
        return (
            "Each line is a pile, one stroke per object, with the number of objects in parentheses; a dash is an "
            "empty pile. The piles now are:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. piles lists how many objects each pile holds, from pile 1 on; last is the "
            "latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The piles are shown in the attached picture, one row per pile with its number on the left and one bar per "
            "object. The piles now are:"
        )

    def svg(self, observation: Observation) -> str:
        height, step, edge = _ROW, _STEP, _LEFT
        parts = []
        for i, size in enumerate(observation.data["piles"]):
            y = 10 + i * height
            parts.append(label(edge / 2, y + height / 2 - 4, str(i + 1), 22))
            parts.append(f'<path d="M{edge} {y + height - 6}H{edge + max(self._sizes) * step}" stroke="#cccccc"/>')
            bars = "".join(f"M{edge + 11 + k * step} {y + 6}V{y + height - 14}" for k in range(size))
            if bars:
                parts.append(f'<path d="{bars}" stroke="#8a4b20" stroke-width="9" stroke-linecap="round"/>')
        return picture(edge + max(self._sizes) * step + 16, 20 + len(self._sizes) * height, "piles", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        """The objects: one of them stands for taking it and all that are to the right of it."""
        return [
            Place(f"pile {i + 1}, take {size - k}", _LEFT + k * _STEP, 10 + i * _ROW, _STEP, _ROW - 8, "")
            for i, size in enumerate(observation.data["piles"])
            for k in range(size)
        ]

    def parts(self, observation: Observation, notation: str, action: Move) -> Sequence[str]:
        return notation.split(", ")


_ROW, _STEP, _LEFT = 54, 22, 56


def _number(text: str) -> int:
    return int(text.replace("−", "-"))
