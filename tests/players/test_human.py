"""A person at the terminal in games whose moves are texts."""

from __future__ import annotations

import asyncio

import pytest

from ludometer.core import Illegal, make_game
from ludometer.games.debate import Speech
from ludometer.games.pyjail import Defence
from ludometer.matches import Match
from ludometer.players import human
from ludometer.players.human import HumanPlayer


def answered(monkeypatch: pytest.MonkeyPatch, game: str, lines: list[str]):
    """The decision of a person who types these lines, and what they were asked with."""
    asked: list[str] = []

    def types(prompt: str) -> str:
        asked.append(prompt)
        return lines.pop(0)

    monkeypatch.setattr(human, "_ask", types)
    decision = asyncio.run(HumanPlayer().act(Match(make_game(game), id="m", luck=1).turns()[0]))
    return decision, asked


def test_a_speech_of_several_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    decision, asked = answered(monkeypatch, "debate", ["<<<", "One line", "", "and >>> another", ">>>"])
    assert decision.action == Speech("One line\n\nand >>> another")
    assert "several lines: between <<< and >>>" in asked[0]


def test_a_jail_and_its_proof_can_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Illegal):
        make_game("pyjail").parse(Match(make_game("pyjail"), luck=1).state, "defender", "def check(s): return True")
    lines = [
        "one line only",
        "<<<",
        "```python",
        "def check(s):",
        "    return True",
        "```",
        "```",
        "way(out)",
        "```",
        ">>>",
    ]
    decision, _ = answered(monkeypatch, "pyjail", lines)
    assert decision.action == Defence("def check(s):\n    return True", "way(out)")


def test_resigning_works_inside_and_ends_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    decision, _ = answered(monkeypatch, "debate", ["<<<", "I begin", "resign"])
    assert decision.resign


def test_games_with_short_moves_do_not_speak_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for game, move in (("tictactoe", "1,1"), ("chess", "e4"), ("nim", "resign")):
        _, asked = answered(monkeypatch, game, [move])
        assert "several lines" not in asked[0]
