"""From the log back to matches."""

from __future__ import annotations

import asyncio

import pytest

from ludometer.core import CallKey, Completion, Decision, Fault, Message, ReplayMismatch, Request
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players.random import RandomPlayer
from ludometer.store import MatchPlan, RunJournal, RunStore, schema
from ludometer.store.replay import load_log, new_match, recorded_decision, replayed

POLICY = MatchPolicy(attempts=4, feedback="explain")


class Clumsy:
    """Makes every kind of bad attempt before it plays, and resigns in the end."""

    FAULTS = (
        Decision(fault=Fault("invalid_format", "no move"), text="hm \0 \ud800", rationale="r"),
        Decision(fault=Fault("illegal", "taken", "already_taken"), text="x"),
        Decision(action=(9, 9), text="a tuple, no action of the game"),
    )

    async def act(self, turn):
        if turn.step >= 4:
            return Decision(resign=True, text="enough")
        if turn.attempt < len(self.FAULTS):
            return self.FAULTS[turn.attempt]
        key = CallKey(turn.match, turn.step, turn.seat, turn.attempt, "0")
        request = Request((Message("user", f"step {turn.step}"),))

        async def send(request):
            return Completion("done")

        exchange = await turn.journal.exchange(key, request, "f", send)
        return Decision(turn.sample(turn.chance), text="done", exchanges=(exchange,))


@pytest.fixture
def store(place):
    with RunStore.create(place("replay"), {}) as made:
        options = {"rows": 3, "columns": 3}
        made.add_matches([MatchPlan("k", "tictactoe", options, {}, "g", "luck", "seed", {"X": "a", "O": "b"})])
        yield made


def played(store) -> Match:
    match = new_match(store.match("m000001"), POLICY)
    journal = RunJournal(store)

    async def whole():
        await play(match, {"X": Clumsy(), "O": RandomPlayer()}, journal)
        await journal.flush()

    asyncio.run(whole())
    return match


def taken_up(store) -> Match:
    match = new_match(store.match("m000001"), POLICY)
    for _ in replayed(match, load_log(store, match.id)):
        pass
    return match


def test_a_replayed_match_is_the_match(store):
    match, again = played(store), taken_up(store)
    assert [attempt.verdict for attempt in again.attempts] == [attempt.verdict for attempt in match.attempts]
    assert {attempt.verdict.status for attempt in match.attempts} >= {
        "legal",
        "illegal",
        "invalid_format",
        "player_error",
    }
    assert again.state == match.state
    assert again.notation == match.notation
    assert again.ending == match.ending
    assert again.scores() == match.scores() == {"X": 0.0, "O": 1.0}
    for old, new in zip(match.attempts, again.attempts, strict=True):
        assert new.decision.exchanges == old.decision.exchanges
        assert (new.decision.resign, new.decision.seconds) == (old.decision.resign, old.decision.seconds)
        assert new.decision.rationale == old.decision.rationale


def test_a_match_can_be_taken_up_after_every_attempt(store):
    match = played(store)
    rows = load_log(store, match.id).attempts
    for kept in range(len(rows) + 1):
        again = new_match(store.match("m000001"), POLICY)
        for row in rows[:kept]:
            again.submit(row["seat"], recorded_decision(again, row, ()))
        assert again.notation == match.notation[: len(again.notation)]
        if kept < len(rows):
            assert [turn.seat for turn in again.turns()] == [rows[kept]["seat"]]


@pytest.mark.parametrize(
    ("status", "change", "sentence"),
    [
        ("invalid_format", {"status": "legal", "kind": "legal"}, "step 0, seat X: recorded as legal"),
        ("legal", {"status": "illegal", "kind": "already_taken"}, r"\(already_taken\), judged now as legal"),
    ],
)
def test_another_verdict_stops_the_replay(store, status, change, sentence):
    played(store)
    table = schema.attempts
    with store.engine.begin() as connection:
        connection.execute(table.update().where(table.c.status == status).values(**change))
    with pytest.raises(ReplayMismatch, match=sentence):
        taken_up(store)


def test_exchanges_belong_to_their_attempt(store):
    played(store)
    log = load_log(store, "m000001")
    found = [[exchange.key.step for exchange in log.exchanges_of(row)] for row in log.attempts if row["seat"] == "X"]
    assert found == [[], [], [], [0], [], [], [], [2], []]
