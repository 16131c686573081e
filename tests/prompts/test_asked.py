"""Games whose decisions are asked for in words of their own."""

from __future__ import annotations

from ludometer.core import Asked, Completion
from ludometer.games.nim import Nim
from ludometer.matches import Match
from ludometer.parsers import read
from ludometer.prompts import AnswerStyle, PromptStyle, compose


class Spoken(Nim):
    """Nim in which the whole answer is the move."""

    def asked(self, observation, notation=None):
        return Asked("Which heap is it?", "the move and not a word more", {"move": "1 1"}, "1 1", whole=True)


def prompt(answer):
    (turn,) = Match(Spoken()).turns()
    return turn, compose(turn, PromptStyle(answer=AnswerStyle(answer))).request.messages[-1].text


def test_the_question_is_the_game_s_own():
    _, text = prompt("text")
    assert text.endswith("Which heap is it?")
    assert "Write the move and not a word more. Everything you write is taken as it stands." in text
    _, text = prompt("json")
    assert '{"move": "1 1"}' in text and text.endswith("Which heap is it?")


def test_a_whole_answer_is_taken_whole():
    turn, _ = prompt("text")
    move = turn.format(turn.legal[0])
    assert read(Completion(text=move), turn, "text").action == turn.legal[0]
    chatty = read(Completion(text=f"I considered it well. My move: {move}"), turn, "text")
    assert chatty.fault is not None and chatty.fault.status == "invalid_format"
