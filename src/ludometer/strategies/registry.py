"""Finding strategies: a module of this folder, an entry point of the group ``ludometer.strategies``, or a file.

A file is written as its path, ``path/to/file.py`` (its function ``strategy``) or ``path/to/file.py:name``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.metadata import entry_points
from typing import Any, TypeAlias, get_type_hints

from ludometer.core import AnyGame, ConfigurationError, Turn
from ludometer.core.registry import convert_options, nearest
from ludometer.core.spec import Spec
from ludometer.strategies._files import attribute_of, digest_of, module_of, place_of
from ludometer.strategies.conversation import Answer, Conversation

__all__ = [
    "Strategy",
    "calls_per_decision",
    "changed_files",
    "check_strategy",
    "load_strategy",
    "program_of",
    "strategies",
    "strategy_files",
]

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


def calls_per_decision(spec: Spec) -> tuple[int, int | None] | None:
    """How many calls to the model one decision takes, at least and at most, without attempts after bad answers.

    A strategy says so in a function ``calls_per_decision(**options)`` beside it, in its module; the most is None where
    it depends on what is answered. None where a strategy does not say. Raises `ConfigurationError`.
    """
    told = getattr(_loaded(spec.name), "calls_per_decision", None)
    if told is None:
        return None
    try:
        least, most = told(**_options(spec, program_of(spec.name)))
        return int(least), None if most is None else int(most)
    except (TypeError, ValueError) as error:  # a file of the user's may fail
        raise ConfigurationError(f"strategy {spec.name}: calls_per_decision says no two numbers: {error}") from None


def strategy_files(spec: Spec) -> dict[str, str | None]:
    """The user's own files that a strategy is read from, as they are written, each with its digest (see `digest_of`).

    A strategy whose options name files has a function ``named_files(**options)`` beside it. What those files import in
    turn is not known. Raises `ConfigurationError`.
    """
    place = place_of(spec.name)
    named = getattr(_loaded(spec.name), "named_files", None)
    found = [] if place is None else [place.path]
    found += named(**_options(spec, program_of(spec.name))) if named is not None else ()
    return {path: digest_of(path) for path in found}


def changed_files(recorded: Mapping[str, str | None]) -> list[str]:
    """A sentence for each file of `strategy_files` that is not what it was."""
    sentences = []
    for path, digest in recorded.items():
        now = digest_of(path)
        if now is None:
            sentences.append(f"{path} cannot be read from here, and the run was planned with it")
        elif now != digest:
            sentences.append(f"{path} was changed since the run was planned, so its requests may differ")
    return sentences


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
