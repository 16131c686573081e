"""Chess, with rules from OpenSpiel and automatic draws: threefold repetition, fifty moves, insufficient material.

What differs from the laws of the World Chess Federation (FIDE, in force from 2023): a draw by threefold repetition or
by fifty moves without capture and pawn move (articles 9.2 and 9.3) needs no claim, and of the dead positions (5.2.2)
those are found that material alone decides: bare kings, a king and a single knight or bishop, and any number of
bishops all on squares of one colour. Locked positions in which nobody can ever mate are played on, until another rule
ends them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, NamedTuple

import pyspiel

from ludometer.core import Chance, Event, Illegal, Json, Observation, Outcome, Seat, View, Viewer
from ludometer.games._chess_board import START, Board, Square, check_fen, other, read_fen
from ludometer.games._chess_explain import why_illegal
from ludometer.games._chess_pgn import pgn
from ludometer.games._chess_reading import Reading, bare, mentions, readings
from ludometer.games._chess_views import VIEWS, picture, places
from ludometer.games._openspiel import Move, OpenSpielGame, SpielState
from ludometer.games._places import Place

__all__ = ["Chess", "ChessState"]

_RULES = pyspiel.load_game("chess")
_REPETITIONS = 3
_WHITE = 1
"""White's number in OpenSpiel, where Black is player 0."""


@dataclass(frozen=True, slots=True)
class ChessState(SpielState):
    """A position with the game that led to it. All that is added here is a cache: it follows from the history.

    Attributes:
        sans, lans: every move so far, in SAN and as UCI writes it.
        keys: the positions since the last capture or pawn move, as far as they count for repetition.
    """

    sans: tuple[str, ...] = field(compare=False, default=())
    lans: tuple[str, ...] = field(compare=False, default=())
    keys: tuple[str, ...] = field(compare=False, default=())

    @property
    def fen(self) -> str:
        """The position in FEN. An en passant square is named where an enemy pawn stands ready, pinned or not."""
        return str(self.engine)


class _Legal(NamedTuple):
    """A legal move: OpenSpiel's number of it, and its parts (capital letters for piece and promotion)."""

    action: int
    start: Square
    target: Square
    piece: str
    promotion: str | None

    @property
    def castle(self) -> str | None:
        if self.piece != "K" or abs(ord(self.start[0]) - ord(self.target[0])) != 2:
            return None
        return "K" if self.target[0] == "g" else "Q"


