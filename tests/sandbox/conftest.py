"""What the tests of the sandbox share: skipping where a backend cannot work, and programs run to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from ludometer import sandbox
from ludometer.sandbox import SANDBOXES, Program, Run


@cache
def _missing(name: str) -> str | None:
    backend = SANDBOXES.get(name)()
    try:
        return backend.unavailable()
    finally:
        backend.close()


@pytest.fixture
def need() -> Callable[[str], None]:
    """Skips the test where the named backend cannot work."""

    def need(name: str) -> None:
        problem = _missing(name)
        if problem is not None:
            pytest.skip(f"the sandbox {name} {problem}")

    return need


@pytest.fixture(params=["bubblewrap", "landlock", pytest.param("wasi", marks=pytest.mark.slow)])
def name(request: pytest.FixtureRequest, need: Callable[[str], None]) -> str:
    """Every backend's name in turn."""
    found: str = request.param
    need(found)
    return found


@pytest.fixture
def run(name: str) -> Callable[..., Run]:
    """Runs a program's text (and its parts, input and limits) in the backend."""

    def run(main: str, **given: object) -> Run:
        return asyncio.run(sandbox.run(Program(main, **given), backend=name))  # type: ignore[arg-type]

    return run


@pytest.fixture
def afresh() -> Iterator[None]:
    """A process that has not chosen its sandbox yet, and forgets its choice afterwards."""
    asyncio.run(sandbox.close())
    yield
    asyncio.run(sandbox.close())


@pytest.fixture(scope="package", autouse=True)
def _ended() -> Iterator[None]:
    yield
    asyncio.run(sandbox.close())
