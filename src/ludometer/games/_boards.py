"""Board games over OpenSpiel's rules: the views, the pictures' frame and the reading of coordinates that they share."""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from ludometer.core import Illegal, Json, Observation, Seat, View, Viewer
from ludometer.games._openspiel import Move, OpenSpielGame, SpielState

__all__ = ["BoardGame", "PointGame", "bare", "discs", "fields", "grid", "label", "picture", "shown", "whole"]

# Words are bounded on both sides and repetitions are bounded, so that hostile text cannot keep an expression busy.
_MOVE_NUMBER = re.compile(r"\d{1,3}\s?\.{1,3}(?:\s{1,9}|(?=[^\W\d_]))")
_WRAPPING = " \t\r\n()[]{}<>*_`'\".,;:!"
_POINT = re.compile(r"([a-z])-?(\d{1,3})", re.IGNORECASE | re.ASCII)
_POINT_IN_PROSE = re.compile(r"(?<![^\W_])[a-z]\d{1,3}(?![^\W_])", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"\s{0,9}[-−]?\d{1,4}(?:\.0{1,9})?\s{0,9}", re.ASCII)
_KINDS: dict[type, str] = {bool: "true or false", type(None): "null", list: "a list", dict: "an object"}
"""How a model that answers in JSON knows these values."""


def shown(text: str) -> str:
    """A model's text as error sentences quote it."""
    return repr(text.strip()[:60])


def bare(text: str) -> str:
    """A move without surrounding punctuation and without a move number in front of it."""
    stripped = text.strip(_WRAPPING)
    number = _MOVE_NUMBER.match(stripped)
    return stripped[number.end() :].strip(_WRAPPING) if number else stripped


