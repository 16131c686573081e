"""Finding strategies by name: a module of this folder, or an entry point of the group ``ludometer.strategies``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import entry_points
from typing import Any, TypeAlias

from ludometer.core import ConfigurationError, Turn
from ludometer.core.registry import nearest
from ludometer.core.spec import Spec
from ludometer.strategies.conversation import Answer, Conversation

__all__ = ["Strategy", "load_strategy", "strategies"]

Strategy: TypeAlias = Callable[[Conversation, Turn], Awaitable[Answer]]

_PACKAGE = "ludometer.strategies"
_PLUMBING = frozenset({"conversation", "registry"})


def strategies() -> tuple[str, ...]:
    """Names of all strategies, sorted."""
    package = importlib.import_module(_PACKAGE)
    own = {info.name for info in pkgutil.iter_modules(package.__path__)} - _PLUMBING
    return tuple(sorted(own | {point.name for point in entry_points(group=_PACKAGE)}))


def load_strategy(spec: Spec) -> Strategy:
    """The strategy called ``spec.name`` with its options bound. Raises `ConfigurationError`."""
    name, options = spec.name, spec.options
    if name not in strategies():
        raise ConfigurationError(f"there is no strategy {name!r}{nearest(name, strategies())}")
    points = {point.name: point for point in entry_points(group=_PACKAGE)}
    module: Any = points[name].load() if name in points else importlib.import_module(f"{_PACKAGE}.{name}")
    program: Callable[..., Awaitable[Answer]] = getattr(module, "strategy", module)
    known = list(inspect.signature(program).parameters)[2:]
    for key in options:
        if key not in known:
            raise ConfigurationError(f"strategy {name} has no option {key!r}{nearest(key, known)}")
    return partial(program, **options)