class Chess(OpenSpielGame):
    """Standard chess.

    Args:
        fen: the position to start from, in Forsyth-Edwards Notation.
    """

    name: ClassVar[str] = "chess"
    title: ClassVar[str] = "Chess"
    seats: ClassVar[tuple[Seat, ...]] = ("white", "black")
    titles: ClassVar[tuple[str, ...]] = ("White", "Black")

    def __init__(self, fen: str = START) -> None:
        super().__init__("chess")
        self.fen = check_fen(fen)
        if _RULES.new_initial_state(self.fen).is_terminal():
            raise ValueError(f"the game is over in the position {self.fen!r}; start from another one")

    # ------------------------------------------------------------------ rules

    def new(self, n: int, chance: Chance) -> ChessState:
        engine = _RULES.new_initial_state(self.fen)
        # Nothing in chess is left to luck: states are equal whatever the seed.
        return ChessState((), (), Chance(0), engine, (), (), (_key(str(engine)),))

    def to_act(self, state: SpielState) -> tuple[Seat, ...]:
        return () if _over(state) else ("white" if state.engine.current_player() == _WHITE else "black",)

    def legal(self, state: SpielState, seat: Seat) -> Sequence[Move]:
        return [] if _over(state) else super().legal(state, seat)

    def apply(self, state: SpielState, moves: Mapping[Seat, Move]) -> ChessState:
        ((_, move),) = moves.items()
        return _after(_own(state), move.steps[0])

    def outcome(self, state: SpielState) -> Outcome | None:
        if not _over(state):
            return None
        white = (state.engine.returns()[_WHITE] + 1) / 2 if state.engine.is_terminal() else 0.5
        return Outcome({"white": white, "black": 1 - white}, self.reason(state))

    def reason(self, state: SpielState) -> str:
        engine = state.engine
        if not engine.board().has_legal_moves():
            return "checkmate" if any(engine.returns()) else "stalemate"
        if _repeated(state) or engine.is_repetition_draw():
            return "threefold repetition"
        # OpenSpiel ends the game at 100 halfmoves (article 9.3); what is left is material (see the module).
        return "fifty moves" if int(str(engine).split()[4]) >= 100 and _can_mate(state) else "insufficient material"

    def rollout(self, state: SpielState, chance: Chance) -> Sequence[float]:
        black, white = super().rollout(state, chance)
        return [white, black]

    def determinize(self, state: SpielState, seat: Seat, chance: Chance) -> SpielState:
        return state

    # --------------------------------------------------------------- notation

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        written = readings(bare(text))
        if not written:
            raise Illegal("invalid_format", f"{text.strip()[:60]!r} is not a chess move")
        board, legal = _position(_placement(str(state.engine)))
        found: dict[int, _Legal] = {}
        for reading in written:
            fitting = [move for move in legal if _fits(reading, move)]
            if len(fitting) == 1 and _is_exact(board, reading, fitting[0]) and reading == written[0]:
                return Move((fitting[0].action,))
            found |= {move.action: move for move in fitting}
        complete = [move for move in found.values() if move.promotion is None or any(r.promotion for r in written)]
        if len(complete) == 1:
            return Move((complete[0].action,))
        if complete:
            names = ", ".join(state.engine.action_to_string(move.action) for move in complete)
            raise Illegal("ambiguous", f"{text.strip()[:60]!r} can mean {names}")
        raise why_illegal(board, written[0])

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return mentions(text)

    def schema(self, state: SpielState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        schema = super().schema(state, seat, notation)
        schema["properties"]["move"]["description"] = "the move in standard algebraic notation (SAN)"
        return schema

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "in standard algebraic notation (SAN)"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        # Not a move anybody should want: copying the example must not pass for playing well.
        state = self.new(2, Chance(0))
        text = "Nh3" if self.fen == START else self.format(state, self.legal(state, self.to_act(state)[0])[0])
        return {"move": text}, text

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        begin = "" if self.fen == START else "This game starts from a position of its own, not from the usual one. "
        return (
            "You are playing chess by the usual rules, castling, capturing en passant and promotion included. "
            f"{begin}"
            "Checkmate wins. The game is drawn by stalemate, and at once, without anybody claiming it, when the same "
            "position (with the same side to move and the same castling and en passant possibilities) occurs for the "
            "third time, when both sides have made fifty moves in a row without a capture or a pawn move, or when the "
            "pieces left can never give mate: bare kings, a king with one knight or one bishop against a bare king, or "
            "nothing but bishops on squares of one colour. A pawn that reaches the last rank must name the piece it "
            "becomes (queen, rook, bishop or knight). Moves are named in standard algebraic notation (SAN), as in e4, "
            "Nf3, exd5, O-O and e8=Q."
        )

    def observe(self, state: SpielState, viewer: Viewer) -> Observation:
        own = _own(state)
        board, _ = _position(_placement(own.fen))
        enemy = other(board.colour)
        king = board.king(board.colour)
        last = own.lans[-1] if own.lans else None
        data = {
            "fen": own.fen,
            "start": self.fen,
            "moves": list(own.sans),
            "last": [last[:2], last[2:4]] if last else None,
            "check": king if any(board.attackers(king, enemy)) else None,
        }
        return Observation(viewer, data, self._events(own), self.to_act(own))

    def _events(self, state: SpielState) -> tuple[Event, ...]:
        own = _own(state)
        movers = own.movers
        return tuple(Event(self.seats[mover], san) for (mover, _), san in zip(movers, own.sans, strict=True))

    def views(self) -> Mapping[str, View]:
        return VIEWS

    def svg(self, observation: Observation) -> str:
        return picture(observation)

    def places(self, observation: Observation) -> Sequence[Place]:
        return places()

    def parts(self, observation: Observation, notation: str, action: Move) -> Sequence[str]:
        """The square that the piece leaves, the one it goes to, and what a pawn becomes."""
        _, legal = _position(_placement(observation.data["fen"]))
        move = next(move for move in legal if move.action == action.steps[0])
        return [move.start, move.target, *([move.promotion.lower()] if move.promotion else [])]

    def record(
        self,
        start: SpielState,
        moves: Sequence[tuple[Seat, Move]],
        names: Mapping[Seat, str],
        *,
        scores: Mapping[Seat, float] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> tuple[str, str]:
        """The game as PGN (see `Game.record`)."""
        state = _own(start)
        first, before = state.fen, len(state.sans)
        for _, move in moves:
            state = _after(state, move.steps[0])
        return "pgn", pgn(first, state.sans[before:], names, scores, tags or {})

    # ------------------------------------------------------------------- JSON

    def dump(self, state: SpielState) -> Json:
        return {"moves": list(_own(state).sans)}

    def load(self, data: Json) -> ChessState:
        state = self.new(2, Chance(0))
        for san in data["moves"]:
            state = _after(state, state.engine.parse_move_to_action(san))
        return state


def _own(state: SpielState) -> ChessState:
    assert isinstance(state, ChessState)
    return state


def _after(state: ChessState, action: int) -> ChessState:
    engine = state.engine.clone()
    mover = engine.current_player()
    san = str(engine.action_to_string(mover, action))
    lan = str(pyspiel.chess.action_to_move(action, engine.board()).to_lan())
    engine.apply_action(action)
    fen = str(engine)
    # No position from before a capture or a pawn move can ever come back.
    before = () if fen.split()[4] == "0" else state.keys
    return ChessState(
        (*state.history, action),
        (*state.movers, (0 if mover == _WHITE else 1, 1)),
        state.chance,
        engine,
        (*state.sans, san),
        (*state.lans, lan),
        (*before, _key(fen)),
    )


# ------------------------------------------------------------------- positions


def _placement(fen: str) -> str:
    """A FEN without its two counters."""
    return fen.rsplit(" ", 2)[0]


@lru_cache(maxsize=4096)
def _position(placement: str) -> tuple[Board, tuple[_Legal, ...]]:
    """The board and the legal moves, in OpenSpiel's order; a pure function, kept because answers need it often."""
    engine = _RULES.new_initial_state(f"{placement} 0 1")
    board, own = read_fen(placement), engine.board()
    moves = []
    for action in engine.legal_actions():
        lan = str(pyspiel.chess.action_to_move(action, own).to_lan())
        promotion = lan[4:].upper() or None
        moves.append(_Legal(action, lan[:2], lan[2:4], board.pieces[lan[:2]].upper(), promotion))
    return board, tuple(moves)


def _fits(reading: Reading, move: _Legal) -> bool:
    """Whether a legal move has all the parts that were written; a promotion fits where no piece was named, too."""
    if reading.castle is not None:
        return move.castle == reading.castle
    if reading.target != move.target or reading.piece not in (None, move.piece):
        return False
    if reading.file not in (None, move.start[0]) or reading.rank not in (None, move.start[1]):
        return False
    if reading.promotion is not None and reading.promotion != move.promotion:
        return False
    # "d5" is a pawn's step ahead; its captures name the file they come from, or at least the capture.
    ahead_only = move.piece == "P" and reading.file is None and not reading.takes
    return not ahead_only or move.start[0] == move.target[0]


def _is_exact(board: Board, reading: Reading, move: _Legal) -> bool:
    """Whether the move is written as it should be, so that no other way of reading it needs to be considered."""
    captures = move.target in board.pieces or (move.piece == "P" and move.start[0] != move.target[0])
    return (reading.takes == captures or reading.piece is None) and reading.promotion == move.promotion


def _key(fen: str) -> str:
    """What makes two positions the same (article 9.2.3): an en passant square counts where the capture is legal."""
    placement = _placement(fen)
    if placement.endswith(" -"):
        return placement
    board, legal = _position(placement)
    taken = any(
        move.piece == "P" and move.target == board.en_passant and move.start[0] != move.target[0] for move in legal
    )
    return placement if taken else placement.rsplit(" ", 1)[0] + " -"


def _repeated(state: SpielState) -> bool:
    keys = _own(state).keys
    return keys.count(keys[-1]) >= _REPETITIONS


def _over(state: SpielState) -> bool:
    # OpenSpiel takes a position with an en passant square for another one even where nobody can capture there.
    return state.engine.is_terminal() or _repeated(state)


def _can_mate(state: SpielState) -> bool:
    """Whether the material could mate at all: article 5.2.2 as far as pieces alone decide it."""
    board = read_fen(str(state.engine))
    pieces = {square: piece.upper() for square, piece in board.pieces.items() if piece not in "Kk"}
    if len(pieces) <= 1:
        return not set(pieces.values()) <= {"N", "B"}
    shades = {(ord(square[0]) + int(square[1])) % 2 for square in pieces}
    return not (set(pieces.values()) == {"B"} and len(shades) == 1)
