"""Claims on the matches of a shared run: one runner each, and only as long as it lives."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator

import pytest
import sqlalchemy as sa

from ludometer.store import Claim, ClaimLost, MatchPlan, RunStore, schema
from ludometer.store.claims import Claims, held
from ludometer.store.transactions import Overslept
from ludometer.store.writer import Write, Writer

MATCHES = 40


@pytest.fixture
def store(in_database: Callable[[str], str]) -> Iterator[RunStore]:
    plans = [MatchPlan(str(i), "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for i in range(MATCHES)]
    with RunStore.create(in_database("claims"), {}) as made:
        made.add_matches(plans)
        yield made


@pytest.fixture
def runner(store: RunStore) -> Iterator[Callable[..., Claims]]:
    """Makes runners that have joined; they leave in the end."""
    made: list[Claims] = []

    def join(lease: float = 60.0) -> Claims:
        made.append(Claims(store.engine, lease))
        made[-1].join()
        return made[-1]

    yield join
    for claims in made:
        claims.leave()


def ids(claims: list[Claim]) -> list[str]:
    return [claim.match for claim in claims]


def declare_dead(store: RunStore, claims: Claims) -> None:
    """As if its lease had run out while it slept."""
    with store.engine.begin() as connection:
        connection.execute(sa.update(schema.runners).where(schema.runners.c.id == claims.runner).values(until=0.0))


def note(match: str) -> Write:
    row = {"match": match, "step": 0, "seat": "X", "attempt": 0, "n": "0", "error": "e", "seconds": 0.0, "at": 0.0}
    return Write(_NOTE, [row])


_NOTE = sa.insert(schema.failures)


def test_matches_are_claimed_in_schedule_order_and_once(store: RunStore, runner: Callable[..., Claims]) -> None:
    one, other = runner(), runner()
    assert ids(one.take(3)) == ["m000001", "m000002", "m000003"]
    assert ids(other.take(2)) == ["m000004", "m000005"]
    assert ids(one.take(100)) == [f"m{i:06d}" for i in range(6, MATCHES + 1)]
    assert one.take(1) == other.take(1) == []
    assert one.standing() == (MATCHES, 0, 2)
    other.leave()
    assert one.standing() == (MATCHES, 2, 0)
    assert [claim.claim for claim in one.take(5)] == [2, 2]


def test_many_at_once_share_all_matches(store: RunStore, runner: Callable[..., Claims]) -> None:
    taken: list[str] = []

    def whole(claims: Claims) -> None:
        while got := claims.take(3):
            taken.extend(ids(got))

    threads = [threading.Thread(target=whole, args=(runner(),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(taken) == Counter(row.id for row in store.matches())


def test_what_one_cannot_play_another_may(store: RunStore, runner: Callable[..., Claims]) -> None:
    one, other = runner(), runner()
    first = one.take(1)[0]
    one.give_back(first)
    assert ids(one.take(1)) == ["m000002"]
    assert other.take(1) == [Claim("m000001", other.runner, 2)]
    one.give_back(first)  # it is not its own any more
    assert other.standing().elsewhere == 1
    one.leave()
    again = runner()
    other.leave()
    assert ids(again.take(1)) == ["m000001"]


def test_who_renews_keeps_and_who_does_not_loses(store: RunStore, runner: Callable[..., Claims]) -> None:
    alive, dead, third = runner(0.5), runner(), runner()
    kept, lost = alive.take(1)[0], dead.take(1)[0]
    time.sleep(1.0)
    declare_dead(store, dead)
    assert [claim for claim in third.take(MATCHES) if claim.match in (kept.match, lost.match)] == [
        Claim(lost.match, third.runner, 2)
    ]


def test_a_process_of_this_machine_that_is_gone_is_not_waited_for(
    store: RunStore, runner: Callable[..., Claims]
) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    dead, other = runner(), runner()
    lost = dead.take(1)[0]
    with store.engine.begin() as connection:
        mine = schema.runners.c.id == dead.runner
        connection.execute(sa.update(schema.runners).where(mine).values(process=child.pid))
    assert other.take(1)[0].match == lost.match


def test_nothing_is_written_under_a_lost_claim(store: RunStore, runner: Callable[..., Claims]) -> None:
    sleeper, other = runner(), runner()
    lost, kept = sleeper.take(2)
    declare_dead(store, sleeper)
    theirs = other.take(1)[0]
    assert theirs.match == lost.match
    # It wakes up, joins again, and may even have been given one of its matches back under a new number.
    sleeper.join()
    mine = sleeper.take(1)[0]
    assert (mine.match, mine.claim) == (kept.match, 2)

    async def write() -> None:
        store.writer.post(note("posted"), claim=lost)
        held = asyncio.gather(
            store.writer.write(note("theirs"), claim=theirs),
            store.writer.write(note("mine"), claim=mine),
            store.writer.write(note("nobody's")),
        )
        for claim in (lost, kept):
            with pytest.raises(ClaimLost, match=f"another runner has taken over match {claim.match}"):
                await store.writer.write(note("lost"), claim=claim)
            with pytest.raises(ClaimLost):
                await store.update_match(claim.match, claim=claim, status="finished")
        await held
        await store.update_match(mine.match, claim=mine, status="finished", ending="completed")

    asyncio.run(write())
    assert sorted(row["match"] for row in store.rows(schema.failures)) == ["mine", "nobody's", "theirs"]
    assert store.status_counts() == {"scheduled": MATCHES - 1, "finished": 1}
    assert other.standing().open == MATCHES - 1


def test_who_was_taken_for_dead_begins_anew(store: RunStore, runner: Callable[..., Claims]) -> None:
    sleeper, other = runner(0.8), runner()
    lost = sleeper.take(1)[0]
    declare_dead(store, sleeper)
    assert other.take(1)[0].match == lost.match
    time.sleep(1.2)  # it is heard of again
    again = sleeper.take(1)[0]
    assert other.take(MATCHES)[0].match > again.match, "and what it has now is its own"


def test_a_finished_match_is_nobody_s(store: RunStore, runner: Callable[..., Claims]) -> None:
    one = runner()
    claim = one.take(1)[0]
    asyncio.run(store.update_match(claim.match, claim=claim, status="finished", ending="completed"))
    assert one.standing() == (MATCHES - 1, MATCHES - 1, 0)
    with pytest.raises(ClaimLost):
        asyncio.run(store.update_match(claim.match, claim=claim, status="running"))


def test_who_stands_still_in_a_transaction_keeps_nobody_waiting(
    in_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a process does that is stopped between two statements: its locks go with its lease."""
    monkeypatch.setenv("LUDOMETER_LEASE", "1")
    plans = [MatchPlan(str(i), "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for i in range(3)]
    with RunStore.create(in_database("still"), {}) as store:
        store.add_matches(plans)
        sleeper, other = Claims(store.engine), Claims(store.engine, 60.0)
        sleeper.join()
        other.join()
        had = sleeper.take(3)
        sleeper._left.set()  # a stopped process renews nothing
        got: list[Claim] = []
        taker = threading.Thread(target=lambda: got.extend(until_something(other)), daemon=True)
        with pytest.raises(Overslept), store.engine.begin() as connection:
            assert held(connection, had) == set(had)
            taker.start()
            taker.join(30)
        assert ids(got) == ids(had)
        sleeper.leave()
        other.leave()


def until_something(claims: Claims) -> list[Claim]:
    while not (taken := claims.take(MATCHES)):
        time.sleep(0.1)
    return taken


def test_a_group_that_was_overslept_is_written_again(
    in_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDOMETER_LEASE", "1")
    plan = MatchPlan("0", "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"})
    with RunStore.create(in_database("again"), {}) as store:
        store.add_matches([plan])
        claims = Claims(store.engine)
        claims.join()
        (claim,) = claims.take(1)
        naps = iter([2.0])

        def slow(connection: sa.Connection, asked: Collection[Claim]) -> set[Claim]:
            found = held(connection, asked)
            time.sleep(next(naps, 0.0))
            return found

        writer = Writer(store.engine, slow)
        asyncio.run(writer.write(note(claim.match), claim=claim))
        writer.close()
        claims.leave()
        assert next(naps, None) is None
        assert [row["error"] for row in store.rows(schema.failures)] == ["e"]
