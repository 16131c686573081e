"""Calls and attempts, made durable and found again."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import (
    Attempt,
    CallKey,
    Completion,
    Decision,
    Exchange,
    FailedCall,
    ImagePart,
    InternalError,
    MachineError,
    Message,
    ProviderError,
    ReplayMismatch,
    Request,
    Suspended,
    TextPart,
    ToolSpec,
    Usage,
    Verdict,
)
from ludometer.models.protocol import CallFailed
from ludometer.store import RunJournal, RunStore, Totals, schema
from ludometer.store.replay import load_log
from ludometer.store.writer import Write, Writer

KEY = CallKey("m1", 0, "X", 0, "0")
QUESTION = Request((Message("user", "Your move?"),))


@pytest.fixture
def store(place):
    with RunStore.create(place("journal"), {}) as made:
        yield made


def answering(completion):
    async def send(request):
        return completion

    return send


def failing(error):
    async def send(request):
        raise error

    return send


def never():
    async def send(request):
        raise AssertionError("this was asked before")

    return send


def keep(store, key=KEY, request=QUESTION, completion=None, fingerprint="f", **options) -> Exchange:
    journal = RunJournal(store, **options)
    return asyncio.run(journal.exchange(key, request, fingerprint, answering(completion or Completion("1,1"))))


FULL = Completion(
    text="1,1 ♟",
    finish_reason="tool",
    reasoning="hm",
    tool_arguments="{}",
    refusal=None,
    model="m-1",
    usage=Usage(10, 4, 3, 2),
    cost=0.25,
    latency=1.5,
)

REQUESTS = [
    QUESTION,
    Request((Message("system", "a"), Message("user", "b"), Message("assistant", ""), Message("user", "ä\n✨"))),
    Request((Message("user", (TextPart("look"), ImagePart(b"\x89PNG\0\xff", "image/png"), TextPart("look"))),)),
    Request((Message("user", "x"),), schema={"type": "object", "properties": {"ä": {"enum": [1, 2.5, None]}}}),
    Request((Message("user", "x"),), schema={}, schema_name="move"),
    Request((Message("user", "x"),), tool=ToolSpec("play", "Make your move.", {"type": "object"})),
    Request((Message("user", "x"),), json_object=True),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=range(len(REQUESTS)))
def test_an_exchange_comes_back_as_it_was(store, request_):
    kept = keep(store, request=request_, completion=FULL)
    found = load_log(store, "m1").exchanges
    assert found == {KEY: kept}
    assert found[KEY].request.fingerprint({}) == request_.fingerprint({})


def test_text_that_no_database_can_hold(store):
    hostile = "nul \0, half a pair \ud800, and ✨"
    kept = keep(store, completion=Completion(hostile, reasoning=hostile, refusal=hostile, raw=hostile, model=hostile))
    assert kept.completion.text == "nul \\x00, half a pair \\ud800, and ✨"
    (found,) = load_log(store, "m1").exchanges.values()
    assert found.completion.text == kept.completion.text == found.completion.reasoning, "play goes on with the log's"


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_any_text_is_stored_once_and_for_all(text):
    from ludometer.store.journal import storable

    once = storable(text)
    assert once.encode("utf-8").decode("utf-8") == once
    assert "\0" not in once
    assert storable(once) == once


def test_the_same_content_is_stored_once(store):
    journal = RunJournal(store)

    async def several():
        for i in range(5):
            await journal.exchange(KEY._replace(step=i), QUESTION, "f", answering(Completion("1,1", raw="the same")))

    asyncio.run(several())
    # A second journal, as after a resume, does not know what is there already.
    keep(store, KEY._replace(step=9), completion=Completion("1,1", raw="the same"))
    assert sorted(bytes(row["body"]) for row in store.rows(schema.contents)) == [b"Your move?", b"the same"]
    assert len(store.rows(schema.exchanges)) == 6


def test_a_recorded_answer_is_given_without_a_call(store):
    kept = keep(store)
    journal = RunJournal(store, may_ask=failing)
    journal.remember("m1", load_log(store, "m1").exchanges, 0)
    again = asyncio.run(journal.exchange(KEY, QUESTION, "f", never()))
    assert again == kept
    assert journal.totals == Totals(), "and costs nothing"


def test_another_question_under_the_same_key_stops_the_replay(store):
    keep(store)
    journal = RunJournal(store)
    journal.remember("m1", load_log(store, "m1").exchanges, 0)
    with pytest.raises(ReplayMismatch, match="match m1, step 0, seat X: the recorded call differs"):
        asyncio.run(journal.exchange(KEY, QUESTION, "another", never()))


def test_no_call_when_the_run_is_to_stop(store):
    def stop():
        raise Suspended("the budget is used up")

    with pytest.raises(Suspended):
        asyncio.run(RunJournal(store, may_ask=stop).exchange(KEY, QUESTION, "f", never()))
    assert store.rows(schema.exchanges) == []


def test_failures_are_kept_and_never_replayed(store):
    tries = (FailedCall("429: slow down", 429, 0.1), FailedCall("reset", None, 0.2))
    journal = RunJournal(store)
    with pytest.raises(ProviderError):
        asyncio.run(journal.exchange(KEY, QUESTION, "f", failing(CallFailed("gave up", failures=tries))))
    assert journal.errors["m1"].failures == tries
    with pytest.raises(ProviderError):
        asyncio.run(journal.exchange(KEY, QUESTION, "f", failing(ProviderError("down", status=503))))
    completion = Completion("1,1", failures=(FailedCall("500", 500, 0.3),))
    asyncio.run(journal.exchange(KEY, QUESTION, "f", answering(completion)))
    rows = [(row["error"], row["status"], row["n"]) for row in store.rows(schema.failures)]
    assert rows == [("429: slow down", 429, "0"), ("reset", None, "0"), ("down", 503, "0"), ("500", 500, "0")]
    assert len(load_log(store, "m1").exchanges) == 1
    assert (journal.totals.calls, journal.totals.failed_calls, journal.totals.in_flight) == (1, 4, 0)


def attempt(step, action):
    return Attempt(step, "X", 0, Decision(action, text="said"), Verdict("legal", "legal"))


def test_an_attempt_is_durable_before_the_next_call_is(store):
    journal = RunJournal(store)

    async def scenario():
        for step in range(20):
            await journal.exchange(KEY._replace(step=step), QUESTION, "f", answering(Completion("1,1")))
            with RunStore.open(store.address) as other:
                assert [row["ordinal"] for row in other.rows(schema.attempts)] == list(range(step))
            await journal.attempt("m1", attempt(step, (1, 1)), "1,1", {"row": 1, "column": 1})

    asyncio.run(scenario())


def test_an_attempt_that_cannot_be_written_stops_the_next_call(store):
    journal = RunJournal(store)

    async def scenario():
        await journal.attempt("m1", attempt(0, None), None, None)
        with pytest.raises(InternalError, match=r"(?i)unique"):
            # The same place twice, which nobody does: here it stands for any failure.
            await RunJournal(store).attempt("m1", attempt(0, None), None, None)
            await journal.exchange(KEY, QUESTION, "f", answering(Completion("1,1")))
        with pytest.raises(InternalError, match=r"(?i)unique"):
            await journal.attempt("m1", attempt(1, None), None, None)

    asyncio.run(scenario())
    assert store.rows(schema.exchanges) == []


def test_totals(store):
    totals = Totals()
    keep(store, completion=FULL, totals=totals)
    keep(store, KEY._replace(n="1"), completion=Completion("x"), totals=totals)
    assert (totals.calls, totals.tokens, totals.cost, totals.unpriced) == (2, 13, 0.25, 1)


def test_what_is_forgotten_waits_for_its_calls(store):
    """One branch of a strategy failed and ended the match; the others' answers are still kept, and no new one asked."""
    journal = RunJournal(store)
    answer = asyncio.Event()

    async def slow(request):
        await answer.wait()
        return Completion("late")

    async def scenario():
        late = asyncio.create_task(journal.exchange(KEY, QUESTION, "f", slow))
        other = asyncio.create_task(journal.exchange(KEY._replace(match="m2"), QUESTION, "f", slow))
        await asyncio.sleep(0)
        forgetting = asyncio.create_task(journal.forget("m1"))
        await asyncio.sleep(0)
        with pytest.raises(Suspended, match="not at play any more"):
            await journal.exchange(KEY._replace(n="1"), QUESTION, "f", never())
        assert not forgetting.done()
        answer.set()
        await forgetting
        assert late.done()
        await other
        await journal.exchange(KEY._replace(n="1"), QUESTION, "f", answering(Completion("again")))

    asyncio.run(scenario())
    assert [exchange.completion.text for exchange in load_log(store, "m1").exchanges.values()] == ["late", "again"]


