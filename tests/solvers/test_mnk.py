"""Exact tables against plain negamax written from the rules, OpenSpiel, and published results."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import minimax

from ludometer.core import Chance, ConfigurationError, InternalError
from ludometer.games.tictactoe import Cell, TicTacToe
from ludometer.solvers import mnk
from ludometer.solvers.mnk import MnkEvaluator, action_values, solve, solve_off_loop
from ludometer.solvers.retrograde import UNREACHED, Mnk, index_of

pytestmark = pytest.mark.usefixtures("cache")


def has_line(cells: dict[tuple[int, int], str], mark: str, options: Mnk) -> bool:
    """Looks for maximal runs, cell by cell: another method than the solver's masks."""
    for row, column in cells:
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if cells[row, column] != mark or cells.get((row - dr, column - dc)) == mark:
                continue
            length = 1
            while cells.get((row + length * dr, column + length * dc)) == mark:
                length += 1
            if length == options.line or (length > options.line and options.overline == "win"):
                return True
    return False


def brute_force(options: Mnk) -> dict[str, int]:
    """The value of every position that play can reach, for the player to move."""
    values: dict[str, int] = {}

    def negamax(board: str) -> int:
        if board in values:
            return values[board]
        cells = {(i // options.columns, i % options.columns): mark for i, mark in enumerate(board)}
        even = board.count("X") == board.count("O")
        mover, other = "XO" if even else "OX"
        if has_line(cells, other, options):
            value = 1 if options.misere else -1
        elif "." not in board:
            value = 0
        else:
            children = (board[:i] + mover + board[i + 1 :] for i, mark in enumerate(board) if mark == ".")
            value = max(-negamax(child) for child in children)
        values[board] = value
        return value

    negamax("." * options.cells)
    return values


SMALL = [
    Mnk(3, 3, 3),
    Mnk(3, 3, 3, misere=True),
    Mnk(3, 3, 2, "no_win"),
    Mnk(3, 3, 2, "no_win", misere=True),
    Mnk(2, 4, 3, "no_win"),
    Mnk(1, 9, 3),
    Mnk(1, 9, 3, "no_win"),
    Mnk(2, 5, 2, misere=True),
    Mnk(1, 1, 1),
    Mnk(3, 1, 2),
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_every_position_has_the_value_of_plain_negamax(options: Mnk) -> None:
    table = solve(*options)
    expected = brute_force(options)
    assert {board: table.value(board) for board in expected} == expected
    assert int((table.values != UNREACHED).sum()) == len(expected)  # and no other position has a value


def test_tic_tac_toe_has_5478_positions() -> None:
    assert int((solve().values != UNREACHED).sum()) == 5478


@pytest.mark.slow
@pytest.mark.parametrize("options", [Mnk(3, 4, 3), Mnk(4, 3, 3, "no_win"), Mnk(3, 4, 4, misere=True)], ids=str)
def test_twelve_cells_have_the_values_of_plain_negamax(options: Mnk) -> None:
    table = solve(*options)
    expected = brute_force(options)
    assert {board: table.value(board) for board in expected} == expected
    assert int((table.values != UNREACHED).sum()) == len(expected)


def test_values_agree_with_openspiel() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    table = solve()
    chance = Chance.from_seed("openspiel")
    for i in range(40):
        state, board = game.new_initial_state(), "." * 9
        for j in range(chance.named(i).below(7)[0] + 1):
            if state.is_terminal():
                break
            action, _ = chance.named(i, j).choice(state.legal_actions())
            board = board[:action] + "XO"[j % 2] + board[action + 1 :]
            state.apply_action(action)
        if state.is_terminal():
            continue
        value, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=state.current_player())
        assert table.value(board) == value


# Known results on m,n,k games and their plain consequences: van den Herik, Uiterwijk and van Rijswijck, "Games solved:
# now and in the future", Artificial Intelligence 134 (2002).
@pytest.mark.parametrize(
    ("options", "value"),
    [
        (Mnk(3, 3, 3), 0),
        (Mnk(3, 4, 3), 1),
        (Mnk(4, 3, 3), 1),
        (Mnk(2, 8, 3), 0),
        (Mnk(1, 12, 2), 1),
        pytest.param(Mnk(4, 4, 4), 0, marks=pytest.mark.slow),
        pytest.param(Mnk(4, 4, 3), 1, marks=pytest.mark.slow),
        pytest.param(Mnk(3, 5, 4), 0, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_published_values(options: Mnk, value: int) -> None:
    assert solve(*options).value("." * options.cells) == value


@pytest.mark.slow
def test_four_by_four_values_are_consistent_with_their_children() -> None:
    """The definition of a value, checked on random positions of a board too large for plain negamax."""
    options = Mnk(4, 4, 4, misere=True)
    table = solve(*options)
    game = TicTacToe(4, 4, line=4, misere=True)
    for i in range(60):
        chance = Chance.from_seed("consistent").named(i)
        state = game.new(2, chance)
        while seats := game.to_act(state):
            children = [game.apply(state, {seats[0]: cell}) for cell in game.legal(state, seats[0])]
            assert table.value(state.board) == max(-table.value(child.board) for child in children)
            state, chance = chance.choice(children)
        outcome = game.outcome(state)
        assert outcome is not None
        mover = "XO"[len(state.moves) % 2]
        assert (table.value(state.board) + 1) / 2 == outcome.scores[mover]


def test_boards_that_no_game_reaches_have_no_value() -> None:
    table = solve()
    for board in ("XX.......", "O........", "XXXOOO...", "XXXX.OOOO"):
        with pytest.raises(ValueError, match="no game reaches"):
            table.value(board)
    for board in ("", "X" * 8, "XO.abcdef", "." * 10):
        with pytest.raises(ValueError, match="no board"):
            table.value(board)


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="25 cells"):
        solve(5, 5, 4)
    with pytest.raises(ConfigurationError, match="does not fit"):
        solve(3, 3, 4)


def test_action_values_are_expected_scores_of_the_mover() -> None:
    game = TicTacToe()
    start = game.new(2, Chance(0))
    assert action_values(game, start) == dict.fromkeys(game.legal(start, "X"), 0.5)
    corner = game.apply(start, {"X": Cell(1, 1)})
    assert action_values(game, corner) == {c: float(c == Cell(2, 2)) / 2 for c in game.legal(corner, "O")}


def test_action_values_of_a_finished_game_are_empty() -> None:
    game = TicTacToe(1, 1, line=1)
    state = game.apply(game.new(2, Chance(0)), {"X": Cell(1, 1)})
    assert action_values(game, state) == {}


def test_options_that_make_no_difference_share_a_table() -> None:
    assert solve(3, 3, 3, "win") is solve(3, 3, 3, "no_win")
    assert solve(3, 3, 2, "win") is not solve(3, 3, 2, "no_win")


def test_a_table_is_kept_on_disk_and_mapped(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = solve(3, 3, 3)
    (file,) = cache.iterdir()
    monkeypatch.setattr(mnk, "_tables", {})
    monkeypatch.setattr(mnk, "solve_values", None)  # computing it again would fail
    second = solve(3, 3, 3)
    assert isinstance(second.values, np.memmap)
    assert np.array_equal(first.values, second.values)
    assert "3x3" in file.name and ".v1." in file.name


@pytest.mark.parametrize("damage", ["truncated", "empty", "flipped", "header", "longer"])
def test_a_damaged_file_is_rebuilt(cache: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    good = np.array(solve(3, 3, 3).values)
    (file,) = cache.iterdir()
    data = bytearray(file.read_bytes())
    if damage == "truncated":
        data = data[:-1]
    elif damage == "empty":
        data = bytearray()
    elif damage == "flipped":
        data[1000] ^= 1
    elif damage == "header":
        data[0] ^= 1
    else:
        data += b"\0"
    file.write_bytes(data)
    monkeypatch.setattr(mnk, "_tables", {})
    assert np.array_equal(solve(3, 3, 3).values, good)
    monkeypatch.setattr(mnk, "_tables", {})
    monkeypatch.setattr(mnk, "solve_values", None)
    assert np.array_equal(solve(3, 3, 3).values, good)  # the file is sound again


def test_without_a_writable_cache_it_works_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("LUDOMETER_CACHE", str(blocked / "cache"))
    assert solve(3, 3, 3).value("." * 9) == 0
    assert blocked.read_text() == "not a folder"


def test_a_child_builds_what_is_large(cache: Path) -> None:
    async def both() -> None:
        first, second = await asyncio.gather(solve_off_loop(Mnk(2, 7, 3)), solve_off_loop(Mnk(2, 7, 3)))
        assert first is second
        assert isinstance(first.values, np.memmap)  # built by a child, which wrote it, and read back here

    asyncio.run(both())
    assert len(list(cache.iterdir())) == 1


def test_a_child_sends_its_table_where_the_cache_is_blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("LUDOMETER_CACHE", str(blocked / "cache"))
    table = asyncio.run(solve_off_loop(Mnk(2, 7, 3)))
    assert not isinstance(table.values, np.memmap)
    assert table.value("." * 14) == solve(2, 7, 3).value("." * 14)


def test_one_that_stops_waiting_does_not_stop_the_others() -> None:
    async def main() -> int:
        impatient = asyncio.create_task(solve_off_loop(Mnk(2, 7, 3)))
        patient = asyncio.create_task(solve_off_loop(Mnk(2, 7, 3)))
        await asyncio.sleep(0.01)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        return (await patient).value("." * 14)

    assert asyncio.run(main()) == 0


def test_the_evaluator() -> None:
    evaluator = MnkEvaluator()
    assert evaluator.exact
    assert evaluator.supports(TicTacToe()) and evaluator.supports(TicTacToe(4, 4, line=4))
    assert not evaluator.supports(TicTacToe(5, 5, line=4))
    game = TicTacToe()
    state = game.new(2, Chance(0))
    assert evaluator.action_values(game, state, "X")[Cell(2, 2)] == 0.5
    with pytest.raises(InternalError, match="not to move"):
        evaluator.action_values(game, state, "O")


def test_indices_are_base_three() -> None:
    assert index_of("." * 9) == 0
    assert [index_of("." * i + "X" + "." * (8 - i)) for i in range(9)] == [3**i for i in range(9)]
    assert index_of("O" * 9) == 3**9 - 1
