"""Judging a run again: what was changed in its log afterwards is found."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.core import Illegal
from ludometer.store import RunStore, schema
from ludometer.store.export import export
from ludometer.strategies import registry
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, resume, start, verify


def clumsy(request: dict[str, Any]) -> str:
    """Wrong about every other time, and always the same for one request."""
    luck = sum(map(ord, json.dumps(request["messages"])))
    return json.dumps({"row": luck % 4, "column": luck // 4 % 3 + 1, "reason": f"because of {luck}"})


@pytest.fixture(scope="module", params=["fresh", "conversation"])
def recorded(request: pytest.FixtureRequest, place: Callable[[str], str]) -> str:
    """A run with good and bad attempts of a model and a player."""
    folder = place("verify")
    with in_thread(FakeProvider(clumsy)) as provider:
        table = {
            "game": "tictactoe",
            "players": ["random", {"player": "fake/m", "name": "m"}],
            "schedule": {"repeats": 2},
            "policy": {"attempts": 4, "on_exhausted": "random", "feedback": "repeat"},
            "prompt": {"context": request.param},
            "models": {"fake": {"base_url": provider.url}},
        }
        assert asyncio.run(start(load_config(table), folder)).complete
    return folder


@pytest.fixture
def run(recorded: str, place: Callable[[str], str]) -> str:
    """A copy of it."""
    copy = place("copy")
    with RunStore.open(recorded) as source, RunStore.create(copy, {}) as target:
        for table in schema.metadata.sorted_tables:
            with source.engine.connect() as reading, target.engine.begin() as writing:
                writing.execute(sa.delete(table))
                rows = [dict(row) for row in reading.execute(sa.select(table)).mappings()]
                if rows:
                    writing.execute(sa.insert(table), rows)
    return copy


def changed(run: str, *statements: str) -> list[str]:
    """What verifying says after the database was changed behind our back."""
    with RunStore.open(run, write=True) as store, store.engine.begin() as connection:
        for statement in statements:
            if store.shared:
                statement = statement.replace("as blob", "as bytea")
            # Not through ``text``, for which a colon begins a parameter.
            assert connection.exec_driver_sql(statement).rowcount > 0, "nothing was changed"
    return asyncio.run(verify(run)).problems


def test_an_honest_log_passes(run: str) -> None:
    result = asyncio.run(verify(run))
    assert (result.problems, result.matches, result.open) == ([], 4, 0)
    assert result.calls > 10


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("update matches set notation = '1,1' where number = 1", "m000001: notation is recorded as '1,1', and is"),
        ("update matches set bad_attempts = 0 where number = 1", "bad_attempts is recorded as 0"),
        ("update matches set attempts = 500 where number = 1", "attempts is recorded as 500"),
        ("update matches set attempts = null where number = 1", "attempts is recorded as None"),
        ("update matches set moves = 1 where number = 1", "moves is recorded as 1"),
        ("update matches set substituted = 9 where number = 1", "substituted is recorded as 9"),
        ("update matches set payoffs = '{\"X\": 1}' where number = 1", "payoffs is recorded as"),
        ("update matches set ending = 'forfeit' where number = 1", "comes out as"),
        ('update matches set scores = \'{"X": 1.0, "O": 1.0}\' where number = 1', "comes out as"),
        ("update matches set luck = 'x' where number = 1", "m000001 differs from the schedule"),
        ("update matches set key = 'x' where number = 1", "m000001 is not in the schedule"),
        ("delete from matches where number = 1", "1 matches of the schedule are missing"),
        ("update attempts set text = 'I never said that' where text != ''", "is not what its answers say"),
        ("update attempts set rationale = 'none' where rationale != ''", "is not what its answers say"),
        ("update attempts set seconds = 100 where text != ''", "is not what its answers say"),
        ("update attempts set notation = '9,9' where ordinal = 0", "the move is written 9,9 and is"),
        ("update attempts set seat = 'Q' where ordinal = 0", "its log cannot be read (KeyError: 'Q')"),
        ("update attempts set action = '{' where ordinal = 0", "its log cannot be read (JSONDecodeError"),
        ("update attempts set step = step + 1", "is not to act"),
        ("update attempts set status = 'timeout', kind = 'timeout', action = null where text != ''", "no deadline"),
        ("delete from attempts where status != 'legal' and attempt = 0", "is not to act"),
        ("update contents set body = cast('You are a fish.' as blob)", "the request differs from the recorded one"),
        ("update exchanges set request = '{\"messages\": []}'", "the request differs from the recorded one"),
        ("update exchanges set fingerprint = '0'", "the request differs from the recorded one"),
        ('update exchanges set answer = \'{"row": 77, "column": 1}\'', "the recorded answer is read as"),
        ("delete from exchanges where step < 2", "a call would be made that is not in the log"),
        ("delete from contents", "lacks the content"),
    ],
)
def test_a_changed_log_is_found(run: str, change: str, sentence: str) -> None:
    problems = changed(run, change)
    assert any(sentence in problem for problem in problems), problems


async def hesitant(conversation: Any, turn: Any) -> Any:
    """Thinks aloud, and on the first attempt of every turn comes to no answer."""
    thought = await conversation.think("What do you think?")
    if turn.attempt == 0 and turn.step < 2:
        raise Illegal("invalid_format", "no answer") if turn.seat == "X" else RuntimeError(thought.text)
    if turn.attempt == 1 and turn.step < 2:
        await asyncio.sleep(30)
    return conversation.read(await conversation.ask())


class _Point:
    name = "hesitant"

    @staticmethod
    def load() -> Any:
        return hesitant


def test_a_decision_that_was_cut_short_is_the_same_when_it_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had been answered is in the log, but no later prompt of the chat quoted it."""
    monkeypatch.setattr(registry, "entry_points", lambda group: [_Point])
    folder = tmp_path / "run"
    with in_thread(FakeProvider(clumsy)) as provider:
        table = {
            "game": "tictactoe",
            "players": ["fake/m", {"player": "fake/m", "name": "n"}],
            "policy": {"attempts": 6, "on_exhausted": "random", "decision_deadline": 2.0},
            "prompt": {"context": "conversation", "strategy": "hesitant"},
            "models": {"fake": {"base_url": provider.url}},
        }
        assert asyncio.run(start(load_config(table), folder)).complete
        assert asyncio.run(verify(folder)).problems == []
        asked = provider.stats.calls
        database = sqlite3.connect(folder / "run.sqlite")
        with database:
            kinds = {kind for (kind,) in database.execute("select status from attempts")}
            database.execute("update matches set status = 'running', ending = null")
            database.execute("delete from attempts where step >= 3")
        database.close()
        summary = asyncio.run(resume(folder))
        assert (summary.complete, summary.notes) == (True, ())
        assert provider.stats.calls == asked, "nothing that was answered is asked again"
    with RunStore.open(folder) as store:
        _, matches = export(store, tmp_path / "exported", "json")
    exported = [json.loads(line) for line in matches.read_text().splitlines()]
    assert sum(len(attempt["calls"]) for match in exported for attempt in match["log"]) == asked, (
        "exports leave none out"
    )
    assert kinds >= {"legal", "invalid_format", "player_error", "timeout"}
    assert asyncio.run(verify(folder)).problems == []