def whole(value: Json, what: str) -> int:
    """A whole number given as one: 1, 1.0 and "1" are; 1.5, true and [1] are not. Raises `Illegal`."""
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        value = float(value.replace("−", "-"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        quoted = shown(value) if isinstance(value, str) else _KINDS.get(type(value), "that")
        raise Illegal("invalid_format", f"{what} must be a whole number, not {quoted}")
    if value != value or abs(value) > 9999 or value != int(value):
        raise Illegal("invalid_format", f"{what} must be a whole number of at most four digits")
    return int(value)


def fields(answer: Json) -> dict[str, Json]:
    """A structured answer's fields, names without regard to case and spaces; nothing for anything but an object."""
    if not isinstance(answer, dict):
        return {}
    return {str(key).strip().casefold(): value for key, value in answer.items()}


def grid(
    cells: Sequence[Sequence[str]], columns: Sequence[str], rows: Sequence[str] = (), *, below: bool = False
) -> str:
    """Cells as lines of text, with names of columns above (or below) and of rows on the left."""
    width = max(len(name) for name in columns)
    side = max((len(name) for name in rows), default=0)
    names = [name.rjust(side) + " " for name in rows] if rows else [""] * len(cells)
    lines = [name + " ".join(cell.rjust(width) for cell in line) for name, line in zip(names, cells, strict=True)]
    head = (" " * (side + 1) if rows else "") + " ".join(name.rjust(width) for name in columns)
    return "\n".join([*lines, head] if below else [head, *lines])


def picture(width: float, height: float, title: str, parts: Iterable[str], background: str = "#ffffff") -> str:
    """SVG source of that size, with a title for readers who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{title}">'
        f'<rect width="{width:g}" height="{height:g}" fill="{background}"/>{"".join(parts)}</svg>'
    )


def label(x: float, y: float, text: str, size: float = 16, fill: str = "#333333") -> str:
    """Text centred on a point."""
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-size="{size:g}" text-anchor="middle" fill="{fill}" '
        f'font-family="DejaVu Sans, Arial, Helvetica, sans-serif">{text}</text>'
    )


def discs(middles: Iterable[tuple[float, float]], radius: float, fill: str) -> str:
    """Many equal discs with a dark rim as one element: pictures of full boards stay small."""
    turn = f"a{radius:g} {radius:g} 0 1 0"
    path = "".join(f"M{x - radius:.1f} {y:.1f}{turn} {2 * radius:g} 0{turn} {-2 * radius:g} 0" for x, y in middles)
    return f'<path d="{path}" fill="{fill}" stroke="#1a1a1a" stroke-width="1.5"/>' if path else ""


class BoardGame(OpenSpielGame):
    """A game with a board to be drawn: observations hold what ``public`` gives, and every game has the same views.

    A subclass gives ``public``, ``draw``, ``svg`` and the three texts that explain its views.
    """

    main_view: ClassVar[str] = "board"

    @abstractmethod
    def draw(self, observation: Observation) -> str:
        """The position as text."""

    @abstractmethod
    def board_words(self) -> str:
        """How ``draw`` is to be read."""

    @abstractmethod
    def json_words(self) -> str:
        """What the fields of ``public`` mean."""

    @abstractmethod
    def image_words(self) -> str:
        """How the picture is to be read."""

    @abstractmethod
    def svg(self, observation: Observation) -> str:
        """The position as SVG source."""

    def observe(self, state: SpielState, viewer: Viewer) -> Observation:
        events = self._events(state)
        moves = [event.what for event in events]
        data = {**self.public(state), "last": moves[-1] if moves else None, "moves": moves}
        return Observation(viewer, data, events, self.to_act(state))

    def views(self) -> Mapping[str, View]:
        views = (
            View(self.main_view, lambda o: self.board_words(), self.draw),
            View("moves", lambda o: _MOVES_WORDS, _render_moves),
            View("json", lambda o: self.json_words(), _render_json),
            View("image", lambda o: self.image_words(), self.svg, kind="image"),
        )
        return {view.name: view for view in views}

    def lines(self, state: SpielState) -> list[str]:
        """OpenSpiel's own text of the position, line by line."""
        return str(state.engine).splitlines()

    def chosen(self, state: SpielState, action: int) -> Move | None:
        """The engine's action as a move, if it is legal now."""
        return Move((action,)) if action in state.engine.legal_actions() else None


class PointGame(BoardGame):
    """A game whose moves name one point each, as letter and number (``e4``).

    The engine's action is row * columns + column, both counted from 0 at the top left.
    """

    rows: int
    columns: int
    rows_from_bottom: ClassVar[bool] = False
    """Whether row 1 is at the bottom of the board. The engine's row 0 is at the top."""

    @abstractmethod
    def refusal(self, state: SpielState, seat: Seat, row: int, column: int) -> Illegal:
        """Why nothing may be played on a point of the board (0-based from the top left)."""

    def point(self, row: int, column: int) -> str:
        """A point's name; row and column are 0-based from the top left."""
        return f"{chr(ord('a') + column)}{self.row_name(row)}"

    def row_name(self, row: int) -> str:
        return str(self.rows - row if self.rows_from_bottom else row + 1)

    def column_names(self) -> list[str]:
        return [chr(ord("a") + column) for column in range(self.columns)]

    def row_names(self) -> list[str]:
        return [self.row_name(row) for row in range(self.rows)]

    def format(self, state: SpielState, action: Move) -> str:
        return self.point(*divmod(action.steps[0], self.columns))

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        match = _POINT.fullmatch(bare(text))
        if match is None:
            raise Illegal(
                "invalid_format", f"{shown(text)} names no point of the board; write for example {self.point(1, 1)}"
            )
        column = ord(match[1].casefold()) - ord("a")
        row = self.rows - int(match[2]) if self.rows_from_bottom else int(match[2]) - 1
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            edge = f"a to {self.column_names()[-1]} and 1 to {self.rows}"
            raise Illegal("out_of_bounds", f"{match[1].lower()}{match[2]} is off the board ({edge})")
        move = self.chosen(state, row * self.columns + column)
        if move is None:
            raise self.refusal(state, seat, row, column)
        return move

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return _POINT_IN_PROSE.findall(text)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as a column letter followed by a row number"


_MOVES_WORDS = (
    "All moves so far are listed in the order played, each with its number and the side that made it; None stands for "
    "a game that has just begun. The moves so far are:"
)


def _render_moves(observation: Observation) -> str:
    return "\n".join(f"{i}. {event.seat} {event.what}" for i, event in enumerate(observation.events, 1)) or "None"


def _render_json(observation: Observation) -> str:
    shown = {key: value for key, value in observation.data.items() if key != "moves"}
    return json.dumps(shown, ensure_ascii=False)
