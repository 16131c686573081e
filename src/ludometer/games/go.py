"""Go. Rules from OpenSpiel's ``go``: area scoring of the stones as they stand, and a repeated position is a draw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from ludometer.core import Event, Illegal, Json, Observation, Outcome, Seat
from ludometer.games._boards import BoardGame, bare, shown
from ludometer.games._go_picture import COLUMNS, places, svg
from ludometer.games._openspiel import Move, SpielState
from ludometer.games._places import Place

_STONES = {"X": "Black", "O": "White"}
_WHERE_TO = {"Black": "X", "White": "O"}

# "pass" counts as a move in running text where it is said as one: at the start of a line, or after words that lead to
# a move, but not in "so that White must pass".
_POINT = re.compile(r"(?<![\w-])[a-t][0-9]{1,2}(?![\w-])", re.IGNORECASE)
_SAID_PASS = re.compile(
    r"(?:^|(?<=\n)|(?<=[:*_\"'`“(\[{])|(?<=[.;!?→]\s)|\b(?:no|rather|instead),\s|"
    r"\b(?:i|i'll|i’ll|let's|let’s|play|will|shall|choose|move|is|answer|now|but|(?:choose|decide|like|prefer|is)\sto)\s{1,3})"
    r"[\s*_\"'`“(\[{]{0,6}\bpass\b",
    re.IGNORECASE,
)
_MOVE = re.compile(
    r"(?:(black|white|b|w)\b[\s:;,]{0,4}(?:to\s|plays?\s)?\s{0,3})?([a-z])[\s-]?([0-9]{1,3})", re.IGNORECASE
)
_PASS = re.compile(r"(?:(black|white|b|w)\b[\s:;,]{0,4}|i\s{1,3})?pass(?:es)?", re.IGNORECASE)


class Area(NamedTuple):
    """Points of each side: its stones, and the empty points that touch no stone but its own. Komi is left out."""

    black: int
    white: int


class Go(BoardGame):
    """Go on a square board.

    Args:
        size: lines of the board, 5 to 19.
        komi: points that White gets for moving second; a multiple of 0.5. A whole number makes equal scores possible.
    """

    name: ClassVar[str] = "go"
    title: ClassVar[str] = "Go"
    notes: ClassVar[tuple[str, ...]] = (
        "Go is scored by area with the stones as they stand: dead stones that were not captured count as alive. "
        "Suicide is illegal, a repeated position of the whole board ends the game as a draw, and the length is capped "
        "at twice the number of points.",
    )
    seats: ClassVar[tuple[Seat, ...]] = ("Black", "White")
    titles: ClassVar[tuple[str, ...]] = ("Black", "White")

    def __init__(self, size: int = 9, komi: float = 7.5) -> None:
        if not 5 <= size <= 19:
            raise ValueError(f"size must be between 5 and 19, not {size}")
        if not (-size * size <= komi <= size * size and komi * 2 == int(komi * 2)):
            raise ValueError(f"komi must be a multiple of 0.5 of at most {size * size} points, not {komi}")
        super().__init__(f"go(board_size={size},komi={float(komi)})")
        self.size, self.komi = size, float(komi)

    # ------------------------------------------------------------------ rules

    def check(self, state: SpielState, seat: Seat, action: Move) -> None:
        if len(action.steps) != 1 or not 0 <= action.steps[0] <= self.size * self.size:
            raise Illegal("out_of_bounds", f"that is no point of the {self.size}x{self.size} board")
        if action.steps[0] not in state.engine.legal_actions():
            raise self._refusal(state, seat, action.steps[0])

    def outcome(self, state: SpielState) -> Outcome | None:
        found = super().outcome(state)
        if found is None or self._repeated(state):
            return None if found is None else found._replace(payoffs=None)
        points = self._points(state)
        return found._replace(payoffs=dict(zip(self.seats, points, strict=True)))

    def reason(self, state: SpielState) -> str:
        if self._repeated(state):
            return "an earlier position was repeated"
        black, white = self._points(state)
        passed = state.history[-1] == self.size * self.size
        why = "both passed" if passed and state.history[-2] == state.history[-1] else f"{self.max_steps()} moves played"
        return f"{why}: black {black:g}, white {white:g}"

    def _points(self, state: SpielState) -> tuple[float, float]:
        """The score of both sides, komi included."""
        black, white = area(self._board(state))
        return float(black), white + self.komi

    def _repeated(self, state: SpielState) -> bool:
        """Whether a finished game ended by repetition: OpenSpiel calls it even, whatever the score."""
        passes = state.history[-2:] == (self.size * self.size,) * 2
        if passes or state.engine.returns()[0] != 0:
            return False
        black, white = self._points(state)
        return black != white or len(state.history) < self.max_steps()

    def _board(self, state: SpielState) -> list[str]:
        """Rows from the top; X, O and dots."""
        rows = str(state.engine).replace("+", ".").splitlines()[2 : 2 + self.size]
        return [row[-self.size :] for row in rows]

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        return self._point(action.steps[0])

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        written = bare(text)
        passing = _PASS.fullmatch(written)
        match = passing or _MOVE.fullmatch(written)
        if match is None:
            raise Illegal("invalid_format", f"{shown(text)} names no point; write for example D4, or pass")
        colour = match[1]
        if colour is not None and colour[0].casefold() != seat[0].casefold():
            raise Illegal("wrong_side", f"{shown(text)} is a move of the other colour; you are {seat}")
        if passing:
            return Move((self.size * self.size,))
        column, row = COLUMNS.find(match[2].upper()), int(match[3]) - 1
        if not (0 <= column < self.size and 0 <= row < self.size):
            letters = f"columns are A to {COLUMNS[self.size - 1]}" + (" without I" if self.size > 8 else "")
            raise Illegal(
                "out_of_bounds", f"there is no point {match[2].upper()}{match[3]}; {letters}, rows 1 to {self.size}"
            )
        action = row * self.size + column
        if action not in state.engine.legal_actions():
            raise self._refusal(state, seat, action)
        return Move((action,))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        found = [(match.start(), match.group()) for match in _POINT.finditer(text)]
        if "pass" in text.casefold():
            found += [(match.start(), "pass") for match in _SAID_PASS.finditer(text)]
        return [piece for _, piece in sorted(found)]

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as a column letter followed by a row number, or pass"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return {"move": "D4"}, "D4"

    def _point(self, action: int) -> str:
        row, column = divmod(action, self.size)
        return "pass" if row == self.size else f"{COLUMNS[column]}{row + 1}"

    def _refusal(self, state: SpielState, seat: Seat, action: int) -> Illegal:
        board, point = self._board(state), self._point(action)
        row, column = self.size - 1 - action // self.size, action % self.size
        if board[row][column] != ".":
            return Illegal("occupied", f"{point} is occupied by a stone of {_STONES[board[row][column]]}")
        if _suicidal(board, row, column, _WHERE_TO[seat]):
            return Illegal("suicide", f"a stone on {point} would have no liberty and capture nothing")
        return Illegal("ko", f"{point} would retake the ko at once; play elsewhere first")

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        size = self.size
        komi = f"{self.komi:g} points for moving second" if self.komi else "no points for moving second"
        return (
            f"You are playing Go on a board of {size} by {size} points. Black moves first; the players take turns "
            "placing a stone of their colour on an empty point or passing. A group of stones of one colour connected "
            "along the lines is captured and removed when its last neighbouring empty point (liberty) is taken. "
            "Suicide is illegal: a stone must have a liberty, be connected to one, or capture something. Ko: a stone "
            "that has just captured a single stone may not be retaken at once if that restores the same position. "
            "Any other move that repeats an earlier position of the whole board, whoever is to move, is allowed, but "
            "ends the game at once as a draw. The game ends when both players pass in succession, or after "
            f"{self.max_steps()} moves and passes. Scoring is by area, of the stones as they stand: every stone on the "
            "board is alive, so capture dead stones before you pass. A side scores one point for each of its stones "
            f"and for each empty point that only its own stones border on, and White gets {komi}. The higher score "
            "wins."
        )

    def public(self, state: SpielState) -> dict[str, Json]:
        board, over = self._board(state), state.engine.is_terminal()
        turn = None if over else self.seats[state.engine.current_player()]
        return {
            "board": board,
            "turn": turn,
            "ko": None if turn is None else self._ko(state, board, turn),
            "komi": self.komi,
            "move": len(state.history) + 1,
            "longest": self.max_steps(),
        }

    def _ko(self, state: SpielState, board: Sequence[str], turn: Seat) -> str | None:
        """The point forbidden by ko: it lies beside the stone that has just been played."""
        last = state.history[-1] if state.history else self.size * self.size
        if last == self.size * self.size:
            return None
        legal = set(state.engine.legal_actions())
        for row, column in _around(self.size, self.size - 1 - last // self.size, last % self.size):
            action = (self.size - 1 - row) * self.size + column
            free = board[row][column] == "." and action not in legal
            if free and not _suicidal(board, row, column, _WHERE_TO[turn]):
                return self._point(action)
        return None

    def _events(self, state: SpielState) -> tuple[Event, ...]:
        return tuple(Event(self.seats[i % 2], self._point(action)) for i, action in enumerate(state.history))

    def draw(self, observation: Observation) -> str:
        data = observation.data
        letters = "   " + " ".join(COLUMNS[: self.size])
        rows = [f"{self.size - i:>2} {' '.join(row)} {self.size - i}" for i, row in enumerate(data["board"])]
        last = "No move has been played yet." if data["last"] is None else f"The last move was {data['last']}."
        if data["last"] == "pass" and data["turn"] is not None:
            last += " If you pass too, the game ends."
        ko = "" if data["ko"] is None else f" Forbidden by ko: {data['ko']}."
        count = "" if data["turn"] is None else f" This is move {data['move']} of at most {data['longest']}."
        return "\n".join([letters, *rows, letters, "", last + ko + count])

    def board_words(self) -> str:
        return (
            "The board is drawn as text: X is a black stone, O a white one, a dot an empty point. Columns are lettered "
            "from left to right (the letter I is not used), rows are numbered from the bottom. The board now is:"
        )

    def json_words(self) -> str:
        return (
            "The position is given as JSON. board: the rows from top to bottom, X for a black stone, O for a white one "
            "and a dot for an empty point; columns are lettered A, B, C and so on (the letter I is not used), rows "
            "numbered from the bottom; turn: who moves; last: the last move; ko: the point forbidden by ko, if any; "
            "komi: White's extra points; move: the number of the move to be made, of at most longest. The position is:"
        )

    def image_words(self) -> str:
        return (
            "The board is shown in the attached picture, with the names of the columns (the letter I is not used) and "
            "rows at its edges. A red mark stands on the last stone played. The board now is:"
        )

    def svg(self, observation: Observation) -> str:
        return svg(observation.data["board"], observation.data["last"])

    def places(self, observation: Observation) -> Sequence[Place]:
        return places(observation.data["board"])

    # -------------------------------------------------------------- recording

    def record(
        self,
        start: SpielState,
        moves: Sequence[tuple[Seat, Move]],
        names: Mapping[Seat, str],
        *,
        scores: Mapping[Seat, float] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> tuple[str, str]:
        """The game in SGF (FF[4]). The rules are called Chinese: area scoring without suicide comes nearest."""
        known = tags or {}
        head = {"GM": "1", "FF": "4", "CA": "UTF-8", "AP": "Ludometer", "SZ": f"{self.size}", "KM": f"{self.komi:g}"}
        head |= {"RU": "Chinese", "PB": names["Black"], "PW": names["White"]}
        places = {"EV": "event", "PC": "site", "DT": "date", "RO": "round"}
        head |= {tag: known[name] for tag, name in places.items() if name in known}
        head["RE"] = self._result(start, moves, scores)
        if start.history:
            head["PL"] = "BW"[len(start.history) % 2]
        written = "".join(f"{tag}[{_escaped(value)}]" for tag, value in head.items()) + self._setup(start)
        nodes = [f";{seat[0]}[{self._sgf_point(move.steps[0])}]" for seat, move in moves]
        lines = ["".join(nodes[i : i + 10]) for i in range(0, len(nodes), 10)]
        return "sgf", "\n".join([f"(;{written}", *lines]) + ")\n"

    def _result(
        self, start: SpielState, moves: Sequence[tuple[Seat, Move]], scores: Mapping[Seat, float] | None
    ) -> str:
        if scores is None:
            return "Void"
        if scores["Black"] == scores["White"]:
            return "0"
        winner = "B" if scores["Black"] > scores["White"] else "W"
        state = start
        for seat, move in moves:
            state = self.apply(state, {seat: move})
        if self.outcome(state) is None:  # decided by something else than the rules
            return f"{winner}+F"
        black, white = self._points(state)
        return f"{winner}+{abs(black - white):g}"

    def _setup(self, start: SpielState) -> str:
        """The stones of a first position that is not the empty board."""
        text = ""
        for tag, stone in (("AB", "X"), ("AW", "O")):
            points = [
                f"[{_SGF[column]}{_SGF[row]}]"
                for row, line in enumerate(self._board(start))
                for column, found in enumerate(line)
                if found == stone
            ]
            text += tag + "".join(points) if points else ""
        return text

    def _sgf_point(self, action: int) -> str:
        row, column = divmod(action, self.size)
        return "" if row == self.size else _SGF[column] + _SGF[self.size - 1 - row]


_SGF = "abcdefghijklmnopqrs"


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("]", "\\]")


# ------------------------------------------------------------------- groups


def _around(size: int, row: int, column: int) -> Iterator[tuple[int, int]]:
    for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
        if 0 <= row + down < size and 0 <= column + right < size:
            yield row + down, column + right


def _reach(board: Sequence[str], row: int, column: int) -> tuple[set[tuple[int, int]], set[str]]:
    """The connected points of one kind (a group, or an empty region), and the kinds of points it borders on."""
    kind, group, border = board[row][column], {(row, column)}, set()
    waiting = [(row, column)]
    while waiting:
        for near in _around(len(board), *waiting.pop()):
            found = board[near[0]][near[1]]
            if found != kind:
                border.add(found)
            elif near not in group:
                group.add(near)
                waiting.append(near)
    return group, border


def _suicidal(board: Sequence[str], row: int, column: int, stone: str) -> bool:
    """Whether a stone on an empty point would leave its group without a liberty and capture nothing."""
    placed = list(board)
    placed[row] = board[row][:column] + stone + board[row][column + 1 :]
    if "." in _reach(placed, row, column)[1]:
        return False
    others = [(r, c) for r, c in _around(len(board), row, column) if placed[r][c] not in (stone, ".")]
    return all("." in _reach(placed, r, c)[1] for r, c in others)


def area(board: Sequence[str]) -> Area:
    """Area score of a position as it stands (Tromp and Taylor's rules); rows of ``X``, ``O`` and dots."""
    points = {"X": 0, "O": 0}
    counted: set[tuple[int, int]] = set()
    for row, line in enumerate(board):
        for column, found in enumerate(line):
            if found != ".":
                points[found] += 1
            elif (row, column) not in counted:
                region, border = _reach(board, row, column)
                counted |= region
                if len(border) == 1:
                    points[border.pop()] += len(region)
    return Area(points["X"], points["O"])
