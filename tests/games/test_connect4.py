"""Connect Four against a bitboard written for this test, and its notation."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.core import Chance, Illegal, make_game
from ludometer.games.connect4 import ConnectFour


class Bitboard:
    """Stones as bits, a column of rows + 1 bits each, so that lines are found by shifting."""

    def __init__(self, rows: int, columns: int, line: int) -> None:
        self.rows, self.columns, self.line = rows, columns, line
        self.stones = [0, 0]
        self.heights = [0] * columns
        self.turn = 0

    def legal(self) -> list[int]:
        return [column for column in range(self.columns) if self.heights[column] < self.rows]

    def drop(self, column: int) -> None:
        self.stones[self.turn] |= 1 << (column * (self.rows + 1) + self.heights[column])
        self.heights[column] += 1
        self.turn = 1 - self.turn

    def has_line(self, player: int) -> bool:
        for shift in (1, self.rows, self.rows + 1, self.rows + 2):
            run = self.stones[player]
            for _ in range(self.line - 1):
                run &= run >> shift
            if run:
                return True
        return False

    def cell(self, row: int, column: int) -> str:
        bit = 1 << (column * (self.rows + 1) + self.rows - 1 - row)
        return "R" if self.stones[0] & bit else "Y" if self.stones[1] & bit else "."


BOARDS = [((6, 7, 4), 2000), ((4, 5, 3), 200), ((8, 9, 5), 50), ((2, 6, 4), 100), ((9, 2, 4), 50), ((3, 3, 3), 200)]


@pytest.mark.parametrize(("board", "matches"), BOARDS, ids=str)
def test_random_games_agree_with_a_bitboard_move_by_move(board: tuple[int, int, int], matches: int) -> None:
    game = ConnectFour(*board)
    rows, columns, _ = board
    for i in range(matches):
        chance = Chance.from_seed("connect4").named(*board, i)
        state, mine = game.new(2, chance), Bitboard(*board)
        while True:
            over = mine.has_line(0) or mine.has_line(1) or not mine.legal()
            assert bool(game.to_act(state)) != over
            if over:
                break
            (seat,) = game.to_act(state)
            assert seat == ("Red", "Yellow")[mine.turn]
            legal = game.legal(state, seat)
            assert [game.format(state, move) for move in legal] == [str(column + 1) for column in mine.legal()]
            move, chance = chance.choice(legal)
            state = game.apply(state, {seat: move})
            mine.drop(move.steps[0])
        outcome = game.outcome(state)
        assert outcome is not None
        wins = [float(mine.has_line(player)) for player in (0, 1)]
        expected = wins if any(wins) else [0.5, 0.5]
        assert list(outcome.scores.values()) == expected
        shown = game.observe(state, "Red").data["board"]
        assert shown == ["".join(mine.cell(r, c) for c in range(columns)) for r in range(rows)]


def play(game: ConnectFour, text: str) -> Any:
    state = game.new(2, Chance(0))
    for move in text.split():
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, move)})
    return state


def test_views_show_the_grid() -> None:
    game = ConnectFour(rows=2, columns=3, line=3)
    observation = game.observe(play(game, "2 2 1"), "Yellow")
    views = game.views()
    assert views["grid"].render(observation) == ". Y .\nR R .\n1 2 3"
    assert views["moves"].render(observation) == "1. Red 2\n2. Yellow 2\n3. Red 1"
    assert views["json"].render(observation) == '{"board": [".Y.", "RR."], "last": "1"}'
    assert views["image"].render(observation).count("#d43a32") == 2


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("4", "4"),
        ("column 4", "4"),
        ("Column: 4.", "4"),
        ("COL 4", "4"),
        ("col. 4", "4"),
        ("(4)", "4"),
        ("**4**", "4"),
        ("4th", "4"),
        ("4.", "4"),
        ("12. 4", "4"),
    ],
)
def test_readable(text: str, column: str) -> None:
    game = ConnectFour()
    state = game.new(2, Chance(0))
    assert game.format(state, game.parse(state, "Red", text)) == column


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("8", "out_of_bounds"),
        ("0", "out_of_bounds"),
        ("-1", "out_of_bounds"),
        ("9999", "out_of_bounds"),
        ("1", "column_full"),
        ("x3", "invalid_format"),
        ("d", "invalid_format"),
        ("four", "invalid_format"),
        ("4,5", "invalid_format"),
        ("3.5", "invalid_format"),
        ("", "invalid_format"),
        ("99999", "invalid_format"),
        ("٣", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    game = ConnectFour()
    state = play(game, "1 1 1 1 1 1")
    with pytest.raises(Illegal) as caught:
        game.parse(state, "Red", text)
    assert caught.value.kind == kind


@pytest.mark.parametrize("answer", [{"column": 4}, {"Column": "4"}, {"COLUMN ": 4.0}, {"move": "column 4"}], ids=str)
def test_structured_answers(answer: Any) -> None:
    game = ConnectFour()
    state = game.new(2, Chance(0))
    assert game.encode(state, game.decode(state, "Red", answer)) == {"column": 4}


@pytest.mark.parametrize(
    "answer", [{"column": True}, {"column": 1.5}, {"column": [4]}, {"column": None}, {"column": 10**99}, {}], ids=str
)
def test_unreadable_structured_answers(answer: Any) -> None:
    game = ConnectFour()
    with pytest.raises(Illegal, match="invalid_format"):
        game.decode(game.new(2, Chance(0)), "Red", answer)


def test_columns_in_running_text() -> None:
    game = ConnectFour()
    assert game.mentions("Column 3 is blocked, so I drop into column 4.") == ["Column 3", "column 4"]
    assert game.mentions("After 2.5 minutes: 4") == ["4"]
    assert game.mentions("I like x4 and A3") == []


@pytest.mark.parametrize("options", [{"rows": 1}, {"columns": 21}, {"line": 8}, {"line": 1}], ids=str)
def test_impossible_boards_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="board"):
        ConnectFour(**options)


def test_rules_name_the_options() -> None:
    assert "5 rows and 6 columns" in make_game("connect4", {"rows": 5, "columns": 6, "line": 3}).rules()
    assert "gets 3 (or more)" in ConnectFour(line=3).rules()
