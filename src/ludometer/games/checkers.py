"""Checkers (English draughts). Rules from OpenSpiel's ``checkers``; a multi-jump is one move.

Squares have their standard numbers 1 to 32, as in Portable Draughts Notation (PDN): seen from Black, who moves first
and sits at the bottom, square 1 is at the bottom right and 32 at the top left. OpenSpiel's own square names (``a1`` at
the bottom left of the same picture) are read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import ClassVar, NamedTuple

from ludometer.core import Illegal, Json, Observation, Seat, View
from ludometer.games._checkers_views import QUIET_LIMIT, SQUARES, VIEWS, fen, name_of, number, place, places, svg
from ludometer.games._openspiel import Move, OpenSpielGame, SpielState
from ludometer.games._places import Place

_PIECES = {".": ".", "o": "b", "8": "B", "+": "w", "*": "W"}
"""OpenSpiel's letters to ours: small for men, capital for kings. Its first player is our Black."""

# OpenSpiel numbers an action row (from the top), column, direction, jump or not, in mixed base 8, 8, 4, 2.
_DIRECTIONS = ((-1, -1), (-1, 1), (1, 1), (1, -1))


class Path(NamedTuple):
    """A move as it was written: the squares it names (0 for one that is no square of the game), and their names."""

    squares: tuple[int, ...]
    names: tuple[str, ...]
    notation: str | None = None


