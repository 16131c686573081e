from __future__ import annotations

import asyncio
from dataclasses import FrozenInstanceError

import pytest

from ludometer.core import CallKey, Completion, Fault, Illegal, Message, Request, Unrecorded, Verdict
from ludometer.games.tictactoe import Cell, TicTacToe
from ludometer.matches import Match


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("invalid_format", Fault("invalid_format", "why")),
        ("ambiguous", Fault("ambiguous", "why")),
        ("already_taken", Fault("illegal", "why", "already_taken")),
        ("provider_error", Fault("illegal", "why", "provider_error")),
    ],
)
def test_faults_of_illegal_answers(kind: str, fault: Fault) -> None:
    assert Fault.of(Illegal(kind, "why")) == fault


def test_only_legal_is_legal() -> None:
    assert Verdict("legal", "legal").is_legal
    assert not Verdict("illegal", "legal").is_legal


def test_the_methods_of_a_turn_are_bound_to_its_state_and_seat() -> None:
    match = Match(TicTacToe())
    (turn,) = match.turns()
    cell = turn.parse("2,2")
    assert cell == Cell(2, 2) == turn.decode({"cell": 5}) and turn.format(cell) == "2,2"
    assert turn.encode(cell) == {"row": 2, "column": 2}
    turn.check(cell)
    assert turn.schema("cell")["required"] == ["cell"]
    assert turn.sample(turn.chance) in (turn.legal or ())
    assert turn.imagine(turn.chance) == match.state
    assert turn.title == "player X (first player)"
    with pytest.raises(FrozenInstanceError):
        turn.step = 3  # type: ignore[misc]


def test_an_old_turn_stays_what_it_was() -> None:
    match = Match(TicTacToe())
    (old,) = match.turns()
    match.state = match.game.apply(match.state, {"X": Cell(1, 1)})
    old.check(Cell(1, 1))
    assert old.imagine(old.chance).board == "........."


def test_a_journal_that_keeps_nothing_asks_every_time() -> None:
    sent: list[Request] = []

    async def send(request: Request) -> Completion:
        sent.append(request)
        return Completion(f"{len(sent)}")

    async def main() -> list[str | None]:
        key, request = CallKey("m", 0, "X", 0, "0"), Request((Message("user", "?"),))
        exchanges = [await Unrecorded().exchange(key, request, "print", send) for _ in range(2)]
        assert all((e.key, e.request, e.fingerprint) == (key, request, "print") for e in exchanges)
        return [exchange.completion.text for exchange in exchanges]

    assert asyncio.run(main()) == ["1", "2"]
