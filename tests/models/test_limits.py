"""Concurrency and rates, shared by all models of one account."""

from __future__ import annotations

import asyncio
import time

import pytest

from ludometer.core.exchange import Message, Request, Usage
from ludometer.models import ModelSettings
from ludometer.models.limits import DEFAULT_CONCURRENCY, Limits, shared_limits
from ludometer.testing.fake_provider import FakeProvider


@pytest.mark.parametrize(("concurrency", "most"), [(1, 1), (3, 3)])
def test_no_more_calls_at_once_than_allowed_over_two_entrants(kit, concurrency, most):
    async def go():
        async with FakeProvider("fixed:ok", latency=0.03) as provider:
            models = [kit.model_for(provider, concurrency=concurrency, seed=seed) for seed in (1, 2)]
            calls = [model.complete(kit.question(str(i))) for i in range(4) for model in models]
            completions = await asyncio.gather(*calls)
            for model in models:
                await model.close()
            return provider.stats, completions

    stats, completions = kit.run(go())
    assert stats.most_in_flight == most
    assert stats.answered == 8
    # The last call waited for the others, and its latency does not show it.
    assert max(completion.latency for completion in completions) < 8 * 0.03 or most > 1


def test_the_smallest_limit_counts():
    async def go():
        limits = shared_limits(("a", "b", "c"))
        limits.tighten(ModelSettings())
        assert limits.concurrency == DEFAULT_CONCURRENCY
        limits.tighten(ModelSettings(concurrency=4, requests_per_minute=100))
        limits.tighten(ModelSettings(concurrency=9, requests_per_minute=200, tokens_per_minute=50))
        assert (limits.concurrency, limits.requests_per_minute, limits.tokens_per_minute) == (4, 100, 50)
        assert shared_limits(("a", "b", "c")) is limits
        assert shared_limits(("a", "b", "d")) is not limits

    asyncio.run(go())


def test_requests_per_minute(kit):
    async def go():
        async with FakeProvider("fixed:ok") as provider:
            model = kit.model_for(provider, requests_per_minute=600)  # bursts of 10, then one every 0.1 s
            started = time.monotonic()
            await asyncio.gather(*(model.complete(kit.question(str(i))) for i in range(14)))
            await model.close()
            return time.monotonic() - started

    assert kit.run(go()) >= 0.35


def test_tokens_per_minute():
    async def go():
        limits = Limits()
        limits.tighten(ModelSettings(tokens_per_minute=6000))  # 100 a second, bursts of 1000
        started = time.monotonic()
        for _ in range(2):
            async with limits.slot(520):
                pass
        return time.monotonic() - started

    assert asyncio.run(go()) >= 0.35


def test_a_call_with_more_tokens_than_a_burst_still_passes():
    async def go():
        limits = Limits()
        limits.tighten(ModelSettings(tokens_per_minute=60_000))  # bursts of 10,000
        async with asyncio.timeout(20), limits.slot(10_300):
            return True

    assert asyncio.run(go())


def test_guesses_are_settled_against_the_providers_count():
    async def go():
        limits = Limits()
        limits.tighten(ModelSettings(tokens_per_minute=1e9))
        request = Request((Message("user", "x" * 400),))
        assert limits.expected_tokens(request) == 100
        limits.settle(100, Usage(input=150, output=50))
        assert limits._debt == 100
        assert limits.expected_tokens(request) == 110
        async with limits.slot(10):
            pass
        assert limits._debt == 0
        limits.settle(500, Usage(input=1, output=1))
        limits.settle(1, Usage())
        async with limits.slot(10):
            pass
        assert limits._debt == -488

    asyncio.run(go())


def test_a_limit_that_is_tightened_later_holds(kit):
    async def go():
        async with FakeProvider("fixed:ok", latency=0.02) as provider:
            models = [kit.model_for(provider, concurrency=concurrency) for concurrency in (5, 2, 9)]
            for model in models:
                await model.complete(kit.question())
            provider.stats.most_in_flight = 0
            await asyncio.gather(*(model.complete(kit.question(str(i))) for i in range(3) for model in models))
            for model in models:
                await model.close()
            return provider.stats.most_in_flight

    assert kit.run(go()) == 2
