"""Code of the user's own, loaded from a Python file."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ludometer.core import ConfigurationError
from ludometer.core.registry import nearest

__all__ = ["Place", "attribute_of", "digest_of", "module_of", "path_of", "place_of"]

_PLACE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>[A-Za-z_]\w*))?")

_loaded: dict[Path, ModuleType] = {}


class Place(NamedTuple):
    """A file, and the name of something in it (empty where none is given)."""

    path: str
    name: str


def place_of(written: str) -> Place | None:
    """Reads ``path/to/file.py`` or ``path/to/file.py:name``; None for what names no Python file."""
    match = _PLACE.fullmatch(written)
    return None if match is None else Place(match["path"], match["name"] or "")


def path_of(written: str) -> Path:
    """The path of a file, with a home folder in the place of ``~``, where there is one."""
    path = Path(written)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def digest_of(path: str) -> str | None:
    """SHA-256 of a file's bytes, in hexadecimal; None where it cannot be read. Paths count from the working
    directory."""
    place = path_of(path)
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else None
    except (OSError, ValueError):  # a path may hold a NUL
        return None


def module_of(place: Place, what: str) -> ModuleType:
    """The file as a module, run once per process. Paths count from the working directory.

    Args:
        what: how error messages call what is loaded.

    Raises:
        ConfigurationError: there is no such file, or it fails.
    """
    path = path_of(place.path).resolve()
    if path not in _loaded:
        if not path.is_file():
            raise ConfigurationError(f"{what}: there is no file {place.path}")
        _loaded[path] = _run(path, what)
    return _loaded[path]


def _run(path: Path, what: str) -> ModuleType:
    # A name of its own: two files called strategy.py are two modules.
    name = f"ludometer_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigurationError(f"{what}: {path.name} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and inspect look a module up by its name
    try:
        spec.loader.exec_module(module)
    except ConfigurationError:
        sys.modules.pop(name, None)
        raise
    except Exception as error:  # a file of the user's may fail in any way
        sys.modules.pop(name, None)
        raise ConfigurationError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from None
    return module


def attribute_of(module: ModuleType, place: Place, what: str) -> Any:
    """What ``place.name`` names in the module. Raises `ConfigurationError`."""
    if not hasattr(module, place.name):
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
        public = [name for name in own if not name.startswith("_")]
        raise ConfigurationError(f"{what}: {place.path} has no {place.name!r}{nearest(place.name, public)}")
    return getattr(module, place.name)
