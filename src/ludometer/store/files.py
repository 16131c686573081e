"""Files that are written for other programs and for people: complete or not at all, and never over something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludometer.core import ConfigurationError
from ludometer.store.sqlite import RUN_FILES

__all__ = ["check_replaceable", "replacing"]


def check_replaceable(path: Path) -> None:
    """Raises `ConfigurationError` for what is no file but a folder, a device or the like, and for the names of a run's
    files."""
    if path.name in RUN_FILES:
        raise ConfigurationError(f"{path} has the name of a file of a run, and is not replaced; write another path")
    if path.exists() and not path.is_file():
        raise ConfigurationError(f"{path} is no file, and is not replaced; write another path")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write a file that takes its place only when it is complete. Its folders are made.

    A file that is there is replaced.

    Raises:
        ConfigurationError: as `check_replaceable`.
        OSError: the file cannot be written.
    """
    check_replaceable(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
