"""Resuming, recording, and that nothing in a record changes afterwards."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

from ludometer.core import (
    Attempt,
    CallKey,
    Completion,
    Decision,
    Exchange,
    Message,
    Request,
    Turn,
    Unrecorded,
)
from ludometer.games.tictactoe import TicTacToe
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players.random import RandomPlayer


class Blundering:
    """Random, but every third question is answered badly. A function of the turn alone."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, str, int]] = []

    async def act(self, turn: Turn) -> Decision:
        self.asked.append((turn.step, turn.seat, turn.attempt))
        if turn.attempt == 0 and turn.chance.named("bad").below(3)[0] == 0:
            return Decision(turn.parse("9,9"), text="9,9")
        return Decision(turn.sample(turn.chance))


POLICIES = [
    MatchPolicy(),
    MatchPolicy(attempts=None, max_moves=8),
    MatchPolicy(attempts=1, on_exhausted="random"),
    MatchPolicy(attempts=1, on_exhausted="cancel", feedback="none"),
]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_resuming_at_every_point_gives_the_same_match_and_asks_nobody_twice(
    policy: MatchPolicy, seed: int, notebook: Any
) -> None:
    whole = Match(TicTacToe(), seed=seed, policy=policy)
    asyncio.run(play(whole, {"X": Blundering(), "O": Blundering()}, notebook))
    assert len(notebook.attempts) == len(whole.attempts)
    for cut in range(len(notebook.attempts) + 1):
        match, players = Match(TicTacToe(), seed=seed, policy=policy), {"X": Blundering(), "O": Blundering()}
        seen: list[Any] = []

        def see(match: Match, attempt: Attempt, seen: list[Any] = seen) -> None:
            seen.append(attempt)

        ending = asyncio.run(play(match, players, recorded=notebook.attempts[:cut], on_attempt=see))
        assert (ending, match.state, match.moves) == (whole.ending, whole.state, whole.moves)
        assert [strip(a) for a in match.attempts] == [strip(a) for a in whole.attempts]
        asked = [(a.step, a.seat, a.attempt) for a in whole.attempts[cut:]]
        assert sorted(players["X"].asked + players["O"].asked) == sorted(asked)
        assert len(seen) == len(asked)


def strip(attempt: Attempt) -> tuple[Any, ...]:
    """An attempt without how long it took."""
    return attempt.step, attempt.seat, attempt.attempt, attempt.decision.action, attempt.verdict


def test_actions_are_recorded_in_the_notation_of_the_game_and_as_json(notebook: Any, scripted: Any) -> None:
    match = Match(TicTacToe(), id="m7")
    players = {"X": scripted("1,1", "9,9", "1,2", "1,3"), "O": scripted("2,1", "what?", "2,2")}
    asyncio.run(play(match, players, notebook))
    assert notebook.written[:3] == [
        ("m7", "1,1", {"row": 1, "column": 1}),
        ("m7", "2,1", {"row": 2, "column": 1}),
        ("m7", "9,9", {"row": 9, "column": 9}),
    ]
    assert notebook.written[4] == ("m7", None, None)


class Vandal:
    """Changes everything it can reach, and then plays at random."""

    async def act(self, turn: Turn) -> Decision:
        action = turn.sample(turn.chance)
        turn.observation.data["board"].clear()
        turn.observation.data["moves"]["X"].append("forged")
        turn.legal.clear()  # type: ignore[union-attr]
        turn.schema(None)["properties"].clear()
        turn.encode(action)["row"] = 99
        return Decision(action)


def test_a_player_cannot_reach_the_match_through_its_turn(notebook: Any) -> None:
    clean, attacked = (Match(TicTacToe(), seed=3) for _ in range(2))
    asyncio.run(play(clean, {"X": RandomPlayer(), "O": RandomPlayer()}))
    asyncio.run(play(attacked, {"X": Vandal(), "O": Vandal()}, notebook))
    assert (attacked.state, attacked.ending, attacked.moves) == (clean.state, clean.ending, clean.moves)


def test_records_do_not_change_afterwards(notebook: Any) -> None:
    match = Match(TicTacToe(), seed=1)
    kept: list[tuple[Any, Any]] = []
    pasts: list[tuple[Any, Any]] = []

    class Watching(RandomPlayer):
        async def act(self, turn: Turn) -> Decision:
            pasts.append((turn.past, copy.copy(turn.past)))
            assert isinstance(turn.past, tuple)
            return await super().act(turn)

    asyncio.run(
        play(
            match,
            {"X": Watching(), "O": Watching()},
            notebook,
            on_attempt=lambda m, a: kept.append((a, copy.deepcopy(a))),
        )
    )
    assert len(kept) > 4
    assert all(now == then for now, then in [*kept, *pasts])
    assert [attempt for attempt, _ in kept] == notebook.attempts


class ThreeCalls:
    """Makes three calls a turn, all of them through the journal."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def act(self, turn: Turn) -> Decision:
        exchanges = []
        for n in ("0", "1", "2"):
            request = Request((Message("user", f"{turn.step}/{n}"),))
            key = CallKey(turn.match, turn.step, turn.seat, turn.attempt, n)

            async def send(request: Request, n: str = n) -> Completion:
                self.sent.append(request.messages[0].text)
                return Completion(f"answer {n}")

            exchanges.append(await turn.journal.exchange(key, request, request.fingerprint({}), send))
        return Decision(turn.sample(turn.chance), text=exchanges[-1].completion.text or "", exchanges=tuple(exchanges))


class Tape(Unrecorded):
    """A journal that answers from memory what it was asked before."""

    def __init__(self) -> None:
        self.exchanges: dict[CallKey, Exchange] = {}

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Any) -> Exchange:
        if key not in self.exchanges:
            self.exchanges[key] = Exchange(key, request, await send(request), fingerprint)
        assert self.exchanges[key].fingerprint == fingerprint
        return self.exchanges[key]


def test_every_call_has_a_key_of_its_own_and_is_made_once() -> None:
    tape, first, second = Tape(), ThreeCalls(), ThreeCalls()
    matches = [Match(TicTacToe(), seed=2, id="m") for _ in range(2)]
    asyncio.run(play(matches[0], {"X": first, "O": first}, tape))
    steps = matches[0].step
    assert sorted(tape.exchanges) == sorted(
        CallKey("m", step, "XO"[step % 2], 0, n) for step in range(steps) for n in "012"
    )
    assert len(first.sent) == 3 * steps
    asyncio.run(play(matches[1], {"X": second, "O": second}, tape))
    assert second.sent == []
    assert [a.decision.exchanges for a in matches[1].attempts] == [a.decision.exchanges for a in matches[0].attempts]
    assert matches[1].state == matches[0].state


def test_without_a_journal_calls_are_made_all_the_same() -> None:
    player = ThreeCalls()
    match = Match(TicTacToe(), seed=2)
    asyncio.run(play(match, {"X": player, "O": player}))
    assert len(player.sent) == 3 * match.step
