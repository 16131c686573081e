"""The Python that programs run with: this one's own interpreter and standard library, without anything installed."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ludometer.core import SandboxError

__all__ = ["ARGUMENTS", "INSTALLED", "Runtime", "runtime"]

ARGUMENTS = ("-I", "-S", "-B", "-u", "-X", "utf8")
"""Isolated: no environment variables, no user folder, no installed packages; nothing written; UTF-8; unbuffered, so
that nothing printed before a crash is lost."""

INSTALLED = ("site-packages", "dist-packages")
"""Folders of installed packages inside the standard library's. They are never shown to a program."""


class Runtime(NamedTuple):
    """Where Python lies on this machine.

    Args:
        prefix: where it is installed.
        executable: the interpreter itself, no link and no virtual environment's.
        library: folder of the standard library.
        platform_library: folder of its compiled modules, where that is another one.
        shared: shared libraries it loads, under every name they are looked for.
    """

    prefix: Path
    executable: Path
    library: Path
    platform_library: Path
    shared: tuple[Path, ...]

    def library_parts(self) -> list[Path]:
        """Everything directly in the standard library's folders, but installed packages."""
        folders = dict.fromkeys((self.library, self.platform_library))
        return [part for folder in folders for part in sorted(folder.iterdir()) if part.name not in INSTALLED]


_LOAD_EVERYTHING = """
import glob, importlib, json, os, sys
for folder in sys.path:
    for path in glob.glob(os.path.join(folder, "*.so")):
        name = os.path.basename(path).split(".")[0]
        if not name.startswith(("_tkinter", "_curses", "readline", "_dbm", "_gdbm", "_test", "xx", "_ctypes_test")):
            try:
                importlib.import_module(name)
            except ImportError:
                pass
maps = [line.split(maxsplit=5) for line in open("/proc/self/maps")]
print(json.dumps(sorted({m[5].strip() for m in maps if len(m) == 6 and ".so" in m[5] and m[5].startswith("/")})))
"""


@cache
def runtime() -> Runtime:
    """This program's own Python. Raises `SandboxError` where it does not start by itself."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    library = Path(sysconfig.get_path("stdlib")).resolve()
    platform_library = Path(sysconfig.get_path("platstdlib", vars={"platbase": sys.base_exec_prefix})).resolve()
    try:
        asked = subprocess.run(
            [executable, *ARGUMENTS, "-c", _LOAD_EVERYTHING],
            env={},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
        loaded = [Path(path) for path in json.loads(asked.stdout)]
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SandboxError(f"{executable} does not start with an empty environment: {error}") from None
    outside = [path for path in loaded if not path.is_relative_to(library)]
    prefix = Path(sys.base_prefix).resolve()
    return Runtime(prefix, executable, library, platform_library, (*_with_links(outside), *_loader(executable)))


def _with_links(libraries: list[Path]) -> list[Path]:
    """The libraries, and the links beside them by which the loader finds them (``libz.so.1`` for ``libz.so.1.3``)."""
    found = dict.fromkeys(libraries)
    for folder in dict.fromkeys(path.parent for path in libraries):
        for entry in folder.iterdir():
            if ".so" in entry.name and entry.is_symlink() and entry.resolve() in found:
                found[entry] = None
    return list(found)


def _loader(executable: Path) -> list[Path]:
    """The program that loads the executable: its program header PT_INTERP (elf(5), 64 bits), where it has one."""
    with executable.open("rb") as stream:
        if stream.read(5) != b"\x7fELF\x02":
            return []
        stream.seek(0x20)
        (table,) = struct.unpack("<Q", stream.read(8))
        stream.seek(0x36)
        size, count = struct.unpack("<HH", stream.read(4))
        for index in range(count):
            stream.seek(table + index * size)
            kind, _, offset, _, _, length = struct.unpack("<IIQQQQ", stream.read(40))
            if kind == 3:
                stream.seek(offset)
                path = Path(stream.read(length).rstrip(b"\0").decode())
                return [path.parent.resolve() / path.name]
    return []
