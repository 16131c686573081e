"""Linux namespaces through bubblewrap, and a system-call filter: a file system with nothing but Python in it."""

from __future__ import annotations

import base64
import platform
import shutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ludometer.core import SandboxError
from ludometer.sandbox.backend import LocalBackend
from ludometer.sandbox.interpreter import Interpreter, Launch, StartFailed, cell_source, resource_limits
from ludometer.sandbox.program import Limits
from ludometer.sandbox.runtime import ARGUMENTS, INSTALLED, Runtime, runtime
from ludometer.sandbox.seccomp import ARCHITECTURES, filter_program

__all__ = ["Bubblewrap"]

_HOME = "/python"
"""Where Python stands inside, so that no folder's name tells of the machine."""


class Bubblewrap(LocalBackend):
    """Own user, process, network, mount, IPC and host-name namespaces; no /proc; nothing that can be written."""

    name: ClassVar[str] = "bubblewrap"
    preference: ClassVar[int] = 10

    def unavailable(self) -> str | None:
        if sys.platform != "linux":
            return "needs Linux"
        if platform.machine() not in ARCHITECTURES:
            return f"knows no system calls of {platform.machine()} processors"
        if shutil.which("bwrap") is None:
            return "is not installed: apt-get install bubblewrap, or your system's equivalent"
        try:
            Interpreter(self.launch(Limits())).end()
        except StartFailed as error:
            return f"does not work here ({error}): it needs user namespaces"
        except SandboxError as error:
            return str(error)
        return None

    def describe(self) -> str:
        return f"bubblewrap {self._version}, CPython {self.python}"

    @cached_property
    def _version(self) -> str:
        said = subprocess.run([self._program, "--version"], capture_output=True, text=True, env={}, check=False)
        return said.stdout.split()[-1] if said.stdout.split() else "of unknown version"

    @cached_property
    def _program(self) -> str:
        found = shutil.which("bwrap")
        if found is None:
            raise SandboxError("bwrap is not installed")
        return found

    def launch(self, limits: Limits) -> Launch:
        settings = {
            "limits": resource_limits(limits),
            "filter": base64.b64encode(filter_program(platform.machine())).decode("ascii"),
        }
        return Launch([*self._namespaces, *ARGUMENTS, "-c", cell_source(), self.tag], settings, reports_child=True)

    @cached_property
    def _namespaces(self) -> list[str]:
        python = runtime()
        executable = f"{_HOME}/bin/{python.executable.name}"
        return [
            self._program,
            *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"),
            *("--die-with-parent", "--cap-drop", "ALL"),
            *("--ro-bind", str(python.executable), executable),
            *_library(python),
            *_shared(python),
            *("--dev-bind", "/dev/null", "/dev/null"),
            *("--remount-ro", "/", "--chdir", "/"),
            *("--", executable),
        ]


def _library(python: Runtime) -> list[str]:
    """The standard library, with the folders of installed packages covered up."""
    arguments: list[str] = []
    for folder in dict.fromkeys((python.library, python.platform_library)):
        inside = f"{_HOME}/{folder.parent.name}/{folder.name}"
        arguments += ["--ro-bind", str(folder), inside]
        for name in INSTALLED:
            if (folder / name).is_dir():
                arguments += ["--perms", "0000", "--tmpfs", f"{inside}/{name}", "--remount-ro", f"{inside}/{name}"]
    return arguments


def _shared(python: Runtime) -> list[str]:
    """The shared libraries where the loader looks for them, with the links that lead there (/lib64 and so on)."""
    arguments: list[str] = []
    for path in map(Path, ("/lib", "/lib64")):
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
    for library in python.shared:
        # Python's own library stands in a folder whose name may tell of the machine: it is found by another one.
        own = python.prefix != Path("/usr") and library.is_relative_to(python.prefix)
        arguments += ["--ro-bind", str(library), f"{_HOME}/lib/{library.name}" if own else str(library)]
        arguments += ["--setenv", "LD_LIBRARY_PATH", f"{_HOME}/lib"] if own else []
    if Path("/etc/ld.so.cache").exists():
        arguments += ["--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    return arguments
