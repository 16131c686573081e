"""The m,n,k rules against OpenSpiel and against counts made by another method."""

from __future__ import annotations

from itertools import pairwise

import pyspiel
import pytest

from ludometer.core import Chance, Illegal, make_game
from ludometer.games.tictactoe import Cell, Position, TicTacToe

GAMES = [
    ("tic_tac_toe", TicTacToe(), 120),
    ("mnk(m=3,n=3,k=3)", TicTacToe(), 30),
    ("mnk(m=4,n=3,k=3)", TicTacToe(3, 4), 60),
    ("mnk(m=3,n=5,k=4)", TicTacToe(5, 3, line=4), 60),
    ("mnk(m=5,n=5,k=4)", TicTacToe(5, 5, line=4), 60),
    ("mnk(m=7,n=6,k=4)", TicTacToe(6, 7, line=4), 40),
    ("mnk(m=15,n=15,k=5)", TicTacToe(15, 15, line=5), 10),
]


@pytest.mark.parametrize(("theirs", "ours", "matches"), GAMES, ids=[name for name, _, _ in GAMES])
def test_random_games_agree_with_openspiel_step_by_step(theirs: str, ours: TicTacToe, matches: int) -> None:
    game = pyspiel.load_game(theirs)
    for i in range(matches):
        chance = Chance.from_seed("openspiel").named(theirs, i)
        their, our = game.new_initial_state(), ours.new(2, chance)
        while not their.is_terminal():
            (seat,) = ours.to_act(our)
            assert seat == "XO"[their.current_player()]
            legal = ours.legal(our, seat)
            numbers = [(cell.row - 1) * ours.columns + cell.column - 1 for cell in legal]
            assert sorted(numbers) == sorted(their.legal_actions())
            cell, chance = chance.choice(legal)
            our = ours.apply(our, {seat: cell})
            their.apply_action((cell.row - 1) * ours.columns + cell.column - 1)
        outcome = ours.outcome(our)
        assert outcome is not None and ours.to_act(our) == ()
        assert [outcome.scores[seat] for seat in "XO"] == [(score + 1) / 2 for score in their.returns()]


def longest_runs(board: str, rows: int, columns: int, mark: str) -> list[int]:
    """Lengths of all maximal runs of a mark, found by reading rows, columns and diagonals as text."""
    grid = [board[r * columns : (r + 1) * columns] for r in range(rows)]
    lines = [*grid, *("".join(row[c] for row in grid) for c in range(columns))]
    for shift in range(-rows, columns):
        lines.append("".join(grid[r][r + shift] for r in range(rows) if 0 <= r + shift < columns))
        lines.append(
            "".join(grid[r][columns - 1 - r - shift] for r in range(rows) if 0 <= columns - 1 - r - shift < columns)
        )
    return [len(run) for line in lines for run in "".join(m if m == mark else " " for m in line).split()]


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("overline", ["win", "no_win"])
@pytest.mark.parametrize(("rows", "columns", "line"), [(3, 3, 3), (4, 5, 3), (2, 6, 2), (6, 6, 4), (1, 7, 2)])
def test_lines_agree_with_the_board_read_as_text(
    rows: int, columns: int, line: int, overline: str, misere: bool
) -> None:
    game = make_game(
        "tictactoe", {"rows": rows, "columns": columns, "line": line, "overline": overline, "misere": misere}
    )
    for i in range(60):
        chance = Chance.from_seed("lines").named(rows, columns, line, i)
        state = game.new(2, chance)
        while True:
            winners = [
                seat
                for seat in "XO"
                if any(
                    run == line or (run > line and overline == "win")
                    for run in longest_runs(state.board, rows, columns, seat)
                )
            ]
            outcome = game.outcome(state)
            if not winners and "." in state.board:
                assert outcome is None and game.to_act(state) != ()
            else:
                assert outcome is not None and game.to_act(state) == ()
                if winners:
                    (completer,) = winners
                    winner = completer if not misere else "OX"["XO".index(winners[0])]
                    assert outcome.scores == {seat: float(seat == winner) for seat in "XO"}
                else:
                    assert outcome.scores == {"X": 0.5, "O": 0.5}
                break
            (seat,) = game.to_act(state)
            cell, chance = chance.choice(game.legal(state, seat))
            state = game.apply(state, {seat: cell})


