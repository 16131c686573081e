"""Finding games and players: one file each, found by its folder or by an entry point, with no central list."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Generic, TypeVar, cast, get_type_hints

from ludometer.core.errors import ConfigurationError
from ludometer.core.exchange import Json
from ludometer.core.game import AnyGame, Game

__all__ = ["GAMES", "Registry", "build", "convert_options", "describe_options", "make_game", "nearest"]

C = TypeVar("C")


def nearest(word: str, known: Iterable[str], *, list_all: bool = True) -> str:
    """The end of an error sentence: the nearest known name, and all of them where they are few."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    if not names:
        return hint
    return f"{hint or ';'} known: {', '.join(names)}" if list_all and len(names) <= 40 else hint


class Registry(Generic[C]):
    """Classes of one kind, by name.

    Args:
        kind: what the error messages call them.
        package: the folder whose modules are looked through; also the entry-point group.
        accepts: tells whether a class found in a module is one of them. It must then have a ``name``.
    """

    def __init__(self, kind: str, package: str, accepts: Callable[[type], bool]) -> None:
        self.kind = kind
        self.package = package
        self.accepts = accepts
        self._found: dict[str, type[C]] | None = None

    def all(self) -> Mapping[str, type[C]]:
        """Every class by name, sorted. A plug-in that cannot be imported warns and is skipped."""
        if self._found is None:
            self._found = dict(sorted({**dict(self._plugins()), **dict(self._builtin())}.items()))
        return self._found

    def get(self, name: str) -> type[C]:
        """The class with this name. Raises `ConfigurationError` naming the nearest known one."""
        if self._found is None:
            # Most names are their module's: this spares importing every other module of the folder.
            direct = self._import(name)
            for cls in self._classes(direct) if direct else ():
                if _name(cls) == name:
                    return cls
        found = self.all()
        if name not in found:
            raise ConfigurationError(f"there is no {self.kind} {name!r}{nearest(name, found)}")
        return found[name]

    def _import(self, name: str) -> ModuleType | None:
        module = f"{self.package}.{name}"
        if not name.isidentifier() or importlib.util.find_spec(module) is None:
            return None
        return importlib.import_module(module)

    def _classes(self, module: ModuleType) -> Iterator[type[C]]:
        for value in vars(module).values():
            own = isinstance(value, type) and value.__module__ == module.__name__
            if own and not inspect.isabstract(value) and self.accepts(value):
                yield value

    def _builtin(self) -> Iterator[tuple[str, type[C]]]:
        package = importlib.import_module(self.package)
        for info in pkgutil.iter_modules(package.__path__, f"{self.package}."):
            for cls in self._classes(importlib.import_module(info.name)):
                yield _name(cls), cls

    def _plugins(self) -> Iterator[tuple[str, type[C]]]:
        for point in entry_points(group=self.package):
            try:
                offered = self._offered(point.load())
            except Exception as error:  # a plug-in may fail in any way; it must not take the arena with it
                warnings.warn(f"plug-in {point.name!r} ({point.value}) was skipped: {error}", stacklevel=2)
                continue
            for cls in offered:
                yield _name(cls), cls

    def _offered(self, loaded: object) -> list[type[C]]:
        """What an entry point names: a class, or those of a module. Raises `TypeError` for anything else."""
        if isinstance(loaded, ModuleType):
            offered = list(self._classes(loaded))
        else:
            fits = isinstance(loaded, type) and not inspect.isabstract(loaded) and self.accepts(loaded)
            offered = [cast("type[C]", loaded)] if fits else []
        if not all(map(_name, offered)) or not offered:
            raise TypeError(f"it is no {self.kind}, or has no name")
        return offered


def _name(cls: type) -> str:
    return str(getattr(cls, "name", ""))


GAMES: Registry[AnyGame] = Registry(
    "game", "ludometer.games", lambda cls: issubclass(cls, Game) and hasattr(cls, "name")
)


