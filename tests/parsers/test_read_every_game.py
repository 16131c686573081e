"""What counts as a model's answer, in every game: the last stated one, never a substitute, never from reasoning."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ludometer.core import GAMES, Completion, Decision, Illegal, Json, Turn, make_game
from ludometer.matches import Match, MatchPolicy, play
from ludometer.models.protocol import Capabilities
from ludometer.parsers import read
from ludometer.players.llm import LlmPlayer

SPECS = [*sorted(set(GAMES.all()) - {"openspiel"}), "openspiel:backgammon", "openspiel:matrix_rps", "openspiel:pig"]
STRUCTURED = ("json", "json_schema", "tool")
JUNK = ("z9", "nonsense", "", "-1", "9999")

every_game = pytest.mark.parametrize("spec", SPECS)


def takes_all(spec: str) -> bool:
    """A free-text answer is the action as it stands, nothing is looked for in it; any text can be a jail, too."""
    (turn, *_) = Match(make_game(spec)).turns()
    return turn.game.asked(turn.observation).whole or spec == "pyjail"


every_game_with_moves = pytest.mark.parametrize("spec", [spec for spec in SPECS if not takes_all(spec)])


def middle(spec: str, policy: MatchPolicy | None = None) -> Match:
    """A match a few moves in, with two legal moves at least to choose from."""
    return next(match for moves in (4, 3, 2, 1, 0) if has_a_choice(match := played(spec, moves, policy)))


def played(spec: str, moves: int, policy: MatchPolicy | None) -> Match:
    match = Match(make_game(spec), luck="answers", seed="answers", policy=policy)
    for _ in range(moves):
        for turn in match.turns():
            match.submit(turn.seat, Decision(turn.sample(turn.chance)))
    return match


def has_a_choice(match: Match) -> bool:
    return match.ending is None and (match.turns()[0].legal is None or len(match.turns()[0].legal) > 1)


def two_moves(turn: Turn) -> tuple[Any, Any]:
    """A legal move that is rejected and one that is chosen."""
    moves = turn.legal or [turn.sample(turn.chance.named("two", i)) for i in range(40)]
    return moves[0], next(move for move in reversed(moves) if move != moves[0])


def said(answer: str, text: str) -> Completion:
    return Completion(None, "tool", tool_arguments=text) if answer == "tool" else Completion(text)


def notations(turn: Turn) -> tuple[str | None, ...]:
    return (None, *turn.game.notations)


def written(match: Match, action: Any, notation: str | None = None) -> str:
    return json.dumps(match.game.encode(match.state, action, notation))


@every_game_with_moves
@pytest.mark.parametrize("answer", STRUCTURED)
def test_a_bad_object_is_not_replaced_by_a_legal_move_in_the_prose(spec: str, answer: Any) -> None:
    match = middle(spec)
    turn = match.turns()[0]
    rejected, chosen = two_moves(turn)
    legal, other = turn.format(chosen), turn.format(rejected)
    for junk in JUNK:
        bad = json.dumps({"move": junk})
        try:
            turn.check(turn.parse(junk))
        except Illegal:
            pass
        else:
            continue  # a move of this game
        for text in (
            f"{other} is weak, rejected. {bad}",
            f"I play {legal}.\n{bad}\n{legal}",
            f"{written(match, chosen)} no: {bad}",
            f"{bad} {legal}!",
        ):
            found = read(said(answer, text), turn, answer)
            if found.fault is None:
                with pytest.raises(Illegal):
                    turn.check(found.action)
            else:
                assert found.fault.status in ("illegal", "invalid_format")


@every_game
@pytest.mark.parametrize("answer", STRUCTURED)
def test_the_last_of_two_objects_counts(spec: str, answer: Any) -> None:
    match = middle(spec)
    turn = match.turns()[0]
    rejected, chosen = two_moves(turn)
    for notation in notations(turn):
        one, two = written(match, rejected, notation), written(match, chosen, notation)
        for text in (f"{one} ... no: {two}", f"{one}\n{two}", f"First {one}.\n```json\n{two}\n```"):
            assert read(said(answer, text), turn, answer, notation).action == chosen, text


@every_game_with_moves
def test_the_last_of_two_moves_in_prose_counts(spec: str) -> None:
    match = middle(spec)
    turn = match.turns()[0]
    rejected, chosen = (turn.format(move) for move in two_moves(turn))
    for text in (
        f"Not {rejected}; I choose {chosen}",
        f"Not {rejected};\nI choose {chosen}",
        f"Not [{rejected}]; I choose [{chosen}]",
        f"Not [{rejected}];\nI choose [{chosen}]",
        f"Not {rejected};my move:{chosen}",
        f"Not **{rejected}**. **{chosen}**",
        f"Not `{rejected}`, but `{chosen}`.",
        f"{rejected}? No: {chosen}!",
    ):
        found = read(Completion(text), turn, "text")
        assert (found.fault, found.action) == (None, two_moves(turn)[1]), text


@every_game
def test_reasoning_is_not_read(spec: str) -> None:
    match = middle(spec)
    turn = match.turns()[0]
    rejected, chosen = two_moves(turn)
    for answer in ("text", "json"):
        one, two = (turn.format(move) if answer == "text" else written(match, move) for move in (rejected, chosen))
        for text in (f"OK</think>{two}", f"<think>{one}</think>{two}", f"{one}</think>\n{two}"):
            assert read(Completion(text), turn, answer).action == chosen, text
        for completion, status in (
            (Completion(f"<think>{two} maybe"), "truncated"),
            (Completion(None, reasoning=two), "empty"),
            (Completion("", "length", reasoning=two), "truncated"),
        ):
            fault = read(completion, turn, answer).fault
            assert fault is not None and fault.status == status


class Scripted:
    """A model that says one thing after the other, and keeps what it was asked."""

    name = "test/scripted"
    settings: dict[str, Json] = {}  # noqa: RUF012

    def __init__(self, *answers: Completion) -> None:
        self.answers = list(answers)
        self.capabilities = Capabilities()
        self.asked: list[str] = []

    async def complete(self, request: Any, *, on_delta: Any = None) -> Completion:
        self.asked.append(request.messages[-1].text)
        return self.answers.pop(0)

    async def close(self) -> None:
        return None


@every_game_with_moves
def test_a_bad_answer_is_kept_as_it_was_and_asked_again_and_then_forfeits(spec: str) -> None:
    game = make_game(spec)
    legal = middle(spec).turns()[0]
    good = legal.format(two_moves(legal)[0])
    answers = (
        Completion(f"{good} is weak, rejected. " + '{"move": "z9"}'),
        Completion(None, "length", reasoning=f"{good} " * 9),
        Completion("I stay here with my 50 coins."),
    )
    match = Match(game, luck="answers", policy=MatchPolicy(attempts=3, feedback="explain", on_exhausted="forfeit"))
    models = {role.name: Scripted(*answers) for role in game.roles(2)}
    asyncio.run(play(match, {seat: LlmPlayer(model) for seat, model in models.items()}))
    first = match.attempts[0].seat
    mine = [attempt for attempt in match.attempts if attempt.seat == first]
    assert [attempt.decision.text for attempt in mine] == [answer.text or "" for answer in answers]
    statuses = [attempt.verdict.status for attempt in mine]
    assert statuses[0] in ("illegal", "invalid_format") and statuses[1:] == ["truncated", "invalid_format"]
    assert "not accepted" in models[first].asked[1] and "Be brief" in models[first].asked[2]
    assert match.ending is not None and (match.ending.kind, match.ending.offender) == ("forfeit", first)
    assert not match.moves
