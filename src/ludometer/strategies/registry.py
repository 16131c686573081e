"""Finding strategies by name: a module of this folder, or an entry point of the group ``ludometer.strategies``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import entry_points
from typing import Any, TypeAlias, get_type_hints

from ludometer.core import ConfigurationError, Turn
from ludometer.core.registry import convert_options, nearest
from ludometer.core.spec import Spec
from ludometer.strategies.conversation import Answer, Conversation

__all__ = ["Strategy", "load_strategy", "program_of", "strategies"]

Strategy: TypeAlias = Callable[[Conversation, Turn], Awaitable[Answer]]

_PACKAGE = "ludometer.strategies"
_PLUMBING = frozenset({"conversation", "registry"})


def strategies() -> tuple[str, ...]:
    """Names of all strategies, sorted."""
    return tuple(sorted(_builtin() | {point.name for point in entry_points(group=_PACKAGE)}))


def _builtin() -> set[str]:
    package = importlib.import_module(_PACKAGE)
    return {info.name for info in pkgutil.iter_modules(package.__path__)} - _PLUMBING


def load_strategy(spec: Spec) -> Strategy:
    """The strategy called ``spec.name`` with its options bound. Raises `ConfigurationError`."""
    name, options = spec.name, spec.options
    if name not in strategies():
        raise ConfigurationError(f"there is no strategy {name!r}{nearest(name, strategies())}")
    program = program_of(name)
    parameters = dict(list(inspect.signature(program).parameters.items())[2:])
    return partial(program, **convert_options(options, parameters, get_type_hints(program), what=f"strategy {name}"))


def program_of(name: str) -> Callable[..., Awaitable[Answer]]:
    """The function behind a name of `strategies`. Raises `ConfigurationError` for a plug-in that cannot be loaded."""
    if name in _builtin():  # as with games and players, a plug-in does not replace what is here
        module: Any = importlib.import_module(f"{_PACKAGE}.{name}")
    else:
        points = {point.name: point for point in entry_points(group=_PACKAGE)}
        try:
            module = points[name].load()
        except Exception as error:  # a plug-in may fail in any way
            raise ConfigurationError(f"strategy {name} cannot be loaded: {type(error).__name__}: {error}") from None
    program: Callable[..., Awaitable[Answer]] = getattr(module, "strategy", module)
    if not inspect.iscoroutinefunction(program):
        raise ConfigurationError(f"strategy {name} cannot be loaded: it is no async function")
    return program
