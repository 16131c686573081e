"""The rules of chess against python-chess, published perft counts, and positions that the laws decide."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, make_game
from ludometer.games.chess import Chess, ChessState

chess: Any = pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def played(moves: str, fen: str = START) -> tuple[Chess, ChessState]:
    game = Chess(fen)
    state = game.new(2, Chance(0))
    for text in moves.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    return game, state


def perft(game: Chess, state: ChessState, depth: int) -> int:
    """Games of ``depth`` halfmoves, counted through the contract: legal and apply."""
    seats = game.to_act(state)
    if depth == 0 or not seats:
        return int(depth == 0)
    moves = game.legal(state, seats[0])
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, {seats[0]: move}), depth - 1) for move in moves)


# The Chess Programming Wiki's "Perft Results": the start, Kiwipete, and positions 3 to 6.
PERFT = [
    (START, (20, 400, 8902)),
    (KIWIPETE, (48, 2039)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486)),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2079)),
]
DEEP = [
    (START, 4, 197_281),
    (KIWIPETE, 3, 97_862),
    (PERFT[2][0], 4, 43_238),
    (PERFT[4][0], 3, 62_379),
    (PERFT[5][0], 3, 89_890),
]


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_published_counts_of_games(fen: str, counts: tuple[int, ...]) -> None:
    game = Chess(fen)
    for depth, count in enumerate(counts, start=1):
        assert perft(game, game.new(2, Chance(0)), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "depth", "count"), DEEP)
def test_published_counts_of_longer_games(fen: str, depth: int, count: int) -> None:
    game = Chess(fen)
    assert perft(game, game.new(2, Chance(0)), depth) == count


REASONS = {
    "CHECKMATE": "checkmate",
    "STALEMATE": "stalemate",
    "INSUFFICIENT_MATERIAL": "insufficient material",
    "FIFTY_MOVES": "fifty moves",
    "THREEFOLD_REPETITION": "threefold repetition",
}


def reason_by_python_chess(board: Any) -> str | None:
    """How the game has ended, draws taken at once; python-chess itself also lets a player claim before the move."""
    ended = board.outcome(claim_draw=False)
    if ended is not None:
        return REASONS.get(ended.termination.name, "later than here")
    if board.is_repetition(3):
        return "threefold repetition"
    return "fifty moves" if board.halfmove_clock >= 100 else None


def compare_random_game(seed: int, *, notation: bool) -> str:
    """Plays one random game in both, and returns how it ended."""
    game = Chess()
    state, board = game.new(2, Chance(seed)), chess.Board()
    chance = Chance.from_seed(seed)
    for step in range(10_000):
        reason = reason_by_python_chess(board)
        outcome = game.outcome(state)
        assert (outcome.reason if outcome else None) == reason, board.fen()
        if outcome is not None:
            winner = board.outcome().winner if reason == "checkmate" else None
            assert outcome.scores["white"] == {None: 0.5, True: 1.0, False: 0.0}[winner]
            assert sum(outcome.scores.values()) == 1.0
            return outcome.reason
        (seat,) = game.to_act(state)
        assert seat == ("white" if board.turn else "black")
        legal = game.legal(state, seat)
        if notation:
            assert sorted(game.format(state, move) for move in legal) == sorted(map(board.san, board.legal_moves))
        else:
            assert len(legal) == board.legal_moves.count()
        move = game.sample(state, seat, chance.named(step))
        san = game.format(state, move)
        state = game.apply(state, {seat: move})
        board.push_san(san)
        assert state.lans[-1] == board.move_stack[-1].uci()
        assert state.fen == board.fen(en_passant="fen" if "-" not in state.fen.split()[3] else "legal")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("first", [0, 25, 50, 75])
def test_random_games_agree_with_python_chess(first: int) -> None:
    endings = {compare_random_game(seed, notation=False) for seed in range(first, first + 25)}
    assert {"checkmate", "insufficient material"} <= endings


def test_written_moves_agree_with_python_chess_at_every_position() -> None:
    for seed in range(1000, 1004):
        compare_random_game(seed, notation=True)


@pytest.mark.slow
def test_a_thousand_random_games_agree_with_python_chess() -> None:
    endings = {compare_random_game(seed, notation=seed % 20 == 0) for seed in range(2000, 3000)}
    assert endings == set(REASONS.values())


KINDS = {"no_such_piece", "wrong_side", "blocked", "cannot_move_there", "promotion_piece_missing", "no_promotion"}


def test_every_pair_of_squares_is_judged_as_python_chess_does() -> None:
    """Legal: the same move. Legal but for the king's safety: said so. Otherwise: another of the game's kinds."""
    squares = [chess.square_name(square) for square in chess.SQUARES]
    for seed in (3, 4, 5):
        game, state, board = position_after(seed, 30 + 20 * seed)
        (seat,) = game.to_act(state)
        for lan in [start + target for start in squares for target in squares if start != target]:
            move = chess.Move.from_uci(lan)
            try:
                read = game.format(state, game.parse(state, seat, lan))
            except Illegal as error:
                assert not board.is_legal(move)
                castles = error.kind.startswith("castling")
                queens = chess.Move(move.from_square, move.to_square, chess.QUEEN)
                if board.is_pseudo_legal(move) and not castles:
                    assert error.kind == "leaves_king_in_check", (board.fen(), lan)
                elif board.is_pseudo_legal(queens):
                    assert error.kind in ("promotion_piece_missing", "leaves_king_in_check"), (board.fen(), lan)
                else:
                    assert castles or error.kind in KINDS, (board.fen(), lan, error)
            else:
                assert read == board.san(move)


def position_after(seed: int, plies: int) -> tuple[Chess, ChessState, Any]:
    game = Chess()
    state, board = game.new(2, Chance(0)), chess.Board()
    chance = Chance.from_seed(seed)
    for ply in range(plies):
        (seat,) = game.to_act(state)
        move = game.sample(state, seat, chance.named(ply))
        board.push_san(game.format(state, move))
        state = game.apply(state, {seat: move})
    return game, state, board


# ------------------------------------------------------------------------ draws


def test_the_third_occurrence_of_the_start_ends_the_game_after_eight_halfmoves() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    game, state = played(shuffle + "Nf3 Nf6 Ng1")
    assert game.outcome(state) is None
    game, state = played(shuffle * 2)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome == ({"white": 0.5, "black": 0.5}, "threefold repetition", None)
    assert not game.to_act(state) and not game.legal(state, "white")


def test_a_position_with_a_lost_castling_right_is_another_position() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    moves = "Rg1 Kd8 Rh1 Ke8 Rg1 Kd8 Rh1 Ke8"
    game, state = played(moves, fen)
    assert game.outcome(state) is None  # the first one could castle: this is only the second of those that cannot
    game, state = played(f"{moves} Rg1", fen)
    outcome = game.outcome(state)
    assert outcome is not None and outcome.reason == "threefold repetition"


@pytest.mark.parametrize(
    ("fen", "halfmoves"),
    [
        ("3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1", 8),  # the pawn that could capture is pinned: nothing is lost by time
        ("3k4/8/8/8/3p4/8/4P3/K7 w - - 0 1", 9),  # the first position could capture, the later ones cannot
    ],
)
def test_en_passant_counts_for_repetition_only_where_it_is_legal(fen: str, halfmoves: int) -> None:
    moves = ["Kd7", "Ka2", "Kd8", "Ka1"] * 3
    board = chess.Board(fen)
    board.push_san("e4")
    for i, san in enumerate(["", *moves[:halfmoves]]):
        if san:
            board.push_san(san)
        game, state = played(" ".join(["e4", *moves[:i]]), fen)
        outcome = game.outcome(state)
        assert (outcome.reason if outcome else None) == reason_by_python_chess(board)
        assert (outcome is not None) == (i == halfmoves)


def test_fifty_moves() -> None:
    fen = "8/8/8/4k3/8/4K3/8/R7 w - - 98 80"
    game, state = played("Ra2", fen)
    assert game.outcome(state) is None
    game, state = played("Ra2 Kd5", fen)
    outcome = game.outcome(state)
    assert outcome is not None and outcome.reason == "fifty moves"


def test_mate_on_the_hundredth_halfmove_is_mate() -> None:
    game, state = played("Qg7#", "7k/8/5K2/8/8/8/6Q1/8 w - - 99 80")
    outcome = game.outcome(state)
    assert outcome == ({"white": 1.0, "black": 0.0}, "checkmate", None)


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("4k3/8/8/8/3r4/4K3/8/8 w - - 0 1", "Kxd4", "insufficient material"),
        ("4k3/8/8/8/3r4/2N1K3/8/8 w - - 0 1", "Kxd4", "insufficient material"),
        ("4k3/8/8/8/3r4/2B1K3/8/8 w - - 0 1", "Kxd4", "insufficient material"),
        ("4k3/8/7b/8/3r4/2B5/4K3/8 w - - 0 1", "Bxd4", "insufficient material"),  # both on dark squares
        ("4k3/1b6/8/8/3r4/2B5/4K3/8 w - - 0 1", "Bxd4", None),  # bishops on both shades
        ("4k3/1b6/8/8/3r4/2N1K3/8/8 w - - 0 1", "Kxd4", None),  # bishop against knight could mate with help
        ("4k3/8/8/8/3r4/2N1K1N1/8/8 w - - 0 1", "Kxd4", None),  # so could two knights
        ("4k3/5p2/8/8/3r4/4K3/8/8 w - - 0 1", "Kxd4", None),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "stalemate"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf8#", "checkmate"),
    ],
)
def test_how_games_end(fen: str, move: str, reason: str | None) -> None:
    board = chess.Board(fen)
    board.push_san(move)
    assert reason_by_python_chess(board) == reason
    game, state = played(move, fen)
    outcome = game.outcome(state)
    assert (outcome.reason if outcome else None) == reason


# ----------------------------------------------------------------- start position


def test_another_start_position() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"
    game = make_game("chess", {"fen": fen})
    state = game.new(2, Chance(0))
    assert game.to_act(state) == ("black",)
    assert game.options == {"fen": fen}
    assert game.observe(state, "white").data["fen"] == fen


def test_a_fen_without_its_counters_is_completed() -> None:
    assert Chess("4k3/8/8/8/8/8/4P3/4K3 b - -").fen == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("", "not a position in FEN"),
        ("hello", "not a position in FEN"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "not a position in FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "exactly one white king"),
        ("kk6/8/8/8/8/8/8/4K3 w - - 0 1", "exactly one black king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "castle 'K'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "in check"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", "just passed e6"),
        ("4k3/4p3/8/4p3/8/8/4P3/4K3 w - e6 0 1", "just passed e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "the game is over"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80", "the game is over"),
    ],
)
def test_a_position_that_cannot_be_played_is_a_configuration_error(fen: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        make_game("chess", {"fen": fen})


# ------------------------------------------------------------------------- states


def test_states_are_values() -> None:
    game, state = played("e4 e5 Nf3")
    _, same = played("e4 e5 Nf3")
    _, other = played("Nf3 e5 e4")
    assert state == same != other
    assert game.load(game.dump(state)) == state
    assert pickle.loads(pickle.dumps(state)) == state
    assert game.dump(state) == {"moves": ["e4", "e5", "Nf3"]}


def test_rollouts_give_payoffs_in_the_order_of_the_seats() -> None:
    game, state = played("", "6k1/8/6K1/8/8/8/8/Q2R4 w - - 0 1")
    white, black = map(sum, zip(*(game.rollout(state, Chance.from_seed(i)) for i in range(40)), strict=True))
    assert white > 0 > black


def test_an_action_of_another_position_is_illegal() -> None:
    game, state = played("")
    _, later = played("e4 e5")
    bishop = game.parse(later, "white", "Bc4")
    with pytest.raises(Illegal) as caught:
        game.check(state, "white", bishop)
    assert caught.value.kind == "illegal_move"
