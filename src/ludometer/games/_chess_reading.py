"""What was meant by a written chess move: its parts, before it is compared with the legal moves.

Standard algebraic notation (SAN), the from-to notation of UCI, and words ("knight takes e5") are read. All of it is
hostile text: every pattern is bounded, and nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ludometer.games._chess_board import NAMES, Square

__all__ = ["Reading", "bare", "mentions", "readings"]

_LONGEST = 60
"""Characters of the longest text that is taken for a move."""

_WRAPPING = " \t\r\n()[]{}<>*_`'\"“”‘’.,;:!?…"
_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟–—−‐‑×→", "KQRBNPKQRBNP-----x-")
_NUMBER = re.compile(r"^\d{1,4}(?:\s{0,3}(?:\.{1,3}|…|\))\s{0,3}(?:\.{2,3}|…)?\s{0,3}|\s{1,3}(?=[a-hKQRBNO]))")
_MARKS = re.compile(r"(?:[!?]{0,3}(?:\s{0,2}e\.?p\.?)?[!?+#†‡.]{0,4})$", re.IGNORECASE)
_MATE = re.compile(r"\s{0,3}(?:check(?:mate)?|mate)$", re.IGNORECASE)
_PIECE_WORD = re.compile(r"\b(king|queen|rook|bishop|knight|pawn)s?\b", re.IGNORECASE)
_LINK_WORD = re.compile(r"\b(?:from|to|on|at)\b", re.IGNORECASE)
_TAKES_WORD = re.compile(r"\b(?:takes|captures)\b", re.IGNORECASE)
_PROMOTES = re.compile(r"\b(?:and\s{1,3})?(?:promotes?|promoting|becomes)\b", re.IGNORECASE)
_LETTERS = {name: letter for letter, name in NAMES.items()}

_CASTLES = re.compile(r"[O0]-[O0](?P<long>-[O0])?", re.IGNORECASE)
_SAID = re.compile(r"castles?(?P<side>(?:king|queen)-?side|short|long)", re.IGNORECASE)
_SAN = re.compile(
    r"(?P<piece>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[x:-])?(?P<target>[a-h][1-8])"
    r"(?:[=/(]{0,2}(?P<promotion>[QRBNKP])\)?)?",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """The parts of a move as written; None where a part is not written.

    Attributes:
        castle: the side, where castling is written as such.
        piece: a capital letter; ``P`` also where no letter stands and the notation means a pawn by that; None where
            only squares are written.
        file, rank, target: of the start, and the square moved to.
        takes: whether a capture is written as one.
        promotion: a capital letter.
    """

    castle: Literal["K", "Q"] | None = None
    piece: str | None = None
    file: str | None = None
    rank: str | None = None
    target: Square = ""
    takes: bool = False
    promotion: str | None = None

    @property
    def start(self) -> Square | None:
        """The square moved from, where it is written in full."""
        return self.file + self.rank if self.file and self.rank else None


def bare(text: str) -> str:
    """The move without its number, marks, quotation marks and spaces, with words and figurines as letters."""
    text = text.strip(_WRAPPING)
    if len(text) > _LONGEST:
        return ""
    text = _NUMBER.sub("", text.translate(_FIGURINES)).strip(_WRAPPING + "-")
    text = _MATE.sub("", _MARKS.sub("", text, count=1)).rstrip(_WRAPPING + "+")
    text = _PIECE_WORD.sub(lambda match: _LETTERS[match[1].lower()], text)
    text = _PROMOTES.sub("=", _TAKES_WORD.sub("x", _LINK_WORD.sub("", text)))
    return re.sub(r"\s+", "", text)


def readings(text: str) -> Sequence[Reading]:
    """Everything that a bare move (see `bare`) can mean, the most literal first; none where it is no move."""
    if castles := _CASTLES.fullmatch(text):
        return (Reading(castle="Q" if castles["long"] else "K"),)
    if said := _SAID.fullmatch(text):
        return (Reading(castle="K" if said["side"].lower() in ("kingside", "king-side", "short") else "Q"),)
    return tuple(dict.fromkeys(_squares(text)))


def _squares(text: str) -> Iterator[Reading]:
    match = _SAN.fullmatch(text)
    if match is None:
        return
    piece = match["piece"]
    if piece not in ("b", "B") or match["file"]:
        yield _reading(match, piece)
    elif match["rank"]:
        # "b1d2" names squares, and so does "B1D2"; "B1d2" is a bishop's move.
        names_squares = piece == "b" or match["target"][0].isupper()
        yield _reading(match, None, file="b") if names_squares else _reading(match, piece)
    else:
        # "bc4" is a pawn's capture without its sign, or a bishop's move in small letters; likewise "BC4".
        bishop, pawn = _reading(match, piece), _reading(match, None, file="b")
        pawn_captures = match["target"][0] in "acAC"
        yield from (pawn, bishop) if pawn_captures and piece == "b" else (bishop, pawn) if pawn_captures else (bishop,)


def _reading(match: re.Match[str], piece: str | None, *, file: str | None = None) -> Reading:
    file = file or match["file"]
    rank = match["rank"]
    squares_only = piece is None and file is not None and rank is not None
    return Reading(
        piece=piece.upper() if piece else None if squares_only else "P",
        file=file.lower() if file else None,
        rank=rank,
        target=match["target"].lower(),
        takes=match["takes"] in ("x", "X", ":"),
        promotion=match["promotion"].upper() if match["promotion"] else None,
    )


# ------------------------------------------------------------------- in prose

_PROSE_NAMED = (
    r"(?:king|queen|rook|bishop|knight|pawn)\s{1,3}(?:(?:from|on|at)\s{1,3})?(?:[a-h][1-8]\s{1,3})?"
    r"(?:to|takes|captures|x)\s{0,3}(?:on\s{1,3})?[a-h][1-8](?:=?[QRBN]\b)?"
)
_PROSE_CASTLES = r"[O0][-–—−‐‑][O0](?:[-–—−‐‑][O0])?|castles?\s{1,3}(?:kingside|queenside|short|long)"
_PROSE_SQUARES = r"[a-h][1-8](?:\s{0,2}[-–—−‐‑→]\s{0,2})?[a-h][1-8](?:=?[QRBN])?|[a-h][1-8]\s{1,3}to\s{1,3}[a-h][1-8]"
_PROSE_SAN = r"[KQRBNP♔-♟]?[a-h]?[1-8]?[x×:-]?[a-h][1-8](?:\s?=\s?[QRBNKP♔-♟]|/[QRBN]|\([QRBN]\)|(?<=[18])[QRBN])?"
_PROSE = re.compile(
    rf"(?<![\w♔-♟/=])(?:{_PROSE_NAMED}|{_PROSE_CASTLES}|{_PROSE_SQUARES}|{_PROSE_SAN})(?:[+#†‡]{{1,2}})?(?![\w/]|-\w)",
    re.IGNORECASE,
)
_SQUARE = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_PLACE_BEFORE = re.compile(
    r"\b(?:on|at|from|of|over|via|behind|near|square|squares|control|controls|controlling|attack|attacks|attacking|"
    r"defend|defends|defending|guard|guards|guarding|protect|protects|protecting|eye|eyes|eyeing|target|targets|"
    r"targeting|threaten|threatens|threatening|cover|covers|covering|pressure|weaken|weakens|weakening|"
    r"against|toward|towards)"
    r"(?:\s{1,2}(?:the|your|my|their|his|its|both|square|pawn|central))?\s{1,2}\(?$",
    re.IGNORECASE,
)
_PLACE_AFTER = re.compile(
    r"^[- ](?:square|pawn|knight|bishop|rook|queen|king|file|paper|size|sized|sheet)\b|^ \d{1,4} \d",
    re.IGNORECASE,
)


def mentions(text: str) -> list[str]:
    """Everything in running text that looks like a move, in order.

    A square alone ("e4") is a pawn's move, unless the words around it speak of the square itself: "controls e5", "the
    knight on f3", "a4 paper".
    """
    return [match.group() for match in _PROSE.finditer(text) if not _is_place(text, match)]


def _is_place(text: str, match: re.Match[str]) -> bool:
    if not _SQUARE.fullmatch(match.group()):
        return False
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 12]
    return bool(_PLACE_BEFORE.search(before) or _PLACE_AFTER.search(after))
