"""What the tests of models share: models that talk to the fake provider over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest

from ludometer.core.exchange import Completion, Message, Request
from ludometer.models import CustomProvider, Model, ModelSettings, make_model
from ludometer.testing.fake_provider import FakeProvider


def question(text: str = "Your move?", **more: Any) -> Request:
    return Request((Message("user", text),), **more)


def model_for(provider: FakeProvider, *, api_key_env: str | None = None, **settings: Any) -> Model:
    """A model behind the fake provider that loses no time between tries."""
    settings.setdefault("max_retry_wait", 0.02)
    custom = CustomProvider(base_url=provider.url, api_key_env=api_key_env)
    return make_model("fake/model-1", ModelSettings(**settings), {"fake": custom})


async def ask(provider: FakeProvider, request: Request | None = None, **settings: Any) -> Completion:
    """Ask one question of a provider that is not running yet."""
    on_delta = settings.pop("on_delta", None)
    async with provider:
        model = model_for(provider, **settings)
        try:
            return await model.complete(request or question(), on_delta=on_delta)
        finally:
            await model.close()


def run(coroutine: Coroutine[Any, Any, Any], seconds: float = 60.0) -> Any:
    """Run a coroutine; one that hangs fails its test instead of stopping the suite."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that happens in another task."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.fixture
def kit() -> SimpleNamespace:
    """The functions above: with the import mode of this suite, a test module cannot import them."""
    return SimpleNamespace(question=question, model_for=model_for, ask=ask, run=run, until=until)