def _initializer(cls: type) -> Callable[..., None]:
    initializer: Callable[..., None] = getattr(cls, "__init__")  # noqa: B009 (mypy distrusts cls.__init__)
    return initializer


def _parameters(cls: type) -> dict[str, inspect.Parameter]:
    if _initializer(cls) is object.__init__:
        return {}
    # The initializer's own: the signature of a class is that of its __new__ where a base class has one.
    named = list(inspect.signature(_initializer(cls)).parameters.items())[1:]
    return {name: p for name, p in named if p.kind is not p.VAR_KEYWORD}


def build(cls: type[C], options: Mapping[str, Json], *, what: str, given: Mapping[str, Any] | None = None) -> C:
    """An instance of ``cls`` with keyword ``options``, each converted to the parameter's annotated type.

    Args:
        what: how error messages call it.
        given: further arguments, passed as they are.

    Raises:
        ConfigurationError: an unknown option, a value of the wrong type, or one the class refuses.
    """
    known = {name: p for name, p in _parameters(cls).items() if name not in (given or {})}
    values = convert_options(options, known, get_type_hints(_initializer(cls)), what=what)
    try:
        return cls(**(given or {}), **values)
    except ValueError as error:
        raise ConfigurationError(f"{what}: {error}") from None


def convert_options(
    options: Mapping[str, Json], known: Mapping[str, inspect.Parameter], hints: Mapping[str, Any], *, what: str
) -> dict[str, Any]:
    """The options of a class or function, each converted to its parameter's annotated type.

    Raises:
        ConfigurationError: an unknown option, a value of the wrong type, or a missing one.
    """
    from pydantic import TypeAdapter, ValidationError

    values: dict[str, Any] = {}
    for key, value in options.items():
        if key not in known:
            raise ConfigurationError(f"{what} has no option {key!r}{nearest(key, known)}")
        try:
            values[key] = TypeAdapter(hints.get(key, Any)).validate_python(value)
        except ValidationError as error:
            # One for each kind of value that is allowed (a number, or a word).
            problem = ", or ".join(dict.fromkeys(one["msg"] for one in error.errors()[:3]))
            raise ConfigurationError(f"{what}: option {key} = {value!r} is not valid: {problem}") from None
    missing = [name for name, p in known.items() if p.default is p.empty and name not in values]
    if missing:
        raise ConfigurationError(f"{what} needs the option {missing[0]!r}")
    return values


def describe_options(cls: type) -> dict[str, str]:
    """Option name to ``type = default``, for ``ludometer list``."""
    described = {}
    for name, parameter in _parameters(cls).items():
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        annotation = parameter.annotation
        kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        described[name] = f"{kind}{default}"
    return described


def make_game(name: str, options: Mapping[str, Json] | None = None) -> AnyGame:
    """The game called ``name``, bound to its options. Raises `ConfigurationError`.

    A class with an ``argument`` (the name of one of its options) may be given that option after a colon:
    ``openspiel:backgammon`` is ``openspiel`` with ``game = "backgammon"``.
    """
    base, options = _split_argument(name, options or {})
    cls = GAMES.get(base)
    game = build(cls, options, what=f"game {base}")
    resolved = {key: p.default for key, p in _parameters(cls).items()}
    resolved.update({key: getattr(game, key, value) for key, value in options.items()})
    game.options = resolved
    return game


def _split_argument(name: str, options: Mapping[str, Json]) -> tuple[str, Mapping[str, Json]]:
    """The game's own name, and the options with what stands behind the colon."""
    base, colon, argument = name.partition(":")
    if not colon:
        return name, options
    key = getattr(GAMES.get(base), "argument", None)
    if key is None:
        raise ConfigurationError(f"game {base} takes nothing after a colon; give its options as key=value")
    if not argument.strip():
        raise ConfigurationError(f"{name!r} names no {key}; write for example {base}:NAME")
    if options.get(key, argument) != argument:
        raise ConfigurationError(f"game {base} is given two values for {key}: {argument!r} and {options[key]!r}")
    return base, {**options, key: argument}
