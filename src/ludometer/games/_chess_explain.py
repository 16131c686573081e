"""Why a move that can be read cannot be played: the rule it breaks, in words that name squares."""

from __future__ import annotations

from collections.abc import Sequence

from ludometer.core import Illegal
from ludometer.games._chess_board import Board, Colour, Square, name_of, other, place
from ludometer.games._chess_reading import Reading

__all__ = ["why_illegal"]

_NEAREST = ("leaves_king_in_check", "blocked", "cannot_move_there", "no_such_piece")
"""Of several pieces that could be meant, the one that comes nearest to moving is explained."""


def why_illegal(board: Board, reading: Reading) -> Illegal:
    """The rule that keeps the move that was read, which is none of the legal moves, from being played."""
    if reading.castle is not None:
        return _castling(board, reading.castle)
    start = reading.start
    if start is not None:
        problem = _wrong_start(board, reading, start)
        if problem is not None:
            return problem
        candidates = [start]
    else:
        candidates = _candidates(board, reading, board.colour)
    if not candidates:
        return _nobody(board, reading)
    king, back = board.king(board.colour), "1" if board.colour == "white" else "8"
    if candidates == [king] and king == "e" + back and reading.target in ("g" + back, "c" + back):
        return _castling(board, "K" if reading.target[0] == "g" else "Q")
    found = [_why(board, candidate, reading) for candidate in candidates]
    best = min(found, key=lambda problem: _rank(problem.kind))
    if best.kind == "cannot_move_there" and start is None:
        return _out_of_reach(board, reading, candidates, best)
    return best


def _rank(kind: str) -> int:
    return _NEAREST.index(kind) if kind in _NEAREST else -1


def _title(colour: Colour) -> str:
    return colour.capitalize()


def _wrong_start(board: Board, reading: Reading, start: Square) -> Illegal | None:
    piece = board.pieces.get(start)
    if piece is None:
        return Illegal("no_such_piece", f"there is no piece on {start}")
    if board.owner(start) != board.colour:
        owner = _title(other(board.colour))
        return Illegal(
            "wrong_side", f"the {name_of(piece)} on {start} belongs to {owner}, and it is {_title(board.colour)}'s move"
        )
    if reading.piece is not None and piece.upper() != reading.piece:
        return Illegal("no_such_piece", f"the piece on {start} is a {name_of(piece)}, not a {name_of(reading.piece)}")
    return None


def _candidates(board: Board, reading: Reading, colour: Colour) -> list[Square]:
    """The pieces that the reading can mean, wherever they can go."""
    kind = reading.piece or "P"
    files = reading.file or "abcdefgh"
    if kind == "P" and reading.file is None and not reading.takes:
        files = reading.target[0]  # a pawn's move without a file is a step ahead
    squares = board.squares_of(kind, colour)
    return [square for square in squares if square[0] in files and reading.rank in (None, square[1])]


def _nobody(board: Board, reading: Reading) -> Illegal:
    kind = name_of(reading.piece or "P")
    mine = _title(board.colour)
    if theirs := _able(board, reading, other(board.colour)):
        return _opponents(board, theirs[0], reading.target)
    where = ""
    if reading.file or kind == "pawn":
        where = f" on the {reading.file or reading.target[0]}-file"
    elif reading.rank:
        where = f" on rank {reading.rank}"
    return Illegal("no_such_piece", f"{mine} has no {kind}{where}")


def _opponents(board: Board, square: Square, target: Square) -> Illegal:
    theirs, mine = _title(other(board.colour)), _title(board.colour)
    piece = name_of(board.pieces[square])
    return Illegal("wrong_side", f"only {theirs}'s {piece} on {square} could go to {target}, and it is {mine}'s move")


def _able(board: Board, reading: Reading, colour: Colour) -> list[Square]:
    """The colour's pieces of that kind that could make the move if it were theirs (checks left out)."""
    turned = board._replace(colour=colour)
    return [s for s in _candidates(turned, reading, colour) if _obstacle(turned, s, reading.target) is None]


def _out_of_reach(board: Board, reading: Reading, candidates: Sequence[Square], why: Illegal) -> Illegal:
    if theirs := _able(board, reading, other(board.colour)):
        return _opponents(board, theirs[0], reading.target)
    if len(candidates) == 1:
        return why
    kind = name_of(reading.piece or "P")
    places = " and ".join(candidates)
    return Illegal(
        "cannot_move_there", f"none of {_title(board.colour)}'s {kind}s (on {places}) can move to {reading.target}"
    )


