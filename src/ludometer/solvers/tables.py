"""Tables on disk: written atomically, verified when read, memory-mapped.

A file is 8 bytes of format name and version, the BLAKE2b digest of the content, zeros up to byte 64, and the content.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt
import platformdirs

__all__ = ["cache_folder", "read_table", "write_table"]

_MAGIC = b"LUDOTAB1"
_HEADER = 64


def cache_folder() -> Path:
    """Where tables are kept: the environment variable ``LUDOMETER_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("LUDOMETER_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("ludometer"))


def _header(content: npt.NDArray[np.int8]) -> bytes:
    digest = blake2b(content.data, digest_size=32).digest()
    return (_MAGIC + digest).ljust(_HEADER, b"\0")


def read_table(name: str, size: int | None) -> npt.NDArray[np.int8] | None:
    """The table called ``name`` as a read-only int8 array; None where there is no sound one.

    Args:
        size: how many entries it must have; None for any number.
    """
    path = cache_folder() / name
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
        found = path.stat().st_size - _HEADER
        if found < 1 or found != (found if size is None else size):
            return None
        content = np.memmap(path, dtype=np.int8, mode="r", offset=_HEADER, shape=(found,))
    except (OSError, ValueError):
        return None
    return content if header == _header(content) else None


def write_table(name: str, content: npt.NDArray[np.int8]) -> bool:
    """Puts a table into the cache folder. False where that cannot be done: the cache is a convenience."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    except OSError:
        return False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_header(content))
            file.write(content.data)
        Path(temporary).replace(folder / name)
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        return False
    return True
