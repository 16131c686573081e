"""Landlock and a system-call filter, for Linux machines where user namespaces are missing.

The process locks itself up before it reads the program: it can read Python's own library and nothing else, reach no
process and no socket outside, and make no system call that is not on the list. Unlike with bubblewrap it lives in the
machine's own name spaces: the names, sizes and times of files (not their contents, and not the lists of folders) can be
asked for, as Landlock does not restrict ``stat``.
"""

from __future__ import annotations

import base64
import ctypes
import errno
import os
import platform
import sys
from functools import cached_property
from typing import ClassVar

from ludometer.core import SandboxError
from ludometer.sandbox.backend import LocalBackend
from ludometer.sandbox.interpreter import Interpreter, Launch, StartFailed, cell_source, resource_limits
from ludometer.sandbox.program import Limits
from ludometer.sandbox.runtime import ARGUMENTS, runtime
from ludometer.sandbox.seccomp import ARCHITECTURES, filter_program

__all__ = ["Landlock", "landlock_abi"]

NEEDED_ABI = 6
"""The first that keeps signals and abstract sockets inside (Linux 6.12)."""


def landlock_abi() -> int:
    """The version of Landlock that the kernel speaks; 0 where it has none or it is turned off."""
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
        raise SandboxError(f"Landlock did not tell its version: {os.strerror(ctypes.get_errno())}")
    return max(int(version), 0)


class Landlock(LocalBackend):
    """Reads of the standard library, and nothing else."""

    name: ClassVar[str] = "landlock"
    preference: ClassVar[int] = 20

    def unavailable(self) -> str | None:
        if sys.platform != "linux":
            return "needs Linux"
        if platform.machine() not in ARCHITECTURES:
            return f"knows no system calls of {platform.machine()} processors"
        abi = landlock_abi()
        if abi < NEEDED_ABI:
            spoken = f"speaks Landlock {abi}" if abi else "has no Landlock"
            return f"needs Linux 6.12 with Landlock (ABI {NEEDED_ABI}) turned on, and this kernel {spoken}"
        try:
            Interpreter(self.launch(Limits())).end()
        except StartFailed as error:
            return f"does not work here ({error})"
        except SandboxError as error:
            return str(error)
        return None

    def describe(self) -> str:
        return f"Landlock ABI {landlock_abi()}, CPython {self.python}"

    def launch(self, limits: Limits) -> Launch:
        settings = {
            "limits": resource_limits(limits),
            "filter": base64.b64encode(filter_program(platform.machine())).decode("ascii"),
            "landlock": self._readable,
        }
        return Launch([str(runtime().executable), *ARGUMENTS, "-c", cell_source(), self.tag], settings)

    @cached_property
    def _readable(self) -> list[str]:
        python = runtime()
        places = [*python.library_parts(), *python.shared, "/etc/ld.so.cache", "/dev/null"]
        return [str(place) for place in places]
