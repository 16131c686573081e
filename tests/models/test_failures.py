"""Failing providers: what is tried again, how often and after how long; deadlines; sockets that are closed."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ludometer.core.errors import ProviderError
from ludometer.core.exchange import Completion
from ludometer.models import CallFailed
from ludometer.models.retries import RetryPolicy, TryFailed, retry_after, with_retries
from ludometer.models.transport import proxy_for
from ludometer.testing.fake_provider import FAULT_KINDS, ODD_USAGES, FakeProvider, Fault


def failing(kit, faults, request=None, answer="fixed:ok", **settings):
    """The CallFailed of a call, and the provider that was asked."""
    provider = FakeProvider(answer, faults=faults)
    with pytest.raises(CallFailed) as caught:
        kit.run(kit.ask(provider, request, **settings))
    return caught.value, provider


TRANSIENT = ["rate_limit", "error", "garbage", "truncated", "reset", "no_body", "no_choices", "error_in_200"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", TRANSIENT)
def test_a_passing_failure_is_tried_again_and_recorded(kit, kind, stream):
    provider = FakeProvider("fixed:ok", faults={0: Fault(kind), 1: Fault(kind)})
    completion = kit.run(kit.ask(provider, stream=stream))
    assert completion.text == "ok"
    assert provider.stats.calls == 3
    assert len(completion.failures) == 2
    assert all(failure.error and failure.seconds > 0 for failure in completion.failures)
    status = {"rate_limit": 429, "error": 500, "error_in_200": 503}.get(kind)
    assert {failure.status for failure in completion.failures} == {status}


@pytest.mark.parametrize("kind", TRANSIENT)
def test_the_number_of_tries_is_bounded(kit, kind):
    error, provider = failing(kit, {i: Fault(kind) for i in range(99)}, retries=2)
    assert provider.stats.calls == 3
    assert error.transient
    assert isinstance(error, ProviderError)
    assert len(error.failures) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_other_refusals_are_final_and_quoted(kit, status):
    body = '{"error": {"message": "no model\\nof that name ' + "x" * 5000 + '"}}'
    error, provider = failing(kit, {0: Fault("error", status=status, body=body)})
    assert provider.stats.calls == 1
    assert (error.status, error.transient) == (status, False)
    assert f"fake/model-1: the provider answered {status}: no model of that name xxx" in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_which_statuses_are_tried_again(kit, status):
    provider = FakeProvider("fixed:ok", faults={0: Fault("error", status=status)})
    assert kit.run(kit.ask(provider)).failures[0].status == status


def test_a_redirect_is_not_followed_with_the_key(kit):
    error, provider = failing(kit, {0: Fault("redirect")})
    assert (error.status, error.transient, provider.stats.calls) == (302, False, 1)


@pytest.mark.parametrize("kind", ["empty", "null"])
@pytest.mark.parametrize("stream", [False, True])
def test_an_empty_answer_is_an_answer(kit, kind, stream):
    provider = FakeProvider("fixed:ok", faults={0: Fault(kind)})
    completion = kit.run(kit.ask(provider, stream=stream))
    assert completion.text == ("" if kind == "empty" else None)
    assert provider.stats.calls == 1


@pytest.mark.parametrize("usage", ODD_USAGES)
@pytest.mark.parametrize("stream", [False, True])
def test_odd_usage_is_no_failure(kit, usage, stream):
    provider = FakeProvider("fixed:ok", faults={0: Fault("odd_usage", usage=usage)})
    completion = kit.run(kit.ask(provider, stream=stream))
    assert (completion.text, completion.failures, completion.cost) == ("ok", (), None)


@pytest.mark.parametrize("seconds", [1, "date"])
def test_retry_after_is_honoured(kit, seconds):
    # A date has whole seconds: two seconds ahead is at least one second away.
    header = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True) if seconds == "date" else 1
    provider = FakeProvider("fixed:ok", faults={0: Fault("rate_limit", retry_after=header)})
    started = time.monotonic()
    completion = kit.run(kit.ask(provider, max_retry_wait=5))
    assert time.monotonic() - started >= (0.9 if seconds == "date" else 1)
    assert len(completion.failures) == 1
    assert completion.latency < time.monotonic() - started, "the wait between tries is no latency"


@pytest.mark.parametrize("header", ["21 Oct 1 0:2 " + "1" * 67, "-1", "nan", "soon", "", "9" * 5000 + "x"])
def test_an_unreadable_wait_is_none(header):
    assert retry_after({"retry-after": header}) is None


def test_who_asks_for_too_long_a_wait_ends_the_call(kit):
    error, provider = failing(kit, {0: Fault("rate_limit", retry_after=86_400)}, max_retry_wait=5)
    assert (error.status, error.transient, provider.stats.calls) == (429, True, 1)


def test_one_refusal_holds_back_the_other_calls_of_the_model(kit):
    arrivals: list[float] = []

    def answer(request):
        arrivals.append(time.monotonic())
        return "ok"

    async def go():
        async with FakeProvider(answer, faults={0: Fault("rate_limit", retry_after=0.5)}) as provider:
            model = kit.model_for(provider, max_retry_wait=5)
            first = asyncio.create_task(model.complete(kit.question()))
            await kit.until(lambda: provider.stats.calls == 1 and provider.stats.in_flight == 0)
            refused = time.monotonic()
            await asyncio.sleep(0.1)
            await model.complete(kit.question("another"))
            await first
            await model.close()
            return refused

    refused = kit.run(go())
    assert len(arrivals) == 2
    assert min(arrivals) - refused >= 0.4


def test_a_wait_of_an_earlier_run_does_not_stop_the_next_one(kit):
    async def refused(provider):
        model = kit.model_for(provider, retries=1, max_retry_wait=500)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await model.complete(kit.question())
        await model.close()

    async def resumed(provider):
        model = kit.model_for(provider)
        async with asyncio.timeout(20):
            completion = await model.complete(kit.question())
        await model.close()
        return completion

    from ludometer.testing.fake_provider import in_thread

    with in_thread(FakeProvider("fixed:ok", faults={0: Fault("rate_limit", retry_after=400)})) as provider:
        kit.run(refused(provider))
        assert kit.run(resumed(provider)).text == "ok"


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("hang", {"idle_timeout": 0.15}),
        ("hang", {"idle_timeout": 0.15, "stream": True}),
        ("hang", {"total_timeout": 0.15}),
        ("hang_before_headers", {"total_timeout": 0.15}),
        ("hang_before_headers", {"idle_timeout": 0.15, "stream": True}),
    ],
)
def test_silence_ends_a_call_closes_its_socket_and_is_tried_again(kit, kind, settings):
    async def go():
        provider = FakeProvider("fixed:ok", faults={i: Fault(kind) for i in range(3)})
        async with provider:
            model = kit.model_for(provider, retries=2, **settings)
            with pytest.raises(CallFailed) as caught:
                await model.complete(kit.question())
            # A hanging call of the fake provider ends only when its connection is closed.
            await kit.until(lambda: provider.stats.in_flight == 0)
            completion = await model.complete(kit.question())
            await model.close()
            return caught.value, completion, provider

    error, completion, provider = kit.run(go())
    assert len(error.failures) == 3
    assert all(failure.seconds >= 0.14 for failure in error.failures)
    assert completion.text == "ok"
    assert provider.stats.most_in_flight <= 2
    assert provider.stats.calls == 4


def test_a_slow_whole_answer_is_not_idle(kit):
    provider = FakeProvider("fixed:ok", latency=0.4)
    assert kit.run(kit.ask(provider, idle_timeout=0.1, retries=0)).text == "ok"


def test_a_cancelled_call_closes_its_socket(kit):
    async def go():
        async with FakeProvider("fixed:ok", faults={0: Fault("hang")}) as provider:
            model = kit.model_for(provider)
            task = asyncio.create_task(model.complete(kit.question()))
            await kit.until(lambda: provider.stats.in_flight == 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await kit.until(lambda: provider.stats.in_flight == 0)
            await model.close()
            return provider.stats.calls

    assert kit.run(go()) == 1


def test_a_stream_that_never_ends_after_its_last_event_is_an_answer(kit):
    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        event = b'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
        writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await writer.drain()
        await reader.read()
        writer.close()

    async def go():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        provider = FakeProvider(port=server.sockets[0].getsockname()[1])
        model = kit.model_for(provider, stream=True, retries=0, idle_timeout=30)
        completion = await model.complete(kit.question())
        await model.close()
        server.close()
        return completion

    assert kit.run(go()).text == "ok"


def test_nobody_at_the_address(kit):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def go():
        model = kit.model_for(FakeProvider(port=port), retries=1)
        try:
            await model.complete(kit.question())
        finally:
            await model.close()

    with pytest.raises(CallFailed, match="connection to the provider failed") as caught:
        kit.run(go())
    assert (caught.value.transient, len(caught.value.failures)) == (True, 2)


def test_an_address_that_does_not_pick_up(kit):
    async def go(port):
        model = kit.model_for(FakeProvider(port=port), retries=0, connect_timeout=0.1)
        try:
            await model.complete(kit.question())
        finally:
            await model.close()

    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for caller in (first, second):  # fills the queue of callers that nobody takes
            caller.setblocking(False)
            caller.connect_ex(listener.getsockname())
        with pytest.raises(CallFailed, match=r"could not be reached within 0\.1 s"):
            kit.run(go(listener.getsockname()[1]))


def test_a_proxy_is_taken_from_the_environment_but_not_for_this_machine(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_for("https://api.openai.com/v1") == "http://proxy.example:3128"
    assert proxy_for("https://inside.example/v1") is None
    assert proxy_for("https://127.0.0.1:8000/v1") is None


def test_every_kind_of_fault_is_survived_by_a_patient_client(kit):
    """A mixed bag, decided by the fake provider's seed: every question is answered exactly once."""

    async def go():
        kinds = [kind for kind in FAULT_KINDS if kind not in ("redirect",)]
        provider = FakeProvider("echo", fault_rate=0.5, fault_kinds=kinds, seed=4)
        async with provider:
            model = kit.model_for(provider, retries=30, total_timeout=0.3, concurrency=8)
            questions = [f"question {i}" for i in range(40)]
            answers = await asyncio.gather(*(model.complete(kit.question(text)) for text in questions))
            await model.close()
            return provider, questions, answers

    provider, questions, answers = kit.run(go())
    assert len(provider.stats.faults) >= 8
    assert all(
        answer.text == text or answer.text in ("", None) for text, answer in zip(questions, answers, strict=True)
    )
    assert set(provider.stats.answers.values()) == {1}
    assert sum(len(answer.failures) for answer in answers) == provider.stats.calls - 40


