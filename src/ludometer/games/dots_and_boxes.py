"""Dots and boxes. Rules from OpenSpiel's ``dots_and_boxes``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat
from ludometer.games._boards import BoardGame, bare, fields, label, picture, shown, whole
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_MOVE = re.compile(
    r"(?:P[12]\s?\(\s?)?\b(horizontal|vertical|h|v)\W{1,3}(\d{1,2})(?:\s?[,;:]\s?|\s{1,3})(\d{1,2})(?!\w)\)?",
    re.IGNORECASE | re.ASCII,
)
_LINES = {"h": "horizontal", "v": "vertical"}


class DotsAndBoxes(BoardGame):
    """Dots and boxes.

    Args:
        rows, columns: number of boxes each way, 1 to 9.
    """

    name: ClassVar[str] = "dots_and_boxes"
    title: ClassVar[str] = "Dots and boxes"
    seats: ClassVar[tuple[Seat, ...]] = ("first", "second")
    titles: ClassVar[tuple[str, ...]] = ("the first player (1)", "the second player (2)")

    def __init__(self, rows: int = 2, columns: int = 2) -> None:
        if not (1 <= rows <= 9 and 1 <= columns <= 9):
            raise ValueError(f"the board must be between 1x1 and 9x9 boxes, not {rows}x{columns}")
        self.rows, self.columns = rows, columns
        super().__init__(f"dots_and_boxes(num_rows={rows},num_cols={columns})")

    def max_steps(self) -> int:
        # Counted here: the engine's own bound is one too small on some boards that are not square.
        return (self.rows + 1) * self.columns + self.rows * (self.columns + 1)

    def rules(self) -> str:
        r, c = self.rows, self.columns
        return (
            f"You are playing dots and boxes on a grid of {r + 1} by {c + 1} dots, which make {r} rows and {c} columns "
            f"of boxes. In a turn, a player draws one line between two neighbouring dots that are not yet joined. A "
            f"line is named by its direction, its row and its column, all counted from 0 at the top left: h,R,C is the "
            f"horizontal line that is the top side of the box in row R and column C (h,{r},C is the bottom side of the "
            f"last row of boxes), and v,R,C is the vertical line that is the left side of that box (v,R,{c} is the "
            f"right side of the last column of boxes). A player who draws the last missing side of one box or of two "
            f"boxes owns them and must draw another line at once; otherwise the turn passes to the other player. The "
            f"game ends when all lines are drawn. Whoever owns more boxes wins; equal numbers are a draw."
        )

    def reason(self, state: SpielState) -> str:
        first, second = self._boxes(state)
        return f"all lines are drawn; boxes: first player {first}, second player {second}"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        direction, row, column = self._line(action.steps[0])
        return f"{direction},{row},{column}"

    def _line(self, action: int) -> tuple[str, int, int]:
        """Direction, row and column: the engine numbers the horizontal lines first, both kinds row by row."""
        across = (self.rows + 1) * self.columns
        if action < across:
            return ("h", *divmod(action, self.columns))
        return ("v", *divmod(action - across, self.columns + 1))

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _MOVE.fullmatch(bare(text)) or _MOVE.fullmatch(text.strip())
        if match is None:
            raise Illegal("invalid_format", f"{shown(text)} names no line; write for example h,0,1 or v,1,0")
        return self._move(state, match[1][0].casefold(), int(match[2]), int(match[3]))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [match.group() for match in _MOVE.finditer(text)]

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {
            "type": "object",
            "properties": {
                "direction": {"type": "string", "enum": ["h", "v"]},
                "row": {"type": "integer", "enum": list(range(self.rows + 1))},
                "column": {"type": "integer", "enum": list(range(self.columns + 1))},
            },
            "required": ["direction", "row", "column"],
            "additionalProperties": False,
        }

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        direction, row, column = self._line(action.steps[0])
        return {"direction": direction, "row": row, "column": column}

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        given = fields(answer)
        if {"direction", "row", "column"} <= given.keys():
            direction = given["direction"]
            known = direction.strip().casefold() if isinstance(direction, str) else ""
            if known not in ("h", "v", "horizontal", "vertical"):
                raise Illegal("invalid_format", "direction must be h or v")
            return self._move(state, known[0], whole(given["row"], "row"), whole(given["column"], "column"))
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as direction,row,column (direction h or v; rows and columns counted from 0)"

    def _move(self, state: SpielState, direction: str, row: int, column: int) -> Move:
        rows, columns = (self.rows + 1, self.columns) if direction == "h" else (self.rows, self.columns + 1)
        if not (0 <= row < rows and 0 <= column < columns):
            reach = f"rows 0 to {rows - 1} and columns 0 to {columns - 1}"
            raise Illegal(
                "out_of_bounds", f"there is no line {direction},{row},{column}; {_LINES[direction]} lines have {reach}"
            )
        before = 0 if direction == "h" else (self.rows + 1) * self.columns
        move = self.chosen(state, before + row * columns + column)
        if move is None:
            raise Illegal("already_drawn", f"the line {direction},{row},{column} is already drawn")
        return move

    # ---------------------------------------------------------------- showing

    def public(self, state: SpielState) -> dict[str, Json]:
        text = [line.ljust(4 * self.columns + 1) for line in self.lines(state)]
        across = [
            "".join("1" if text[2 * r][4 * c + 2] == "─" else "0" for c in range(self.columns))
            for r in range(self.rows + 1)
        ]
        down = [
            "".join("1" if text[2 * r + 1][4 * c] == "│" else "0" for c in range(self.columns + 1))
            for r in range(self.rows)
        ]
        owners = [
            "".join(text[2 * r + 1][4 * c + 2].replace(" ", ".") for c in range(self.columns)) for r in range(self.rows)
        ]
        first, second = self._boxes(state)
        return {"horizontal": across, "vertical": down, "owners": owners, "boxes": {"first": first, "second": second}}

    def _boxes(self, state: SpielState) -> tuple[int, int]:
        text = str(state.engine)
        return text.count("1"), text.count("2")

    def draw(self, observation: Observation) -> str:
        data = observation.data
        lines = []
        for r, across in enumerate(data["horizontal"]):
            lines.append("+" + "".join(("---" if line == "1" else "   ") + "+" for line in across))
            if r < self.rows:
                sides = ["|" if line == "1" else " " for line in data["vertical"][r]]
                inside = [f" {owner} ".replace(".", " ") for owner in data["owners"][r]]
                lines.append(sides[0] + "".join(box + side for box, side in zip(inside, sides[1:], strict=True)))
        boxes = data["boxes"]
        return "\n".join(
            [*(line.rstrip() for line in lines), f"boxes: 1 owns {boxes['first']}, 2 owns {boxes['second']}"]
        )

    def board_words(self) -> str:
        return (
            "The board is drawn as text. A plus sign is a dot, --- and | are the lines drawn so far, and a digit "
            "inside a box tells who owns it (1 the first player, 2 the second). The board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. horizontal lists the rows of horizontal lines from top to bottom and "
            "vertical the rows of vertical lines, one character per line from left to right: 1 is drawn, 0 is not. "
            "owners lists the rows of boxes: 1 or 2 is the owner, a dot stands for a box without one. boxes counts "
            "them, and last is the latest move. The position now is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture. Thick lines are drawn, the latest of them in red; a coloured "
            "box with a digit belongs to player 1 (blue) or 2 (orange). Rows and columns of dots carry their numbers, "
            "counted from 0, on the edges. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        size, edge, data = _SIDE, _EDGE, observation.data
        parts = []
        for r, line in enumerate(data["owners"]):
            for c, owner in enumerate(line):
                if owner != ".":
                    x, y = edge + c * size, edge + r * size
                    fill = "#cfe0f7" if owner == "1" else "#fbdcb8"
                    parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{fill}"/>')
                    parts.append(label(x + size / 2, y + size / 2, owner, 26))
        for direction, name in (("h", "horizontal"), ("v", "vertical")):
            for r, line in enumerate(data[name]):
                for c, drawn in enumerate(line):
                    end = f"h{size}" if direction == "h" else f"v{size}"
                    newest = data["last"] == f"{direction},{r},{c}"
                    style = ("#d43a32", 7) if newest else ("#222222", 7) if drawn == "1" else ("#dddddd", 1)
                    path = f"M{edge + c * size} {edge + r * size}{end}"
                    parts.append(f'<path d="{path}" stroke="{style[0]}" stroke-width="{style[1]}"/>')
        for r in range(self.rows + 1):
            parts.append(label(18, edge + r * size, str(r), 15))
            for c in range(self.columns + 1):
                parts.append(f'<circle cx="{edge + c * size}" cy="{edge + r * size}" r="6" fill="#222222"/>')
        parts += [label(edge + c * size, 18, str(c), 15) for c in range(self.columns + 1)]
        return picture(edge + self.columns * size + 24, edge + self.rows * size + 24, "dots and boxes", parts)

    def places(self, observation: Observation) -> Sequence[Place]:
        """The lines, with room around them to hit."""
        found = []
        long, broad, corner = _SIDE - 32, 28, 16
        for direction, name in (("h", "horizontal"), ("v", "vertical")):
            for r, line in enumerate(observation.data[name]):
                for c, drawn in enumerate(line):
                    x, y = _EDGE + c * _SIDE, _EDGE + r * _SIDE
                    holds = "drawn" if drawn == "1" else "not drawn"
                    if direction == "h":
                        found.append(Place(f"h,{r},{c}", x + corner, y - broad / 2, long, broad, holds))
                    else:
                        found.append(Place(f"v,{r},{c}", x - broad / 2, y + corner, broad, long, holds))
        return found


_SIDE, _EDGE = 74, 46
