"""Finding strategies: a module of this folder, an entry point of the group ``ludometer.strategies``, or a file.

A file is written as its path, ``path/to/file.py`` (its function ``strategy``) or ``path/to/file.py:name``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import entry_points
from typing import Any, TypeAlias, get_type_hints

from ludometer.core import AnyGame, ConfigurationError, Turn
from ludometer.core.registry import convert_options, nearest
from ludometer.core.spec import Spec
from ludometer.strategies._files import attribute_of, module_of, place_of
from ludometer.strategies.conversation import Answer, Conversation

__all__ = ["Strategy", "check_strategy", "load_strategy", "program_of", "strategies"]

Strategy: TypeAlias = Callable[[Conversation, Turn], Awaitable[Answer]]

_PACKAGE = "ludometer.strategies"
_PLUMBING = frozenset({"conversation", "registry"})


def strategies() -> tuple[str, ...]:
    """Names of all installed strategies, sorted."""
    return tuple(sorted(_builtin() | {point.name for point in entry_points(group=_PACKAGE)}))


def _builtin() -> set[str]:
    package = importlib.import_module(_PACKAGE)
    found = {info.name for info in pkgutil.iter_modules(package.__path__)}
    return {name for name in found if not name.startswith("_")} - _PLUMBING


def load_strategy(spec: Spec) -> Strategy:
    """The strategy called ``spec.name`` with its options bound. Raises `ConfigurationError`."""
    program = program_of(spec.name)
    return partial(program, **_options(spec, program))


def check_strategy(spec: Spec, game: AnyGame) -> None:
    """Raises `ConfigurationError` where a strategy cannot be used in a game.

    A strategy that asks something of games has a function ``supports(game, **options)`` beside it, in its module.
    """
    supports = getattr(_loaded(spec.name), "supports", None)
    if supports is not None:
        supports(game, **_options(spec, program_of(spec.name)))


def _options(spec: Spec, program: Callable[..., Any]) -> dict[str, Any]:
    parameters = dict(list(inspect.signature(program).parameters.items())[2:])
    return convert_options(spec.options, parameters, _hints(program), what=f"strategy {spec.name}")


def _hints(program: Callable[..., Any]) -> dict[str, Any]:
    """The types of a program's parameters; none where they are imported for type checkers only."""
    try:
        return get_type_hints(program)
    except NameError:
        return {}


def program_of(name: str) -> Callable[..., Awaitable[Answer]]:
    """The function behind a name of `strategies` or a file. Raises `ConfigurationError` where it cannot be loaded."""
    module = _loaded(name)
    program: Callable[..., Awaitable[Answer]] = getattr(module, "strategy", module)
    if not inspect.iscoroutinefunction(program):
        raise ConfigurationError(f"strategy {name} cannot be loaded: it is no async function")
    if len(inspect.signature(program).parameters) < 2:
        raise ConfigurationError(f"strategy {name} cannot be loaded: it does not take (conversation, turn)")
    return program


def _loaded(name: str) -> Any:
    """A strategy's module, or what its entry point or its place in a file names."""
    place = place_of(name)
    if place is not None:
        module = module_of(place, f"strategy {name}")
        return attribute_of(module, place, f"strategy {name}") if place.name else module
    if name not in strategies():
        raise ConfigurationError(f"there is no strategy {name!r}{nearest(name, strategies())}")
    if name in _builtin():  # as with games and players, a plug-in does not replace what is here
        return importlib.import_module(f"{_PACKAGE}.{name}")
    points = {point.name: point for point in entry_points(group=_PACKAGE)}
    try:
        return points[name].load()
    except Exception as error:  # a plug-in may fail in any way
        raise ConfigurationError(f"strategy {name} cannot be loaded: {type(error).__name__}: {error}") from None