def play(game: TicTacToe, text: str) -> Position:
    state = game.new(2, Chance(0))
    for move in text.split():
        (seat,) = game.to_act(state)
        cell = game.parse(state, seat, move)
        game.check(state, seat, cell)
        state = game.apply(state, {seat: cell})
    return state


def test_an_overline_wins_or_not_as_the_options_say() -> None:
    moves = "1,1 3,1 1,2 3,2 1,4 3,4 1,3"  # X closes the gap of a row of four where three decide
    assert play(TicTacToe(3, 4), moves)
    won = TicTacToe(3, 4).outcome(play(TicTacToe(3, 4), moves))
    assert won is not None and won.scores["X"] == 1.0
    exact = TicTacToe(3, 4, overline="no_win")
    assert exact.outcome(play(exact, moves)) is None
    assert "exactly 3" in exact.rules() and "exactly" not in TicTacToe(3, 4).rules()


def test_two_lines_at_once_one_of_them_too_long_still_win() -> None:
    exact = TicTacToe(4, 4, overline="no_win")
    outcome = exact.outcome(play(exact, "1,1 4,4 1,2 4,3 1,4 3,4 2,3 3,1 3,3 4,1 1,3"))
    assert outcome is not None and outcome.scores["X"] == 1.0  # the column of three, not the row of four


def test_misere_turns_the_outcome_around() -> None:
    moves = "1,1 2,1 1,2 2,2 1,3"
    normal, misere = (game.outcome(play(game, moves)) for game in (TicTacToe(), TicTacToe(misere=True)))
    assert normal is not None and misere is not None
    assert normal.scores == {"X": 1.0, "O": 0.0} and misere.scores == {"X": 0.0, "O": 1.0}
    assert normal.reason == misere.reason == "X has 3 in a row"


def test_illegal_moves_have_a_kind_of_their_own() -> None:
    game = TicTacToe()
    state = play(game, "2,2")
    for cell, kind in [(Cell(2, 2), "already_taken"), (Cell(0, 1), "out_of_bounds"), (Cell(1, 4), "out_of_bounds")]:
        with pytest.raises(Illegal) as caught:
            game.check(state, "O", cell)
        assert caught.value.kind == kind


@pytest.mark.parametrize(
    "options", [{"rows": 0}, {"columns": 27}, {"line": 4}, {"line": 0}, {"rows": 2, "columns": 2}], ids=str
)
def test_impossible_boards_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="board"):
        TicTacToe(**options)  # type: ignore[arg-type]


def test_rules_name_the_options() -> None:
    rules = TicTacToe(4, 5, line=4, misere=True).rules()
    assert "4 rows and 5 columns" in rules and "loses at once" in rules and "Avoid" in rules
    assert "wins at once" in TicTacToe().rules()


def test_views() -> None:
    game = TicTacToe()
    observation = game.observe(play(game, "2,2 1,1 3,3"), "O")
    shown = {name: view.render(observation) for name, view in game.views().items()}
    assert shown["list"] == "Player X (first player): 2,2; 3,3\nPlayer O (second player): 1,1"
    assert shown["illustration"] == "O..\n.X.\n..X"
    assert shown["numbered"] == "O | 2 | 3\n4 | X | 6\n7 | 8 | X"
    assert shown["image"].count("<circle") == 1
    empty = game.observe(game.new(2, Chance(0)), "X")
    assert game.views()["list"].render(empty) == "Player X (first player): None\nPlayer O (second player): None"


def test_numbers_on_a_large_board_line_up() -> None:
    game = TicTacToe(4, 4, line=4)
    lines = game.views()["numbered"].render(game.observe(play(game, "2,2"), "O")).split("\n")
    assert lines[1] == " 5 |  X |  7 |  8"
    assert all(len(a) == len(b) for a, b in pairwise(lines))