def test_waits_grow_and_are_bounded_and_spread_by_the_given_generator(monkeypatch):
    waits: list[float] = []

    async def sleep(seconds):
        waits.append(seconds)

    async def never():
        raise TryFailed("no")

    monkeypatch.setattr("ludometer.models.retries.asyncio.sleep", sleep)
    with pytest.raises(CallFailed):
        asyncio.run(with_retries(never, RetryPolicy(8, 10.0, random.Random(1))))
    assert len(waits) == 8
    for number, wait in enumerate(waits):
        assert 0.5 <= wait / min(0.5 * 2**number, 10.0) <= 1
    again, waits = waits, []
    with pytest.raises(CallFailed):
        asyncio.run(with_retries(never, RetryPolicy(8, 10.0, random.Random(1))))
    assert waits == again


def test_the_wait_asked_for_comes_first_and_others_are_told(monkeypatch):
    waits: list[float] = []
    told: list[float] = []

    async def sleep(seconds):
        waits.append(seconds)

    async def refused():
        raise TryFailed("no", wait=3.0)

    monkeypatch.setattr("ludometer.models.retries.asyncio.sleep", sleep)
    with pytest.raises(CallFailed):
        asyncio.run(with_retries(refused, RetryPolicy(2, 10.0, random.Random(1)), cool_down=told.append))
    assert told == [3.0, 3.0]
    assert all(3.0 <= wait <= 3.2 for wait in waits)
    assert len(waits) == 2


def test_no_failure_leaves_the_completion_alone():
    completion = Completion("x")

    async def once():
        return completion

    assert asyncio.run(with_retries(once, RetryPolicy(1, 1, random.Random(0)))) is completion


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-7"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
    ],
)
def test_reading_retry_after(headers, seconds):
    assert retry_after(headers) == seconds
