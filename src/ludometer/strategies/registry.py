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

from pydantic import TypeAdapter, ValidationError

from ludometer.core import ConfigurationError, Json, Turn
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
    program = _program(name)
    parameters = dict(list(inspect.signature(program).parameters.items())[2:])
    hints = get_type_hints(program)
    bound: dict[str, Json] = {}
    for key, value in options.items():
        if key not in parameters:
            raise ConfigurationError(f"strategy {name} has no option {key!r}{nearest(key, parameters)}")
        try:
            bound[key] = TypeAdapter(hints.get(key, Any)).validate_python(value)
        except ValidationError as error:
            problem = error.errors()[0]["msg"]
            raise ConfigurationError(f"strategy {name}: option {key} = {value!r} is not valid: {problem}") from None
    missing = [key for key, p in parameters.items() if p.default is p.empty and key not in bound]
    if missing:
        raise ConfigurationError(f"strategy {name} needs the option {missing[0]!r}")
    return partial(program, **bound)


def _program(name: str) -> Callable[..., Awaitable[Answer]]:
    points = {point.name: point for point in entry_points(group=_PACKAGE)}
    if name not in points:
        module: Any = importlib.import_module(f"{_PACKAGE}.{name}")
    else:
        try:
            module = points[name].load()
        except Exception as error:  # a plug-in may fail in any way
            raise ConfigurationError(f"strategy {name} cannot be loaded: {type(error).__name__}: {error}") from None
    program: Callable[..., Awaitable[Answer]] = getattr(module, "strategy", module)
    return program