def _why(board: Board, start: Square, reading: Reading) -> Illegal:
    target = reading.target
    obstacle = _obstacle(board, start, target)
    if obstacle is not None:
        return obstacle
    after = board.moved(start, target)
    king = after.king(board.colour)
    attacker = next(after.attackers(king, other(board.colour)), None)
    if attacker is not None:
        piece = name_of(after.pieces[attacker])
        how = "leave" if any(board.attackers(board.king(board.colour), other(board.colour))) else "put"
        return Illegal(
            "leaves_king_in_check",
            f"{start} to {target} would {how} {_title(board.colour)}'s king on {king} in check from the {piece} on "
            f"{attacker}",
        )
    return _promotion(board, start, reading)


def _promotion(board: Board, start: Square, reading: Reading) -> Illegal:
    """The piece can go there: what is left is what it promotes to, or that it does not promote."""
    arrives = board.pieces[start].upper() == "P" and reading.target[1] in "18"
    if arrives and reading.promotion is None:
        return Illegal(
            "promotion_piece_missing",
            f"a pawn that reaches {reading.target} must promote; name the piece, for example {reading.target}=Q",
        )
    if arrives:
        return Illegal("not_a_promotion_piece", "a pawn promotes to a queen, a rook, a bishop or a knight")
    if reading.promotion is not None:
        return Illegal("no_promotion", f"{start} to {reading.target} is no promotion")
    return Illegal(
        "cannot_move_there", f"the {name_of(board.pieces[start])} on {start} cannot move to {reading.target}"
    )


def _obstacle(board: Board, start: Square, target: Square) -> Illegal | None:
    """Why the piece cannot go there, its king's safety aside."""
    piece = board.pieces[start]
    name = name_of(piece)
    if start == target:
        return Illegal("cannot_move_there", f"the {name} on {start} stands there already")
    if piece.upper() == "P" and (problem := _pawn(board, start, target)) is not None:
        return problem
    if piece.upper() != "P" and not board.aims(start, target):
        return Illegal("cannot_move_there", f"a {name} does not move from {start} to {target}")
    if piece.upper() != "N":
        for square in board.between(start, target):
            if square in board.pieces:
                other_piece = name_of(board.pieces[square])
                return Illegal("blocked", f"the {other_piece} on {square} is in the way from {start} to {target}")
    if board.owner(target) == board.owner(start):
        return Illegal("blocked", f"{target} is occupied by a {name_of(board.pieces[target])} of the same colour")
    return None


def _pawn(board: Board, start: Square, target: Square) -> Illegal | None:
    white = board.pieces[start].isupper()
    (column, row), (to_column, to_row) = place(start), place(target)
    ahead = (to_row - row) * (1 if white else -1)
    if abs(to_column - column) == 1 and ahead == 1:
        if target in board.pieces or (target == board.en_passant and board.owner(start) == board.colour):
            return None
        return Illegal("cannot_move_there", f"a pawn moves diagonally only to capture, and {target} is empty")
    if to_column != column or ahead not in (1, 2):
        return Illegal("cannot_move_there", f"a pawn does not move from {start} to {target}")
    if ahead == 2 and row != (1 if white else 6):
        return Illegal("cannot_move_there", f"only a pawn's first move can be two squares, and {start} is past that")
    if target in board.pieces:
        piece = name_of(board.pieces[target])
        return Illegal("blocked", f"the {piece} on {target} is in the way: a pawn does not capture straight ahead")
    return None


def _castling(board: Board, side: str) -> Illegal:
    white = board.colour == "white"
    back = "1" if white else "8"
    right = side if white else side.lower()
    wing = "kingside" if side == "K" else "queenside"
    start = "e" + back
    enemy = other(board.colour)
    if right not in board.castling:
        return Illegal(
            "castling_right_lost",
            f"{_title(board.colour)} may not castle {wing}: the king or that rook is not in its place or has moved",
        )
    for file in "fg" if side == "K" else "dcb":
        if file + back in board.pieces:
            piece = name_of(board.pieces[file + back])
            return Illegal("castling_blocked", f"the {piece} on {file + back} stands between king and rook")
    for file, kind in (("e", "castling_in_check"), *_path(side)):
        attacker = (
            next(board.moved(start, file + back).attackers(file + back, enemy), None)
            if file != "e"
            else next(board.attackers(start, enemy), None)
        )
        if attacker is not None:
            piece = f"the {name_of(board.pieces[attacker])} on {attacker}"
            reason = {
                "castling_in_check": f"the king on {start} is in check from {piece}",
                "castling_through_check": f"the king would pass {file + back}, which {piece} attacks",
                "castling_into_check": f"the king would be in check on {file + back} from {piece}",
            }[kind]
            return Illegal(kind, reason)
    return Illegal("castling_right_lost", f"{_title(board.colour)} may not castle {wing}")


def _path(side: str) -> tuple[tuple[str, str], ...]:
    passed, reached = ("f", "g") if side == "K" else ("d", "c")
    return (passed, "castling_through_check"), (reached, "castling_into_check")
