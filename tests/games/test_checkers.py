"""Checkers against an independent English draughts, written out below with nothing shared, and published counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pyspiel
import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._checkers_views import name_of
from ludometer.games.checkers import Checkers, _squares

GAME = Checkers()

# ---------------------------------------------------------------- an engine of its own
# A position maps square numbers to b, B, w or W; a move is the tuple of squares visited. Neighbours follow the
# classical rule: from 1-4, 9-12, ... the squares ahead are n+4 and n+5, from 5-8, 13-16, ... n+3 and n+4.

Board = dict[int, str]
Move = tuple[int, ...]

START: Board = dict.fromkeys(range(1, 13), "b") | dict.fromkeys(range(21, 33), "w")


def _ahead(n: int) -> list[int | None]:
    """The two squares towards higher numbers: first the one on the side of square 1, then the other; None off board."""
    row, place = divmod(n - 1, 4)
    if row == 7:
        return [None, None]
    if row % 2 == 0:
        return [n + 4, n + 5 if place < 3 else None]
    return [n + 3 if place > 0 else None, n + 4]


def _behind(n: int) -> list[int | None]:
    row, place = divmod(n - 1, 4)
    if row == 0:
        return [None, None]
    if row % 2 == 0:
        return [n - 4, n - 3 if place < 3 else None]
    return [n - 5 if place > 0 else None, n - 4]


def _rays(piece: str) -> list[tuple[bool, int]]:
    forward = [(True, 0), (True, 1)]
    backward = [(False, 0), (False, 1)]
    return {"b": forward, "w": backward}.get(piece, forward + backward)


def _next(n: int | None, ray: tuple[bool, int]) -> int | None:
    if n is None:
        return None
    return (_ahead if ray[0] else _behind)(n)[ray[1]]


def _jumps(board: Board, at: int, piece: str) -> Iterator[tuple[int, int]]:
    for ray in _rays(piece):
        over = _next(at, ray)
        land = _next(over, ray)
        if over is not None and land is not None and land not in board:
            victim = board.get(over)
            if victim is not None and victim.lower() != piece.lower():
                yield over, land


def _chains(board: Board, at: int, piece: str, path: Move) -> Iterator[Move]:
    found = False
    for over, land in _jumps(board, at, piece):
        found = True
        rest = {n: p for n, p in board.items() if n not in (over, at)}
        if crowned(piece, land) != piece:
            yield (*path, land)
        else:
            yield from _chains(rest, land, piece, (*path, land))
    if not found and len(path) > 1:
        yield path


def crowned(piece: str, at: int) -> str:
    return piece.upper() if (piece == "b" and at > 28) or (piece == "w" and at < 5) else piece


def moves(board: Board, side: str) -> list[Move]:
    own = [(n, p) for n, p in board.items() if p.lower() == side]
    captures = [chain for n, p in own for chain in _chains({k: v for k, v in board.items() if k != n}, n, p, (n,))]
    if captures:
        return captures
    return [(n, to) for n, p in own for to in (_next(n, ray) for ray in _rays(p)) if to is not None and to not in board]


def is_capture(board: Board, move: Move) -> bool:
    return not any(move[1] in near for near in (_ahead(move[0]), _behind(move[0])))


def play(board: Board, move: Move) -> Board:
    after = dict(board)
    piece = after.pop(move[0])
    if is_capture(board, move):
        for a, b in pairwise(move):
            (over,) = {_next(a, ray) for ray in _rays("K") if _next(_next(a, ray), ray) == b}
            assert over is not None
            del after[over]
    after[move[-1]] = crowned(piece, move[-1])
    return after


def perft(board: Board, side: str, depth: int) -> int:
    if depth == 0:
        return 1
    other = "w" if side == "b" else "b"
    return sum(perft(play(board, move), other, depth - 1) for move in moves(board, side))


# ---------------------------------------------------------------- comparison


def test_the_reference_gives_the_published_counts() -> None:
    # Perft of English draughts from the first position (Aart Bik, "Computing deep perft and divide numbers for
    # checkers", ICGA Journal 35.4, 2012).
    assert [perft(START, "b", depth) for depth in range(1, 7)] == [7, 49, 302, 1469, 7361, 36768]


def count(state: object, depth: int) -> int:
    seats = GAME.to_act(state)
    if not seats:
        return 0
    legal = GAME.legal(state, seats[0])
    if depth == 1:
        return len(legal)
    return sum(count(GAME.apply(state, {seats[0]: move}), depth - 1) for move in legal)


def test_the_game_gives_the_published_counts() -> None:
    assert [count(GAME.new(2, Chance(0)), depth) for depth in range(1, 7)] == [7, 49, 302, 1469, 7361, 36768]


@pytest.mark.slow
def test_the_game_gives_the_published_counts_deeper() -> None:
    assert count(GAME.new(2, Chance(0)), 7) == 179740
    assert count(GAME.new(2, Chance(0)), 8) == 845931


def test_random_games_agree_with_the_reference() -> None:
    seen: Counter[str] = Counter()
    for number in range(100):
        chance = Chance.from_seed(number)
        state, board, side, quiet = GAME.new(2, chance), dict(START), "b", 0
        for step in range(1000):
            expected = moves(board, side)
            if not GAME.to_act(state):
                break
            (seat,) = GAME.to_act(state)
            assert seat == {"b": "Black", "w": "White"}[side]
            legal = GAME.legal(state, seat)
            assert sorted(_squares(move) for move in legal) == sorted(expected)
            assert GAME.observe(state, seat).data["squares"] == [board.get(n, ".") for n in range(1, 33)]
            assert GAME.observe(state, seat).data["without_capture"] == quiet
            move = GAME.sample(state, seat, chance.named("move", step))
            path = _squares(move)
            capture = is_capture(board, path)
            assert ("x" in GAME.format(state, move)) == capture
            note(seen, board, side, path, expected)
            state, board = GAME.apply(state, {seat: move}), play(board, path)
            side, quiet = "bw"[side == "b"], 0 if capture else quiet + 1
        outcome = GAME.outcome(state)
        assert outcome is not None
        if quiet == 40:
            seen["draw"] += 1
            assert outcome.scores == {"Black": 0.5, "White": 0.5}
            assert outcome.reason == "40 moves in a row without a capture"
        else:
            assert quiet < 40 and not expected
            loser = {"b": "Black", "w": "White"}[side]
            left = any(piece.lower() == side for piece in board.values())
            assert outcome.scores[loser] == 0 and sum(outcome.scores.values()) == 1
            assert outcome.reason == f"{loser} {'cannot move' if left else 'has no pieces left'}"
            seen["blocked" if left else "wiped out"] += 1
    # What such software gets wrong must have happened, or nothing was compared.
    for event in ("king multi-jump", "man multi-jump", "capture by one of several", "crowned in the middle"):
        assert seen[event], event
    for event in ("draw", "blocked", "wiped out"):
        assert seen[event], event


def note(seen: Counter[str], board: Board, side: str, path: Move, legal: list[Move]) -> None:
    piece = board[path[0]]
    if len(path) > 2:
        seen["king multi-jump" if piece.isupper() else "man multi-jump"] += 1
    if is_capture(board, path):
        others = [n for n, p in board.items() if p.lower() == side]
        seen["capture by one of several"] += len(others) > len({move[0] for move in legal})
        after = play(board, path)
        crown = after[path[-1]] != piece
        seen["crowned in the middle"] += crown and any(_jumps(after, path[-1], after[path[-1]]))


def test_squares_are_those_of_openspiel() -> None:
    engine = pyspiel.load_game("checkers").new_initial_state()
    for n, name in {1: "g1", 4: "a1", 5: "h2", 8: "b2", 29: "h8", 32: "b8"}.items():
        assert name_of(n) == name
    state = GAME.new(2, Chance(0))
    while not engine.is_terminal():
        action = engine.legal_actions()[-1]
        text = engine.action_to_string(engine.current_player(), action)
        (move,) = [m for m in GAME.legal(state, "Black") if m.steps[0] == action][:1]
        assert [name_of(n) for n in _squares(move)[:2]] == re.findall("..", text)
        for step in move.steps:
            engine.apply_action(step)
        state = GAME.apply(state, {GAME.to_act(state)[0]: move})
    assert GAME.outcome(state) is not None


def after(*texts: str) -> object:
    """The state after these moves."""
    state = GAME.new(2, Chance(0))
    for text in texts:
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, text)})
    return state


def test_black_moves_first_and_a_capture_is_forced_with_any_piece() -> None:
    state = after("11-15", "22-18")
    assert GAME.to_act(state) == ("Black",)
    assert sorted(GAME.format(state, move) for move in GAME.legal(state, "Black")) == ["15x22"]
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, "Black", "9-13")
    assert caught.value.kind == "capture_available" and "15x22" in caught.value.reason


def test_a_multi_jump_is_one_move() -> None:
    state = after(*["11-16", "22-17", "10-15", "23-19", "16x23"])
    assert [GAME.format(state, move) for move in GAME.legal(state, "White")] == ["27x18x11", "26x19x10"]
    made = GAME.apply(state, {"White": GAME.parse(state, "White", "27x18x11")})
    assert GAME.to_act(made) == ("Black",)
    assert [event.what for event in GAME.observe(made, "Black").events][-2:] == ["16x23", "27x18x11"]
    assert GAME.observe(made, "Black").data["last"] == [27, 18, 11]


def test_a_king_jumps_in_a_circle() -> None:
    line = "10-14 24-20 9-13 22-18 11-15 18x9 5x14 20-16 12x19 23x16 7-10 16-11 2-7 11x2 3-7"
    state = after(*line.split())
    assert [GAME.format(state, move) for move in GAME.legal(state, "White")] == ["2x11x18x9x2", "2x9x18x11x2"]
    made = GAME.apply(state, {"White": GAME.parse(state, "White", "2x9x18x11x2")})
    assert GAME.observe(made, "Black").data["squares"][1] == "W"


def test_pdn() -> None:
    start = GAME.new(2, Chance(0))
    state, moves_made = start, []
    for text in ("11-15", "22-18", "15x22", "25x18"):
        (seat,) = GAME.to_act(state)
        move = GAME.parse(state, seat, text)
        moves_made.append((seat, move))
        state = GAME.apply(state, {seat: move})
    names = {"Black": 'A "quoted" \\ name', "White": "two\nlines"}
    tags = {"event": "Test", "date": "2026-01-02", "round": "3", "unknown": "left out"}
    kind, text = GAME.record(start, moves_made, names, scores={"Black": 0, "White": 1}, tags=tags)
    assert kind == "pdn"
    assert text == (
        '[Event "Test"]\n[Site "?"]\n[Date "2026.01.02"]\n[Round "3"]\n[Black "A \\"quoted\\" \\\\ name"]\n'
        '[White "two lines"]\n[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n'
    )
    assert GAME.record(start, [], names)[1].endswith("\n\n*\n")
    drawn = GAME.record(start, [], names, scores={"Black": 0.5, "White": 0.5})[1]
    assert '[Result "1/2-1/2"]' in drawn
    # A game that begins later: with the position, and the move number of the side that begins.
    later = GAME.apply(start, {"Black": moves_made[0][1]})
    text = GAME.record(later, moves_made[1:2], names, scores={"Black": 1, "White": 0})[1]
    pieces = "W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"
    assert f'[SetUp "1"]\n[FEN "W:{pieces}"]\n\n1... 22-18 0-1\n' in text


def test_views() -> None:
    state = after("11-15")
    observation = GAME.observe(state, "White")
    views = GAME.views()
    board = views["board"].render(observation)
    assert board.splitlines()[0] == "--  32w --  31w --  30w --  29w"
    assert board.splitlines()[4] == "--  16  --  15b --  14  --  13"
    assert board.endswith("The last move was 11-15. Moves in a row without a capture: 1 (draw at 40).")
    squares = views["squares"].render(observation)
    assert squares.splitlines()[4] == "4 - . - b - . - ." and "The last move was c3-d4." in squares
    assert views["fen"].render(observation).startswith("W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5")
    assert len(views["image"].render(observation)) < 8000