# ------------------------------------------------------------------ the writer


def test_writes_are_durable_when_they_return(store):
    async def scenario():
        await store.writer.write(Write(schema.meta.insert(), [{"key": "a", "value": "1"}]))
        with RunStore.open(store.address) as other:
            return other.meta("a")

    assert asyncio.run(scenario()) == 1


def test_many_writers_share_commits_and_keep_their_order(store):
    async def one(i):
        row = {"hash": f"{i:04}", "media_type": "text/plain", "body": b"x"}
        await store.writer.write(Write(schema.contents.insert(), [row]))

    async def scenario():
        await asyncio.gather(*(one(i) for i in range(2000)))

    asyncio.run(scenario())
    assert len(store.rows(schema.contents)) == 2000


def test_after_a_failure_every_write_fails(store):
    row = {"key": "a", "value": "1"}

    async def scenario():
        await store.writer.write(Write(schema.meta.insert(), [row]))
        with pytest.raises(InternalError, match=r"(?i)unique"):
            await store.writer.write(Write(schema.meta.insert(), [row]))
        with pytest.raises(InternalError, match=r"(?i)unique"):
            await store.writer.write(Write(schema.meta.insert(), [{**row, "key": "b"}]))

    asyncio.run(scenario())
    assert store.meta("b") is None


class Refusing:
    """An engine whose every transaction fails in its own way."""

    def __init__(self, error):
        self.error = error

    def connect(self):
        raise self.error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(28, "No space left on device"), MachineError),
        (UnicodeError("odd"), InternalError),
        (KeyError(1), InternalError),
    ],
)
def test_nobody_waits_for_a_writer_that_failed(error, kind):
    writer = Writer(Refusing(error))

    async def scenario():
        with pytest.raises(kind):
            await asyncio.wait_for(writer.write(Write(schema.meta.insert(), [{}])), 10)

    asyncio.run(scenario())
    writer.close()


def test_a_cancelled_task_does_not_take_back_its_write(store):
    async def scenario():
        task = asyncio.create_task(
            store.writer.write(Write(schema.meta.insert(), [{"key": "a", "value": json.dumps(1)}]))
        )
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await store.writer.write(Write(schema.meta.insert(), [{"key": "b", "value": "2"}]))

    asyncio.run(scenario())
    assert (store.meta("a"), store.meta("b")) == (1, 2)
