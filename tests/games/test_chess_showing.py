"""What is shown of a chess game: views, prompts that do not grow, the picture, and PGN files that others can read."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from ludometer.core import Chance, Observation
from ludometer.games._chess_board import START
from ludometer.games._chess_pgn import move_text
from ludometer.games.chess import Chess, ChessState
from ludometer.matches import Match
from ludometer.prompts import PromptStyle, compose
from ludometer.prompts.picture import png

LATER = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"


def state_after(moves: str, fen: str = START) -> tuple[Chess, ChessState]:
    game = Chess(fen)
    state = game.new(2, Chance(0))
    for text in moves.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    return game, state


def shown(view: str, moves: str, fen: str = START) -> str:
    game, state = state_after(moves, fen)
    return game.views()[view].render(game.observe(state, "white"))


def test_the_position_as_fen_comes_first() -> None:
    assert next(iter(Chess().views())) == "fen"
    assert shown("fen", "e4 c5 Nf3") == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


def test_the_board_as_text() -> None:
    assert shown("ascii", "e4 e5 Ke2").splitlines() == [
        "8 r n b q k b n r",
        "7 p p p p . p p p",
        "6 . . . . . . . .",
        "5 . . . . p . . .",
        "4 . . . . P . . .",
        "3 . . . . . . . .",
        "2 P P P P K P P P",
        "1 R N B Q . B N R",
        "  a b c d e f g h",
        "Black is to move.",
        "White may still castle: no.",
        "Black may still castle: kingside and queenside.",
        "En passant square: none.",
        "Halfmoves since the last capture or pawn move: 1.",
    ]
    assert "En passant square: d6." in shown("ascii", "e4 a6 e5 d5")


def test_the_moves() -> None:
    assert shown("moves", "") == "No move has been played."
    assert shown("moves", "e4 e5 Nf3") == "1. e4 e5 2. Nf3"
    assert shown("moves", "Kd7 e4 Kd6", LATER) == f"Start position (FEN): {LATER}\n40... Kd7 41. e4 Kd6"


def test_the_game_as_pgn() -> None:
    assert shown("pgn", "e4 e5") == '[Result "*"]\n\n1. e4 e5 *'
    assert shown("pgn", "Kd7", LATER) == f'[Result "*"]\n[SetUp "1"]\n[FEN "{LATER}"]\n\n40... Kd7 *'


def random_match(seed: int, plies: int) -> tuple[Match, list[int]]:
    """A match moved on at random, and the length of the prompt for each of its moves."""
    match = Match(Chess(), seed=seed)
    lengths = []
    for ply in range(plies):
        turns = match.turns()
        if not turns:
            break
        request = compose(turns[0], PromptStyle()).request
        content = request.messages[-1].content
        assert isinstance(content, str)
        lengths.append(len(content))
        state = match.game.apply(match.state, {turns[0].seat: turns[0].sample(Chance.from_seed(seed).named(ply))})
        match.state = state
        match.step += 1
    return match, lengths


def test_prompts_do_not_grow_with_the_game() -> None:
    _, lengths = random_match(1, 60)
    assert len(lengths) == 60
    assert max(lengths) - min(lengths) < 40
    assert max(lengths) < 2_500


def test_check_and_the_last_move_are_observed_by_everybody_alike() -> None:
    game, state = state_after("e4 f5 Qh5")
    one, other = game.observe(state, "white"), game.observe(state, "black")
    assert one.data == other.data
    assert one.data["check"] == "e8"
    assert one.data["last"] == ["d1", "h5"]
    assert [event.what for event in one.events] == ["e4", "f5", "Qh5+"]
    assert [event.seat for event in one.events] == ["white", "black", "white"]


def picture_of(moves: str, fen: str = START) -> tuple[str, Observation]:
    game, state = state_after(moves, fen)
    observation = game.observe(state, "white")
    return game.svg(observation), observation


def test_the_picture_has_every_piece_and_needs_no_font() -> None:
    svg, _ = picture_of("e4 d5 exd5")
    assert svg.count("<g ") == 31
    assert "<text" not in svg
    assert png(svg).data[:4] == b"\x89PNG"


def test_the_picture_shows_the_last_move_and_check() -> None:
    quiet, _ = picture_of("")
    moved, _ = picture_of("e4 f5")
    check, _ = picture_of("e4 f5 Qh5")
    colours = [set(re.findall(r'fill="(#\w+)"', svg)) for svg in (quiet, moved, check)]
    assert colours[0] < colours[1] < colours[2]


# ------------------------------------------------------------------------- PGN


def record(moves: str, fen: str = START, **given: Any) -> str:
    game, _ = state_after("", fen)
    state = start = game.new(2, Chance(0))
    played = []
    for text in moves.split():
        (seat,) = game.to_act(state)
        played.append((seat, game.parse(state, seat, text)))
        state = game.apply(state, {seat: played[-1][1]})
    kind, text = game.record(start, played, {"white": "one", "black": "two"}, **given)
    assert kind == "pgn"
    return text


def test_a_game_as_a_file() -> None:
    text = record(
        "f3 e5 g4 Qh4",
        scores={"white": 0.0, "black": 1.0},
        tags={"event": "cup", "date": "2026-01-31", "round": "3", "termination": "normal", "unknown": "x"},
    )
    assert text == (
        '[Event "cup"]\n[Site "?"]\n[Date "2026.01.31"]\n[Round "3"]\n[White "one"]\n[Black "two"]\n'
        '[Result "0-1"]\n[Termination "normal"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    )


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        (None, "*"),
        ({"white": 1.0, "black": 0.0}, "1-0"),
        ({"white": 0.5, "black": 0.5}, "1/2-1/2"),
    ],
)
def test_results(scores: dict[str, float] | None, result: str) -> None:
    text = record("e4", scores=scores)
    assert f'[Result "{result}"]' in text
    assert text.endswith(f"1. e4 {result}\n")


def test_a_game_without_moves() -> None:
    assert record("").endswith('[Result "*"]\n\n*\n')


def test_names_cannot_break_the_file() -> None:
    pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed: pip install chess")
    game = Chess()
    start = game.new(2, Chance(0))
    names = {"white": 'a "quoted" \\ name]\n[Result "1-0"]\x00', "black": "ü\ud800" + "y" * 500}
    _, text = game.record(start, [], names)
    text.encode("utf-8")
    read = pgn.read_game(io.StringIO(text))
    assert not read.errors
    # python-chess hands out values as they are written; the standard escapes quotation marks and backslashes.
    white = read.headers["White"].replace('\\"', '"').replace("\\\\", "\\")
    assert white == 'a "quoted" \\ name] [Result "1-0"] '
    assert read.headers["Result"] == "*"
    assert max(map(len, text.splitlines())) < 300


@pytest.mark.parametrize("fen", [START, LATER, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"])
def test_python_chess_reads_the_file(fen: str) -> None:
    pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed: pip install chess")
    game = Chess(fen)
    state = start = game.new(2, Chance(0))
    played = []
    for ply in range(200):
        seats = game.to_act(state)
        if not seats:
            break
        move = game.sample(state, seats[0], Chance.from_seed(f"{fen}{ply}"))
        played.append((seats[0], move))
        state = game.apply(state, {seats[0]: move})
    _, text = game.record(start, played, {"white": "one", "black": "two"})
    assert max(map(len, text.splitlines())) <= 80
    read = pgn.read_game(io.StringIO(text))
    assert not read.errors
    assert ("FEN" in read.headers) == (fen != START)
    assert [node.uci() for node in read.mainline_moves()] == list(state.lans)


def test_a_record_may_begin_in_the_middle_of_a_game() -> None:
    game, state = state_after("e4")
    move = game.parse(state, "black", "e5")
    _, text = game.record(state, [("black", move)], {})
    assert '[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]' in text
    assert text.endswith("1... e5 *\n")


def test_move_numbers() -> None:
    assert move_text(START, []) == ""
    assert move_text(START, ["e4", "e5", "Nf3"]) == "1. e4 e5 2. Nf3"
    assert move_text(LATER, ["Kd7", "e4"]) == "40... Kd7 41. e4"
