"""Paths that users write, before anything is opened."""

from __future__ import annotations

import os
from pathlib import Path

from ludometer.core.errors import ConfigurationError

__all__ = ["file_path", "usable_path"]


def usable_path(written: str | os.PathLike[str]) -> Path:
    """The path, if a file system can have it: no null character, and no half of a surrogate pair.

    Raises:
        ConfigurationError: no file can have that name.
    """
    path = Path(written)
    try:
        possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise ConfigurationError(f"no file can be called {str(path)!r}; write another path")
    return path


def file_path(written: str | os.PathLike[str]) -> Path:
    """`usable_path` of a file that is to be written: the path of a folder alone is not enough."""
    path = usable_path(written)
    if not path.name or path.name == ".." or path.is_dir():
        raise ConfigurationError(f"{str(path)!r} is a folder; write the path of the file")
    return path
