"""How chess moves are written and read, in every notation and in prose, and why unplayable ones are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludometer.games._chess_explain as chess_explain
from ludometer.core import Chance, Illegal
from ludometer.games._chess_board import START
from ludometer.games.chess import Chess

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTES = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
TWO_PAWNS = "1n5k/P1P5/8/8/8/8/8/K7 w - - 0 1"
BISHOP_OR_PAWN = "4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1"
KNIGHTS = "4k3/8/8/8/8/3N1N2/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


def read(text: str, fen: str = START) -> str:
    """The canonical notation of what was read."""
    game = Chess(fen)
    state = game.new(2, Chance(0))
    (seat,) = game.to_act(state)
    return game.format(state, game.parse(state, seat, text))


def refused(text: str, fen: str = START) -> tuple[str, str]:
    with pytest.raises(Illegal) as caught:
        read(text, fen)
    return caught.value.kind, caught.value.reason


@pytest.mark.parametrize(
    ("fen", "san", "ways"),
    [
        (
            START,
            "e4",
            "e4;E4;e2e4;E2E4;e2-e4;e2 e4;e2 to e4;Pe4;pawn to e4;pawn e2 to e4;1. e4;1.e4;1 e4;1. e4!;e4.;e4+",
        ),
        (START, "e4", "**e4**;`e4`;'e4';(e4);e4!?;“e4”; e4\n;1... e4;♙e4"),
        (START, "Nf3", "Nf3;nf3;NF3;N f3;Ng1f3;Ng1-f3;Ngf3;N1f3;g1f3;Nxf3;Nf3+;Nf3#;Nf3++;♘f3;♞f3;knight to f3"),
        (START, "Nf3", "knight from g1 to f3;Knight f3;1.Nf3;8... Nf3;8…Nf3"),
        (KIWIPETE, "O-O", "O-O;o-o;0-0;O–O;0−0;O-O+;8. O-O;8.0-0;e1g1;Kg1;castles kingside;castle short;O-O!"),
        (KIWIPETE, "O-O-O", "O-O-O;o-o-o;0-0-0;0–0–0;O-O-O#;e1c1;castles queenside;castles long"),
        (KIWIPETE, "dxe6", "dxe6;de6;d5xe6;d5e6;DXE6;d:e6;xe6;dxe6+;pawn takes e6;d5 takes e6"),
        (KIWIPETE, "Bxa6", "Bxa6;Ba6;bxa6;ba6;e2a6;Bishop takes a6;bishop captures a6"),
        (KIWIPETE, "Nxd7", "Nxd7;Nd7;N5xd7;Nexd7;e5d7;e5xd7"),
        (PROMOTES, "a8=Q", "a8=Q;a8Q;a8q;a8=q;a8 = Q;a8(Q);a8/Q;a7a8q;a7a8Q;A7A8Q;a7-a8=Q;a8=♕;a8=queen"),
        (PROMOTES, "axb8=N", "axb8=N;axb8N;ab8N;a7b8n;axb8=n;axb8=N+;pawn takes b8 and promotes to knight"),
        (PROMOTES, "axb8=B", "axb8=B;axb8B;a7b8b;xb8B"),
        (BISHOP_OR_PAWN, "bxc5", "bxc5;b4c5;b4xc5"),
        (BISHOP_OR_PAWN, "Bxc5", "Bxc5;BXC5;Bd4c5;d4c5;Bdxc5"),
        (BISHOP_OR_PAWN, "Bb2", "Bb2;bb2;B:b2"),
        (KNIGHTS, "Nde5", "Nde5;nde5;Nd3e5;d3e5;Ndxe5"),
        (EN_PASSANT, "exd6", "exd6;ed6;e5d6;exd6e.p.;exd6 e.p.;exd6 ep"),
    ],
)
def test_harmless_differences_are_accepted(fen: str, san: str, ways: str) -> None:
    for way in ways.split(";"):
        assert read(way, fen).rstrip("+#") == san, way


@pytest.mark.parametrize(
    ("fen", "text", "meant"),
    [
        (KNIGHTS, "Ne5", ["Nde5", "Nfe5"]),
        (KNIGHTS, "N3e5", ["Nde5", "Nfe5"]),
        (KNIGHTS, "knight to e5", ["Nde5", "Nfe5"]),
        (BISHOP_OR_PAWN, "bc5", ["bxc5", "Bxc5"]),
        (BISHOP_OR_PAWN, "Bc5", ["bxc5", "Bxc5"]),
        (TWO_PAWNS, "xb8=Q", ["axb8=Q", "cxb8=Q"]),
    ],
)
def test_what_could_be_two_legal_moves_is_ambiguous(fen: str, text: str, meant: list[str]) -> None:
    kind, reason = refused(text, fen)
    assert kind == "ambiguous"
    assert all(san in reason for san in meant)


@pytest.mark.parametrize("text", ["a8", "a7a8", "axb8", "a7b8", "ab8", "xb8", "a8+", "pawn to a8"])
def test_a_promotion_names_its_piece(text: str) -> None:
    kind, reason = refused(text, PROMOTES)
    assert kind == "promotion_piece_missing"
    assert "=Q" in reason


PINNED = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"
CASTLES = "4k3/8/8/8/8/{}/8/R3K2R w KQ - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "kind", "reason"),
    [
        (START, "e3e4", "no_such_piece", "no piece on e3"),
        (START, "N5f3", "no_such_piece", "no knight on rank 5"),
        (START, "Nef3", "no_such_piece", "no knight on the e-file"),
        (START, "Bg1f3", "no_such_piece", "the piece on g1 is a knight, not a bishop"),
        (PROMOTES, "Qa4", "no_such_piece", "White has no queen"),
        (PROMOTES, "b8=Q", "no_such_piece", "no pawn on the b-file"),
        (START, "e7e5", "wrong_side", "the pawn on e7 belongs to Black"),
        (START, "Nf6", "wrong_side", "Black's knight on g8"),
        (START, "e5", "wrong_side", "Black's pawn on e7"),
        (START, "Bb5", "blocked", "the pawn on e2 is in the way from f1 to b5"),
        (START, "Ra4", "blocked", "the pawn on a2"),
        (START, "Ke2", "blocked", "e2 is occupied by a pawn of the same colour"),
        ("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e4", "blocked", "the knight on e4 is in the way"),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e4", "blocked", "the knight on e3 is in the way"),
        (START, "Nd4", "cannot_move_there", "knights (on b1 and g1) can move to d4"),
        (START, "Kd3", "cannot_move_there", "a king does not move from e1 to d3"),
        (START, "exd3", "cannot_move_there", "d3 is empty"),
        (START, "e2e5", "cannot_move_there", "a pawn does not move from e2 to e5"),
        (START, "e2e2", "cannot_move_there", "stands there already"),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e5", "cannot_move_there", "first move"),
        (PINNED, "Nc3", "leaves_king_in_check", "would put White's king on e1 in check from the rook on e4"),
        (PINNED, "e2d4", "leaves_king_in_check", "the rook on e4"),
        ("4k3/8/8/8/4r3/8/3N4/4K3 w - - 0 1", "Nb3", "leaves_king_in_check", "leave White's king on e1 in check"),
        ("4k3/8/8/8/8/3r4/P7/4K3 w - - 0 1", "Kd2", "leaves_king_in_check", "on d2 in check from the rook on d3"),
        (
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
            "exd6",
            "leaves_king_in_check",
            "king on a5 in check from the rook on h5",
        ),
        (START, "O-O", "castling_blocked", "the bishop on f1 stands between"),
        (START, "0-0-0", "castling_blocked", "the queen on d1"),
        (START, "e1g1", "castling_blocked", "the bishop on f1"),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "O-O-O", "castling_blocked", "the knight on b1"),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "castling_right_lost", "may not castle kingside"),
        (CASTLES.format("4r3"), "O-O", "castling_in_check", "the king on e1 is in check from the rook on e3"),
        (CASTLES.format("5r2"), "O-O", "castling_through_check", "pass f1, which the rook on f3 attacks"),
        (CASTLES.format("6r1"), "O-O", "castling_into_check", "in check on g1 from the rook on g3"),
        (CASTLES.format("2r5"), "Kc1", "castling_into_check", "in check on c1 from the rook on c3"),
        (PROMOTES, "a8=K", "not_a_promotion_piece", "queen, a rook, a bishop or a knight"),
        (START, "d4=Q", "no_promotion", "d2 to d4 is no promotion"),
        (PROMOTES, "Kb1=Q", "no_promotion", "no promotion"),
    ],
)
def test_the_rule_that_is_broken_is_named(fen: str, text: str, kind: str, reason: str) -> None:
    found, said = refused(text, fen)
    assert found == kind
    assert reason in said


def test_two_squares_are_never_a_bishop() -> None:
    """A bishop stands on the second rank as well, and could go to g3."""
    fen = "4k3/8/8/8/8/8/1R1P1B2/4K3 w - - 0 1"
    assert refused("b2g3", fen)[0] == "cannot_move_there"
    assert refused("b2e2", fen)[0] == "blocked"
    assert refused("B2E2", fen)[0] == "blocked"
    assert read("B2g3", fen) == "Bg3"
    assert read("b2b4", fen) == read("B2B4", fen) == "Rb4"


def test_a_rook_attacking_b1_does_not_stop_castling() -> None:
    assert read("O-O-O", CASTLES.format("1r6")) == "O-O-O"


@pytest.mark.parametrize(
    "text",
    (
        *("", " ", "--", "-", "0000", "@@@@", "null", "pass", "resign", "e9", "i4", "Zf3", "e4 e5 Nf3", "O-O-O-O"),
        *("0", "1.", "=Q", "e4 paper", "Black e5", "e4" * 40, "N" * 5000, "1-0", "1/2-1/2", "e2e4e6", "Nf3 or e4"),
        *("٤e", "½", "\x00e4\x00e"),
    ),
)
def test_what_is_no_move_is_an_invalid_format(text: str) -> None:
    assert refused(text)[0] == "invalid_format"


@given(st.text(max_size=80) | st.text("KQRBNPkqrbnabcdefgh12345678xX=+#-O0. (){}♘♛!?", max_size=12))
@settings(max_examples=400)
def test_hostile_text_is_read_or_refused(text: str) -> None:
    game = Chess(KIWIPETE)
    state = game.new(2, Chance(0))
    for piece in [text, *game.mentions(text)]:
        try:
            move = game.parse(state, "white", piece)
        except Illegal:
            continue
        game.check(state, "white", move)


@given(st.text("abcdefghKQRBN12345678 x=O0-+#.toknight", min_size=1, max_size=3000))
@settings(max_examples=60)
def test_prose_of_any_kind_is_searched(text: str) -> None:
    pieces = Chess().mentions(text)
    assert all(piece in text for piece in pieces)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("I considered Nf3 but play 1. e4", "e4"),
        ("My move: **Nf3**.", "Nf3"),
        ("8... Nf6", "Nf6"),
        ("8.O-O", "O-O"),
        ("I castle: 0-0-0!", "0-0-0"),
        ("exd8=Q+ wins", "exd8=Q+"),
        ("promoting: e7e8q", "e7e8q"),
        ("e2-e4", "e2-e4"),
        ("I move the pawn from e2 to e4.", "pawn from e2 to e4"),
        ("I move the knight from g1 to f3.", "knight from g1 to f3"),
        ("Bishop takes e5", "Bishop takes e5"),
        ("Nf3, which controls e5 and attacks the d4 square", "Nf3"),
        ("Rad1 puts the rook on d1", "Rad1"),
        ("The line goes 1. e4 e5 2. Nf3", "Nf3"),
        ("1. e4 e5", "e5"),
        ("I play e4. Print this on a4 paper.", "e4"),
        ("e4\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e4"),
        ("E4", "E4"),
        ("♘f3", "♘f3"),
        ("I castle kingside", "castle kingside"),
        ("R1e2", "R1e2"),
        ('{"move": "Nbd7"}', "Nbd7"),
    ],
)
def test_the_last_move_that_is_stated(text: str, last: str) -> None:
    assert Chess().mentions(text)[-1] == last


@pytest.mark.parametrize(
    "text", ["", "no move here", "b2b software", "https://example.org/e4/e5", "the a4 paper", "v1.e4x"]
)
def test_what_is_no_move_in_prose(text: str) -> None:
    assert Chess().mentions(text) == []


def test_the_page_about_chess_names_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "games-chess.md").read_text(encoding="utf-8")
    source = Path(chess_explain.__file__).read_text(encoding="utf-8")
    kinds = set(re.findall(r'"([a-z]+(?:_[a-z]+)+|blocked)"', source))
    assert len(kinds) >= 12
    assert {kind for kind in kinds - {"why_illegal"} if f"`{kind}`" not in page} == set()