class Checkers(OpenSpielGame):
    """English draughts on the 8-by-8 board."""

    name: ClassVar[str] = "checkers"
    title: ClassVar[str] = "Checkers"
    notations: ClassVar[tuple[str, ...]] = ("algebraic",)
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = ("Black", "White")
    multi_step: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__("checkers")

    # ------------------------------------------------------------------ rules

    def legal(self, state: SpielState, seat: Seat) -> Sequence[Move]:
        actions = state.engine.legal_actions()
        # Captures are forced, so either every action is a jump or none is: only jumps can go on.
        if actions and not actions[0] % 2:
            return [Move((action,)) for action in actions]
        return super().legal(state, seat)

    def check(self, state: SpielState, seat: Seat, action: Move) -> None:
        if action not in self.legal(state, seat):
            if not action.steps:
                raise Illegal("illegal_move", "a move needs at least one step")
            squares = _squares(action)
            raise self._why(state, seat, Path(squares, tuple(map(str, squares))))

    def reason(self, state: SpielState) -> str:
        black, white = state.engine.returns()
        if black == white:
            return f"{QUIET_LIMIT} moves in a row without a capture"
        loser = 0 if black < white else 1
        left = any(piece in _MINE[loser] for piece in _board(state))
        return f"{self.titles[loser]} cannot move" if left else f"{self.titles[loser]} has no pieces left"

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        return _written(_squares(action), action.steps[0] % 2 == 1)

    def encode(self, state: SpielState, action: Move, notation: str | None = None) -> Json:
        return {"move": _written(_squares(action), action.steps[0] % 2 == 1, notation)}

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [match.group() for match in _MENTION.finditer(text)]

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        path = _read(text)
        legal = self.legal(state, seat)
        fitting = [move for move in legal if _squares(move) == path.squares] or [
            move for move in legal if _abridges(path.squares, _squares(move))
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            shown = self._shown(fitting, path.notation)
            raise Illegal("ambiguous", f"{_written_as(path)} fits several moves: {shown}; name every square")
        raise self._why(state, seat, path)

    def explain(self, state: SpielState, seat: Seat, text: str) -> Illegal:
        try:
            return self._why(state, seat, _read(text))
        except Illegal as error:
            return error

    def _why(self, state: SpielState, seat: Seat, path: Path) -> Illegal:
        """The rule that a move breaks which fits none of the legal ones."""
        for square, name in zip(path.squares, path.names, strict=True):
            if not 1 <= square <= 32:
                return _off_board(name, path.notation)
        board, own = _board(state), self.seats.index(seat)
        piece = board[path.squares[0]]
        if piece == ".":
            return Illegal("no_such_piece", f"square {path.names[0]} is empty")
        if piece not in _MINE[own]:
            return Illegal("wrong_side", f"the piece on {path.names[0]} belongs to {self.titles[1 - own]}")
        legal = self.legal(state, seat)
        return _first_step(board, path, own) or self._later_step(legal, path)

    def _later_step(self, legal: Sequence[Move], path: Path) -> Illegal:
        """What is wrong with a move whose first step keeps to the rules but for the duty to capture."""
        known = max(_shared(path.squares, _squares(move)) for move in legal)
        going_on = [move for move in legal if _shared(path.squares, _squares(move)) == known]
        shown = self._shown(going_on, path.notation)
        if known < 2:
            captures = self._shown(legal, path.notation)
            return Illegal(
                "capture_available", f"{_written_as(path)} captures nothing, but you must capture: {captures}"
            )
        if known == len(path.squares):
            return Illegal("incomplete_jump", f"the jump must go on to its end: {shown}")
        here, there = path.names[known - 1], path.names[known]
        return Illegal("cannot_move_there", f"the piece cannot go on from {here} to {there}; possible is {shown}")

    def _shown(self, moves: Sequence[Move], notation: str | None) -> str:
        return " or ".join(_written(_squares(move), move.steps[0] % 2 == 1, notation) for move in moves[:12])

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return (
            "You are playing checkers (English draughts) on the dark squares of an 8-by-8 board. Black has the men on "
            "squares 1 to 12 and moves first; White has those on 21 to 32. A man moves one square diagonally forward "
            "to an empty square: Black towards higher numbers, White towards lower ones. It captures by jumping "
            "diagonally forward over a neighbouring piece of the opponent to the empty square right behind it; the "
            "jumped piece is removed. Capturing is compulsory: if any of your pieces can capture, you must make one of "
            "the captures, whichever you like. A piece that can go on jumping after a jump must do so within the same "
            "move. A man that reaches the far row becomes a king, which ends its move even if it could jump on. A king "
            "moves and jumps one square like a man, but also backward. A player who has no piece left or cannot move "
            f"loses. After {QUIET_LIMIT} moves in a row (counting both players' moves) without a capture the game is "
            "a draw; repeating a position does not end it."
        )

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        if notation == "algebraic":
            return (
                "by its squares, joined by - for a move and by x for a capture (every landing square of a multi-jump)"
            )
        return (
            "by the numbers of its squares, joined by - for a move and by x for a capture (every landing square of a "
            "multi-jump, as in 15x24x31)"
        )

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        text = "c3-d4" if notation == "algebraic" else "11-15"
        return {"move": text}, text

    def public(self, state: SpielState) -> dict[str, Json]:
        last: list[int] = []
        if state.movers:
            last = list(_squares(Move(state.history[-state.movers[-1][1] :])))
        quiet = next((i for i, step in enumerate(reversed(state.history)) if step % 2), len(state.history))
        board = _board(state)
        return {
            "squares": board[1:],
            "turn": None if state.engine.is_terminal() else self.seats[state.engine.current_player()],
            "last": last,
            "without_capture": quiet,
        }

    def views(self) -> Mapping[str, View]:
        return VIEWS

    def svg(self, observation: Observation) -> str:
        return svg(observation)

    def places(self, observation: Observation) -> Sequence[Place]:
        return places(observation)

    def parts(self, observation: Observation, notation: str, action: Move) -> Sequence[str]:
        return re.split("[-x]", notation)

    # --------------------------------------------------------------- recording

    def record(
        self,
        start: SpielState,
        moves: Sequence[tuple[Seat, Move]],
        names: Mapping[Seat, str],
        *,
        scores: Mapping[Seat, float] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> tuple[str, str]:
        """The game in PDN 3.0 (type 21, English draughts); as in PGN, the result 1-0 says that White won."""
        known = tags or {}
        result = _result(scores)
        head = {
            "Event": known.get("event", "?"),
            "Site": known.get("site", "?"),
            "Date": known.get("date", "????.??.??").replace("-", "."),
            "Round": known.get("round", "?"),
            "Black": names["Black"],
            "White": names["White"],
            "Result": result,
            "GameType": "21",
        }
        if "termination" in known:
            head["Termination"] = known["termination"]
        if start.history:
            head |= {"SetUp": "1", "FEN": fen("".join(_board(start)[1:]), self.to_act(start)[0])}
        words: list[str] = []
        turn = 1
        for i, (seat, move) in enumerate(moves):
            if seat == "Black" or i == 0:
                words.append(f"{turn}{'.' if seat == 'Black' else '...'}")
            words.append(self.format(start, move))
            turn += seat == "White"
        written = "".join(f'[{tag} "{_tag_value(value)}"]\n' for tag, value in head.items())
        return "pdn", f"{written}\n{fill(' '.join([*words, result]), 79, break_on_hyphens=False)}\n"


_MINE = ("bB", "wW")


# ------------------------------------------------------------------ squares


def _squares(move: Move) -> tuple[int, ...]:
    """The squares a move visits, its start first."""
    squares = []
    for step in move.steps:
        row, rest = divmod(step, 64)
        column, (direction, jump) = rest // 8, divmod(rest % 8, 2)
        down, right = _DIRECTIONS[direction]
        squares.append(number(row, column))
    return (*squares, number(row + down * (jump + 1), column + right * (jump + 1)))


def _board(state: SpielState) -> list[str]:
    """One letter per square, by number; index 0 is no square."""
    lines = str(state.engine).split("\n")
    board = ["."] * 33
    for square in range(1, 33):
        row, column = place(square)
        board[square] = _PIECES[lines[row][1 + column]]
    return board


def _written(squares: Sequence[int], jump: bool, notation: str | None = None) -> str:
    names = map(name_of, squares) if notation == "algebraic" else map(str, squares)
    return ("x" if jump else "-").join(names)


def _result(scores: Mapping[Seat, float] | None) -> str:
    if scores is None:
        return "*"
    if scores["White"] == scores["Black"]:
        return "1/2-1/2"
    return "1-0" if scores["White"] > scores["Black"] else "0-1"


def _tag_value(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


# ------------------------------------------------------------------ reading

# Repetitions are bounded, or the text of a model could keep the expressions busy for ever. A piece may follow its
# square, as the board shows it (11b-15); nothing is concluded from it.
_TURN = r"(?:[0-9]{1,3}\s{0,3}(?:\.{1,3}|\))\s{0,3})?"
_NUMBER = r"[0-9]{1,2}[bw]?"
_LETTER = r"[a-z][0-9]{1,2}"
_JOINT = r"\s{0,3}(?:-{1,2}>?|[–—−x×:→]|takes|to)\s{0,3}"
_LOOSE = rf"(?:{_JOINT}|\s{{0,3}},\s{{0,3}}|\s{{1,3}})"
_MENTION = re.compile(
    rf"(?<![\w./−–-])(?<!\d[,:])(?:{_NUMBER}(?:{_JOINT}{_NUMBER}){{1,12}}|{_LETTER}(?:(?:{_JOINT})?{_LETTER}){{1,12}})"
    r"(?![\w/])(?!-\w)(?![.,:]\d)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"{_TURN}(?:(?P<numbers>{_NUMBER}(?:{_LOOSE}{_NUMBER}){{1,12}})|(?P<letters>{_LETTER}(?:{_LOOSE}?{_LETTER}){{1,12}}))",
    re.IGNORECASE,
)
_WRAPPING = " \t\r\n()[]{}<>*`'\".,;!?+#"
_LONGEST = 120


def _read(text: str) -> Path:
    """The squares that ``text`` names. Raises `Illegal`."""
    bare = text.strip(_WRAPPING)
    match = _ALONE.fullmatch(bare) if len(bare) <= _LONGEST else None
    if match is None:
        raise Illegal("invalid_format", f"{text.strip()[:60]!r} names no move; write it like 11-15 or 15x24x31")
    if match["numbers"]:
        names = re.findall(r"[0-9]+", match["numbers"])
        return Path(tuple(map(int, names)), tuple(names))
    names = [name.lower() for name in re.findall(_LETTER, match["letters"], re.IGNORECASE)]
    return Path(tuple(SQUARES.get(name, 0) for name in names), tuple(names), "algebraic")


def _abridges(short: Sequence[int], full: Sequence[int]) -> bool:
    """Whether ``short`` has the ends of ``full`` and leaves out some squares between them."""
    if (short[0], short[-1]) != (full[0], full[-1]):
        return False
    rest = iter(full)
    return all(square in rest for square in short)


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many squares two paths have in common before they part."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _written_as(path: Path) -> str:
    return "-".join(path.names)


def _off_board(name: str, notation: str | None) -> Illegal:
    if notation is None:
        return Illegal("out_of_bounds", f"there is no square {name}; squares are numbered from 1 to 32")
    if re.fullmatch("[a-h][1-8]", name):
        return Illegal("out_of_bounds", f"{name} is a light square; the game is played on the dark ones")
    return Illegal("out_of_bounds", f"there is no square {name}; columns are a to h, rows 1 to 8")


def _first_step(board: Sequence[str], path: Path, own: int) -> Illegal | None:
    """What is wrong with the first step of a move, other pieces' duty to capture aside."""
    (here, there), names = path.squares[:2], path.names
    (row, column), (to_row, to_column) = place(here), place(there)
    down, right = to_row - row, to_column - column
    if abs(down) != abs(right) or here == there:
        return Illegal("not_diagonal", f"{names[0]} and {names[1]} are not on one diagonal")
    if board[there] != ".":
        return Illegal("occupied", f"square {names[1]} is occupied")
    if board[here].islower() and (down > 0) == (own == 0):
        return Illegal("cannot_move_there", f"the piece on {names[0]} is a man, and a man moves forward only")
    if abs(down) > 2:
        return Illegal("cannot_move_there", f"{names[1]} is too far from {names[0]} for one step or jump")
    if abs(down) == 2:
        between = number(row + down // 2, column + right // 2)
        if board[between] not in _MINE[1 - own]:
            return Illegal("cannot_move_there", f"there is nothing to capture between {names[0]} and {names[1]}")
    if abs(down) == 1 and len(path.squares) > 2:
        return Illegal("cannot_move_there", f"{names[0]} to {names[1]} is no jump, and only jumps can be joined")
    return None
