"""The limiter of a cluster, driven without one: its methods are plain coroutines."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from ludometer.core import ConfigurationError, Usage
from ludometer.models import ModelSettings
from ludometer.models.limits import limit_elsewhere, shared_limits
from ludometer.tournaments.on_ray.cluster import parse_executor
from ludometer.tournaments.on_ray.limits import Asked, ClusterLimits, Limiter, Ticket

KEY = ("http://x", "", "m")
pytest.importorskip("ray", reason="needs Ray: pip install 'ludometer[scale]'")


class Handle:
    """A limiter in this process, called the way Ray's handles are."""

    def __init__(self, limiter):
        for name in ("acquire", "release", "gone", "settle", "cool_down"):
            method = getattr(limiter, name)
            setattr(self, name, SimpleNamespace(remote=lambda *a, m=method: asyncio.ensure_future(m(*a))))


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


def test_workers_share_the_slots(kit):
    async def both():
        handle = Handle(Limiter())
        workers = [ClusterLimits(handle, name, KEY) for name in ("one", "two")]
        for worker in workers:
            worker.tighten(ModelSettings(concurrency=3))
        running, most = 0, 0

        async def call(worker):
            nonlocal running, most
            async with worker.slot():
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.001)
                running -= 1

        await asyncio.gather(*(call(workers[i % 2]) for i in range(20)))
        return most

    assert kit.run(both()) == 3


def test_the_smallest_limit_counts(kit):
    limits = ClusterLimits(None, "one", KEY)
    limits.tighten(ModelSettings(concurrency=5, requests_per_minute=100))
    limits.tighten(ModelSettings(concurrency=2, tokens_per_minute=1000))
    limits.tighten(ModelSettings(concurrency=4, requests_per_minute=200))
    assert limits._asked == Asked(2, 100, 1000)


@pytest.mark.parametrize("how", ["canceled", "dead"])
def test_a_slot_comes_free_when_its_holder_is_gone(kit, how):
    async def check():
        limiter = Limiter()
        one = Asked(1, None, None)
        await limiter.acquire(KEY, one, 0.0, Ticket("one", 1))
        waiting = asyncio.ensure_future(limiter.acquire(KEY, one, 0.0, Ticket("two", 1)))
        gives_up = asyncio.ensure_future(limiter.acquire(KEY, one, 0.0, Ticket("three", 1)))
        await settled()
        assert not waiting.done()
        await limiter.release(Ticket("three", 1))
        await gives_up
        await (limiter.gone("one") if how == "dead" else limiter.release(Ticket("one", 1)))
        await waiting
        await limiter.release(Ticket("two", 1))
        await settled()
        await limiter.acquire(KEY, one, 0.0, Ticket("four", 1))
        return set(limiter._holding)

    assert kit.run(check()) == {Ticket("four", 1)}


def test_a_provider_that_asks_one_worker_to_wait_holds_back_all(kit):
    async def check():
        handle = Handle(Limiter())
        one, two = (ClusterLimits(handle, name, KEY) for name in ("one", "two"))
        async with one.slot():
            one.cool_down(0.1)
        begun = asyncio.get_running_loop().time()
        async with two.slot():
            return asyncio.get_running_loop().time() - begun

    assert kit.run(check()) >= 0.09


def test_what_calls_really_used_is_charged_to_all(kit):
    async def check():
        limiter = Limiter()
        worker = ClusterLimits(Handle(limiter), "one", KEY)
        worker.tighten(ModelSettings(tokens_per_minute=6000))
        async with worker.slot(10):
            pass
        worker.settle(10, Usage(input=300, output=100))
        await settled()
        return limiter._limits[KEY]._debt, worker._mean_output

    assert kit.run(check()) == (390, 20)


def test_models_of_an_event_loop_use_the_limits_they_are_given(kit):
    async def check():
        limit_elsewhere(lambda key: ("elsewhere", key))
        return shared_limits(KEY)

    async def without():
        return shared_limits(KEY)

    assert kit.run(check()) == ("elsewhere", KEY)
    assert type(kit.run(without())).__name__ == "Limits"


def test_names_of_executors():
    assert parse_executor("ray") is None
    assert parse_executor("ray:ray://head:10001") == "ray://head:10001"
    assert parse_executor("ray:auto") == "auto"
    for wrong in ("rya", "ray:", "asyncio:1", "spark"):
        with pytest.raises(ConfigurationError, match="ray:ADDRESS"):
            parse_executor(wrong)
