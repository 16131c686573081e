"""Whole games, checked by a referee of this file's own that reads nothing but the transcript."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest
from tic_tac_toe import game as played
from tic_tac_toe.game import Result, play_row
from tic_tac_toe.opponents import plays_perfectly
from tic_tac_toe.rows import Row, Rules, first_message, make_rows
from tic_tac_toe.scoring import Scale

from ludometer.core import InternalError
from ludometer.games.tictactoe import TicTacToe
from ludometer.players.random import RandomPlayer

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Chat:
    """A model that answers from a function of the message; keeps the transcript."""

    def __init__(self, row: Row, answer: Any) -> None:
        self.row, self.answer = row, answer
        self.messages: list[str] = []
        self.answers: list[str] = []

    async def __call__(self, message: str | None) -> str | None:
        self.messages.append(first_message(self.row) if message is None else message)
        said = self.answer(self.messages[-1])
        if said is not None:
            self.answers.append(said)
        return said

    def play(self) -> Result:
        return asyncio.run(play_row(self.row, self))


def cells_of(message: str) -> list[str]:
    rows = re.findall(r"^ (\w) \| (\w) \| (\w)$", message, re.MULTILINE)[-3:]
    return [cell for row in rows for cell in row]


def empty_in(message: str) -> list[str]:
    return [cell for cell in cells_of(message) if cell.isdigit()]


def judged(symbol: str, messages: list[str], answers: list[str], final: str) -> float:
    """The score that a transcript shows, by this file's own reading of the rules. Asserts that every message follows
    from the one before."""
    board = cells_of(messages[0])
    other = "O" if symbol == "X" else "X"
    for answer, following in zip(answers, [*messages[1:], final], strict=True):
        if answer not in board:
            assert following == "Illegal move. Game over."
            return 0.0
        board[int(answer) - 1] = symbol
        if reply := re.match(r"I play ([1-9])\.\n\n", following):
            assert board[int(reply[1]) - 1] == reply[1]
            board[int(reply[1]) - 1] = other
        assert cells_of(following) == board
    won = {mark for a, b, c in LINES for mark in "XO" if board[a] == board[b] == board[c] == mark}
    full = not any(cell.isdigit() for cell in board)
    assert won or full
    score = {symbol: 1.0, other: 0.0}[won.pop()] if won else 0.5
    assert final.endswith({1.0: "\n\nYou win!", 0.5: "\n\nDraw!", 0.0: "\n\nYou lose!"}[score])
    return score


@pytest.mark.parametrize("opponent", ["minimax", "random", "mixture(0.5)"])
def test_every_transcript_shows_the_score_that_was_given(opponent):
    luck = random.Random(opponent)
    seen = set()
    for row in make_rows(60, Rules(opponent=opponent)):
        chat = Chat(
            row, lambda message: luck.choice([*empty_in(message), "x"] if luck.random() < 0.1 else empty_in(message))
        )
        result = chat.play()
        assert result.score == judged(row.symbol, chat.messages, chat.answers, result.final_message)
        assert Scale().reward(result) == result.score
        assert not result.alarm
        seen.add(result.outcome)
    assert seen >= ({"loss", "draw"} if opponent == "minimax" else {"loss", "win", "draw"})


def test_random_play_draws_against_minimax_as_often_as_was_computed():
    """22.25% of the games that it begins, 3.22% of the others (exact figures, by counting all games)."""
    luck = random.Random(7)
    draws: dict[bool, list[bool]] = {True: [], False: []}
    for row in make_rows(800, Rules()):
        result = Chat(row, lambda message: luck.choice(empty_in(message))).play()
        draws[row.opened is None].append(result.outcome == "draw")
    first, second = (sum(found) / len(found) for found in (draws[True], draws[False]))
    assert abs(first - 0.2225) < 0.085  # four standard deviations
    assert abs(second - 0.0322) < 0.036


def test_a_game_is_reproducible():
    row = Row(seed="again", symbol="X", opened=3)
    chats = [Chat(row, lambda message: empty_in(message)[0]) for _ in range(2)]
    assert chats[0].play() == chats[1].play()
    assert chats[0].messages == chats[1].messages


def test_a_taken_cell_ends_the_game():
    result = Chat(Row(seed="s", symbol="O", opened=5), lambda message: "5").play()
    assert (result.outcome, result.score, result.legal_moves, result.illegal_moves) == ("illegal", 0.0, 0, 1)
    assert result.final_message == "Illegal move. Game over."
    assert result.best == 0.5 and result.regret is None


@pytest.mark.parametrize("answer", ["", "  \n", "<think>I take 1</think>", "<think>I take 1"])
def test_an_empty_answer_is_not_an_illegal_move(answer):
    result = Chat(Row(seed="s", symbol="X"), lambda message: answer).play()
    assert (result.outcome, result.illegal_moves, result.empty_answers) == ("empty", 0, 1)


def test_a_conversation_that_is_cut_off_is_no_loss():
    answers = iter(["1", None])
    result = Chat(Row(seed="s", symbol="X"), lambda message: next(answers)).play()
    assert (result.outcome, result.legal_moves, result.illegal_moves, result.final_message) == ("unfinished", 1, 0, "")


def test_further_attempts():
    answers = iter(["5", "", "no idea", "5", "1"])
    chat = Chat(Row(seed="s", symbol="O", opened=5, rules=Rules(retries=3)), lambda message: next(answers))
    result = chat.play()
    assert [message.split("\n")[0] for message in chat.messages[1:4]] == [
        "Illegal move. That cell is taken; try again.",
        "Illegal move. Your answer was empty; try again.",
        "Illegal move. Your answer names no cell; try again.",
    ]
    assert all(cells_of(message) == cells_of(chat.messages[0]) for message in chat.messages)
    assert (result.outcome, result.illegal_moves, result.empty_answers) == ("illegal", 3, 1)


def test_further_attempts_are_counted_per_turn():
    luck = random.Random(3)
    turns: list[int] = []

    def answer(message: str) -> str:
        turns.append(1)
        return "no idea" if len(turns) % 2 else luck.choice(empty_in(message))

    result = Chat(Row(seed="s", symbol="X", rules=Rules(retries=1)), answer).play()
    assert result.outcome in ("draw", "loss")
    assert result.illegal_moves == result.legal_moves > 1


def test_regret_is_what_a_move_gives_away():
    """In the corner against the opposite edges: 1, then 2 loses to nothing yet; walking past a threat loses it all."""

    def careless(message: str) -> str:
        return empty_in(message)[-1]

    result = Chat(Row(seed="s", symbol="O", opened=5), careless).play()
    assert result.outcome == "loss"
    assert sum(result.regrets) == 0.5  # from a draw to a loss, once
    assert Scale(regret_penalty=2.0, legal_bonus=0.1).reward(result) == pytest.approx(
        0.1 * result.legal_moves - 2.0 * 0.5 / len(result.regrets)
    )


def test_a_win_over_minimax_raises_an_alarm(monkeypatch):
    monkeypatch.setattr(played, "make_opponent", lambda written, game: RandomPlayer())
    luck = random.Random(1)
    results = [Chat(row, lambda message: luck.choice(empty_in(message))).play() for row in make_rows(20, Rules())]
    assert {result.outcome for result in results if result.alarm} == {"win"}
    assert all(bool(result.alarm) == (result.outcome == "win") for result in results)


@pytest.mark.parametrize(
    ("opponent", "size", "perfect"),
    [
        ("minimax", 3, True),
        (" perfect ", 3, True),
        ("mixture(1)", 3, True),
        ("mixture(0.99)", 3, False),
        ("alphabeta:depth=9", 3, True),
        ("alphabeta:depth=8", 3, False),
        ("alphabeta:depth=9", 4, False),
        ("random", 3, False),
        ("mcts", 3, False),
        ("openai/a-model-without-a-key", 3, False),
    ],
)
def test_opponents_say_whether_they_play_perfectly(opponent, size, perfect):
    assert plays_perfectly(opponent, TicTacToe(size, size, 3)) is perfect


def test_an_opponent_that_fails_is_not_the_models_win(monkeypatch):
    class Broken:
        async def act(self, turn: Any) -> Any:
            raise ValueError("broken")

    monkeypatch.setattr(played, "make_opponent", lambda written, game: Broken())
    with pytest.raises(InternalError, match="broken"):
        Chat(Row(seed="s", symbol="X"), lambda message: "1").play()


def test_a_larger_board():
    rules = Rules(opponent="random", rows=4, columns=5, line=4)
    luck = random.Random(5)
    for row in make_rows(4, rules):
        chat = Chat(row, lambda message: luck.choice(re.findall(r"\d+", message.split("\n\n")[-2])))
        result = chat.play()
        assert result.outcome in ("win", "draw", "loss")
        assert result.best is None and not result.regrets
